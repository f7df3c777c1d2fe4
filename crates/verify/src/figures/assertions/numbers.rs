//! What is said with a number: a level, a change, a multiple, and the words that bound it.

use super::{Reader, Said, direction, negated, relation};
use crate::figures::amount::{Amount, Bound, Unit};
use crate::figures::claim::{Assertion, Direction, Measure, Over, PriceField, Subject};
use crate::figures::items::{What, is_relative};
use crate::figures::parts;
use crate::figures::token::{Join, Token};

impl Reader<'_> {
    /// `doubled`, `more than tripled`, `halved`, `rose tenfold`.
    pub(super) fn multiples(&self, said: &mut Said, used: &mut [bool]) {
        for (place, item) in self.items.iter().enumerate() {
            let times = match relation(item) {
                Some("double") => 2.0,
                Some("triple") => 3.0,
                Some("quadruple") => 4.0,
                Some("quintuple") => 5.0,
                Some("halve") => 0.5,
                _ => match item.what {
                    What::Amount(amount) if amount.unit == Unit::Times && !Self::is_ratio(said) => {
                        amount.value
                    }
                    _ => continue,
                },
            };
            used[place] = true;
            // `doubled that with 49 %`.
            if self
                .tokens
                .get(item.next)
                .is_some_and(|next| next.is("that"))
            {
                said.unclear = Some("what was doubled is not understood");
            }
            let bound = place.checked_sub(1).and_then(|before| {
                let code = relation(&self.items[before]);
                if matches!(
                    code,
                    Some("above" | "below" | "at_least" | "about" | "just_above" | "just_below")
                ) {
                    used[before] = true;
                    code
                } else {
                    None
                }
            });
            for (at, item) in self.items.iter().enumerate() {
                if relation(item) == Some("up") && at < place {
                    used[at] = true;
                }
            }
            let exact = |value| Amount::exact(value, Unit::Times);
            let falls = times < 1.0;
            // What has not doubled has not more than doubled either.
            let bound = if said.is_negated && bound.is_none() {
                Some("at_least")
            } else {
                bound
            };
            let bound = match bound {
                Some("above" | "at_least" | "just_above") if falls => Bound::Below(exact(times)),
                Some("above" | "just_above") => Bound::Above(exact(times)),
                Some("at_least") => Bound::AtLeast(exact(times)),
                Some("below" | "just_below") if !falls => Bound::Below(exact(times)),
                Some("about" | "just_below") if falls => Bound::Between(exact(0.45), exact(0.58)),
                Some("about" | "just_below") => {
                    Bound::Between(exact(times * 0.88), exact(times * 1.06))
                }
                _ => Bound::multiple(times),
            };
            said.is_figure = true;
            said.assertions.push(Assertion::Multiple(bound));
        }
    }

    pub(super) fn is_ratio(said: &Said) -> bool {
        matches!(
            said.measure,
            Some(Measure::PriceEarnings | Measure::DebtToEquity | Measure::Beta)
        )
    }

    /// The bound that the surrounding words give an amount, and the place of a second amount.
    pub(super) fn bound(&self, place: usize, amount: Amount) -> (Bound, Option<usize>) {
        let item = &self.items[place];
        // `between 100 and 120`, `100 to 120`; `from 100 to 120` is a move.
        if let Some(next) = self.items.get(place + 1)
            && let What::Amount(second) = next.what
        {
            let between = self.tokens.get(item.next..next.first).unwrap_or_default();
            let opens = self.before(item.first, &["between"]);
            let joined = between.len() == 1 && between[0].is_any(&["and"]) && opens
                || between.is_empty() && self.tokens[next.first].join == Join::Hyphen
                || between.len() == 1 && between[0].is("to") && !self.before(item.first, &["from"]);
            // `rose 2 % to $190` is not a range.
            let joined = joined
                && (amount.unit == second.unit
                    || amount.unit == Unit::Bare
                    || second.unit == Unit::Bare);
            if joined {
                let unit = if amount.unit == Unit::Bare {
                    second.unit
                } else {
                    amount.unit
                };
                // `between 1.2 and 1.3 trillion`: the scale applies to both.
                let scale = if amount.unit == Unit::Bare
                    && amount.value > 0.0
                    && second.value >= 1e4 * amount.value
                {
                    10_f64.powf(((second.value / amount.value).log10() / 3.0).floor() * 3.0)
                } else {
                    1.0
                };
                let first = Amount {
                    unit,
                    ..amount.times(scale)
                };
                let (low, high) = if first.value <= second.value {
                    (first, second)
                } else {
                    (second, first)
                };
                return (Bound::Between(low, high), Some(place + 1));
            }
        }
        let mut code = None;
        let mut back = place;
        while back > 0 {
            back -= 1;
            let one = &self.items[back];
            let between = self.tokens.get(one.next..item.first).unwrap_or_default();
            if between.len() > 3
                || !between.iter().all(|token| {
                    token.is_any(&[
                        "the", "a", "an", "of", "at", "by", "to", "than", "level", "mark",
                        "handle", "it", "its",
                    ])
                })
            {
                break;
            }
            match relation(one) {
                Some(
                    found @ ("above" | "below" | "at_least" | "at_most" | "about" | "just_above"
                    | "just_below" | "exceed" | "undercut"),
                ) => {
                    // `about 5 % higher` and `up about 5 %` both: the nearest one counts.
                    code = Some(found);
                    break;
                }
                Some("up" | "down") => {}
                _ => break,
            }
        }
        if code.is_none()
            && let Some(after) = self.items.get(place + 1)
            && after.first == item.next
            && let Some(found @ ("at_least" | "at_most")) = relation(after)
        {
            code = Some(found);
        }
        // `120 or so`, `5 % or more`.
        if code.is_none()
            && let Some(after) = self.items.get(place + 1)
            && relation(after) == Some("about")
            && self.tokens[after.first].is("or")
        {
            code = Some("about");
        }
        if self.tokens[item.first.saturating_sub(1)].text == "~" {
            code = Some("about");
        }
        let bound = match code {
            Some("above" | "exceed") => Bound::Above(amount),
            Some("below" | "undercut") => Bound::Below(amount),
            Some("at_least") => Bound::AtLeast(amount),
            Some("at_most") => Bound::AtMost(amount),
            Some("about") => Bound::About(amount),
            Some("just_above") => Bound::JustAbove(amount),
            Some("just_below") => Bound::JustBelow(amount),
            _ if amount.unit == Unit::Fraction => Bound::part(amount),
            _ => Bound::Equal(amount),
        };
        (bound, None)
    }

    /// Whether one of these words comes directly before a token, ignoring articles.
    pub(super) fn before(&self, at: usize, words: &[&str]) -> bool {
        self.word_before(at)
            .is_some_and(|token| token.is_any(words))
    }

    pub(super) fn word_before(&self, at: usize) -> Option<&Token<'_>> {
        let mut place = at.checked_sub(1)?;
        while self.tokens[place].is_any(&["the", "a", "an"]) && place > 0 {
            place -= 1;
        }
        self.tokens.get(place)
    }

    /// What is said with one amount.
    pub(super) fn amount(&self, place: usize, said: &mut Said, used: &mut [bool]) -> Option<usize> {
        let What::Amount(amount) = self.items[place].what else {
            return None;
        };
        let item = &self.items[place];
        let (bound, second) = self.bound(place, amount);
        let is_in_digits = self.tokens[item.first..item.next].iter().any(|token| {
            token
                .number
                .is_some_and(|number| number.value == amount.value)
        });
        let is_exact = self.tokens[item.first.saturating_sub(2)..item.first]
            .iter()
            .any(|token| token.is_any(&["exactly", "precisely"]));
        let bound = if (said.over == Over::Reached || is_exact) && is_in_digits {
            bound.as_mark()
        } else {
            bound
        };
        used[place] = true;
        if let Some(second) = second {
            used[second] = true;
        }
        let first_bound_word = (0..place).rev().take(2).find(|at| {
            matches!(
                relation(&self.items[*at]),
                Some(
                    "above"
                        | "below"
                        | "at_least"
                        | "at_most"
                        | "about"
                        | "just_above"
                        | "just_below"
                        | "exceed"
                        | "undercut"
                )
            )
        });
        let lead = first_bound_word.map_or(item.first, |at| self.items[at].first);
        let lead_word =
            first_bound_word.map_or("", |at| self.tokens[self.items[at].first].lower.as_str());
        let near_direction = self.direction_near(place, lead, amount);
        let is_to = self.before(
            lead,
            &["to", "at", "of", "was", "is", "were", "stood", "near"],
        ) && !self.before(lead, &["by"]);
        let of_change = self.before(lead, &["of"])
            && near_direction.is_some_and(|(at, _)| {
                let is_adjacent = self.items[at].next + 1 >= lead.saturating_sub(1);
                // `contracted at an annualised pace of 28 %`.
                let by_basis = self.items.get(at + 1).is_some_and(|next| {
                    matches!(next.what, What::Basis(_)) && next.next + 1 >= lead.saturating_sub(1)
                });
                (is_adjacent || by_basis) && at < place
            });
        let goes_to = self.items.get(place + 1).is_some_and(|next| {
            matches!(next.what, What::Amount(_)) && self.before(next.first, &["to"])
        });
        if self.before(lead, &["from"])
            && !self.parts.subjects.is_empty()
            && (near_direction.is_some() || goes_to)
        {
            if goes_to && said.over == Over::Unsaid {
                said.over = Over::End;
            }
            said.has_from = true;
            said.begins_with_from = said.assertions.is_empty();
            said.assertions.push(Assertion::From(bound));
            said.is_figure = true;
            return second;
        }
        let level_word = matches!(lead_word, "above" | "below" | "past" | "beyond" | "beneath")
            || first_bound_word
                .is_some_and(|at| matches!(relation(&self.items[at]), Some("exceed" | "undercut")));
        let relative = is_relative(amount.unit);
        let wants_change = self
            .items
            .iter()
            .any(|item| item.what == What::Word("change"));
        let after_to = is_to && !of_change && !self.before(lead, &["was", "is", "were"]);
        let is_change = match near_direction {
            Some((at, direction)) if direction != Direction::Flat => {
                let by = self.before(lead, &["by"]);
                // `up 5 %`, `rose 5 dollars`, `a 5 % gain`; `rose to 5 %` and `rose above 5 %` are levels if said of a
                // rate.
                let adjacent = at > place || self.items[at].next >= lead.saturating_sub(1);
                let level = after_to || level_word && (!relative || self.parts.is_rate);
                (by || of_change || relative || adjacent) && !level
            }
            _ => wants_change && relative,
        };
        if is_change {
            let direction = near_direction.map_or(Direction::Up, |(at, direction)| {
                used[at] = true;
                direction
            });
            let direction = if direction == Direction::Flat {
                Direction::Up
            } else {
                direction
            };
            said.is_figure = true;
            said.assertions.push(Assertion::Change {
                direction,
                size: Some(bound),
            });
            return second;
        }
        let is_loss = self.items.iter().any(|item| {
            matches!(item.what, What::Word("net_loss")) || relation(item) == Some("negative")
        }) || self.items.iter().any(|item| {
            matches!(item.what, What::Word("eps" | "operating_income"))
                && self.tokens[item.first..item.next]
                    .iter()
                    .any(|token| token.is("loss"))
        });
        let bound = if is_loss && amount.value > 0.0 && !matches!(amount.unit, Unit::Percent) {
            negated(bound)
        } else {
            bound
        };
        if amount.unit == Unit::Fraction {
            said.unclear = Some("what the fraction is a part of is not understood");
        }
        if amount.unit == Unit::Count && said.measure == Some(Measure::Price(PriceField::Traded)) {
            // `117 million shares traded`.
            said.measure = Some(Measure::Volume);
        }
        let is_listed = self.parts.subjects.first().is_some_and(parts::is_listed);
        let is_priced = matches!(amount.unit, Unit::Money(_))
            && self.items.iter().any(|item| {
                matches!(
                    relation(item),
                    Some("begin" | "close" | "reach" | "exceed" | "undercut" | "peak" | "trough")
                )
            });
        let is_symbol = matches!(self.parts.subjects.first(), Some(Subject::Named { text, ticker: Some(ticker) }) if text == ticker);
        let is_priced = is_priced || is_symbol && matches!(amount.unit, Unit::Money(_));
        said.is_figure |= said.measure.is_some() || self.parts.is_certain || is_listed && is_priced;
        // `closed above 120 in March`: on at least one day.
        if self.says_session()
            && !bound.is_equality()
            && said.over == Over::Unsaid
            && !self.says_end()
        {
            said.over = Over::Any;
        }
        said.assertions.push(Assertion::Value(bound));
        second
    }

    /// The direction that belongs to an amount: before it in its clause, otherwise directly after it.
    pub(super) fn direction_near(
        &self,
        place: usize,
        lead: usize,
        amount: Amount,
    ) -> Option<(usize, Direction)> {
        let item = &self.items[place];
        // `20 million payroll jobs vanished`.
        let is_counted = self.items.get(place + 1).is_some_and(|next| {
            next.first == item.next && next.what == What::Subject(Subject::Series("payrolls"))
        });
        let next = place + 1 + usize::from(is_counted);
        let after = self.items.get(next).and_then(|next| {
            let gap = next.first - self.items[place + usize::from(is_counted)].next;
            // `64 % lower than`, `a quarter above where it ended`.
            let directed = match relation(next)? {
                "above" if is_relative(amount.unit) => Direction::Up,
                "below" if is_relative(amount.unit) => Direction::Down,
                code => direction(code)?,
            };
            (gap <= 2).then_some((place + 1 + usize::from(is_counted), directed))
        });
        let mut before = None;
        for at in (0..place).rev() {
            let one = &self.items[at];
            if let Some(found) = relation(one).and_then(direction) {
                before = Some((at, found));
                break;
            }
            // Another amount between them takes the direction.
            if matches!(one.what, What::Amount(_)) && !self.before(one.first, &["from", "to"]) {
                break;
            }
        }
        match (before, after) {
            (Some((at, _)), Some(after)) if lead > self.items[at].next + 4 => Some(after),
            (Some(before), _) => Some(before),
            (None, after) => after,
        }
    }
}
