-- A person leaves: the name under every id, and what is called after the person, go. No row of the log and of the
-- projections changes, so every sum stays. The keys of that person open nothing any more.
WITH ids AS (
    SELECT unnest(%(ids)s::uuid[]) AS player_id
), erased AS (
    UPDATE boston.players AS p SET erased_at = coalesce(p.erased_at, %(now)s::timestamptz)
    FROM ids WHERE p.club_id = %(club)s::uuid AND p.player_id = ids.player_id
    RETURNING p.player_id
), named AS (
    DELETE FROM boston.player_names AS n
    USING ids WHERE n.club_id = %(club)s::uuid AND n.player_id = ids.player_id
), keyed AS (
    UPDATE boston.keys AS k SET name = '(erased)', revoked_at = coalesce(k.revoked_at, %(now)s::timestamptz)
    FROM ids WHERE k.club_id = %(club)s::uuid AND k.player_id = ids.player_id
), paired AS (
    DELETE FROM boston.pairings AS p
    USING ids WHERE p.club_id = %(club)s::uuid AND p.player_id = ids.player_id
)
SELECT count(*) FROM erased
