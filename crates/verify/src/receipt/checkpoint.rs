//! Checkpoints: the log's size and root, signed, in the format shared by transparency logs.
//!
//! The text is a note as defined by C2SP tlog-checkpoint and signed-note. Reading is strict: exactly one signature and
//! no extension lines, which is what this program writes, so that every byte of a checkpoint is vouched for.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::keys::{PrivateKey, PublicKey, Signature, SigningKeyId, parse_base64};
use super::{Error, Hash};

/// The signature type of Ed25519 in signed notes.
const ED25519: u8 = 1;

/// The state of the log at one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The name of the log, which is also the name of the key in the signature line.
    pub origin: String,
    /// Number of leaves in the tree.
    pub size: u64,
    /// The root of the tree.
    pub root: Hash,
}

/// A checkpoint that was read but not yet verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedCheckpoint {
    /// What it states.
    pub checkpoint: Checkpoint,
    key_hash: [u8; 4],
    signature: Signature,
}

impl Checkpoint {
    /// The state of the log whose receipts this key signs.
    pub fn new(key: SigningKeyId, size: u64, root: Hash) -> Self {
        Self {
            origin: Self::origin(key),
            size,
            root,
        }
    }

    /// The name of the log under this key.
    pub fn origin(key: SigningKeyId) -> String {
        format!("assay.log/{key}")
    }

    /// Signs the checkpoint: the whole note, as it is served.
    pub fn sign(&self, key: &PrivateKey) -> String {
        let text = self.note_text();
        let signature = key.sign(text.as_bytes());
        let key_hash = key_hash(&self.origin, &key.public_key());
        let signed = STANDARD.encode([&key_hash[..], signature.as_bytes()].concat());
        format!("{text}\n\u{2014} {} {signed}\n", self.origin)
    }

    /// The signed text: three lines.
    fn note_text(&self) -> String {
        let root = STANDARD.encode(self.root.as_bytes());
        format!("{}\n{}\n{root}\n", self.origin, self.size)
    }
}

impl SignedCheckpoint {
    /// Reads a note.
    pub fn parse(note: &str) -> Result<Self, Error> {
        let (text, signature_line) = note
            .split_once("\n\n")
            .ok_or(Error::Checkpoint("blank line"))?;
        let mut lines = text.split('\n');
        let (Some(origin), Some(size), Some(root), None) =
            (lines.next(), lines.next(), lines.next(), lines.next())
        else {
            return Err(Error::Checkpoint("text of three lines"));
        };
        if !is_name(origin) {
            return Err(Error::Checkpoint("origin"));
        }
        let root = parse_base64(root).ok_or(Error::Checkpoint("root"))?;
        let checkpoint = Checkpoint {
            origin: origin.to_owned(),
            size: parse_size(size).ok_or(Error::Checkpoint("size"))?,
            root: Hash::from_bytes(root),
        };
        let signed = signature_line
            .strip_prefix("\u{2014} ")
            .and_then(|line| line.strip_prefix(origin))
            .and_then(|line| line.strip_prefix(' '))
            .and_then(|line| line.strip_suffix('\n'))
            .and_then(parse_base64::<68>)
            .ok_or(Error::Checkpoint("signature line"))?;
        let (Some(key_hash), Some(signature)) = (signed.first_chunk(), signed.last_chunk()) else {
            return Err(Error::Checkpoint("signature line"));
        };
        Ok(Self {
            checkpoint,
            key_hash: *key_hash,
            signature: Signature::from_bytes(*signature),
        })
    }

    /// Whether the key signed it, under the name that belongs to the key.
    pub fn is_signed_by(&self, key: &PublicKey) -> bool {
        let checkpoint = &self.checkpoint;
        checkpoint.origin == Checkpoint::origin(key.id())
            && self.key_hash == key_hash(&checkpoint.origin, key)
            && key.verifies(checkpoint.note_text().as_bytes(), &self.signature)
    }
}

/// The key in the format that other transparency log tools accept: `<origin>+<key hash>+<type and key>`.
pub fn verifier_key(key: &PublicKey) -> String {
    let origin = Checkpoint::origin(key.id());
    let hash = hex::encode(key_hash(&origin, key));
    let typed = STANDARD.encode([&[ED25519], &key.as_bytes()[..]].concat());
    format!("{origin}+{hash}+{typed}")
}

/// Distinguishes keys with the same name; it proves nothing.
fn key_hash(name: &str, key: &PublicKey) -> [u8; 4] {
    let hash = Hash::of_parts(&[name.as_bytes(), b"\n", &[ED25519], key.as_bytes()]);
    *hash.as_bytes().first_chunk().unwrap_or(&[0; 4])
}

/// Key names have no spaces and no plus signs.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text
            .chars()
            .any(|sign| sign.is_whitespace() || sign.is_control() || sign == '+')
}

/// A decimal number without sign or leading zeros.
fn parse_size(text: &str) -> Option<u64> {
    text.parse()
        .ok()
        .filter(|size: &u64| size.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> PrivateKey {
        PrivateKey::from_random(&[1; 32])
    }

    fn checkpoint() -> Checkpoint {
        Checkpoint::new(key().public_key().id(), 20_852_163, Hash::of(b"root"))
    }

    /// The example in C2SP signed-note v1.0.0 has another signer; its parts must still be readable.
    #[test]
    fn reads_the_example_of_the_specification() {
        let note = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n\
            \u{2014} example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n";
        let signed = SignedCheckpoint::parse(note).unwrap();
        assert_eq!(signed.checkpoint.size, 20_852_163);
        assert_eq!(signed.checkpoint.origin, "example.com/behind-the-sofa");
        assert_eq!(hex::encode(signed.key_hash), "033de0ae");
        assert!(!signed.is_signed_by(&key().public_key()));
    }

    /// The example key of golang.org/x/mod/sumdb/note, whose hash is printed in its text.
    #[test]
    fn key_hashes_are_those_of_signed_notes() {
        let typed: [u8; 33] = parse_base64("ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW").unwrap();
        let key = PublicKey::from_bytes(typed.last_chunk().unwrap()).unwrap();
        assert_eq!(hex::encode(key_hash("PeterNeumann", &key)), "c74f20a3");
    }

    #[test]
    fn what_was_signed_is_read_and_verified() {
        let note = checkpoint().sign(&key());
        let signed = SignedCheckpoint::parse(&note).unwrap();
        assert_eq!(signed.checkpoint, checkpoint());
        assert!(signed.is_signed_by(&key().public_key()));
        let other = PrivateKey::from_random(&[2; 32]);
        assert!(!signed.is_signed_by(&other.public_key()));
        // Another log's name, although the signature is the key's own.
        let renamed = Checkpoint {
            origin: "assay.log/other".into(),
            ..checkpoint()
        };
        let renamed = SignedCheckpoint::parse(&renamed.sign(&key())).unwrap();
        assert!(!renamed.is_signed_by(&key().public_key()));
    }

    #[test]
    fn any_changed_character_is_refused() {
        let note = checkpoint().sign(&key());
        let verifies = |note: &str| {
            SignedCheckpoint::parse(note).is_ok_and(|note| note.is_signed_by(&key().public_key()))
        };
        assert!(verifies(&note));
        for (place, old) in note.char_indices() {
            let rest = &note[place + old.len_utf8()..];
            for new in ["", "A", "B", "0", "1", " ", "\n", "=", "\r\n"] {
                let changed = format!("{}{new}{rest}", &note[..place]);
                assert!(changed == note || !verifies(&changed), "{changed:?}");
            }
        }
        for more in ["\n", " ", "\u{2014} other.example AAAA\n"] {
            assert!(!verifies(&format!("{note}{more}")), "{more:?}");
        }
    }

    #[test]
    fn other_tools_are_given_the_key() {
        let key = key().public_key();
        let text = verifier_key(&key);
        let parts: Vec<&str> = text.splitn(3, '+').collect();
        assert_eq!(parts[0], format!("assay.log/{}", key.id()));
        assert_eq!(parts[1], hex::encode(key_hash(parts[0], &key)));
        assert_eq!(parse_base64::<33>(parts[2]).unwrap()[0], 1);
    }
}
