SELECT key_id::text, name, role, player_id::text AS player_id, created_at, revoked_at
FROM boston.keys
WHERE club_id = %(club)s::uuid AND (created_at, key_id) > (%(after_at)s::timestamptz, %(after_id)s::uuid)
ORDER BY created_at, key_id
LIMIT %(limit)s
