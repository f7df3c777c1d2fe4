//! A body with its signature: what is stored, and the leaf of the log.

use serde_json::{Map, Value};

use super::canonical::canonical;
use super::keys::{PrivateKey, PublicKey, Signature, SigningKeyId};
use super::{Body, Error, Hash, Version, json, tree};

/// A signed body. The canonical bytes are kept, because hash, signature and leaf are all computed from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Signed {
    canonical: Vec<u8>,
    body: Map<String, Value>,
    signature: Signature,
    key_id: SigningKeyId,
}

impl Signed {
    /// Signs a body.
    pub fn new(body: &Body, key: &PrivateKey) -> Result<Self, Error> {
        let Value::Object(body) = serde_json::to_value(body).map_err(Error::Canonical)? else {
            return Err(Error::NotCanonical);
        };
        let canonical = canonical(&body)?;
        let signature = key.sign(&message(&canonical));
        Ok(Self {
            canonical,
            body,
            signature,
            key_id: key.public_key().id(),
        })
    }

    /// A body as it was stored. It is not verified again, but it must be canonical, so that what is served later has
    /// the hash that was signed.
    pub fn from_stored(
        canonical_body: Vec<u8>,
        signature: Signature,
        key_id: SigningKeyId,
    ) -> Result<Self, Error> {
        let Value::Object(body) = json::parse(&canonical_body)? else {
            return Err(Error::NotCanonical);
        };
        if canonical(&body)? != canonical_body {
            return Err(Error::NotCanonical);
        }
        Ok(Self {
            canonical: canonical_body,
            body,
            signature,
            key_id,
        })
    }

    /// The canonical body: the content of the log's leaf, and the row to store.
    pub fn canonical(&self) -> &[u8] {
        &self.canonical
    }

    /// The fields of the body, including those that this version does not know.
    pub fn body(&self) -> &Map<String, Value> {
        &self.body
    }

    /// SHA-256 of the canonical body.
    pub fn hash(&self) -> Hash {
        Hash::of(&self.canonical)
    }

    /// The hash of the log's leaf.
    pub fn leaf_hash(&self) -> Hash {
        tree::leaf_hash(&self.canonical)
    }

    /// The signature of the body.
    pub fn signature(&self) -> Signature {
        self.signature
    }

    /// The id of the key that signed.
    pub fn key_id(&self) -> SigningKeyId {
        self.key_id
    }
}

/// Whether the key signed this canonical body.
pub(super) fn is_signed_by(key: &PublicKey, canonical_body: &[u8], signature: &Signature) -> bool {
    key.verifies(&message(canonical_body), signature)
}

/// The signed message: a line with which no other text signed by the key begins, and the canonical body.
fn message(canonical_body: &[u8]) -> Vec<u8> {
    [Version::TEXT.as_bytes(), b"\n", canonical_body].concat()
}
