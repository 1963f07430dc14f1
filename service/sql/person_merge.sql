-- One id more for a person. Nothing is written where the two ever sat in one session, or where the id
-- already stands for somebody or is stood for: the answer says which.
WITH target AS (
    SELECT coalesce(a.same_as, p.player_id) AS player_id
    FROM boston.players AS p
    LEFT JOIN boston.player_aliases AS a ON a.club_id = p.club_id AND a.player_id = p.player_id
    WHERE p.club_id = %(club)s::uuid AND p.player_id = %(into)s::uuid
), ids AS (
    SELECT player_id FROM target
    UNION
    SELECT a.player_id FROM boston.player_aliases AS a
    JOIN target ON a.club_id = %(club)s::uuid AND a.same_as = target.player_id
), found AS (
    SELECT
        EXISTS (SELECT FROM boston.players WHERE club_id = %(club)s::uuid AND player_id = %(player)s::uuid)
            AND EXISTS (SELECT FROM target) AS known,
        EXISTS (SELECT FROM ids WHERE player_id = %(player)s::uuid) AS same,
        EXISTS (
            SELECT FROM boston.player_aliases
            WHERE club_id = %(club)s::uuid AND %(player)s::uuid IN (player_id, same_as)
        ) AS taken,
        (
            SELECT min(mine.session_id::text)
            FROM facts.session_players AS mine
            JOIN facts.session_players AS other USING (session_id)
            WHERE mine.club_id = %(club)s::uuid AND mine.player_id = %(player)s::uuid
                AND other.player_id IN (SELECT player_id FROM ids)
        ) AS together
), merged AS (
    INSERT INTO boston.player_aliases (club_id, player_id, same_as, made_at, made_by)
    SELECT %(club)s::uuid, %(player)s::uuid, target.player_id, %(now)s::timestamptz, %(key)s::uuid
    FROM target, found
    WHERE found.known AND NOT found.same AND NOT found.taken AND found.together IS NULL
    RETURNING same_as
)
SELECT found.known, found.same, found.taken, found.together, (SELECT same_as::text FROM merged) AS same_as FROM found
