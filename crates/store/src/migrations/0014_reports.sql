-- Reports on tickers: those that were asked for and are written by a worker, those of the free set, and those that were uploaded.
-- `charge` is what was paid, so that a report that fails for good can be refunded.
CREATE TABLE report (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT REFERENCES account (id),
    origin TEXT NOT NULL,
    ticker TEXT NOT NULL,
    entity_name TEXT NOT NULL,
    tier TEXT NOT NULL,
    status TEXT NOT NULL,
    is_public BIGINT NOT NULL,
    scope TEXT NOT NULL,
    charge TEXT,
    credits BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    processing_ms BIGINT NOT NULL,
    markdown TEXT NOT NULL,
    document TEXT,
    receipt TEXT,
    reason TEXT
);
CREATE INDEX report_account ON report (account, created_at);
CREATE INDEX report_unfinished ON report (account) WHERE status IN ('queued', 'running');
