-- The second guard beside the privileges: on a single node not even the owner changes
-- the log by mistake. Removing a club for good is the owner's act, who disables this
-- trigger in the transaction that does it. Where tables are distributed, triggers are
-- not to be had, and the privileges alone guard the log.

CREATE FUNCTION boston.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log is append-only: % on boston.% is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END
$$;

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
        CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON boston.events
            FOR EACH STATEMENT EXECUTE FUNCTION boston.refuse_change();
    END IF;
END
$$;
