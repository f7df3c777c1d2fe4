-- What a snapshot stands for: so many memories, of which so many had a confidence and so many were claims that are contradicted; when one
-- of them was last verified, and when the oldest was last stored. A memory that is no snapshot stands for itself, whatever is written here.
-- Of earlier snapshots no more is known than that they are one.
ALTER TABLE memory ADD COLUMN memories BIGINT NOT NULL DEFAULT 1;
ALTER TABLE memory ADD COLUMN rated BIGINT NOT NULL DEFAULT 1;
ALTER TABLE memory ADD COLUMN contradicted BIGINT NOT NULL DEFAULT 0;
ALTER TABLE memory ADD COLUMN verified_at BIGINT;
ALTER TABLE memory ADD COLUMN since BIGINT;
