-- A code works once: whoever updates the row first has it.
UPDATE boston.pairings SET used_at = %(now)s
WHERE digest = %(digest)s AND used_at IS NULL AND expires_at > %(now)s
RETURNING club_id::text, role, name, player_id::text AS player_id
