-- The ledger: entries that are only ever added, one hash chain per managing entity, and balances that are
-- locks and caches. The application's role reads; it writes through the functions at the end and nowhere else.

-- Roles and rights --------------------------------------------------------------------------------------

GRANT USAGE ON SCHEMA lastro TO lastro_app;
GRANT SELECT ON django_migrations TO lastro_app;
-- Later tables are read and added to unless a migration says less; nothing is ever changed or removed.
ALTER DEFAULT PRIVILEGES IN SCHEMA lastro GRANT SELECT, INSERT ON TABLES TO lastro_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA lastro GRANT USAGE ON SEQUENCES TO lastro_app;
-- Functions are everybody's in PostgreSQL until this is said (it has no per-schema form).
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

CREATE FUNCTION forbid_change() RETURNS trigger LANGUAGE plpgsql SET search_path = lastro, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are only ever added: % refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION only_add(target regclass) RETURNS void LANGUAGE plpgsql SET search_path = lastro, pg_temp AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER only_add_rows BEFORE UPDATE OR DELETE ON %s
                    FOR EACH ROW EXECUTE FUNCTION lastro.forbid_change()', target);
    EXECUTE format('CREATE TRIGGER only_add_all BEFORE TRUNCATE ON %s
                    FOR EACH STATEMENT EXECUTE FUNCTION lastro.forbid_change()', target);
    -- ALWAYS: also for a session that plays a replica.
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER only_add_rows', target);
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER only_add_all', target);
END $$;
COMMENT ON FUNCTION only_add(regclass) IS 'Makes a table one that only grows, even for its owner.';

-- Tables ------------------------------------------------------------------------------------------------

CREATE TABLE chain (
    entity text COLLATE "C" PRIMARY KEY CHECK (entity ~ '^[0-9A-Z]{12}[0-9]{2}$'),
    height bigint NOT NULL,
    head bytea NOT NULL
);
COMMENT ON TABLE chain IS 'Where each managing entity''s chain of links ends: a lock and a cache.';

CREATE TABLE link (
    entity text COLLATE "C" NOT NULL,
    height bigint NOT NULL CHECK (height > 0),
    previous bytea NOT NULL,
    hash bytea NOT NULL CHECK (length(hash) = 32),
    kind text NOT NULL CHECK (kind IN ('post', 'homologate', 'retire', 'issue', 'reverse')),
    request text NOT NULL,
    answer jsonb NOT NULL,
    recorded_at timestamptz NOT NULL,
    PRIMARY KEY (entity, height),
    UNIQUE (entity, request)
);
COMMENT ON TABLE link IS 'One link per entity and move; its hash covers the link, its entries and the link before.';

CREATE TABLE entry (
    entity text COLLATE "C" NOT NULL,
    height bigint NOT NULL,
    n int NOT NULL CHECK (n > 0),
    debit text COLLATE "C" NOT NULL,
    credit text COLLATE "C" NOT NULL CHECK (credit <> debit),
    mass_mg bigint NOT NULL CHECK (mass_mg > 0),
    reason text NOT NULL CHECK (reason IN ('enter', 'contested', 'cancelled', 'withdrawn', 'decided', 'verdict',
                                           'retire', 'issue', 'reverse')),
    access_key text COLLATE "C" NOT NULL CHECK (length(access_key) = 44),
    line int NOT NULL,
    claimant text COLLATE "C" NOT NULL,
    material text NOT NULL,
    issued_on date NOT NULL,
    issuer text NOT NULL,
    recipient text NOT NULL,
    municipality text,
    municipality_source text,
    origin text,
    year int NOT NULL,
    norm text NOT NULL,
    book text NOT NULL,
    happened_on date NOT NULL,
    reference text NOT NULL DEFAULT '',
    PRIMARY KEY (entity, height, n),
    FOREIGN KEY (entity, height) REFERENCES link
);
COMMENT ON TABLE entry IS 'Mass leaves the debit account and reaches the credit account.';
CREATE INDEX entry_lot ON entry (access_key, line);
CREATE INDEX entry_retired ON entry (credit) WHERE credit LIKE 'retired/%';
CREATE INDEX entry_returned ON entry (debit) WHERE debit LIKE 'retired/%';

CREATE TABLE balance (
    account text COLLATE "C" PRIMARY KEY,
    entity text COLLATE "C" NOT NULL,
    access_key text COLLATE "C" NOT NULL,
    line int NOT NULL,
    claimant text COLLATE "C" NOT NULL,
    material text NOT NULL,
    issued_on date NOT NULL,
    issuer text NOT NULL,
    recipient text NOT NULL,
    municipality text,
    municipality_source text,
    origin text,
    year int NOT NULL,
    norm text NOT NULL,
    book text NOT NULL DEFAULT 'TARGET' CHECK (book IN ('TARGET', 'INCENTIVE')),
    homologated bool NOT NULL DEFAULT false,
    mass_mg bigint NOT NULL DEFAULT 0 CHECK (mass_mg >= 0)
);
COMMENT ON TABLE balance IS 'What each lot holds: a lock and a cache, never evidence. Facts are those it was first entered with.';
CREATE INDEX balance_usable ON balance (entity, year, material, issued_on, access_key, line) WHERE mass_mg > 0;
CREATE INDEX balance_lot ON balance (access_key, line);

CREATE TABLE answered (
    request text COLLATE "C" PRIMARY KEY,
    asked bytea NOT NULL,
    answer jsonb NOT NULL,
    recorded_at timestamptz NOT NULL
);
COMMENT ON TABLE answered IS 'The first answer to each request that moved something; asked is a digest of what it asked.';

CREATE TABLE statement (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    verifier text NOT NULL,
    entity text COLLATE "C" NOT NULL,
    height bigint NOT NULL,
    year int NOT NULL,
    happened_on date NOT NULL,
    FOREIGN KEY (entity, height) REFERENCES link
);
COMMENT ON TABLE statement IS 'A verifier''s statement that makes lots usable.';

CREATE TABLE statement_lot (
    statement bigint NOT NULL REFERENCES statement,
    account text COLLATE "C" NOT NULL REFERENCES balance,
    mass_mg bigint NOT NULL,
    PRIMARY KEY (statement, account)
);
CREATE INDEX statement_lot_account ON statement_lot (account);

SELECT only_add('link'), only_add('entry'), only_add('answered'), only_add('statement'), only_add('statement_lot');
-- The ledger itself takes no row from the application, only moves.
REVOKE ALL ON chain, link, entry, balance, answered, statement, statement_lot FROM lastro_app;
GRANT SELECT ON chain, link, entry, balance, answered, statement, statement_lot TO lastro_app;

-- The canonical text of a link ----------------------------------------------------------------------------

CREATE FUNCTION spelled(VARIADIC fields text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT string_agg(CASE WHEN f IS NULL THEN '-' ELSE length(f) || ':' || f END || ',', '' ORDER BY i)
    FROM unnest(fields) WITH ORDINALITY AS t (f, i)
$$;
COMMENT ON FUNCTION spelled IS 'Fields written one after another with their lengths, so that no two lists read alike.';

CREATE FUNCTION spelled_entry(e entry) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT lastro.spelled(e.n::text, e.debit, e.credit, e.mass_mg::text, e.reason, e.access_key, e.line::text, e.claimant,
                   e.material, to_char(e.issued_on, 'YYYY-MM-DD'), e.issuer, e.recipient, e.municipality,
                   e.municipality_source, e.origin, e.year::text, e.norm, e.book,
                   to_char(e.happened_on, 'YYYY-MM-DD'), e.reference)
$$;

CREATE FUNCTION spelled_link(l link) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT lastro.spelled('lastro-link-1', l.entity, l.height::text, l.kind, l.request, l.answer::text,
                   to_char(l.recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
$$;

-- Parts of a move -----------------------------------------------------------------------------------------

CREATE FUNCTION earlier_answer(p_request text, p_asked text) RETURNS jsonb LANGUAGE plpgsql
SET search_path = lastro, pg_temp AS $$
DECLARE
    seen answered;
BEGIN
    IF coalesce(p_request, '') = '' THEN
        RAISE EXCEPTION 'a move needs a request id';
    END IF;
    -- The same request twice at once: the second waits here for the first one's answer.
    PERFORM pg_advisory_xact_lock(hashtextextended(p_request, 0));
    SELECT * INTO seen FROM answered WHERE request = p_request;
    IF NOT FOUND THEN
        RETURN NULL;
    ELSIF seen.asked = sha256(convert_to(p_asked, 'UTF8')) THEN
        RETURN seen.answer || '{"repeated": "K09"}';
    END IF;
    RETURN jsonb_build_object('refusal', 'K09', 'first', seen.answer);
END $$;

CREATE FUNCTION remember(p_request text, p_asked text, p_answer jsonb) RETURNS jsonb LANGUAGE sql
SET search_path = lastro, pg_temp AS $$
    INSERT INTO answered VALUES (p_request, sha256(convert_to(p_asked, 'UTF8')), p_answer, clock_timestamp());
    SELECT p_answer
$$;

CREATE FUNCTION lock_chains(entities text[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = lastro, pg_temp AS $$
DECLARE
    one text;
BEGIN
    -- Always in the same order, so that two moves over the same entities wait and never block each other.
    FOR one IN SELECT DISTINCT e COLLATE "C" FROM unnest(entities) AS e ORDER BY 1 LOOP
        INSERT INTO chain VALUES (one, 0, sha256('')) ON CONFLICT DO NOTHING;
        PERFORM 1 FROM chain WHERE entity = one FOR UPDATE;
    END LOOP;
END $$;

COMMENT ON FUNCTION lock_chains IS
    'Holds the chains of these entities until the transaction ends, so that what is read of their lots stays true.';

CREATE FUNCTION add_link(p_entity text, p_kind text, p_request text, p_answer jsonb, rows entry[]) RETURNS bigint
LANGUAGE plpgsql SET search_path = lastro, pg_temp AS $$
DECLARE
    added link;
    body text;
BEGIN
    SELECT entity, height + 1, head, '\x', p_kind, p_request, p_answer, clock_timestamp()
    INTO STRICT added FROM chain WHERE entity = p_entity;
    rows := ARRAY(SELECT ROW (p_entity, added.height, ordinality, r.debit, r.credit, r.mass_mg, r.reason,
                              r.access_key, r.line, r.claimant, r.material, r.issued_on, r.issuer, r.recipient,
                              r.municipality, r.municipality_source, r.origin, r.year, r.norm, r.book,
                              r.happened_on, r.reference)::entry
                  FROM unnest(rows) WITH ORDINALITY AS r);
    SELECT coalesce(string_agg(spelled_entry(r), '' ORDER BY r.n), '') INTO body FROM unnest(rows) AS r;
    added.hash := sha256(added.previous || convert_to(spelled_link(added) || body, 'UTF8'));
    INSERT INTO link SELECT added.*;
    INSERT INTO entry SELECT (r).* FROM unnest(rows) AS r;
    UPDATE chain SET height = added.height, head = added.hash WHERE entity = p_entity;
    RETURN added.height;
END $$;

-- Moves ---------------------------------------------------------------------------------------------------

CREATE TYPE posting AS (
    reason text, mass_mg bigint, access_key text, line int, claimant text, material text, issued_on date,
    issuer text, recipient text, municipality text, municipality_source text, origin text, year int, norm text,
    book text, happened_on date, reference text
);

CREATE FUNCTION lot_account(access_key text, line int, claimant text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT 'lot/' || access_key || '/' || line || '/' || claimant
$$;

CREATE FUNCTION usable_lots(p_entity text, p_year int, p_materials text[]) RETURNS SETOF balance LANGUAGE sql STABLE
AS $$  -- no path of its own: a setting here would keep PostgreSQL from reading through the function
    SELECT * FROM lastro.balance
    WHERE entity = p_entity AND year = p_year AND material = ANY (p_materials) AND mass_mg > 0
      AND homologated AND book = 'TARGET'
$$;

CREATE FUNCTION post(postings jsonb, request text) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = lastro, pg_temp AS $$
DECLARE
    asked text := 'post' || postings::text;
    answer jsonb := earlier_answer(request, asked);
    wanted posting[];
    rows entry[];
    one text;
    links jsonb := '[]';
    wrong record;
BEGIN
    IF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    wanted := ARRAY(SELECT jsonb_populate_record(NULL::posting, value)
                    FROM jsonb_array_elements(postings) WITH ORDINALITY ORDER BY ordinality);
    IF cardinality(wanted) = 0 THEN
        RETURN jsonb_build_object('links', links);
    END IF;
    PERFORM lock_chains(ARRAY(SELECT DISTINCT claimant FROM unnest(wanted)));
    -- A lot's facts are those it is first entered with.
    INSERT INTO balance (account, entity, access_key, line, claimant, material, issued_on, issuer, recipient,
                         municipality, municipality_source, origin, year, norm, book)
    SELECT DISTINCT ON (1) lot_account(w.access_key, w.line, w.claimant), w.claimant, w.access_key, w.line, w.claimant,
           w.material, w.issued_on, w.issuer, w.recipient, w.municipality, w.municipality_source, w.origin, w.year,
           w.norm, coalesce(w.book, 'TARGET')
    FROM unnest(wanted) WITH ORDINALITY AS w WHERE w.reason = 'enter' ORDER BY 1, w.ordinality
    ON CONFLICT (account) DO NOTHING;
    PERFORM 1 FROM balance
    WHERE account IN (SELECT lot_account(access_key, line, claimant) FROM unnest(wanted)) ORDER BY account FOR UPDATE;

    rows := ARRAY(SELECT ROW (b.entity, NULL, w.ordinality,
                              CASE WHEN w.reason = 'enter' THEN 'source' ELSE b.account END,
                              CASE WHEN w.reason = 'enter' THEN b.account ELSE 'source' END,
                              w.mass_mg, w.reason, b.access_key, b.line, b.claimant, b.material, b.issued_on, b.issuer,
                              b.recipient, b.municipality, b.municipality_source, b.origin, b.year, b.norm, b.book,
                              w.happened_on, coalesce(w.reference, ''))::entry
                  FROM unnest(wanted) WITH ORDINALITY AS w
                  JOIN balance b ON b.account = lot_account(w.access_key, w.line, w.claimant) ORDER BY w.ordinality);
    IF cardinality(rows) <> cardinality(wanted) THEN
        RAISE EXCEPTION 'a posting takes mass from a lot that was never entered';
    END IF;
    SELECT r.reason, r.mass_mg INTO wrong FROM unnest(rows) AS r
    WHERE r.mass_mg <= 0 OR r.reason NOT IN ('enter', 'contested', 'cancelled', 'withdrawn', 'decided', 'verdict');
    IF FOUND THEN
        RAISE EXCEPTION 'a posting of % mg for the reason % is not one', wrong.mass_mg, wrong.reason;
    END IF;
    -- In the order asked, no lot may hold less than nothing, not even on the way.
    SELECT account, after INTO wrong FROM (
        SELECT b.account, b.mass_mg + sum(CASE WHEN r.reason = 'enter' THEN r.mass_mg ELSE -r.mass_mg END)
                          OVER (PARTITION BY b.account ORDER BY r.n) AS after
        FROM unnest(rows) AS r JOIN balance b ON b.account IN (r.debit, r.credit)) AS steps
    WHERE after < 0;
    IF FOUND THEN
        RAISE EXCEPTION 'lot % would hold % mg', wrong.account, wrong.after USING ERRCODE = 'check_violation';
    END IF;
    UPDATE balance b SET mass_mg = b.mass_mg + moved.mg
    FROM (SELECT CASE WHEN r.reason = 'enter' THEN r.credit ELSE r.debit END AS account,
                 sum(CASE WHEN r.reason = 'enter' THEN r.mass_mg ELSE -r.mass_mg END) AS mg
          FROM unnest(rows) AS r GROUP BY 1) AS moved
    WHERE b.account = moved.account;

    FOR one IN SELECT DISTINCT entity FROM unnest(rows) AS r ORDER BY 1 LOOP
        SELECT jsonb_build_object('entity', one, 'entries', count(*),
                   'entered_mg', coalesce(sum(r.mass_mg) FILTER (WHERE r.reason = 'enter'), 0),
                   'returned_mg', coalesce(sum(r.mass_mg) FILTER (WHERE r.reason <> 'enter'), 0))
        INTO answer FROM unnest(rows) AS r WHERE r.entity = one;
        links := links || (answer || jsonb_build_object('height', add_link(one, 'post', request, answer,
            ARRAY(SELECT r FROM unnest(rows) AS r WHERE r.entity = one ORDER BY r.n))));
    END LOOP;
    RETURN remember(request, asked, jsonb_build_object('links', links));
END $$;
COMMENT ON FUNCTION post IS 'Enters mass into lots (enter) or takes it back (contested, cancelled, withdrawn, decided, verdict).';

CREATE FUNCTION retire_lots(entity text, establishment text, year int, materials text[], mass_mg bigint, request text,
                            happened_on date) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lastro, pg_temp AS $$
#variable_conflict use_column
DECLARE
    asked text := 'retire' || spelled(entity, establishment, year::text, materials::text, mass_mg::text,
                                      to_char(happened_on, 'YYYY-MM-DD'));
    answer jsonb := earlier_answer(request, asked);
    available bigint;
    rows entry[];
BEGIN
    IF answer IS NOT NULL THEN
        RETURN answer;
    ELSIF establishment !~ '^[0-9A-Z]{12}[0-9]{2}$' OR coalesce(retire_lots.mass_mg, 0) <= 0 THEN
        RAISE EXCEPTION 'a retirement names an establishment and a mass above zero';
    END IF;
    PERFORM lock_chains(ARRAY[retire_lots.entity]);
    SELECT coalesce(sum(u.mass_mg), 0) INTO available
    FROM usable_lots(retire_lots.entity, retire_lots.year, materials) u;
    IF available < retire_lots.mass_mg THEN
        RETURN jsonb_build_object('refusal', 'K01', 'available_mg', available, 'asked_mg', retire_lots.mass_mg);
    END IF;

    -- Oldest note first, whole lots while they fit, a part of the last.
    rows := ARRAY(SELECT ROW (u.entity, NULL, NULL, u.account,
                              format('retired/%s/%s/%s', establishment, retire_lots.year, u.material),
                              least(u.mass_mg, retire_lots.mass_mg - u.before), 'retire', u.access_key, u.line,
                              u.claimant, u.material, u.issued_on, u.issuer, u.recipient, u.municipality,
                              u.municipality_source, u.origin, u.year, u.norm, u.book, retire_lots.happened_on, '')::entry
                  FROM (SELECT l.*, sum(l.mass_mg) OVER (ORDER BY l.issued_on, l.access_key, l.line) - l.mass_mg AS before
                        FROM usable_lots(retire_lots.entity, retire_lots.year, materials) l) AS u
                  WHERE u.before < retire_lots.mass_mg ORDER BY u.issued_on, u.access_key, u.line);
    PERFORM 1 FROM balance WHERE account IN (SELECT r.debit FROM unnest(rows) AS r) ORDER BY account FOR UPDATE;
    UPDATE balance b SET mass_mg = b.mass_mg - r.mass_mg FROM unnest(rows) AS r WHERE b.account = r.debit;
    SELECT jsonb_build_object('entity', retire_lots.entity, 'establishment', establishment, 'year', retire_lots.year,
               'mass_mg', retire_lots.mass_mg, 'lots', jsonb_agg(jsonb_build_object('access_key', r.access_key,
                   'line', r.line, 'material', r.material, 'municipality', r.municipality, 'origin', r.origin,
                   'mass_mg', r.mass_mg)))
    INTO answer FROM unnest(rows) AS r;
    PERFORM add_link(retire_lots.entity, 'retire', request, answer, rows);
    RETURN remember(request, asked, answer);
END $$;
COMMENT ON FUNCTION retire_lots IS 'Moves usable lots to an establishment''s year, or answers K01 with what is available.';

CREATE FUNCTION homologate(verifier text, entity text, year int, lots jsonb, request text, happened_on date)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = lastro, pg_temp AS $$
#variable_conflict use_column
DECLARE
    asked text := 'homologate' || spelled(verifier, entity, year::text, lots::text, to_char(happened_on, 'YYYY-MM-DD'));
    answer jsonb := earlier_answer(request, asked);
    named balance[];
    unknown jsonb;
    at bigint;
    added bigint;
BEGIN
    IF answer IS NOT NULL THEN
        RETURN answer;
    ELSIF left(verifier, 8) = left(homologate.entity, 8) THEN
        -- The verifier is another party than the one whose mass it verifies.
        RETURN jsonb_build_object('refusal', 'K02', 'verifier', verifier, 'entity', homologate.entity);
    END IF;
    PERFORM lock_chains(ARRAY[homologate.entity]);
    SELECT jsonb_agg(j) INTO unknown FROM jsonb_array_elements(lots) AS j WHERE NOT EXISTS (
        SELECT FROM balance b WHERE b.account = lot_account(j ->> 'access_key', (j ->> 'line')::int, homologate.entity)
                                AND b.year = homologate.year);
    IF unknown IS NOT NULL THEN
        RETURN jsonb_build_object('refusal', 'K08', 'unknown', unknown);
    END IF;
    named := ARRAY(SELECT b FROM balance b WHERE CASE
        WHEN lots IS NULL THEN b.entity = homologate.entity AND b.year = homologate.year
                               AND b.mass_mg > 0 AND NOT b.homologated
        ELSE b.account IN (SELECT lot_account(j ->> 'access_key', (j ->> 'line')::int, homologate.entity)
                           FROM jsonb_array_elements(lots) AS j) END
        ORDER BY b.account FOR UPDATE);
    -- The digest ties the statement's lots, which stand in a table of their own, to the chain.
    SELECT jsonb_build_object('verifier', verifier, 'entity', homologate.entity, 'year', homologate.year,
               'lots', count(*), 'mass_mg', coalesce(sum(b.mass_mg), 0), 'digest',
               encode(sha256(convert_to(coalesce(string_agg(spelled(b.account, b.mass_mg::text), '' ORDER BY b.account), ''),
                                        'UTF8')), 'hex'))
    INTO answer FROM unnest(named) AS b;
    IF cardinality(named) = 0 THEN
        RETURN answer;
    END IF;
    at := add_link(homologate.entity, 'homologate', request, answer, '{}');
    INSERT INTO statement (verifier, entity, height, year, happened_on)
    VALUES (verifier, homologate.entity, at, homologate.year, homologate.happened_on) RETURNING id INTO added;
    INSERT INTO statement_lot SELECT added, b.account, b.mass_mg FROM unnest(named) AS b;
    UPDATE balance SET homologated = true WHERE account IN (SELECT b.account FROM unnest(named) AS b);
    RETURN remember(request, asked, answer);
END $$;
COMMENT ON FUNCTION homologate IS 'Records a verifier''s statement; its lots (null: all verified of the year) become usable.';

GRANT EXECUTE ON FUNCTION lock_chains, post, retire_lots, homologate TO lastro_app;
