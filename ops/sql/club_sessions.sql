-- The sessions of a club in the order of their evenings.
SELECT session_id::text, date::text, table_name, voided_at IS NOT NULL AS voided
FROM boston.sessions
WHERE club_id = %(club)s::uuid
ORDER BY date, opened_at, session_id
