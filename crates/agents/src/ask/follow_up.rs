//! A question that leans on the one before: what it lacks is taken from there.

use model::Day;
use query::{Intent, Reading};

use crate::sessions::Spoken;

/// Wishes about something named, without which a question that names nothing leans on none before.
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

/// Words that point to something said before.
const POINTING: [&str; 9] = [
    "it", "its", "it's", "they", "their", "them", "that", "this", "those",
];

/// Of them those that stand for what was named.
const PRONOUNS: [&str; 3] = ["it", "they", "them"];

/// Words in a question that leans on another.
const SHORT: usize = 8;
/// The same where a pronoun stands for what it is about.
const LONG: usize = 12;

/// Asks what was asked before, of the time that is named now.
fn ask_again(reading: &mut Reading, last: Reading) {
    let when = std::mem::take(&mut reading.when);
    let question = std::mem::take(&mut reading.question);
    let mut intents = last.intents;
    // An assessment is one of now; of a past time the price is told.
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
        ..last
    };
}

/// Takes what a question lacks from the one before; says whether anything was taken.
pub(super) fn lean_on(
    reading: &mut Reading,
    spoken: Spoken,
    names: &query::Names,
    today: Day,
) -> bool {
    let Spoken { last, recent } = spoken;
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
    // `and in 2020?`: the same of another time.
    let goes_on = ["and ", "what about ", "how about "]
        .iter()
        .any(|start| lower.starts_with(start));
    let says_only_when = reading.topic.trim().is_empty()
        && match reading.intents[..] {
            [Intent::Unclear] => true,
            // Without a wish of its own.
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
    // `price of gold`, `and how was it a year ago`: series are leant on only where a word points to them.
    let is_of_series = last.instruments.is_empty() && !last.series.is_empty();
    let names_nothing = names_no_other && reading.unknown.is_empty() && reading.sectors.is_empty();
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
        let begins = ["compared", "versus", "vs"]
            .iter()
            .any(|word| words.first() == Some(word));
        let is_of_others = reading.wants(Intent::Verification) || reading.wants(Intent::Screener);
        let is_compared = compares.iter().any(|word| lower.contains(word));
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
            reading.when = last.when;
            return true;
        }
        return false;
    }
    let about = query::read_about(&reading.question, today, names, &last.instruments);
    let points_back = words.iter().any(|word| POINTING.contains(word));
    let asks_of_one = about.intents.iter().any(|intent| OF_ONE.contains(intent));
    // A question that makes sense alone stays as it is: `biggest gainers today`.
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
    // `why did it fall?` speaks of nothing else.
    let is_of_it = is_of_it && asks_of_one;
    let is_further = goes_on && asks_of_one;
    if !(is_open && (points_back || asks_of_one) || is_of_it || is_further) {
        return false;
    }
    *reading = about;
    true
}
