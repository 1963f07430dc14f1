-- All players of a club, and what they are called; an erased one has no name.
SELECT p.player_id::text, coalesce(n.name, %(erased)s) AS name
FROM boston.players AS p
LEFT JOIN boston.player_names AS n USING (club_id, player_id)
WHERE p.club_id = %(club)s::uuid
