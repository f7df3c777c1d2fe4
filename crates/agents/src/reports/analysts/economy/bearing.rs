//! What rates, prices, jobs, the market and the sector mean for this subject.

use super::{Rates, exposure, inflation, month, series, yield_move};
use crate::reports::facts::{Facts, Kind, MARKET};
use crate::reports::points::{Point, Theme};
use crate::reports::price::daily;
use crate::reports::words::{date, foreign, pct, signed};

/// The fewest days on which yields moved in each direction before their means are compared.
const LEAST_DAYS: usize = 12;

pub(super) fn points(facts: &Facts) -> Vec<Point> {
    [
        sensitivity(facts),
        cost(facts),
        prices(facts),
        work(facts),
        own_doing(facts),
        sector(facts),
    ]
    .into_iter()
    .flatten()
    .map(|(side, weight, clause)| Point::new(Theme::Economy, side, weight, clause))
    .collect()
}

/// Side, weight and clause.
type Found = Option<(f64, f64, String)>;

/// Mean moves on days with higher and with lower ten-year yields.
fn sensitivity(facts: &Facts) -> Found {
    let yields = series(facts, "ten_year");
    let (mut up, mut down) = (Vec::new(), Vec::new());
    for pair in yields.windows(2) {
        let days = (
            model::Day::parse(&pair[0].0)?,
            model::Day::parse(&pair[1].0)?,
        );
        let (Some(before), Some(after)) =
            (facts.series.close_of(days.0), facts.series.close_of(days.1))
        else {
            continue;
        };
        let moved = (after / before - 1.0) * 100.0;
        match pair[1].1 - pair[0].1 {
            0.005.. => up.push(moved),
            ..-0.005 => down.push(moved),
            _ => {}
        }
    }
    if up.len() < LEAST_DAYS || down.len() < LEAST_DAYS {
        return None;
    }
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    let (higher, lower) = (mean(&up), mean(&down));
    let gap = (higher - lower) / daily(facts);
    let weight = 0.15 + gap.abs() * 0.7;
    let (days, size) = (up.len(), (signed(higher), signed(lower)));
    let exposure = exposure(facts);
    let clause = match (gap, exposure) {
        (0.3.., Rates::Helped) => format!(
            "it gains from higher yields as a lender should, with {} on the {days} days of the quarter on which they rose and {} on those on which they fell",
            size.0, size.1
        ),
        (0.3.., Rates::Hurt) => format!(
            "contrary to what is said of its kind, it did better on days of rising yields ({} on average) than on days of falling ones ({})",
            size.0, size.1
        ),
        (0.3.., Rates::Indirect) => format!(
            "it has lately done better on days of rising yields ({} on average) than of falling ones ({})",
            size.0, size.1
        ),
        (..-0.3, Rates::Hurt) => format!(
            "higher yields hurt it, with {} on the {days} days of the quarter on which they rose and {} on those on which they fell",
            size.0, size.1
        ),
        (..-0.3, Rates::Helped) => format!(
            "although a lender is said to gain from higher yields, it did worse on days on which they rose ({} on average, {} on the others)",
            size.0, size.1
        ),
        (..-0.3, Rates::Indirect) => format!(
            "it has lately done better when yields fell ({} on average) than when they rose ({})",
            size.1, size.0
        ),
        _ => return None,
    };
    Some((-gap, weight.min(0.8), clause))
}

/// What a clear move in rates means for its debts and its price.
fn cost(facts: &Facts) -> Found {
    let (level, change, from) = yield_move(facts)?;
    let financials = facts.of("financials");
    let (debt, ratio) = (
        financials.number("debt_to_equity"),
        financials.number("pe_ratio"),
    );
    let since = date(&from);
    let moved = format!("{:.2} points", change.abs());
    let (rises, falls) = (change > 0.15, change < -0.15);
    if !rises && !falls {
        return None;
    }
    let way = if rises { "up" } else { "down" };
    let side = if rises { -1.0 } else { 1.0 };
    let weight = 0.3 + change.abs() * 0.4;
    let clause = match (facts.kind, debt, ratio) {
        (Kind::Coin, ..) if rises => format!(
            "holding a coin that pays nothing has become dearer, with ten-year yields {way} {moved} since {since}"
        ),
        (Kind::Coin, ..) => format!(
            "holding a coin that pays nothing has become cheaper, with ten-year yields {way} {moved} since {since}"
        ),
        (Kind::Fund, ..) => return None,
        (_, Some(debt @ 1.5..), _) => format!(
            "its debt of {debt:.1} times equity is renewed at ten-year yields that are {way} {moved} since {since}"
        ),
        (_, _, Some(ratio @ 35.0..)) => format!(
            "ten-year yields, {way} {moved} to {level:.2}% since {since}, weigh on a price of {ratio:.0} times earnings more than on most"
        ),
        _ => return None,
    };
    Some((side, weight, clause))
}

/// Inflation compared with its margin, if one of them is far from ordinary.
fn prices(facts: &Facts) -> Found {
    let (inflation, of) = inflation(facts)?;
    let margin = facts.of("financials").number("profit_margin")?;
    let of = month(&of);
    match (inflation, margin) {
        (3.0.., margin @ 0.0..6.0) => Some((
            -1.0,
            0.5,
            format!(
                "inflation of {} ({of}) is hard on a margin of {}",
                pct(inflation),
                pct(margin)
            ),
        )),
        (3.0.., ..0.0) => Some((
            -1.0,
            0.5,
            format!(
                "inflation of {} ({of}) comes on top of its losses",
                pct(inflation)
            ),
        )),
        (3.0.., margin @ 25.0..) => Some((
            1.0,
            0.35,
            format!(
                "a margin of {} can absorb inflation of {} ({of})",
                pct(margin),
                pct(inflation)
            ),
        )),
        _ => None,
    }
}

/// A clear turn in unemployment, for subjects that follow the cycle or withstand it.
fn work(facts: &Facts) -> Found {
    let jobless = series(facts, "jobless");
    let (first, last) = jobless.first().zip(jobless.last())?;
    let change = last.1 - first.1;
    let (level, since) = (last.1, month(&first.0));
    if change.abs() < 0.2 {
        return None;
    }
    let way = if change > 0.0 { "risen" } else { "fallen" };
    let moved = format!("unemployment, which has {way} to {level:.1}% since {since},");
    let clause = match facts.sector.as_deref()? {
        "Consumer Discretionary" if change > 0.0 => {
            format!("{moved} makes its customers put off what they can")
        }
        "Consumer Discretionary" => format!("{moved} leaves its customers more to spend"),
        "Industrials" | "Materials" | "Energy" if change > 0.0 => {
            format!("{moved} is a poor sign for demand that follows the cycle")
        }
        "Industrials" | "Materials" | "Energy" => {
            format!("{moved} bodes well for demand that follows the cycle")
        }
        "Financials" if change > 0.0 => format!("{moved} sooner or later shows in its loan losses"),
        "Financials" => format!("{moved} keeps its loan losses low"),
        "Consumer Staples" | "Health Care" | "Utilities" if change > 0.0 => {
            format!("{moved} is something that demand for what it sells tends to survive")
        }
        _ => return None,
    };
    Some((-change, 0.25 + change.abs() * 0.3, clause))
}

/// Its month compared with what its beta makes of the market's; nothing if they agree.
fn own_doing(facts: &Facts) -> Found {
    if facts.ticker == MARKET {
        return None;
    }
    let own = facts.series.over(facts.month())?;
    let market = facts.market_since(own.from_day)?;
    let tie = facts.series.together(&facts.market, facts.year())?;
    let expected = tie.beta * market;
    let rest = own.pct - expected;
    let size = rest.abs() / (daily(facts) * (facts.month() as f64).sqrt());
    if size < 0.5 {
        return None;
    }
    let (mine, theirs) = (signed(own.pct), signed(expected));
    let clause = match (own.pct >= 0.0, expected >= 0.0, size) {
        (true, true, 1.5..) if rest > 0.0 => format!(
            "a month of {mine} has next to nothing to do with the market, which by its beta accounts for {theirs}"
        ),
        (true, true, _) if rest > 0.0 => {
            format!("of its month of {mine} the market accounts for {theirs} by its beta")
        }
        (true, true, _) => format!(
            "with its beta the market's month should have brought {theirs} and not just {mine}"
        ),
        (true, false, _) => format!(
            "it gained {mine} in a month in which the market would have cost it {}",
            pct(expected)
        ),
        (false, true, 1.5..) => format!(
            "its month of {mine} is all its own, for the market would have lifted it by {}",
            pct(expected)
        ),
        (false, true, _) => format!(
            "it lost {} in a month in which the market would have lifted it by {}",
            pct(own.pct),
            pct(expected)
        ),
        (false, false, _) if rest > 0.0 => format!(
            "it withstood a month in which the market would have cost it {}, at {mine}",
            pct(expected)
        ),
        (false, false, _) => {
            format!("of its month of {mine} only {theirs} is the market's by its beta")
        }
    };
    Some((rest, (0.15 + size * 0.3).min(0.85), clause))
}

/// The coverage of its sector, if it is the best or the worst, or differs from its own.
fn sector(facts: &Facts) -> Found {
    let sectors = facts.of("sectors").list("sectors");
    let name = facts.sector.as_deref()?;
    let place = sectors
        .iter()
        .position(|one| one.text("sector") == Some(name))?;
    let score = sectors[place].number("avg_sentiment")?;
    let others = |beats: &dyn Fn(f64) -> bool| {
        sectors
            .iter()
            .filter(|one| one.number("avg_sentiment").is_some_and(beats))
            .count()
    };
    let (better, worse) = (
        others(&|other| other > score),
        others(&|other| other < score),
    );
    let lower = foreign(name, 40).to_lowercase();
    let own = facts
        .of("record")
        .number("sentiment_score")
        .filter(|_| !facts.briefs.is_empty());
    let found = match (better, worse, own.map(|own| own - score)) {
        (_, _, Some(0.12..)) => (
            1.0,
            0.5,
            format!(
                "it is written about more kindly than {lower} as a whole ({:.2} against {score:.2})",
                own?
            ),
        ),
        (_, _, Some(..-0.12)) => (
            -1.0,
            0.5,
            format!(
                "it is written about less kindly than {lower} as a whole ({:.2} against {score:.2})",
                own?
            ),
        ),
        (0, _, _) => (
            1.0,
            0.4,
            format!("no sector is written about more kindly this week than {lower} ({score:.2})"),
        ),
        (_, 0, _) => (
            -1.0,
            0.4,
            format!("no sector is written about less kindly this week than {lower} ({score:.2})"),
        ),
        _ => return None,
    };
    Some(found)
}
