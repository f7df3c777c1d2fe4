//! Keys that a reader trusts, however they were obtained, as long as it was not from the receipt.

use std::fmt;
use std::str::FromStr;

use super::Error;
use super::keys::{Fingerprint, PublicKey};

/// A key that the reader trusts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrustedKey {
    /// The key itself.
    Key(PublicKey),
    /// Its fingerprint: the receipt has to include the key.
    Fingerprint(Fingerprint),
}

impl FromStr for TrustedKey {
    type Err = Error;

    /// Reads a public key in PEM, one in base64, or `sha256:` and a fingerprint.
    fn from_str(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        if text.starts_with("-----BEGIN") {
            PublicKey::from_pem(text).map(Self::Key)
        } else if text.starts_with("sha256:") {
            Fingerprint::parse(text).map(Self::Fingerprint)
        } else {
            PublicKey::from_base64(text).map(Self::Key)
        }
    }
}

impl fmt::Display for TrustedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => f.write_str(&key.to_base64()),
            Self::Fingerprint(fingerprint) => fingerprint.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::keys::PrivateKey;
    use super::*;

    #[test]
    fn reads_all_three_forms() {
        let key = PrivateKey::from_random(&[3; 32]).public_key();
        let fingerprint = key.fingerprint();
        for (text, expected) in [
            (key.to_pem().unwrap(), TrustedKey::Key(key)),
            (key.to_base64(), TrustedKey::Key(key)),
            (
                fingerprint.to_string(),
                TrustedKey::Fingerprint(fingerprint),
            ),
        ] {
            assert_eq!(text.parse::<TrustedKey>().unwrap(), expected);
            assert_eq!(
                format!(" {text}\n").parse::<TrustedKey>().unwrap(),
                expected
            );
        }
        assert!("".parse::<TrustedKey>().is_err());
        assert!(key.id().to_string().parse::<TrustedKey>().is_err());
    }
}
