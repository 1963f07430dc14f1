-- The club's checkpoints before a number, the latest first.
SELECT statement
FROM boston.checkpoints
WHERE club_id = %(club)s::uuid AND number < %(before)s::integer
ORDER BY number DESC
LIMIT %(limit)s::integer
