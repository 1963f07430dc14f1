SELECT club_id::text, name, time_zone, ruleset, settings::text AS settings, demo
FROM boston.clubs WHERE club_id = %(club)s::uuid
