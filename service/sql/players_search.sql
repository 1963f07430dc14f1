-- A page of a club's players whose folded name has every word of the query.
SELECT p.player_id::text, n.name, p.guest, n.folded
FROM boston.players AS p
JOIN boston.player_names AS n USING (club_id, player_id)
WHERE p.club_id = %(club)s::uuid
  AND n.folded LIKE ALL(%(patterns)s::text[])
  AND (n.folded, p.player_id) > (%(after_name)s, %(after_id)s::uuid)
ORDER BY n.folded, p.player_id
LIMIT %(limit)s
