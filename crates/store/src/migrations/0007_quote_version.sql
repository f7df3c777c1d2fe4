-- The change of the counter `quote` in which a price was last written, so that a reader finds what is new to it whatever the
-- time of the price.
ALTER TABLE quote ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
