-- What leaves for the addresses that callers name: alerts of monitors, alerts on tickers, webhooks. One queue for all.

-- Who gets messages: the webhook of a monitor (`id` is the monitor's), the callback address of alerts, or a webhook (`id` is
-- its own). Messages to one receiver leave one after the other: whoever holds the lease makes the attempt. `due_at` is the
-- earliest next attempt of its messages, the end of time where none waits. `failing_since` is the first failure after the
-- last success.
CREATE TABLE receiver (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL REFERENCES account (id),
    kind TEXT NOT NULL,
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    previous_secret TEXT,
    previous_until BIGINT,
    failing_since BIGINT,
    due_at BIGINT NOT NULL,
    lease_until BIGINT NOT NULL
);
CREATE INDEX receiver_account ON receiver (account, kind);
CREATE INDEX receiver_due ON receiver (due_at, id) WHERE due_at < 9223372036854775807;

-- A message on its way, or what became of it. `id` is what receivers know it by, the same in every attempt. `event` is what
-- it reports, so that a receiver is told of it once. `subject` is what it is about: a claim, an alert, a brief. States:
-- pending, delivered, dead (given up), not_sent (there was no address).
CREATE TABLE delivery (
    id TEXT NOT NULL PRIMARY KEY,
    receiver TEXT NOT NULL REFERENCES receiver (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    event TEXT,
    body TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    next_attempt_at BIGINT NOT NULL,
    last_attempt_at BIGINT,
    delivered_at BIGINT,
    last_status BIGINT,
    last_error TEXT
);
CREATE UNIQUE INDEX delivery_event ON delivery (receiver, event) WHERE event IS NOT NULL;
CREATE INDEX delivery_receiver ON delivery (receiver, created_at);
CREATE INDEX delivery_pending ON delivery (receiver, next_attempt_at, id) WHERE state = 'pending';
CREATE INDEX delivery_ended ON delivery (created_at) WHERE state <> 'pending';

INSERT INTO receiver (id, account, kind, url, secret, due_at, lease_until)
SELECT id, account, 'monitor', COALESCE(alert_webhook, ''), secret,
    COALESCE((SELECT MIN(next_attempt_at) FROM monitor_alert WHERE monitor = monitor.id AND delivered_at IS NULL AND dead = 0), 9223372036854775807), 0
FROM monitor;
INSERT INTO delivery (id, receiver, kind, subject, body, state, attempts, created_at, next_attempt_at, delivered_at)
SELECT id, monitor, CASE WHEN claim = '' THEN 'monitor.trust_low' ELSE 'monitor.claim_contradicted' END, claim, body,
    CASE WHEN delivered_at IS NOT NULL THEN 'delivered' WHEN dead = 0 THEN 'pending' WHEN attempts = 0 THEN 'not_sent' ELSE 'dead' END,
    attempts, created_at, next_attempt_at, delivered_at
FROM monitor_alert;
DROP TABLE monitor_alert;

-- Alerts on tickers. `series` names the instrument (`stock:AAPL`). `version` is the change of the counter `alert` with which it
-- was stored, so that whoever holds the active ones in memory finds those that are new; `position` its place in the order of
-- those that fired (counter `alert_fired`). `categories` are those of the key that made it, separated by commas.
CREATE TABLE alert (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL REFERENCES account (id),
    ticker TEXT NOT NULL,
    series TEXT NOT NULL,
    kind TEXT NOT NULL,
    threshold DOUBLE PRECISION NOT NULL,
    status TEXT NOT NULL,
    receiver TEXT REFERENCES receiver (id),
    categories TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    triggered_at BIGINT,
    trigger_value DOUBLE PRECISION,
    context TEXT,
    position BIGINT
);
CREATE INDEX alert_account ON alert (account, created_at);
CREATE INDEX alert_active ON alert (version) WHERE status = 'active';
CREATE INDEX alert_fired ON alert (position) WHERE position IS NOT NULL;
CREATE INDEX alert_triggered ON alert (account, triggered_at) WHERE status = 'triggered';
CREATE INDEX alert_receiver ON alert (receiver) WHERE receiver IS NOT NULL;
INSERT INTO counter (name, value) VALUES ('alert', 0), ('alert_deleted', 0), ('alert_fired', 0)
ON CONFLICT (name) DO NOTHING;

-- Subscriptions to what happens to briefs. Address and secret are those of the receiver of the same id. Events up to
-- `after_position` were before it.
CREATE TABLE webhook (
    id TEXT NOT NULL PRIMARY KEY REFERENCES receiver (id) ON DELETE CASCADE,
    account TEXT NOT NULL REFERENCES account (id),
    events TEXT NOT NULL,
    format TEXT NOT NULL,
    categories TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    after_position BIGINT NOT NULL,
    disabled_at BIGINT,
    disabled_reason TEXT
);
CREATE INDEX webhook_account ON webhook (account, created_at);
