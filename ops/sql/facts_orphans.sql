-- Every projection has at least its session's row, or belongs to one that has.
SELECT found.name, found.session_id::text
FROM (
    SELECT DISTINCT 'sessions' AS name, session_id FROM facts.sessions
    UNION SELECT 'session_players', session_id FROM facts.session_players
    UNION SELECT 'deals', session_id FROM facts.deals
    UNION SELECT 'deal_players', session_id FROM facts.deal_players
    UNION SELECT 'balances', session_id FROM facts.balances
    UNION SELECT 'ledger', session_id FROM facts.ledger
    UNION SELECT 'pools', session_id FROM facts.pools
    UNION SELECT 'findings', session_id FROM facts.findings
    UNION SELECT 'disputes', session_id FROM facts.disputes
) AS found
WHERE NOT EXISTS (SELECT FROM boston.sessions AS s WHERE s.session_id = found.session_id)
    AND (%(session)s::uuid IS NULL OR found.session_id = %(session)s::uuid)
ORDER BY 2, 1
