-- How much a figure rests on, as of the snapshot it is read in. The heads are read a session at a time, by their key:
-- a join would rather read those of the whole club.
SELECT
    now() AS at,
    count(*) AS sessions,
    coalesce(sum((SELECT s.version FROM boston.sessions AS s WHERE s.session_id = chosen.session_id)), 0)::bigint AS events
FROM (
    SELECT DISTINCT p.session_id
    FROM facts.parts(
        %(club)s::uuid, %(players)s::uuid[], %(ruleset)s::text, %(since)s::date, %(until)s::date, %(seat)s::text,
        %(role)s::text, %(contract)s::text, %(against)s::uuid[], %(evidence)s::text, %(table)s::text
    ) AS p
) AS chosen
