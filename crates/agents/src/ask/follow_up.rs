//! A question that depends on the previous one: what it lacks is taken from there.

mod pair;
mod time;

use market::screener::natural::{Understood, understand};
use model::Day;
use query::{Intent, Reading};

use crate::sessions::Spoken;

/// Intents about a named subject; without one of these, a question that names nothing does not depend on a previous
/// one.
const OF_ONE: [Intent; 13] = [
    Intent::Price,
    Intent::Performance,
    Intent::Technicals,
    Intent::Fundamentals,
    Intent::Earnings,
    Intent::Analysts,
    Intent::Insider,
    Intent::Congress,
    Intent::Institutions,
    Intent::Filings,
    Intent::Sentiment,
    Intent::WhyMoved,
    Intent::Competitors,
];

/// Words that refer to something said before.
const POINTING: [&str; 9] = [
    "it", "its", "it's", "they", "their", "them", "that", "this", "those",
];

/// Those among them that stand for what was named.
const PRONOUNS: [&str; 3] = ["it", "they", "them"];

/// The most words in a question that depends on another.
const SHORT: usize = 8;
/// The same if a pronoun stands for its subject.
const LONG: usize = 12;

/// Beginnings of words that ask about the holdings in the previous question.
const OF_HOLDINGS: [&str; 11] = [
    "risk",
    "worr",
    "concern",
    "danger",
    "expos",
    "diversif",
    "concentrat",
    "hedg",
    "rebalanc",
    "vulnerab",
    "overweight",
];

/// Asks the previous question again, for the time that is named now.
fn ask_again(reading: &mut Reading, last: Reading) {
    let when = std::mem::take(&mut reading.when);
    let question = std::mem::take(&mut reading.question);
    let mut intents = last.intents;
    // An assessment is about now; for a past time the price is given.
    if when.from.is_some() && !when.is_ahead {
        for intent in &mut intents {
            if *intent == Intent::Outlook {
                *intent = Intent::Performance;
            }
        }
    }
    *reading = Reading {
        when,
        question,
        intents,
        unanswered: Vec::new(),
        ..last
    };
}

/// Takes what a question lacks from the previous one; returns whether anything was taken.
pub(super) fn lean_on(
    reading: &mut Reading,
    spoken: Spoken,
    names: &query::Names,
    today: Day,
) -> bool {
    let lower = reading.question.to_lowercase();
    let words: Vec<&str> = lower
        .split(|mark: char| !mark.is_alphanumeric() && mark != '\'')
        .filter(|word| !word.is_empty())
        .collect();
    let is_of_it = words.len() <= LONG && words.iter().any(|word| PRONOUNS.contains(word));
    if words.len() > SHORT && !is_of_it {
        return false;
    }
    let names_no_other = reading.instruments.is_empty() && reading.series.is_empty();
    let names_nothing = names_no_other && reading.unknown.is_empty() && reading.sectors.is_empty();
    if let Some(when) = time::before(&lower, &spoken.last.when, today) {
        reading.when = when;
        ask_again(reading, spoken.last);
        return true;
    }
    let is_holding = |word: &&str| OF_HOLDINGS.iter().any(|stem| word.starts_with(stem));
    let asks_of_holdings =
        names_nothing && spoken.last.wants(Intent::Portfolio) && words.iter().any(is_holding);
    // `last friday?`: nothing but a time is given.
    if asks_of_holdings || time::is_all(&lower, &reading.when) {
        ask_again(reading, spoken.last);
        return true;
    }
    if names_nothing && pair::read(reading, &spoken, &words, names, today) {
        return true;
    }
    if let Some(screen) = same_screen(reading, &spoken.last, names, today) {
        *reading = screen;
        return true;
    }
    let Spoken { last, recent, .. } = spoken;
    // `and in 2020?`: the same for another time.
    let goes_on = ["and ", "what about ", "how about "]
        .iter()
        .any(|start| lower.starts_with(start));
    let says_only_when = reading.topic.trim().is_empty()
        && match reading.intents[..] {
            [Intent::Unclear] => true,
            // Without an intent of its own.
            [Intent::News] => goes_on && !lower.contains("news") && !lower.contains("headline"),
            _ => false,
        };
    if names_no_other && says_only_when && !reading.when.is_unsaid() {
        ask_again(reading, last);
        return true;
    }
    // `which of the two is better?`
    let speaks_of_both = ["two", "both"].iter().any(|word| words.contains(word));
    if names_no_other && speaks_of_both && recent.len() >= 2 {
        reading.instruments = recent.into_iter().take(2).collect();
        reading.intents = vec![if lower.contains("correlat") {
            Intent::Correlation
        } else {
            Intent::Comparison
        }];
        return true;
    }
    // `price of gold`, `and how was it a year ago`: series are carried over only if a word refers to them.
    let is_of_series = last.instruments.is_empty() && !last.series.is_empty();
    let asks_value = reading.intents.iter().all(|intent| {
        matches!(
            intent,
            Intent::Price
                | Intent::Performance
                | Intent::News
                | Intent::Topic
                | Intent::Unclear
                | Intent::Macro
                | Intent::Commodities
                | Intent::Forex
                | Intent::MarketOverview
        )
    });
    if is_of_series && names_nothing && asks_value && (is_of_it || goes_on) {
        ask_again(reading, last);
        return true;
    }
    if last.instruments.is_empty() {
        return false;
    }
    let names_something = !reading.instruments.is_empty()
        || !reading.series.is_empty()
        || !reading.unknown.is_empty()
        || !reading.sectors.is_empty();
    if names_something {
        // `what about MSFT?` asks of another what was asked before.
        // `compare it with MSFT`: both.
        let compares = ["compare", "versus", " vs", "correlat", "than"];
        let points = words.iter().any(|word| POINTING.contains(word));
        // `compare with Intel`: with what was named before.
        let begins = matches!(
            words[..],
            ["compared" | "versus" | "vs" | "v", ..]
                | ["and" | "now", "compared" | "versus" | "vs", ..]
                | ["compare", "with" | "to" | "against", ..]
                | ["and" | "now", "compare", "with" | "to" | "against", ..]
        );
        let is_of_others = reading.wants(Intent::Verification) || reading.wants(Intent::Screener);
        let is_compared = begins || compares.iter().any(|word| lower.contains(word));
        if !is_of_others && (points || begins) && is_compared && !reading.instruments.is_empty() {
            let own = std::mem::take(&mut reading.instruments);
            // `how does its P/E compare`: by what was asked before.
            reading.measure = reading.measure.or(last.measure);
            reading.instruments = last.instruments;
            reading.instruments.extend(own);
            reading
                .instruments
                .dedup_by(|left, right| left.symbol == right.symbol);
            reading.intents = vec![if lower.contains("correlat") {
                Intent::Correlation
            } else {
                Intent::Comparison
            }];
            return true;
        }
        let goes_on = lower.starts_with("and ") || lower.contains("about ");
        let asks_nothing = reading.intents == [Intent::Outlook];
        if asks_nothing && goes_on && !reading.instruments.is_empty() {
            reading.intents.clone_from(&last.intents);
            reading.look_up = last.look_up;
            reading.when = last.when;
            return true;
        }
        return false;
    }
    let about = query::read_about(&reading.question, today, names, &last.instruments);
    let points_back = words.iter().any(|word| POINTING.contains(word));
    let asks_of_one = about.intents.iter().any(|intent| OF_ONE.contains(intent));
    // A question that makes sense on its own stays as it is: `biggest gainers today`.
    let is_open = matches!(
        reading.intents[..],
        [Intent::News
            | Intent::Unclear
            | Intent::Calendar
            | Intent::Insider
            | Intent::Congress
            | Intent::Filings
            | Intent::Institutions
            | Intent::Analysts
            | Intent::WhyMoved
            | Intent::Topic]
    );
    // `why did it fall?` is about nothing else.
    let is_of_it = is_of_it && asks_of_one;
    let is_further = goes_on && asks_of_one;
    if !(is_open && (points_back || asks_of_one) || is_of_it || is_further) {
        return false;
    }
    *reading = about;
    true
}

/// The screen of the previous question with another sector: `and in healthcare?` after `oversold tech stocks`.
fn same_screen(
    reading: &Reading,
    last: &Reading,
    names: &query::Names,
    today: Day,
) -> Option<Reading> {
    let screen = last.screen.as_ref()?;
    let lower = reading.question.to_lowercase();
    let goes_on = ["and ", "what about ", "how about ", "in ", "now "]
        .iter()
        .any(|start| lower.starts_with(start));
    let asked = understand(&reading.question);
    let is_only_sector = asked.filters.is_empty() && asked.sort.is_none();
    if !goes_on || !is_only_sector || !reading.instruments.is_empty() {
        return None;
    }
    let sector = part_said(&asked)?;
    let question = with_sector(&last.question, part_said(screen), sector)?;
    let again = query::read(&question, today, names);
    again.wants(Intent::Screener).then_some(again)
}

/// The words of a sentence that were understood as a sector or an industry.
fn part_said(screen: &Understood) -> Option<&str> {
    screen.explanation.iter().find_map(|one| {
        let (said, meaning) = one.split_once(": ")?;
        let is_part = meaning.starts_with("sector ") || meaning.starts_with("industry ");
        is_part.then_some(said)
    })
}

/// A sentence with its sector replaced, or with one added; `None` if its own cannot be found.
fn with_sector(sentence: &str, old: Option<&str>, new: &str) -> Option<String> {
    let Some(old) = old else {
        let open = sentence.trim_end_matches(['?', '.', '!', ' ']);
        return Some(format!("{open} in {new}"));
    };
    let at = sentence
        .to_ascii_lowercase()
        .find(&old.to_ascii_lowercase())?;
    let mut changed = sentence.to_owned();
    changed.replace_range(at..at + old.len(), new);
    Some(changed)
}

#[cfg(test)]
mod tests;
