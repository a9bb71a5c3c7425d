-- What was fetched from SEFAZ by this program itself, over a verified connection: answers about keys, and how far
-- the documents of each establishment were brought. An answer found in a file never stands here.

CREATE TABLE sefaz_answer (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sha256      text NOT NULL REFERENCES evidence_file,
    access_key  text NOT NULL CHECK (length(access_key) = 44),
    status      text NOT NULL CHECK (status ~ '^[0-9]{3}$'),
    reason      text NOT NULL,
    digest      text NOT NULL,
    cancelled   boolean NOT NULL,
    address     text NOT NULL CHECK (address LIKE 'https://%'),
    asked_at    timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (sha256, access_key, asked_at)
);
CREATE INDEX sefaz_answer_key ON sefaz_answer (access_key);
COMMENT ON COLUMN sefaz_answer.cancelled IS 'By its status, or by a registered cancellation inside it: nothing undoes that.';

-- The latest row of an establishment holds.
CREATE TABLE sefaz_position (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    establishment text COLLATE "C" NOT NULL CHECK (establishment ~ '^[0-9A-Z]{12}[0-9]{2}$'),
    environment   text NOT NULL CHECK (environment IN ('1', '2')),
    last_nsu      bigint NOT NULL CHECK (last_nsu >= 0),
    highest_nsu   bigint NOT NULL CHECK (highest_nsu >= 0),
    not_before    timestamptz,
    missing       bigint[] NOT NULL DEFAULT '{}',
    recorded_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sefaz_position_latest ON sefaz_position (establishment, environment, id DESC);

SELECT only_add('sefaz_answer'), only_add('sefaz_position');
