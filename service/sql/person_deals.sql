-- All deals of a person, those of void sessions too, with the calls and cards of the person's own chair.
SELECT
    p.session_id::text, p.place, p.seat, p.deal, p.role, p.outcome, p.contract, p.money, p.pool_money, p.tricks,
    ARRAY(SELECT substr(call, 3) FROM unnest(d.calls) WITH ORDINALITY AS c (call, at) WHERE call LIKE p.seat || ':%%' ORDER BY at) AS calls,
    ARRAY(SELECT substr(play, 3) FROM unnest(d.plays) WITH ORDINALITY AS c (play, at) WHERE play LIKE p.seat || ':%%' ORDER BY at) AS plays,
    d.began_at, d.ended_at
FROM facts.deal_players AS p
JOIN facts.deals AS d USING (session_id, place)
WHERE p.club_id = %(club)s::uuid AND p.player_id = ANY (%(ids)s::uuid[])
ORDER BY p.date, p.session_id, p.place
