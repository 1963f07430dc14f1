-- The clubs of those of some sessions that are over.
SELECT DISTINCT club_id::text
FROM boston.sessions
WHERE session_id = ANY (%(sessions)s::uuid[]) AND phase IN ('closed', 'ended', 'abandoned')
