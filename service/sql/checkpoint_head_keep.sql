INSERT INTO boston.checkpoint_heads (session_id, number, club_id, version, hash, events)
VALUES (%(session)s::uuid, %(number)s::integer, %(club)s::uuid, %(version)s::integer, %(hash)s::bytea, %(events)s::bytea)
