//! The debate of a deep report: the strongest arguments of each side, each answered by the figure that weighs most against it.
//!
//! An argument is answered by what the other side has on the same or a related matter, and by a figure that limits it. No figure is
//! used twice.

mod objections;

use super::document::{Block, Section, Sentence};
use super::facts::Facts;
use super::finding::{Finding, Reading, Topic, strongest};
use super::words::{capital, counted, signed};
use objections::objection;

/// Arguments of each side, whose figures are tested.
const MOST: usize = super::claims::ARGUED;

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

/// A change over a year, in percent, that is strong.
const STRONG_YEAR: f64 = 25.0;
/// How far an argument leans that carries much.
const HEAVY: f64 = 0.5;

fn weight(side: &[&Finding]) -> f64 {
    // A sum of nothing is a negative zero.
    side.iter().map(|one| one.lean.abs()).sum::<f64>() + 0.0
}

fn opening(facts: &Facts, side: &[&Finding], bullish: bool) -> String {
    let topics: Vec<String> = side.iter().map(|one| one.short().to_owned()).collect();
    let on = super::words::list(&topics);
    let year = facts.series.over(facts.year()).map_or(0.0, |year| year.pct);
    match (bullish, year > 0.0) {
        (true, true) if year >= STRONG_YEAR => format!(
            "The bull, with a strong year behind it ({}), argues from {on}:",
            signed(year)
        ),
        (false, false) if year <= -STRONG_YEAR => format!(
            "The bear, with a year of heavy losses on its side ({}), argues from {on}:",
            signed(year)
        ),
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
        Topic::Return => &[Topic::Trend, Topic::Recovery, Topic::Record],
        Topic::Recovery => &[Topic::Return, Topic::Trend],
        Topic::Record => &[Topic::Return, Topic::Trend, Topic::Momentum],
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
    let figure = objection(facts, argument, used);
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
        (None, None) if argument.lean.abs() >= HEAVY => {
            format!("a weighty point against which {who} has nothing on record")
        }
        (None, None) => format!("which {who} leaves unanswered"),
    }
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
        3.0.. => format!(
            "The {side}'s arguments outweigh the others several times over, {more:.1} against {less:.1}{lead}{open}."
        ),
        2.3.. => format!(
            "The {side} wins by more than two to one, {good:.1} for and {bad:.1} against{lead}{open}."
        ),
        _ => format!(
            "By the weight of the arguments the {side} wins clearly ({good:.1} for, {bad:.1} against){lead}{open}."
        ),
    }
}
