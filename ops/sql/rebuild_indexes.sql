-- An index of the second set has the name of its twin: they live in different schemas.
SELECT replace(pg_get_indexdef(i.indexrelid), ' ON facts.', ' ON facts_next.')
FROM pg_index AS i
JOIN pg_class AS c ON c.oid = i.indrelid
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = 'facts' AND c.relname = %s AND NOT i.indisprimary
