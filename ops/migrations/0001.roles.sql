-- The role of the service. Whatever it may do is granted table by table, in the
-- migration that makes the table. Roles belong to the whole server, so two databases
-- migrated at the same moment may both try to make it: losing that race is success.

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'boston_service') THEN
        BEGIN
            CREATE ROLE boston_service NOLOGIN;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END;
    END IF;
    -- An owner who is no superuser needs the membership to take the role on.
    IF NOT pg_has_role(current_user, 'boston_service', 'MEMBER') THEN
        GRANT boston_service TO CURRENT_USER;
    END IF;
END
$$;

GRANT USAGE ON SCHEMA boston TO boston_service;
