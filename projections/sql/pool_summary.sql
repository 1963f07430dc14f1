-- All pools of the chosen deals in one line.
WITH chosen AS MATERIALIZED (
    SELECT DISTINCT p.session_id, p.place
    FROM facts.parts(
        %(club)s::uuid, %(players)s::uuid[], %(ruleset)s::text, %(since)s::date, %(until)s::date, %(seat)s::text,
        %(role)s::text, %(contract)s::text, %(against)s::uuid[], %(evidence)s::text, %(table)s::text
    ) AS p
    WHERE p.counts
), lives AS (
    SELECT
        m.session_id, m.place, m.reason, m.amount, m.total,
        CASE WHEN m.reason = 'taken' THEN m.deal - coalesce(
            lag(m.deal) OVER (PARTITION BY m.session_id, m.reason ORDER BY m.number), 0
        ) END AS life
    FROM facts.pools AS m
    WHERE m.session_id IN (SELECT session_id FROM chosen)
)
SELECT
    count(*) FILTER (WHERE reason = 'taken') AS taken,
    coalesce(-sum(amount) FILTER (WHERE reason = 'taken'), 0)::bigint AS taken_amount,
    coalesce(sum(amount * amount) FILTER (WHERE reason = 'taken'), 0)::bigint AS taken_squares,
    count(*) FILTER (WHERE reason = 'doubled') AS doubled,
    coalesce(sum(amount) FILTER (WHERE reason = 'doubled'), 0)::bigint AS doubled_amount,
    coalesce(sum(amount * amount) FILTER (WHERE reason = 'doubled'), 0)::bigint AS doubled_squares,
    coalesce(max(total), 0) AS largest,
    count(life) AS lives,
    coalesce(sum(life), 0)::bigint AS life,
    coalesce(sum(life * life), 0)::bigint AS life_squares
FROM lives
JOIN chosen USING (session_id, place)
