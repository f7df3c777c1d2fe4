//! Whether a text says only what is known: no figure, day, name or link that is missing from its source material.
//!
//! [`Grounds`] hold what is known; [`Grounds::check`] takes a sentence written by somebody else, such as a language
//! model. It tests what can be tested without understanding: that each figure appears in the material, as precisely as
//! it is written and for the subject that the sentence names, that a change goes the way the verb says, and that days
//! and names were given. A sentence that passes may still be foolish; one that fails is removed. Only English is read.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use model::{Day, table};
use rustc_hash::FxHashSet;

use crate::figures::token::{Join, Token, cut};
use crate::figures::{Period, Span, mentions};
use crate::stance::direction_of;

/// Number of figures that are kept.
const MOST_FIGURES: usize = 20_000;
/// Bytes that are read of one text.
const LONGEST_TEXT: usize = 64 << 10;
/// Words before a figure that are searched for its direction.
const BEFORE: usize = 4;
/// Indicator windows that every trader's note mentions: RSI, moving averages, Bollinger bands, and the weeks of a year.
const WINDOWS: [&str; 5] = ["14", "20", "50", "52", "200"];

static NOBODY: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
    table::lines(include_str!("../data/grounding_words.txt"))
        .flat_map(str::split_whitespace)
        .collect()
});

/// A part of a sentence that is not known, with its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A figure.
    Figure(String),
    /// A figure that went the other way.
    Direction(String),
    /// A time.
    Time(String),
    /// A name.
    Name(String),
    /// A link or markup that could load or run something.
    Link,
}

/// Something that figures can be about.
#[derive(Clone, Debug)]
struct Subject {
    /// Lower-case words, any of which names it.
    words: Vec<String>,
    symbol: String,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    value: f64,
    /// The subject it belongs to; `None` if it belongs to all.
    subject: Option<usize>,
    what: What,
    /// The unit that a text gave for it; `None` if it is a field's value, whose unit is not stated.
    written: Option<Unit>,
}

/// What kind of figure a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A level, in whatever unit.
    Level,
    /// A change, whose sign says which way it went.
    Change,
    /// A share of one, which may be given in percent.
    Share,
}

/// What is known.
#[derive(Clone, Debug)]
pub struct Grounds {
    today: Day,
    subjects: Vec<Subject>,
    figures: Vec<Known>,
    words: FxHashSet<String>,
    days: BTreeSet<Day>,
    /// Numbers as they are written, for those that are part of a name.
    written: FxHashSet<String>,
}

/// Which subject the figures in a text belong to.
#[derive(Clone, Copy, Debug)]
enum FiguresAre {
    /// To one subject, or to all.
    Of(Option<usize>),
    /// Not to be repeated.
    Nobodys,
}

/// A number in a sentence.
#[derive(Clone, Copy, Debug)]
struct Figure {
    value: f64,
    /// Half a unit of the last digit written.
    half: f64,
    unit: Unit,
    /// Whether it is part of a name: `52-week`, `10-K`.
    is_label: bool,
    first: usize,
    next: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    None,
    Percent,
    BasisPoints,
    Money,
}

impl Grounds {
    /// Nothing known yet. `today` is the day as of which times are read.
    pub fn new(today: Day) -> Self {
        Self {
            today,
            subjects: Vec::new(),
            figures: Vec::new(),
            words: FxHashSet::default(),
            days: BTreeSet::from([today]),
            written: FxHashSet::default(),
        }
    }

    /// Something that figures may be about, with its names; its figures are kept apart from those of other subjects.
    pub fn subject(&mut self, symbol: &str, names: &[&str]) -> usize {
        let mut words = vec![symbol.to_lowercase()];
        for name in names {
            self.text(name, None);
            // The short form of a company's name: its first word that is not an ordinary one.
            let first = cut(name)
                .into_iter()
                .find(|token| token.is_word() && !text::entities::is_common_word(&token.lower));
            words.extend(first.map(|token| token.lower));
        }
        self.words.insert(symbol.to_lowercase());
        self.subjects.push(Subject {
            words,
            symbol: symbol.to_owned(),
        });
        self.subjects.len() - 1
    }

    /// Adds the figure in a field.
    pub fn figure(&mut self, value: f64, subject: Option<usize>, what: What) {
        self.add(Known {
            value,
            subject,
            what,
            written: None,
        });
    }

    fn add(&mut self, known: Known) {
        if self.figures.len() < MOST_FIGURES && known.value.is_finite() {
            self.figures.push(known);
        }
    }

    /// Adds the words, names and times of a text, and its figures if they belong to one subject or to all.
    pub fn text(&mut self, text: &str, subject: Option<usize>) {
        self.read(text, FiguresAre::Of(subject));
    }

    /// Adds the words, names and times of a text, but not its figures.
    pub fn words(&mut self, text: &str) {
        self.read(text, FiguresAre::Nobodys);
    }

    fn read(&mut self, text: &str, figures_are: FiguresAre) {
        for line in stretches(text) {
            let tokens = cut(line);
            for token in &tokens {
                self.words.insert(token.lower.clone());
                if token.number.is_some() {
                    self.written.insert(token.text.to_owned());
                }
            }
            for time in mentions(line, self.today).times {
                self.days
                    .extend(spans(time.period).flat_map(|span| [span.first, span.last]));
            }
            let FiguresAre::Of(subject) = figures_are else {
                continue;
            };
            for figure in figures(&tokens) {
                if !figure.is_label {
                    self.add(Known {
                        value: figure.value,
                        subject,
                        what: What::Level,
                        written: Some(figure.unit),
                    });
                }
            }
        }
    }

    /// Whether a sentence says only what is known; otherwise the first thing that is not.
    pub fn check(&self, sentence: &str) -> Result<(), Fault> {
        if self.links(sentence) {
            return Err(Fault::Link);
        }
        // Nothing here reads the digits of other scripts, fractions or powers.
        if let Some(sign) = sentence
            .chars()
            .find(|sign| !sign.is_ascii() && sign.is_numeric())
        {
            return Err(Fault::Figure(sign.to_string()));
        }
        stretches(sentence).try_for_each(|line| self.check_line(line))
    }

    /// Whether a text contains a link or could load something.
    fn links(&self, text: &str) -> bool {
        const SIGNS: [&str; 9] = ["://", "//", "](", "][", "]:", "![", "<", "@", "www."];
        const ENDINGS: [&str; 12] = [
            "com", "org", "net", "io", "co", "ai", "app", "dev", "info", "biz", "example", "xyz",
        ];
        let lower = text.to_lowercase();
        let is_host = |word: &str| {
            let word = word.trim_matches(|sign: char| !sign.is_alphanumeric());
            word.rsplit_once('.').is_some_and(|(name, ending)| {
                let ending = ending.split('/').next().unwrap_or_default();
                // `Amazon.com`, if that is what something is called.
                let is_name = [name, ending].iter().all(|part| self.words.contains(*part));
                !name.is_empty() && ENDINGS.contains(&ending) && !is_name
            })
        };
        SIGNS.iter().any(|sign| lower.contains(sign))
            || lower.split_whitespace().any(is_host)
            || ["http:", "https:", "javascript:", "mailto:"]
                .iter()
                .any(|scheme| lower.contains(scheme))
    }

    fn check_line(&self, line: &str) -> Result<(), Fault> {
        let tokens = cut(line);
        let is_part_of_time = self.check_times(line, &tokens)?;
        let about = self.named(&tokens);
        for figure in figures(&tokens) {
            if !is_part_of_time[figure.first] {
                self.check_figure(line, &figure, &tokens, about)?;
            }
        }
        self.check_names(line, &tokens, &is_part_of_time)
    }

    /// Checks the times in a line; returns which tokens belong to one.
    fn check_times(&self, line: &str, tokens: &[Token<'_>]) -> Result<Vec<bool>, Fault> {
        let mut is_part = vec![false; tokens.len()];
        for time in mentions(line, self.today).times {
            let known = |span: Span| self.days.range(span.first..=span.last).next().is_some();
            if !spans(time.period).all(known) {
                return Err(Fault::Time(line[time.bytes].trim().to_owned()));
            }
            if spans(time.period).next().is_some() {
                for (token, is_part) in tokens.iter().zip(&mut is_part) {
                    *is_part |= time.bytes.contains(&token.start);
                }
            }
        }
        Ok(is_part)
    }

    /// The only subject that a line names.
    fn named(&self, tokens: &[Token<'_>]) -> Option<usize> {
        let is_named = |subject: &Subject| {
            tokens.iter().any(|token| {
                token.text == subject.symbol
                    || token.is_capital() && subject.words.contains(&token.lower)
            })
        };
        let mut named = (0..self.subjects.len()).filter(|place| is_named(&self.subjects[*place]));
        let first = named.next()?;
        named.next().is_none().then_some(first)
    }

    fn check_figure(
        &self,
        line: &str,
        figure: &Figure,
        tokens: &[Token<'_>],
        about: Option<usize>,
    ) -> Result<(), Fault> {
        let written = &tokens[figure.first];
        let said = || line[written.start..tokens[figure.next - 1].end].to_owned();
        if figure.is_label {
            let is_known = self.written.contains(written.text) || WINDOWS.contains(&written.text);
            return if is_known {
                Ok(())
            } else {
                Err(Fault::Figure(said()))
            };
        }
        let near = |known: &&Known| {
            let factors: &[f64] = match (figure.unit, known.written, known.what) {
                // What a text gives in one unit says nothing about another unit.
                (unit, Some(written), _) if unit != written => &[],
                (Unit::Percent, None, What::Share) => &[1.0, 100.0],
                (Unit::BasisPoints, None, What::Share) => &[10_000.0],
                (Unit::BasisPoints, None, _) => &[100.0],
                _ => &[1.0],
            };
            factors.iter().any(|factor| {
                let value = known.value.abs() * factor;
                (value - figure.value.abs()).abs() <= figure.half + value * 1e-9
            })
        };
        let is_theirs = |known: &&Known| match (known.subject, about) {
            (Some(of), Some(about)) => of == about,
            _ => true,
        };
        let matching: Vec<&Known> = self.figures.iter().filter(is_theirs).filter(near).collect();
        if matching.is_empty() {
            return Err(Fault::Figure(said()));
        }
        // A change must go the way the sentence says; other figures of the same size say nothing about direction.
        let says = Self::says_direction(figure, tokens);
        let is_negative = written.number.is_some_and(|number| number.negative);
        let goes = |known: &&Known, up: bool| known.value != 0.0 && (known.value > 0.0) == up;
        let changes = || matching.iter().filter(|known| known.what == What::Change);
        let is_against = says != 0
            && changes().any(|known| goes(known, says < 0))
            && !changes().any(|known| goes(known, says > 0));
        let is_positive = is_negative
            && matching
                .iter()
                .all(|known| known.value > 0.0 && known.written.is_none());
        if is_against || is_positive {
            return Err(Fault::Direction(said()));
        }
        Ok(())
    }

    /// 1 if the words before a figure say that something rose, -1 if it fell.
    fn says_direction(figure: &Figure, tokens: &[Token<'_>]) -> i8 {
        let written = tokens[figure.first].number;
        if written.is_some_and(|number| number.negative) {
            return -1;
        }
        let from = figure.first.saturating_sub(BEFORE);
        let before = tokens[from..figure.first].iter().rev();
        before
            .take_while(|token| token.number.is_none())
            .map(|token| direction_of(&token.lower))
            .find(|sign| *sign != 0)
            .unwrap_or(0)
    }

    fn check_names(
        &self,
        line: &str,
        tokens: &[Token<'_>],
        is_part_of_time: &[bool],
    ) -> Result<(), Fault> {
        for (place, token) in tokens.iter().enumerate() {
            let is_name = token.is_capital() && !is_part_of_time[place];
            if !is_name || self.is_known(token) {
                continue;
            }
            let is_ordinary = text::entities::is_common_word(&token.lower);
            // A capital at the beginning means nothing, and neither does one after a punctuation mark.
            let before = line[..token.start].trim_end();
            let begins = place == 0
                || token.join == Join::Stop
                || token.join == Join::Break && !before.ends_with(',')
                || before.ends_with(['*', '#', '|', '_']);
            let is_shouted = token.text.len() > 1 && !token.text.contains(char::is_lowercase);
            let is_listed = || text::entities::listed(token.text).is_some();
            if is_ordinary && !is_shouted || begins && !is_shouted && !is_listed() {
                continue;
            }
            return Err(Fault::Name(token.text.to_owned()));
        }
        Ok(())
    }

    fn is_known(&self, token: &Token<'_>) -> bool {
        let singular = token.lower.strip_suffix('s').unwrap_or(&token.lower);
        NOBODY.contains(token.text)
            || self.words.contains(&token.lower)
            || self.words.contains(singular)
    }
}

/// Lines of a text, cut if one is too long to be read at once.
fn stretches(text: &str) -> impl Iterator<Item = &str> {
    let text = &text[..text.floor_char_boundary(LONGEST_TEXT)];
    text.lines()
        .flat_map(text::sentence::split)
        .flat_map(|sentence| {
            const LONGEST: usize = 600;
            let mut rest = sentence;
            std::iter::from_fn(move || {
                if rest.is_empty() {
                    return None;
                }
                let mut end = rest.floor_char_boundary(LONGEST);
                if end < rest.len() {
                    end = rest[..end].rfind(' ').filter(|at| *at > 0).unwrap_or(end);
                }
                let (stretch, after) = rest.split_at(end);
                rest = after;
                Some(stretch)
            })
        })
}

/// The spans of a period that has its own days.
fn spans(period: Period) -> impl Iterator<Item = Span> {
    let (first, second) = match period {
        Period::In(span) | Period::Since(span) => (Some(span), None),
        Period::Between(from, to) => (Some(from), Some(to)),
        Period::Unsaid | Period::Latest | Period::Past(..) => (None, None),
    };
    first.into_iter().chain(second)
}

/// The numbers in a line.
fn figures(tokens: &[Token<'_>]) -> Vec<Figure> {
    let mut found = Vec::new();
    for (place, token) in tokens.iter().enumerate() {
        let (value, decimals) = match token.number {
            Some(number) => (number.value, number.decimals),
            None => match in_words(token, tokens.get(place + 1)) {
                Some(value) => (value, 0),
                None => continue,
            },
        };
        let mut figure = Figure {
            value,
            half: 0.5 * 10_f64.powi(-i32::from(decimals)),
            unit: Unit::None,
            is_label: false,
            first: place,
            next: place + 1,
        };
        if let Some(factor) = tokens.get(figure.next).and_then(scale) {
            figure.value *= factor;
            figure.half *= factor;
            figure.next += 1;
        }
        let (unit, length) = unit(&tokens[figure.next..]);
        figure.unit = unit;
        figure.next += length;
        let is_priced = place > 0 && "$€£¥".contains(tokens[place - 1].text);
        if is_priced && figure.unit == Unit::None {
            figure.unit = Unit::Money;
        }
        let is_plain = figure.next == place + 1;
        let before = place.checked_sub(1).map(|before| &tokens[before]);
        figure.is_label = is_plain
            && !is_priced
            && figure.unit == Unit::None
            && (tokens.get(figure.next).is_some_and(goes_on)
                || before.is_some_and(|before| before.is_word() && carries(before, token)));
        found.push(figure);
    }
    found
}

/// Whether a word belongs to the number before it: `52-week`, `13F`. `200-plus` and `50-fold` are figures.
fn goes_on(word: &Token<'_>) -> bool {
    const NAMING: [&str; 18] = [
        "day", "days", "week", "weeks", "month", "months", "year", "years", "session", "sessions",
        "hour", "k", "q", "f", "a", "d", "st", "th",
    ];
    matches!(word.join, Join::Tight | Join::Hyphen) && word.is_any(&NAMING)
}

/// Whether a number belongs to the word before it: `COVID-19`, `RSI(14)`.
fn carries(word: &Token<'_>, number: &Token<'_>) -> bool {
    match number.join {
        Join::Tight | Join::Hyphen => true,
        // With or without a blank before the bracket.
        Join::Break => number.start - word.end <= 2,
        Join::Space | Join::Slash | Join::Stop => false,
    }
}

/// The factor that a scale word multiplies by.
fn scale(token: &Token<'_>) -> Option<f64> {
    let is_letter = matches!(token.lower.as_str(), "k" | "m" | "b" | "t");
    if is_letter && token.join != Join::Tight {
        return None;
    }
    Some(match token.lower.as_str() {
        "thousand" | "k" => 1e3,
        "million" | "millions" | "mn" | "m" => 1e6,
        "billion" | "billions" | "bn" | "b" => 1e9,
        "trillion" | "trillions" | "tn" | "t" => 1e12,
        _ => return None,
    })
}

/// The unit at the beginning, and how many tokens it takes up.
fn unit(tokens: &[Token<'_>]) -> (Unit, usize) {
    let is =
        |place: usize, words: &[&str]| tokens.get(place).is_some_and(|token| token.is_any(words));
    if is(0, &["dollars", "dollar", "usd", "euros", "cents"]) {
        (Unit::Money, 1)
    } else if is(0, &["x", "times"]) {
        (Unit::None, 1)
    } else if is(0, &["%", "percent", "percentage", "pct", "pp"]) {
        (Unit::Percent, 1)
    } else if is(0, &["per"]) && is(1, &["cent"]) {
        (Unit::Percent, 2)
    } else if is(0, &["bps", "bp"]) {
        (Unit::BasisPoints, 1)
    } else if is(0, &["basis"]) && is(1, &["points", "point"]) {
        (Unit::BasisPoints, 2)
    } else {
        (Unit::None, 0)
    }
}

/// A number in words that counts something: `three percent`, `a hundred dollars`, `doubled`.
fn in_words(token: &Token<'_>, next: Option<&Token<'_>>) -> Option<f64> {
    /// Changes that are figures on their own, with their equivalent in percent.
    const CHANGES: [(&str, f64); 10] = [
        ("doubled", 100.0),
        ("doubles", 100.0),
        ("doubling", 100.0),
        ("tripled", 200.0),
        ("triples", 200.0),
        ("quadrupled", 300.0),
        ("halved", 50.0),
        ("halving", 50.0),
        ("half", 50.0),
        ("third", 33.0),
    ];
    const COUNTED: [&str; 11] = [
        "%",
        "percent",
        "percentage",
        "per",
        "basis",
        "dollars",
        "points",
        "cents",
        "times",
        "hundred",
        "fold",
    ];
    if let Some((_, value)) = CHANGES.iter().find(|(word, _)| token.is(word)) {
        return Some(*value);
    }
    let next = next?;
    if !next.is_any(&COUNTED) && scale(next).is_none() {
        return None;
    }
    model::cardinal(&token.lower).or_else(|| {
        token
            .is_any(&["a", "several"])
            .then_some(1.0)
            .filter(|_| scale(next).is_some())
    })
}

#[cfg(test)]
mod tests;
