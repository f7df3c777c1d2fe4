//! A message as it was received, and whether it is genuine.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::error::{Error, Result};
use crate::page::text;
use crate::plain;

/// What every secret begins with.
const PREFIX: &str = "whsec_";

/// What messages are signed with.
#[derive(Clone)]
pub(super) struct Secret(Vec<u8>);

impl Secret {
    pub(super) fn parse(text: &str) -> Result<Self> {
        let coded = text.trim().strip_prefix(PREFIX);
        let key = coded.and_then(|coded| STANDARD.decode(coded).ok());
        key.filter(|key| !key.is_empty())
            .map(Self)
            .ok_or_else(|| Error::Usage(format!("a secret begins with {PREFIX}")))
    }

    /// Whether one of the signatures of the header is of this secret. How old the message is does not matter here.
    fn has_signed(&self, headers: &Headers, body: &[u8]) -> bool {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else {
            return false;
        };
        for part in [
            headers.id.as_bytes(),
            b".",
            headers.timestamp.as_bytes(),
            b".",
            body,
        ] {
            mac.update(part);
        }
        let signatures = headers.signature.split_ascii_whitespace();
        signatures
            .filter_map(|one| STANDARD.decode(one.strip_prefix("v1,")?).ok())
            .any(|signature| mac.clone().verify_slice(&signature).is_ok())
    }
}

/// The headers of Standard Webhooks; empty where there is none.
#[derive(Clone, Debug, Default)]
pub(super) struct Headers {
    pub(super) id: String,
    pub(super) timestamp: String,
    pub(super) signature: String,
}

/// A message.
#[derive(Debug)]
pub(super) struct Message {
    id: String,
    is_genuine: bool,
    body: Value,
}

impl Message {
    pub(super) fn read(secret: &Secret, headers: Headers, body: &[u8]) -> Self {
        Self {
            is_genuine: secret.has_signed(&headers, body),
            id: headers.id,
            body: serde_json::from_slice(body).unwrap_or_default(),
        }
    }

    pub(super) const fn is_genuine(&self) -> bool {
        self.is_genuine
    }

    /// Everything.
    pub(super) fn json(&self) -> Value {
        json!({"message": self.id, "verified": self.is_genuine, "body": self.body})
    }

    /// What it is and what it is about.
    pub(super) fn line(&self) -> String {
        let data = &self.body["data"];
        let about = [
            text(&data["brief"], "headline"),
            text(&data["alert"], "ticker"),
            text(data, "message"),
        ];
        let about = about.into_iter().find(|text| !text.is_empty());
        let kind = text(&self.body, "type");
        plain::line(&format!(
            "message   {kind} {} {}",
            self.id,
            about.unwrap_or_default()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the Standard Webhooks libraries.
    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    const BODY: &[u8] = br#"{"test": 2432232314}"#;

    fn is_genuine(secret: &str, id: &str, timestamp: &str, signature: &str, body: &[u8]) -> bool {
        let headers = Headers {
            id: id.to_owned(),
            timestamp: timestamp.to_owned(),
            signature: signature.to_owned(),
        };
        Message::read(&Secret::parse(secret).unwrap(), headers, body).is_genuine()
    }

    #[test]
    fn a_signature_is_of_one_message_and_one_secret() {
        let (id, time) = ("msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330");
        assert!(is_genuine(SECRET, id, time, SIGNATURE, BODY));
        let both = format!("v1,AAAA v2,x {SIGNATURE}");
        assert!(is_genuine(SECRET, id, time, &both, BODY), "one of several");
        let other = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH";
        assert!(!is_genuine(other, id, time, SIGNATURE, BODY));
        assert!(!is_genuine(SECRET, "msg_x", time, SIGNATURE, BODY));
        assert!(!is_genuine(SECRET, id, "1614265331", SIGNATURE, BODY));
        assert!(!is_genuine(SECRET, id, time, SIGNATURE, b"{}"));
        for wrong in [
            "",
            "v1,",
            "v1,x",
            "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        ] {
            assert!(!is_genuine(SECRET, id, time, wrong, BODY), "{wrong:?}");
        }
    }

    #[test]
    fn what_is_no_secret_is_refused() {
        for wrong in ["", "MfKQ", "whsec_", "whsec_not base64"] {
            assert!(Secret::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
