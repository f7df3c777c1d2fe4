//! Published test vectors, OpenSSL's files, and inputs that are refused.

use sha2::Digest as _;

use super::*;

/// RFC 8032, section 7.1, test 2.
const SEED: &str = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb";
const PUBLIC: &str = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
const SIGNATURE: &str = "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";

/// RFC 8410, section 10.3 and 10.1: the same key in both PEM forms.
const RFC_PRIVATE: &str = "-----BEGIN PRIVATE KEY-----\n\
    MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n\
    -----END PRIVATE KEY-----\n";
const RFC_PUBLIC: &str = "-----BEGIN PUBLIC KEY-----\n\
    MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n\
    -----END PUBLIC KEY-----\n";

fn key() -> PrivateKey {
    PrivateKey::from_random(&parse_hex(SEED).unwrap())
}

#[test]
fn signs_as_rfc_8032_does() {
    let public = key().public_key();
    assert_eq!(hex::encode(public.as_bytes()), PUBLIC);
    let signature = key().sign(&[0x72]);
    assert_eq!(hex::encode(signature.as_bytes()), SIGNATURE);
    assert!(public.verifies(&[0x72], &signature));
    assert!(!public.verifies(&[0x73], &signature));
    for bit in 0..512 {
        let mut bytes = *signature.as_bytes();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(
            !public.verifies(&[0x72], &Signature::from_bytes(bytes)),
            "bit {bit}"
        );
    }
}

#[test]
fn pem_is_that_of_rfc_8410() {
    let private = PrivateKey::from_pem(RFC_PRIVATE).unwrap();
    assert_eq!(private.to_pem().unwrap().as_str(), RFC_PRIVATE);
    assert_eq!(private.public_key().to_pem().unwrap(), RFC_PUBLIC);
    assert_eq!(
        PublicKey::from_pem(RFC_PUBLIC).unwrap(),
        private.public_key()
    );
}

#[test]
fn openssl_reads_both_files() {
    use std::process::Command;

    if Command::new("openssl").arg("version").output().is_err() {
        println!("left out: there is no openssl");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key.pem");
    std::fs::write(&file, key().to_pem().unwrap().as_bytes()).unwrap();
    let output = Command::new("openssl")
        .args(["pkey", "-pubout", "-in"])
        .arg(&file)
        .output()
        .unwrap();
    let public = String::from_utf8(output.stdout).unwrap();
    assert_eq!(public, key().public_key().to_pem().unwrap());
}

#[test]
fn a_key_has_an_id_and_a_fingerprint() {
    let public = key().public_key();
    let fingerprint = public.fingerprint().to_string();
    let digits = hex::encode(sha2::Sha256::digest(public.as_bytes()));
    assert_eq!(fingerprint, format!("sha256:{digits}"));
    assert_eq!(public.id().to_string(), digits[..16]);
    assert_eq!(
        Fingerprint::parse(&fingerprint).unwrap(),
        public.fingerprint()
    );
    assert_eq!(SigningKeyId::parse(&digits[..16]).unwrap(), public.id());
    assert!(SigningKeyId::parse(&digits[..16].to_uppercase()).is_err());
}

#[test]
fn a_private_key_does_not_print_itself() {
    assert_eq!(format!("{:?}", key()), "PrivateKey(masked)");
    let error = PrivateKey::from_pem(&RFC_PRIVATE.replace("MC4C", "MC4D")).unwrap_err();
    assert!(!format!("{error:?} {error}").contains("INTuctv5"));
}

#[test]
fn refuses_what_is_no_key() {
    let base64 = key().public_key().to_base64();
    assert!(PublicKey::from_base64(&base64).is_ok());
    let bad = [
        base64.trim_end_matches('=').to_owned(),
        format!("{base64}\n"),
        format!(" {base64}"),
        base64[4..].to_owned(),
        // The unused bits of the last digit.
        base64.replace("w=", "x="),
        // The neutral point, under which many messages have one signature.
        STANDARD.encode([&[1_u8][..], &[0; 31]].concat()),
    ];
    for text in bad {
        assert!(PublicKey::from_base64(&text).is_err(), "{text:?}");
    }
    assert!(PublicKey::from_pem(RFC_PRIVATE).is_err());
    assert!(PrivateKey::from_pem(RFC_PUBLIC).is_err());
    assert!(Fingerprint::parse("sha256:00").is_err());
}
