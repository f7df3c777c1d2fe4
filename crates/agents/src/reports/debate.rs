//! The debate of a deep report: the strongest arguments of each side, each answered by the figure that weighs most against it.
//!
//! An argument is answered by what the other side has on the same or a related matter, and by a figure that limits it. No figure is
//! used twice.

use super::document::{Block, Section, Sentence};
use super::facts::Facts;
use super::finding::{Finding, Reading, Topic, strongest};
use super::words::{capital, count, counted, day, pct, signed};

/// Arguments of each side.
const MOST: usize = 4;

/// Both sides.
pub(super) fn read(facts: &Facts, readings: &[Reading]) -> Section {
    let all = super::conclusion::all_findings(readings);
    let (bulls, bears) = (strongest(&all, true, MOST), strongest(&all, false, MOST));
    let mut used: Vec<String> = Vec::new();
    let mut blocks = Vec::new();
    let heading = |text: &str| Block::Paragraph {
        sentences: vec![Sentence::from(text.to_owned())],
    };
    let argue = |side: &[&Finding],
                 other: &[&Finding],
                 bullish: bool,
                 used: &mut Vec<String>|
     -> Vec<Sentence> {
        side.iter()
            .map(|argument| {
                let against = answer(facts, argument, other, bullish, used);
                Sentence::from(format!("{}, {against}.", capital(&argument.clause)))
            })
            .collect()
    };
    if bulls.is_empty() {
        blocks.push(heading(&format!("The bull has no argument of weight in {} and would have to wait for the price to come lower.", counted(all.len(), "finding", "findings"))));
    } else {
        blocks.push(heading(&opening(facts, &bulls, true)));
        blocks.extend(Block::list(argue(&bulls, &bears, true, &mut used)));
    }
    if bears.is_empty() {
        blocks.push(heading(&format!(
            "The bear has no argument of weight in {} and can only point to what may come.",
            counted(all.len(), "finding", "findings")
        )));
    } else {
        blocks.push(heading(&opening(facts, &bears, false)));
        blocks.extend(Block::list(argue(&bears, &bulls, false, &mut used)));
    }
    blocks.extend(Block::paragraph(vec![Sentence::from(verdict(
        &bulls, &bears,
    ))]));
    Section {
        title: "The case for and the case against".to_owned(),
        verdict: None,
        blocks,
    }
}

fn weight(side: &[&Finding]) -> f64 {
    side.iter().map(|one| one.lean.abs()).sum()
}

fn opening(facts: &Facts, side: &[&Finding], bullish: bool) -> String {
    let topics: Vec<String> = side.iter().map(|one| one.short().to_owned()).collect();
    let on = super::words::list(&topics);
    let year = facts.series.over(facts.year()).map_or(0.0, |year| year.pct);
    match (bullish, year > 0.0) {
        (true, true) => format!(
            "The bull, who has been right for a year ({}), argues from {on}:",
            signed(year)
        ),
        (true, false) => format!(
            "The bull, who has a year of {} to explain, argues from {on}:",
            signed(year)
        ),
        (false, true) => format!(
            "The bear, whom the past year refuted ({}), argues from {on}:",
            signed(year)
        ),
        (false, false) => format!(
            "The bear, whom the past year bore out ({}), argues from {on}:",
            signed(year)
        ),
    }
}

/// Topics that answer each other.
fn kin(topic: Topic) -> &'static [Topic] {
    match topic {
        Topic::Trend => &[Topic::Momentum, Topic::Relative, Topic::Volume],
        Topic::Momentum => &[Topic::Trend, Topic::Volume],
        Topic::Relative => &[Topic::Trend, Topic::Market, Topic::Valuation],
        Topic::Volume => &[Topic::Momentum, Topic::Trend],
        Topic::Valuation => &[Topic::Business, Topic::Street, Topic::Rates],
        Topic::Business => &[Topic::Valuation, Topic::Balance, Topic::Street],
        Topic::Balance => &[Topic::Rates, Topic::Business],
        Topic::Street => &[Topic::Valuation, Topic::Insiders, Topic::Trend],
        Topic::Insiders => &[Topic::Street, Topic::Valuation],
        Topic::Mood => &[Topic::Reaction, Topic::Coverage],
        Topic::Coverage => &[Topic::Mood, Topic::Reaction, Topic::Trend],
        Topic::Reaction => &[Topic::Mood, Topic::Coverage],
        Topic::Rates => &[Topic::Balance, Topic::Valuation, Topic::Market],
        Topic::Market => &[Topic::Relative, Topic::Rates],
    }
}

/// What the other side says: what it has on the same matter, and a figure that limits the argument. No figure is used twice.
fn answer(
    facts: &Facts,
    argument: &Finding,
    other: &[&Finding],
    bullish: bool,
    used: &mut Vec<String>,
) -> String {
    let who = if bullish { "the bear" } else { "the bull" };
    let kind =
        |one: &&&Finding| one.topic == argument.topic || kin(argument.topic).contains(&one.topic);
    let found = other
        .iter()
        .filter(|one| !used.iter().any(|text| text == one.short()))
        .find(kind);
    let figure = limits(facts, argument)
        .into_iter()
        .find(|text| !used.contains(text));
    used.extend(figure.clone());
    used.extend(found.map(|one| one.short().to_owned()));
    match (found, figure) {
        (Some(found), Some(figure)) if found.lean.abs() > argument.lean.abs() * 1.2 => format!(
            "but {who} finds {} weightier and adds that {figure}",
            found.short()
        ),
        (Some(found), Some(figure)) if found.lean.abs() < argument.lean.abs() * 0.6 => format!(
            "against which {who} has little to set but {} and the fact that {figure}",
            found.short()
        ),
        (Some(found), Some(figure)) => format!(
            "to which {who} answers with {} and with the fact that {figure}",
            found.short()
        ),
        (Some(found), None) => format!("to which {who} answers with {}", found.short()),
        (None, Some(figure)) => format!("but {who} objects that {figure}"),
        (None, None) => format!("and {who} has no figure to set against it"),
    }
}

/// Figures that limit an argument, the most fitting first.
fn limits(facts: &Facts, argument: &Finding) -> Vec<String> {
    let series = &facts.series;
    let financials = facts.of("financials");
    let mut found: Vec<Option<String>> = Vec::new();
    let year = || {
        let spans = series.windows(facts.year());
        let share = spans
            .iter()
            .filter(|pct| (**pct > 0.0) != (argument.lean > 0.0))
            .count() as f64
            / spans.len().max(1) as f64;
        (spans.len() > 100).then(|| match share {
            ..0.2 => format!(
                "even so {:.0}% of its years on record ended on the other side",
                share * 100.0
            ),
            ..0.45 => format!(
                "{:.0}% of its years on record, a good part, ended on the other side",
                share * 100.0
            ),
            ..0.6 => format!(
                "{:.0}% of its years on record ended on the other side, about as many as not",
                share * 100.0
            ),
            _ => format!(
                "{:.0}% of its years on record, the larger part, ended on the other side",
                share * 100.0
            ),
        })
    };
    let quarters = || {
        let spans = series.windows(facts.quarter());
        let share =
            spans.iter().filter(|pct| **pct > 0.0).count() as f64 / spans.len().max(1) as f64;
        let against = if argument.lean > 0.0 {
            1.0 - share
        } else {
            share
        } * 100.0;
        (spans.len() > 100).then(|| match against {
            50.0.. => {
                format!("{against:.0}% of its quarters went the other way, whatever came before")
            }
            30.0.. => format!("{against:.0}% of its quarters still went the other way"),
            _ => format!("even so {against:.0}% of its quarters went the other way"),
        })
    };
    let fall = || {
        series
            .deepest_fall(series.len())
            .map(|fall| match fall.recovered {
                1.0.. => format!(
                    "it has lost {} before ({} to {}) and came back",
                    pct(fall.pct),
                    day(fall.peak_day),
                    day(fall.low_day)
                ),
                _ => format!(
                    "of its worst fall, {} from {}, {:.0}% has been made up to this day",
                    pct(fall.pct),
                    day(fall.peak_day),
                    fall.recovered * 100.0
                ),
            })
    };
    let swing = || {
        series.volatility(20, facts.per_year()).zip(series.volatility_rank(20)).map(|(now, rank)| match rank {
        0.7.. => format!("swings of {} a year, wilder than {:.0}% of its past, make any such reading unsafe", pct(now), rank * 100.0),
        ..0.3 => format!("the quiet of the moment ({} a year) has seldom lasted", pct(now)),
        _ => format!("at ordinary swings of {} a year a month alone can undo that", pct(now)),
    })
    };
    let rises = || {
        let up = series.rising(20);
        Some(match up {
            13.. => format!(
                "{} of the last twenty sessions were gains, which is rarely kept up",
                count(up)
            ),
            ..=7 => format!("only {} of the last twenty sessions were gains", count(up)),
            _ => format!(
                "the last twenty sessions were split {} to {}",
                count(up),
                count(20 - up)
            ),
        })
    };
    let books = || {
        financials.text("period_end").and_then(|end| {
            let age = facts.day()?.since(model::Day::parse(end)?);
            let moved = series
                .close_on_or_before(model::Day::parse(end)?)
                .zip(series.last())
                .map(|(then, last)| (last.close / then - 1.0) * 100.0)?;
            Some(match moved {
                12.0.. => format!(
                    "the price has risen {} since these figures were closed, {age} days ago",
                    pct(moved)
                ),
                3.0.. => format!(
                    "{age} days after these figures the price is up {}, so part of it is paid for",
                    pct(moved)
                ),
                -3.0.. => format!(
                    "the price has not cared for these figures in {age} days ({})",
                    signed(moved)
                ),
                -12.0.. => format!(
                    "the price fell {} in the {age} days since these figures",
                    pct(moved)
                ),
                _ => format!(
                    "a loss of {} in the {age} days since says the figures are out of date",
                    pct(moved)
                ),
            })
        })
    };
    let dearness = || {
        financials.number("pe_ratio").map(|ratio| match ratio {
            ..14.0 => format!("at {ratio:.1} times earnings hardly anybody believes it"),
            ..24.0 => format!("the price already asks {ratio:.1} years of such earnings"),
            ..40.0 => format!("{ratio:.1} times earnings leave no room for a disappointment"),
            _ => format!("at {ratio:.0} times earnings all of that and more is in the price"),
        })
    };
    let surprise = || {
        let history = facts.of("whole").list("earnings/surprise_history");
        let all: Vec<f64> = history
            .iter()
            .filter_map(|one| one.number("surprise_pct"))
            .collect();
        let misses = all.iter().filter(|one| **one < 0.0).count();
        (all.len() > 2).then(|| match misses {
            0 => format!(
                "it has not missed an estimate in {} reports",
                count(all.len())
            ),
            misses => format!(
                "it missed {} of its last {} estimates",
                count(misses),
                count(all.len())
            ),
        })
    };
    let targets = || {
        facts
            .of("analysts")
            .number("low_target")
            .zip(facts.of("analysts").number("high_target"))
            .map(|(low, high)| {
                format!(
                    "the targets run from {} to {}",
                    facts.price(low),
                    facts.price(high)
                )
            })
    };
    let holders = || {
        let changes: Vec<f64> = facts
            .of("institutions")
            .list("holders")
            .iter()
            .filter_map(|one| one.number("change_pct"))
            .collect();
        let down = changes.iter().filter(|one| **one < -1.0).count();
        let up = changes.iter().filter(|one| **one > 1.0).count();
        (changes.len() > 3).then(|| match up as i64 - down as i64 {
            2.. => format!("of {} institutions {} still cut their stakes in the last reports", count(changes.len()), count(down)),
            ..=-2 => format!("more institutions cut their stakes than raised them in the last reports ({} to {})", count(down), count(up)),
            _ => format!("institutions were split on it in the last reports ({} cut, {} added)", count(down), count(up)),
        })
    };
    let reaction = || {
        facts
            .of("impact")
            .number("summary/avg_impact_1d_pct")
            .map(|mean| {
                format!(
                    "after its news the next close differed by {} on average",
                    signed(mean)
                )
            })
    };
    let stories = || {
        (facts.briefs.len() > 3).then(|| {
            let single = facts
                .briefs
                .iter()
                .filter(|brief| brief.source_count < 2)
                .count();
            format!(
                "{} of the {} stories read have a single source",
                count(single),
                count(facts.briefs.len())
            )
        })
    };
    let tie = || {
        series
            .together(&facts.market, facts.year())
            .map(|tie| match tie.correlation {
                0.6.. => format!(
                    "{:.0}% of its daily variation is the market's, which can turn",
                    tie.correlation * tie.correlation * 100.0
                ),
                0.3.. => format!(
                    "the market explains only {:.0}% of its days",
                    tie.correlation * tie.correlation * 100.0
                ),
                _ => format!(
                    "the market explains next to nothing of its days (correlation {:.2})",
                    tie.correlation
                ),
            })
    };
    match argument.topic {
        Topic::Trend => {
            let is_restless = series
                .volatility_rank(20)
                .is_some_and(|rank| !(0.3..0.7).contains(&rank));
            let is_down = series
                .deepest_fall(series.len())
                .is_some_and(|fall| fall.recovered < 1.0);
            match (is_restless, is_down) {
                (true, _) => found.extend([swing(), fall(), year()]),
                (false, true) => found.extend([fall(), year(), swing()]),
                (false, false) => found.extend([year(), swing(), fall()]),
            }
        }
        Topic::Relative => found.extend([tie(), quarters(), swing()]),
        Topic::Momentum => found.extend([rises(), swing(), quarters()]),
        Topic::Volume => found.extend([swing(), rises(), quarters()]),
        Topic::Valuation => found.extend([surprise(), books(), targets()]),
        Topic::Business => found.extend([dearness(), books(), surprise()]),
        Topic::Balance => found.extend([holders(), fall(), books()]),
        Topic::Street => found.extend([targets(), surprise(), holders()]),
        Topic::Insiders => found.extend([holders(), targets(), books()]),
        Topic::Mood | Topic::Coverage | Topic::Reaction => {
            found.extend([stories(), reaction(), swing()]);
        }
        Topic::Rates | Topic::Market => found.extend([tie(), swing()]),
    }
    found.into_iter().flatten().collect()
}

fn verdict(bulls: &[&Finding], bears: &[&Finding]) -> String {
    let (good, bad) = (weight(bulls), weight(bears));
    let (more, less) = (good.max(bad), good.min(bad));
    let side = if good >= bad { "bull" } else { "bear" };
    let first = if good >= bad {
        bulls.first()
    } else {
        bears.first()
    };
    let lead = first.map_or_else(String::new, |one| format!(", chiefly by {}", one.short()));
    let second = if good >= bad {
        bears.first()
    } else {
        bulls.first()
    };
    let open = second.map_or_else(String::new, |one| {
        format!(", leaving {} unanswered", one.short())
    });
    match more / less.max(0.01) {
        ..1.15 => format!(
            "By the weight of the arguments the debate is a draw ({good:.1} to {bad:.1}){open}."
        ),
        ..1.8 => format!(
            "By the weight of the arguments the {side} is slightly ahead ({good:.1} for, {bad:.1} against){lead}{open}."
        ),
        _ => format!(
            "By the weight of the arguments the {side} wins clearly ({good:.1} for, {bad:.1} against){lead}{open}."
        ),
    }
}
