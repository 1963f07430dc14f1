SELECT body FROM boston.events
WHERE session_id = %(session)s::uuid AND version > %(after)s::integer AND version <= %(upto)s::integer
ORDER BY version
