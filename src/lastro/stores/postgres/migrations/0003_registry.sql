-- Who is who, what was placed on the market, and the targets that were loaded: rows that are only added.
-- What holds now is the latest row of each key; what held on a past day can be had again.

CREATE TABLE registry_load (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source text NOT NULL,
    sha256 text NOT NULL,
    loaded_on date NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE registry_load IS 'One registry file that was read without an error.';

CREATE TABLE registry_row (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    load bigint NOT NULL REFERENCES registry_load,
    kind text NOT NULL CHECK (kind IN ('parties', 'roles', 'vettings', 'terms', 'members', 'contracts', 'sizes')),
    natural_key text COLLATE "C" NOT NULL,
    body jsonb NOT NULL
);
COMMENT ON TABLE registry_row IS 'A row as loaded; the latest one of a kind and natural key is the one that holds.';
CREATE INDEX registry_row_latest ON registry_row (kind, natural_key, id DESC);

CREATE TABLE declaration (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company text COLLATE "C" NOT NULL CHECK (company ~ '^[0-9A-Z]{8}$'),
    establishment text COLLATE "C" CHECK (establishment ~ '^[0-9A-Z]{12}[0-9]{2}$'),
    year int NOT NULL,
    source text NOT NULL,
    sha256 text NOT NULL,
    declared_on date NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    CHECK (establishment IS NULL OR left(establishment, 8) = company)
);
COMMENT ON TABLE declaration IS 'What a company, or one establishment of it, declared for a year; the latest supersedes.';
CREATE INDEX declaration_latest ON declaration (company, year, id DESC);

CREATE TABLE placement (
    declaration bigint NOT NULL REFERENCES declaration,
    n int NOT NULL CHECK (n > 0),
    material text NOT NULL,
    uf text NOT NULL CHECK (uf ~ '^[A-Z]{2}$'),
    mass_mg bigint NOT NULL CHECK (mass_mg >= 0),
    returnable_mg bigint NOT NULL CHECK (returnable_mg >= 0 AND returnable_mg <= mass_mg),
    PRIMARY KEY (declaration, n),
    UNIQUE (declaration, material, uf)
);
COMMENT ON TABLE placement IS 'Packaging placed on a market; uf BR is the mass of the whole country.';

CREATE TABLE target_row (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    norm text NOT NULL,
    sector text NOT NULL,
    material text NOT NULL,
    year int NOT NULL,
    share text NOT NULL,
    source text NOT NULL CHECK (source <> ''),
    basis text NOT NULL CHECK (basis IN ('official', 'illustrative', 'test')),
    loaded_on date NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE target_row IS 'A target that a norm sets and our text lacks, as loaded, with its source and day.';
CREATE INDEX target_row_norm ON target_row (norm, id);

SELECT only_add('registry_load'), only_add('registry_row'), only_add('declaration'), only_add('placement'),
       only_add('target_row');
