//! The stretches of a sentence in groups, one for each figure, and what is said with each figure.

use model::Day;

use super::amount::Unit;
use super::assemble::{doubt, finish, is_forecast};
use super::claim::{Assertion, FigureClaim, Measure, Reading, Subject};
use super::items::{self, Item, Items, What, is_relative};
use super::parts::Parts;
use super::period::{Period, Role, Span, SpanUnit};
use super::reword::denies;
use super::token::{Join, Token, cut};
use super::{assertions, doubts, mend};

/// Maximum number of figures read from a sentence.
const MOST_FIGURES: usize = 6;

/// What a sentence may say with one of its figures.
pub(super) struct Figure {
    /// As claims, the most likely first.
    pub(super) claims: Vec<FigureClaim>,
    /// Whether its direction and its only time are its own.
    pub(super) is_plain: bool,
}

/// The figures of a sentence in which every word is understood, each as a claim; `None` if one of them could be
/// several.
pub(super) fn figure_by_figure(text: &str, today: Day) -> Option<Vec<FigureClaim>> {
    let tokens = cut(text);
    let mut marks = items::mark(text, &tokens, today);
    mend::reassign(&mut marks, &tokens);
    let is_dated = supply_years(&mut marks.items);
    let is_plain = is_dated
        && marks.unexplained.is_empty()
        && !denies(&tokens)
        && !is_forecast(&tokens)
        && !doubts::has_unnamed_order(&tokens)
        && !doubts::follows_another(&marks.items, &tokens);
    // `down to 6.7 % from 14.8 % in April`: the direction is from there.
    let comes_from = marks.items.iter().any(|item| {
        matches!(item.what, What::Amount(_)) && item.first > 0 && tokens[item.first - 1].is("from")
    });
    if !is_plain || comes_from || doubt(&marks, &tokens).is_some() {
        return None;
    }
    let figures = figures(&marks.items, &tokens).filter(|figures| figures.len() > 1)?;
    let claims: Option<Vec<FigureClaim>> = figures
        .into_iter()
        .map(|mut figure| (figure.claims.len() == 1).then(|| figure.claims.remove(0)))
        .collect();
    claims
        .map(in_one_pair)
        .filter(|claims| !contradict_each_other(claims))
}

/// `the euro fell 6 % and the dollar rose 8 %`: opposite moves at one time belong to two things.
fn contradict_each_other(claims: &[FigureClaim]) -> bool {
    let direction = |claim: &FigureClaim| {
        claim.assertions.iter().find_map(|one| match one {
            Assertion::Change { direction, .. } => Some(*direction),
            _ => None,
        })
    };
    claims.iter().enumerate().any(|(place, one)| {
        claims[place + 1..].iter().any(|other| {
            one.subject == other.subject
                && one.period == other.period
                && one.measure == other.measure
                && direction(one)
                    .zip(direction(other))
                    .is_some_and(|(one, other)| one != other)
        })
    })
}

/// `bought 9.11 lira in 2020 and 15.23 in 2021`: all in the single currency pair that is named.
fn in_one_pair(mut claims: Vec<FigureClaim>) -> Vec<FigureClaim> {
    let pair = |claim: &FigureClaim| match claim.subject {
        Subject::Currency {
            base,
            quote,
            is_pair: true,
        } => Some((base, quote)),
        _ => None,
    };
    let mut named = None;
    for claim in &mut claims {
        let is_bare = claim
            .assertions
            .iter()
            .all(|one| matches!(one, Assertion::Value(bound) if bound.amount().unit == Unit::Bare));
        if let Some(pair) = pair(claim) {
            named = Some(pair);
        } else if let (Subject::Currency { base: own, .. }, Some((base, quote)), true) =
            (&claim.subject, named, is_bare)
            && *own == base
        {
            claim.subject = Subject::Currency {
                base,
                quote,
                is_pair: true,
            };
        }
    }
    claims
}

/// What is said with each figure of a sentence; `None` if one of them belongs to nothing, or something is said without
/// a figure.
pub(super) fn figures(items: &[Item], tokens: &[Token<'_>]) -> Option<Vec<Figure>> {
    let groups = groups(items, tokens)?;
    (0..groups.len())
        .map(|place| figure(&groups, place, tokens))
        .collect()
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

/// A measure other than a price.
fn is_measure(what: &What) -> bool {
    matches!(what, What::Word(code) if !matches!(items::measure(code), None | Some(Measure::Price(_))))
}

/// A number that is not a percentage.
const fn is_sum(what: &What) -> bool {
    matches!(what, What::Amount(amount) if !is_relative(amount.unit))
}

const fn is_percentage(what: &What) -> bool {
    matches!(what, What::Amount(amount) if is_relative(amount.unit))
}

/// The stretches, figure by figure; `None` if something is said without a figure.
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
        // `fell 65 % in 2022, and on 27 December it closed at 109`.
        What::Period(..) if !group.times().is_empty() => {
            let joins = &tokens[last.next..item.first];
            tokens[item.first].join == Join::Break
                || joins.iter().any(|token| {
                    token.is_any(&["and", "but", "while"]) || token.join == Join::Break
                })
        }
        // `shares`, `stock`: can be said of any of them.
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
    if is_doubtful(groups, place, tokens) {
        return None;
    }
    let before = || groups[..place].iter().rev();
    let mut fixed = group.all(|what| !matches!(what, What::Period(..)));
    if group.subjects().is_empty() {
        fixed.push(subject_of(groups, place, tokens)?);
    }
    // `averaged $100.9 in 2022 and $70.9 in 2021`.
    if place > 0 && group.any(is_sum) && !group.any(is_manner) {
        let manner = before().map(|one| one.all(is_manner));
        fixed.extend(manner.take(1).flatten());
    }
    let mut is_plain = group.times().len() == 1;
    if group.any(is_percentage) && group.directions().is_empty() {
        is_plain = false;
        let direction = before()
            .map(Group::directions)
            .find(|directions| !directions.is_empty());
        fixed.extend(direction.and_then(|directions| directions.last().cloned()));
    }
    let claims = times_of(groups, place)
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

/// Whether what a group says could apply to something else.
fn is_doubtful(groups: &[Group], place: usize, tokens: &[Token<'_>]) -> bool {
    let group = &groups[place];
    let sides = group.directions();
    if sides.iter().any(|side| side.what != sides[0].what) {
        return true;
    }
    if place == 0 {
        return false;
    }
    let before = || groups[..place].iter();
    let is_negative = |what: &What| matches!(what, What::Amount(amount) if amount.value < 0.0);
    // `gained 3 %, and its market value $150 billion`: by that much, or to that much.
    let is_said = group.any(|what| matches!(what, What::Relation(_)));
    let is_unsaid = !is_said
        && group.any(|what| matches!(what, What::Word(_)))
        && group.any(is_sum)
        && before().any(|one| !one.directions().is_empty());
    // `revenue fell 3 % to $383 billion`: of the measure already named, or of another.
    let is_measured = group.subjects().is_empty()
        && group.any(is_sum)
        && !group.any(is_measure)
        && before().any(|one| one.any(is_measure));
    // `larger than the 24.6 % drop`: compared with it.
    let is_compared = group.items.windows(2).any(|pair| {
        matches!(
            pair[0].what,
            What::Relation("above" | "below" | "up" | "down")
        ) && matches!(pair[1].what, What::Amount(_))
            && pair[0].next + 1 == pair[1].first
            && tokens[pair[0].next].is("the")
    });
    group.any(is_negative) || is_unsaid || is_measured || is_compared
}

/// The subject that a group takes from the figures before it, otherwise from those after it.
fn subject_of(groups: &[Group], place: usize, tokens: &[Token<'_>]) -> Option<Item> {
    let named = groups[..place]
        .iter()
        .rev()
        .chain(&groups[place..])
        .map(Group::subjects)
        .find(|subjects| !subjects.is_empty())?;
    // If there are several, or another is named between them, it is not known whose figure it is.
    let [subject] = &named[..] else { return None };
    let last = place
        .checked_sub(1)
        .and_then(|before| groups[before].items.last());
    let is_another = last.is_some_and(|last| names_another(last.next, &groups[place], tokens));
    (!is_another).then(|| subject.clone())
}

/// The times that a group may be about: its own, otherwise those of the surrounding figures.
fn times_of(groups: &[Group], place: usize) -> Vec<Vec<Item>> {
    let own = groups[place].times();
    if !own.is_empty() {
        return vec![own];
    }
    let mut times: Vec<Vec<Item>> = Vec::new();
    let around = groups[..place]
        .iter()
        .rev()
        .chain(&groups[place + 1..])
        .map(Group::times)
        .filter(|times| !times.is_empty());
    for one in around {
        if !times.contains(&one) {
            times.push(one);
        }
    }
    // `from 100 in 2020 to 150 in 2021, up 50 %`.
    let spans: Vec<Item> = groups.iter().flat_map(Group::times).collect();
    if groups[place].any(is_percentage)
        && let [first, last] = &spans[..]
    {
        times.insert(0, from_to(first, last));
    }
    if times.is_empty() {
        times.push(Vec::new());
    }
    times
}

/// Whether a word between the previous figure and a group's figure names someone else: `…, the ECB's to 2.5 %`.
fn names_another(from: usize, group: &Group, tokens: &[Token<'_>]) -> bool {
    let end = group.items.last().map_or(from, |item| item.first);
    (from..end.max(from)).any(|at| {
        let token = &tokens[at];
        let is_held = group.items.iter().any(|item| item.holds(at));
        !is_held && (token.possessive || token.is_word() && token.is_capital())
    })
}

/// Two times as the start and the end of a change.
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
            // No share price is that large: something is being counted.
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

/// A time without a year belongs to the year that the sentence names before it, or else after it:
/// `fell on 3 February 2022 and on 27 October`, `in January and in February 2023`. Returns whether all could be
/// determined: `in December 2023 and in March` could not.
pub(super) fn supply_years(items: &mut [Item]) -> bool {
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
                // `up 49 % in 2023, fell in January`: of that year, or of the next.
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
