-- The players of a club that an entry may mean: by id, or by the folded name.
SELECT p.player_id::text, n.name, n.folded, p.guest
FROM boston.players AS p
LEFT JOIN boston.player_names AS n USING (club_id, player_id)
WHERE p.club_id = %(club)s::uuid
  AND (p.player_id::text = ANY(%(ids)s::text[]) OR n.folded = ANY(%(folded)s::text[]))
