SELECT session_id::text, version, entry, entry_id, type, recorded_at, body, hash
FROM boston.events
WHERE %(session)s::uuid IS NULL OR session_id = %(session)s::uuid
ORDER BY session_id, version
