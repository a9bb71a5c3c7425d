-- What people hand in, agree, decide or ask, in versions that are only added. The database itself shows a
-- row to nobody but its party and its addressee: whom a transaction sees is said by `lastro.sees`.

CREATE FUNCTION sees(who text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT who <> '' AND (
        current_setting('lastro.sees', true) = '*'
        OR who = ANY (string_to_array(coalesce(current_setting('lastro.sees', true), ''), ','))
    )
$$;
GRANT EXECUTE ON FUNCTION sees TO lastro_app;
COMMENT ON FUNCTION sees IS 'Whether this transaction acts for that party or office; one that said nothing sees nobody''s rows.';

CREATE TABLE filing (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL CHECK (kind <> ''),
    party text COLLATE "C" NOT NULL CHECK (party ~ '^([0-9A-Z]{12}[0-9]{2}|[a-z][a-z_]{2,19})$'),
    norm text NOT NULL DEFAULT '',
    period text NOT NULL DEFAULT '',
    name text NOT NULL DEFAULT '',
    version int NOT NULL CHECK (version > 0),
    body jsonb NOT NULL,
    addressee text COLLATE "C" NOT NULL DEFAULT '',
    public boolean NOT NULL DEFAULT false,
    withdrawn boolean NOT NULL DEFAULT false,
    by_user text NOT NULL CHECK (by_user <> ''),
    on_day date NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (kind, party, norm, period, name, version)
);
COMMENT ON TABLE filing IS 'One version of a document, contract, act, request or other paper; the highest stands.';
CREATE INDEX filing_addressee ON filing (addressee, kind) WHERE addressee <> '';
CREATE INDEX filing_public ON filing (kind) WHERE public;

CREATE TABLE filing_file (
    filing bigint NOT NULL REFERENCES filing,
    name text NOT NULL CHECK (name <> ''),
    sha256 text NOT NULL CHECK (sha256 = encode(sha256(body), 'hex')),
    body bytea NOT NULL,
    PRIMARY KEY (filing, name)
);
COMMENT ON TABLE filing_file IS 'A file that was handed in with a filing, as it came.';

SELECT only_add('filing'), only_add('filing_file');

ALTER TABLE filing ENABLE ROW LEVEL SECURITY;
CREATE POLICY filing_read ON filing FOR SELECT USING (public OR sees(party) OR sees(addressee));
CREATE POLICY filing_add ON filing FOR INSERT WITH CHECK (sees(party));
ALTER TABLE filing_file ENABLE ROW LEVEL SECURITY;
CREATE POLICY filing_file_read ON filing_file FOR SELECT USING (EXISTS (SELECT FROM filing f WHERE f.id = filing));
CREATE POLICY filing_file_add ON filing_file FOR INSERT
    WITH CHECK (EXISTS (SELECT FROM filing f WHERE f.id = filing AND sees(f.party)));
