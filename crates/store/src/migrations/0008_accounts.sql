-- Tokens of an earlier epoch are refused; a disabled account has neither keys nor tokens.
ALTER TABLE account ADD COLUMN token_epoch BIGINT NOT NULL DEFAULT 0;
ALTER TABLE account ADD COLUMN disabled_at BIGINT;
