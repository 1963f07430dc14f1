-- The checkpoints with which a session had moved on, the first one first.
SELECT number FROM boston.checkpoint_heads WHERE session_id = %(session)s::uuid ORDER BY number
