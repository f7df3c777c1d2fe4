//! The rate set by the central bank. Its target is a range a quarter of a point wide, and the rate that the market
//! pays is within it. If only the market rate is on record, it can show that a target fits but not that it does not.

use model::{Day, Frequency};
use verify::figures::{Amount, Assertion, Bound, FigureClaim, Period, Unit};

use super::judge;
use crate::claims::finding::{FigureFinding, Reason, Verdict};
use crate::claims::line::{Line, Published};

/// The target in the table of series.
pub(in crate::claims) const CODE: &str = "fed_target";
/// The width of the range, and the step by which the target is moved.
const STEP: f64 = 0.25;
/// How far from the lower end of the range the market rate stays: at that end itself it is the upper one of another range.
const INSIDE: f64 = 0.02;

/// What the data on a target says about a claim about it.
pub(in crate::claims) fn judge_target(
    claim: &FigureClaim,
    lines: &[Line],
    today: Day,
) -> FigureFinding {
    let is_target = |line: &&Line| matches!(&line.published, Published::AsSeries(series) if series.id.0.starts_with("macro:DFEDTAR"));
    let targets: Vec<Line> = lines.iter().filter(is_target).cloned().collect();
    if !targets.is_empty() {
        return judge(claim, &targets, &[], today);
    }
    let asked = FigureClaim {
        assertions: claim.assertions.iter().map(within_range).collect(),
        is_negated: false,
        ..claim.clone()
    };
    let sizes = |one: &Assertion| matches!(one, Assertion::Change { size: Some(_), .. });
    let effective: Vec<Line> = lines
        .iter()
        .filter(|line| {
            // The mean of a month in which the target moved shows only part of the move.
            line.frequency == Frequency::Daily || !claim.assertions.iter().any(sizes)
        })
        .map(|line| Line {
            name: "effective federal funds rate".to_owned(),
            reading: line.frequency.as_str().to_owned(),
            ..line.clone()
        })
        .collect();
    let found = judge(&asked, &effective, &[], today);
    let found = if found.verdict == Verdict::Contradicted && !shows_direction(claim, &found) {
        FigureFinding {
            verdict: Verdict::Unverifiable(Reason::NoEvidence),
            statement: format!(
                "{} The target range itself is not held, and what the market pays cannot contradict it.",
                found.statement
            ),
            ..found
        }
    } else {
        found
    };
    if claim.is_negated {
        found.denied()
    } else {
        found
    }
}

/// A number for the target as the rate that the market then pays: at most one range width below it. A change is made
/// in whole steps.
fn within_range(assertion: &Assertion) -> Assertion {
    let word = |bound: &Bound, below: f64, above: f64| {
        let amount = Amount {
            unit: Unit::Percent,
            ..bound
                .amount()
                .times(if bound.amount().unit == Unit::BasisPoints {
                    0.01
                } else {
                    1.0
                })
        };
        Bound::Word {
            amount,
            from: amount.value - below,
            to: amount.value + above,
        }
    };
    let is_rate = |bound: &Bound| {
        matches!(bound, Bound::Equal(_))
            && matches!(
                bound.amount().unit,
                Unit::Bare | Unit::Percent | Unit::Points | Unit::BasisPoints
            )
    };
    match assertion {
        Assertion::Value(bound) if is_rate(bound) => {
            Assertion::Value(word(bound, STEP - INSIDE, 0.0))
        }
        Assertion::From(bound) if is_rate(bound) => {
            Assertion::From(word(bound, STEP - INSIDE, 0.0))
        }
        Assertion::Change {
            direction,
            size: Some(bound),
        } if is_rate(bound) => Assertion::Change {
            direction: *direction,
            size: Some(match word(bound, STEP / 2.0, STEP / 2.0) {
                // Just short of half a step, because a half rounds to neither.
                Bound::Word { amount, from, to } => Bound::Word {
                    amount: Amount {
                        unit: Unit::Points,
                        ..amount
                    },
                    from: from + 0.001,
                    to: to - 0.001,
                },
                other => other,
            }),
        },
        other => other.clone(),
    }
}

/// Whether the market rate shows which way the target went: over a month or longer and by more than half a step.
fn shows_direction(claim: &FigureClaim, found: &FigureFinding) -> bool {
    let is_direction = |one: &Assertion| matches!(one, Assertion::Change { size: None, .. });
    let is_long = match claim.period {
        Period::In(span) => span.last.since(span.first) >= 27,
        Period::Between(first, last) => last.last.since(first.first) >= 27,
        _ => false,
    };
    let moved = match &found.truth[..] {
        [from, .., to] => (to.value - from.value).abs() > STEP / 2.0,
        _ => false,
    };
    is_long && moved && claim.assertions.iter().all(is_direction)
}
