-- The last batch of charges that each journal has in the ledger. A journal is one run of a process; its batches come in
-- order, so that one number says which of them are here, however often they are sent.
CREATE TABLE ledger_journal (
    journal TEXT NOT NULL PRIMARY KEY,
    batch BIGINT NOT NULL,
    at BIGINT NOT NULL
) {{by_key}};
