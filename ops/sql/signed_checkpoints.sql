SELECT club_id::text, number, made_at, statement FROM boston.checkpoints ORDER BY club_id, number
