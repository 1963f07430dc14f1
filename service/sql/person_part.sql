DELETE FROM boston.player_aliases
WHERE club_id = %(club)s::uuid AND player_id = %(player)s::uuid
