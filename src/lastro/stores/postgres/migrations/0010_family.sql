-- Notes of one mass: a sale may be told anew by another that refers to it (M15), and a buyer's note of a load is
-- looked for by the same two parties in turned roles.

ALTER TABLE bearing DROP CONSTRAINT bearing_code_check,
    ADD CONSTRAINT bearing_code_check CHECK (code IN ('N10', 'N11', 'N16', 'M15'));
CREATE INDEX document_parties ON document (issuer, recipient, issued_on) WHERE kind = 'nfe';

-- A partial index is passed over for lists of more than a hundred keys, which a batch always is.
DROP INDEX document_key;
CREATE INDEX document_key ON document (access_key);
