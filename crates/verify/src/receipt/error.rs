//! Why a receipt, a key or a checkpoint cannot be made or read.

/// What is wrong with the value or the text.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A value that JSON cannot hold, such as a map whose keys are not text.
    #[error("the value has no canonical JSON form")]
    Canonical(#[source] serde_json::Error),
    /// The text is not JSON, repeats a name in one object, or lacks a field.
    #[error("the text is not a receipt that every reader understands alike")]
    Json(#[source] serde_json::Error),
    /// A stored body that is not in canonical form, so its hash would change when it is served.
    #[error("the body is not in canonical form")]
    NotCanonical,
    /// Anything but 64 lower-case hexadecimal digits.
    #[error("a hash is 64 lower-case hexadecimal digits")]
    Hash,
    /// Anything but the base64 of 64 bytes.
    #[error("a signature is 64 bytes in base64")]
    Signature,
    /// Anything but 16 lower-case hexadecimal digits.
    #[error("a key id is 16 lower-case hexadecimal digits")]
    KeyId,
    /// Anything but `vr_` and 32 lower-case hexadecimal digits.
    #[error("a receipt id is vr_ followed by 32 lower-case hexadecimal digits")]
    ReceiptId,
    /// Not a usable Ed25519 public key.
    #[error("not an Ed25519 public key in PEM or base64, nor sha256: and a fingerprint")]
    PublicKey,
    /// Not a usable Ed25519 private key. The cause is withheld, because it could quote the key.
    #[error("not an Ed25519 private key in PEM (PKCS#8)")]
    PrivateKey,
    /// The text is not a checkpoint as this program writes them.
    #[error("the checkpoint's {0} cannot be read")]
    Checkpoint(&'static str),
}
