//! What is decided by figures that are too exact to agree by chance, in sentences with words that are not understood.

use model::Day;
use verify::figures::{self, LooseReading};

use super::FigureServices;
use super::check::check_one;
use super::finding::{FigureFinding, Verdict};
use crate::Result;
use crate::market::PointInTime;

/// How exact the figures that agree must be together, as a power of two, for a sentence to be supported.
const SUPPORTED: f64 = 5.5;

/// The same for another figure of the sentence to be wrong.
const CONTRADICTED: f64 = 9.0;

/// What the stored figures say of a figure of a sentence.
enum Said {
    /// They agree with one of its readings, and how exactly.
    Agrees(FigureFinding, f64),
    /// They agree with none of them.
    Differs(FigureFinding),
}

/// The finding of a sentence by its figures: supported where all agree, contradicted where exactly one does not, and the
/// others are exact enough to show that it is read as it is meant. `None` for all else.
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
    for figure in &loose {
        match ask(services, &figure.readings, when, today).await? {
            Some(Said::Agrees(finding, exact)) => {
                bits += exact;
                agreed.push(finding);
            }
            Some(Said::Differs(finding)) if differs.is_none() && figure.is_plain => {
                differs = Some((figure, finding));
            }
            _ => return Ok(None),
        }
    }
    let Some((figure, finding)) = differs else {
        return Ok((bits >= SUPPORTED)
            .then(|| FigureFinding::of_all(agreed))
            .flatten());
    };
    if bits >= CONTRADICTED {
        return Ok(Some(finding));
    }
    if !figure.is_whole {
        return Ok(None);
    }
    // It moved exactly as much, the other way.
    let turned: Vec<LooseReading> = figure
        .readings
        .iter()
        .filter_map(figures::turned_round)
        .collect();
    let Some(Said::Agrees(_, exact)) = ask(services, &turned, when, today).await? else {
        return Ok(None);
    };
    Ok((bits + exact >= CONTRADICTED).then_some(finding))
}

/// `None` where one of the readings is not decided and none agrees.
async fn ask(
    services: &FigureServices,
    readings: &[LooseReading],
    when: PointInTime,
    today: Day,
) -> Result<Option<Said>> {
    let mut differs = None;
    let mut is_open = false;
    for (place, reading) in readings.iter().enumerate() {
        match check_one(services, &reading.claim, when, today).await? {
            Some(found) if found.verdict == Verdict::Supported && !reading.is_rough => {
                let tried = (place + 1) as f64;
                return Ok(Some(Said::Agrees(found, reading.bits - tried.log2())));
            }
            Some(found) if found.verdict == Verdict::Contradicted => {
                differs.get_or_insert(found);
            }
            _ => is_open = true,
        }
    }
    Ok(differs.filter(|_| !is_open).map(Said::Differs))
}
