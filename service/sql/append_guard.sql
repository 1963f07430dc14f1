-- Follows an append inside a transaction sent in one go, whose later statements cannot wait for
-- its answer: dividing by the number of heads that stand where the append put them makes the whole
-- transaction fail where there is none.
SELECT 1 / count(*) FROM boston.sessions
WHERE session_id = %(session)s::uuid AND version = %(version)s::integer AND hash = %(hash)b
