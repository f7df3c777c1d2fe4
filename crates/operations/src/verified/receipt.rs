//! `/verify/receipt/{id}`: a signed receipt with the proof that it is in the log.

use serde::Serialize;
use utoipa::ToSchema;
use verify::receipt::{Disclosure, Receipt};

use crate::error::{Error, Result};
use crate::{About, Address, Arguments, Context, Keeping, Operation, Parameters};

/// The receipt, by its id.
pub(crate) struct ById {
    id: String,
}

impl Parameters for ById {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            id: arguments.path(
                "id",
                "Id of the receipt: `vr_` followed by 32 hexadecimal digits",
            ),
        }
    }
}

/// A receipt.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReceiptAnswer {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The receipt.
    #[schema(value_type = ReceiptShape)]
    receipt: Receipt,
}

/// A receipt as returned: the fields of the signed body, followed by their proof. Every field other than `hash`,
/// `signature`, `key_id`, `public_key`, `log` and `disclosures` belongs to the signed body.
#[derive(ToSchema)]
#[schema(as = Receipt)]
#[expect(dead_code, reason = "describes a shape of another crate")]
pub(crate) struct ReceiptShape {
    /// Format of the receipt, `assay-receipt-1`.
    version: String,
    /// Id of the receipt.
    id: String,
    /// `claim`, `output` or `swarm`.
    kind: String,
    /// The claim. For `output`, an object with the `sha256` and `length_bytes` of the text and the `receipts` of its
    /// claims.
    claim: serde_json::Value,
    /// `supported`, `contradicted`, `partially_supported` or `unverifiable`.
    verdict: String,
    /// Why it is unverifiable. Absent otherwise.
    #[schema(nullable = false)]
    reason: Option<String>,
    /// Probability that the verdict is right, as estimated when it was reached; from 0 to 1, with four decimals.
    confidence: f64,
    /// The time as of which the claim was examined. Absent if that is the time of the request.
    #[schema(nullable = false, format = "date-time")]
    as_of: Option<String>,
    /// The evidence for the verdict. Private evidence shows only its position, strength and salted hash.
    evidence: Vec<serde_json::Value>,
    /// When the verdict was reached.
    #[schema(format = "date-time")]
    created_at: String,
    /// Name and version of the engine that reached the verdict.
    engine: serde_json::Value,
    /// SHA-256 of the canonical body (RFC 8785), hexadecimal.
    hash: String,
    /// Ed25519 signature of `assay-receipt-1`, a line feed and the canonical body, base64.
    signature: String,
    /// Id of the key that signed the receipt.
    key_id: String,
    /// The key that signed the receipt, base64. Trust it only if you know its fingerprint.
    #[schema(nullable = false)]
    public_key: Option<String>,
    /// Where the receipt is in the log.
    log: LogShape,
    /// The content of private evidence. Shown only to the owner; absent if there is none.
    #[schema(nullable = false)]
    disclosures: Option<Vec<serde_json::Value>>,
}

/// Where a receipt is in the log, and the proof of it.
#[derive(ToSchema)]
#[schema(as = ReceiptLogEntry)]
#[expect(dead_code, reason = "describes a shape of another crate")]
pub(crate) struct LogShape {
    /// Index of the leaf, starting at 0.
    index: u64,
    /// Number of leaves in the log that the checkpoint covers.
    size: u64,
    /// Root of that log (RFC 6962), hexadecimal.
    root: String,
    /// Inclusion proof, from the leaf upwards, hexadecimal.
    proof: Vec<String>,
    /// Signed checkpoint in the format of C2SP tlog-checkpoint.
    checkpoint: String,
}

/// `GET /verify/receipt/{id}`.
pub(crate) struct ShowReceipt;

impl Operation for ShowReceipt {
    type Input = ById;
    type Output = ReceiptAnswer;

    const ABOUT: About = About {
        name: "show_verification_receipt",
        address: Address::get("/api/v1/verify/receipt/{id}"),
        subject: "verified",
        summary: "Shows a signed receipt with the proof that it is in the log.",
        description: "Anyone who knows the id may read the receipt. For evidence from documents and memories, only the owner sees more than the salted hash. `assay receipt verify` and docs/verify_receipt.py verify a receipt without this server.",
        answer: "The receipt",
        missing: Some("There is no such receipt"),
        example: r#"{"id": "vr_00000000000000000000000000000000"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
    };

    async fn run(context: Context, asked: ById) -> Result<ReceiptAnswer> {
        let stored = context.store.receipts().find(asked.id.trim()).await?;
        let stored = stored.ok_or_else(|| Error::not_found("there is no such receipt"))?;
        let mut receipt = context
            .receipts
            .served(&stored, context.attempt.now)
            .await?;
        let is_owner = match (&context.caller.member, stored.receipt.account) {
            (Some(member), Some(account)) => member.account == account,
            _ => false,
        };
        if let Some(disclosures) = stored.receipt.disclosures.as_deref().filter(|_| is_owner) {
            let disclosures: Vec<Disclosure> =
                serde_json::from_str(disclosures).map_err(Error::internal)?;
            receipt = receipt.with_disclosures(disclosures);
        }
        Ok(ReceiptAnswer {
            status: "ok",
            receipt,
        })
    }
}
