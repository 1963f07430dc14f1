-- The sessions that a record may be: those of some ids, whichever club has them, and the club's of that day and length.
SELECT session_id::text, club_id::text
FROM boston.sessions
WHERE session_id = ANY (%(ids)s::uuid[])
UNION
SELECT session_id::text, club_id::text
FROM boston.sessions
WHERE club_id = %(club)s::uuid AND date = %(date)s::date AND entries = %(entries)s
ORDER BY session_id
