-- Articles that left a story because it was divided: which article's arrival divided it, which story they left, and until when they were
-- known to be in it. Where they are now stands with the article. Stories that were divided from others have negative numbers.
CREATE TABLE article_move (
    cause BIGINT NOT NULL,
    article BIGINT NOT NULL,
    story BIGINT NOT NULL,
    left_at BIGINT NOT NULL,
    PRIMARY KEY (cause, article)
) {{by_key}};
CREATE INDEX article_move_story ON article_move (story);
CREATE INDEX article_move_article ON article_move (article);
