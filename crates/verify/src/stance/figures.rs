//! Figures in a claim and in a passage: which are repeated, and which conflict.

use text::features::stem_hash;
use text::token::is_stop_word;

use super::days::Days;
use super::directions;
use crate::figures::token::{Join, Token};
use crate::figures::{Amount, Unit, numbers};

/// Maximum number of figures compared per text.
const MOST: usize = 48;
/// Number of words before a figure that may say how it is meant.
const BEFORE: usize = 4;

/// The place of a figure in `from … to …`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    From,
    To,
}

/// How exactly a figure is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exactness {
    AsWritten,
    About,
    More,
    Less,
}

/// A figure in a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Figure {
    amount: Amount,
    exactness: Exactness,
    /// The stem of what is counted, after the figure, and of what is measured, before it.
    of: Option<u32>,
    measured: Option<u32>,
    /// Its direction: 1, -1, or 0 if nothing gives it.
    pub(super) sign: i8,
    pub(super) end: Option<End>,
    /// Where it stands in its sentence.
    pub(super) span: Span,
}

/// Where a figure stands in a sentence, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    /// Where the words for how exactly it is meant begin: `nearly $30 million`.
    pub(super) lead: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Which sorts of figures can be compared at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Money,
    Share,
    Other,
}

/// Reads the figures among tokens; dates do not count.
pub(super) fn read(tokens: &[Token<'_>], days: &Days) -> Vec<Figure> {
    let mut figures = Vec::new();
    let mut at = 0;
    while at < tokens.len() && figures.len() < MOST {
        let found = if days.taken[at] {
            None
        } else {
            part_of_scale(tokens, at)
                .or_else(|| of_ten(tokens, at))
                .or_else(|| grouped(tokens, at))
                .or_else(|| numbers::at(tokens, at))
        };
        let Some(found) = found else {
            at += 1;
            continue;
        };
        // `Covid-19`, `G7`, `5G`: the number belongs to a word.
        let token = &tokens[found.first];
        let behind_word = found.first > 0
            && matches!(token.join, Join::Hyphen | Join::Tight)
            && tokens[found.first - 1].is_word()
            // `an 88-to-14 vote`.
            && !is_stop_word(&tokens[found.first - 1].lower);
        let before_word = found.next == found.first + 1
            && tokens.get(found.next).is_some_and(|next| {
                next.join == Join::Tight
                    && next.is_word()
                    && !next.is_any(&["st", "nd", "rd", "th"])
            });
        // `people` behind a number is no part of how it is written.
        let is_counted = found.amount.unit == Unit::Count && found.next > found.first + 1;
        let last = found.next - 1 - usize::from(is_counted);
        if !behind_word && !before_word {
            figures.push(Figure {
                amount: found.amount,
                exactness: exactness(tokens, found.first),
                of: counted(tokens, found.next),
                measured: measured(tokens, found.first),
                sign: directions::of_figure(tokens, found.first, found.next),
                end: end(tokens, found.first),
                span: Span {
                    lead: tokens[lead(tokens, found.first)].start,
                    start: tokens[found.first].start,
                    end: tokens[last].end,
                },
            });
        }
        at = found.next.max(at + 1);
    }
    figures
}

/// `three quarters of a billion dollars`, `half a million`.
fn part_of_scale(tokens: &[Token<'_>], at: usize) -> Option<numbers::Found> {
    let share = numbers::at(tokens, at).filter(|found| found.amount.unit == Unit::Fraction)?;
    let mut next = share.next;
    if tokens.get(next)?.is("of") {
        next += 1;
    }
    if !tokens.get(next)?.is("a") {
        return None;
    }
    let scale = match tokens.get(next + 1)?.lower.as_str() {
        "million" => 1e6,
        "billion" => 1e9,
        "trillion" => 1e12,
        _ => return None,
    };
    next += 2;
    let unit = match tokens.get(next).map_or("", |token| token.lower.as_str()) {
        "dollar" | "dollars" => Unit::Money("USD"),
        "euro" | "euros" => Unit::Money("EUR"),
        "pound" | "pounds" => Unit::Money("GBP"),
        _ => Unit::Bare,
    };
    if unit != Unit::Bare {
        next += 1;
    }
    let amount = Amount {
        value: share.amount.value / 100.0 * scale,
        unit,
        step: 0.05 * scale,
    };
    Some(numbers::Found {
        amount,
        first: at,
        next,
    })
}

/// `four in ten`, `nine out of ten`.
fn of_ten(tokens: &[Token<'_>], at: usize) -> Option<numbers::Found> {
    let count = |at: usize| model::cardinal(&tokens.get(at)?.lower);
    let part = count(at)?;
    let next = match (tokens.get(at + 1)?, tokens.get(at + 2)?) {
        (out, of) if out.is("out") && of.is("of") => at + 3,
        (within, _) if within.is("in") => at + 2,
        _ => return None,
    };
    let whole = count(next).filter(|whole| (2.0..=100.0).contains(whole) && part < *whole)?;
    let amount = Amount {
        value: part / whole * 100.0,
        unit: Unit::Fraction,
        step: 1.0,
    };
    Some(numbers::Found {
        amount,
        first: at,
        next: next + 1,
    })
}

/// `a dozen`, `half a dozen`, `two dozen`, `a pair of`.
fn grouped(tokens: &[Token<'_>], at: usize) -> Option<numbers::Found> {
    let token = tokens.get(at)?;
    let says = |place: usize, word: &str| tokens.get(place).is_some_and(|token| token.is(word));
    let count = if token.is_any(&["a", "one"]) {
        Some(1.0)
    } else {
        model::cardinal(&token.lower).filter(|count| (2.0..=12.0).contains(count))
    };
    let (value, next) = if token.is("half") && says(at + 1, "a") && says(at + 2, "dozen") {
        (6.0, at + 3)
    } else if says(at + 1, "dozen") {
        (12.0 * count?, at + 2)
    } else if says(at + 1, "pair") && says(at + 2, "of") && count == Some(1.0) {
        (2.0, at + 3)
    } else {
        return None;
    };
    let amount = Amount {
        value,
        unit: Unit::Bare,
        step: 1.0,
    };
    Some(numbers::Found {
        amount,
        first: at,
        next,
    })
}

fn before<'t, 'a>(tokens: &'t [Token<'a>], at: usize) -> impl Iterator<Item = &'t Token<'a>> {
    tokens[at.saturating_sub(BEFORE)..at].iter().rev()
}

fn exactness(tokens: &[Token<'_>], at: usize) -> Exactness {
    for token in before(tokens, at) {
        if token.is_any(&[
            "about",
            "around",
            "roughly",
            "nearly",
            "almost",
            "some",
            "approximately",
            "circa",
            "estimated",
            "close",
            "near",
            "nears",
            "nearing",
            "neared",
            "approaches",
            "approaching",
            "approached",
        ]) {
            return Exactness::About;
        }
        if token.is_any(&[
            "over",
            "more",
            "least",
            "above",
            "exceeding",
            "exceeds",
            "exceeded",
            "beyond",
            "top",
            "topped",
            "tops",
            "upwards",
        ]) {
            return Exactness::More;
        }
        if token.is_any(&["under", "less", "most", "below", "fewer", "up"]) {
            return Exactness::Less;
        }
        if token.number.is_some()
            || !token.is_any(&[
                "than", "at", "a", "the", "of", "to", "little", "just", "well", "just", "by",
            ])
        {
            break;
        }
    }
    Exactness::AsWritten
}

/// The first of the words directly before a figure that say how exactly it is meant.
fn lead(tokens: &[Token<'_>], at: usize) -> usize {
    const WORDS: [&str; 24] = [
        "about",
        "around",
        "roughly",
        "nearly",
        "almost",
        "some",
        "approximately",
        "circa",
        "estimated",
        "over",
        "more",
        "than",
        "at",
        "least",
        "above",
        "under",
        "less",
        "most",
        "below",
        "fewer",
        "just",
        "little",
        "well",
        "upwards",
    ];
    let mut first = at;
    while first > at.saturating_sub(BEFORE) && tokens[first - 1].is_any(&WORDS) {
        first -= 1;
    }
    // `at 5 %`, `some of 5`.
    if tokens[first].is_any(&["at", "than"])
        && !tokens
            .get(first + 1)
            .is_some_and(|next| next.is_any(&["least", "most"]))
    {
        first += 1;
    }
    first.min(at)
}

fn end(tokens: &[Token<'_>], at: usize) -> Option<End> {
    for token in before(tokens, at).take(2) {
        match token.lower.as_str() {
            "from" => return Some(End::From),
            "to" => return Some(End::To),
            "about" | "around" | "nearly" | "a" | "just" | "some" => {}
            _ => return None,
        }
    }
    None
}

fn counted(tokens: &[Token<'_>], at: usize) -> Option<u32> {
    tokens
        .get(at..(at + 3).min(tokens.len()))?
        .iter()
        .take_while(|token| token.is_word() && !matches!(token.join, Join::Break | Join::Stop))
        .find(|token| !is_stop_word(&token.lower))
        .and_then(|token| stem_hash(token.text))
}

/// The nearest word before a figure that is neither a stop word nor a direction: `profit of $4.1 billion`.
fn measured(tokens: &[Token<'_>], at: usize) -> Option<u32> {
    before(tokens, at)
        .find(|token| {
            token.is_word() && !is_stop_word(&token.lower) && directions::sign(&token.lower) == 0
        })
        .and_then(|token| stem_hash(token.text))
}

impl Figure {
    /// What sort of figure it is.
    pub(super) const fn sort(&self) -> Sort {
        match self.amount.unit {
            Unit::Money(_) => Sort::Money,
            Unit::Percent | Unit::Fraction | Unit::Points | Unit::BasisPoints => Sort::Share,
            _ => Sort::Other,
        }
    }

    /// Whether it is a small whole number, of which a text has many.
    pub(super) fn is_small(&self) -> bool {
        self.sort() == Sort::Other && self.amount.value.abs() <= 12.0
    }

    /// Whether both measure the same sort of thing.
    pub(super) fn is_comparable(&self, other: &Self) -> bool {
        let (here, there) = (self.amount, other.amount);
        match (here.unit, there.unit) {
            (Unit::Money(left), Unit::Money(right)) => left == right || here.value.abs() >= 1e4,
            // `a loan of 4.5 billion` gives no currency.
            (Unit::Money(_), Unit::Bare) | (Unit::Bare, Unit::Money(_)) => {
                here.value.abs().min(there.value.abs()) >= 1e5
            }
            _ => self.sort() == other.sort(),
        }
    }

    /// Whether the other figure states the same, as far as either is rounded.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        if !self.is_comparable(other) {
            return false;
        }
        let scale = |figure: &Self| match figure.amount.unit {
            Unit::BasisPoints => figure.amount.value.abs() / 100.0,
            _ => figure.amount.value.abs(),
        };
        let (here, there) = (scale(self), scale(other));
        let about = [self.exactness, other.exactness].contains(&Exactness::About);
        let wide = if about { 0.06 } else { 0.0 } * here.max(there);
        let tolerance = self
            .amount
            .tolerance(false)
            .max(other.amount.tolerance(false))
            .min(0.06 * here.max(there))
            .max(wide);
        if (here - there).abs() <= tolerance + 1e-9 * here.max(1.0) {
            return true;
        }
        match (self.exactness, other.exactness) {
            // `up to $60 billion` is not `up to $40 billion`.
            (Exactness::More, Exactness::More) | (Exactness::Less, Exactness::Less) => {
                is_rounded(here, there, 2)
            }
            (Exactness::More, _) => there >= here && there <= 1.35 * here,
            (Exactness::Less, _) => there <= here && there >= 0.65 * here,
            (_, Exactness::More) => here >= there && here <= 1.35 * there,
            (_, Exactness::Less) => here <= there && here >= 0.65 * there,
            _ => is_rounded(here, there, if about { 1 } else { 2 }),
        }
    }

    /// Whether the other figure may state a different value for the same thing.
    pub(super) fn collides(&self, other: &Self) -> bool {
        self.is_comparable(other)
            && !self.agrees(other)
            && (self.sort() != Sort::Other || self.of.is_some() && self.of == other.of)
    }

    /// Whether the other figure states a different value for what the words near both name.
    pub(super) fn collides_surely(&self, other: &Self) -> bool {
        let same = |here: Option<u32>, there: Option<u32>| here.is_some() && here == there;
        self.collides(other) && (same(self.of, other.of) || same(self.measured, other.measured))
    }
}

/// Whether one figure is the other rounded to a few digits: `1.2 million` for `1,234,567`.
fn is_rounded(left: f64, right: f64, fewest: i32) -> bool {
    let rounds_to = |exact: f64, round: f64| {
        (fewest..=3).any(|digits| {
            let scale = 10_f64.powi(digits - 1 - exact.abs().log10().floor() as i32);
            ((exact * scale).round() / scale - round).abs() <= 1e-9 * round.abs()
        })
    };
    left > 0.0
        && right > 0.0
        && left.max(right) >= 100.0
        && (rounds_to(left, right) || rounds_to(right, left))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::token::cut;

    fn figures(text: &str) -> Vec<Figure> {
        let tokens = cut(text);
        read(&tokens, &Days::read(&tokens))
    }

    #[test]
    fn figures_agree_however_they_are_written() {
        for (claim, passage) in [
            ("Sixteen residents", "another 16 residents"),
            (
                "roughly 4.5 million people",
                "almost 4.5 million Australians",
            ),
            ("more than four fifths", "over 80 percent"),
            ("a little over $106 million", "$106.3m"),
            ("almost 9 million", "some 8.7 million workers"),
            ("around 1.7 million", "nearly 2 million"),
            ("88 to 14", "an 88-to-14 vote"),
            ("more than 80 firms", "90 firms"),
            ("25 basis points", "a quarter of a percentage point"),
            ("about three quarters of a billion dollars", "$750 million"),
            ("half a million people", "some 500,000 people"),
            ("more than four in ten", "over 40 percent"),
            ("nine out of ten", "90 percent"),
            ("half a dozen", "six managers"),
            ("two dozen firms", "24 firms"),
            ("a cost of $380 billion", "nears $400 billion"),
        ] {
            let (here, there) = (figures(claim), figures(passage));
            assert!(
                here[0].agrees(&there[0]),
                "{claim} {passage} {here:?} {there:?}"
            );
        }
    }

    #[test]
    fn figures_of_one_thing_collide_and_others_do_not() {
        let collide = |left: &str, right: &str| figures(left)[0].collides(&figures(right)[0]);
        assert!(collide("85 residents", "45 residents test positive"));
        assert!(collide("$2.9 billion", "$4.37B"));
        assert!(collide("a 94-game season", "a 114-game season"));
        assert!(!collide("85 residents", "45 nurses"));
        assert!(!collide("85 residents", "85 residents"));
        assert!(!collide("67 percent", "$97"));
        assert!(collide("up to $60 billion", "up to $40 billion"));
        assert!(collide("more than 50 percent", "over 40 percent"));
    }

    #[test]
    fn dates_and_names_are_no_figures() {
        assert!(figures("on 3 June 2020 with Covid-19 and 5G").is_empty());
        let ends: Vec<_> = figures("from 3.88% to 2.13%")
            .iter()
            .map(|figure| figure.end)
            .collect();
        assert_eq!(ends, [Some(End::From), Some(End::To)]);
    }
}
