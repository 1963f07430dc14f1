SELECT player_id::text, name FROM boston.player_names
WHERE club_id = %(club)s::uuid AND player_id = ANY(%(ids)s::uuid[])
