//! A sentence with words that are not understood, read figure by figure, for whoever can look the figures up.
//!
//! A reading that passes over words proves nothing by itself. But a figure that is written to three digits and is found to the
//! last of them where the sentence seems to say is no coincidence: then the words that were passed over change nothing of
//! it. So such readings are told with how exact their figures are, and only agreement counts.

use model::Day;

use super::amount::{Bound, Unit};
use super::assemble::{doubt, finish, is_forecast};
use super::claim::{
    Assertion, Direction, FigureClaim, Measure, Over, PriceField, Reading, Subject,
};
use super::items::{self, Item, Items, What, is_relative};
use super::parts::Parts;
use super::period::{Period, Role, Span, SpanUnit};
use super::reword::{MOST_BYTES, denies, in_full, is_qualified};
use super::token::{Join, Token, cut};
use super::{assertions, doubts, mend};

/// Figures that a sentence is read for at most.
const MOST_FIGURES: usize = 6;

/// Words that are passed over at most.
const MOST_WORDS: usize = 12;

/// One figure of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Loose {
    /// What the sentence may say with it, the likeliest first.
    pub readings: Vec<LooseReading>,
    /// Whether its direction and its time are its own.
    pub is_plain: bool,
    /// Whether no word of the sentence was passed over.
    pub is_whole: bool,
}

/// What a sentence may say with a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct LooseReading {
    /// What it says.
    pub claim: FigureClaim,
    /// How exact its figures are: how many times their range holds the values that agree with them, as a power of two.
    pub bits: f64,
    /// Whether any price of the day agrees with it, so that agreement shows nothing.
    pub is_rough: bool,
}

/// The figures of a sentence with what it may say of each; `None` where it has a word that could turn what it says round.
pub fn loose_claims(text: &str, today: Day) -> Option<Vec<Loose>> {
    if text.len() > MOST_BYTES || text.trim_end().ends_with('?') || is_qualified(text, today) {
        return None;
    }
    let text = &in_full(text, today);
    let tokens = cut(text);
    if denies(&tokens) || is_forecast(&tokens) {
        return None;
    }
    let mut marks = items::mark(text, &tokens, today);
    mend::reassign(&mut marks, &tokens);
    let is_dated = supply_years(&mut marks.items);
    if doubts::passes_over(&marks, &tokens) || doubt(&marks, &tokens).is_some() {
        return None;
    }
    let ranks = |word: &String| {
        let word = word.to_lowercase();
        word.ends_with("est") || ["first", "second", "third", "only", "even"].contains(&&*word)
    };
    if marks.unexplained.len() > MOST_WORDS || marks.unexplained.iter().any(ranks) {
        return None;
    }
    let groups = groups(&marks.items, &tokens)?;
    (0..groups.len())
        .map(|place| figure(&groups, place, &tokens).and_then(loose))
        .map(|figure| {
            figure.map(|figure| Loose {
                is_plain: figure.is_plain && is_dated,
                is_whole: marks.unexplained.is_empty(),
                ..figure
            })
        })
        .collect()
}

/// The figures of a sentence without words that are not understood, each as a claim; `None` where one of them could be several.
pub(super) fn figure_by_figure(text: &str, today: Day) -> Option<Vec<FigureClaim>> {
    let tokens = cut(text);
    let mut marks = items::mark(text, &tokens, today);
    mend::reassign(&mut marks, &tokens);
    let is_dated = supply_years(&mut marks.items);
    let is_plain = is_dated
        && marks.unexplained.is_empty()
        && !denies(&tokens)
        && !is_forecast(&tokens)
        && !doubts::orders(&tokens)
        && !doubts::follows_another(&marks.items, &tokens);
    // `down to 6.7 % from 14.8 % in April`: the direction is one from there.
    let comes_from = marks.items.iter().any(|item| {
        matches!(item.what, What::Amount(_)) && item.first > 0 && tokens[item.first - 1].is("from")
    });
    if !is_plain || comes_from || doubt(&marks, &tokens).is_some() {
        return None;
    }
    let groups = groups(&marks.items, &tokens).filter(|groups| groups.len() > 1)?;
    (0..groups.len())
        .map(|place| {
            let mut found = figure(&groups, place, &tokens)?;
            (found.claims.len() == 1).then(|| found.claims.remove(0))
        })
        .collect()
}

/// What a sentence may say with a figure, with how exact it is.
fn loose(figure: Figure) -> Option<Loose> {
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
    (!readings.is_empty()).then_some(Loose {
        readings,
        is_plain: figure.is_plain,
        is_whole: false,
    })
}

/// What a sentence may say with the figure of a group.
struct Figure {
    claims: Vec<FigureClaim>,
    is_plain: bool,
}

/// The stretches that belong to one figure.
#[derive(Debug, Default)]
struct Group {
    items: Vec<Item>,
}

impl Group {
    fn any(&self, is: impl Fn(&What) -> bool) -> bool {
        self.items.iter().any(|item| is(&item.what))
    }

    fn has_figure(&self) -> bool {
        self.any(is_figure)
    }

    fn all(&self, is: impl Fn(&What) -> bool) -> Vec<Item> {
        let found = self.items.iter().filter(|item| is(&item.what));
        found.cloned().collect()
    }

    fn subjects(&self) -> Vec<Item> {
        self.all(|what| matches!(what, What::Subject(_)))
    }

    fn times(&self) -> Vec<Item> {
        self.all(|what| matches!(what, What::Period(..)))
    }

    fn directions(&self) -> Vec<Item> {
        self.all(is_direction)
    }
}

const fn is_figure(what: &What) -> bool {
    match what {
        What::Amount(_) => true,
        What::Relation(code) => matches!(
            code.as_bytes(),
            b"double" | b"triple" | b"quadruple" | b"quintuple" | b"halve"
        ),
        _ => false,
    }
}

/// Whether a stretch says which value counts.
const fn is_manner(what: &What) -> bool {
    matches!(what, What::Relation(code) if matches!(code.as_bytes(), b"mean" | b"close" | b"open" | b"begin" | b"peak" | b"trough" | b"trade"))
}

const fn is_direction(what: &What) -> bool {
    matches!(what, What::Relation(code) if matches!(code.as_bytes(), b"up" | b"down"))
}

/// The stretches, figure by figure; `None` where something is said without a figure.
fn groups(items: &[Item], tokens: &[Token<'_>]) -> Option<Vec<Group>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut current = Group::default();
    for item in items {
        if current.has_figure() && begins(item, &current, tokens) {
            groups.push(std::mem::take(&mut current));
        }
        current.items.push(item.clone());
    }
    // `…, while GM fell`.
    let is_move = !current.subjects().is_empty() && !current.directions().is_empty();
    if current.has_figure() || is_move {
        groups.push(current);
    } else {
        // `… when it closed on 20 February`.
        let is_time = |what: &What| {
            matches!(
                what,
                What::Period(..) | What::Basis(_) | What::Relation("close")
            )
        };
        if current.items.iter().any(|item| !is_time(&item.what)) {
            return None;
        }
        groups.last_mut()?.items.extend(current.items);
    }
    (groups.len() <= MOST_FIGURES).then_some(groups)
}

/// Whether a stretch begins what is said with the next figure.
fn begins(item: &Item, group: &Group, tokens: &[Token<'_>]) -> bool {
    let Some(last) = group.items.last() else {
        return false;
    };
    let touches = last.next == item.first
        && tokens[item.first].join != Join::Break
        && matches!(last.what, What::Amount(_));
    match item.what {
        // `shares`, `stock`: said of any.
        What::Period(..) | What::Basis(_) | What::Word("price") => false,
        // `9 % from its high`.
        What::Word(_)
            if item.first > 1
                && tokens[item.first - 1].is_any(&["its", "their", "the"])
                && tokens[item.first - 2].is_any(&["from", "off", "below", "above"]) =>
        {
            false
        }
        // `5.2 % higher`, `a 3 % gain`, `120 or so`; `120 million shares`.
        What::Relation("up" | "down" | "about" | "at_least" | "at_most") | What::Word(_) => {
            !(touches && (!is_direction(&item.what) || group.directions().is_empty()))
        }
        // `270 million Amazon shares traded`.
        What::Subject(_) => {
            !(touches && matches!(&last.what, What::Amount(amount) if amount.unit == Unit::Count))
        }
        What::Relation("trade") => {
            !matches!(&last.what, What::Amount(amount) if amount.unit == Unit::Count)
                && !tokens[item.first - 1].is("shares")
        }
        // `between 100 and 120`.
        What::Amount(_) => {
            let is_pair = matches!(last.what, What::Amount(_))
                && tokens
                    .get(last.next..item.first)
                    .is_some_and(|between| between.len() <= 1)
                && last.first > 0
                && tokens[last.first - 1].is("between");
            !is_pair
        }
        _ => true,
    }
}

fn figure(groups: &[Group], place: usize, tokens: &[Token<'_>]) -> Option<Figure> {
    let group = &groups[place];
    let before = || groups[..place].iter().rev();
    let mut fixed = group.all(|what| !matches!(what, What::Period(..)));
    if group.subjects().is_empty() {
        let named = before()
            .map(Group::subjects)
            .chain(groups[place..].iter().map(Group::subjects))
            .find(|subjects| !subjects.is_empty())?;
        // Of several it is not known whose figure it is; nor where another is named between them.
        let [subject] = &named[..] else { return None };
        let from = place
            .checked_sub(1)
            .and_then(|before| groups[before].items.last());
        if from.is_some_and(|from| names_another(from.next, group, tokens)) {
            return None;
        }
        fixed.push(subject.clone());
        // `revenue fell 3 % to $383 billion`: of the measure that was named, or of another.
        let is_word = |what: &What| matches!(what, What::Word(code) if !matches!(items::measure(code), None | Some(Measure::Price(_))));
        let is_sum =
            |what: &What| matches!(what, What::Amount(amount) if !is_relative(amount.unit));
        if group.any(is_sum) && !group.any(is_word) && before().any(|one| one.any(is_word)) {
            return None;
        }
    }
    let is_negative = |what: &What| matches!(what, What::Amount(amount) if amount.value < 0.0);
    if place > 0 && group.any(is_negative) {
        return None;
    }
    // `gained 3 %, and its market value $150 billion`: that much more, or that much.
    let is_said = group.any(|what| matches!(what, What::Relation(_)));
    let is_sum = |what: &What| matches!(what, What::Amount(amount) if !is_relative(amount.unit));
    if place > 0
        && !is_said
        && group.any(|what| matches!(what, What::Word(_)))
        && group.any(is_sum)
        && before().any(|one| !one.directions().is_empty())
    {
        return None;
    }
    // `averaged $100.9 in 2022 and $70.9 in 2021`.
    if place > 0 && group.any(is_sum) && !group.any(is_manner) {
        let manner = before().map(|one| one.all(is_manner));
        fixed.extend(manner.take(1).flatten());
    }
    let is_change =
        group.any(|what| matches!(what, What::Amount(amount) if is_relative(amount.unit)));
    let mut is_plain = !group.times().is_empty();
    if is_change && group.directions().is_empty() {
        is_plain = false;
        let direction = before()
            .map(Group::directions)
            .find(|directions| !directions.is_empty());
        fixed.extend(direction.and_then(|directions| directions.last().cloned()));
    }
    // `larger than the 24.6 % drop`: compared with it.
    let compares = group.items.windows(2).any(|pair| {
        matches!(
            pair[0].what,
            What::Relation("above" | "below" | "up" | "down")
        ) && matches!(pair[1].what, What::Amount(_))
            && pair[0].next + 1 == pair[1].first
            && tokens[pair[0].next].is("the")
    });
    if place > 0 && compares {
        return None;
    }
    let sides = group.directions();
    if sides.iter().any(|side| side.what != sides[0].what) {
        return None;
    }
    let own = group.times();
    let mut times: Vec<Vec<Item>> = Vec::new();
    if own.is_empty() {
        let around = before()
            .chain(groups.get(place + 1..).unwrap_or_default())
            .map(Group::times)
            .filter(|times| !times.is_empty());
        for one in around {
            if !times.contains(&one) {
                times.push(one);
            }
        }
        // `from 100 in 2020 to 150 in 2021, up 50 %`.
        let spans: Vec<Item> = groups.iter().flat_map(Group::times).collect();
        if is_change && let [first, last] = &spans[..] {
            times.insert(0, from_to(first, last));
        }
    } else {
        times.push(own);
    }
    if times.is_empty() {
        times.push(Vec::new());
    }
    let claims: Vec<FigureClaim> = times
        .into_iter()
        .filter_map(|times| {
            let mut items = fixed.clone();
            items.extend(times);
            items.sort_by_key(|item| item.first);
            read(items, tokens)
        })
        .collect();
    Some(Figure { claims, is_plain })
}

/// Whether a word between the figure before and that of a group names someone else: `…, the ECB's to 2.5 %`.
fn names_another(from: usize, group: &Group, tokens: &[Token<'_>]) -> bool {
    let end = group.items.last().map_or(from, |item| item.first);
    (from..end.max(from)).any(|at| {
        let token = &tokens[at];
        let is_held = group.items.iter().any(|item| item.holds(at));
        !is_held && (token.possessive || token.is_word() && token.is_capital())
    })
}

/// Two times as the first and the last of a change.
fn from_to(first: &Item, last: &Item) -> Vec<Item> {
    let with = |item: &Item, role| match item.what {
        What::Period(period, _) => Item {
            what: What::Period(period, role),
            ..item.clone()
        },
        _ => item.clone(),
    };
    vec![with(first, Role::Base), with(last, Role::End)]
}

fn read(items: Vec<Item>, tokens: &[Token<'_>]) -> Option<FigureClaim> {
    let marks = Items {
        items,
        ..Items::default()
    };
    let parts = Parts::of(&marks, tokens);
    let subject = parts.subjects.first()?.clone();
    let said = assertions::of(&marks.items, tokens, &parts)?;
    match finish(parts, said, subject, &marks.items, tokens)? {
        Reading::Claim(claim) => {
            // No price of a share is as large: something is counted.
            let counts = |one: &Assertion| matches!(one, Assertion::Value(bound) if matches!(bound.amount().unit, Unit::Bare | Unit::Count) && bound.amount().value >= 1e6);
            let of_share = claim
                .measure
                .is_none_or(|one| matches!(one, Measure::Price(_)))
                && matches!(claim.subject, Subject::Named { .. });
            if of_share && claim.assertions.iter().any(counts) {
                return None;
            }
            let is_timed = claim.period != Period::Unsaid;
            (is_timed && !claim.is_negated && !claim.is_first).then_some(*claim)
        }
        Reading::Listed(_) | Reading::Unclear(_) => None,
    }
}

/// A price of a share on a day as its close: any other of that day agrees with too much.
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

/// `About 151.7` as if it said 151.7: where that agrees, it is as exact as it is written. `None` where nothing is said to be about.
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

/// A time without a year is one of the year that the sentence names before it, else behind it: `fell on 3 February 2022 and on 27
/// October`, `in January and in February 2023`. Whether all could be told: `in December 2023 and in March` is not.
fn supply_years(items: &mut [Item]) -> bool {
    let explicit: Vec<(usize, Span)> = items
        .iter()
        .enumerate()
        .filter_map(|(place, item)| match item.what {
            What::Period(Period::In(span), _) if !span.is_assumed => Some((place, span)),
            _ => None,
        })
        .collect();
    let mut is_sure = true;
    for (place, item) in items.iter_mut().enumerate() {
        let What::Period(Period::In(span), _) = &mut item.what else {
            continue;
        };
        if !span.is_assumed || explicit.is_empty() {
            continue;
        }
        let before = explicit.iter().rev().find(|(at, _)| *at < place);
        let behind = explicit.iter().find(|(at, _)| *at > place);
        let Some((at, named)) = before.or(behind) else {
            continue;
        };
        match span.moved_to(i32::from(named.first.date().year())) {
            Some(moved) => {
                // `up 49 % in 2023, fell in January`: of that year, or the next.
                is_sure &= if *at < place {
                    moved.first >= named.first
                        && (named.unit != SpanUnit::Year || moved.unit == SpanUnit::Year)
                } else {
                    moved.last <= named.last
                };
                *span = moved;
            }
            None => is_sure = false,
        }
    }
    is_sure
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
    // Of several days each is a chance.
    let chances = if claim.over == Over::Any {
        f64::from(days.max(1)).log2()
    } else {
        0.0
    };
    let bits: f64 = claim
        .assertions
        .iter()
        .filter_map(|one| match one {
            Assertion::Value(bound) | Assertion::From(bound) => Some(bound),
            Assertion::Change { size, .. } => size.as_ref(),
            _ => None,
        })
        .map(bits)
        .sum();
    (bits - chances).max(0.0)
}

/// What percentages usually lie within.
const PERCENT: f64 = 30.0;
/// What other figures usually lie within, as a part of themselves.
const PART: f64 = 0.3;

fn bits(bound: &Bound) -> f64 {
    let amount = bound.amount();
    let reach = match bound {
        Bound::Equal(_) => amount.tolerance(false),
        Bound::About(_) => amount.tolerance(true),
        _ => return 0.0,
    };
    let range = match amount.unit {
        Unit::Percent | Unit::Points => PERCENT,
        Unit::BasisPoints => 100.0 * PERCENT,
        _ => PART * amount.value.abs(),
    };
    // A whole number that is written out is exact; half a unit of its last digit is the least.
    (range / (2.0 * reach).max(1e-9)).log2().clamp(0.0, 12.0)
}

/// The reading with its directions turned round; `None` where it has none.
pub fn turned_round(reading: &LooseReading) -> Option<LooseReading> {
    let mut turned = reading.clone();
    let mut found = false;
    for assertion in &mut turned.claim.assertions {
        if let Assertion::Change {
            direction,
            size: Some(_),
        } = assertion
        {
            *direction = match direction {
                Direction::Up => Direction::Down,
                Direction::Down => Direction::Up,
                Direction::Flat => return None,
            };
            found = true;
        }
    }
    found.then_some(turned)
}
