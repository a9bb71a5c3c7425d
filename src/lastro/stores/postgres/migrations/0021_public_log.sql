-- The public log of certificates: each move that is told becomes one leaf, in an order that nothing changes.
-- The rows of certificate_move are the outbox: a move without a leaf waits for the next integration.
CREATE TABLE public_leaf (
    n           bigint PRIMARY KEY CHECK (n >= 0),
    certificate text COLLATE "C" NOT NULL,
    move        text COLLATE "C" NOT NULL,
    salt        bytea NOT NULL CHECK (length(salt) = 16),
    fields      jsonb NOT NULL,
    body        bytea NOT NULL,
    UNIQUE (certificate, move),
    FOREIGN KEY (certificate, move) REFERENCES certificate_move
);
COMMENT ON TABLE public_leaf IS 'The public log: what stands in it, and what opens the commitment of each leaf.';
CREATE TABLE public_checkpoint (
    size bigint PRIMARY KEY CHECK (size >= 0),
    note text NOT NULL
);
COMMENT ON TABLE public_checkpoint IS 'What the log signed, one checkpoint for each size.';
SELECT only_add('public_leaf');
SELECT only_add('public_checkpoint');
REVOKE ALL ON public_leaf, public_checkpoint FROM lastro_app;
GRANT SELECT, INSERT ON public_leaf, public_checkpoint TO lastro_app;
