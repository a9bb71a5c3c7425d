-- The custody hub, its tag keepers and its members, each in a store of its own: tables apart, in a schema of theirs.
CREATE SCHEMA hub;
GRANT USAGE ON SCHEMA hub TO lastro_app;
COMMENT ON SCHEMA hub IS 'Custody hub: batches of blinded tags, their log, quotas of keepers, and what a member sent.';
