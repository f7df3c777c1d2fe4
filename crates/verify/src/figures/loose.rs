//! A sentence with words that are not understood, read figure by figure, for callers who can look up the figures.
//!
//! A reading that skips words proves nothing on its own. But if a figure is written to three digits and is found, to
//! the last of them, where the sentence seems to place it, that is no coincidence: the skipped words then change
//! nothing about it. So these readings are reported together with how exact their figures are, and only agreement
//! counts.

use model::Day;

use super::amount::{Bound, Unit};
use super::assemble::{clause_end, doubt, is_forecast, read_marked};
use super::claim::{Assertion, FigureClaim, Measure, Over, PriceField, Reading, Subject};
use super::groups::{Figure, figures, supply_years};
use super::items::What;
use super::period::Period;
use super::reword::{MOST_BYTES, denies, in_full, is_qualified};
use super::token::cut;
use super::{KnownSeries, SeriesKind, disclosed, doubts, items, mend};

/// Maximum number of words that are skipped.
const MOST_WORDS: usize = 12;

/// What a sentence may say with its figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Loose {
    /// One entry per figure.
    pub figures: Vec<LooseFigure>,
    /// The words that are not understood.
    pub passed_over: Vec<String>,
}

/// One figure of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct LooseFigure {
    /// What the sentence may say with it, the most likely reading first.
    pub readings: Vec<LooseReading>,
    /// Whether its direction and its time are its own.
    pub is_plain: bool,
}

/// What a sentence may say with a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct LooseReading {
    /// What it says.
    pub claim: FigureClaim,
    /// How exact its figures are: how many times the range of agreeing values fits into their usual range, as a power
    /// of two.
    pub bits: f64,
    /// Whether any price on that day agrees with it, so that agreement shows nothing.
    pub is_rough: bool,
}

/// The figures of a sentence with what it may say about each; `None` if it contains a word that could reverse its
/// meaning.
pub fn loose_claims(text: &str, today: Day) -> Option<Loose> {
    if text.len() > MOST_BYTES || text.trim_end().ends_with('?') || is_qualified(text, today) {
        return None;
    }
    let text = &in_full(text, today);
    let tokens = cut(text);
    if denies(&tokens) || is_forecast(&tokens) || doubts::is_multiple(&tokens) {
        return None;
    }
    let mut marks = items::mark(text, &tokens, today);
    mend::reassign(&mut marks, &tokens);
    let is_dated = supply_years(&mut marks.items);
    if doubts::skips_meaning(&marks, &tokens) || doubt(&marks, &tokens).is_some() {
        return None;
    }
    let ranks = |word: &String| {
        let word = word.to_lowercase();
        doubts::is_superlative(&word)
            || ["first", "second", "third", "only", "even"].contains(&&*word)
    };
    if marks.unexplained.len() > MOST_WORDS || marks.unexplained.iter().any(ranks) {
        return None;
    }
    let figures: Option<Vec<LooseFigure>> = figures(&marks.items, &tokens)?
        .into_iter()
        .map(|figure| loose(figure, is_dated))
        .collect();
    Some(Loose {
        figures: figures?,
        passed_over: marks.unexplained,
    })
}

/// Maximum number of words that are skipped if they decide nothing.
const MOST_PASSED: usize = 3;

/// The claim in a simple sentence with one subject, one time and at most one figure, together with the words that are
/// skipped; `None` if one of them could change what it says.
pub fn passing(text: &str, today: Day) -> Option<(FigureClaim, Vec<String>)> {
    if text.len() > MOST_BYTES || text.trim_end().ends_with('?') || is_qualified(text, today) {
        return None;
    }
    let text = &in_full(text, today);
    let all = cut(text);
    let (tokens, _) = all.split_at(clause_end(&all));
    if tokens.is_empty() || denies(tokens) || is_forecast(tokens) || doubts::is_multiple(tokens) {
        return None;
    }
    let mut marks = items::mark(text, tokens, today);
    if let Some(disclosure) = disclosed::passing(tokens, &marks) {
        return Some(disclosure);
    }
    mend::reassign(&mut marks, tokens);
    let count = |is: fn(&What) -> bool| marks.items.iter().filter(|item| is(&item.what)).count();
    let is_simple = count(|what| matches!(what, What::Subject(_))) == 1
        && count(|what| matches!(what, What::Period(..))) == 1
        && count(|what| matches!(what, What::Amount(_))) <= 1
        && count(|what| {
            matches!(
                what,
                What::Relation("highest" | "lowest" | "beat" | "lag" | "fall_more" | "fall_less")
            )
        }) == 0;
    let passed = std::mem::take(&mut marks.unexplained);
    if !is_simple
        || passed.is_empty()
        || passed.len() > MOST_PASSED
        || !passed.iter().all(|word| is_passable(word))
    {
        return None;
    }
    // `deliveries at Tesla`: the words before the subject say what about it is meant.
    let subject = marks
        .items
        .iter()
        .find(|item| matches!(item.what, What::Subject(_)))?;
    let leads = tokens[..subject.first]
        .iter()
        .any(|token| passed.iter().any(|word| word == token.text));
    if leads {
        return None;
    }
    marks.unexplained.clone_from(&passed);
    if doubts::skips_meaning(&marks, tokens) || doubts::has_unnamed_order(tokens) {
        return None;
    }
    marks.unexplained.clear();
    match read_marked(text, &all, tokens, &marks)? {
        Reading::Claim(claim) => Some((*claim, passed)),
        Reading::Listed(_) | Reading::Unclear(_) => None,
    }
}

/// Whether a word that is not understood is unlikely to change what a simple sentence says: no name, no number and no
/// rank.
fn is_passable(word: &str) -> bool {
    let is_plain = word
        .chars()
        .all(|one| one.is_ascii_lowercase() || one == '-');
    is_plain
        && !doubts::is_superlative(word)
        && !["first", "second", "third", "only", "even"].contains(&word)
}

/// What a sentence may say with a figure, and how exact the figure is.
fn loose(figure: Figure, is_dated: bool) -> Option<LooseFigure> {
    let readings: Vec<LooseReading> = figure
        .claims
        .into_iter()
        .flat_map(|claim| {
            let close = at_close(claim.clone());
            let is_rough = close != claim;
            let exact = [as_written(&close), Some(close)];
            let mut readings: Vec<LooseReading> = exact
                .into_iter()
                .flatten()
                .map(|claim| LooseReading {
                    bits: exactness(&claim),
                    claim,
                    is_rough: false,
                })
                .collect();
            if is_rough {
                readings.push(LooseReading {
                    claim,
                    bits: 0.0,
                    is_rough: true,
                });
            }
            readings
        })
        .collect();
    (!readings.is_empty()).then_some(LooseFigure {
        readings,
        is_plain: figure.is_plain && is_dated,
    })
}

/// A share price on a day, read as its close: the day's other prices agree with too much.
fn at_close(claim: FigureClaim) -> FigureClaim {
    let is_level = claim
        .assertions
        .iter()
        .any(|one| matches!(one, Assertion::Value(_)));
    let is_open = matches!(
        claim.measure,
        None | Some(Measure::Price(PriceField::Traded))
    );
    if is_level
        && is_open
        && claim.disclosure.is_none()
        && matches!(claim.subject, Subject::Named { .. })
    {
        FigureClaim {
            measure: Some(Measure::Price(PriceField::Close)),
            ..claim
        }
    } else {
        claim
    }
}

/// `About 151.7` as if it said 151.7: if that agrees, it is as exact as it is written. `None` if nothing is said to be
/// approximate.
fn as_written(claim: &FigureClaim) -> Option<FigureClaim> {
    let mut exact = claim.clone();
    let mut found = false;
    for assertion in &mut exact.assertions {
        if let Assertion::Value(bound)
        | Assertion::From(bound)
        | Assertion::Change {
            size: Some(bound), ..
        } = assertion
            && let Bound::About(amount) = *bound
            && amount.unit != Unit::Fraction
        {
            *bound = Bound::Equal(amount);
            found = true;
        }
    }
    found.then_some(exact)
}

/// How exact the figures of a claim are, as a power of two.
fn exactness(claim: &FigureClaim) -> f64 {
    // Anything that was passed on the way agrees.
    if claim.over == Over::Reached {
        return 0.0;
    }
    let days = match claim.period {
        Period::In(span) => span.last.since(span.first) + 1,
        Period::Between(first, last) => last.last.since(first.first) + 1,
        _ => 1,
    };
    // With several days, each is a chance; with a time whose value is not specified, the last and the mean are.
    let of_close = claim.measure == Some(Measure::Price(PriceField::Close));
    let chances = match claim.over {
        Over::Any => f64::from(days.max(1)).log2(),
        Over::Unsaid if of_close => f64::from(days.max(1)).log2(),
        Over::Unsaid if days > 1 => 1.0,
        _ => 0.0,
    };
    let bits: f64 = claim
        .assertions
        .iter()
        .filter_map(|one| match one {
            Assertion::Value(bound) | Assertion::From(bound) => Some(bits(bound)),
            Assertion::Change {
                size: Some(bound), ..
            } => Some(bits_of_move(claim, bound, days)),
            _ => None,
        })
        .sum();
    // A run of ten sessions is one in a thousand.
    let of_run = f64::from(claim.in_a_row.unwrap_or_default());
    (bits + of_run - chances).max(0.0)
}

/// The range that percentages usually lie in.
const PERCENT: f64 = 30.0;
/// The range that other figures usually lie in, as a fraction of themselves.
const PART: f64 = 0.3;
/// The maximum that one figure counts.
const MOST_BITS: f64 = 12.0;

/// How exact the size of a move is. Prices move according to Laplace's distribution, with a width proportional to the
/// root of the sessions: for one day, a fall of 39 % agrees with hardly any other, one of 0.4 % with many.
fn bits_of_move(claim: &FigureClaim, bound: &Bound, days: i32) -> f64 {
    let amount = bound.amount();
    let of_price = matches!(claim.measure, None | Some(Measure::Price(_)));
    let usual = match &claim.subject {
        Subject::Named { .. } => 2.0,
        Subject::Currency { .. } => 0.5,
        Subject::Series(code)
            if KnownSeries::find(code).is_some_and(|known| known.kind == SeriesKind::Price) =>
        {
            1.2
        }
        Subject::Series(_) => return bits(bound),
    };
    let (Some(reach), Unit::Percent, true) = (reach(bound), amount.unit, of_price) else {
        return bits(bound);
    };
    let sessions = (f64::from(days) * 5.0 / 7.0).max(1.0);
    let width = usual * sessions.sqrt();
    let share = reach.max(1e-9) / width * (-amount.value.abs() / width).exp();
    (-share.log2()).clamp(0.0, MOST_BITS)
}

/// How far a value may be from what is said; `None` if a whole side agrees.
fn reach(bound: &Bound) -> Option<f64> {
    match bound {
        Bound::Equal(amount) => Some(amount.tolerance(false)),
        Bound::About(amount) => Some(amount.tolerance(true)),
        _ => None,
    }
}

fn bits(bound: &Bound) -> f64 {
    let amount = bound.amount();
    let Some(reach) = reach(bound) else {
        return 0.0;
    };
    let range = match amount.unit {
        Unit::Percent | Unit::Points => PERCENT,
        Unit::BasisPoints => 100.0 * PERCENT,
        _ => PART * amount.value.abs(),
    };
    // Exact amounts have no tolerance.
    (range / (2.0 * reach).max(1e-9))
        .log2()
        .clamp(0.0, MOST_BITS)
}
