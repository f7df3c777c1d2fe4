//! SHA-256 hashes, written as 64 lower-case hexadecimal digits.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Error;

/// A SHA-256 hash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hash([u8; 32]);

impl Hash {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self::of_parts(&[bytes])
    }

    /// The hash of the parts, one after the other.
    pub(crate) fn of_parts(parts: &[&[u8]]) -> Self {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update(part);
        }
        Self(hasher.finalize().into())
    }

    /// A known hash, for example from a stored row.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Reads 64 lower-case hexadecimal digits; upper case is refused, so that each hash has only one text.
    pub fn parse(text: &str) -> Result<Self, Error> {
        parse_hex(text).map(Self).ok_or(Error::Hash)
    }
}

/// Exactly `N` bytes in lower-case hexadecimal.
pub(crate) fn parse_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let lower = !text.bytes().any(|byte| byte.is_ascii_uppercase());
    (lower && hex::decode_to_slice(text, &mut bytes).is_ok()).then_some(bytes)
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Hash> for String {
    fn from(hash: Hash) -> Self {
        hash.to_string()
    }
}

impl TryFrom<String> for Hash {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        Self::parse(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_has_one_text() {
        let text = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Hash::of(b"").to_string(), text);
        assert_eq!(Hash::parse(text).unwrap(), Hash::of(b""));
        assert!(Hash::parse(&text.to_uppercase()).is_err());
        assert!(Hash::parse(&text[1..]).is_err());
        assert!(Hash::parse(&format!("{text}00")).is_err());
    }
}
