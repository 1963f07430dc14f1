INSERT INTO boston.pairings (digest, club_id, role, name, player_id, made_by, expires_at)
VALUES (%(digest)s, %(club)s::uuid, %(role)s, %(name)s, %(player)s::uuid, %(made_by)s::uuid, %(expires)s)
