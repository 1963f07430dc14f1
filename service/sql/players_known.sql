-- The players of a club that an entry may mean: by id, or by the folded name. `person` is the id that stands for each.
SELECT p.player_id::text, n.name, n.folded, p.guest, coalesce(a.same_as, p.player_id)::text AS person
FROM boston.players AS p
LEFT JOIN boston.player_names AS n USING (club_id, player_id)
LEFT JOIN boston.player_aliases AS a USING (club_id, player_id)
WHERE p.club_id = %(club)s::uuid
  AND (p.player_id::text = ANY(%(ids)s::text[]) OR n.folded = ANY(%(folded)s::text[]))
