-- The contracts played, each as a whole and by the class of its trumps; a misère partout is its own line.
SELECT
    coalesce(p.contract, 'partout') AS contract,
    p.trump_class,
    grouping(p.trump_class) AS whole,
    count(*) AS n,
    count(*) FILTER (WHERE p.outcome = 'made') AS made,
    coalesce(sum(p.shortfall), 0) AS shortfall,
    coalesce(sum(p.shortfall * p.shortfall), 0) AS shortfall_squares,
    coalesce(sum(p.money), 0)::bigint AS money,
    coalesce(sum(p.money::bigint * p.money), 0)::bigint AS money_squares,
    sum(count(*)) OVER (PARTITION BY grouping(p.trump_class))::bigint AS of_all
FROM facts.parts(
        %(club)s::uuid, %(players)s::uuid[], %(ruleset)s::text, %(since)s::date, %(until)s::date, %(seat)s::text,
        %(role)s::text, %(contract)s::text, %(against)s::uuid[], %(evidence)s::text, %(table)s::text
    ) AS p
WHERE p.counts AND (%(role)s::text IS NOT NULL OR p.role = 'caller')
GROUP BY GROUPING SETS ((p.contract), (p.contract, p.trump_class))
