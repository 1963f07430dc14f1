-- What keys of a club are called, those that were revoked too.
SELECT key_id::text, name FROM boston.keys
WHERE club_id = %(club)s::uuid AND key_id = ANY (%(keys)s::uuid[])
