UPDATE boston.keys SET revoked_at = coalesce(revoked_at, %(now)s)
WHERE club_id = %(club)s::uuid AND key_id = %(key)s::uuid
RETURNING key_id::text
