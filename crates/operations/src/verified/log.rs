//! `/verify/log/…`: the state of the log, the proof that one state continues another, and the keys that sign it.

use serde::Serialize;
use utoipa::ToSchema;
use verify::receipt::keys::PublicKey;
use verify::receipt::tree::ProofPlan;
use verify::receipt::{SignedCheckpoint, verifier_key};

use crate::error::{Error, Result};
use crate::{About, Address, Arguments, Context, Keeping, Operation, Parameters};

/// The newest checkpoint.
#[derive(Serialize, ToSchema)]
pub(crate) struct CheckpointBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Number of receipts in the log.
    size: u64,
    /// Root of the log (RFC 6962), hexadecimal.
    root: String,
    /// Id of the key that signed the checkpoint.
    key_id: String,
    /// The signed note in the format of C2SP tlog-checkpoint.
    checkpoint: String,
}

/// `GET /verify/log/checkpoint`.
pub(crate) struct ShowCheckpoint;

impl Operation for ShowCheckpoint {
    type Input = ();
    type Output = CheckpointBody;

    const ABOUT: About = About {
        name: "show_log_checkpoint",
        address: Address::get("/api/v1/verify/log/checkpoint"),
        subject: "verified",
        summary: "Shows the latest signed checkpoint of the receipt log.",
        description: "If you keep a checkpoint, you can later prove with `/verify/log/consistency` that nothing before it was changed.",
        answer: "The checkpoint",
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, (): ()) -> Result<CheckpointBody> {
        let checkpoint = context.receipts.checkpoint(context.attempt.now).await?;
        let parsed = SignedCheckpoint::parse(&checkpoint.text).map_err(Error::internal)?;
        let origin = &parsed.checkpoint.origin;
        Ok(CheckpointBody {
            status: "ok",
            size: checkpoint.size,
            root: parsed.checkpoint.root.to_string(),
            key_id: origin.rsplit('/').next().unwrap_or(origin).to_owned(),
            checkpoint: checkpoint.text,
        })
    }
}

/// Two sizes of the log.
pub(crate) struct Sizes {
    from: u64,
    to: Option<u64>,
}

impl Parameters for Sizes {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        const MOST: u64 = 1 << 53;
        let from = arguments.integer("from", 1..=MOST, 1, "Size of the earlier checkpoint");
        let to = arguments.optional_integer(
            "to",
            1..=MOST,
            "Size of the later checkpoint; by default the latest",
        );
        arguments.in_order(Some(from), to);
        Self { from, to }
    }
}

/// The proof that one state of the log continues another.
#[derive(Serialize, ToSchema)]
pub(crate) struct ConsistencyBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Size of the earlier log.
    from: u64,
    /// Size of the later log.
    to: u64,
    /// Root of the earlier log, hexadecimal.
    from_root: String,
    /// Root of the later log, hexadecimal.
    to_root: String,
    /// Consistency proof of RFC 6962, hexadecimal.
    proof: Vec<String>,
}

/// `GET /verify/log/consistency`.
pub(crate) struct ProveConsistency;

impl Operation for ProveConsistency {
    type Input = Sizes;
    type Output = ConsistencyBody;

    const ABOUT: About = About {
        name: "prove_log_consistency",
        address: Address::get("/api/v1/verify/log/consistency"),
        subject: "verified",
        summary: "Proves that the log at one size is the beginning of the log at another size.",
        answer: "The proof",
        missing: Some("The log never had that size"),
        example: r#"{"from": 1}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, asked: Sizes) -> Result<ConsistencyBody> {
        let size = context.store.log().size().await?;
        let (from, to) = (asked.from, asked.to.unwrap_or(size));
        if from.max(to) > size {
            return Err(Error::not_found(format!(
                "the log has {size} receipts and never had that size"
            )));
        }
        let plan = ProofPlan::consistency(from, to)
            .ok_or_else(|| Error::internal("a consistency proof could not be planned"))?;
        let receipts = &context.receipts;
        Ok(ConsistencyBody {
            status: "ok",
            from,
            to,
            from_root: receipts.root(from).await?.to_string(),
            to_root: receipts.root(to).await?.to_string(),
            proof: receipts
                .proof(&plan)
                .await?
                .iter()
                .map(ToString::to_string)
                .collect(),
        })
    }
}

/// The keys of a server.
#[derive(Serialize, ToSchema)]
pub(crate) struct KeysBody {
    /// The current signing key, followed by earlier signing keys.
    keys: Vec<SigningKey>,
}

/// A public key.
#[derive(Serialize, ToSchema)]
#[schema(as = SigningKey)]
pub(crate) struct SigningKey {
    /// Id of the key: the first 16 hexadecimal digits of its fingerprint.
    key_id: String,
    /// `ed25519`.
    algorithm: &'static str,
    /// The 32 bytes of the key, base64.
    public_key: String,
    /// `sha256:` and the SHA-256 of the key, hexadecimal.
    fingerprint: String,
    /// The key in the format used by transparency log tools.
    verifier_key: String,
    /// `active` or `retired`.
    status: &'static str,
}

impl SigningKey {
    fn new(key: &PublicKey, status: &'static str) -> Self {
        Self {
            key_id: key.id().to_string(),
            algorithm: "ed25519",
            public_key: key.to_base64(),
            fingerprint: key.fingerprint().to_string(),
            verifier_key: verifier_key(key),
            status,
        }
    }
}

/// `GET /.well-known/assay-keys.json`.
pub(crate) struct ShowKeys;

impl Operation for ShowKeys {
    type Input = ();
    type Output = KeysBody;

    const ABOUT: About = About {
        name: "show_signing_keys",
        address: Address::get("/.well-known/assay-keys.json"),
        subject: "operations",
        summary: "Shows the public keys with which this server signs receipts.",
        description: "A key that comes from the same server as the receipt proves little: compare its fingerprint once through another channel.",
        answer: "The keys",
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, (): ()) -> Result<KeysBody> {
        let keys = context.receipts.keys();
        let active = SigningKey::new(&keys.active.public_key(), "active");
        let retired = keys
            .retired
            .iter()
            .map(|key| SigningKey::new(key, "retired"));
        Ok(KeysBody {
            keys: std::iter::once(active).chain(retired).collect(),
        })
    }
}
