-- What an entity took back of what it claimed, for good: claims and withdrawals are both only added, so that
-- the order in which they came plays no part.

CREATE TABLE claim_withdrawn (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    entity      text NOT NULL,
    access_key  text NOT NULL,
    line        int NOT NULL,
    reason      text NOT NULL CHECK (reason <> ''),
    by_user     text NOT NULL CHECK (by_user <> ''),
    on_day      date NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (entity, access_key, line)
);
CREATE INDEX claim_withdrawn_key ON claim_withdrawn (access_key);
COMMENT ON TABLE claim_withdrawn IS 'An entity''s word that it claims nothing of a line, whatever it claimed before or claims later.';
SELECT only_add('claim_withdrawn');
GRANT SELECT, INSERT ON claim_withdrawn TO lastro_app;
