INSERT INTO boston.checkpoints (club_id, number, made_at, statement)
VALUES (%(club)s::uuid, %(number)s::integer, %(at)s::timestamptz, %(statement)s)
