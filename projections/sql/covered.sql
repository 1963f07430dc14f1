-- How much a figure rests on, as of the snapshot it is read in.
SELECT now() AS at, count(*) AS sessions, coalesce(sum(s.version), 0)::bigint AS events
FROM boston.sessions AS s
WHERE s.session_id IN (
    SELECT p.session_id
    FROM facts.parts(
        %(club)s::uuid, %(players)s::uuid[], %(ruleset)s::text, %(since)s::date, %(until)s::date, %(seat)s::text,
        %(role)s::text, %(contract)s::text, %(against)s::uuid[], %(evidence)s::text, %(table)s::text
    ) AS p
)
