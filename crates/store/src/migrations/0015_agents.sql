-- Agents that accounts made: pipelines in TOML. Those that come with the program are files of it, not rows. `creator` is how the
-- account is called in the marketplace, `forked_from` the slug of the agent that it was made from.
CREATE TABLE agent (
    slug TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL REFERENCES account (id),
    creator TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    category TEXT NOT NULL,
    tags TEXT NOT NULL,
    pipeline TEXT NOT NULL,
    credit_cost BIGINT NOT NULL,
    forked_from TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX agent_account ON agent (account);
CREATE INDEX agent_forked ON agent (forked_from) WHERE forked_from IS NOT NULL;

-- What accounts say of agents, built-in ones as well: one review of an account for an agent.
CREATE TABLE agent_review (
    agent TEXT NOT NULL,
    account TEXT NOT NULL REFERENCES account (id),
    username TEXT NOT NULL,
    rating BIGINT NOT NULL,
    comment TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (agent, account)
) {{by_key}};
CREATE INDEX agent_review_account ON agent_review (account);

-- How often agents were run. Counted here, because runs are forgotten after a while.
CREATE TABLE agent_use (
    agent TEXT NOT NULL PRIMARY KEY,
    runs BIGINT NOT NULL
) {{by_key}};

-- Runs at set times, on behalf of the key that asked for them. `every_ms` or `minute` (of the day, in `zone`) says when; `next_at` is the
-- next time, the end of time where it is paused. `note` says why the last one was not done.
CREATE TABLE agent_schedule (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL REFERENCES account (id),
    api_key TEXT,
    agent TEXT NOT NULL,
    every_ms BIGINT,
    minute BIGINT,
    zone TEXT NOT NULL,
    inputs TEXT NOT NULL,
    target TEXT,
    budget BIGINT,
    next_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    last_at BIGINT,
    last_run TEXT,
    note TEXT
);
CREATE INDEX agent_schedule_account ON agent_schedule (account, created_at);
CREATE INDEX agent_schedule_due ON agent_schedule (next_at) WHERE next_at < 9223372036854775807;
