INSERT INTO boston.clubs (club_id, name, time_zone, ruleset, settings, demo, created_at)
VALUES (%(club)s::uuid, %(name)s, %(time_zone)s, %(ruleset)s, %(settings)s::jsonb, %(demo)s, %(now)s)
