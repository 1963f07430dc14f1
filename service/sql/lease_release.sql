DELETE FROM boston.leases
WHERE session_id = %(session)s::uuid AND key_id = %(key)s::uuid AND device IS NOT DISTINCT FROM %(device)s
