-- Whoever is given a name by hand does not claim it: two may be called alike.
UPDATE boston.player_names SET name = %(name)s, folded = %(folded)s, claimed = false
WHERE club_id = %(club)s::uuid AND player_id = %(player)s::uuid
RETURNING player_id::text
