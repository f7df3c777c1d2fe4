-- What happened to one brief, in order.
CREATE INDEX outbox_brief ON outbox (brief, id);

-- Revisions that were marked as trending; they are few.
CREATE INDEX brief_trending ON brief_revision (trending_at DESC, brief DESC, known_from, known_to, category)
    WHERE trending_at IS NOT NULL;

-- Mentions in the order in which they became known, with all that sums over a span of time need.
CREATE INDEX mention_known ON mention (known_at, category, entity, mentions, sentiment, article);
