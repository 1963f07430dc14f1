-- Attempts at signing in since a moment, by the digest of the address that they come from.

CREATE TABLE boston.sign_in_attempts (
    address bytea PRIMARY KEY,
    attempts integer NOT NULL,
    since timestamptz NOT NULL
);

GRANT SELECT, INSERT, UPDATE, DELETE ON boston.sign_in_attempts TO boston_service;
