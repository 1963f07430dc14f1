-- The deals that stand out, ties kept: the longest auction, the largest settlement, the largest pool, pace.
WITH chosen AS MATERIALIZED (
    SELECT DISTINCT p.session_id, p.place
    FROM facts.parts(
        %(club)s::uuid, %(players)s::uuid[], %(ruleset)s::text, %(since)s::date, %(until)s::date, %(seat)s::text,
        %(role)s::text, %(contract)s::text, %(against)s::uuid[], %(evidence)s::text, %(table)s::text
    ) AS p
    WHERE p.counts
), deals AS MATERIALIZED (
    SELECT
        d.session_id, d.place, d.deal, d.date, d.contract, d.outcome, d.players, d.caller, d.deltas, d.seconds,
        cardinality(d.calls) AS calls,
        (SELECT max(abs(delta)) FROM unnest(d.deltas) AS delta) AS largest
    FROM facts.deals AS d
    JOIN chosen USING (session_id, place)
), pools AS (
    SELECT p.session_id, p.place, max(p.total) AS total
    FROM facts.pools AS p
    JOIN chosen USING (session_id, place)
    GROUP BY p.session_id, p.place
), ranked AS (
    SELECT 'longest_auction' AS record, session_id, place, calls AS amount, rank() OVER (ORDER BY calls DESC) AS rank
    FROM deals WHERE calls > 0
    UNION ALL
    SELECT 'largest_settlement', session_id, place, largest, rank() OVER (ORDER BY largest DESC) FROM deals
    UNION ALL
    SELECT 'largest_pool', session_id, place, total, rank() OVER (ORDER BY total DESC) FROM pools
    UNION ALL
    SELECT 'longest_deal', session_id, place, seconds, rank() OVER (ORDER BY seconds DESC) FROM deals
    WHERE seconds IS NOT NULL
)
SELECT
    r.record, r.rank, r.amount, r.session_id::text, r.place, d.deal, d.date::text, d.contract, d.outcome,
    (d.players)[strpos('NESW', d.caller)]::text AS caller_id
FROM ranked AS r
JOIN deals AS d USING (session_id, place)
WHERE r.rank <= %(top)s
ORDER BY r.record, r.rank, d.date, r.session_id, r.place
