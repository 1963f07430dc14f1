SELECT session_id::text, version, hash, club_id::text, entries, phase, date::text, ruleset, table_name, opened_at, changed_at
FROM boston.sessions
WHERE %(session)s::uuid IS NULL OR session_id = %(session)s::uuid
