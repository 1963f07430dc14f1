-- Rows of projections that differ after an append, written in its transaction.
SELECT facts.write(%(changes)s::jsonb)
