-- Shares, funds and coins. `version` is the change of the market in which profile or candles last changed.
CREATE TABLE instrument (
    market TEXT NOT NULL,
    symbol TEXT NOT NULL,
    document TEXT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (market, symbol)
) {{by_key}};
CREATE INDEX instrument_version ON instrument (version);

-- Columns of a series and year: kind `candle`, `value` or `tone`. Layer 0 holds what was known in its own time, each further
-- layer the corrections that became known at `known_at`; nothing is overwritten.
CREATE TABLE block (
    kind TEXT NOT NULL,
    series TEXT NOT NULL,
    year BIGINT NOT NULL,
    layer BIGINT NOT NULL,
    known_at BIGINT NOT NULL,
    body {{blob}} NOT NULL,
    PRIMARY KEY (kind, series, year, layer)
);

CREATE TABLE series (
    id TEXT NOT NULL PRIMARY KEY,
    document TEXT NOT NULL
);

-- The newest price only; closes are kept as candles.
CREATE TABLE quote (
    series TEXT NOT NULL PRIMARY KEY,
    price DOUBLE PRECISION NOT NULL,
    previous_close DOUBLE PRECISION,
    volume DOUBLE PRECISION,
    at BIGINT NOT NULL
) {{by_key}};

-- What was disclosed, reported or told of a symbol on a day, by kind. A newer version of an `id` closes the one before;
-- `bundle` holds together what is amended together.
CREATE TABLE record (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    known_from BIGINT NOT NULL,
    known_to BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    symbol TEXT NOT NULL,
    day BIGINT NOT NULL,
    word TEXT NOT NULL,
    amount DOUBLE PRECISION,
    content TEXT NOT NULL,
    bundle TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (kind, id, known_from)
);
CREATE INDEX record_symbol ON record (kind, symbol, day DESC, id);
CREATE INDEX record_day ON record (kind, day DESC, id);
CREATE INDEX record_bundle ON record (kind, bundle) WHERE bundle <> '';

-- What a revision of a brief says of a ticker.
CREATE TABLE opinion (
    ticker TEXT NOT NULL,
    published_at BIGINT NOT NULL,
    brief TEXT NOT NULL,
    known_from BIGINT NOT NULL,
    known_to BIGINT NOT NULL,
    sentiment DOUBLE PRECISION NOT NULL,
    confidence DOUBLE PRECISION NOT NULL,
    role TEXT NOT NULL,
    category TEXT NOT NULL,
    public_id TEXT NOT NULL,
    headline TEXT NOT NULL,
    PRIMARY KEY (ticker, published_at, brief, known_from)
) {{by_key}};
CREATE INDEX opinion_brief ON opinion (brief, known_to);
CREATE INDEX opinion_published ON opinion (published_at, ticker);

CREATE TABLE watchlist (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL REFERENCES account (id),
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX watchlist_account ON watchlist (account, created_at);

CREATE TABLE watchlist_item (
    watchlist TEXT NOT NULL,
    symbol TEXT NOT NULL,
    added_at BIGINT NOT NULL,
    PRIMARY KEY (watchlist, symbol)
) {{by_key}};
