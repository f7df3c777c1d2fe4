//! The macro analyst: what rates, prices, the market and the calendar mean for this subject.

mod bearing;

use model::Day;

use crate::reports::document::Block;
use crate::reports::facts::{Facts, Kind, MARKET};
use crate::reports::finding::{Draft, Reading, Topic};
use crate::reports::points::sentences;
use crate::reports::words::{date, foreign, number, signed};
use crate::view::View;

pub(in crate::reports) fn read(facts: &mut Facts) -> Reading {
    let mut draft = Draft::default();
    // The current economy says nothing about a past price.
    if !facts.has_old_price() {
        findings(facts, &mut draft);
        for sentence in sentences(bearing::points(facts), 1, 2) {
            draft.say(sentence);
        }
    }
    draft.turn();
    draft.blocks.extend(table(facts));
    draft.blocks.extend(calendar(facts));
    draft.finish("macro", "Macro environment")
}

/// How a subject reacts to higher rates, by its kind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rates {
    Hurt,
    Helped,
    Indirect,
}

fn exposure(facts: &Facts) -> Rates {
    if facts.kind == Kind::Coin {
        return Rates::Hurt;
    }
    match facts.sector.as_deref().unwrap_or_default() {
        "Real Estate"
        | "Utilities"
        | "Information Technology"
        | "Communication Services"
        | "Consumer Discretionary" => Rates::Hurt,
        "Financials" => Rates::Helped,
        _ if facts.name.contains("Bond") || facts.name.contains("Treasury") => Rates::Hurt,
        _ => Rates::Indirect,
    }
}

/// The ten-year yield, its change over about a quarter, and the day it is measured from.
fn yield_move(facts: &Facts) -> Option<(f64, f64, String)> {
    let ten = series(facts, "ten_year");
    let (first, last) = ten.first().zip(ten.last())?;
    Some((last.1, last.1 - first.1, first.0.clone()))
}

/// The arguments from the economy.
fn findings(facts: &Facts, draft: &mut Draft) {
    let moved = yield_move(facts);
    if draft.asks(moved.is_some())
        && let Some((level, change, _)) = &moved
    {
        let side = match exposure(facts) {
            Rates::Hurt => -1.0,
            Rates::Helped => 0.6,
            Rates::Indirect => -0.35,
        };
        let word = if *change >= 0.0 { "up" } else { "down" };
        draft.find(
            Topic::Rates,
            side * change * 1.2,
            format!(
                "the ten-year yield is {word} {:.2} points to {level:.2}%",
                change.abs()
            ),
        );
    }
    let market = if facts.ticker == MARKET {
        &facts.series
    } else {
        &facts.market
    };
    let trend = market.over(facts.quarter());
    if draft.asks(trend.is_some())
        && let Some(trend) = trend
    {
        let beta = if facts.ticker == MARKET {
            1.0
        } else {
            facts
                .series
                .together(market, facts.year())
                .map_or(0.5, |together| together.beta)
        };
        draft.find(
            Topic::Market,
            trend.pct / 15.0 * beta.clamp(-0.5, 1.8),
            beside_market(beta, trend.pct),
        );
    }
}

/// What the market's quarter, in percent, means for a subject with that beta.
fn beside_market(beta: f64, quarter: f64) -> String {
    let rises = quarter >= 0.0;
    let word = if rises { "rising" } else { "falling" };
    let moved = format!("{} in a quarter", signed(quarter));
    match (beta, rises) {
        (1.35.., _) => format!("its beta of {beta:.1} magnifies a {word} market ({moved})"),
        (1.05.., true) => {
            format!("a rising market ({moved}) helps it more than most, at a beta of {beta:.1}")
        }
        (1.05.., false) => {
            format!("a falling market ({moved}) hurts it more than most, at a beta of {beta:.1}")
        }
        (0.95.., _) => {
            format!("with a beta of {beta:.1} it moves one for one with a {word} market ({moved})")
        }
        (0.75.., _) => format!("it has a beta of {beta:.1} in a {word} market ({moved})"),
        (0.0.., true) => {
            format!("a rising market ({moved}) lifts it, though with a beta of only {beta:.1}")
        }
        (0.0.., false) => {
            format!("a falling market ({moved}) weighs on it, though with a beta of only {beta:.1}")
        }
        (_, true) => format!(
            "its beta of −{:.1} works against it in a rising market ({moved})",
            beta.abs()
        ),
        (_, false) => format!(
            "its beta of −{:.1} works for it in a falling market ({moved})",
            beta.abs()
        ),
    }
}

/// Observations, oldest first.
fn series(facts: &Facts, key: &str) -> Vec<(String, f64)> {
    let observations = facts.of(key).list("observations").into_iter();
    let mut found: Vec<(String, f64)> = observations
        .filter_map(|one: View<'_>| Some((one.text("date")?.to_owned(), one.number("value")?)))
        .collect();
    found.sort_by(|left, right| left.0.cmp(&right.0));
    found
}

/// The economy in figures: it is the same for every subject on a day, so it is not prose.
fn table(facts: &Facts) -> Option<Block> {
    let mut rows: Vec<[String; 3]> = Vec::new();
    if let Some((level, change, from)) = yield_move(facts) {
        rows.push([
            "Ten-year Treasury".to_owned(),
            format!("{level:.2}%"),
            format!(
                "{}, {}{:.2} points since {}",
                series(facts, "ten_year")
                    .last()
                    .map(|one| date(&one.0))
                    .unwrap_or_default(),
                if change < 0.0 { "−" } else { "+" },
                change.abs(),
                date(&from)
            ),
        ]);
    }
    if let Some(spread) = facts.of("yields").number("spread_10y_2y") {
        rows.push([
            "Ten years less two".to_owned(),
            format!(
                "{}{:.2} points",
                if spread < 0.0 { "−" } else { "" },
                spread.abs()
            ),
            String::new(),
        ]);
    }
    for (key, label) in [
        ("funds_rate", "Federal funds rate"),
        ("jobless", "Unemployment"),
    ] {
        let all = series(facts, key);
        if let (Some(first), Some(last)) = (all.first(), all.last()) {
            rows.push([
                label.to_owned(),
                format!("{}%", number(last.1, 2)),
                format!(
                    "{}, after {}% {} {}",
                    month(&last.0),
                    number(first.1, 2),
                    if month(&first.0) == date(&first.0) {
                        "on"
                    } else {
                        "in"
                    },
                    month(&first.0)
                ),
            ]);
        }
    }
    if let Some((inflation, of)) = inflation(facts) {
        rows.push([
            "Inflation over twelve months".to_owned(),
            signed(inflation),
            month(&of),
        ]);
    }
    if let Some(gap) = market_gap(facts) {
        rows.push([
            format!("{MARKET} from its 200-day average"),
            signed(gap),
            String::new(),
        ]);
    }
    (!rows.is_empty()).then(|| Block::Table {
        caption: "The economy in figures".to_owned(),
        head: ["Measure", "Value", "Of"].map(str::to_owned).to_vec(),
        rows: rows
            .into_iter()
            .map(crate::reports::document::filled)
            .collect(),
    })
}

/// `Oct 2026` for a monthly value.
fn month(text: &str) -> String {
    let whole = date(text);
    whole.strip_prefix("1 ").unwrap_or(&whole).to_owned()
}

/// Consumer prices compared with twelve months earlier, and their month.
fn inflation(facts: &Facts) -> Option<(f64, String)> {
    over_a_year(&series(facts, "inflation"))
}

/// The newest value compared with the same month a year earlier: a month may be missing, so that counting back would
/// find another one.
fn over_a_year(values: &[(String, f64)]) -> Option<(f64, String)> {
    let last = values.last()?;
    let month = |date: &str| Day::parse(date.get(..10)?).map(Day::first_of_month);
    let wanted = month(&last.0)?.months_before(12);
    let base = values.iter().find(|one| month(&one.0) == Some(wanted))?;
    (base.1 > 0.0).then(|| ((last.1 / base.1 - 1.0) * 100.0, last.0.clone()))
}

/// How far the market is from its long average.
fn market_gap(facts: &Facts) -> Option<f64> {
    let tail = facts.market.tail(200);
    let mean = tail.iter().map(|bar| bar.close).sum::<f64>() / tail.len() as f64;
    (tail.len() == 200).then(|| (tail[199].close / mean - 1.0) * 100.0)
}

fn calendar(facts: &Facts) -> Option<Block> {
    let mut events: Vec<(String, String)> = Vec::new();
    for event in facts.of("calendar").list("events") {
        let (Some(title), Some(on)) = (event.text("title"), event.text("date")) else {
            continue;
        };
        let title = foreign(title, 60);
        if events.iter().all(|(known, _)| *known != title) {
            events.push((title, date(on)));
        }
    }
    let wanted: &[&str] = match exposure(facts) {
        Rates::Helped => &["rate", "Fed", "FOMC", "yield", "GDP"],
        Rates::Hurt => &["rate", "Fed", "FOMC", "CPI", "inflation", "price"],
        Rates::Indirect => &["GDP", "payroll", "retail", "sentiment", "CPI", "production"],
    };
    let fits = |title: &str| {
        wanted
            .iter()
            .any(|word| title.to_lowercase().contains(&word.to_lowercase()))
    };
    events.sort_by_key(|(title, _)| !fits(title));
    let rows: Vec<Vec<String>> = events
        .into_iter()
        .take(4)
        .map(|(title, on)| vec![on, title])
        .collect();
    (!rows.is_empty()).then(|| Block::Table {
        caption: "Releases ahead, those that matter most to it first".to_owned(),
        head: ["Date", "Release"].map(str::to_owned).to_vec(),
        rows,
    })
}

#[cfg(test)]
mod tests {
    use super::{beside_market, over_a_year};

    #[test]
    fn a_beta_is_described_by_what_the_market_does_with_it() {
        let check = |beta: f64, quarter: f64, expected: &str| {
            assert_eq!(beside_market(beta, quarter), expected);
        };
        check(
            1.6,
            4.8,
            "its beta of 1.6 magnifies a rising market (+4.8% in a quarter)",
        );
        check(
            1.2,
            -4.8,
            "a falling market (−4.8% in a quarter) hurts it more than most, at a beta of 1.2",
        );
        check(
            0.5,
            4.8,
            "a rising market (+4.8% in a quarter) lifts it, though with a beta of only 0.5",
        );
        check(
            -0.3,
            -4.8,
            "its beta of −0.3 works for it in a falling market (−4.8% in a quarter)",
        );
    }

    #[test]
    fn a_month_that_is_missing_does_not_make_it_thirteen() {
        let mut prices: Vec<(String, f64)> = (1..=12)
            .map(|month| (format!("2025-{month:02}-01"), 100.0 + f64::from(month)))
            .collect();
        prices.remove(9);
        prices.extend((1..=5).map(|month| (format!("2026-{month:02}-01"), 120.0)));
        let (inflation, of) = over_a_year(&prices).unwrap();
        assert!((inflation - (120.0 / 105.0 - 1.0) * 100.0).abs() < 1e-9);
        assert_eq!(of, "2026-05-01");
        // The same month a year earlier is missing.
        prices.remove(4);
        assert_eq!(over_a_year(&prices), None);
    }
}
