//! Tokens of a log-in: JSON Web Tokens that live seven days.

mod signing;

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use model::{AccountId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// How long a token lives.
pub(crate) const LIFETIME_MS: i64 = 7 * Timestamp::DAY_MS;

/// Signs and reads tokens.
pub(crate) struct Tokens {
    encoding: EncodingKey,
    decoding: DecodingKey,
    validation: Validation,
}

/// What a token says.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Claims {
    /// The account.
    pub(crate) sub: String,
    /// The token's own serial number, by which it is revoked.
    pub(crate) jti: String,
    /// Seconds since the epoch at which it was made.
    pub(crate) iat: i64,
    /// Seconds since the epoch at which it ends.
    pub(crate) exp: i64,
    /// The account's token epoch when it was made; absent in tokens that are older than the field.
    #[serde(default)]
    pub(crate) epoch: i64,
}

impl Tokens {
    pub(crate) fn new(secret: &[u8]) -> Self {
        signing::install();
        let mut validation = Validation::new(Algorithm::HS256);
        // The library would ask the system clock; our caller compares with its own.
        validation.validate_exp = false;
        validation.set_required_spec_claims(&["exp", "sub"]);
        Self {
            encoding: EncodingKey::from_secret(secret),
            decoding: DecodingKey::from_secret(secret),
            validation,
        }
    }

    /// A token of that account in its token epoch, and when it ends.
    pub(crate) fn issue(
        &self,
        account: AccountId,
        epoch: i64,
        now: Timestamp,
    ) -> Result<(String, Timestamp)> {
        let exp = now.plus_ms(LIFETIME_MS).ms().div_euclid(1_000);
        let claims = Claims {
            sub: account.0.to_string(),
            jti: uuid::Uuid::new_v4().to_string(),
            iat: now.ms().div_euclid(1_000),
            exp,
            epoch,
        };
        let text = jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.encoding)
            .map_err(Error::internal)?;
        Ok((text, Timestamp::from_ms(exp * 1_000)))
    }

    /// What a token says if its signature is ours; whether it has expired is for the caller to see.
    pub(crate) fn read(&self, text: &str) -> Option<Claims> {
        jsonwebtoken::decode::<Claims>(text, &self.decoding, &self.validation)
            .ok()
            .map(|token| token.claims)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_published_token_is_read() {
        // The example of RFC 7515, appendix A.1, with its key; its claims are not ours, so only the signature counts.
        let key = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow";
        let key = base64::Engine::decode(&base64::prelude::BASE64_URL_SAFE_NO_PAD, key).unwrap();
        signing::install();
        let message = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
        let is_ours = |signature: &str| {
            let key = DecodingKey::from_secret(&key);
            jsonwebtoken::crypto::verify(signature, message.as_bytes(), &key, Algorithm::HS256)
                .unwrap()
        };
        assert!(is_ours("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"));
        assert!(!is_ours("eBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"));
    }

    #[test]
    fn only_own_tokens_are_read() {
        let account = AccountId(uuid::Uuid::new_v4());
        let (text, expires) = Tokens::new(b"one")
            .issue(account, 3, Timestamp::from_ms(1_500))
            .unwrap();
        assert_eq!(expires.ms(), 7 * 86_400_000 + 1_000);
        let claims = Tokens::new(b"one").read(&text).unwrap();
        assert_eq!((claims.sub, claims.epoch), (account.0.to_string(), 3));
        assert!(Tokens::new(b"two").read(&text).is_none());
        let unsigned =
            "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4IiwianRpIjoieCIsImlhdCI6MCwiZXhwIjo5OTk5OTk5OTk5fQ.";
        assert!(Tokens::new(b"one").read(unsigned).is_none());
    }
}
