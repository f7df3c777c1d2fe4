-- What briefs state, so that it is found without reading them: kind `event` or `contradiction`, `word` the type of event or
-- the severity, `subject` of an event in lower case. `since` is when the brief first stated it, whatever was reworded later;
-- `identity` tells the findings of one brief apart.
CREATE TABLE finding (
    kind TEXT NOT NULL,
    brief TEXT NOT NULL,
    identity TEXT NOT NULL,
    known_from BIGINT NOT NULL,
    known_to BIGINT NOT NULL,
    since BIGINT NOT NULL,
    category TEXT NOT NULL,
    word TEXT NOT NULL,
    subject TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (kind, brief, identity, known_from)
) {{by_key}};
CREATE INDEX finding_current ON finding (kind, since DESC, brief, identity, word, category)
    WHERE known_to = 9223372036854775807;
CREATE INDEX finding_ever ON finding (kind, since DESC, known_from, known_to);
