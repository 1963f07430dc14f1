-- The persons of the club with enough deals, ranked; equals share a rank.
WITH parts AS MATERIALIZED (
    SELECT coalesce(a.same_as, p.player_id) AS person, p.player_id, p.session_id, p.role, p.outcome, p.money
    FROM facts.parts(
        %(club)s::uuid, %(players)s::uuid[], %(ruleset)s::text, %(since)s::date, %(until)s::date, %(seat)s::text,
        %(role)s::text, %(contract)s::text, %(against)s::uuid[], %(evidence)s::text, %(table)s::text
    ) AS p
    LEFT JOIN boston.player_aliases AS a ON a.club_id = p.club_id AND a.player_id = p.player_id
    WHERE p.counts
), tallied AS (
    SELECT
        person,
        count(*) AS n,
        sum(money)::bigint AS money,
        sum(money::bigint * money)::bigint AS money_squares,
        count(*) FILTER (WHERE role = 'caller') AS called,
        count(*) FILTER (WHERE role = 'caller' AND outcome = 'made') AS made
    FROM parts
    GROUP BY person
), evenings AS (
    SELECT sat.person, count(*) AS sessions, count(*) FILTER (WHERE s.won) AS won, trim_scale(sum(s.money)) AS evening_money
    FROM (SELECT DISTINCT person, player_id, session_id FROM parts) AS sat
    JOIN facts.session_players AS s ON s.session_id = sat.session_id AND s.player_id = sat.player_id
    GROUP BY sat.person
), ranked AS (
    SELECT
        t.*, e.sessions, e.won, e.evening_money,
        rank() OVER (
            ORDER BY CASE %(by)s::text
                WHEN 'money' THEN t.money::numeric
                WHEN 'per_deal' THEN t.money::numeric / t.n
                WHEN 'made' THEN t.made::numeric / nullif(t.called, 0)
                WHEN 'evenings' THEN e.evening_money
                WHEN 'won' THEN e.won::numeric
            END DESC NULLS LAST
        ) AS rank
    FROM tallied AS t
    JOIN evenings AS e USING (person)
    WHERE t.n >= %(least)s::integer
)
SELECT
    rank, person::text AS player_id, n, money, money_squares, called, made, sessions, won, evening_money
FROM ranked
WHERE %(after)s::text[] IS NULL
    OR (rank, person) > ((%(after)s::text[])[1]::bigint, (%(after)s::text[])[2]::uuid)
ORDER BY rank, person
LIMIT %(limit)s
