-- Who erases a person's name erases it from what others wrote too. Each session counts how often that touched it, so
-- that whoever remembers its texts looks again.

ALTER TABLE boston.sessions ADD COLUMN erasures integer NOT NULL DEFAULT 0;

GRANT UPDATE (device) ON boston.lease_takings TO boston_service;
