SELECT l.session_id::text, l.number, l.place, l.deal, l.kind, l.reason, chair.seat, trim_scale(chair.amount) AS amount
FROM facts.session_players AS s
JOIN facts.ledger AS l USING (session_id)
CROSS JOIN LATERAL unnest(ARRAY['N', 'E', 'S', 'W'], l.players, ARRAY[l.n, l.e, l.s, l.w]) AS chair (seat, player_id, amount)
WHERE s.club_id = %(club)s::uuid AND s.player_id = ANY (%(ids)s::uuid[])
    AND chair.player_id = s.player_id AND chair.amount <> 0
ORDER BY l.date, l.session_id, l.number, chair.seat
