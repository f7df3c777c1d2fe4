-- Runs on SQLite and PostgreSQL; the words in double braces are explained in database/statement.rs.
-- Times are milliseconds since 1970 in UTC. 9223372036854775807 as `known_to` means: still valid.

CREATE TABLE setting (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE secret (
    name TEXT NOT NULL PRIMARY KEY,
    value {{blob}} NOT NULL
);

-- Sums that would be slow to count: articles, briefs by category, the access version.
CREATE TABLE counter (
    name TEXT NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL
) {{by_key}};

CREATE TABLE account (
    id TEXT NOT NULL PRIMARY KEY,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    plan TEXT NOT NULL,
    spending_cap BIGINT,
    created_at BIGINT NOT NULL
);

CREATE TABLE api_key (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL REFERENCES account (id),
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    hash {{blob}} NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT,
    revoked_at BIGINT
);
CREATE INDEX api_key_account ON api_key (account, created_at);

CREATE TABLE revoked_token (
    jti TEXT NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);

CREATE TABLE ledger (
    id {{serial}},
    account TEXT NOT NULL,
    key_id TEXT,
    endpoint TEXT NOT NULL,
    calls BIGINT NOT NULL,
    credits BIGINT NOT NULL,
    overage BIGINT NOT NULL,
    at BIGINT NOT NULL,
    kind TEXT NOT NULL
);
CREATE INDEX ledger_account ON ledger (account, at);

-- `period` is a month `YYYY-MM` or a day `YYYY-MM-DD`; `key_id` is empty for calls without a key.
CREATE TABLE usage (
    account TEXT NOT NULL,
    period TEXT NOT NULL,
    key_id TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    calls BIGINT NOT NULL,
    credits BIGINT NOT NULL,
    overage BIGINT NOT NULL,
    PRIMARY KEY (account, period, key_id, endpoint)
) {{by_key}};

CREATE TABLE idempotency (
    scope TEXT NOT NULL,
    route TEXT NOT NULL,
    request TEXT NOT NULL,
    body_hash {{blob}} NOT NULL,
    state TEXT NOT NULL,
    lease_until BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    status BIGINT,
    content_type TEXT,
    body {{blob}},
    PRIMARY KEY (scope, route, request)
);
CREATE INDEX idempotency_expires ON idempotency (expires_at);

CREATE TABLE job (
    id {{serial}},
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    run_at BIGINT NOT NULL,
    lease_until BIGINT NOT NULL,
    unique_key TEXT UNIQUE,
    error TEXT
);
CREATE INDEX job_due ON job (run_at, id) WHERE state <> 'dead';

CREATE TABLE outbox (
    id {{serial}},
    position BIGINT UNIQUE,
    kind TEXT NOT NULL,
    brief TEXT NOT NULL,
    revision BIGINT NOT NULL,
    known_at BIGINT NOT NULL
);
CREATE INDEX outbox_unsequenced ON outbox (id) WHERE position IS NULL;

CREATE TABLE feed (
    url TEXT NOT NULL PRIMARY KEY,
    etag TEXT,
    last_modified TEXT,
    next_due BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    last_error TEXT,
    last_success BIGINT,
    items_total BIGINT NOT NULL
);

-- `seq` is given by the publisher, who is alone: arrival order is commit order.
CREATE TABLE article (
    seq {{key}},
    id TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL UNIQUE,
    story BIGINT NOT NULL,
    brief TEXT NOT NULL,
    copy_of TEXT,
    known_at BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    document TEXT NOT NULL,
    annotations TEXT NOT NULL
);
CREATE INDEX article_story ON article (story, seq);

-- Apart from the articles, so that clustering reads days without their texts. `day` is the day of publication.
CREATE TABLE article_feature (
    seq {{key}},
    story BIGINT NOT NULL,
    day BIGINT NOT NULL,
    published_at BIGINT NOT NULL,
    domain TEXT NOT NULL,
    features {{blob}} NOT NULL
);
CREATE INDEX article_feature_day ON article_feature (day, seq);

CREATE TABLE brief (
    id TEXT NOT NULL PRIMARY KEY,
    public_id TEXT NOT NULL UNIQUE,
    story BIGINT NOT NULL UNIQUE
);

CREATE TABLE public_number (
    day BIGINT NOT NULL PRIMARY KEY,
    last BIGINT NOT NULL
);

-- What lists filter and sort by; the documents are kept apart, so that scans stay narrow.
CREATE TABLE brief_revision (
    brief TEXT NOT NULL,
    revision BIGINT NOT NULL,
    known_from BIGINT NOT NULL,
    known_to BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    trending_at BIGINT,
    category TEXT NOT NULL,
    published_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    confidence DOUBLE PRECISION NOT NULL,
    update_count BIGINT NOT NULL,
    PRIMARY KEY (brief, revision)
) {{by_key}};
-- Both orders bear what filters ask for, so that walking and counting read nothing else.
CREATE INDEX brief_current_published ON brief_revision (published_at DESC, brief DESC, category, confidence, update_count)
    WHERE known_to = 9223372036854775807;
CREATE INDEX brief_current_updated ON brief_revision (updated_at DESC, brief DESC, category, confidence, update_count)
    WHERE known_to = 9223372036854775807;
CREATE INDEX brief_current_category ON brief_revision (category, published_at DESC, brief DESC)
    WHERE known_to = 9223372036854775807;
CREATE INDEX brief_living_published ON brief_revision (published_at DESC, brief DESC)
    WHERE known_to = 9223372036854775807 AND update_count > 0;
CREATE INDEX brief_living_updated ON brief_revision (updated_at DESC, brief DESC)
    WHERE known_to = 9223372036854775807 AND update_count > 0;
-- For reads of the past.
CREATE INDEX brief_ever_published ON brief_revision (published_at DESC, brief DESC, known_from, known_to, category);

CREATE TABLE brief_document (
    brief TEXT NOT NULL,
    revision BIGINT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (brief, revision)
);

-- What a brief can be found by: kind `source` (a domain), `tag` or `entity` (a key; with its role), and since when.
CREATE TABLE brief_facet (
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    brief TEXT NOT NULL,
    known_from BIGINT NOT NULL,
    known_to BIGINT NOT NULL,
    role TEXT NOT NULL,
    category TEXT NOT NULL,
    PRIMARY KEY (kind, value, brief, known_from)
) {{by_key}};

-- `key` is the name in lower case.
CREATE TABLE entity (
    key TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    ticker TEXT,
    brief_count BIGINT NOT NULL,
    last_seen BIGINT NOT NULL
) {{by_key}};
CREATE INDEX entity_ticker ON entity (ticker) WHERE ticker IS NOT NULL;
CREATE INDEX entity_count ON entity (brief_count DESC, key);

-- `day` is the day on which the article became known; the article knows its brief.
CREATE TABLE mention (
    entity TEXT NOT NULL,
    day BIGINT NOT NULL,
    article BIGINT NOT NULL,
    category TEXT NOT NULL,
    mentions BIGINT NOT NULL,
    sentiment DOUBLE PRECISION NOT NULL,
    known_at BIGINT NOT NULL,
    PRIMARY KEY (entity, day, article)
) {{by_key}};
