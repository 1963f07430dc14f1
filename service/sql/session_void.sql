-- Nothing happens where the session has moved on from the version whose rows are written with it. From here on the
-- head is locked until the transaction ends, and no append moves it afterwards.
UPDATE boston.sessions SET voided_at = coalesce(voided_at, %(now)s), void_reason = coalesce(void_reason, %(reason)s)
WHERE session_id = %(session)s::uuid AND club_id = %(club)s::uuid AND version = %(version)s
RETURNING session_id::text
