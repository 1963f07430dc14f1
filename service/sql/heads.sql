-- The versions of some sessions, for those who watch them.
SELECT session_id::text, version FROM boston.sessions WHERE session_id = ANY(%(sessions)s::uuid[])
