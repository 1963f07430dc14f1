-- The tables that are guarded against changes.
SELECT n.nspname, c.relname
FROM pg_trigger AS t
JOIN pg_class AS c ON c.oid = t.tgrelid
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE t.tgname = 'append_only' AND NOT t.tgisinternal
ORDER BY 1, 2
