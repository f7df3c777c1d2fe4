//! A description of somebody within a claim, next to what the claim reports:
//! `Comey, the former head of the FBI, was indicted`. News that reports the one need not report the other.

use super::{Claim, split};
use crate::figures::dates::month_day;
use crate::figures::token::cut;

/// Words that begin a description.
const OPENING: [&str; 14] = [
    "a", "an", "the", "its", "his", "her", "their", "one", "former", "formerly", "now", "then",
    "who", "which",
];
/// Words that give a description a clause of its own.
const RELATIVE: [&str; 6] = ["who", "which", "that", "where", "whose", "whom"];
/// Words that turn what looks like a description into a statement.
const STATING: [&str; 19] = [
    "is", "are", "was", "were", "has", "have", "had", "will", "would", "can", "could", "may",
    "might", "should", "did", "does", "said", "says", "told",
];
/// Words after the participle in a description: `led by`, `based in`.
const BEHIND_PARTICIPLE: [&str; 10] = [
    "by", "in", "at", "on", "as", "for", "to", "from", "with", "of",
];
/// Words that continue a list.
const LISTS: [&str; 4] = ["and", "or", "but", "nor"];
/// Words after a superlative that is a measure.
const MEASURED: [&str; 6] = ["since", "ever", "yet", "so", "this", "among"];
/// Words that begin a clause that continues after its comma.
const SUBORDINATES: [&str; 9] = [
    "after", "when", "while", "as", "although", "because", "if", "since", "once",
];
/// Words that open a claim by saying where or when it happened.
const PLACES: [&str; 6] = ["in", "at", "on", "for", "under", "with"];
/// Number of words in a description.
const WORDS: std::ops::RangeInclusive<usize> = 2..=16;
/// Words inside a name.
const WITHIN: [&str; 4] = ["of", "the", "de", "von"];

/// A claim that contains a description, split in two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apposition {
    /// The claim without the description.
    pub told: Claim,
    /// The description as a statement: `Comey is the former head of the FBI`.
    pub described: Claim,
}

impl Claim {
    /// The first description of somebody named in the claim, between commas or at its end.
    pub fn apposition(&self) -> Option<Apposition> {
        let text = self.text.trim_end_matches(['.', '!']);
        let commas: Vec<usize> = text.match_indices(", ").map(|(at, _)| at).collect();
        let ends = commas.iter().skip(1).copied().chain([text.len()]);
        commas
            .iter()
            .zip(ends)
            .find_map(|(at, end)| read(text, *at, end))
    }
}

/// The description between two places, the first of which is a comma.
fn read(text: &str, at: usize, end: usize) -> Option<Apposition> {
    let (before, description) = (&text[..at], &text[at + 2..end]);
    let rest = text.get(end + 2..).unwrap_or("");
    let name = last_name(before)?;
    if !is_description(description, rest.is_empty()) {
        return None;
    }
    // `Acme and Quill, the two largest makers`: both are described.
    let ahead = before[..before.len() - name.len()].trim_end();
    let last = ahead.rsplit(' ').next().unwrap_or("");
    if LISTS.contains(&last) || matches!(last, "&" | "/") {
        return None;
    }
    let opening = before.split(' ').next().unwrap_or("").to_lowercase();
    let told = if rest.is_empty() {
        let is_statement = ahead.split(' ').any(split::is_verb);
        (is_statement && !SUBORDINATES.contains(&opening.as_str())).then(|| before.to_owned())?
    } else {
        let next = rest.split(' ').next()?;
        let goes_on = next.starts_with(|sign: char| sign.is_lowercase()) && !LISTS.contains(&next);
        let is_place = PLACES.contains(&opening.as_str());
        goes_on.then(|| format!("{before}{} {rest}", if is_place { "," } else { "" }))?
    };
    let described = match description.split_once(' ') {
        Some(("who" | "which", rest)) => format!("{name} {rest}"),
        _ => format!("{name} is {description}"),
    };
    Some(Apposition {
        told: Claim::parse(&told),
        described: Claim::parse(&described),
    })
}

/// The name at the end of a text; not a day and not a month.
fn last_name(text: &str) -> Option<&str> {
    let is_capital = |word: &str| word.starts_with(char::is_uppercase);
    let (mut start, mut from) = (text.len(), text.len());
    for word in text.rsplit(' ') {
        let begin = from - word.len();
        if is_capital(word) {
            start = begin;
        } else if start == text.len() || !WITHIN.contains(&word) {
            break;
        }
        let Some(before) = begin.checked_sub(1) else {
            break;
        };
        from = before;
    }
    // `In India` and `The Grand Hotel` begin with a word that is not part of the name.
    let mut name = &text[start..];
    while let Some((first, rest)) = name.split_once(' ') {
        let lower = first.to_lowercase();
        if !OPENING.contains(&lower.as_str()) && !PLACES.contains(&lower.as_str()) {
            break;
        }
        name = rest;
    }
    let is_time = |name: &str| {
        let tokens = cut(name);
        tokens
            .iter()
            .any(|token| month_day::month(token).is_some() || month_day::is_weekday(token))
    };
    (name.chars().count() > 1 && !is_time(name)).then_some(name)
}

/// Whether words describe somebody and make no statement themselves.
fn is_description(text: &str, is_last: bool) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let Some(first) = words.first() else {
        return false;
    };
    // `India's largest carmaker`.
    let is_owned = words.iter().take(3).any(|word| {
        word.starts_with(char::is_uppercase) && (word.ends_with("'s") || word.ends_with("’s"))
    });
    if !WORDS.contains(&words.len()) || !(OPENING.contains(first) || is_owned) {
        return false;
    }
    if *first == "who" || *first == "which" {
        // At the end, `which` may refer to the whole statement.
        return !(is_last && *first == "which");
    }
    // `its highest since March` is a measure of what rose, not a description of anybody.
    let is_measure = words.get(1).is_some_and(|word| is_superlative(word))
        && words
            .get(2)
            .is_none_or(|next| MEASURED.contains(next) || BEHIND_PARTICIPLE.contains(next));
    if is_measure {
        return false;
    }
    let own = words
        .iter()
        .position(|word| RELATIVE.contains(word))
        .unwrap_or(words.len());
    (0..own).all(|at| {
        let is_participle = words
            .get(at + 1)
            .is_some_and(|next| BEHIND_PARTICIPLE.contains(next));
        let states = is_last && split::is_verb(words[at]) && !is_participle;
        !states && !STATING.contains(&words[at])
    })
}

fn is_superlative(word: &str) -> bool {
    word.ends_with("est") || matches!(word, "most" | "least" | "worst" | "first" | "last")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken_apart(claim: &str) -> Option<(String, String)> {
        let found = Claim::parse(claim).apposition()?;
        Some((found.told.text, found.described.text))
    }

    #[test]
    fn a_description_is_a_statement_of_its_own() {
        for (claim, told, described) in [
            (
                "James Comey, the former head of the FBI, was indicted for a second time.",
                "James Comey was indicted for a second time",
                "James Comey is the former head of the FBI",
            ),
            (
                "Northwind, which is based in Oslo, cut 400 jobs",
                "Northwind cut 400 jobs",
                "Northwind is based in Oslo",
            ),
            (
                "Maruti Suzuki, India's largest carmaker, raised its prices.",
                "Maruti Suzuki raised its prices",
                "Maruti Suzuki is India's largest carmaker",
            ),
            (
                "In India, the world's most populous country, inflation rose to 3.4%.",
                "In India, inflation rose to 3.4%",
                "India is the world's most populous country",
            ),
            (
                "Acme has formed a partnership with Quill, a publisher based in Seoul.",
                "Acme has formed a partnership with Quill",
                "Quill is a publisher based in Seoul",
            ),
            (
                "Panic erupted at the Grand Hotel, the house where a king was shot, during a dinner.",
                "Panic erupted at the Grand Hotel during a dinner",
                "Grand Hotel is the house where a king was shot",
            ),
        ] {
            let expected = Some((told.to_owned(), described.to_owned()));
            assert_eq!(taken_apart(claim), expected, "{claim}");
        }
    }

    #[test]
    fn lists_times_and_statements_are_no_descriptions() {
        for claim in [
            "Apple, the New York Times, and Google sued the state.",
            "Apple, the New York Times, Google and Meta sued the state.",
            "On Monday, the company, based in Oslo, cut 400 jobs.",
            "In May 2026, the world's largest carmaker sold 400,000 cars.",
            "After Acme sued Quill, the smaller company settled the case.",
            "According to Reuters, the company was sold.",
            "Prices rose in Norway, the bank said.",
            "Shares of Northwind fell 5%, the most in a year.",
            "Northwind cut 400 jobs.",
            "Brent rose to $95 in London, its highest since March.",
            "Bonuses were cut at Deutsche Bank, the most in a year.",
            "Northwind, whose shares fell 5%, cut 400 jobs.",
            "Acme and Quill, the two largest makers, sued the state.",
            "Acme has fired Jane Roe, which angered its staff.",
            ", , ,",
            "",
        ] {
            assert_eq!(taken_apart(claim), None, "{claim}");
        }
    }
}
