//! What the stored figures say about a claim.

use model::{Day, Symbol, Timestamp};
use verify::figures::Level;

use super::resolve::Target;

/// Why a claim cannot be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The figure is not on record.
    NoEvidence,
    /// The newest value on record is too old for a claim about now.
    Stale,
    /// Ordinary readings of the claim lead to different verdicts.
    Conflicting,
    /// Figures cannot decide the claim.
    NotCheckable,
}

impl Reason {
    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoEvidence => "no_evidence",
            Self::Stale => "stale",
            Self::Conflicting => "conflicting",
            Self::NotCheckable => "not_checkable",
        }
    }
}

/// Whether the figures agree with a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// They do.
    Supported,
    /// They do not.
    Contradicted,
    /// They do not decide it.
    Unverifiable(Reason),
}

/// A value that was used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Truth {
    /// Its day, or the first day of its month, quarter or year.
    pub day: Day,
    /// The value, in the unit of the finding.
    pub value: f64,
}

/// What the stored figures say about a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureFinding {
    /// Whether they agree.
    pub verdict: Verdict,
    /// One sentence with the right figure, or stating what is missing.
    pub statement: String,
    /// How the claim was read, such as `daily close, split-adjusted` or `year on year`.
    pub reading: String,
    /// The values used, oldest first; for a long period, only the decisive ones.
    pub truth: Vec<Truth>,
    /// The unit of the values: a currency code, `percent`, or what the series says.
    pub unit: String,
    /// The number in the claim, if it has one.
    pub claimed: Option<f64>,
    /// How far a value may be from it and still agree.
    pub tolerance: Option<f64>,
    /// Who published the values, as the store knows it.
    pub source: Option<String>,
    /// The address of the document, if there is one.
    pub url: Option<String>,
    /// When the newest value used became known.
    pub known_at: Option<Timestamp>,
    /// Whether that time is estimated from the usual delay of such a series rather than recorded.
    pub is_known_at_reckoned: bool,
    /// The listed instruments that the claim was taken to be about.
    pub symbols: Vec<Symbol>,
    /// The number that is said of a figure on record. If the claim stays open, a text that does not name the number says
    /// nothing about it.
    pub level: Option<Level>,
    /// Whether no text denies what the figures leave open: it is about a figure, but gives no number by which a text could
    /// be told to be about the same.
    pub is_undenied: bool,
    /// Whether no text can decide what the figures leave open: the figure is right, and the rest is about other figures.
    pub is_settled: bool,
}

impl FigureFinding {
    /// A claim that is not decided, with the reason in a sentence.
    pub(crate) fn open(reason: Reason, statement: impl Into<String>) -> Self {
        Self {
            verdict: Verdict::Unverifiable(reason),
            statement: statement.into(),
            reading: String::new(),
            truth: Vec::new(),
            unit: String::new(),
            claimed: None,
            tolerance: None,
            source: None,
            url: None,
            known_at: None,
            is_known_at_reckoned: false,
            symbols: Vec::new(),
            level: None,
            is_undenied: false,
            is_settled: false,
        }
    }

    /// The finding on a claim that was taken to be about this target.
    pub(super) fn about(mut self, target: &Target) -> Self {
        if let Target::Listing(listing) = target {
            self.symbols = vec![listing.instrument.symbol.clone()];
        }
        self
    }

    /// The finding on a sentence that makes several claims: one wrong claim contradicts it, and all must hold to
    /// support it. `None` if that leaves it open.
    pub(super) fn of_all(findings: Vec<Self>) -> Option<Self> {
        let wrong = findings
            .iter()
            .position(|found| found.verdict == Verdict::Contradicted);
        if let Some(wrong) = wrong {
            return findings.into_iter().nth(wrong);
        }
        let mut findings = findings.into_iter();
        let first = findings.next()?;
        findings
            .try_fold(first, |all, next| {
                let is_supported = |found: &Self| found.verdict == Verdict::Supported;
                (is_supported(&all) && is_supported(&next)).then(|| all.and(next))
            })
            .filter(|all| all.verdict == Verdict::Supported)
    }

    /// Both findings as one: the sentences and values of both, and the number from the first.
    fn and(mut self, other: Self) -> Self {
        if self.statement != other.statement {
            self.statement = format!("{} {}", self.statement, other.statement);
        }
        if self.unit == other.unit {
            self.truth.extend(other.truth);
        }
        self.symbols.extend(other.symbols);
        self.known_at = self.known_at.max(other.known_at);
        self.is_known_at_reckoned |= other.is_known_at_reckoned;
        self
    }

    /// The finding on a claim that denies what was checked.
    pub(super) fn denied(self) -> Self {
        let verdict = match self.verdict {
            Verdict::Supported => Verdict::Contradicted,
            Verdict::Contradicted => Verdict::Supported,
            other @ Verdict::Unverifiable(_) => other,
        };
        Self { verdict, ..self }
    }
}
