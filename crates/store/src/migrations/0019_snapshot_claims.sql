-- The contradicted claims that a snapshot stands for, as far as they are known one by one, so that one that is stored again no longer
-- counts in it. Of earlier snapshots none is known: what they count, they go on counting.
ALTER TABLE memory ADD COLUMN contradicted_claims TEXT NOT NULL DEFAULT '[]';
