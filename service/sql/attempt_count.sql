-- One attempt more; the count begins anew where the last one began before `stale`.
INSERT INTO boston.sign_in_attempts AS a (address, attempts, since)
VALUES (%(address)s, 1, %(now)s)
ON CONFLICT (address) DO UPDATE SET
    attempts = CASE WHEN a.since <= %(stale)s THEN 1 ELSE least(a.attempts, 1000000) + 1 END,
    since = CASE WHEN a.since <= %(stale)s THEN excluded.since ELSE a.since END
RETURNING attempts, since
