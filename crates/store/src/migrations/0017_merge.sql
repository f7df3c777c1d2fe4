-- The brief that took in the sources of this one, because both report one event; this one is no more since. The time is that of its last revision.
ALTER TABLE brief ADD COLUMN merged_into TEXT;
CREATE INDEX brief_merged ON brief (merged_into) WHERE merged_into IS NOT NULL;
