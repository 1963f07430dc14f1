SELECT place, deal, seat, player_id::text, trim_scale(balance) AS balance, trim_scale(money) AS money
FROM facts.balances
WHERE session_id = %(session)s::uuid AND club_id = %(club)s::uuid
    AND (place, strpos('NESW', seat)) > (%(after)s, %(after_seat)s)
ORDER BY place, strpos('NESW', seat)
LIMIT %(limit)s
