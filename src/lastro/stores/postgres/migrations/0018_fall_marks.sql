-- What was found to lean on evidence that died, and what stands again since: each turn is one more mark.

CREATE TABLE fall_mark (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind        text NOT NULL CHECK (kind IN ('certificate', 'position', 'report')),
    name        text NOT NULL,
    stale       bool NOT NULL,
    reason      text NOT NULL,
    parties     text[] NOT NULL CHECK (cardinality(parties) > 0),
    deficit_mg  bigint CHECK (deficit_mg >= 0),
    until       date,
    happened_on date NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX fall_mark_name ON fall_mark (kind, name, id);
CREATE INDEX fall_mark_day ON fall_mark (happened_on);
COMMENT ON TABLE fall_mark IS 'A certificate, position or report that lost evidence (stale), or has it again; the latest mark holds.';
SELECT only_add('fall_mark');
GRANT SELECT, INSERT ON fall_mark TO lastro_app;
