-- The club's last checkpoint, or the last up to a number.
SELECT number, statement
FROM boston.checkpoints
WHERE club_id = %(club)s::uuid AND number <= %(upto)s::integer
ORDER BY number DESC
LIMIT 1
