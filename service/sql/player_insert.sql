WITH player AS (
    INSERT INTO boston.players (club_id, player_id, guest, created_at)
    VALUES (%(club)s::uuid, %(player)s::uuid, %(guest)s::boolean, %(now)s::timestamptz)
    ON CONFLICT DO NOTHING
    RETURNING club_id, player_id
)
INSERT INTO boston.player_names (club_id, player_id, name, folded, claimed)
SELECT club_id, player_id, %(name)s::text, %(folded)s::text, %(claimed)s::boolean FROM player
