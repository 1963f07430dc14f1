-- The statements of a club's keys, the first one first.
SELECT statement FROM boston.signing_keys WHERE club_id = %(club)s::uuid ORDER BY number
