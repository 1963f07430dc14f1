-- How many sessions of a club the demo did not bring, or somebody has gone on with since.
SELECT count(*)
FROM boston.sessions AS s
JOIN boston.events AS e ON e.session_id = s.session_id AND e.version = 1
WHERE s.club_id = %(club)s::uuid
  AND (convert_from(e.body, 'UTF8')::jsonb ->> 'role' IS DISTINCT FROM 'demo' OR s.changed_at > s.opened_at)
