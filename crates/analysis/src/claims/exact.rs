//! Decides sentences containing words that are not understood, using figures too exact to agree by chance.

use model::Day;
use verify::figures::{self, FigureClaim, LooseReading};

use super::FigureServices;
use super::check::check_one;
use super::finding::{FigureFinding, Verdict};
use crate::Result;
use crate::market::PointInTime;

/// How exact the agreeing figures must be together, as a power of two, for a sentence to be supported.
const SUPPORTED: f64 = 5.5;

/// The same, for another figure in the sentence to be wrong.
const CONTRADICTED: f64 = 9.0;

/// The beginning of the sentence that says which words were not understood.
pub(super) const NOT_CHECKED: &str = "Only the figures were checked";

/// What the stored figures say about one figure in a sentence.
enum Outcome {
    /// They agree with one of its readings, and how exactly.
    Agrees(FigureFinding, f64),
    /// They agree with none of them.
    Differs(FigureFinding),
}

/// The finding on a sentence from its figures: supported if all agree; contradicted if exactly one does not, and the
/// others are exact enough to show that the sentence is read as it is meant. Otherwise `None`.
pub(super) async fn by_exact_figures(
    services: &FigureServices,
    text: &str,
    when: PointInTime,
    today: Day,
) -> Result<Option<FigureFinding>> {
    let Some(loose) = figures::loose_claims(text, today) else {
        return Ok(None);
    };
    let mut agreed = Vec::new();
    let mut differs = None;
    let mut bits = 0.0;
    let mut counted: Vec<&FigureClaim> = Vec::new();
    for figure in &loose.figures {
        match check_readings(services, &figure.readings, when, today).await? {
            Some(Outcome::Agrees(finding, exact)) => {
                // Repeating it makes it no more certain.
                let claim = &figure.readings[0].claim;
                if !counted.contains(&claim) {
                    bits += exact;
                    counted.push(claim);
                }
                agreed.push(finding);
            }
            Some(Outcome::Differs(finding)) if differs.is_none() && figure.is_plain => {
                differs = Some(finding);
            }
            _ => return Ok(None),
        }
    }
    let found = match differs {
        None if bits >= SUPPORTED => FigureFinding::of_all(agreed),
        Some(finding) if bits >= CONTRADICTED => Some(finding),
        _ => None,
    };
    Ok(found.map(|found| FigureFinding {
        statement: format!("{}{}", found.statement, passed_over(&loose.passed_over)),
        ..found
    }))
}

/// The sentence that says which words were not understood; empty if there were none.
pub(super) fn passed_over(words: &[String]) -> String {
    if words.is_empty() {
        return String::new();
    }
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    format!(
        " {NOT_CHECKED}, not what else is said ({}).",
        quoted.join(", ")
    )
}

/// `None` if one of the readings is not decided and none agrees.
async fn check_readings(
    services: &FigureServices,
    readings: &[LooseReading],
    when: PointInTime,
    today: Day,
) -> Result<Option<Outcome>> {
    let mut differs = None;
    let mut is_open = false;
    for (place, reading) in readings.iter().enumerate() {
        match check_one(services, &reading.claim, when, today).await? {
            Some(found) if found.verdict == Verdict::Supported && !reading.is_rough => {
                let tried = (place + 1) as f64;
                return Ok(Some(Outcome::Agrees(found, reading.bits - tried.log2())));
            }
            Some(found) if found.verdict == Verdict::Contradicted => {
                differs.get_or_insert(found);
            }
            _ => is_open = true,
        }
    }
    Ok(differs.filter(|_| !is_open).map(Outcome::Differs))
}
