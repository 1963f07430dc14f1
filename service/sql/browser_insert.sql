INSERT INTO boston.browser_sessions (digest, club_id, key_id, csrf, created_at, expires_at)
VALUES (%(digest)s, %(club)s::uuid, %(key)s::uuid, %(csrf)s, %(now)s, %(expires)s)
