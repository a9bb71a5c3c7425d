-- By what they name beside the mass, lorries and weighing slips, notes of one trip are known.

ALTER TABLE sold ADD plates text[] NOT NULL DEFAULT '{}', ADD slips text[] NOT NULL DEFAULT '{}';
