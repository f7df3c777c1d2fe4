//! The figures of a text: amounts of money, percentages, counts and quantities, with what they measure.
//!
//! This is the only reading of numbers for articles and briefs alike. Dates, years, times, ages, scores, ranks, ranges,
//! telephone numbers and numbers in names are no figures; a bare number is one only where words beside it say what it
//! counts. A percentage is negative where the words beside it report a fall; basis points are quantities. What a figure
//! measures is given by the nearest measure word of its clause, and is left open where there is none.

use model::{DataPoint, DataPointKind, EntityKind};

use crate::annotate::lexed::{Lexed, Token, floor_boundary, lex};
use crate::annotate::mentions::Mentions;

mod measure;
mod number;

use number::{Number, Unit};

/// Figures beyond this many, and sentences beyond this, say nothing new about an article.
const MOST: usize = 24;
const SENTENCES: usize = 60;
/// A longer sentence is cut around the figure.
const LONGEST_CONTEXT: usize = 280;

/// How exactly a figure is meant.
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
    /// In whole units; negative for a fall.
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    /// As it stands in the text.
    pub(crate) printed: &'a str,
    pub(crate) measure: Option<&'static str>,
    /// The measures that its clause names, one bit each.
    pub(crate) named: u64,
    pub(crate) bound: Bound,
    /// By how much something changed, not how large it is.
    pub(crate) change: bool,
    /// Its first word, and the one after its last.
    pub(crate) first: usize,
    pub(crate) next: usize,
}

/// The figures of a sentence that was cut into words already.
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
    // A year beside a noun stays a year: `the 2020 cases`.
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

/// The figures of a text with whom and what they are about, in their order.
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

/// The sentence, cut around the figure where it is long.
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

/// Whom a figure is about: the nearest name before it, else the first after it; people only where nobody else is named.
fn about(tokens: &[Token<'_>], figure: &Figure<'_>, mentions: &Mentions<'_>) -> Option<String> {
    let named = mentions.of(tokens);
    let fits = |place: bool| {
        named.iter().filter(move |mention| {
            (mention.entity.kind == EntityKind::Location) == place
                && mention.entity.kind != EntityKind::Event
        })
    };
    let nearest = |place: bool| {
        fits(place)
            .rfind(|mention| mention.end <= figure.first)
            .or_else(|| fits(place).find(|mention| mention.start >= figure.next))
    };
    let chosen = if figure.kind == DataPointKind::Count && figure.measure.is_some() {
        nearest(true).or_else(|| nearest(false))
    } else {
        nearest(false).or_else(|| nearest(true))
    };
    chosen.map(|mention| mention.entity.name.clone())
}

#[cfg(test)]
mod tests;
