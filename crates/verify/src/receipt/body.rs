//! The content of a receipt, which is what is signed.

use std::fmt;

use model::{Score, Timestamp};
use serde::{Deserialize, Serialize};

use super::hash::parse_hex;
use super::{Error, Evidence, Hash};
use crate::verdict::{Reason, Verdict};

/// What is signed. The signature covers its canonical JSON, so the order of the fields does not matter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// The format of the receipt.
    pub version: Version,
    /// The receipt's id.
    pub id: ReceiptId,
    /// What was checked: the fields `kind` and `claim`.
    #[serde(flatten)]
    pub subject: Subject,
    /// The answer.
    pub verdict: Verdict,
    /// Why a claim is unverifiable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The confidence in the verdict, from 0 to 1.
    pub confidence: FourDecimals,
    /// The point in time as of which the claim was checked; absent for the present.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Timestamp>,
    /// What the verdict rests on, most important first.
    pub evidence: Vec<Evidence>,
    /// When the verdict was given.
    pub created_at: Timestamp,
    /// The engine that gave it.
    pub engine: Engine,
}

/// The format of a receipt. A later format changes the signed message too, so that no receipt can be read in two
/// formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Version {
    /// The only one so far.
    #[default]
    #[serde(rename = "assay-receipt-1")]
    One,
}

impl Version {
    /// The text in the field `version`, and the first line of the signed message.
    pub const TEXT: &str = "assay-receipt-1";
}

/// The id of a receipt: `vr_` and 32 hexadecimal digits. Anyone who knows it may read the receipt.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ReceiptId(String);

impl ReceiptId {
    /// The id made of these 128 random bits.
    pub fn from_random(bits: [u8; 16]) -> Self {
        Self(format!("vr_{}", hex::encode(bits)))
    }

    /// Reads `vr_` and 32 lower-case hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, Error> {
        text.strip_prefix("vr_")
            .and_then(parse_hex)
            .map(Self::from_random)
            .ok_or(Error::ReceiptId)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ReceiptId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<ReceiptId> for String {
    fn from(id: ReceiptId) -> Self {
        id.0
    }
}

impl TryFrom<String> for ReceiptId {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        Self::parse(&text)
    }
}

/// What was checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "claim", rename_all = "snake_case")]
pub enum Subject {
    /// One claim.
    Claim(String),
    /// A text with several claims, each with its own receipt.
    Output(OutputText),
    /// The answer of several agents to one question.
    Swarm(String),
}

/// A text that the receipt identifies without repeating it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutputText {
    /// SHA-256 of the text in UTF-8.
    pub sha256: Hash,
    /// Length of the text in UTF-8.
    pub length_bytes: u64,
    /// The receipts of its claims, in the order of the text.
    pub receipts: Vec<ReceiptId>,
}

impl OutputText {
    /// Identifies the text whose claims have these receipts.
    pub fn new(text: &str, receipts: Vec<ReceiptId>) -> Self {
        Self {
            sha256: Hash::of(text.as_bytes()),
            length_bytes: text.len() as u64,
            receipts,
        }
    }
}

/// A number from 0 to 1 with at most four decimals, so that every parser and printer produces the same text.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(from = "Score", into = "f64")]
pub struct FourDecimals(f64);

impl FourDecimals {
    /// The rounded number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl From<Score> for FourDecimals {
    fn from(score: Score) -> Self {
        // `+ 0.0` makes a negative zero positive.
        Self((score.get() * 10_000.0).round() / 10_000.0 + 0.0)
    }
}

impl From<FourDecimals> for f64 {
    fn from(number: FourDecimals) -> Self {
        number.0
    }
}

/// The program that gave a verdict. The same version gives the same verdict for the same evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Engine {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_decimals() {
        for (number, text) in [
            (0.0, "0.0"),
            (-0.0, "0.0"),
            (1.0, "1.0"),
            (0.5, "0.5"),
            (1.0 / 3.0, "0.3333"),
            (0.000_049, "0.0"),
            (0.999_95, "1.0"),
        ] {
            let rounded = FourDecimals::from(Score::new(number).unwrap());
            assert_eq!(serde_json::to_string(&rounded).unwrap(), text);
        }
    }

    #[test]
    fn ids_have_one_text() {
        let id = ReceiptId::from_random([0xab; 16]);
        assert_eq!(id.as_str(), "vr_abababababababababababababababab");
        assert_eq!(ReceiptId::parse(id.as_str()).unwrap(), id);
        for text in [
            "",
            "vr_",
            "vr_ABababababababababababababababab",
            "abababababababababababababababab",
        ] {
            assert!(ReceiptId::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_version_is_the_first_line_of_what_is_signed() {
        assert_eq!(serde_json::to_value(Version::One).unwrap(), Version::TEXT);
    }

    #[test]
    fn an_output_is_named_without_its_text() {
        let subject = Subject::Output(OutputText::new("é", vec![ReceiptId::from_random([0; 16])]));
        let json = serde_json::to_value(&subject).unwrap();
        assert_eq!(json["kind"], "output");
        assert_eq!(json["claim"]["length_bytes"], 2);
        assert_eq!(
            json["claim"]["receipts"][0],
            "vr_00000000000000000000000000000000"
        );
        assert_eq!(serde_json::from_value::<Subject>(json).unwrap(), subject);
    }
}
