-- The heads that a checkpoint covers, in the order of their leaves.
SELECT DISTINCT ON (session_id) session_id::text, version, hash, events
FROM boston.checkpoint_heads
WHERE club_id = %(club)s::uuid AND number <= %(number)s::integer
ORDER BY session_id, number DESC
