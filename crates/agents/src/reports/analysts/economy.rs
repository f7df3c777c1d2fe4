//! The macro analyst: what rates, prices, the market and the calendar mean for this subject.

use crate::reports::analysts::technical::joined;
use crate::reports::document::Block;
use crate::reports::facts::{Facts, Kind, MARKET};
use crate::reports::finding::{Draft, Reading, Topic};
use crate::reports::words::{count, date, foreign, pct, signed};
use crate::view::View;

pub(in crate::reports) fn read(facts: &mut Facts) -> Reading {
    let mut draft = Draft::default();
    let moved = findings(facts, &mut draft);
    draft.say(joined(
        moved.map(|moved| rates(facts, &moved)),
        prices_and_jobs(facts),
    ));
    if let Some(sector) = sector(facts) {
        draft.say(joined(regime(facts), Some(sector)));
    } else {
        // Alone it would be said of everything that falls.
        let before = draft.sentences.pop().map(|sentence| sentence.text);
        draft.say(joined(before, regime(facts)));
    }
    draft.turn();
    draft.blocks.extend(calendar(facts));
    draft.finish("macro", "Macro environment")
}

/// How a subject takes higher rates, by what it is.
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

/// The arguments of the economy; brings the change of the ten-year yield over about a quarter.
fn findings(facts: &Facts, draft: &mut Draft) -> Option<(f64, f64, String)> {
    let ten = series(facts, "ten_year");
    let moved = ten
        .first()
        .zip(ten.last())
        .map(|(first, last)| (last.1, last.1 - first.1, first.0.clone()));
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
        let word = if trend.pct >= 0.0 {
            "rising"
        } else {
            "falling"
        };
        draft.find(
            Topic::Market,
            trend.pct / 15.0 * beta.clamp(-0.5, 1.8),
            format!(
                "it has a beta of {beta:.1} in a {word} market ({} in a quarter)",
                signed(trend.pct)
            ),
        );
    }
    moved
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

fn rates(facts: &Facts, (level, change, from): &(f64, f64, String)) -> String {
    let (level, change) = (*level, *change);
    let since = date(from);
    let financials = facts.of("financials");
    let move_of = match change {
        0.35.. => {
            format!("Long rates have climbed {change:.2} points since {since}, to {level:.2}%")
        }
        0.08.. => format!("The ten-year yield has edged up to {level:.2}% since {since}"),
        -0.08.. => format!("The ten-year yield is where it was on {since}, {level:.2}%"),
        -0.35.. => format!("The ten-year yield has eased to {level:.2}% since {since}"),
        _ => format!(
            "Long rates have come down {:.2} points since {since}, to {level:.2}%",
            change.abs()
        ),
    };
    let (debt, ratio, paid) = (
        financials.number("debt_to_equity"),
        financials.number("pe_ratio"),
        financials.number("dividend_yield"),
    );
    let dear = change > 0.08;
    let meaning = match (exposure(facts), facts.kind) {
        (_, Kind::Coin) if dear => {
            "; a coin pays nothing, so each step up makes holding it dearer".to_owned()
        }
        (_, Kind::Coin) if change < -0.08 => {
            "; a coin pays nothing, so that is one obstacle less".to_owned()
        }
        (_, Kind::Coin) => {
            "; for a coin, which pays nothing, the alternative has become neither better nor worse"
                .to_owned()
        }
        (_, Kind::Fund) => format!(
            "; what that does to the fund shows in its price, {} since then",
            facts
                .day()
                .and_then(|_| since_day(facts, from))
                .map_or_else(|| "unknown".to_owned(), signed)
        ),
        (Rates::Helped, _) if dear => {
            "; a lender earns more on new business when long rates rise".to_owned()
        }
        (Rates::Helped, _) if change < -0.08 => {
            "; for a lender that squeezes what new business earns".to_owned()
        }
        (Rates::Helped, _) => "; a lender gets neither help nor harm from that".to_owned(),
        (_, _) if debt.is_some_and(|debt| debt > 1.5) => format!(
            "; with debt of {:.1} times equity it will feel that when loans are renewed",
            debt.unwrap_or_default()
        ),
        (_, _) if ratio.is_some_and(|ratio| ratio > 35.0) => format!(
            "; at {:.0} times earnings most of its value lies far ahead, where rates bite most",
            ratio.unwrap_or_default()
        ),
        (_, _) if paid.is_some_and(|paid| paid > level - 0.5) => format!(
            "; its dividend of {} holds up against that",
            pct(paid.unwrap_or_default())
        ),
        (_, _) if paid.is_some_and(|paid| paid > 1.5) => format!(
            "; that is more than its dividend pays ({})",
            pct(paid.unwrap_or_default())
        ),
        (_, _) if debt.is_some_and(|debt| debt < 0.3) => format!(
            "; owing little ({:.2} times equity), it is touched through its customers rather than its loans",
            debt.unwrap_or_default()
        ),
        (_, _) if ratio.is_some_and(|ratio| ratio < 15.0) => format!(
            "; at {:.0} times earnings it asks little of the future and has little to fear from that",
            ratio.unwrap_or_default()
        ),
        (_, _) if ratio.is_some_and(|ratio| ratio < 25.0) => format!(
            "; {:.0} times earnings is a price that can live with it",
            ratio.unwrap_or_default()
        ),
        (Rates::Hurt, _) if ratio.is_some() => format!(
            "; {:.0} times earnings leaves it exposed should that change",
            ratio.unwrap_or_default()
        ),
        (_, _) if ratio.is_some() => format!(
            "; {:.0} times earnings stand on its own growth more than on rates",
            ratio.unwrap_or_default()
        ),
        (_, _) => "; without figures there is no saying what that costs the company".to_owned(),
    };
    let spread = facts
        .of("yields")
        .number("spread_10y_2y")
        .map_or_else(String::new, |spread| match spread {
            ..-0.1 => format!(", and the curve is inverted by {:.2} points", spread.abs()),
            ..0.3 => format!(", with a curve that is nearly flat ({spread:.2} points)"),
            _ => String::new(),
        });
    let beta = financials
        .number("beta")
        .map_or_else(String::new, |beta| match beta {
            1.4.. => {
                format!("; a beta of {beta:.1} doubles down on whatever rates do to the market")
            }
            1.15.. => format!("; a beta of {beta:.1} adds to whatever rates do to the market"),
            ..0.6 => {
                format!("; a beta of {beta:.1} keeps it out of most of what rates do to the market")
            }
            ..0.85 => format!("; a beta of {beta:.1} softens what rates do to the market"),
            _ => String::new(),
        });
    format!("{move_of}{meaning}{spread}{beta}.")
}

fn since_day(facts: &Facts, from: &str) -> Option<f64> {
    let then = facts.series.close_on_or_before(model::Day::parse(from)?)?;
    Some((facts.series.last()?.close / then - 1.0) * 100.0)
}

fn prices_and_jobs(facts: &Facts) -> Option<String> {
    let prices = series(facts, "inflation");
    let (last, base) = (prices.last()?, prices.get(prices.len().checked_sub(13)?)?);
    let inflation = (last.1 / base.1 - 1.0) * 100.0;
    let of = date(&last.0);
    let jobless = series(facts, "jobless");
    let turn = jobless
        .first()
        .zip(jobless.last())
        .map(|(first, last)| (last.1, last.1 - first.1));
    let cyclical = matches!(
        facts.sector.as_deref(),
        Some("Consumer Discretionary" | "Industrials" | "Materials" | "Financials" | "Energy")
    );
    let defensive = matches!(
        facts.sector.as_deref(),
        Some("Consumer Staples" | "Health Care" | "Utilities")
    );
    let margin = facts.of("financials").number("profit_margin");
    let heat = match (inflation, margin) {
        (3.5.., Some(margin @ ..8.0)) => format!(
            "Inflation of {} ({of}) is hard on a margin of {}",
            pct(inflation),
            signed(margin)
        ),
        (3.5.., Some(margin)) => format!(
            "A margin of {} leaves room for inflation of {} ({of})",
            pct(margin),
            pct(inflation)
        ),
        (2.5..3.5, Some(margin @ ..8.0)) => format!(
            "Inflation, {} in {of}, matters where only {} of revenue is left as profit",
            pct(inflation),
            signed(margin)
        ),
        (_, Some(margin @ 20.0..)) => format!(
            "With {} of its revenue left as profit, inflation of {} ({of}) is not its problem",
            pct(margin),
            pct(inflation)
        ),
        (..2.0, _) => format!(
            "Inflation has come down to {} ({of}), which leaves the central bank free to act",
            pct(inflation)
        ),
        _ => format!("Inflation runs at {} ({of})", pct(inflation)),
    };
    let work = turn.map_or_else(String::new, |(level, change)| match (change, cyclical, defensive) {
        (0.2.., true, _) => format!("; unemployment has risen to {level:.1}%, and its customers are the kind that then wait"),
        (0.2.., _, true) => format!("; unemployment has risen to {level:.1}%, which demand of this kind tends to survive"),
        (0.2.., ..) => format!("; unemployment has risen to {level:.1}%"),
        (..-0.2, true, _) => format!("; unemployment is down to {level:.1}%, good for what depends on full pockets"),
        (..-0.2, ..) => format!("; unemployment is down to {level:.1}%"),
        (_, true, _) => format!("; with unemployment steady at {level:.1}% demand that follows the cycle has held"),
        _ => String::new(),
    });
    Some(format!("{heat}{work}."))
}

fn regime(facts: &Facts) -> Option<String> {
    if facts.ticker == MARKET {
        return None;
    }
    let market = &facts.market;
    let (last, month) = (market.last()?, market.over(21)?);
    let mean =
        market.tail(200).iter().map(|bar| bar.close).sum::<f64>() / market.tail(200).len() as f64;
    let gap = (last.close / mean - 1.0) * 100.0;
    let together = facts.series.together(market, facts.year())?;
    let restless = market.volatility_rank(20).unwrap_or(0.5);
    let state = match (gap, restless) {
        (4.0.., ..0.5) => format!(
            "The market is calm and {} above its 200-day average",
            pct(gap)
        ),
        (4.0.., _) => format!(
            "The market is {} above its 200-day average but moves more than usual",
            pct(gap)
        ),
        (-1.0.., _) => format!(
            "The market hovers around its 200-day average ({} away)",
            signed(gap)
        ),
        (_, 0.7..) => format!(
            "The market is {} below its 200-day average and nervous",
            pct(gap)
        ),
        _ => format!("The market lies {} below its 200-day average", pct(gap)),
    };
    let own = facts.series.over(21)?.pct;
    let expected = together.beta * month.pct;
    let rest = own - expected;
    let part = match (together.correlation, rest) {
        (..0.2, _) => format!(
            "; {} goes its own way, and its month ({}) owes nothing to that",
            facts.ticker,
            signed(own)
        ),
        (_, 12.0..) => format!(
            "; its month of {} has next to nothing to do with the {} that the market would explain",
            signed(own),
            signed(expected)
        ),
        (_, ..-12.0) => format!(
            "; its month of {} is a matter of its own: the market would explain {}",
            signed(own),
            signed(expected)
        ),
        (_, -1.5..1.5) => format!(
            "; by its beta of {:.1} the month should have brought {} and brought {}",
            together.beta,
            signed(expected),
            signed(own)
        ),
        (_, 1.5..) => format!(
            "; of its month, {}, the market explains {}, the rest is its own doing",
            signed(own),
            signed(expected)
        ),
        (_, ..-5.0) if expected >= 0.5 => format!(
            "; it lost ground in a month ({}) in which the market would have lifted it by {}",
            signed(own),
            pct(expected)
        ),
        (_, ..-5.0) => format!(
            "; most of its month, {}, is its own: the market accounts for {}",
            signed(own),
            signed(expected)
        ),
        _ => format!(
            "; the market would account for {} in a month, what happened was {}",
            signed(expected),
            signed(own)
        ),
    };
    let recent = facts
        .series
        .together(market, 60)
        .map_or_else(String::new, |recent| {
            match recent.correlation - together.correlation {
                0.15.. => format!(
                    ", and the tie has tightened lately (correlation {:.2} after {:.2})",
                    recent.correlation, together.correlation
                ),
                ..-0.15 => format!(
                    ", and the tie has loosened lately (correlation {:.2} after {:.2})",
                    recent.correlation, together.correlation
                ),
                _ => String::new(),
            }
        });
    Some(format!("{state}{part}{recent}."))
}

fn sector(facts: &Facts) -> Option<String> {
    let sectors = facts.of("sectors").list("sectors");
    let own = facts.sector.as_deref()?;
    let place = sectors
        .iter()
        .position(|one| one.text("sector") == Some(own))?;
    let score = sectors[place].number("avg_sentiment")?;
    let briefs = sectors[place].whole("brief_count")?;
    let better = sectors
        .iter()
        .filter(|one| {
            one.number("avg_sentiment")
                .is_some_and(|other| other > score)
        })
        .count();
    let all = sectors.len();
    let lower = own.to_lowercase();
    let text = match (better, place) {
        (0, _) => format!(
            "No sector has a better press this week than {lower} ({score:.2} over {briefs} briefs)"
        ),
        (better, _) if better + 1 == all => format!(
            "{own} has the worst press of all {} sectors this week ({score:.2})",
            count(all)
        ),
        (better, 0) => format!(
            "{own} is the sector most written about this week ({briefs} briefs), and {} of {} fare better with {score:.2}",
            count(better),
            count(all)
        ),
        (better, _) if better * 2 < all => format!(
            "{own} is among the better-liked sectors this week, {score:.2} over {briefs} briefs"
        ),
        (_, _) => format!(
            "{own} is in the lower half of sectors by this week's sentiment, {score:.2} over {briefs} briefs"
        ),
    };
    let top = sectors[place]
        .text("top_ticker")
        .filter(|top| *top != facts.ticker)
        .map_or_else(
            || ", above all for its own sake".to_owned(),
            |top| format!(", with {} in the foreground", foreign(top, 12)),
        );
    let own =
        facts
            .of("record")
            .number("sentiment_score")
            .map_or_else(String::new, |own| match own - score {
                0.06.. => format!(
                    "; {} is seen more kindly than its sector ({own:.2})",
                    facts.ticker
                ),
                ..-0.06 => format!(
                    "; {} is seen less kindly than its sector ({own:.2})",
                    facts.ticker
                ),
                _ => format!("; {} is seen as its sector is ({own:.2})", facts.ticker),
            });
    Some(format!("{text}{top}{own}."))
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
