UPDATE boston.sessions SET voided_at = coalesce(voided_at, %(now)s), void_reason = coalesce(void_reason, %(reason)s)
WHERE session_id = %(session)s::uuid AND club_id = %(club)s::uuid
RETURNING session_id::text
