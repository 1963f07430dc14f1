-- A person's evenings in order, with the money so far.
SELECT session_id::text, date::text, deals, trim_scale(money) AS money, trim_scale(total) AS total
FROM (
    SELECT
        e.session_id, e.date, e.deals, e.money,
        sum(e.money) OVER (ORDER BY e.date, e.session_id) AS total
    FROM (
        SELECT s.session_id, min(s.date) AS date, sum(s.deals) AS deals, sum(s.money) AS money
        FROM facts.session_players AS s
        JOIN (
            SELECT DISTINCT p.session_id
            FROM facts.parts(
        %(club)s::uuid, %(players)s::uuid[], %(ruleset)s::text, %(since)s::date, %(until)s::date, %(seat)s::text,
        %(role)s::text, %(contract)s::text, %(against)s::uuid[], %(evidence)s::text, %(table)s::text
    ) AS p
            WHERE p.counts
        ) AS sat USING (session_id)
        WHERE s.player_id = ANY (%(players)s::uuid[])
        GROUP BY s.session_id
    ) AS e
) AS summed
WHERE %(after)s::text[] IS NULL
    OR (date, session_id) > ((%(after)s::text[])[1]::date, (%(after)s::text[])[2]::uuid)
ORDER BY date, session_id
LIMIT %(limit)s
