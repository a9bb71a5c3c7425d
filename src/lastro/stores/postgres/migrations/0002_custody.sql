-- Custody: what was handed in, what was judged, who claims what, and what two people decided.
-- Everything is added, never changed; only `lot_state` is a cache, refreshed from the rest.

CREATE TABLE evidence_file (
    sha256      text PRIMARY KEY CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    size_bytes  bigint NOT NULL,
    body        bytea NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE document (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sha256         text NOT NULL REFERENCES evidence_file,
    ordinal        int NOT NULL,
    access_key     text NOT NULL DEFAULT '',
    content_digest text NOT NULL DEFAULT '',
    kind           text NOT NULL,
    issued_on      date,
    issuer         text NOT NULL DEFAULT '',
    recipient      text NOT NULL DEFAULT '',
    record         jsonb NOT NULL,
    recorded_at    timestamptz NOT NULL DEFAULT now(),
    UNIQUE (sha256, ordinal)
);
CREATE INDEX document_key ON document (access_key) WHERE access_key <> '';

-- One answer on one document for one claimant under one norm, with what was known then (decision 3).
CREATE TABLE verdict (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sha256      text NOT NULL,
    ordinal     int NOT NULL,
    entity      text NOT NULL,
    norm        text NOT NULL,
    year        int NOT NULL,
    known       text NOT NULL,
    authentic   boolean NOT NULL,
    outcome     text NOT NULL,
    record      jsonb NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    FOREIGN KEY (sha256, ordinal) REFERENCES document (sha256, ordinal)
);
CREATE INDEX verdict_current ON verdict (sha256, ordinal, entity, norm, year, id DESC);
CREATE INDEX verdict_entity ON verdict (entity, norm, year);

-- What a document says of the notes of other keys: cancelled (N10), corrected (N11), returned (N16).
CREATE TABLE bearing (
    sha256     text NOT NULL,
    ordinal    int NOT NULL,
    access_key text NOT NULL,
    code       text NOT NULL CHECK (code IN ('N10', 'N11', 'N16')),
    parties    text[] NOT NULL,
    PRIMARY KEY (sha256, ordinal, access_key, code),
    FOREIGN KEY (sha256, ordinal) REFERENCES document (sha256, ordinal)
);
CREATE INDEX bearing_key ON bearing (access_key);
COMMENT ON COLUMN bearing.parties IS 'Empty, or the two parties, in order, whose note it must be.';

-- A claim is (entity, key, line, mass or all); the norm and the year say what it is claimed for.
CREATE TABLE claim (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    entity      text NOT NULL,
    access_key  text NOT NULL,
    line        int NOT NULL,
    norm        text NOT NULL,
    year        int NOT NULL,
    mass_mg     bigint CHECK (mass_mg > 0),
    recorded_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE NULLS NOT DISTINCT (entity, access_key, line, norm, year, mass_mg)
);
CREATE INDEX claim_key ON claim (access_key);

-- What an entity says of single lines beside the notes; the latest word on a line is the one that holds.
CREATE TABLE lot_said (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    entity       text NOT NULL,
    access_key   text NOT NULL,
    line         int NOT NULL,
    municipality text,
    origin       text,
    mass_mg      bigint CHECK (mass_mg > 0),
    recorded_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX lot_said_latest ON lot_said (entity, access_key, line, id DESC);

-- A contest ends when two different people say the same; the second row names the first.
CREATE TABLE decision (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    access_key  text NOT NULL,
    line        int NOT NULL,
    entity      text NOT NULL,
    content     text NOT NULL,
    claimants   text[] NOT NULL,
    contents    text[] NOT NULL,
    reason      text NOT NULL CHECK (reason <> ''),
    by_user     text NOT NULL CHECK (by_user <> ''),
    confirms    bigint REFERENCES decision,
    recorded_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX decision_key ON decision (access_key);

CREATE TABLE lot_state (
    access_key text NOT NULL,
    line       int NOT NULL,
    state      text NOT NULL,
    reason     text NOT NULL,
    claims     jsonb NOT NULL,
    stale      text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (access_key, line)
);

-- Every key ever handed in, and every file without one: the row is the lock.
CREATE TABLE custody_key (access_key text PRIMARY KEY);

-- Whoever settles keys holds them first, in one order, so that two settlers wait and never deadlock.
CREATE FUNCTION lock_keys(keys text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lastro, pg_temp AS $$
BEGIN
    INSERT INTO custody_key
        SELECT k FROM unnest(keys) AS k GROUP BY k ORDER BY k
        ON CONFLICT DO NOTHING;
    PERFORM 1 FROM custody_key WHERE access_key = ANY (keys) ORDER BY access_key FOR UPDATE;
END $$;

SELECT only_add('evidence_file'), only_add('document'), only_add('verdict'), only_add('bearing'), only_add('claim'), only_add('lot_said'), only_add('decision'),
       only_add('custody_key');
GRANT UPDATE ON lot_state TO lastro_app;
REVOKE INSERT ON custody_key FROM lastro_app;
GRANT EXECUTE ON FUNCTION lock_keys TO lastro_app;
