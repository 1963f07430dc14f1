SELECT session_id::text FROM boston.sessions
WHERE %(session)s::uuid IS NULL OR session_id = %(session)s::uuid
ORDER BY session_id
