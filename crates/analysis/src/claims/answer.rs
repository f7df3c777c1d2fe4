//! One reading of one thing that a claim says, answered from the values, and how several readings are combined into a
//! verdict.

use model::Day;
use verify::figures::{Bound, Unit};

use super::finding::{FigureFinding, Reason, Truth, Verdict};
use super::line::{Line, Point, Scale};

/// Why a reading has no answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Gap {
    pub(super) reason: Reason,
    pub(super) sentence: String,
    /// The day of the newest value, if that value is too old.
    pub(super) newest: Option<Day>,
}

impl Gap {
    pub(super) fn new(reason: Reason, sentence: impl Into<String>) -> Self {
        Self {
            reason,
            sentence: sentence.into(),
            newest: None,
        }
    }

    pub(super) fn absent(sentence: impl Into<String>) -> Self {
        Self::new(Reason::NoEvidence, sentence)
    }
}

/// What one reading says.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) holds: bool,
    /// A sentence with the figure, without the reading and without the full stop.
    pub(super) sentence: String,
    pub(super) reading: String,
    pub(super) truth: Vec<Truth>,
    pub(super) unit: String,
    pub(super) bound: Option<Bound>,
    /// Whether this is the reading that people mean if they do not say otherwise.
    pub(super) is_usual: bool,
    pub(super) source: String,
    pub(super) known_at: Option<model::Timestamp>,
    pub(super) is_known_at_reckoned: bool,
}

impl Answer {
    /// An answer from points on a line.
    pub(super) fn of(line: &Line, holds: bool, sentence: String, points: &[Point]) -> Self {
        let truth = points.iter().map(|point| Truth {
            day: point.day,
            value: point.value,
        });
        Self {
            holds,
            sentence,
            reading: line.reading.clone(),
            truth: truth.collect(),
            unit: line.unit().to_owned(),
            bound: None,
            is_usual: true,
            source: line.source.clone(),
            known_at: points.iter().map(|point| line.known_at(point.day)).max(),
            is_known_at_reckoned: line.is_known_at_reckoned(),
        }
    }

    /// The finding that follows from this answer alone.
    pub(super) fn finding(self, verdict: Verdict) -> FigureFinding {
        let statement = if self.reading.is_empty() {
            format!("{}.", self.sentence)
        } else {
            format!("{} ({}).", self.sentence, self.reading)
        };
        let (claimed, tolerance) = match &self.bound {
            Some(bound) => {
                let amount = bound.amount();
                let about = matches!(bound, Bound::About(_));
                let tolerance = match bound {
                    Bound::Word { from, .. } => Some((amount.value - from).abs()),
                    _ => bound.is_equality().then(|| amount.tolerance(about)),
                };
                (Some(amount.value), tolerance)
            }
            None => (None, None),
        };
        FigureFinding {
            verdict,
            statement,
            reading: self.reading,
            truth: self.truth,
            unit: self.unit,
            claimed,
            tolerance,
            source: Some(self.source),
            url: None,
            known_at: self.known_at,
            is_known_at_reckoned: self.is_known_at_reckoned,
            symbols: Vec::new(),
            level: None,
            is_undenied: false,
            is_settled: false,
        }
    }
}

/// The finding from several readings. A number that agrees under any ordinary reading is supported by that reading; if
/// sides are compared, the usual readings must agree.
pub(super) fn combine(
    answers: Vec<std::result::Result<Answer, Gap>>,
    is_equality: bool,
) -> FigureFinding {
    let mut gaps = Vec::new();
    let mut found = Vec::new();
    for answer in answers {
        match answer {
            Ok(answer) => found.push(answer),
            Err(gap) => gaps.push(gap),
        }
    }
    if is_equality && let Some(place) = found.iter().position(|answer| answer.holds) {
        return found.swap_remove(place).finding(Verdict::Supported);
    }
    // A conflict within one series does not matter if a usual one has an answer.
    let conflict = gaps
        .iter()
        .position(|gap| gap.reason == Reason::Conflicting);
    let is_answered = found.iter().any(|answer| answer.is_usual);
    if let Some(place) = conflict.filter(|_| !is_answered) {
        let gap = gaps.swap_remove(place);
        return FigureFinding::open(gap.reason, gap.sentence);
    }
    let has_usual = found.iter().any(|answer| answer.is_usual);
    let counted: Vec<Answer> = found
        .into_iter()
        .filter(|answer| answer.is_usual || !has_usual)
        .collect();
    let holds: Vec<bool> = counted.iter().map(|answer| answer.holds).collect();
    let mut counted = counted.into_iter();
    let Some(first) = counted.next() else {
        // If several series are too old, the newest is reported.
        let newest = gaps.iter().filter_map(|gap| gap.newest).max();
        let told = gaps.iter().position(|gap| gap.newest == newest);
        return match gaps.into_iter().nth(told.unwrap_or(0)) {
            Some(gap) => FigureFinding::open(gap.reason, gap.sentence),
            None => FigureFinding::open(Reason::NoEvidence, "The figure is not on record."),
        };
    };
    if holds.iter().all(|one| *one) {
        first.finding(Verdict::Supported)
    } else if holds.iter().any(|one| *one) {
        let other = counted.find(|answer| answer.holds != first.holds);
        let other = other.map_or_else(String::new, |other| {
            format!(" {} ({}).", other.sentence, other.reading)
        });
        let finding = first.finding(Verdict::Unverifiable(Reason::Conflicting));
        FigureFinding {
            statement: format!("{}{other}", finding.statement),
            ..finding
        }
    } else {
        first.finding(Verdict::Contradicted)
    }
}

/// The bound in the unit of a line, for the figure itself.
pub(super) fn fitted(bound: Bound, line: &Line) -> std::result::Result<Bound, Gap> {
    let percent = line.scale == Scale::Percent;
    let other_unit = || {
        Err(Gap::absent(format!(
            "{} is measured in {}, but the claim's number is not.",
            line.name,
            if line.unit().is_empty() {
                "plain numbers"
            } else {
                line.unit()
            }
        )))
    };
    match bound.amount().unit {
        Unit::BasisPoints if percent => Ok(bound.map(|amount| amount.times(0.01))),
        Unit::Percent | Unit::Points if percent => Ok(bound),
        Unit::Percent | Unit::Points | Unit::BasisPoints | Unit::Fraction => other_unit(),
        // A price in cents is also kept in dollars.
        Unit::Money(_) if line.is_in_cents() => other_unit(),
        Unit::Money(code) => match &line.scale {
            Scale::Money(held) if held != code => other_unit(),
            Scale::Percent => other_unit(),
            _ => Ok(bound),
        },
        _ => Ok(bound),
    }
}
