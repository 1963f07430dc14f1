SELECT club_id::text, number, session_id::text, version, hash, events
FROM boston.checkpoint_heads
ORDER BY club_id, number, session_id
