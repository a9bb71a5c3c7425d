-- Certificates: mass set apart for one buyer, authorised by a second person, signed, used once.
-- A certificate is a row and its moves, all only added; its lots are the entries of its account
-- `certificate/<id>`. Expiry is a matter of the day asked and is never written.

ALTER TABLE link DROP CONSTRAINT link_kind_check, ADD CONSTRAINT link_kind_check CHECK (kind IN (
    'post', 'homologate', 'retire', 'issue', 'reverse', 'prepare', 'authorise'));
CREATE INDEX entry_certified ON entry (credit) WHERE credit LIKE 'certificate/%';

-- Every state with every move: the state that follows, or the code of the refusal.
CREATE TABLE certificate_step (
    state text NOT NULL,
    move text NOT NULL,
    following text,
    code text,
    PRIMARY KEY (state, move),
    CHECK ((following IS NULL) <> (code IS NULL))
);
INSERT INTO certificate_step VALUES
    ('prepared', 'authorise', 'authorised', NULL), ('prepared', 'issue', NULL, 'K08'),
    ('prepared', 'refuse', 'refused', NULL), ('prepared', 'retire', NULL, 'K08'), ('prepared', 'transfer', NULL, 'K08'),
    ('authorised', 'authorise', NULL, 'K08'), ('authorised', 'issue', 'issued', NULL),
    ('authorised', 'refuse', 'refused', NULL), ('authorised', 'retire', NULL, 'K08'), ('authorised', 'transfer', NULL, 'K08'),
    ('issued', 'authorise', NULL, 'K03'), ('issued', 'issue', NULL, 'K03'),
    ('issued', 'refuse', NULL, 'K03'), ('issued', 'retire', 'retired', NULL), ('issued', 'transfer', NULL, 'K08'),
    ('retired', 'authorise', NULL, 'K03'), ('retired', 'issue', NULL, 'K03'),
    ('retired', 'refuse', NULL, 'K03'), ('retired', 'retire', NULL, 'K03'), ('retired', 'transfer', NULL, 'K08'),
    ('expired', 'authorise', NULL, 'K03'), ('expired', 'issue', NULL, 'K03'),
    ('expired', 'refuse', NULL, 'K03'), ('expired', 'retire', NULL, 'K04'), ('expired', 'transfer', NULL, 'K08'),
    ('refused', 'authorise', NULL, 'K08'), ('refused', 'issue', NULL, 'K08'),
    ('refused', 'refuse', NULL, 'K08'), ('refused', 'retire', NULL, 'K08'), ('refused', 'transfer', NULL, 'K08');

CREATE TABLE certificate (
    id text COLLATE "C" PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' AND id !~* '^cre'),
    entity text COLLATE "C" NOT NULL,
    height bigint NOT NULL,
    holder text COLLATE "C" NOT NULL CHECK (holder ~ '^[0-9A-Z]{12}[0-9]{2}$'),
    year int NOT NULL,
    norm text NOT NULL,
    materials text[] NOT NULL CHECK (cardinality(materials) > 0),
    mass_mg bigint NOT NULL CHECK (mass_mg > 0 AND mass_mg % 1000 = 0),
    investment_cents bigint NOT NULL CHECK (investment_cents >= 0),
    prepared_by text NOT NULL CHECK (prepared_by <> ''),
    prepared_on date NOT NULL,
    FOREIGN KEY (entity, height) REFERENCES link
);
COMMENT ON TABLE certificate IS 'Mass set apart for one establishment; whole grams.';
CREATE INDEX certificate_entity ON certificate (entity, year);
CREATE INDEX certificate_holder ON certificate (holder, year);

CREATE TABLE certificate_move (
    certificate text COLLATE "C" NOT NULL REFERENCES certificate,
    move text NOT NULL CHECK (move IN ('authorise', 'issue', 'refuse', 'retire')),
    entity text COLLATE "C" NOT NULL,
    height bigint NOT NULL,
    by_user text NOT NULL CHECK (by_user <> ''),
    happened_on date NOT NULL,
    reason text NOT NULL DEFAULT '',
    PRIMARY KEY (certificate, move),
    FOREIGN KEY (entity, height) REFERENCES link
);
COMMENT ON TABLE certificate_move IS 'What happened to a certificate after it was prepared, each thing once.';

CREATE TABLE certificate_number (
    certificate text COLLATE "C" PRIMARY KEY REFERENCES certificate,
    number text COLLATE "C" NOT NULL UNIQUE CHECK (number ~ '^CRE-[0-9]{4}(-[0-9A-HJKMNP-TV-Z]{4}){5}$'),
    UNIQUE (certificate, number)
);
COMMENT ON TABLE certificate_number IS 'The number that a certificate bears once it is issued; allotted once, whatever crashes.';

CREATE TABLE certificate_paper (
    certificate text COLLATE "C" PRIMARY KEY,
    number text COLLATE "C" NOT NULL UNIQUE,
    issued_on date NOT NULL,
    valid_to date NOT NULL CHECK (valid_to >= issued_on),
    fields jsonb NOT NULL,
    sha256 text NOT NULL CHECK (sha256 = encode(sha256(pdf), 'hex')),
    pdf bytea NOT NULL,
    FOREIGN KEY (certificate, number) REFERENCES certificate_number (certificate, number)
);
COMMENT ON TABLE certificate_paper IS 'The signed paper of an issued certificate, and what it says.';

SELECT only_add('certificate_step'), only_add('certificate'), only_add('certificate_move'), only_add('certificate_number'),
       only_add('certificate_paper');
REVOKE ALL ON certificate_step, certificate, certificate_move, certificate_number, certificate_paper FROM lastro_app;
GRANT SELECT ON certificate_step, certificate, certificate_move, certificate_number, certificate_paper TO lastro_app;

-- What a certificate is ---------------------------------------------------------------------------------

CREATE FUNCTION certificate_state(p_id text, p_on date) RETURNS text LANGUAGE sql STABLE
SET search_path = lastro, pg_temp AS $$
    SELECT CASE
        WHEN bool_or(m.move = 'retire') THEN 'retired'
        WHEN bool_or(m.move = 'refuse') THEN 'refused'
        WHEN bool_or(m.move = 'issue') THEN CASE WHEN p_on > (SELECT valid_to FROM certificate_paper WHERE certificate = p_id)
                                                 THEN 'expired' ELSE 'issued' END
        WHEN bool_or(m.move = 'authorise') THEN 'authorised'
        ELSE 'prepared' END
    FROM certificate_move m WHERE m.certificate = p_id
$$;

CREATE FUNCTION certificate_entries(p_id text) RETURNS SETOF entry LANGUAGE sql STABLE
SET search_path = lastro, pg_temp AS $$
    SELECT e.* FROM entry e JOIN certificate c ON c.entity = e.entity AND c.height = e.height
    WHERE c.id = p_id AND e.credit = 'certificate/' || p_id ORDER BY e.n
$$;
COMMENT ON FUNCTION certificate_entries IS 'The entries that set a certificate''s mass apart: its lots.';

CREATE FUNCTION certificate_dead(p_id text) RETURNS jsonb LANGUAGE sql STABLE
SET search_path = lastro, pg_temp AS $$
    SELECT jsonb_agg(jsonb_build_object('access_key', e.access_key, 'line', e.line, 'reason', s.reason) ORDER BY e.n)
    FROM certificate_entries(p_id) e JOIN lot_state s USING (access_key, line)
    WHERE e.claimant = ANY (s.stale)
$$;
COMMENT ON FUNCTION certificate_dead IS 'The lots of a certificate whose evidence no longer stands, with the reason, or null.';

CREATE FUNCTION certificate_refusal(p_id text, p_move text, p_on date) RETURNS jsonb LANGUAGE plpgsql
SET search_path = lastro, pg_temp AS $$
DECLARE
    owner text;
    at text;
    no text;
    dead jsonb;
BEGIN
    SELECT entity INTO owner FROM certificate WHERE id = p_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'certificate % does not exist', p_id USING ERRCODE = 'no_data_found';
    END IF;
    PERFORM lock_chains(ARRAY[owner]);
    at := certificate_state(p_id, p_on);
    SELECT s.code INTO STRICT no FROM certificate_step s WHERE s.state = at AND s.move = p_move;
    IF no IS NOT NULL THEN
        RETURN jsonb_build_object('refusal', no, 'certificate', p_id, 'state', at, 'move', p_move);
    ELSIF p_move <> 'refuse' THEN
        -- Evidence that died is never authorised, signed or used; refusing gives the rest back.
        dead := certificate_dead(p_id);
        IF dead IS NOT NULL THEN
            RETURN jsonb_build_object('refusal', 'K11', 'certificate', p_id, 'state', at, 'dead', dead);
        END IF;
    END IF;
    RETURN NULL;
END $$;
COMMENT ON FUNCTION certificate_refusal IS 'Holds the entity''s chain and says why the certificate does not take the move, or null.';

CREATE FUNCTION certificate_moved(p_id text, p_move text, p_kind text, p_by text, p_on date, p_reason text,
                                  p_request text, p_asked text, p_more jsonb, rows entry[]) RETURNS jsonb
LANGUAGE plpgsql SET search_path = lastro, pg_temp AS $$
DECLARE
    owner text;
    answer jsonb;
BEGIN
    SELECT entity INTO STRICT owner FROM certificate WHERE id = p_id;
    answer := jsonb_build_object('certificate', p_id, 'entity', owner, 'move', p_move, 'by', p_by,
                                 'happened_on', to_char(p_on, 'YYYY-MM-DD'), 'reason', p_reason) || p_more;
    INSERT INTO certificate_move (certificate, move, entity, height, by_user, happened_on, reason)
    VALUES (p_id, p_move, owner, add_link(owner, p_kind, p_request, answer, rows), p_by, p_on, p_reason);
    RETURN remember(p_request, p_asked, answer);
END $$;

-- Moves ---------------------------------------------------------------------------------------------------

CREATE FUNCTION prepare_certificate(id text, entity text, holder text, year int, norm text, materials text[],
                                    mass_mg bigint, investment_cents bigint, by_user text, request text,
                                    happened_on date) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lastro, pg_temp AS $$
#variable_conflict use_column
DECLARE
    -- Not the day: the same request after midnight is still the same request.
    asked text := 'prepare' || spelled(id, entity, holder, year::text, norm, materials::text, mass_mg::text,
                                       investment_cents::text, by_user);
    answer jsonb := earlier_answer(request, asked);
    wanted certificate;
    available bigint;
    rows entry[];
BEGIN
    IF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    wanted := ROW (prepare_certificate.id, prepare_certificate.entity, NULL, prepare_certificate.holder,
                   prepare_certificate.year, prepare_certificate.norm, prepare_certificate.materials,
                   prepare_certificate.mass_mg, prepare_certificate.investment_cents, by_user,
                   prepare_certificate.happened_on)::certificate;
    PERFORM lock_chains(ARRAY[wanted.entity]);
    IF EXISTS (SELECT FROM certificate c WHERE c.id = wanted.id) THEN
        RETURN jsonb_build_object('refusal', 'K03', 'certificate', wanted.id);
    END IF;
    PERFORM 1 FROM usable_lots(wanted.entity, wanted.year, wanted.materials) u
    JOIN balance b USING (account) WHERE u.norm = wanted.norm ORDER BY b.account FOR UPDATE OF b;
    SELECT coalesce(sum(u.mass_mg), 0) INTO available
    FROM usable_lots(wanted.entity, wanted.year, wanted.materials) u WHERE u.norm = wanted.norm;
    IF available < wanted.mass_mg THEN
        RETURN jsonb_build_object('refusal', 'K01', 'available_mg', available, 'asked_mg', wanted.mass_mg);
    END IF;
    -- Oldest note first, then key, then line; whole lots while they fit, a part of the last.
    rows := ARRAY(SELECT ROW (u.entity, NULL, NULL, u.account, 'certificate/' || wanted.id,
                              least(u.mass_mg, wanted.mass_mg - u.before), 'issue', u.access_key, u.line,
                              u.claimant, u.material, u.issued_on, u.issuer, u.recipient, u.municipality,
                              u.municipality_source, u.origin, u.year, u.norm, u.book, wanted.prepared_on, '')::entry
                  FROM (SELECT l.*, sum(l.mass_mg) OVER (ORDER BY l.issued_on, l.access_key, l.line) - l.mass_mg AS before
                        FROM usable_lots(wanted.entity, wanted.year, wanted.materials) l
                        WHERE l.norm = wanted.norm) AS u
                  WHERE u.before < wanted.mass_mg ORDER BY u.issued_on, u.access_key, u.line);
    UPDATE balance b SET mass_mg = b.mass_mg - r.mass_mg FROM unnest(rows) AS r WHERE b.account = r.debit;
    SELECT jsonb_build_object('certificate', wanted.id, 'entity', wanted.entity, 'move', 'prepare', 'holder', wanted.holder,
               'year', wanted.year, 'norm', wanted.norm, 'materials', to_jsonb(wanted.materials), 'mass_mg', wanted.mass_mg,
               'investment_cents', wanted.investment_cents, 'by', wanted.prepared_by,
               'happened_on', to_char(wanted.prepared_on, 'YYYY-MM-DD'),
               'lots', jsonb_agg(jsonb_build_object('access_key', r.access_key, 'line', r.line, 'material', r.material,
                   'municipality', r.municipality, 'origin', r.origin, 'mass_mg', r.mass_mg)))
    INTO answer FROM unnest(rows) AS r;
    wanted.height := add_link(wanted.entity, 'prepare', request, answer, rows);
    INSERT INTO certificate SELECT wanted.*;
    RETURN remember(request, asked, answer);
END $$;
COMMENT ON FUNCTION prepare_certificate IS 'Sets homologated lots of a norm apart for one establishment, or answers K01.';

CREATE FUNCTION authorise_certificate(id text, by_user text, request text, happened_on date) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lastro, pg_temp AS $$
DECLARE
    asked text := 'authorise' || spelled(id, by_user);
    answer jsonb := earlier_answer(request, asked);
    prepared text;
BEGIN
    IF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    answer := certificate_refusal(id, 'authorise', happened_on);
    IF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    SELECT c.prepared_by INTO STRICT prepared FROM certificate c WHERE c.id = authorise_certificate.id;
    IF lower(btrim(prepared)) = lower(btrim(by_user)) THEN
        RETURN jsonb_build_object('refusal', 'K02', 'certificate', id, 'by', by_user);
    END IF;
    RETURN certificate_moved(id, 'authorise', 'authorise', by_user, happened_on, '', request, asked, '{}', '{}');
END $$;
COMMENT ON FUNCTION authorise_certificate IS 'A second person allows the sale (K02 when it is the same).';

CREATE FUNCTION allot_number(id text, number text, happened_on date) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lastro, pg_temp AS $$
DECLARE
    answer jsonb;
    standing text;
BEGIN
    answer := certificate_refusal(id, 'issue', happened_on);
    IF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    SELECT n.number INTO standing FROM certificate_number n WHERE n.certificate = id;
    IF NOT FOUND THEN
        INSERT INTO certificate_number VALUES (id, allot_number.number);
        standing := allot_number.number;
    END IF;
    RETURN jsonb_build_object('certificate', id, 'number', standing);
END $$;
COMMENT ON FUNCTION allot_number IS 'Gives an authorised certificate this number, or says the one that it already has.';

CREATE FUNCTION issue_certificate(id text, number text, issued_on date, valid_to date, fields jsonb, pdf bytea,
                                  by_user text, request text) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lastro, pg_temp AS $$
DECLARE
    -- Not the bytes: whoever signs the same certificate twice gets the first paper.
    asked text := 'issue' || spelled(id);
    answer jsonb := earlier_answer(request, asked);
    digest text := encode(sha256(pdf), 'hex');
BEGIN
    IF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    answer := certificate_refusal(id, 'issue', issued_on);
    IF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    INSERT INTO certificate_paper VALUES (id, number, issued_on, valid_to, fields, digest, pdf);
    RETURN certificate_moved(id, 'issue', 'issue', by_user, issued_on, '', request, asked, jsonb_build_object(
        'number', number, 'issued_on', to_char(issued_on, 'YYYY-MM-DD'), 'valid_to', to_char(valid_to, 'YYYY-MM-DD'),
        'sha256', digest, 'fields', encode(sha256(convert_to(fields::text, 'UTF8')), 'hex')), '{}');
END $$;
COMMENT ON FUNCTION issue_certificate IS 'Keeps the signed paper of an authorised certificate under its number: the sale.';

CREATE FUNCTION refuse_certificate(id text, reason text, by_user text, request text, happened_on date) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lastro, pg_temp AS $$
#variable_conflict use_column
DECLARE
    asked text := 'refuse' || spelled(refuse_certificate.id, refuse_certificate.reason, by_user);
    answer jsonb := earlier_answer(request, asked);
    rows entry[];
BEGIN
    IF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    answer := certificate_refusal(refuse_certificate.id, 'refuse', refuse_certificate.happened_on);
    IF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    rows := ARRAY(SELECT ROW (e.entity, NULL, NULL, e.credit, e.debit, e.mass_mg, 'reverse', e.access_key, e.line,
                              e.claimant, e.material, e.issued_on, e.issuer, e.recipient, e.municipality,
                              e.municipality_source, e.origin, e.year, e.norm, e.book, refuse_certificate.happened_on,
                              '')::entry
                  FROM certificate_entries(refuse_certificate.id) e ORDER BY e.n);
    PERFORM 1 FROM balance b WHERE b.account IN (SELECT r.credit FROM unnest(rows) AS r) ORDER BY b.account FOR UPDATE;
    UPDATE balance b SET mass_mg = b.mass_mg + r.mass_mg FROM unnest(rows) AS r WHERE b.account = r.credit;
    RETURN certificate_moved(refuse_certificate.id, 'refuse', 'reverse', by_user, refuse_certificate.happened_on,
        refuse_certificate.reason, request, asked,
        jsonb_build_object('mass_mg', (SELECT sum(r.mass_mg) FROM unnest(rows) AS r)), rows);
END $$;
COMMENT ON FUNCTION refuse_certificate IS 'Gives the mass of a certificate that was not issued back to the lots it came from.';

CREATE FUNCTION retire_certificate(id text, by_user text, request text, happened_on date) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lastro, pg_temp AS $$
#variable_conflict use_column
DECLARE
    asked text := 'retire certificate' || spelled(retire_certificate.id, by_user);
    answer jsonb := earlier_answer(request, asked);
    rows entry[];
    used certificate;
BEGIN
    IF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    answer := certificate_refusal(retire_certificate.id, 'retire', retire_certificate.happened_on);
    IF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    SELECT * INTO STRICT used FROM certificate c WHERE c.id = retire_certificate.id;
    rows := ARRAY(SELECT ROW (e.entity, NULL, NULL, e.credit, format('retired/%s/%s/%s', used.holder, used.year, e.material),
                              e.mass_mg, 'retire', e.access_key, e.line, e.claimant, e.material, e.issued_on, e.issuer,
                              e.recipient, e.municipality, e.municipality_source, e.origin, e.year, e.norm, e.book,
                              retire_certificate.happened_on, '')::entry
                  FROM certificate_entries(retire_certificate.id) e ORDER BY e.n);
    RETURN certificate_moved(retire_certificate.id, 'retire', 'retire', by_user, retire_certificate.happened_on, '', request,
        asked, jsonb_build_object('establishment', used.holder, 'year', used.year, 'mass_mg', used.mass_mg,
            'lots', (SELECT jsonb_agg(jsonb_build_object('access_key', r.access_key, 'line', r.line, 'material', r.material,
                'municipality', r.municipality, 'origin', r.origin, 'mass_mg', r.mass_mg)) FROM unnest(rows) AS r)), rows);
END $$;
COMMENT ON FUNCTION retire_certificate IS 'Uses a certificate, whole and once, for its holder''s year.';

GRANT EXECUTE ON FUNCTION certificate_state, certificate_entries, certificate_dead, prepare_certificate,
    authorise_certificate, allot_number, issue_certificate, refuse_certificate, retire_certificate TO lastro_app;
