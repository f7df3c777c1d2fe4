//! How a message proves who sent it: the headers of Standard Webhooks, and a plain one next to them.
//!
//! Pure: time, message id and secret are arguments.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use model::Timestamp;
use sha2::Sha256;

/// The prefix of every secret.
const PREFIX: &str = "whsec_";
/// Maximum length of a secret in bytes: one block of the hash. Shorter ones are padded with zeros, as HMAC requires.
const LONGEST: usize = 64;

/// The secret that signs messages to one receiver. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningSecret(Vec<u8>);

/// Text that is not a secret: it does not begin with `whsec_`, or what follows is not Base64 of 1 to 64 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the secret of a webhook cannot be read")]
pub struct InvalidSecret;

impl SigningSecret {
    /// The secret made of these random bytes.
    pub fn from_random(bytes: [u8; 24]) -> Self {
        Self(bytes.to_vec())
    }

    /// Reads what [`SigningSecret::expose`] wrote.
    pub fn parse(text: &str) -> Result<Self, InvalidSecret> {
        let coded = text.strip_prefix(PREFIX).ok_or(InvalidSecret)?;
        let bytes = STANDARD.decode(coded).map_err(|_| InvalidSecret)?;
        if bytes.is_empty() || bytes.len() > LONGEST {
            return Err(InvalidSecret);
        }
        Ok(Self(bytes))
    }

    /// `whsec_` and the bytes in Base64: for the receiver and the store, never for display.
    pub fn expose(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(&self.0))
    }

    /// The headers of a message that is sent now. Each attempt is signed again; the id stays the same.
    pub fn sign(&self, id: &str, now: Timestamp, body: &[u8]) -> [(&'static str, String); 4] {
        let seconds = now.ms().div_euclid(1_000).to_string();
        let standard = self.mac(&[id.as_bytes(), b".", seconds.as_bytes(), b".", body]);
        let plain = hex::encode(self.mac(&[body]));
        [
            ("webhook-id", id.to_owned()),
            ("webhook-timestamp", seconds),
            (
                "webhook-signature",
                format!("v1,{}", STANDARD.encode(standard)),
            ),
            ("x-assay-signature", format!("sha256={plain}")),
        ]
    }

    /// The same with the previous secret's signature next to the new one, so that a receiver that has only one of the
    /// secrets finds the signature it can check.
    pub fn sign_beside(
        &self,
        previous: Option<&Self>,
        id: &str,
        now: Timestamp,
        body: &[u8],
    ) -> [(&'static str, String); 4] {
        let mut headers = self.sign(id, now, body);
        if let Some(previous) = previous {
            let [_, _, (_, earlier), _] = previous.sign(id, now, body);
            headers[2].1 = format!("{} {earlier}", headers[2].1);
        }
        headers
    }

    fn mac(&self, parts: &[&[u8]]) -> Vec<u8> {
        let mut key = [0; LONGEST];
        key[..self.0.len()].copy_from_slice(&self.0);
        let mut mac = Hmac::<Sha256>::new(&key.into());
        for part in parts {
            mac.update(part);
        }
        mac.finalize().into_bytes().to_vec()
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningSecret(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example from the Standard Webhooks libraries.
    #[test]
    fn signs_as_standard_webhooks_say() {
        let secret = SigningSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let body = br#"{"test": 2432232314}"#;
        let now = Timestamp::from_ms(1_614_265_330_999);
        let [id, timestamp, signature, plain] =
            secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", now, body);
        assert_eq!(id.1, "msg_p5jXN8AQM9LWM0D4loKWxJek");
        assert_eq!(timestamp.1, "1614265330");
        let expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(signature.1, expected);
        assert!(plain.1.starts_with("sha256=") && plain.1.len() == 7 + 64);
    }

    #[test]
    fn two_secrets_sign_side_by_side() {
        let (new, old) = (
            SigningSecret::from_random([1; 24]),
            SigningSecret::from_random([2; 24]),
        );
        let now = Timestamp::from_ms(1_614_265_330_000);
        let both = new.sign_beside(Some(&old), "msg_1", now, b"{}");
        let [alone, earlier] = [&new, &old].map(|one| one.sign("msg_1", now, b"{}"));
        assert_eq!(both[2].1, format!("{} {}", alone[2].1, earlier[2].1));
        for place in [0, 1, 3] {
            assert_eq!(both[place], alone[place]);
        }
        assert_eq!(new.sign_beside(None, "msg_1", now, b"{}"), alone);
    }

    #[test]
    fn a_secret_is_read_as_it_was_written_and_never_printed() {
        let secret = SigningSecret::from_random([7; 24]);
        let text = secret.expose();
        assert_eq!(text, "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH");
        assert_eq!(SigningSecret::parse(&text), Ok(secret.clone()));
        assert!(!format!("{secret:?}").contains("Bw"));
        for wrong in ["", "whsec_", "BwcH", "whsec_not base64"] {
            assert_eq!(SigningSecret::parse(wrong), Err(InvalidSecret), "{wrong:?}");
        }
    }
}
