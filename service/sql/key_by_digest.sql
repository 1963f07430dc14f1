-- Who a key speaks for, by the digest of the key itself.
SELECT key_id::text, club_id::text, role, name, player_id::text AS player_id
FROM boston.keys
WHERE digest = %(digest)s AND revoked_at IS NULL
