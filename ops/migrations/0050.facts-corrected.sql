-- What corrections and rulings did to a deal, and what the director said of a finding.

ALTER TABLE facts.deals ADD COLUMN corrected boolean NOT NULL DEFAULT false;

COMMENT ON COLUMN facts.deals.corrected IS
    'A correction has told any of the deal anew, be it only what it paid, and none has set it right again.';

ALTER TABLE facts.findings
    ADD COLUMN acknowledged integer,
    ADD COLUMN published boolean NOT NULL DEFAULT false;

COMMENT ON COLUMN facts.findings.acknowledged IS 'The entry by which the director acknowledged it first.';
COMMENT ON COLUMN facts.findings.published IS 'A ruling on it is for players and recorder too.';
