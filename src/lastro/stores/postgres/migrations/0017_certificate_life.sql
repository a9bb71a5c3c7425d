-- The whole life of a certificate: offered to whoever buys, sold in part, withdrawn, passed on, cancelled by the
-- agency even after its use. What is divided stands in new certificates in its place, each with its whole mass for
-- life; the table of states, of who may and of what a move does to the mass is that of `certificates/states.py`.

ALTER TABLE link DROP CONSTRAINT link_kind_check, ADD CONSTRAINT link_kind_check CHECK (kind IN (
    'post', 'homologate', 'retire', 'issue', 'reverse', 'prepare', 'authorise', 'offer', 'divide', 'cancel'));
ALTER TABLE entry DROP CONSTRAINT entry_reason_check, ADD CONSTRAINT entry_reason_check CHECK (reason IN (
    'enter', 'contested', 'cancelled', 'withdrawn', 'decided', 'verdict', 'retire', 'issue', 'reverse', 'divide', 'annul'));
CREATE INDEX entry_annulled ON entry (credit) WHERE credit LIKE 'annulled/%';

ALTER TABLE certificate
    ALTER COLUMN holder DROP NOT NULL,
    ADD COLUMN kind text NOT NULL DEFAULT 'CRE' CHECK (kind IN ('CRE', 'CCRLR', 'CERE', 'CMF')),
    ADD COLUMN allows text[] NOT NULL DEFAULT '{authorise,cancel,issue,refuse,retire,sell,withdraw}',
    ADD COLUMN begins text NOT NULL DEFAULT 'prepared' CHECK (begins IN ('offered', 'prepared', 'authorised')),
    ADD COLUMN parent text COLLATE "C" REFERENCES certificate,
    ADD CONSTRAINT certificate_holder_known CHECK ((holder IS NULL) = (begins = 'offered')),
    ADD CONSTRAINT certificate_authorised_of_parent CHECK (begins <> 'authorised' OR parent IS NOT NULL),
    ADD CONSTRAINT certificate_id_no_number CHECK (id !~* '^(ccrlr|cere|cmf)-');
COMMENT ON COLUMN certificate.allows IS 'The moves that its norm allows to its kind.';
COMMENT ON COLUMN certificate.parent IS 'The certificate in whose place this one stands.';
CREATE INDEX certificate_parent ON certificate (parent) WHERE parent IS NOT NULL;

ALTER TABLE certificate_move DROP CONSTRAINT certificate_move_move_check,
    ADD CONSTRAINT certificate_move_move_check CHECK (move IN (
        'sell', 'authorise', 'issue', 'refuse', 'withdraw', 'retire', 'cancel', 'transfer', 'split'));
ALTER TABLE certificate_number DROP CONSTRAINT certificate_number_number_check,
    ADD CONSTRAINT certificate_number_number_check
    CHECK (number ~ '^(CRE|CCRLR|CERE|CMF)-[0-9]{4}(-[0-9A-HJKMNP-TV-Z]{4}){5}$');

-- The table ------------------------------------------------------------------------------------------------

CREATE TABLE certificate_rule (
    move text PRIMARY KEY,
    who text NOT NULL CHECK (who IN ('seller', 'second', 'holder', 'agency')),
    effect text NOT NULL CHECK (effect IN ('nothing', 'release', 'retire', 'annul', 'divide'))
);
COMMENT ON TABLE certificate_rule IS 'Who may make each move, and what it does to the certificate''s mass.';
INSERT INTO certificate_rule VALUES
    ('sell', 'seller', 'divide'), ('authorise', 'second', 'nothing'), ('issue', 'second', 'nothing'),
    ('refuse', 'second', 'release'), ('withdraw', 'seller', 'release'), ('retire', 'holder', 'retire'),
    ('cancel', 'agency', 'annul'), ('transfer', 'holder', 'divide'), ('split', 'holder', 'divide');
SELECT only_add('certificate_rule');
REVOKE ALL ON certificate_rule FROM lastro_app;
GRANT SELECT ON certificate_rule TO lastro_app;

-- The table of steps is the law of the moves and only grows; this once it is written anew, whole.
ALTER TABLE certificate_step DISABLE TRIGGER only_add_rows;
DELETE FROM certificate_step;
ALTER TABLE certificate_step ENABLE ALWAYS TRIGGER only_add_rows;
INSERT INTO certificate_step
SELECT s.state, r.move,
       w.following,
       CASE WHEN w.following IS NOT NULL THEN NULL
            WHEN s.state = 'expired' AND r.move IN ('retire', 'cancel', 'split') THEN 'K04'
            WHEN s.state IN ('issued', 'retired', 'expired') AND r.move = 'transfer' THEN 'K08'
            ELSE s.otherwise END
FROM (VALUES ('offered', 'K08'), ('prepared', 'K08'), ('authorised', 'K08'), ('issued', 'K03'), ('retired', 'K03'),
             ('expired', 'K03'), ('refused', 'K08'), ('withdrawn', 'K08'), ('cancelled', 'K08'), ('replaced', 'K03'))
     AS s (state, otherwise)
CROSS JOIN certificate_rule r
LEFT JOIN (VALUES ('offered', 'sell', 'replaced'), ('offered', 'withdraw', 'withdrawn'),
                  ('prepared', 'authorise', 'authorised'), ('prepared', 'refuse', 'refused'),
                  ('prepared', 'withdraw', 'withdrawn'), ('authorised', 'issue', 'issued'),
                  ('authorised', 'refuse', 'refused'), ('authorised', 'withdraw', 'withdrawn'),
                  ('issued', 'retire', 'retired'), ('issued', 'cancel', 'cancelled'),
                  ('issued', 'transfer', 'replaced'), ('issued', 'split', 'replaced'),
                  ('retired', 'cancel', 'cancelled')) AS w (state, move, following)
    ON w.state = s.state AND w.move = r.move;

-- What a certificate is ---------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION certificate_state(p_id text, p_on date) RETURNS text LANGUAGE sql STABLE
SET search_path = lastro, pg_temp AS $$
    SELECT CASE
        WHEN bool_or(m.move = 'cancel') THEN 'cancelled'
        WHEN bool_or(m.move = 'retire') THEN 'retired'
        WHEN bool_or(m.move = 'refuse') THEN 'refused'
        WHEN bool_or(m.move = 'withdraw') THEN 'withdrawn'
        WHEN bool_or(m.move IN ('sell', 'transfer', 'split')) THEN 'replaced'
        WHEN bool_or(m.move = 'issue') THEN CASE WHEN p_on > (SELECT valid_to FROM certificate_paper WHERE certificate = p_id)
                                                 THEN 'expired' ELSE 'issued' END
        WHEN bool_or(m.move = 'authorise') THEN 'authorised'
        ELSE (SELECT begins FROM certificate WHERE id = p_id) END
    FROM certificate_move m WHERE m.certificate = p_id
$$;

CREATE OR REPLACE FUNCTION certificate_refusal(p_id text, p_move text, p_on date) RETURNS jsonb LANGUAGE plpgsql
SET search_path = lastro, pg_temp AS $$
DECLARE
    owner text;
    allowed text[];
    sold bool;
    at text;
    no text;
    dead jsonb;
BEGIN
    SELECT entity, allows, begins = 'authorised' INTO owner, allowed, sold FROM certificate WHERE id = p_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'certificate % does not exist', p_id USING ERRCODE = 'no_data_found';
    END IF;
    PERFORM lock_chains(ARRAY[owner]);
    at := certificate_state(p_id, p_on);
    SELECT s.code INTO STRICT no FROM certificate_step s WHERE s.state = at AND s.move = p_move;
    -- What its norm does not allow to its kind is refused in every state; what was sold once is not given back.
    IF no IS NULL AND (NOT p_move = ANY (allowed) OR (sold AND p_move IN ('refuse', 'withdraw'))) THEN
        no := 'K08';
    END IF;
    IF no IS NOT NULL THEN
        RETURN jsonb_build_object('refusal', no, 'certificate', p_id, 'state', at, 'move', p_move);
    ELSIF p_move NOT IN ('refuse', 'withdraw', 'cancel') THEN
        -- Evidence that died is never sold, signed or used; taking a certificate away leans on nothing.
        dead := certificate_dead(p_id);
        IF dead IS NOT NULL THEN
            RETURN jsonb_build_object('refusal', 'K11', 'certificate', p_id, 'state', at, 'dead', dead);
        END IF;
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION certificate_rows(p_id text, p_reason text, p_on date, p_to text) RETURNS entry[] LANGUAGE sql STABLE
SET search_path = lastro, pg_temp AS $$
    SELECT coalesce(array_agg(ROW (e.entity, NULL, NULL, e.credit,
               CASE p_to WHEN 'lot' THEN lot_account(e.access_key, e.line, e.claimant) ELSE p_to END,
               e.mass_mg, p_reason, e.access_key, e.line, e.claimant, e.material, e.issued_on, e.issuer, e.recipient,
               e.municipality, e.municipality_source, e.origin, e.year, e.norm, e.book, p_on, '')::entry ORDER BY e.n), '{}')
    FROM certificate_entries(p_id) e
$$;
COMMENT ON FUNCTION certificate_rows IS 'All that stands in a certificate, lot by lot, on its way to an account (lot: back to its lots).';

-- Births ------------------------------------------------------------------------------------------------------

CREATE FUNCTION certificate_made(wanted certificate, p_move text, p_kind text, p_request text, p_asked text) RETURNS jsonb
LANGUAGE plpgsql SET search_path = lastro, pg_temp AS $$
DECLARE
    available bigint;
    rows entry[];
    answer jsonb;
BEGIN
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
    answer := certificate_told(wanted, p_move) || jsonb_build_object('lots', (
        SELECT jsonb_agg(jsonb_build_object('access_key', r.access_key, 'line', r.line, 'material', r.material,
            'municipality', r.municipality, 'origin', r.origin, 'mass_mg', r.mass_mg)) FROM unnest(rows) AS r));
    wanted.height := add_link(wanted.entity, p_kind, p_request, answer, rows);
    INSERT INTO certificate SELECT wanted.*;
    RETURN remember(p_request, p_asked, answer);
END $$;
COMMENT ON FUNCTION certificate_made IS 'Sets homologated lots of a norm apart, or answers K01; of whole and part lots, oldest first.';

CREATE FUNCTION certificate_told(c certificate, p_move text) RETURNS jsonb LANGUAGE sql IMMUTABLE
SET search_path = lastro, pg_temp AS $$
    SELECT jsonb_build_object('certificate', c.id, 'entity', c.entity, 'move', p_move, 'holder', c.holder,
        'year', c.year, 'norm', c.norm, 'materials', to_jsonb(c.materials), 'mass_mg', c.mass_mg,
        'investment_cents', c.investment_cents, 'by', c.prepared_by,
        'happened_on', to_char(c.prepared_on, 'YYYY-MM-DD'), 'kind', c.kind, 'allows', to_jsonb(c.allows))
$$;
COMMENT ON FUNCTION certificate_told IS 'What the chain says of a certificate that begins.';

DROP FUNCTION prepare_certificate(text, text, text, int, text, text[], bigint, bigint, text, text, date);
CREATE FUNCTION prepare_certificate(id text, entity text, holder text, year int, norm text, materials text[],
                                    mass_mg bigint, investment_cents bigint, by_user text, request text,
                                    happened_on date, kind text, allows text[]) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lastro, pg_temp AS $$
DECLARE
    -- Not the day: the same request after midnight is still the same request. No holder: an offer.
    asked text := CASE WHEN holder IS NULL THEN 'offer' ELSE 'prepare' END
                  || spelled(id, entity, holder, year::text, norm, materials::text, mass_mg::text,
                             investment_cents::text, by_user)
                  || CASE kind WHEN 'CRE' THEN '' ELSE spelled(kind) END;
    answer jsonb := earlier_answer(request, asked);
    wanted certificate;
BEGIN
    IF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    wanted := ROW (id, entity, NULL, holder, year, norm, materials, mass_mg, investment_cents, by_user, happened_on,
                   kind, allows, CASE WHEN holder IS NULL THEN 'offered' ELSE 'prepared' END, NULL)::certificate;
    RETURN certificate_made(wanted, CASE WHEN holder IS NULL THEN 'offer' ELSE 'prepare' END,
                            CASE WHEN holder IS NULL THEN 'offer' ELSE 'prepare' END, request, asked);
END $$;
COMMENT ON FUNCTION prepare_certificate IS 'Sets mass apart for one establishment, or (no holder) for whoever buys; K01 where there is not enough.';

-- Moves ---------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION refuse_certificate(id text, reason text, by_user text, request text, happened_on date) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lastro, pg_temp AS $$
BEGIN
    RETURN release_certificate(id, 'refuse', reason, by_user, request, happened_on);
END $$;

CREATE FUNCTION release_certificate(id text, move text, reason text, by_user text, request text, happened_on date)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = lastro, pg_temp AS $$
DECLARE
    asked text := move || spelled(id, reason, by_user);
    answer jsonb := earlier_answer(request, asked);
    rows entry[];
BEGIN
    IF move NOT IN ('refuse', 'withdraw') THEN
        RAISE EXCEPTION '% gives nothing back', move;
    ELSIF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    answer := certificate_refusal(id, move, happened_on);
    IF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    rows := certificate_rows(id, 'reverse', happened_on, 'lot');
    PERFORM 1 FROM balance b WHERE b.account IN (SELECT r.credit FROM unnest(rows) AS r) ORDER BY b.account FOR UPDATE;
    UPDATE balance b SET mass_mg = b.mass_mg + r.mass_mg FROM unnest(rows) AS r WHERE b.account = r.credit;
    RETURN certificate_moved(id, move, 'reverse', by_user, happened_on, reason, request, asked,
        jsonb_build_object('mass_mg', (SELECT sum(r.mass_mg) FROM unnest(rows) AS r)), rows);
END $$;
COMMENT ON FUNCTION release_certificate IS 'Gives the mass of what was not issued back to its lots: refused by another person, or withdrawn.';

CREATE FUNCTION cancel_certificate(id text, reason text, by_user text, request text, happened_on date) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lastro, pg_temp AS $$
DECLARE
    asked text := 'cancel' || spelled(id, reason, by_user);
    answer jsonb := earlier_answer(request, asked);
    rows entry[];
    used certificate;
    was_used bool;
BEGIN
    IF coalesce(btrim(reason), '') = '' THEN
        RAISE EXCEPTION 'a cancellation says why';
    ELSIF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    answer := certificate_refusal(id, 'cancel', happened_on);
    IF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    SELECT * INTO STRICT used FROM certificate c WHERE c.id = cancel_certificate.id;
    was_used := certificate_state(id, happened_on) = 'retired';
    rows := certificate_rows(id, 'annul', happened_on, 'annulled/' || id);
    IF was_used THEN
        -- It leaves the very accounts that its use had reached: the holder's year falls short by it.
        rows := ARRAY(SELECT ROW (r.entity, NULL, NULL, format('retired/%s/%s/%s', used.holder, used.year, r.material),
                          r.credit, r.mass_mg, r.reason, r.access_key, r.line, r.claimant, r.material, r.issued_on, r.issuer,
                          r.recipient, r.municipality, r.municipality_source, r.origin, r.year, r.norm, r.book,
                          r.happened_on, '')::entry FROM unnest(rows) WITH ORDINALITY AS r ORDER BY r.ordinality);
    END IF;
    RETURN certificate_moved(id, 'cancel', 'cancel', by_user, happened_on, reason, request, asked, jsonb_build_object(
        'establishment', used.holder, 'year', used.year, 'mass_mg', used.mass_mg, 'was_used', was_used), rows);
END $$;
COMMENT ON FUNCTION cancel_certificate IS 'The agency takes an issued certificate away, also after its use; its mass counts for nobody any more.';

CREATE FUNCTION divide_certificate(id text, move text, parts jsonb, by_user text, request text, happened_on date)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = lastro, pg_temp AS $$
DECLARE
    asked text := move || spelled(id, parts::text, by_user);
    answer jsonb := earlier_answer(request, asked);
    whole certificate;
    rows entry[];
    at bigint;
    total bigint;
BEGIN
    IF move NOT IN ('sell', 'split', 'transfer') THEN
        RAISE EXCEPTION '% divides nothing', move;
    ELSIF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    answer := certificate_refusal(id, move, happened_on);
    IF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    SELECT * INTO STRICT whole FROM certificate c WHERE c.id = divide_certificate.id;
    IF EXISTS (SELECT FROM jsonb_array_elements(parts) AS p JOIN certificate c ON c.id = p ->> 'id') THEN
        RETURN jsonb_build_object('refusal', 'K03', 'certificate', id, 'state', certificate_state(id, happened_on));
    END IF;
    SELECT sum((p ->> 'mass_mg')::bigint) INTO total FROM jsonb_array_elements(parts) AS p;
    IF total > whole.mass_mg THEN
        RETURN jsonb_build_object('refusal', 'K01', 'available_mg', whole.mass_mg, 'asked_mg', total);
    ELSIF total IS DISTINCT FROM whole.mass_mg THEN
        RAISE EXCEPTION 'the parts of a certificate are all of it';
    END IF;
    -- Both run along one line of mass: lots in their order, parts in theirs; each overlap is an entry.
    rows := ARRAY(
        SELECT ROW (l.entity, NULL, NULL, l.credit, 'certificate/' || (p.part ->> 'id'),
                    least(l.until, p.until) - greatest(l.since, p.since), 'divide', l.access_key, l.line, l.claimant,
                    l.material, l.issued_on, l.issuer, l.recipient, l.municipality, l.municipality_source, l.origin, l.year,
                    l.norm, l.book, divide_certificate.happened_on, '')::entry
        FROM (SELECT e.*, sum(e.mass_mg) OVER (ORDER BY e.n) AS until, sum(e.mass_mg) OVER (ORDER BY e.n) - e.mass_mg AS since
              FROM certificate_entries(whole.id) e) AS l
        JOIN (SELECT t.part, t.i, sum((t.part ->> 'mass_mg')::bigint) OVER (ORDER BY t.i) AS until,
                     sum((t.part ->> 'mass_mg')::bigint) OVER (ORDER BY t.i) - (t.part ->> 'mass_mg')::bigint AS since
              FROM jsonb_array_elements(parts) WITH ORDINALITY AS t (part, i)) AS p
          ON l.since < p.until AND p.since < l.until
        ORDER BY p.i, l.n);
    answer := certificate_moved(id, move, 'divide', by_user, happened_on, '', request, asked,
                                jsonb_build_object('mass_mg', whole.mass_mg, 'parts', parts), rows);
    SELECT m.height INTO STRICT at FROM certificate_move m WHERE m.certificate = whole.id AND m.move = divide_certificate.move;
    INSERT INTO certificate
    SELECT p ->> 'id', whole.entity, at, p ->> 'holder', whole.year, whole.norm,
           (SELECT array_agg(DISTINCT r.material ORDER BY r.material) FROM unnest(rows) AS r
            WHERE r.credit = 'certificate/' || (p ->> 'id')),
           (p ->> 'mass_mg')::bigint, (p ->> 'investment_cents')::bigint, divide_certificate.by_user,
           divide_certificate.happened_on, whole.kind, whole.allows,
           CASE WHEN move <> 'sell' THEN 'authorised' WHEN p ->> 'holder' IS NULL THEN 'offered' ELSE 'prepared' END,
           whole.id
    FROM jsonb_array_elements(parts) AS p;
    RETURN answer;
END $$;
COMMENT ON FUNCTION divide_certificate IS 'Puts certificates in the place of one: a sale out of an offer, a transfer or a split; all of its mass, the rest kept.';

CREATE OR REPLACE FUNCTION allot_number(id text, number text, happened_on date) RETURNS jsonb
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
        IF NOT EXISTS (SELECT FROM certificate c WHERE c.id = allot_number.id
                                                   AND c.kind = split_part(allot_number.number, '-', 1)) THEN
            RAISE EXCEPTION 'the number % is of another kind than certificate %', allot_number.number, id
                USING ERRCODE = 'check_violation';
        END IF;
        INSERT INTO certificate_number VALUES (id, allot_number.number);
        standing := allot_number.number;
    END IF;
    RETURN jsonb_build_object('certificate', id, 'number', standing);
END $$;

CREATE OR REPLACE FUNCTION issue_certificate(id text, number text, issued_on date, valid_to date, fields jsonb, pdf bytea,
                                             by_user text, request text) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lastro, pg_temp AS $$
DECLARE
    -- Not the bytes: whoever signs the same certificate twice gets the first paper.
    asked text := 'issue' || spelled(id);
    answer jsonb := earlier_answer(request, asked);
    digest text := encode(sha256(pdf), 'hex');
    no_longer date;
BEGIN
    IF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    answer := certificate_refusal(id, 'issue', issued_on);
    IF answer IS NOT NULL THEN
        RETURN answer;
    END IF;
    SELECT p.valid_to INTO no_longer
    FROM certificate c JOIN certificate_paper p ON p.certificate = c.parent WHERE c.id = issue_certificate.id;
    IF valid_to > no_longer THEN
        RAISE EXCEPTION 'certificate % lives no longer than the one it stands for, to %', id, no_longer
            USING ERRCODE = 'check_violation';
    END IF;
    INSERT INTO certificate_paper VALUES (id, number, issued_on, valid_to, fields, digest, pdf);
    RETURN certificate_moved(id, 'issue', 'issue', by_user, issued_on, '', request, asked, jsonb_build_object(
        'number', number, 'issued_on', to_char(issued_on, 'YYYY-MM-DD'), 'valid_to', to_char(valid_to, 'YYYY-MM-DD'),
        'sha256', digest, 'fields', encode(sha256(convert_to(fields::text, 'UTF8')), 'hex')), '{}');
END $$;

REVOKE ALL ON FUNCTION certificate_rows, certificate_made, certificate_told FROM PUBLIC;
GRANT EXECUTE ON FUNCTION prepare_certificate, release_certificate, cancel_certificate, divide_certificate TO lastro_app;
