//! A signer with a log, and receipts whose texts are hard to write and to sort.

use std::collections::HashMap;

use model::{PublicBriefId, Score, Timestamp};
use verify::receipt::keys::{PrivateKey, PublicKey};
use verify::receipt::tree::{Frontier, ProofPlan, Subtree};
use verify::receipt::{
    Body, Checkpoint, Disclosure, Engine, Evidence, Hash, LogEntry, OutputText, PrivateSource,
    PublicEvidence, PublicSource, Receipt, ReceiptId, Signed, Subject, Version,
};
use verify::verdict::{Position, Reason, Verdict};

const NOW: Timestamp = Timestamp::from_ms(1_772_366_400_000);

/// A key and the log of what it signed.
pub(crate) struct Signer {
    key: PrivateKey,
    frontier: Frontier,
    rows: HashMap<Subtree, Hash>,
    entries: Vec<Signed>,
}

impl Signer {
    pub(crate) fn new(seed: u8) -> Self {
        Self {
            key: PrivateKey::from_random(&[seed; 32]),
            frontier: Frontier::default(),
            rows: HashMap::new(),
            entries: Vec::new(),
        }
    }

    pub(crate) fn public_key(&self) -> PublicKey {
        self.key.public_key()
    }

    /// Signs the body and returns the number of its leaf.
    pub(crate) fn append(&mut self, body: &Body) -> u64 {
        let signed = Signed::new(body, &self.key).unwrap();
        for node in self.frontier.append(signed.leaf_hash()) {
            self.rows.insert(node.subtree, node.hash);
        }
        self.entries.push(signed);
        self.frontier.size() - 1
    }

    /// The receipt of a leaf, with a proof to the present root.
    pub(crate) fn receipt(&self, index: u64) -> Receipt {
        let size = self.frontier.size();
        let root = self.frontier.root();
        let plan = ProofPlan::inclusion(index, size).unwrap();
        let log = LogEntry {
            index,
            size,
            root,
            proof: plan
                .assemble(|subtree| self.rows.get(&subtree).copied())
                .unwrap(),
            checkpoint: Checkpoint::new(self.public_key().id(), size, root).sign(&self.key),
        };
        Receipt::new(&self.entries[index as usize], self.public_key(), log)
    }

    /// The file of a receipt.
    pub(crate) fn file(&self, index: u64) -> Vec<u8> {
        serde_json::to_vec_pretty(&self.receipt(index)).unwrap()
    }
}

pub(crate) fn disclosure() -> Disclosure {
    Disclosure::new(
        [9; 16],
        "Our own margin fell to 3 %. \u{2028}\"Confidential\" 🤫".into(),
        "board/minutes.md".into(),
    )
}

/// A body with the given number, claim and confidence, and evidence of every kind.
pub(crate) fn body(number: u8, claim: &str, confidence: f64) -> Body {
    let share = |value| Score::new(value).unwrap().into();
    let public = |source, name: &str, strength| {
        Evidence::Public(PublicEvidence {
            source,
            name: name.into(),
            url: Some("https://example.com/a?b=\"c\"&d=é".into()),
            brief_id: Some(PublicBriefId::new(NOW, 42)),
            published: Some(NOW.plus_ms(-1)),
            position: Position::Supports,
            strength: share(strength),
            content_hash: Hash::of(name.as_bytes()),
            snippet: format!("{claim} \\ / \u{7f}\u{0}\t"),
        })
    };
    Body {
        version: Version::One,
        id: ReceiptId::from_random([number; 16]),
        subject: Subject::Claim(claim.into()),
        verdict: Verdict::Supported,
        reason: None,
        confidence: share(confidence),
        as_of: None,
        evidence: vec![
            public(PublicSource::Corpus, "Süddeutsche", 1.0),
            public(PublicSource::Live, "", 0.0),
            public(PublicSource::Data, "close:NVDA", 1.0 / 3.0),
            Evidence::private(
                PrivateSource::Knowledge,
                Position::Contradicts,
                share(0.5),
                &disclosure(),
            ),
        ],
        created_at: NOW,
        engine: Engine {
            name: "assay".into(),
            version: "0.1.0".into(),
        },
    }
}

/// A signer that has signed claims with odd texts, an output and a swarm.
pub(crate) fn busy_signer() -> Signer {
    let mut signer = Signer::new(1);
    let claims = [
        ("The Fed cut rates by 0.25 points.", 0.5),
        ("\"Quoted\", \\escaped\\ and 'single'", 0.0),
        ("Emoji 😀👩‍👩‍👧 and \u{fb33} sort apart", 1.0),
        ("line\u{2028}paragraph\u{2029}end\r\n\u{b}", 1.0 / 3.0),
        ("المصرف المركزي \u{202e}reversed\u{feff}", 0.1),
        ("</script>&amp;\u{10ffff}", 0.0001),
    ];
    for (number, (claim, confidence)) in claims.into_iter().enumerate() {
        signer.append(&body(number as u8, claim, confidence));
    }
    let ids = vec![
        ReceiptId::from_random([0; 16]),
        ReceiptId::from_random([1; 16]),
    ];
    signer.append(&Body {
        subject: Subject::Output(OutputText::new("Two claims. In one text.", ids)),
        verdict: Verdict::Unverifiable,
        reason: Some(Reason::NotCheckable),
        as_of: Some(NOW.plus_ms(-Timestamp::DAY_MS)),
        evidence: Vec::new(),
        ..body(100, "", 0.9999)
    });
    signer.append(&Body {
        subject: Subject::Swarm("Is it so?".into()),
        verdict: Verdict::PartiallySupported,
        ..body(101, "", 0.75)
    });
    signer.append(&body(102, "The last of an odd number", 0.25));
    signer
}
