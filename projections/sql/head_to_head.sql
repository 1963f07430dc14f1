-- Who paid whom how much: each pair from the view of the first, pools apart.
SELECT
    coalesce(a.same_as, p.player_id)::text AS player_id,
    coalesce(b.same_as, o.player_id)::text AS opponent_id,
    count(*) AS n,
    coalesce(sum(o.got) FILTER (WHERE o.got > 0), 0)::bigint AS got,
    coalesce(-sum(o.got) FILTER (WHERE o.got < 0), 0)::bigint AS paid,
    sum(o.got)::bigint AS net,
    sum(o.got::bigint * o.got)::bigint AS net_squares
FROM facts.parts(
        %(club)s::uuid, %(players)s::uuid[], %(ruleset)s::text, %(since)s::date, %(until)s::date, %(seat)s::text,
        %(role)s::text, %(contract)s::text, %(against)s::uuid[], %(evidence)s::text, %(table)s::text
    ) AS p
CROSS JOIN LATERAL unnest(p.opponents, p.received) AS o (player_id, got)
LEFT JOIN boston.player_aliases AS a ON a.club_id = p.club_id AND a.player_id = p.player_id
LEFT JOIN boston.player_aliases AS b ON b.club_id = p.club_id AND b.player_id = o.player_id
WHERE p.counts AND (%(against)s::uuid[] IS NULL OR o.player_id = ANY (%(against)s::uuid[]))
GROUP BY coalesce(a.same_as, p.player_id), coalesce(b.same_as, o.player_id)
ORDER BY 1, 2
