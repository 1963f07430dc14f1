WITH player AS (
    INSERT INTO boston.players (club_id, player_id, guest, created_at)
    VALUES (%(club)s::uuid, %(player)s::uuid, %(guest)s, %(now)s::timestamptz)
    ON CONFLICT DO NOTHING
    RETURNING club_id, player_id
)
INSERT INTO boston.player_names (club_id, player_id, name, folded)
SELECT club_id, player_id, %(name)s, %(folded)s FROM player
