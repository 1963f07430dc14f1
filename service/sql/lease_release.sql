DELETE FROM boston.leases
WHERE session_id = %(session)s::uuid AND key_id = %(key)s::uuid
  AND (device IS NULL OR %(device)s::text IS NULL OR device = %(device)s::text)
