SELECT club_id::text, number, statement FROM boston.signing_keys ORDER BY club_id, number
