SELECT version, hash, club_id::text, entries, voided_at IS NOT NULL, erasures
FROM boston.sessions
WHERE session_id = %(session)s::uuid
