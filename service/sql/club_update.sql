UPDATE boston.clubs
SET name = %(name)s, time_zone = %(time_zone)s, ruleset = %(ruleset)s, settings = %(settings)s::jsonb
WHERE club_id = %(club)s::uuid
