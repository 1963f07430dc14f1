SELECT
    l.number, l.version, l.entry, l.place, l.deal, l.kind, l.reason, l.seat,
    ARRAY[trim_scale(l.n), trim_scale(l.e), trim_scale(l.s), trim_scale(l.w)] AS amounts,
    trim_scale(l.pool) AS pool, trim_scale(l.issued) AS issued, l.players::text[] AS players
FROM facts.ledger AS l
WHERE l.session_id = %(session)s::uuid AND l.club_id = %(club)s::uuid AND l.place = %(place)s
ORDER BY l.number
