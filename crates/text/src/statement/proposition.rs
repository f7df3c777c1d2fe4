//! A sentence prepared for comparison with another: its words with their rarity, its names, quantities and years, and
//! the words that deny or weaken it.
//!
//! Only what appears in the sentence is read here. Whoever compares two propositions decides whether they agree.

use model::DataPointKind;

use super::cues::Cue;
use super::figures::{self, Bound};
use crate::annotate::lexed::{Token, lex, shape};
use crate::{entities, features, token};

/// Text beyond this many bytes is not a sentence.
const LONGEST: usize = 4_000;
/// Number of words of a sentence that are read.
const MOST_WORDS: usize = 400;

/// A word of a proposition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Word<'a> {
    /// As written, without its possessive ending.
    pub text: &'a str,
    /// The hash of its stem, or `None` for words that carry no meaning of their own.
    pub stem: Option<u32>,
    /// How rare it is, as a logarithm, or 0 for words that carry no meaning of their own.
    pub rarity: f32,
    /// Whether it is (part of) a name: a capital on a word that is not an ordinary one.
    pub is_name: bool,
    /// Whether it begins with a digit.
    pub is_number: bool,
    /// Whether a denial reaches it, appearing at most a few words before it in the same clause.
    pub is_denied: bool,
}

/// How precisely a quantity is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exactness {
    /// As it stands, rounded as written.
    AsWritten,
    /// `about`, `nearly`, `some`.
    About,
    /// `at least`, `more than`.
    AtLeast,
    /// `at most`, `less than`, `up to`.
    AtMost,
}

/// A number with its unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity<'a> {
    /// Money, percent, count or another quantity.
    pub kind: DataPointKind,
    /// In whole units. Negative for a fall.
    pub value: f64,
    /// Its unit: a currency code, `%`, `people`, …
    pub unit: &'static str,
    /// As written.
    pub printed: &'a str,
    /// What it measures, if words next to it say so.
    pub measure: Option<&'static str>,
    /// How precisely it is meant.
    pub exactness: Exactness,
    /// Whether it gives the size of a change.
    pub is_change: bool,
}

/// A sentence that can be compared with another.
#[derive(Clone, Debug)]
pub struct Proposition<'a> {
    /// The sentence.
    pub text: &'a str,
    /// Its words in order.
    pub words: Vec<Word<'a>>,
    /// Its quantities, without years.
    pub quantities: Vec<Quantity<'a>>,
    /// Bare numbers that are neither years nor quantities.
    pub numbers: Vec<f64>,
    /// The years that it names.
    pub years: Vec<i32>,
    /// The number of denying words.
    pub denials: usize,
    /// Whether it expresses or reports a doubt.
    pub is_doubted: bool,
    /// Whether it is about what may happen or may be.
    pub is_hedged: bool,
}

impl<'a> Proposition<'a> {
    /// Reads a sentence.
    pub fn parse(text: &'a str) -> Self {
        let text = &text[..crate::annotate::lexed::floor_boundary(text, LONGEST)];
        let mut tokens = Vec::new();
        lex(text, &mut tokens);
        tokens.truncate(MOST_WORDS);
        let figures = figures::of_sentence(text, &tokens);
        let (mut years, mut numbers) = (Vec::new(), Vec::new());
        for (at, token) in tokens.iter().enumerate() {
            if !token.is(shape::NUMBER)
                || figures
                    .iter()
                    .any(|figure| (figure.first..figure.next).contains(&at))
            {
                continue;
            }
            if let Some(year) = year(token) {
                years.push(year);
            } else if let Ok(number) = token.text.replace(',', "").parse::<f64>() {
                numbers.push(number);
            }
        }
        let quantities = figures
            .into_iter()
            .map(|figure| Quantity {
                kind: figure.kind,
                value: figure.value,
                unit: figure.unit,
                printed: figure.printed,
                measure: figure.measure,
                exactness: match figure.bound {
                    Bound::Exact => Exactness::AsWritten,
                    Bound::About => Exactness::About,
                    Bound::AtLeast => Exactness::AtLeast,
                    Bound::AtMost => Exactness::AtMost,
                },
                is_change: figure.change,
            })
            .collect();
        let (words, denials) = words(&tokens);
        Self {
            text,
            words,
            quantities,
            numbers,
            years,
            denials,
            is_doubted: Cue::Doubt.is_in(text),
            is_hedged: Cue::Forecast.is_in(text) || Cue::Expectation.is_in(text),
        }
    }

    /// Words that carry meaning.
    pub fn content(&self) -> impl Iterator<Item = &Word<'a>> {
        self.words.iter().filter(|word| word.stem.is_some())
    }
}

/// The number of words that a denial reaches.
const REACH: usize = 6;

fn words<'a>(tokens: &[Token<'a>]) -> (Vec<Word<'a>>, usize) {
    let mut denials = 0;
    let mut denied_until = 0;
    let mut words = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        if at < denied_until && token.after(crate::annotate::lexed::gap::BREAK) {
            denied_until = at;
        }
        let denies = is_denial(token.text);
        if denies {
            denials += 1;
            denied_until = at + 1 + REACH;
        }
        let lower = token.text.to_lowercase();
        let (stem, rarity) = if token::is_stop_word(&lower) || denies {
            (None, 0.0)
        } else {
            features::first_term(token.text)
                .map_or((None, 0.0), |(stem, rarity)| (Some(stem), rarity))
        };
        let is_capital = token.is(shape::CAPITAL) && !token.is(shape::NUMBER);
        words.push(Word {
            text: token.text,
            stem,
            rarity,
            is_name: is_capital
                && stem.is_some()
                && (!entities::is_common(token) || at > 0 && token.is(shape::ALL_CAPS)),
            is_number: token.is(shape::NUMBER),
            is_denied: !denies && at < denied_until,
        });
    }
    (words, denials)
}

/// Whether a word denies what follows.
fn is_denial(word: &str) -> bool {
    const WORDS: [&str; 16] = [
        "not", "no", "never", "none", "neither", "nor", "without", "nothing", "nobody", "cannot",
        "hardly", "scarcely", "fails", "failed", "refused", "lacks",
    ];
    let lower = word.to_lowercase().replace('’', "'");
    lower.ends_with("n't") || WORDS.contains(&lower.as_str())
}

/// A number that is a year.
fn year(token: &Token<'_>) -> Option<i32> {
    let digits = token.text.trim_end_matches('s');
    let year: i32 = (digits.len() == 4).then(|| digits.parse().ok())??;
    (1500..2100).contains(&year).then_some(year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_whether_they_are_denied_or_name_something() {
        let read = Proposition::parse(
            "Northwind did not cut 1,200 jobs in Velden in 2021, but profit fell 12 %",
        );
        let word = |text: &str| *read.words.iter().find(|word| word.text == text).unwrap();
        assert!(word("cut").is_denied && !word("profit").is_denied);
        assert!(word("Northwind").is_name && word("Velden").is_name && !word("jobs").is_name);
        assert_eq!(
            (read.denials, read.years.as_slice()),
            (1, [2021].as_slice())
        );
        let values: Vec<(f64, &str)> = read
            .quantities
            .iter()
            .map(|quantity| (quantity.value, quantity.unit))
            .collect();
        assert_eq!(values, [(1200.0, "jobs"), (-12.0, "%")]);
    }

    #[test]
    fn nothing_is_too_odd_to_be_parsed() {
        for text in [
            "",
            " ",
            "…",
            "’",
            "n't",
            &"no ".repeat(5_000),
            "١٢٣ ％ 12%%",
        ] {
            let read = Proposition::parse(text);
            assert!(read.words.len() <= MOST_WORDS, "{text}");
        }
    }
}
