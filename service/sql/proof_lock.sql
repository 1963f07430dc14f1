-- One at a time makes a key or a checkpoint of a club, in whichever process; held until the transaction ends.
SELECT pg_advisory_xact_lock(4004, hashtext(%(club)s))
