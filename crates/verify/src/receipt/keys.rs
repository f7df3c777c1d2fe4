//! Ed25519 keys and signatures in the text formats that other tools read.
//!
//! Private keys are PKCS#8 PEM; public keys are SPKI PEM or the bare base64 of their 32 bytes. Files, permissions and
//! randomness are up to the caller.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{
    DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, KeypairBytes,
};
use ed25519_dalek::{Signer, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::hash::parse_hex;
use super::{Error, Hash};

/// The key that signs. It never prints itself, and its memory is overwritten when it goes out of scope.
pub struct PrivateKey(SigningKey);

impl PrivateKey {
    /// The key made from these 32 random bytes. They must come from the system's generator and be kept nowhere else.
    pub fn from_random(seed: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(seed))
    }

    /// Reads a PKCS#8 PEM, as `openssl genpkey -algorithm ed25519` writes it.
    pub fn from_pem(pem: &str) -> Result<Self, Error> {
        SigningKey::from_pkcs8_pem(pem)
            .map(Self)
            .map_err(|_| Error::PrivateKey)
    }

    /// The PKCS#8 PEM, without the public key, because OpenSSL before 3.5 cannot read a file that has both.
    pub fn to_pem(&self) -> Result<Zeroizing<String>, Error> {
        KeypairBytes {
            secret_key: self.0.to_bytes(),
            public_key: None,
        }
        .to_pkcs8_pem(LineEnding::LF)
        .map_err(|_| Error::PrivateKey)
    }

    /// The key that verifies.
    pub fn public_key(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// Signs the message as specified in RFC 8032: the same message has the same signature.
    pub fn sign(&self, message: &[u8]) -> Signature {
        Signature(self.0.sign(message).to_bytes())
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PrivateKey(masked)")
    }
}

/// The key that verifies. Serialised as base64.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// Reads 32 bytes that are a point on the curve. Points under which one signature fits many messages are refused.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, Error> {
        VerifyingKey::from_bytes(bytes)
            .ok()
            .filter(|key| !key.is_weak())
            .map(Self)
            .ok_or(Error::PublicKey)
    }

    /// Reads the base64 of 32 bytes.
    pub fn from_base64(text: &str) -> Result<Self, Error> {
        Self::from_bytes(&parse_base64(text).ok_or(Error::PublicKey)?)
    }

    /// Reads an SPKI PEM.
    pub fn from_pem(pem: &str) -> Result<Self, Error> {
        let key = VerifyingKey::from_public_key_pem(pem).map_err(|_| Error::PublicKey)?;
        Self::from_bytes(key.as_bytes())
    }

    /// The 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// The base64 of the 32 bytes.
    pub fn to_base64(&self) -> String {
        STANDARD.encode(self.as_bytes())
    }

    /// The SPKI PEM.
    pub fn to_pem(&self) -> Result<String, Error> {
        self.0
            .to_public_key_pem(LineEnding::LF)
            .map_err(|_| Error::PublicKey)
    }

    /// The fingerprint, which people use to compare keys.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint(Hash::of(self.as_bytes()))
    }

    /// The id by which receipts name the key.
    pub fn id(&self) -> SigningKeyId {
        let Fingerprint(hash) = self.fingerprint();
        SigningKeyId(*hash.as_bytes().first_chunk().unwrap_or(&[0; 8]))
    }

    /// Whether this key made the signature of this message.
    pub fn verifies(&self, message: &[u8], signature: &Signature) -> bool {
        let signature = ed25519_dalek::Signature::from_bytes(&signature.0);
        self.0.verify_strict(message, &signature).is_ok()
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({})", self.to_base64())
    }
}

impl From<PublicKey> for String {
    fn from(key: PublicKey) -> Self {
        key.to_base64()
    }
}

impl TryFrom<String> for PublicKey {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        Self::from_base64(&text)
    }
}

/// The first eight bytes of the SHA-256 of a public key, as 16 lower-case hexadecimal digits. It identifies a key but
/// proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SigningKeyId([u8; 8]);

impl SigningKeyId {
    /// Reads 16 lower-case hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, Error> {
        parse_hex(text).map(Self).ok_or(Error::KeyId)
    }
}

impl fmt::Display for SigningKeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl From<SigningKeyId> for String {
    fn from(id: SigningKeyId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for SigningKeyId {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        Self::parse(&text)
    }
}

/// The SHA-256 of a public key, written `sha256:` and 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(Hash);

impl Fingerprint {
    /// Reads `sha256:` and 64 lower-case hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let digits = text.strip_prefix("sha256:").ok_or(Error::PublicKey)?;
        Hash::parse(digits).map(Self).map_err(|_| Error::PublicKey)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.0)
    }
}

/// An Ed25519 signature. Serialised as base64.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Signature([u8; 64]);

impl Signature {
    /// The 64 bytes, for example from a stored row.
    pub const fn from_bytes(bytes: [u8; 64]) -> Self {
        Self(bytes)
    }

    /// The 64 bytes.
    pub const fn as_bytes(&self) -> &[u8; 64] {
        &self.0
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signature({})", STANDARD.encode(self.0))
    }
}

impl From<Signature> for String {
    fn from(signature: Signature) -> Self {
        STANDARD.encode(signature.0)
    }
}

impl TryFrom<String> for Signature {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        parse_base64(&text).map(Self).ok_or(Error::Signature)
    }
}

/// Exactly `N` bytes in padded base64 whose unused bits are zero, so that the bytes have only one text.
pub(super) fn parse_base64<const N: usize>(text: &str) -> Option<[u8; N]> {
    STANDARD.decode(text).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests;
