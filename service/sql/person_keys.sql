SELECT key_id::text, name, role, created_at, revoked_at
FROM boston.keys WHERE club_id = %(club)s::uuid AND player_id = ANY (%(ids)s::uuid[]) ORDER BY created_at, key_id
