-- What fell is few among many: who asks for it does not read every line of every note.
CREATE INDEX lot_state_stale ON lot_state (access_key, line) WHERE stale <> '{}';
