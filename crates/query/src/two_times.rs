//! Questions about two times in one: `the Dow on 16 March 2020 and on 16 March 2021`.
//!
//! A reading has one time. A question that names two side by side is split into one question for each, and they are
//! answered one after the other. A period from one time to another is a single time.

use model::Day;
use verify::figures::{Dated, Period};

use crate::reading::{FIGURES, Reading};
use crate::subjects;
use crate::words;

/// Words between two times that are asked about in the same way.
const JOINTS: [&str; 11] = [
    "and",
    "&",
    "vs",
    "vs.",
    "versus",
    "or",
    "than",
    "compared with",
    "compared to",
    "as well as",
    "and then",
];
/// Words that precede a time and belong to it.
const BEFORE: [&str; 9] = [
    "on", "in", "at", "of", "for", "the", "end", "close", "during",
];

/// A question for each of the two times that a question names side by side; `None` if it does not have two, or does not
/// ask for figures of a time.
pub fn of_each_time(reading: &Reading, today: Day) -> Option<[String; 2]> {
    let is_of_figures = reading
        .intents
        .iter()
        .all(|intent| FIGURES.contains(intent));
    let is_of_figures = is_of_figures && !reading.intents.is_empty();
    if !is_of_figures || !reading.positions.is_empty() || reading.when.is_ahead {
        return None;
    }
    let text = reading.question.as_str();
    let times = subjects::mentions(text, &words::cut(text), today).times;
    let [first, second] = &times[..] else {
        return None;
    };
    let is_own =
        |dated: &Dated| matches!(dated.period, Period::In(_)) && !dated.is_start && !dated.is_end;
    if !is_own(first) || !is_own(second) || says_between(text, first) {
        return None;
    }
    let time = joined(text.get(first.bytes.end..second.bytes.end)?)?;
    let rest = text.get(second.bytes.end..)?;
    let said_first = text.get(first.bytes.clone())?;
    // What precedes the first time also precedes the other one: `on`.
    let lead = &said_first[..said_first.len() - bare(said_first).len()];
    let lead = if bare(time).len() < time.trim_start().len() {
        ""
    } else {
        lead
    };
    let head = text.get(..first.bytes.start)?;
    let of = |lead: &str, time: &str| format!("{head}{}{lead}{}{rest}", gap(head), time.trim());
    Some([of("", said_first), of(lead.trim_start(), time)])
}

/// A space if there is none.
fn gap(head: &str) -> &'static str {
    if head.is_empty() || head.ends_with([' ', ',', '(']) {
        ""
    } else {
        " "
    }
}

/// The second time, after its joint.
fn joined(said: &str) -> Option<&str> {
    let trimmed = said.trim_start_matches([' ', ',']);
    let lower = trimmed.to_ascii_lowercase();
    let joint = JOINTS
        .iter()
        .filter(|joint| {
            lower
                .strip_prefix(**joint)
                .is_some_and(|rest| rest.starts_with(' '))
        })
        .max_by_key(|joint| joint.len())?;
    trimmed.get(joint.len()..)
}

/// A time without the words before it.
fn bare(said: &str) -> &str {
    let mut rest = said.trim_start();
    while let Some((word, after)) = rest.split_once(' ')
        && BEFORE.contains(&word.to_ascii_lowercase().as_str())
    {
        rest = after.trim_start();
    }
    rest
}

/// Whether the first time begins a period: `between May and July`, `from 2020 and …`.
fn says_between(text: &str, first: &Dated) -> bool {
    let before = text[..first.bytes.start].to_ascii_lowercase();
    let own = text[first.bytes.clone()].to_ascii_lowercase();
    let last = before.split_whitespace().next_back().unwrap_or_default();
    let begins = |word: &str| ["between", "from", "since"].contains(&word);
    begins(last) || own.split_whitespace().next().is_some_and(begins)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Names, read};

    #[test]
    fn a_question_of_two_times_is_two_questions() {
        let today = Day::parse("2026-11-26").unwrap();
        let check = |question: &str, expected: Option<&str>| {
            let reading = read(question, today, &Names::new([]));
            let found = of_each_time(&reading, today).map(|[_, other]| other);
            assert_eq!(
                found.as_deref(),
                expected,
                "{question}: {:?}",
                reading.intents
            );
        };
        check(
            "Where did the Dow close on 16 March 2020 and on 16 March 2021?",
            Some("Where did the Dow close on 16 March 2021?"),
        );
        check(
            "What was unemployment in April 2020 and April 2021?",
            Some("What was unemployment in April 2021?"),
        );
        check(
            "price of gold on 2 January 2020 vs 4 January 2021",
            Some("price of gold on 4 January 2021"),
        );
        check(
            "how did oil do between 3 March 2020 and 20 April 2020",
            None,
        );
        check("how did oil do from 3 March 2020 to 20 April 2020", None);
        check("price of gold on 2 January 2020", None);
    }

    #[test]
    fn a_question_without_a_wish_is_not_cut() {
        let today = Day::parse("2026-11-26").unwrap();
        let question = "price of gold on 2 January 2020 vs 4 January 2021";
        let mut reading = read(question, today, &Names::new([]));
        assert!(of_each_time(&reading, today).is_some());
        reading.intents.clear();
        assert_eq!(of_each_time(&reading, today), None);
    }

    #[test]
    fn the_rest_of_a_question_stays() {
        let today = Day::parse("2026-11-26").unwrap();
        let reading = read(
            "in 2020 and in 2021, how much did gold rise?",
            today,
            &Names::new([]),
        );
        assert_eq!(
            of_each_time(&reading, today),
            Some(
                [
                    "in 2020, how much did gold rise?",
                    "in 2021, how much did gold rise?"
                ]
                .map(str::to_owned)
            )
        );
    }
}
