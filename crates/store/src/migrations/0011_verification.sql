-- What was verified, and what the agents of an account keep. `account` is empty where nobody was logged in.

-- One row per receipt, never changed and never removed: it is a leaf of the log, and `log_index` is its place there. `body`
-- is what was signed, to the byte. `disclosures` is what only the owner sees, `replay` what a replay needs, `source` the
-- model whose text was verified. A receipt that covers several claims may be without verdict.
CREATE TABLE receipt (
    log_index {{key}},
    id TEXT NOT NULL UNIQUE,
    account TEXT REFERENCES account (id),
    kind TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    body TEXT NOT NULL,
    signature {{blob}} NOT NULL,
    key_id TEXT NOT NULL,
    disclosures TEXT,
    verdict TEXT,
    confidence DOUBLE PRECISION,
    source TEXT,
    agent TEXT,
    replay TEXT
);
CREATE INDEX receipt_account ON receipt (account, log_index) WHERE account IS NOT NULL;
CREATE INDEX receipt_agent ON receipt (account, agent, log_index) WHERE agent IS NOT NULL;
-- All that the leaderboard reads.
CREATE INDEX receipt_source ON receipt (kind, created_at, source, verdict) WHERE source IS NOT NULL AND verdict IS NOT NULL;

-- The hashes of all complete subtrees; level 0 are the leaves. Node `position` of a level covers the leaves from
-- position * 2^level on.
CREATE TABLE log_node (
    level BIGINT NOT NULL,
    position BIGINT NOT NULL,
    hash {{blob}} NOT NULL,
    PRIMARY KEY (level, position)
) {{by_key}};

-- One row: how many leaves there are.
CREATE TABLE log_head (
    size BIGINT NOT NULL
);
INSERT INTO log_head (size) VALUES (0);

-- Signed statements about the log at a size.
CREATE TABLE checkpoint (
    size {{key}},
    content TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

-- `tickers` are separated by blanks, with one before and one after each, so that one is found by LIKE. A snapshot stands
-- for memories that were consolidated.
CREATE TABLE memory (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL REFERENCES account (id),
    agent TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    category TEXT NOT NULL,
    tickers TEXT NOT NULL,
    confidence DOUBLE PRECISION,
    verdict TEXT,
    stale_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT,
    receipt TEXT,
    is_snapshot BIGINT NOT NULL,
    UNIQUE (account, agent, key)
);
CREATE INDEX memory_newest ON memory (account, agent, updated_at);
CREATE INDEX memory_expires ON memory (expires_at) WHERE expires_at IS NOT NULL;

-- A document without agent is for all agents of its account.
CREATE TABLE knowledge_document (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL REFERENCES account (id),
    agent TEXT,
    filename TEXT NOT NULL,
    title TEXT,
    kind TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    chunk_count BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    content_hash {{blob}} NOT NULL
);
CREATE INDEX knowledge_document_account ON knowledge_document (account, created_at);

CREATE TABLE knowledge_chunk (
    number {{serial}},
    id TEXT NOT NULL UNIQUE,
    document TEXT NOT NULL REFERENCES knowledge_document (id) ON DELETE CASCADE,
    account TEXT NOT NULL,
    agent TEXT,
    place BIGINT NOT NULL,
    heading TEXT,
    content TEXT NOT NULL,
    vector {{blob}}
);
CREATE INDEX knowledge_chunk_account ON knowledge_chunk (account, number);
CREATE INDEX knowledge_chunk_document ON knowledge_chunk (document, place);

CREATE TABLE feedback (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT REFERENCES account (id),
    kind TEXT NOT NULL,
    session_id TEXT,
    message TEXT,
    claim TEXT,
    created_at BIGINT NOT NULL
);
CREATE INDEX feedback_account ON feedback (account, created_at);
CREATE INDEX feedback_created ON feedback (created_at);

-- A claim of a worker holds until `lease_until`.
CREATE TABLE monitor (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL REFERENCES account (id),
    agent TEXT NOT NULL,
    state TEXT NOT NULL,
    trust_threshold DOUBLE PRECISION NOT NULL,
    interval_ms BIGINT NOT NULL,
    alert_webhook TEXT,
    secret TEXT NOT NULL,
    escalate BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    next_check_at BIGINT NOT NULL,
    last_check_at BIGINT,
    last_trust DOUBLE PRECISION,
    alerts_sent BIGINT NOT NULL,
    lease_until BIGINT NOT NULL
);
CREATE INDEX monitor_account ON monitor (account, created_at);
CREATE INDEX monitor_due ON monitor (next_check_at, id) WHERE state = 'active';

-- `dead` is 1 where nothing more is attempted.
CREATE TABLE monitor_alert (
    id TEXT NOT NULL PRIMARY KEY,
    monitor TEXT NOT NULL REFERENCES monitor (id) ON DELETE CASCADE,
    claim TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    delivered_at BIGINT,
    attempts BIGINT NOT NULL,
    next_attempt_at BIGINT NOT NULL,
    dead BIGINT NOT NULL
);
CREATE INDEX monitor_alert_monitor ON monitor_alert (monitor, created_at);
CREATE INDEX monitor_alert_due ON monitor_alert (next_attempt_at, id) WHERE delivered_at IS NULL AND dead = 0;
