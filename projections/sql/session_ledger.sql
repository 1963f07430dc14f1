SELECT
    number, version, entry, place, deal, kind, reason, seat, players::text[] AS players, trim_scale(n) AS n,
    trim_scale(e) AS e, trim_scale(s) AS s, trim_scale(w) AS w, trim_scale(pool) AS pool, trim_scale(issued) AS issued
FROM facts.ledger
WHERE session_id = %(session)s::uuid AND club_id = %(club)s::uuid AND number > %(after)s
ORDER BY number
LIMIT %(limit)s
