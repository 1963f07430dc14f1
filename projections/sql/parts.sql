-- The parts in counted deals themselves, in order; what every other figure is a fold of.
SELECT
    p.session_id::text, p.place, p.seat, coalesce(a.same_as, p.player_id)::text AS player_id, p.date::text,
    p.ruleset, p.table_name AS "table", p.deal, p.role, p.outcome, p.contract, p.trump_class, p.shortfall, p.evidence,
    p.money, p.pool_money, p.tricks, p.conceded, p.irregular
FROM facts.parts(
        %(club)s::uuid, %(players)s::uuid[], %(ruleset)s::text, %(since)s::date, %(until)s::date, %(seat)s::text,
        %(role)s::text, %(contract)s::text, %(against)s::uuid[], %(evidence)s::text, %(table)s::text
    ) AS p
LEFT JOIN boston.player_aliases AS a ON a.club_id = p.club_id AND a.player_id = p.player_id
WHERE p.counts AND (
    %(after)s::text[] IS NULL
    OR (p.date, p.session_id, p.place, p.seat) > (
        (%(after)s::text[])[1]::date, (%(after)s::text[])[2]::uuid, (%(after)s::text[])[3]::integer, (%(after)s::text[])[4]
    )
)
ORDER BY p.date, p.session_id, p.place, p.seat
LIMIT %(limit)s
