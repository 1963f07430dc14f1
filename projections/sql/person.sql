-- A person of the club by any of the ids that stand for one: the id that stands for all, and all of them.
WITH person AS (
    SELECT coalesce(a.same_as, p.player_id) AS player_id
    FROM boston.players AS p
    LEFT JOIN boston.player_aliases AS a ON a.club_id = p.club_id AND a.player_id = p.player_id
    WHERE p.club_id = %(club)s::uuid AND p.player_id = %(player)s::uuid
)
SELECT
    person.player_id::text,
    n.name,
    array_prepend(
        person.player_id::text,
        ARRAY(
            SELECT a.player_id::text FROM boston.player_aliases AS a
            WHERE a.club_id = %(club)s::uuid AND a.same_as = person.player_id ORDER BY 1
        )
    ) AS ids
FROM person
LEFT JOIN boston.player_names AS n ON n.club_id = %(club)s::uuid AND n.player_id = person.player_id
