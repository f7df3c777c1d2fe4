//! Claims of a report that are tested: the figures that its arguments are based on, in words that a verifier reads.
//!
//! A figure that the service itself computed over several values (a rank among weeks, a mean over peers) is not a claim
//! that stored data could support; the values it is computed from are.

use super::analysts::news;
use super::facts::{Brief, Facts, MARKET};
use super::finding::{Finding, Topic, strongest};
use super::tier::Tier;
use super::words::{self, day, pct};

/// How many arguments on each side have their figures tested: as many as the debate has.
pub(super) const ARGUED: usize = 3;

/// How many stories are searched for one that can be tested.
const STORIES: usize = 3;

/// The most claims to test.
const fn most(tier: Tier) -> usize {
    match tier {
        Tier::Quick => 2,
        Tier::Full => 8,
        Tier::Deep => 12,
    }
}

/// What to test, the most important first.
pub(super) fn of(facts: &Facts, tier: Tier, findings: &[Finding]) -> Vec<String> {
    let mut claims: Vec<String> = Vec::new();
    let mut add = |claim: String| {
        let fits = (10..=1_000).contains(&claim.chars().count());
        if fits && !claims.contains(&claim) {
            claims.push(claim);
        }
    };
    if let Some(last) = facts.series.last() {
        add(format!(
            "{} closed at {} on {}",
            facts.ticker,
            facts.price(last.close),
            day(last.day)
        ));
    }
    let argued = strongest(findings, true, ARGUED)
        .into_iter()
        .chain(strongest(findings, false, ARGUED));
    for finding in argued {
        for claim in of_topic(facts, finding.topic) {
            add(claim);
        }
    }
    for topic in [Topic::Valuation, Topic::Coverage, Topic::Momentum] {
        for claim in of_topic(facts, topic) {
            add(claim);
        }
    }
    claims.truncate(most(tier));
    claims
}

/// The figures of an argument; none if they are computed from more values than can be looked up.
fn of_topic(facts: &Facts, topic: Topic) -> Vec<String> {
    let ticker = &facts.ticker;
    let financials = facts.of("financials");
    match topic {
        Topic::Trend => trend(facts).into_iter().collect(),
        // An indicator for a price from long ago is not a current one.
        Topic::Momentum if facts.has_old_price() => Vec::new(),
        Topic::Momentum => facts
            .of("technicals")
            .number("latest/rsi_14")
            .map(|rsi| format!("The RSI of {ticker} is {rsi:.0}"))
            .into_iter()
            .collect(),
        Topic::Relative | Topic::Market => {
            let own = moved(facts, facts.quarter());
            let market = facts.series.over(facts.quarter()).and_then(|moved| {
                let change = facts.market_since(moved.from_day)?;
                let (from, to) = (moved.from_day, facts.market.last()?.day);
                Some(change_of(MARKET, change, day(from), day(to)))
            });
            own.into_iter().chain(market).collect()
        }
        Topic::Return => moved(facts, facts.year()).into_iter().collect(),
        // A verifier uses the ratio of the live quote; the report's own ratio is computed from its close and earnings.
        Topic::Valuation => quarter(facts).1.into_iter().collect(),
        Topic::Balance => financials
            .number("debt_to_equity")
            .map(|debt| format!("{ticker} has a debt-to-equity ratio of {debt:.2}"))
            .into_iter()
            .collect(),
        Topic::Rates => ten_year(facts).into_iter().collect(),
        // What a headline says about a price or a figure refers to the time when it was published, which it does not
        // name.
        Topic::Coverage | Topic::Reaction | Topic::Mood => news::stories(facts, STORIES)
            .iter()
            .find(|brief| !tells_figure(brief))
            .map(|brief| words::foreign(&brief.headline, 300))
            .into_iter()
            .collect(),
        Topic::Business => quarter(facts).0.into_iter().collect(),
        Topic::Volume | Topic::Recovery | Topic::Record | Topic::Street | Topic::Insiders => {
            Vec::new()
        }
    }
}

/// Whether a headline says something that stored figures can decide.
fn tells_figure(brief: &Brief) -> bool {
    let printed = brief.published_at.get(..10).and_then(model::Day::parse);
    brief.headline.contains('%')
        || printed.is_some_and(|day| verify::figures::read(&brief.headline, day).is_some())
}

/// The side of its long average on which it closed.
fn trend(facts: &Facts) -> Option<String> {
    let latest = facts.of("technicals").at("latest")?;
    let (mean, words) = latest
        .number("sma_200")
        .map(|mean| (mean, "200-day"))
        .or(latest.number("sma_50").map(|mean| (mean, "50-day")))?;
    let last = facts.series.last()?;
    let side = if last.close > mean { "above" } else { "below" };
    Some(format!(
        "{} closed {side} its {words} moving average on {}",
        facts.ticker,
        day(last.day)
    ))
}

/// How far it moved over the given number of sessions.
fn moved(facts: &Facts, sessions: usize) -> Option<String> {
    let moved = facts.series.over(sessions)?;
    let last = facts.series.last()?;
    Some(change_of(
        &facts.ticker,
        moved.pct,
        day(moved.from_day),
        day(last.day),
    ))
}

fn change_of(ticker: &str, change: f64, from: String, to: String) -> String {
    let word = if change >= 0.0 { "rose" } else { "fell" };
    format!("{ticker} {word} {} from {from} to {to}", pct(change))
}

/// The ten-year yield on its newest day.
fn ten_year(facts: &Facts) -> Option<String> {
    let rows = facts.of("ten_year").list("observations");
    let newest = rows
        .iter()
        .filter_map(|row| Some((row.text("date")?, row.number("value")?)))
        .max_by(|left, right| left.0.cmp(right.0))?;
    Some(format!(
        "The 10-year Treasury yield was {:.2}% on {}",
        newest.1,
        words::date(newest.0)
    ))
}

/// Revenue and earnings per share in the newest quarter: the starting point of twelve-month margins and ratios.
fn quarter(facts: &Facts) -> (Option<String>, Option<String>) {
    let statements = facts.of("statements");
    let currency = statements.text("currency").unwrap_or("USD");
    let newest = statements.list("statements").into_iter().next();
    let Some((newest, end)) = newest.and_then(|one| Some((one, one.text("period_end")?))) else {
        return (None, None);
    };
    let ticker = &facts.ticker;
    let end = words::date(end);
    let revenue = newest.number("revenue").map(|revenue| {
        let revenue = words::amount(revenue, currency);
        format!("{ticker} had revenue of {revenue} in the quarter ended {end}")
    });
    let earned = newest.number("eps").map(|eps| {
        let eps = words::price(eps, currency);
        format!("{ticker} had earnings per share of {eps} in the quarter ended {end}")
    });
    (revenue, earned)
}
