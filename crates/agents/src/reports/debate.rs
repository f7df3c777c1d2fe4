//! The debate of a deep report: the strongest arguments of each side, each answered by the figure that weighs most
//! against it.
//!
//! An argument is answered by what the other side has on the same topic or a related one, and by a figure that limits
//! it. No figure is used twice.

mod objections;

use super::document::{Block, Section, Sentence};
use super::facts::Facts;
use super::finding::{Finding, Reading, Topic, strongest};
use super::words::{capital, counted, signed};
use objections::objection;

/// The most arguments on each side; their figures are tested.
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

/// A change over a year, in percent, that counts as strong.
const STRONG_YEAR: f64 = 25.0;
/// The lean of an argument that carries much weight.
const HEAVY: f64 = 0.5;
/// How many times the best argument of a side must outweigh the whole of the other side to decide alone.
const ALONE: f64 = 1.5;
/// The lean of an argument that carries little weight.
const LIGHT: f64 = 0.25;

fn weight(side: &[&Finding]) -> f64 {
    // An empty sum is a negative zero.
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

/// What the other side says: its argument on the same topic, and a figure that limits the argument. No figure is used
/// twice.
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
    let own = argument.lean.abs();
    let times = found.map_or(0.0, |found| found.lean.abs() / own);
    let is_best = |found: &Finding| other.first().is_some_and(|one| one.topic == found.topic);
    match (found, figure) {
        (Some(found), Some(figure)) if times >= 2.0 => format!(
            "but {who} sees at least twice as much in {} and adds that {figure}",
            found.short()
        ),
        (Some(found), Some(figure)) if times > 1.2 && is_best(found) => format!(
            "but {who} counters with its strongest point, {}, and adds that {figure}",
            found.short()
        ),
        (Some(found), Some(figure)) if times > 1.2 => format!(
            "but {who} sees more in {} and adds that {figure}",
            found.short()
        ),
        (Some(found), Some(figure)) if times < 0.3 => format!(
            "against which {who} can only point to {} and to the fact that {figure}",
            found.short()
        ),
        (Some(found), Some(figure)) if times < 0.6 => format!(
            "against which {who} has little to set but {} and the fact that {figure}",
            found.short()
        ),
        (Some(found), Some(figure)) if is_best(found) => format!(
            "to which {who} answers with the best it has, {}, and with the fact that {figure}",
            found.short()
        ),
        (Some(found), Some(figure)) => format!(
            "to which {who} answers with {} and with the fact that {figure}",
            found.short()
        ),
        (Some(found), None) if times > 1.2 => {
            format!("which {who} outweighs with {}", found.short())
        }
        (Some(found), None) if times < 0.6 => {
            format!("to which {who} has no answer but {}", found.short())
        }
        (Some(found), None) => format!("to which {who} answers with {}", found.short()),
        (None, Some(figure)) if own >= HEAVY => {
            format!("a weighty point to which {who} can only object that {figure}")
        }
        (None, Some(figure)) if own < LIGHT => format!("which {who} discounts because {figure}"),
        (None, Some(figure)) => format!("but {who} objects that {figure}"),
        (None, None) if own >= HEAVY => {
            format!("a weighty point against which {who} has nothing on record")
        }
        (None, None) => format!("which {who} leaves unanswered"),
    }
}

fn verdict(bulls: &[&Finding], bears: &[&Finding]) -> String {
    let (good, bad) = (weight(bulls), weight(bears));
    let (more, less) = (good.max(bad), good.min(bad));
    let (side, loser, ahead, behind) = if good >= bad {
        ("bull", "bear", bulls, bears)
    } else {
        ("bear", "bull", bears, bulls)
    };
    let first = ahead.first();
    let lead = first.map_or_else(String::new, |one| format!(", chiefly by {}", one.short()));
    let open = match behind {
        [] => String::new(),
        [one] => format!(", leaving the {loser} nothing but {}", one.short()),
        [one, ..] => format!(", leaving {} unanswered", one.short()),
    };
    let times = more / less.max(0.01);
    let alone = first.filter(|one| one.lean.abs() >= less * ALONE);
    match (times, alone) {
        (..1.15, _) => format!(
            "By the weight of the arguments the debate is a draw ({good:.1} to {bad:.1}){open}."
        ),
        (..1.8, _) => format!(
            "By the weight of the arguments the {side} is slightly ahead ({good:.1} for, {bad:.1} against){lead}{open}."
        ),
        _ if behind.is_empty() => format!(
            "The {side} has the debate to itself, with arguments that weigh {more:.1}{lead}."
        ),
        _ if ahead.len() == 1 => format!(
            "The {side} needs no more than {} to win, {more:.1} against {less:.1}{open}.",
            ahead[0].short()
        ),
        (5.0.., _) => format!(
            "The debate is one-sided, {more:.1} for the {side} against {less:.1}{lead}{open}."
        ),
        (_, Some(first)) => format!(
            "The {side} wins on {} alone, {:.1} against {less:.1}, and comes to {more:.1} in all{open}.",
            first.short(),
            first.lean.abs()
        ),
        (3.0.., _) => format!(
            "The {side}'s arguments outweigh the others more than three times over, {more:.1} against {less:.1}{lead}{open}."
        ),
        (2.3.., _) => format!(
            "The {side} wins by more than two to one, {good:.1} for and {bad:.1} against{lead}{open}."
        ),
        _ => format!(
            "By the weight of the arguments the {side} wins clearly ({good:.1} for, {bad:.1} against){lead}{open}."
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_names_what_decides() {
        let finding = |topic: Topic, lean: f64| Finding {
            topic,
            lean,
            clause: String::new(),
        };
        let check = |bulls: &[Finding], bears: &[Finding], expected: &str| {
            let bulls: Vec<&Finding> = bulls.iter().collect();
            let bears: Vec<&Finding> = bears.iter().collect();
            assert_eq!(verdict(&bulls, &bears), expected);
        };
        let (trend, lead, mood) = (
            || finding(Topic::Trend, 0.8),
            || finding(Topic::Relative, 0.7),
            || finding(Topic::Mood, 0.7),
        );
        check(
            &[trend(), lead()],
            &[],
            "The bull has the debate to itself, with arguments that weigh 1.5, chiefly by the long trend.",
        );
        check(
            &[trend(), lead()],
            &[finding(Topic::Street, -0.2)],
            "The debate is one-sided, 1.5 for the bull against 0.2, chiefly by the long trend, leaving the bear nothing but targets below the price.",
        );
        check(
            &[trend()],
            &[finding(Topic::Street, -0.2)],
            "The bull needs no more than the long trend to win, 0.8 against 0.2, leaving the bear nothing but targets below the price.",
        );
        check(
            &[finding(Topic::Rates, 0.2)],
            &[
                finding(Topic::Trend, -0.4),
                finding(Topic::Volume, -0.2),
                finding(Topic::Mood, -0.2),
            ],
            "The bear wins on the broken trend alone, 0.4 against 0.2, and comes to 0.8 in all, leaving the bull nothing but where rates go.",
        );
        check(
            &[trend(), lead(), mood()],
            &[finding(Topic::Street, -0.4), finding(Topic::Rates, -0.3)],
            "The bull's arguments outweigh the others more than three times over, 2.2 against 0.7, chiefly by the long trend, leaving targets below the price unanswered.",
        );
        check(
            &[trend(), lead()],
            &[finding(Topic::Street, -0.4), finding(Topic::Rates, -0.3)],
            "By the weight of the arguments the bull wins clearly (1.5 for, 0.7 against), chiefly by the long trend, leaving targets below the price unanswered.",
        );
    }
}
