-- What the roll-up of demo addresses still has to do, and nothing else: what is rolled up leaves these indexes, and what
-- accounts use never enters them, so that charging them costs no more than before. By prefix and not by a range, because
-- the order of ':' and ';' depends on the collation of a PostgreSQL database. Statements repeat the conditions to the letter.
CREATE INDEX ledger_demo ON ledger (at) WHERE SUBSTR(account, 1, 5) = 'demo:' AND account <> 'demo:*';
CREATE INDEX usage_demo ON usage (period) WHERE SUBSTR(account, 1, 5) = 'demo:' AND account <> 'demo:*';

-- What hangs on a brief that goes.
CREATE INDEX brief_facet_brief ON brief_facet (brief);

-- Indexes know by themselves what they are behind in.
DELETE FROM setting WHERE name = 'prune.index_behind';
