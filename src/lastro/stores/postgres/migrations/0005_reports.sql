-- Reports: what was computed on a day, and what was submitted of it. Both are only added.

CREATE TABLE report_made (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    norm text NOT NULL,
    entity text COLLATE "C" NOT NULL CHECK (entity ~ '^[0-9A-Z]{12}[0-9]{2}$'),
    verifier text COLLATE "C" NOT NULL DEFAULT '',
    year int NOT NULL,
    digest text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
    data jsonb NOT NULL,
    made_on date NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE report_made IS 'A report as computed on a day, with what each number is made of; the digest tells two of them apart.';
CREATE INDEX report_made_latest ON report_made (kind, norm, entity, year, id DESC);

CREATE TABLE report_file (
    sha256 text PRIMARY KEY CHECK (sha256 = encode(sha256(body), 'hex')),
    body bytea NOT NULL
);
COMMENT ON TABLE report_file IS 'A file of a submitted report, as it was handed over.';

CREATE TABLE report_version (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    made bigint NOT NULL REFERENCES report_made,
    kind text NOT NULL,
    norm text NOT NULL,
    entity text COLLATE "C" NOT NULL,
    verifier text COLLATE "C" NOT NULL DEFAULT '',
    year int NOT NULL,
    version int NOT NULL CHECK (version > 0),
    number text NOT NULL DEFAULT '',
    files jsonb NOT NULL,
    submitted_on date NOT NULL,
    by_user text NOT NULL CHECK (by_user <> ''),
    reason text NOT NULL,
    mark text NOT NULL CHECK (mark IN ('', 'late', 'rectification')),
    recorded_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (kind, norm, entity, verifier, year, version),
    CHECK (version = 1 OR reason <> '')
);
COMMENT ON TABLE report_version IS 'A report as submitted, or a statement as issued; a later version says why it was made.';

SELECT only_add('report_made'), only_add('report_file'), only_add('report_version');
