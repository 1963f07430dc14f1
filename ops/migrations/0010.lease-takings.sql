-- Every taking of a table, for good: who recorded it when, and who took it over from whom. Whoever has once
-- recorded a session may still send what waits on the old tablet, and sees what it is to be mended with.

CREATE TABLE boston.lease_takings (
    session_id uuid NOT NULL,
    taken_at timestamptz NOT NULL,
    key_id uuid NOT NULL,
    device text,
    PRIMARY KEY (session_id, taken_at, key_id)
);

GRANT SELECT, INSERT ON boston.lease_takings TO boston_service;
