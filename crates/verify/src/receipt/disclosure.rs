//! Opening private evidence: what its owner can reveal, and anyone can compare with the signed hash.
//!
//! The salt keeps others from guessing the content; the name is hashed too, so that nobody can attach a different one.

use serde::{Deserialize, Serialize};

use super::hash::parse_hex;
use super::{Error, Hash};

/// The content behind the hash of one piece of private evidence. Only the owner receives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Disclosure {
    /// 16 random bytes in lower-case hexadecimal.
    salt: Salt,
    /// The words that counted as evidence.
    content: String,
    /// The document or the memory's key.
    name: String,
}

impl Disclosure {
    /// What is hidden, salted with these random bytes.
    pub fn new(salt: [u8; 16], content: String, name: String) -> Self {
        Self {
            salt: Salt(salt),
            content,
            name,
        }
    }

    /// The words that counted as evidence.
    pub fn content(&self) -> &str {
        &self.content
    }

    /// The document or the memory's key.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// SHA-256 of the salt's 16 bytes, the 32 bytes of the SHA-256 of the name, and the content.
    pub fn content_hash(&self) -> Hash {
        let name = Hash::of(self.name.as_bytes());
        Hash::of_parts(&[&self.salt.0, name.as_bytes(), self.content.as_bytes()])
    }

    /// Whether this is the content behind the hash.
    pub fn opens(&self, content_hash: &Hash) -> bool {
        self.content_hash() == *content_hash
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct Salt([u8; 16]);

impl From<Salt> for String {
    fn from(salt: Salt) -> Self {
        hex::encode(salt.0)
    }
}

impl TryFrom<String> for Salt {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        parse_hex(&text).map(Self).ok_or(Error::Hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_hidden_opens_the_hash() {
        let disclosure = Disclosure::new([7; 16], "Q3 will be weak".into(), "plan.md".into());
        let hash = disclosure.content_hash();
        let name = Hash::of(b"plan.md");
        let preimage = [&[7; 16], &name.as_bytes()[..], b"Q3 will be weak"].concat();
        assert_eq!(hash, Hash::of(&preimage));
        assert!(disclosure.opens(&hash));
        let other = |salt, content: &str, name: &str| {
            Disclosure::new([salt; 16], content.into(), name.into()).opens(&hash)
        };
        assert!(!other(8, "Q3 will be weak", "plan.md"));
        assert!(!other(7, "Q3 will be good", "plan.md"));
        assert!(!other(7, "Q3 will be weak", "plan.txt"));
    }
}
