-- Pages of feeds and files whose reading has begun and not ended in good order: a row is written before the attempt and
-- removed after it, so that what stays is what crashed a worker or the whole server.
CREATE TABLE page_attempt (
    page {{blob}} PRIMARY KEY,
    attempts BIGINT NOT NULL,
    tried_at BIGINT NOT NULL
);

CREATE INDEX page_attempt_tried ON page_attempt (tried_at);
