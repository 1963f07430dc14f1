INSERT INTO boston.signing_secrets (club_id, number, secret) VALUES (%(club)s::uuid, %(number)s::integer, %(secret)s::bytea)
