-- Runs: work of several steps that somebody asked for, as it was done. `kind` is the product (swarm, agent, report), `subject` what it
-- is about: the slug of an agent, a ticker, a vertical. `account` is empty under the demo key.
CREATE TABLE run (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT REFERENCES account (id),
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    status TEXT NOT NULL,
    inputs TEXT NOT NULL,
    output TEXT,
    credits BIGINT NOT NULL,
    duration_ms BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    receipt TEXT,
    session TEXT
);
CREATE INDEX run_account ON run (account, created_at) WHERE account IS NOT NULL;
CREATE INDEX run_subject ON run (kind, subject);
CREATE INDEX run_created ON run (created_at);

-- The steps of a run, each a JSON document.
CREATE TABLE run_step (
    run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, number)
) {{by_key}};
