-- The custody hub, its tag keepers and its members, each in a store of its own: tables apart, in a schema of theirs.
-- A hub's tables hold nothing that it could open; a member's hold the secrets of its own lines.
CREATE SCHEMA hub;
GRANT USAGE ON SCHEMA hub TO lastro_app;
COMMENT ON SCHEMA hub IS 'Custody hub: batches of blinded tags, their log, quotas of keepers, and what a member sent.';

-- The hub -------------------------------------------------------------------------------------------------

CREATE TABLE hub.leaf (
    index bigint PRIMARY KEY CHECK (index >= 0),
    data  bytea NOT NULL UNIQUE
);
COMMENT ON TABLE hub.leaf IS 'The log: one leaf for each batch taken and for each answer that told of meetings.';

CREATE TABLE hub.batch (
    name    text PRIMARY KEY,
    leaf    bigint NOT NULL UNIQUE REFERENCES hub.leaf,
    header  jsonb NOT NULL,
    receipt jsonb NOT NULL
);

CREATE TABLE hub.held (
    batch     text NOT NULL REFERENCES hub.batch,
    index     int NOT NULL,
    leaf      bigint NOT NULL,
    tag       bytea NOT NULL CHECK (length(tag) = 32),
    reference bytea NOT NULL CHECK (length(reference) = 32),
    entry     bytea NOT NULL,
    path      bytea NOT NULL,
    PRIMARY KEY (batch, index)
);
CREATE INDEX held_tag ON hub.held (tag);
COMMENT ON TABLE hub.held IS 'Every entry, with what shows that it is in its batch. An entry looks the same whether it is empty or not.';

CREATE TABLE hub.closing (
    size bigint PRIMARY KEY,
    note text NOT NULL
);

CREATE TABLE hub.spent (
    what  text NOT NULL,
    day   date NOT NULL,
    times int NOT NULL CHECK (times > 0),
    PRIMARY KEY (what, day)
);
COMMENT ON TABLE hub.spent IS 'How often a pseudonym sent and asked on a day.';

-- A keeper of tag keys --------------------------------------------------------------------------------------

CREATE TABLE hub.question (
    request text PRIMARY KEY,
    entity  text NOT NULL,
    day     date NOT NULL,
    points  int NOT NULL CHECK (points > 0)
);
CREATE INDEX question_day ON hub.question (entity, day);

CREATE TABLE hub.vouched (
    entity    text NOT NULL,
    week      date NOT NULL,
    pseudonym text NOT NULL,
    PRIMARY KEY (entity, week)
);

-- A member --------------------------------------------------------------------------------------------------

CREATE TABLE hub.own_line (
    entity     text NOT NULL,
    access_key text NOT NULL,
    line       int NOT NULL,
    book       text NOT NULL,
    secret     bytea NOT NULL,
    tag        bytea NOT NULL,
    PRIMARY KEY (entity, access_key, line, book)
);
CREATE UNIQUE INDEX own_line_tag ON hub.own_line (entity, tag);

CREATE TABLE hub.own_question (
    id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    entity text NOT NULL,
    era    text NOT NULL,
    lines  jsonb NOT NULL,
    blinds bytea NOT NULL,
    points text NOT NULL
);
COMMENT ON TABLE hub.own_question IS 'Asked of the keepers and not answered by all; gone once it is.';

CREATE TABLE hub.own_pseudonym (
    entity text NOT NULL,
    week   date NOT NULL,
    secret bytea NOT NULL,
    PRIMARY KEY (entity, week)
);

CREATE TABLE hub.own_batch (
    name    text PRIMARY KEY,
    number  bigint GENERATED ALWAYS AS IDENTITY,
    entity  text NOT NULL,
    day     date NOT NULL,
    header  jsonb NOT NULL,
    entries bytea NOT NULL,
    secret  bytea NOT NULL
);
CREATE INDEX own_batch_day ON hub.own_batch (entity, day);
COMMENT ON TABLE hub.own_batch IS 'The outbox: written down before it is sent, and sent again as it was until there is a receipt.';

CREATE TABLE hub.own_said (
    entity text NOT NULL,
    name   text NOT NULL,
    batch  text NOT NULL REFERENCES hub.own_batch,
    PRIMARY KEY (entity, name)
);

CREATE TABLE hub.own_receipt (
    batch   text PRIMARY KEY REFERENCES hub.own_batch,
    receipt jsonb NOT NULL
);

CREATE TABLE hub.own_answer (
    batch text PRIMARY KEY REFERENCES hub.own_batch,
    size  bigint NOT NULL
);

CREATE TABLE hub.own_closing (
    id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    entity text NOT NULL,
    note   text NOT NULL,
    UNIQUE (entity, note)
);

CREATE TABLE hub.own_met (
    entity text NOT NULL,
    tag    bytea NOT NULL,
    batch  text NOT NULL,
    index  int NOT NULL,
    header jsonb NOT NULL,
    entry  bytea NOT NULL,
    path   bytea NOT NULL,
    PRIMARY KEY (entity, tag, batch, index)
);
COMMENT ON TABLE hub.own_met IS 'Entries under the tags of own lines, once others are there too.';

CREATE TABLE hub.found (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    access_key  text NOT NULL CHECK (length(access_key) = 44),
    line        int NOT NULL CHECK (line > 0),
    book        text NOT NULL,
    fit         text NOT NULL CHECK (fit IN ('alone', 'fits', 'exceeds', 'contents', 'unreadable')),
    line_mg     bigint,
    asked       jsonb NOT NULL,
    verifier    text NOT NULL,
    digest      text NOT NULL,
    on_day      date NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX found_key ON hub.found (access_key, line, book, id DESC);
COMMENT ON TABLE hub.found IS 'What a verifier found where tags meet; of a line and book the latest row holds.';

SELECT lastro.only_add(name::regclass) FROM unnest(ARRAY[
    'hub.leaf', 'hub.batch', 'hub.held', 'hub.closing', 'hub.question', 'hub.vouched', 'hub.own_line',
    'hub.own_pseudonym', 'hub.own_batch', 'hub.own_said', 'hub.own_receipt', 'hub.own_closing', 'hub.own_met',
    'hub.found']) AS name;
GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA hub TO lastro_app;
GRANT UPDATE ON hub.spent, hub.own_answer TO lastro_app;
GRANT DELETE ON hub.own_question TO lastro_app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA hub TO lastro_app;
