//! The one way in which tokens are signed: HMAC with SHA-256.
//!
//! The token library brings RSA and elliptic curves along with its own implementations; a service that signs for itself
//! needs neither, and they take longer to build than the rest of the library.

use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind, Result};
use jsonwebtoken::signature::{self, Signer, Verifier};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, EncodingKey};
use sha2::Sha256;

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: signer,
    verifier_factory: verifier,
    key_utils: KeyUtils::new_unimplemented(),
};

/// Makes it the way of this process. Whoever comes second finds it done.
pub(super) fn install() {
    let _ = PROVIDER.install_default();
}

struct Hs256(Hmac<Sha256>);

impl Hs256 {
    fn new(algorithm: Algorithm, family: AlgorithmFamily, secret: &[u8]) -> Result<Self> {
        if algorithm != Algorithm::HS256 {
            return Err(Error::from(ErrorKind::InvalidAlgorithm));
        }
        if family != AlgorithmFamily::Hmac {
            return Err(Error::from(ErrorKind::InvalidKeyFormat));
        }
        Hmac::new_from_slice(secret)
            .map(Self)
            .map_err(|_| Error::from(ErrorKind::InvalidKeyFormat))
    }

    fn of(&self, message: &[u8]) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        mac.update(message);
        mac
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "required by the interface of the library"
)]
fn signer(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>> {
    Ok(Box::new(Hs256::new(
        *algorithm,
        key.family(),
        key.as_bytes(),
    )?))
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "required by the interface of the library"
)]
fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    let secret = key.try_get_as_bytes()?;
    Ok(Box::new(Hs256::new(*algorithm, key.family(), secret)?))
}

impl Signer<Vec<u8>> for Hs256 {
    fn try_sign(&self, message: &[u8]) -> std::result::Result<Vec<u8>, signature::Error> {
        Ok(self.of(message).finalize().into_bytes().to_vec())
    }
}

impl Verifier<Vec<u8>> for Hs256 {
    fn verify(
        &self,
        message: &[u8],
        signature: &Vec<u8>,
    ) -> std::result::Result<(), signature::Error> {
        self.of(message)
            .verify_slice(signature)
            .map_err(signature::Error::from_source)
    }
}

impl JwtSigner for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

impl JwtVerifier for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}
