SELECT session_id::text, version, hash
FROM boston.events
WHERE session_id IN (SELECT session_id FROM boston.checkpoint_heads)
    AND (%(session)s::uuid IS NULL OR session_id = %(session)s::uuid)
ORDER BY session_id, version
