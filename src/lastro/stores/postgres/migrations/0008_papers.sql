-- Manifests (MTR) and certificates of destination (CDF) beside the notes: by which names each is looked for.
-- What they say stands in `document.record`; these rows only find it, and are written with it.

CREATE TABLE paper (
    sha256      text NOT NULL,
    ordinal     int NOT NULL,
    kind        text NOT NULL CHECK (kind IN ('mtr', 'cdf')),
    low         text NOT NULL,
    high        text NOT NULL CHECK (low <= high COLLATE "C"),
    first_on    date,
    last_on     date,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (sha256, ordinal),
    FOREIGN KEY (sha256, ordinal) REFERENCES document (sha256, ordinal)
);
CREATE INDEX paper_pair ON paper (low, high, first_on);
COMMENT ON COLUMN paper.low IS 'With `high`: the roots of the two companies, whichever of them wrote it.';

-- "mtr/<number>", "cdf/<number>", "nfe/<key>", "nota/<low>/<high>/<number>", "placa/<plate>": what a document is
-- called or whom it names. Two documents with a name in common may belong together.
CREATE TABLE named (
    sha256  text NOT NULL,
    ordinal int NOT NULL,
    name    text COLLATE "C" NOT NULL,
    PRIMARY KEY (sha256, ordinal, name),
    FOREIGN KEY (sha256, ordinal) REFERENCES document (sha256, ordinal)
);
CREATE INDEX named_name ON named (name);

CREATE INDEX document_companies ON document (least(left(issuer, 8) COLLATE "C", left(recipient, 8) COLLATE "C"),
                                             greatest(left(issuer, 8) COLLATE "C", left(recipient, 8) COLLATE "C"),
                                             issued_on) WHERE kind = 'nfe';

-- Under which manifest a line travelled, as the claimant says.
ALTER TABLE lot_said ADD COLUMN mtr text;
CREATE INDEX lot_said_mtr ON lot_said (mtr) WHERE mtr IS NOT NULL;

SELECT only_add('paper'), only_add('named');
