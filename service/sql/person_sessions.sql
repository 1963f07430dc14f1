SELECT
    session_id::text, date::text, ruleset, table_name AS "table", status, seats, deals, trim_scale(money) AS money,
    trim_scale(final) AS final, won, shared, void
FROM facts.session_players
WHERE club_id = %(club)s::uuid AND player_id = ANY (%(ids)s::uuid[])
ORDER BY date, session_id
