UPDATE boston.player_names SET name = %(name)s, folded = %(folded)s
WHERE club_id = %(club)s::uuid AND player_id = %(player)s::uuid
RETURNING player_id::text
