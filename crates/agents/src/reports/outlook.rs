//! Where the price may go over one, three and twelve months: the forecast of the service, with the same figures as
//! `/forecast` gives for the same horizons.
//!
//! For each horizon there are three cases of which exactly one comes true, so that their probabilities add up to 1; the
//! range that should hold eight times in ten; and how forecasts of this kind performed on earlier days.

use market::forecast::Calibration;

use super::document::{Block, Section};
use super::facts::{Facts, Kind};
use super::points::{Point, Theme, sentences};
use super::words::{day, pct, signed};
use crate::forecast::{self, Ahead, Base, Listed};
use crate::runs::Run;

/// The horizons, in the words in which a caller of the forecast would name them.
const HORIZONS: [&str; 3] = ["1 month", "3 months", "12 months"];
/// Recent swings that differ from the usual ones by more than this are worth mentioning.
const CALM: f64 = 0.85;
const UNREST: f64 = 1.15;
/// The fewest non-overlapping periods from which their share is meaningful.
const ENOUGH_TIMES: f64 = 8.0;

/// The forecast for the subject.
#[derive(Clone, Debug)]
pub(super) struct Outlooks {
    base: Base,
    ahead: Vec<(&'static str, Ahead)>,
}

/// Requests the forecast; the error says why there is none.
pub(super) async fn ask(run: &Run<'_>, facts: &Facts) -> Result<Outlooks, String> {
    // Ranges that count from a price long ago do not apply to the months ahead.
    if let Some(on) = facts.day().filter(|_| facts.has_old_price()) {
        return Err(format!("the newest price is of {}", day(on)));
    }
    let listed = Listed {
        symbol: &facts.ticker,
        currency: &facts.currency,
        is_coin: facts.kind == Kind::Coin,
    };
    let days: Vec<i32> = HORIZONS
        .iter()
        .filter_map(|words| query::days(words))
        .collect();
    let (base, made) = forecast::of_listed(run, listed, facts.now, &days).await?;
    let ahead: Vec<_> = HORIZONS
        .into_iter()
        .filter_map(|words| {
            let until = facts.now.plus(query::days(words)?);
            let one = made.iter().find(|one| one.until == until)?;
            Some((words, one.clone()))
        })
        .collect();
    if ahead.is_empty() {
        return Err(format!(
            "the {} closes on record are too few, or too much alike, for a forecast",
            base.closes
        ));
    }
    Ok(Outlooks { base, ahead })
}

/// The section.
pub(super) fn read(facts: &Facts, outlooks: &Outlooks) -> Section {
    let Outlooks { base, ahead } = outlooks;
    let price = |change: f64| facts.price(base.last * (1.0 + change / 100.0));
    let mut cases: Vec<Vec<String>> = Vec::new();
    for (words, one) in ahead {
        let (low, high) = (one.cases.low_pct, one.cases.high_pct);
        let [below, between, above] = shares([one.cases.below, one.cases.between, one.cases.above]);
        let until = day(one.until);
        cases.extend([
            vec![
                format!("{words}, on {until}"),
                format!("above {} ({} or more)", price(high), signed(high)),
                above,
            ],
            vec![
                "–".to_owned(),
                format!("between {} and {}", price(low), price(high)),
                between,
            ],
            vec![
                "–".to_owned(),
                format!("below {} ({} or worse)", price(low), signed(low)),
                below,
            ],
        ]);
    }
    let cases = Block::Table {
        caption: "Three cases for each time, of which one comes true".to_owned(),
        head: ["Time", "The price stands", "Chance"]
            .map(str::to_owned)
            .to_vec(),
        rows: cases,
    };
    let ranges = ahead.iter().map(|(words, one)| {
        vec![
            (*words).to_owned(),
            price(one.outlook.quantile_pct(0.1)),
            price(one.outlook.quantile_pct(0.5)),
            price(one.outlook.quantile_pct(0.9)),
            format!("{:.0}%", one.outlook.chance_up * 100.0),
        ]
    });
    let ranges = Block::Table {
        caption: "The range that is to hold eight times in ten".to_owned(),
        head: ["Time", "Low (10%)", "Middle", "High (90%)", "Ends higher"]
            .map(str::to_owned)
            .to_vec(),
        rows: ranges.collect(),
    };
    let points: Vec<Point> = [
        year(facts, outlooks),
        past(outlooks),
        extremes(facts, outlooks),
        target(facts, outlooks),
        regime(outlooks),
    ]
    .into_iter()
    .flatten()
    .map(|(side, weight, clause)| Point::new(Theme::Risk, side, weight, clause))
    .collect();
    let method = Block::Method {
        text: format!(
            "The deep forecast of the service for these times: the spread of {} daily changes since {}, with the swings of late reverting to their usual size and a drift shrunk towards zero. It knows neither news nor plans.",
            base.closes.saturating_sub(1),
            base.first_date,
        ),
    };
    Section {
        title: "Scenarios".to_owned(),
        verdict: None,
        blocks: [cases]
            .into_iter()
            .chain(Block::paragraph(sentences(points, 1, 2)))
            .chain([ranges])
            .chain(tested(ahead))
            .chain([method])
            .collect(),
    }
}

/// Probabilities of cases that add up to 1, as whole percentages that add up to 100.
fn shares(chances: [f64; 3]) -> [String; 3] {
    let mut whole = chances.map(|chance| (chance * 100.0).floor());
    let missing = (100.0 - whole.iter().sum::<f64>()).round().clamp(0.0, 3.0) as usize;
    let mut places = [0, 1, 2];
    // Those that lost most by rounding down get it back.
    let lost = |place: usize| chances[place] * 100.0 - (chances[place] * 100.0).floor();
    places.sort_by(|one, other| lost(*other).total_cmp(&lost(*one)));
    for place in places.into_iter().take(missing) {
        whole[place] += 1.0;
    }
    whole.map(|share| format!("{share:.0}%"))
}

/// How forecasts of this kind performed on earlier days.
fn tested(ahead: &[(&'static str, Ahead)]) -> Option<Block> {
    let rows: Vec<Vec<String>> = ahead
        .iter()
        .map(|(words, one)| {
            let Some(found) = one.calibration else {
                return vec![
                    (*words).to_owned(),
                    "none".to_owned(),
                    "–".to_owned(),
                    "–".to_owned(),
                    "the history is too short to make such forecasts again".to_owned(),
                ];
            };
            vec![
                (*words).to_owned(),
                found.forecasts.to_string(),
                format!("{:.3} against {:.3}", found.brier, found.climatology),
                format!("{:.0}%", found.inside_80 * 100.0),
                consequence(&found).to_owned(),
            ]
        })
        .collect();
    ahead
        .iter()
        .any(|(_, one)| one.calibration.is_some())
        .then(|| Block::Table {
            caption: "What such forecasts were worth at earlier days".to_owned(),
            head: [
                "Time",
                "Forecasts",
                "Brier score, against past frequency",
                "Inside the range",
                "So",
            ]
            .map(str::to_owned)
            .to_vec(),
            rows,
        })
}

/// What follows from that performance.
fn consequence(found: &Calibration) -> &'static str {
    match (
        found.skill() < -0.01,
        found.skill() > 0.01,
        found.widen > 1.02,
    ) {
        (true, _, true) => "no better than past frequency: moved towards it, ranges widened",
        (true, _, false) => "no better than past frequency: moved towards it",
        (_, true, true) => "better than past frequency; ranges widened",
        (_, true, false) => "better than past frequency",
        (_, _, true) => "no better than past frequency; ranges widened",
        _ => "no better than past frequency",
    }
}

/// Side, weight and clause.
type Found = Option<(f64, f64, String)>;

/// The longest horizon, with the ends of its range as changes in percent.
fn longest(outlooks: &Outlooks) -> Option<(&'static str, &Ahead, f64, f64)> {
    let (words, one) = outlooks.ahead.last()?;
    Some((
        *words,
        one,
        one.outlook.quantile_pct(0.1),
        one.outlook.quantile_pct(0.9),
    ))
}

/// A one-year range that is wide or narrow.
fn year(facts: &Facts, outlooks: &Outlooks) -> Found {
    let (words, _, down, up) = longest(outlooks)?;
    if words != HORIZONS[2] {
        return None;
    }
    let price = |change: f64| facts.price(outlooks.base.last * (1.0 + change / 100.0));
    let (low, high) = (price(down), price(up));
    Some(match up - down {
        ..38.0 => (
            1.0,
            0.5,
            format!("even a year keeps it on a narrow path, from {low} to {high}"),
        ),
        ..60.0 => (
            0.0,
            0.15,
            format!("a year from now anything from {low} to {high} would be unremarkable"),
        ),
        ..85.0 => (
            -1.0,
            0.22,
            format!(
                "whoever holds it for a year must be able to bear a loss of {}",
                pct(down)
            ),
        ),
        ..130.0 => (
            -1.0,
            0.45,
            format!(
                "a year is long enough for it to lose {} or to gain {} without anything extraordinary",
                pct(down),
                pct(up)
            ),
        ),
        _ => (
            -1.0,
            0.7,
            format!(
                "a year is too long for this price to be pinned down, with {low} and {high} both within the ordinary"
            ),
        ),
    })
}

/// How periods of this length ended in the past, if there were enough of them.
fn past(outlooks: &Outlooks) -> Found {
    let (words, one) =
        outlooks.ahead.iter().rev().find(|(_, one)| {
            one.outlook.times >= ENOUGH_TIMES && one.outlook.base_rate.is_some()
        })?;
    let rate = one.outlook.base_rate? * 100.0;
    let since = &outlooks.base.first_date;
    let stretch = if *words == HORIZONS[0] {
        "month"
    } else {
        "quarter"
    };
    let clause = match rate {
        62.0.. => format!(
            "{rate:.0}% of its {stretch}s since {since} ended higher, which its chances lean on"
        ),
        ..46.0 => format!(
            "no more than {rate:.0}% of its {stretch}s since {since} ended higher, which weighs on its chances"
        ),
        _ => return None,
    };
    Some((rate - 52.0, 0.3 + (rate - 52.0).abs() / 60.0, clause))
}

/// Whether the extremes of the year are within reach.
fn extremes(facts: &Facts, outlooks: &Outlooks) -> Found {
    let range = |words: &str| {
        let (_, one) = outlooks.ahead.iter().find(|(known, _)| *known == words)?;
        let end =
            |chance: f64| outlooks.base.last * (1.0 + one.outlook.quantile_pct(chance) / 100.0);
        Some((end(0.1), end(0.9)))
    };
    let (low, high) = range(HORIZONS[1])?;
    let month = range(HORIZONS[0])?;
    let (_, bottom, top) = facts.series.place_in_range(facts.year())?;
    let (peak, floor) = (facts.price(top), facts.price(bottom));
    Some(match (top < high, bottom > low) {
        (true, true) => (
            0.0,
            0.45,
            format!(
                "three months could take it to either extreme of the past year ({floor} and {peak})"
            ),
        ),
        (true, false) if top < month.1 => (
            1.0,
            0.4,
            format!("a month is enough to bring the year's high of {peak} within reach"),
        ),
        (true, false) => (
            1.0,
            0.2,
            format!("the year's high of {peak} is within reach of three months"),
        ),
        (false, true) if bottom > month.0 => (
            -1.0,
            0.4,
            format!("a month is enough to bring the year's low of {floor} within reach"),
        ),
        (false, true) => (
            -1.0,
            0.25,
            format!("the year's low of {floor} is within reach of three months"),
        ),
        (false, false) => (
            0.0,
            0.4,
            format!(
                "neither extreme of the past year ({floor} and {peak}) is within reach of three months"
            ),
        ),
    })
}

/// Where the analysts' target lies in the one-year range.
fn target(facts: &Facts, outlooks: &Outlooks) -> Found {
    let target = facts.of("analysts").number("avg_target")?;
    let (words, one, _, _) = longest(outlooks)?;
    if words != HORIZONS[2] {
        return None;
    }
    let shown = facts.price(target);
    let below = one
        .outlook
        .chance_below((target / outlooks.base.last - 1.0) * 100.0);
    Some(match below {
        0.9.. => (
            1.0,
            0.6,
            format!(
                "a year from now the price stands above the analysts' {shown} with a chance of no more than {:.0}%",
                (1.0 - below) * 100.0
            ),
        ),
        0.68.. => (
            1.0,
            0.35,
            format!(
                "a year from now the price stands above the analysts' {shown} with a chance of {:.0}%",
                (1.0 - below) * 100.0
            ),
        ),
        ..0.1 => (
            -1.0,
            0.6,
            format!("the analysts' {shown} would take a worse than bad year"),
        ),
        ..0.32 => (
            -1.0,
            0.4,
            format!("the analysts' {shown} would take a poor year"),
        ),
        _ => return None,
    })
}

/// Whether the present is calmer or more volatile than the past that the ranges are based on.
fn regime(outlooks: &Outlooks) -> Found {
    let (_, one) = outlooks.ahead.first()?;
    let (recent, whole) = (one.outlook.recent_daily, one.outlook.usual_daily);
    let root = outlooks.base.yearly;
    let (now, always) = (pct(recent * root), pct(whole * root));
    let weight = 0.3 + (recent / whole).ln().abs() * 0.6;
    match recent / whole {
        ..CALM => Some((
            1.0,
            weight,
            format!(
                "the present calm ({now} a year against {always} over the whole history) narrows the nearest of these ranges"
            ),
        )),
        UNREST.. => Some((
            -1.0,
            weight,
            format!(
                "the present unrest ({now} a year against {always} over the whole history) widens the nearest of these ranges"
            ),
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_chances_add_up() {
        let sum = |chances: [f64; 3]| -> u32 {
            let shown = shares(chances);
            let numbers = shown
                .iter()
                .map(|one| one.trim_end_matches('%').parse::<u32>());
            numbers.map(Result::unwrap).sum()
        };
        assert_eq!(shares([0.217_4, 0.519_8, 0.262_8]), ["22%", "52%", "26%"]);
        for low in 0..=50 {
            let low = f64::from(low) / 100.0 + 0.003_3;
            let high = (1.0 - low) / 3.0;
            assert_eq!(sum([low, 1.0 - low - high, high]), 100, "{low}");
        }
        assert_eq!(shares([0.0, 1.0, 0.0]), ["0%", "100%", "0%"]);
    }
}
