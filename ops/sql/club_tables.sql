-- Every table with rows of a club: which of them name the club, the others name the session.
SELECT c.table_schema, c.table_name, bool_or(c.column_name = 'club_id') AS names_club
FROM information_schema.columns AS c
JOIN information_schema.tables AS t USING (table_schema, table_name)
WHERE t.table_type = 'BASE TABLE'
  AND c.table_schema IN ('boston', 'facts', 'facts_next')
  AND c.column_name IN ('club_id', 'session_id')
GROUP BY c.table_schema, c.table_name
ORDER BY names_club, (c.table_schema, c.table_name) = ('boston', 'sessions'), c.table_schema, c.table_name
