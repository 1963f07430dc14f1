SELECT
    d.place, d.deal, d.date::text, d.ruleset, d.dealer, d.outcome, d.counts, d.contract, d.preference, d.caller, d.trumps,
    d.tricks, d.shortfall, d.conceded, d.price, d.pool_paid, d.rule, d.deltas, d.balances, d.pool, d.evidence, d.version,
    d.corrected
FROM facts.deals AS d
WHERE d.session_id = %(session)s::uuid AND d.club_id = %(club)s::uuid AND d.place = %(place)s
