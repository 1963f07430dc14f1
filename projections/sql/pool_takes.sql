-- Who took or doubled which pool. The life of a pool that is taken is the number of deals since the one
-- before was, or since the start; it is counted over the whole session, whatever the filter shows of it.
WITH chosen AS MATERIALIZED (
    SELECT DISTINCT p.session_id, p.place
    FROM facts.parts(
        %(club)s::uuid, %(players)s::uuid[], %(ruleset)s::text, %(since)s::date, %(until)s::date, %(seat)s::text,
        %(role)s::text, %(contract)s::text, %(against)s::uuid[], %(evidence)s::text, %(table)s::text
    ) AS p
    WHERE p.counts
), lives AS (
    SELECT
        m.session_id, m.number, m.place, m.deal, m.date, m.reason, m.which, m.player_id, m.amount, m.total,
        CASE WHEN m.reason = 'taken' THEN m.deal - coalesce(
            lag(m.deal) OVER (PARTITION BY m.session_id, m.reason ORDER BY m.number), 0
        ) END AS life
    FROM facts.pools AS m
    WHERE m.session_id IN (SELECT session_id FROM chosen) AND m.reason IN ('taken', 'doubled')
)
SELECT
    l.session_id::text, l.number, l.place, l.deal, l.date::text, l.reason, l.which,
    coalesce(a.same_as, l.player_id)::text AS player_id, abs(l.amount)::integer AS amount, l.total, l.life
FROM lives AS l
JOIN chosen USING (session_id, place)
LEFT JOIN boston.player_aliases AS a ON a.club_id = %(club)s::uuid AND a.player_id = l.player_id
WHERE %(after)s::text[] IS NULL
    OR (l.date, l.session_id, l.number) > (
        (%(after)s::text[])[1]::date, (%(after)s::text[])[2]::uuid, (%(after)s::text[])[3]::integer
    )
ORDER BY l.date, l.session_id, l.number
LIMIT %(limit)s
