//! The figures of a text: amounts of money, percentages, counts and quantities, with what they measure.
//!
//! This is the only reader of numbers, for articles and briefs alike. Dates, years, times, ages, scores, ranks, ranges,
//! telephone numbers and numbers in names are not figures. A bare number is a figure only if the words next to it say
//! what it counts. A percentage is negative if the words next to it report a fall. Basis points are quantities. The
//! nearest measure word in its clause says what a figure measures. If there is none, that is left open.

use model::{DataPoint, DataPointKind, EntityKind};

use crate::annotate::lexed::{Lexed, Token, floor_boundary, gap, lex, shape};
use crate::annotate::mentions::{Mentions, Place};
use crate::entities::is_common;

mod measure;
mod number;

use number::{Number, Unit};

/// Figures and sentences beyond this many add nothing new about an article.
const MOST: usize = 24;
const SENTENCES: usize = 60;
/// A longer sentence is cut around the figure.
const LONGEST_CONTEXT: usize = 280;

/// How precisely a figure is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// As it stands.
    Exact,
    /// `about`, `nearly`, `some`.
    About,
    /// `at least`, `more than`.
    AtLeast,
    /// `up to`, `as many as`, `less than`.
    AtMost,
}

/// One figure of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Figure<'a> {
    pub(crate) kind: DataPointKind,
    /// In whole units. Negative for a fall.
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    /// As it stands in the text.
    pub(crate) printed: &'a str,
    pub(crate) measure: Option<&'static str>,
    /// The measures that its clause names, one bit each.
    pub(crate) named: u64,
    pub(crate) bound: Bound,
    /// Gives the size of a change, not of a level.
    pub(crate) change: bool,
    /// Its first word, and the one after its last.
    pub(crate) first: usize,
    pub(crate) next: usize,
}

/// The figures of a sentence that is already split into words.
pub(crate) fn of_sentence<'a>(text: &'a str, tokens: &[Token<'a>]) -> Vec<Figure<'a>> {
    let mut figures = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let number = number::is_start(&tokens[at])
            .then(|| number::parse(text, tokens, at))
            .flatten();
        let Some(number) = number else {
            at += 1;
            continue;
        };
        figures.extend(figure(text, tokens, at, &number));
        at = number.next.max(at + 1);
    }
    figures
}

/// The figures of a sentence.
pub(crate) fn of_text(text: &str) -> Vec<Figure<'_>> {
    let mut tokens = Vec::new();
    lex(text, &mut tokens);
    of_sentence(text, &tokens)
}

fn figure<'a>(
    text: &'a str,
    tokens: &[Token<'a>],
    at: usize,
    number: &Number,
) -> Option<Figure<'a>> {
    if measure::is_rank(tokens, at) && !matches!(number.unit, Unit::Money(_) | Unit::Percent) {
        return None;
    }
    let words = measure::Around {
        tokens,
        first: at,
        next: number.next,
    };
    let people = words.people();
    let (kind, unit, measure) = match number.unit {
        Unit::Money(code) => (DataPointKind::Money, code, None),
        Unit::Percent => (DataPointKind::Percent, "%", None),
        Unit::PercentagePoints => (DataPointKind::Quantity, "percentage points", None),
        Unit::BasisPoints => (DataPointKind::Quantity, "basis points", None),
        Unit::Things(kind, unit) => {
            let measure = match unit {
                "people" | "workers" => people,
                "jobs" => words.jobs_cut(),
                "deaths" => Some("killed"),
                "cases" => Some("infected"),
                "arrests" => Some("arrested"),
                _ => None,
            };
            (kind, unit, measure.or_else(|| words.jobs_cut()))
        }
        Unit::Bare => {
            let measure = people?;
            (DataPointKind::Count, "people", Some(measure))
        }
    };
    if kind == DataPointKind::Count && number.value.fract() != 0.0 && number.value < 1e3 {
        return None;
    }
    // A year next to a noun is still a year: `the 2020 cases`.
    let year = (1900.0..2100.0).contains(&number.value)
        && number.value.fract() == 0.0
        && tokens[at].text.len() == 4;
    if year && matches!(kind, DataPointKind::Count | DataPointKind::Quantity) {
        return None;
    }
    let moved = words.direction();
    let signed = matches!(
        number.unit,
        Unit::Percent | Unit::PercentagePoints | Unit::BasisPoints
    );
    let below_zero = text[..number.begin]
        .strip_suffix(['-', '\u{2212}'])
        .is_some_and(|before| !before.ends_with(char::is_alphanumeric));
    let value = match moved {
        Some(direction) if signed => direction * number.value,
        _ if below_zero => -number.value,
        _ => number.value,
    };
    Some(Figure {
        kind,
        value,
        unit,
        printed: text.get(number.begin..number.end)?.trim(),
        measure: measure.or_else(|| words.measure(kind)),
        named: words.named(kind),
        bound: words.bound(),
        change: moved.is_some(),
        first: at,
        next: number.next,
    })
}

/// The figures of a text with the entities they belong to and what they measure, in order.
pub(crate) fn data_points(lexed: &Lexed<'_>, mentions: &Mentions<'_>) -> Vec<DataPoint> {
    let mut points: Vec<DataPoint> = Vec::new();
    for sentence in lexed.sentences.iter().take(SENTENCES) {
        let tokens = lexed.words(sentence);
        for figure in of_sentence(sentence.text, tokens) {
            let is_known = points
                .iter()
                .any(|point| point.value == figure.value && point.unit == figure.unit);
            if is_known {
                continue;
            }
            points.push(DataPoint {
                kind: figure.kind,
                value: figure.value,
                unit: figure.unit.to_owned(),
                printed: figure.printed.to_owned(),
                context: context(sentence.text, figure.printed),
                measure: figure.measure.map(str::to_owned),
                entity: about(tokens, &figure, mentions),
            });
            if points.len() == MOST {
                return points;
            }
        }
    }
    points
}

/// The sentence, shortened around the figure if it is long.
fn context(sentence: &str, printed: &str) -> String {
    if sentence.len() <= LONGEST_CONTEXT {
        return sentence.trim().to_owned();
    }
    let at = number::offset(sentence, printed).min(sentence.len());
    let begin = floor_boundary(sentence, at.saturating_sub(LONGEST_CONTEXT / 2));
    let end = floor_boundary(sentence, begin + LONGEST_CONTEXT).max(at);
    let begin = if begin == 0 {
        0
    } else {
        sentence[begin..at]
            .find(' ')
            .map_or(begin, |space| begin + space)
    };
    let end = if end == sentence.len() {
        end
    } else {
        sentence[..end]
            .rfind(' ')
            .filter(|space| *space > at + printed.len())
            .unwrap_or(end)
    };
    sentence[begin..end].trim().to_owned()
}

/// Words that introduce a different statement.
const CLAUSES: [&str; 14] = [
    "as", "after", "ahead", "although", "amid", "because", "before", "if", "since", "when",
    "which", "while", "who", "with",
];
/// A name after a figure belongs to it within this many words.
const BEHIND: usize = 5;

/// The entity that a figure is about. It is the nearest name before it in its clause, with places counting only if
/// nobody else is named there. If a comma separates the nearest name from the figure, it is the first name in the
/// clause, and otherwise the first name directly after the figure. If a clause names nobody, the figure is about
/// nobody: an entity named in another clause has other figures.
fn about(tokens: &[Token<'_>], figure: &Figure<'_>, mentions: &Mentions<'_>) -> Option<String> {
    let named = mentions.of(tokens);
    let places_first = figure.kind == DataPointKind::Count && figure.measure.is_some();
    let is_place = |mention: &&Place<'_>| mention.entity.kind == EntityKind::Location;
    let is_event = |mention: &&Place<'_>| mention.entity.kind == EntityKind::Event;
    let start = clause_start(tokens, figure.first);
    let before: Vec<&Place<'_>> = named
        .iter()
        .filter(|mention| {
            mention.start >= start && mention.end <= figure.first && !is_event(mention)
        })
        .collect();
    let behind: Vec<&Place<'_>> = named
        .iter()
        .filter(|mention| {
            mention.start >= figure.next
                && mention.start < figure.next + BEHIND
                && !is_event(mention)
                && !tokens[figure.next..=mention.start]
                    .iter()
                    .any(|word| word.after(gap::BREAK) || CLAUSES.contains(&word.text))
        })
        .collect();
    let is_apart = |mention: &Place<'_>| {
        tokens[mention.end..=figure.first.min(tokens.len() - 1)]
            .iter()
            .any(|word| word.after(gap::COMMA))
    };
    // `as` or `after` introduces a different statement, about somebody else unless the measure is one that belongs to
    // somebody: `falls after sales dropped`. Anything can have a price.
    let is_of_thing = figure.measure.is_none_or(|measure| measure == "price");
    let told = (start + 1..figure.first)
        .rev()
        .find(|at| CLAUSES.contains(&tokens[*at].text))
        .filter(|told| is_of_thing || before.iter().any(|mention| mention.start > *told))
        .unwrap_or(start);
    let nearest = |place: bool| {
        let mut of_kind = before
            .iter()
            .copied()
            .filter(move |mention| mention.start >= told && is_place(mention) == place);
        let first = of_kind.next()?;
        let last = of_kind.next_back().unwrap_or(first);
        Some(if is_apart(last) { first } else { last })
    };
    let following = |place: bool| {
        behind
            .iter()
            .copied()
            .find(move |mention| is_place(mention) == place)
    };
    let chosen = nearest(places_first)
        .or_else(|| nearest(!places_first))
        .or_else(|| following(places_first))
        .or_else(|| following(!places_first));
    chosen.map(|mention| mention.entity.name.clone())
}

/// Where the clause of a word begins. A topic before a colon belongs to it, unless the colon is followed by the name of
/// somebody unknown to the text: `Top gainers: Kelvo Pharma rises 3%`.
fn clause_start(tokens: &[Token<'_>], at: usize) -> usize {
    let boundary = |word: &Token<'_>| word.after(gap::OTHER | gap::COLON);
    let is_unknown =
        |word: &Token<'_>| word.is(shape::CAPITAL) && !word.is(shape::NUMBER) && !is_common(word);
    let mut end = at;
    // The sign of a figure is directly before it.
    while let Some(start) = (1..end).rev().find(|at| boundary(&tokens[*at])) {
        let is_topic = tokens[start].after(gap::COLON)
            && !tokens[start].after(gap::OTHER)
            && !tokens[start..end].iter().any(is_unknown);
        if !is_topic {
            return start;
        }
        end = start - 1;
    }
    0
}

#[cfg(test)]
mod tests;
