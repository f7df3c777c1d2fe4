-- Documents as packed bytes; the text beside them is empty then. An article's are two lines: itself and its annotations.
ALTER TABLE brief_document ADD COLUMN packed {{blob}};
ALTER TABLE article ADD COLUMN packed {{blob}};

-- A store without briefs has no brief whose opinions are missing.
INSERT INTO setting (name, value)
    SELECT 'opinions.complete', '1' WHERE NOT EXISTS (SELECT 1 FROM brief) AND NOT EXISTS (SELECT 1 FROM setting WHERE name = 'opinions.complete');
