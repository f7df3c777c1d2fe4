//! What an article or a brief states: events, figures, and points on which its sources contradict each other.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Score, Timestamp};

/// The eight kinds of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each kind names itself")]
pub enum EventKind {
    Acquisition,
    Funding,
    Launch,
    Partnership,
    Regulation,
    Lawsuit,
    Ipo,
    Bankruptcy,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Acquisition,
        Self::Funding,
        Self::Launch,
        Self::Partnership,
        Self::Regulation,
        Self::Lawsuit,
        Self::Ipo,
        Self::Bankruptcy,
    ];

    /// The word used in the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Acquisition => "acquisition",
            Self::Funding => "funding",
            Self::Launch => "launch",
            Self::Partnership => "partnership",
            Self::Regulation => "regulation",
            Self::Lawsuit => "lawsuit",
            Self::Ipo => "ipo",
            Self::Bankruptcy => "bankruptcy",
        }
    }
}

/// Something that happened or was announced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// What kind of thing happened.
    pub kind: EventKind,
    /// Who did it: the canonical name, if the entity is known.
    pub subject: String,
    /// To whom or what, if the text says so.
    pub object: Option<String>,
    /// The sum involved, if the text says so.
    pub value: Option<Amount>,
    /// The day on which it happened or is due to happen, as given in the text; otherwise the day of publication.
    /// Midnight UTC.
    pub date: Timestamp,
    /// How certain the text is about it; rumours and plans score below one half.
    pub confidence: Score,
    /// The sentence that states it.
    pub sentence: String,
}

/// A sum of money as the text gives it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Amount {
    /// As printed: `$4.2 billion`.
    pub printed: String,
    /// In whole units of the currency: `4200000000`.
    pub value: f64,
    /// ISO 4217 code, if the currency is named.
    pub currency: Option<String>,
}

/// What a figure measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DataPointKind {
    /// A sum in a currency.
    Money,
    /// A share or rate in percent.
    Percent,
    /// A number of people or things.
    Count,
    /// A number with a physical or market unit: barrels, basis points, degrees.
    Quantity,
}

impl DataPointKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Money, Self::Percent, Self::Count, Self::Quantity];

    /// The word used in the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Money => "money",
            Self::Percent => "percent",
            Self::Count => "count",
            Self::Quantity => "quantity",
        }
    }
}

/// A number, its unit and what it is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DataPoint {
    /// What it measures.
    pub kind: DataPointKind,
    /// The number in whole units: `4200000000` for `$4.2 billion`, `3.5` for `3.5 %`; negative for a fall.
    pub value: f64,
    /// Currency code, `%`, or the thing counted: `USD`, `people`, `barrels`.
    pub unit: String,
    /// As printed.
    pub printed: String,
    /// What it says about whom: the clause or sentence.
    pub context: String,
    /// The measure, such as `revenue` or `killed`, if it is named.
    pub measure: Option<String>,
    /// Whom it is about: the canonical name, if the entity is known.
    pub entity: Option<String>,
}

/// How serious a contradiction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// A detail, or figures that are close to each other.
    Minor,
    /// A figure or date that is part of the substance of the story.
    Moderate,
    /// The outcome itself, or figures that are far apart.
    Major,
}

impl Severity {
    /// Every severity.
    pub const ALL: [Self; 3] = [Self::Minor, Self::Moderate, Self::Major];

    /// The word used in the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Minor => "minor",
            Self::Moderate => "moderate",
            Self::Major => "major",
        }
    }
}

/// What two sources contradict each other on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Disagreement {
    /// Different numbers for the same measure.
    Number,
    /// Different dates for the same event.
    Date,
    /// Opposite outcomes.
    Outcome,
    /// One affirms what the other denies.
    Polarity,
}

impl Disagreement {
    /// The word used in the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Date => "date",
            Self::Outcome => "outcome",
            Self::Polarity => "polarity",
        }
    }
}

/// Two or more sources of the same story that cannot all be right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contradiction {
    /// What they differ on.
    pub kind: Disagreement,
    /// How serious it is.
    pub severity: Severity,
    /// Who says what; at least two claims.
    pub claims: Vec<SourceClaim>,
    /// What differs, which side the evidence favours, and why. Always a sentence.
    pub assessment: String,
}

/// What one source says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceClaim {
    /// Index into the sources of the brief.
    pub source: u32,
    /// Its sentence or headline.
    pub claim: String,
}

/// A word that is not one of those expected.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is not a known value")]
pub struct UnknownWord(pub String);

macro_rules! read_from_word {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let lower = text.trim().to_ascii_lowercase();
                Self::ALL
                    .into_iter()
                    .find(|each| each.as_str() == lower)
                    .ok_or_else(|| UnknownWord(text.chars().take(40).collect()))
            }
        }
    };
}

read_from_word!(EventKind);
read_from_word!(DataPointKind);
read_from_word!(Severity);
