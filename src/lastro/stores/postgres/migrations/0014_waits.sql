-- A note that may tell another's load waits for people and makes no stock; a sale of mass without an origin keeps the
-- purchases that would explain it: dated later, or waiting.

ALTER TABLE sold ADD waits boolean NOT NULL DEFAULT false, ADD early jsonb NOT NULL DEFAULT '[]';
COMMENT ON COLUMN sold.early IS 'Purchases that would explain what has no origin: key, milligrams, whether it is dated after the sale.';
