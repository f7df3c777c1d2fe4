//! A decision that a text says was made on a day, and the reason that it gives:
//! `On 2 January 2023 the model bought Northwind because its revenue doubled in 2023`. What was known on that day
//! determines whether the reason could be one.

use std::sync::LazyLock;

use model::{Day, Timestamp, table};
use regex::{Match, Regex, RegexBuilder};

use super::Claim;
use super::complete::Subjects;
use super::cues::CUES;
use crate::figures::{dates, token};

/// A decision with its day and its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The day on which it was made.
    pub on: Day,
    /// What it rests on.
    pub reason: Claim,
}

struct Patterns {
    choice: Regex,
    trade: Regex,
    reason: Regex,
}

#[expect(clippy::expect_used, reason = "constant patterns, compiled by a test")]
static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let words = |kind: &str| -> String {
        let rows = table::rows(CUES).filter(|[name, _]| *name == kind);
        let words: Vec<&str> = rows.map(|[_, pattern]| pattern).collect();
        words.join("|")
    };
    let pattern = |pattern: &str| {
        RegexBuilder::new(pattern)
            .case_insensitive(true)
            .build()
            .expect("constant pattern")
    };
    let chosen = |kind: &str| {
        pattern(&format!(
            r"\b(?:{})(?: \w+)? (?:{})\b",
            words("chooser"),
            words(kind)
        ))
    };
    Patterns {
        choice: chosen("choice"),
        trade: chosen("trade"),
        reason: pattern(&format!(r"\b(?:{})\b", words("reason"))),
    }
});

impl Claim {
    /// The decision described in the claim, if it gives a single day, with the year, and a reason that can be checked.
    pub fn decision(&self) -> Option<Decision> {
        if !self.is_checkable() {
            return None;
        }
        let patterns = &*PATTERNS;
        let text = self.text.as_str();
        // `The new model sold 40,000 cars` does not report a decision.
        let has_name = |at: &Match<'_>| {
            let behind = text[at.end()..].trim_start();
            behind.starts_with(char::is_uppercase)
        };
        let trade = || patterns.trade.find_iter(text).find(has_name);
        let choice = patterns.choice.find(text).or_else(trade)?;
        let joins = |at: &Match<'_>| {
            let is_outside = at.end() <= choice.start() || at.start() >= choice.end();
            // `Because of strong demand` names a thing and states nothing.
            is_outside && !text[at.end()..].trim_start().starts_with("of ")
        };
        let joint = patterns.reason.find_iter(text).find(joins)?;
        let (reason, rest) = if joint.start() >= choice.end() {
            (&text[joint.end()..], &text[..joint.start()])
        } else {
            // `Because revenue doubled in 2023, on 2 January 2023 the model bought …`: the reason ends at the first
            // comma that is not part of a number or a date.
            let between = &text[joint.end()..choice.start()];
            let end = between
                .match_indices(", ")
                .map(|(at, _)| at)
                .find(|at| !between[at + 2..].starts_with(|c: char| c.is_ascii_digit()))?;
            let end = joint.end() + end;
            (&text[joint.end()..end], &text[end..])
        };
        let on = only_day(rest)?;
        let mut subjects = Subjects::default();
        subjects.read(rest);
        if let Some(name) = capitals(&text[choice.end()..]) {
            subjects.name(name);
        }
        let reason = subjects.complete(&capitalised(reason.trim_matches([' ', ',', ':'])));
        let reason = Self::parse(&reason);
        reason.is_checkable().then_some(Decision { on, reason })
    }
}

impl Decision {
    /// The last moment of its day.
    pub fn made_at(&self) -> Timestamp {
        self.on.starts_at().plus_ms(Timestamp::DAY_MS - 1)
    }

    /// Whether the reason names the year it is about, so that it means the same on any day.
    pub fn names_year(&self) -> bool {
        let tokens = token::cut(&self.reason.text);
        tokens
            .iter()
            .filter_map(token::Token::whole)
            .any(|number| (1900..2100).contains(&number))
    }
}

/// The day in a text that names one with its year; `None` if it names several.
fn only_day(text: &str) -> Option<Day> {
    let tokens = token::cut(text);
    if dates::is_ambiguous(&tokens) {
        return None;
    }
    let today = Day::of(Timestamp::from_ms(0));
    let mut days: Vec<Day> = (0..tokens.len())
        .filter_map(|at| dates::day(&tokens, at, today))
        .filter(|(span, _)| !span.is_assumed)
        .map(|(span, _)| span.first)
        .collect();
    days.dedup();
    match days.as_slice() {
        [day] => Some(*day),
        _ => None,
    }
}

/// What was chosen: the capitalised words that follow.
fn capitals(text: &str) -> Option<String> {
    let is_name = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
    let words: Vec<&str> = text
        .split_whitespace()
        .skip_while(|word| matches!(*word, "the" | "a" | "shares" | "stock" | "in" | "of"))
        .take_while(is_name)
        .collect();
    let name = words.join(" ");
    let name = name.trim_matches([',', ';', ':']);
    (!name.is_empty()).then(|| name.to_owned())
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next();
    first
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(characters)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(String, String)> {
        let decision = Claim::parse(text).decision()?;
        Some((decision.on.to_string(), decision.reason.text))
    }

    #[test]
    fn a_choice_has_a_day_and_a_reason() {
        for (text, on, reason) in [
            (
                "On 2 January 2023 the model bought Northwind because its revenue doubled in 2023.",
                "2023-01-02",
                "Northwind's revenue doubled in 2023.",
            ),
            (
                "Because inflation fell to 3.2 % in May 2023, our strategy went long bonds on 2023-06-01.",
                "2023-06-01",
                "Inflation fell to 3.2 % in May 2023",
            ),
            (
                "We exited Acme on March 1st, 2022, knowing that it lost $1,200,000 in the first quarter of 2022.",
                "2022-03-01",
                "Acme lost $1,200,000 in the first quarter of 2022.",
            ),
            (
                "The backtest then shorted Acme on 14 March 2022 given that Acme closed below $20 on 20 March 2022.",
                "2022-03-14",
                "Acme closed below $20 on 20 March 2022.",
            ),
            (
                "On 2 April 2025 the model sold AAPL because AAPL closed below $210 on 3 April 2025.",
                "2025-04-02",
                "AAPL closed below $210 on 3 April 2025.",
            ),
            (
                "I dumped Acme on 2 April 2025 because it fell 9% in April 2025.",
                "2025-04-02",
                "Acme fell 9% in April 2025.",
            ),
            (
                "The strategy opened a short position in Acme on 2 April 2025 because it fell 9% in April 2025.",
                "2025-04-02",
                "Acme fell 9% in April 2025.",
            ),
        ] {
            let expected = Some((on.to_owned(), reason.to_owned()));
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_told_of_others_is_an_ordinary_claim() {
        for text in [
            // The news can say whose reasons they are.
            "Northwind sold its stake in Acme on 3 May 2024 because profits fell.",
            // No day, no day with a year, and one that could be two.
            "The model bought Northwind because its revenue doubled in 2023.",
            "The model bought Northwind on 2 January because its revenue doubled.",
            "The model bought Northwind on 3/4/2023 because its revenue doubled.",
            // Several days.
            "Using data up to 31 December 2022, the model bought Northwind on 3 May 2023 because its revenue doubled in 2022.",
            // No statement, an instruction, and a product that is called a model.
            "On 2 January 2023 our model bought Northwind because of strong demand.",
            "Please note that on 2 January 2023 the model bought Northwind because its revenue doubled in 2023.",
            "The new model sold 40,000 cars by 3 May 2024 because the price was cut to $19,990.",
            // No reason.
            "The model bought Northwind on 2 January 2023.",
            "",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
