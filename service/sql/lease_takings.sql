SELECT key_id::text, device, taken_at FROM boston.lease_takings
WHERE session_id = %(session)s::uuid
ORDER BY taken_at, key_id
