-- A company is one whichever of its branches writes: a load sold to one branch may have its entry note from another.

DROP INDEX document_parties;
CREATE INDEX document_roots ON document (left(issuer, 8), left(recipient, 8), issued_on) WHERE kind = 'nfe';
