-- What was moved by each line of a note, kept by seller and buyer, so that notes can be compared with one another:
-- twins of it (C03), and what was counted at an earlier sale of the chain (C04). All of it is a cache, refreshed
-- whenever a key is settled.

CREATE TABLE sold (
    access_key  text COLLATE "C" NOT NULL,
    line        int NOT NULL,
    at          bigint NOT NULL,
    day         date NOT NULL,
    seller      text COLLATE "C" NOT NULL,
    buyer       text COLLATE "C" NOT NULL,
    writer      text COLLATE "C" NOT NULL,
    material    text COLLATE "C" NOT NULL,
    mass_mg     bigint NOT NULL CHECK (mass_mg > 0),
    value_cents bigint,
    claimed     boolean NOT NULL,
    collects    boolean NOT NULL,
    credited_mg bigint NOT NULL CHECK (credited_mg BETWEEN 0 AND mass_mg),
    twins       jsonb NOT NULL DEFAULT '[]',
    upstream_mg bigint NOT NULL DEFAULT 0,
    unknown_mg  bigint NOT NULL DEFAULT 0,
    low         text COLLATE "C" GENERATED ALWAYS AS (least(seller, buyer)) STORED,
    high        text COLLATE "C" GENERATED ALWAYS AS (greatest(seller, buyer)) STORED,
    PRIMARY KEY (access_key, line)
);
COMMENT ON COLUMN sold.at IS 'The second written on the note (UTC, since 1970); seller, buyer and writer are roots of the CNPJ, or persons.';
COMMENT ON COLUMN sold.credited_mg IS 'What stands counted of the line by itself, before what was counted upstream is taken off.';
COMMENT ON COLUMN sold.unknown_mg IS 'What was sold as counted and neither bought clean nor bought at all, as far as is known.';
CREATE INDEX sold_by ON sold (material, seller);
CREATE INDEX sold_to ON sold (material, buyer);
CREATE INDEX sold_like ON sold (low, high, material, mass_mg);
GRANT UPDATE, DELETE ON sold TO lastro_app;
