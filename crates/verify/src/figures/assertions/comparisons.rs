//! Comparisons with another subject or measure.

use super::{Reader, Said, direction, relation};
use crate::figures::amount::{Amount, Bound, Unit};
use crate::figures::assemble::is_priced;
use crate::figures::claim::{Assertion, Direction, Measure, Other, PriceField, Subject};
use crate::figures::items::{self, What};
use crate::figures::token::Join;

impl Reader<'_> {
    /// The place of a comparison with another figure.
    pub(super) fn comparison_place(&self) -> Option<usize> {
        self.items.iter().enumerate().find_map(|(place, item)| {
            let code = relation(item)?;
            let direct = matches!(code, "beat" | "lag" | "fall_more" | "fall_less");
            let side = matches!(
                code,
                "above"
                    | "below"
                    | "exceed"
                    | "undercut"
                    | "at_least"
                    | "at_most"
                    | "up"
                    | "down"
                    | "just_above"
                    | "just_below"
            );
            let next = self.items.get(place + 1)?;
            let is_figure = match &next.what {
                What::Subject(_) => direct || side,
                What::Measure(_)
                | What::Relation("open")
                | What::Word(
                    "year_high" | "year_low" | "macd_signal" | "record_high" | "record_low"
                    | "open",
                ) => side,
                _ => false,
            };
            // Yes for `rose above Microsoft's`, no for `up Apple`.
            let needs_than = matches!(code, "up" | "down");
            let than = self.tokens[item.first..next.first]
                .iter()
                .any(|token| token.is_any(&["than", "versus", "vs"]));
            (is_figure && (!needs_than || than)).then_some(place)
        })
    }

    /// A sized move in a clause before the comparison: its amount, its direction, and how far it went.
    fn move_before(&self, place: usize) -> Option<(usize, Direction, Bound)> {
        let relation_item = &self.items[place];
        if self.tokens[relation_item.first].join != Join::Break {
            return None;
        }
        let at = self.items[..place].iter().position(
            |item| matches!(item.what, What::Amount(amount) if items::is_relative(amount.unit)),
        )?;
        let What::Amount(amount) = self.items[at].what else {
            return None;
        };
        let direction = self.items[..at]
            .iter()
            .rev()
            .find_map(|item| direction(relation(item)?))?;
        Some((at, direction, self.bound(at, amount).0))
    }

    /// A comparison with another subject or measure.
    pub(super) fn versus(&self, said: &mut Said, used: &mut [bool]) -> bool {
        let Some(place) = self.comparison_place() else {
            return false;
        };
        let Some(code) = relation(&self.items[place]) else {
            return false;
        };
        used[place] = true;
        let falls = self.items[..place]
            .iter()
            .filter_map(relation)
            .any(|code| code == "down");
        let rises = self.items[..place]
            .iter()
            .filter_map(relation)
            .any(|code| code == "up");
        // `three times as much as Apple`: a multiple of the other, not at most three of anything.
        let times = (code == "at_most" || code == "at_least")
            .then(|| self.multiple_before(place))
            .flatten();
        // `worth twice as much`: a share, or the whole company?
        let is_of_worth = self.tokens.iter().any(|token| token.is("worth"))
            && !self
                .tokens
                .iter()
                .any(|token| token.is_any(&["market", "cap", "capitalization", "valuation"]));
        if times.is_some() && is_of_worth {
            said.unclear = Some("whether prices or market values are compared is not said");
        }
        if times.is_some() {
            used[place - 1] = true;
            let bounds = |one: &items::Item| {
                relation(one).is_some_and(|code| !matches!(code, "up" | "down"))
            };
            if let Some(bound) = place.checked_sub(2).filter(|at| bounds(&self.items[*at])) {
                used[bound] = true;
            }
        }
        let (greater, mut changes) = match code {
            _ if times.is_some() => (true, false),
            "beat" | "fall_less" => (true, true),
            "lag" | "fall_more" => (false, true),
            "below" | "undercut" | "at_most" | "down" | "just_below" => (false, false),
            _ => (true, false),
        };
        if times.is_some() && (rises || falls) {
            said.unclear = Some("multiples of moves are not compared");
        }
        let more =
            self.tokens[self.items[place].first].is_any(&["more", "less", "greater", "fewer"]);
        let is_of_size =
            self.tokens[self.items[place].first].is_any(&["bigger", "larger", "smaller"]);
        let mut greater = greater;
        // `gained 70 %, better than Chevron`: the move, and the fact that it was the better one.
        let move_before = self.move_before(place);
        if move_before.is_some() && !changes {
            changes = true;
            greater = if falls { !greater } else { greater };
        }
        // `its return was larger than`.
        let is_of_changes = is_of_size
            && self.items[..place]
                .iter()
                .any(|item| item.what == What::Word("change"));
        changes |= is_of_changes && !rises && !falls;
        if !changes && (more || is_of_size) && (rises || falls) {
            changes = true;
            greater = if falls { !greater } else { greater };
        }
        let mut other = Other::default();
        for item in &self.items[place + 1..] {
            match &item.what {
                What::Subject(subject) if other.subject.is_none() => {
                    other.subject = Some(subject.clone());
                }
                What::Measure(measure) => other.measure = other.measure.or(Some(*measure)),
                What::Word(code) => other.measure = other.measure.or(items::measure(code)),
                What::Relation("open") => {
                    other.measure = other.measure.or(Some(Measure::Price(PriceField::Open)));
                }
                _ => {}
            }
        }
        if other.subject.is_some()
            && other.measure.is_some()
            && said
                .measure
                .is_none_or(|one| matches!(one, Measure::Price(_)))
        {
            // `Apple was worth more than Microsoft's market value`: the measure applies to both.
            if !matches!(other.measure, Some(Measure::Average(..))) {
                said.measure = other.measure.take();
            }
        }
        if is_of_size && !changes && said.measure.is_none() && other.measure.is_none() {
            self.compares_sizes(&other, said);
        }
        // `was crushed by Nvidia`: the other one did better.
        let behind = self.tokens.get(self.items[place].next);
        if behind.is_some_and(|behind| behind.is("by")) {
            if matches!(code, "beat" | "lag") {
                greater = !greater;
            } else {
                said.unclear = Some("what is compared is not understood");
            }
        }
        if other.subject.is_some()
            && other.subject.as_ref() == self.parts.subjects.first()
            && other.measure.is_none()
        {
            said.unclear = Some("it is compared with itself");
        }
        let is_average = |measure: Option<Measure>| matches!(measure, Some(Measure::Average(..)));
        if matches!(code, "exceed" | "undercut")
            && is_average(said.measure)
            && is_average(other.measure)
        {
            // One line crosses another: it was on the other side before that.
            said.over = crate::figures::Over::Reached;
        }
        if other.measure == said.measure {
            other.measure = None;
        }
        if other.subject.is_none() && other.measure.is_none() {
            said.unclear = Some("what it is compared with is not understood");
        }
        if matches!(said.measure, Some(Measure::Price(PriceField::Traded)))
            && other.subject.is_some()
            && code != "exceed"
        {
            said.measure = None;
        }
        said.takes_other = other.subject.is_some();
        let amounts = self
            .items
            .iter()
            .filter(|item| matches!(item.what, What::Amount(_)));
        let stands_apart = |item: &items::Item| {
            let relation = &self.items[place];
            let is_before = item.next <= relation.first
                && item.next + 2 >= relation.first
                && self.tokens[relation.first].join == Join::Space;
            let is_by = item.first > 0
                && (item.first.saturating_sub(2)..item.first)
                    .any(|at| self.tokens[at].is_any(&["by", "than"]));
            !is_before && !is_by && !more
        };
        if let Some((at, direction, size)) = move_before.filter(|_| amounts.clone().count() == 1) {
            used[at] = true;
            said.assertions.push(Assertion::Change {
                direction,
                size: Some(size),
            });
            said.assertions.push(Assertion::Versus {
                greater,
                changes,
                by: None,
                other,
            });
            return true;
        }
        if amounts.clone().count() > 1 || changes && amounts.clone().any(stands_apart) {
            said.unclear = Some("which figure is whose is not understood");
        }
        let by = times.or_else(|| self.first_amount(used));
        said.assertions.push(Assertion::Versus {
            greater,
            changes,
            by,
            other,
        });
        true
    }

    /// `Apple is bigger than Tesla`: companies and coins are compared by market value. Anything that only has a price
    /// has no size.
    fn compares_sizes(&self, other: &Other, said: &mut Said) {
        let sides = [self.parts.subjects.first(), other.subject.as_ref()];
        if self
            .tokens
            .iter()
            .any(|token| token.is_any(&["price", "prices"]))
        {
            return;
        }
        if sides
            .iter()
            .all(|side| matches!(side, Some(Subject::Named { .. })))
        {
            said.measure = Some(Measure::MarketValue);
        } else if sides.iter().flatten().any(|side| is_priced(side)) {
            said.unclear = Some("which size is compared is not said");
        }
    }

    /// By how much one figure exceeds the other.
    fn first_amount(&self, used: &mut [bool]) -> Option<Bound> {
        let mut items = self.items.iter().enumerate();
        items.find_map(|(at, item)| match item.what {
            What::Amount(amount) => {
                used[at] = true;
                Some(self.bound(at, amount).0)
            }
            _ => None,
        })
    }

    /// The multiple directly before `as much as`, with the words before it.
    fn multiple_before(&self, place: usize) -> Option<Bound> {
        let before = place.checked_sub(1)?;
        let (item, behind) = (&self.items[before], &self.items[place]);
        let What::Amount(amount) = item.what else {
            return None;
        };
        if amount.unit != Unit::Times || item.next != behind.first {
            return None;
        }
        let code = before
            .checked_sub(1)
            .map(|at| &self.items[at])
            .filter(|one| one.next == item.first)
            .and_then(relation);
        let exact = |value| Amount::exact(value, Unit::Times);
        let times = amount.value;
        // Above ten, a number is meant as written.
        let is_counted = times >= 10.0;
        Some(match code {
            Some("above" | "exceed") => Bound::Above(exact(times)),
            Some("just_above") => Bound::JustAbove(exact(times)),
            Some("just_below") => Bound::JustBelow(exact(times)),
            Some("at_least") => Bound::AtLeast(exact(times)),
            Some("below" | "undercut") => Bound::Below(exact(times)),
            Some("at_most") => Bound::AtMost(exact(times)),
            Some("about") if is_counted => Bound::About(amount),
            Some("about") => Bound::Between(exact(times * 0.88), exact(times * 1.06)),
            _ if is_counted => Bound::Equal(amount),
            _ => Bound::Between(exact(times * 0.95), exact(times * 1.1)),
        })
    }
}
