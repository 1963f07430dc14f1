-- What is written to a table of the first set is written to its twin, by the owner: the service's own
-- role has nothing to do there. The argument says by which columns a row is the same.
CREATE FUNCTION facts_next.mirror() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        EXECUTE format('INSERT INTO facts_next.%I SELECT ($1).*', TG_TABLE_NAME) USING NEW;
    ELSE
        EXECUTE format('DELETE FROM facts_next.%I AS f WHERE %s', TG_TABLE_NAME, TG_ARGV[0]) USING OLD;
    END IF;
    RETURN NULL;
END
$$
