INSERT INTO boston.signing_keys (club_id, number, statement) VALUES (%(club)s::uuid, %(number)s::integer, %(statement)s)
