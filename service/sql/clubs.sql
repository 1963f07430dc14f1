SELECT club_id::text, name, time_zone, ruleset, settings::text AS settings, demo
FROM boston.clubs ORDER BY created_at, club_id
