SELECT key_id::text, device, taken_at, seen_at FROM boston.leases WHERE session_id = %(session)s::uuid
