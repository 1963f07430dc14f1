INSERT INTO boston.keys (key_id, club_id, digest, name, role, player_id, created_at)
VALUES (%(key)s::uuid, %(club)s::uuid, %(digest)s, %(name)s, %(role)s, %(player)s::uuid, %(now)s)
