SELECT
    number, version, entry, place, deal, reason, seat, player_id::text, trim_scale(amount) AS amount, which, full_pools,
    open_pool, total
FROM facts.pools
WHERE session_id = %(session)s::uuid AND club_id = %(club)s::uuid AND number > %(after)s
ORDER BY number
LIMIT %(limit)s
