-- The rule set that the session was opened under, as it stands in its first event, and the names of today.
SELECT
    convert_from(e.body, 'UTF8')::jsonb -> 'data' -> 'rule_set' AS rules,
    (
        SELECT coalesce(jsonb_object_agg(n.player_id, n.name), '{}')
        FROM facts.session_players AS s
        JOIN boston.player_names AS n ON n.club_id = s.club_id AND n.player_id = s.player_id
        WHERE s.session_id = e.session_id
    ) AS names
FROM boston.events AS e
JOIN boston.sessions AS h ON h.session_id = e.session_id AND h.club_id = %(club)s::uuid
WHERE e.session_id = %(session)s::uuid AND e.version = 1
