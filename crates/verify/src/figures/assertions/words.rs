//! What is said without a number: directions, extremes, signs.

use super::{Reader, Said, direction, relation};
use crate::figures::amount::{Amount, Bound, Unit};
use crate::figures::claim::{Assertion, Direction, Measure, Over, PriceField, Subject};
use crate::figures::items::{self, Item, What};
use crate::figures::parts;
use crate::figures::token::Token;
use crate::figures::{Period, SpanUnit, period};

impl Reader<'_> {
    /// Directions without a number.
    pub(super) fn directions(&self, said: &mut Said, used: &[bool]) {
        let has_change = said
            .assertions
            .iter()
            .any(|one| matches!(one, Assertion::Change { .. } | Assertion::Multiple(_)));
        let is_extreme = self
            .items
            .iter()
            .any(|item| matches!(relation(item), Some("highest" | "lowest")));
        if has_change || is_extreme && said.assertions.is_empty() {
            return;
        }
        let is_comparison =
            |item: &Item| self.tokens[item.next - 1].is("than") && said.assertions.is_empty();
        let found = self.items.iter().enumerate().find_map(|(at, item)| {
            let direction = match relation(item)? {
                // `ended 2021 higher than it ended 2020`.
                "above" if is_comparison(item) => Direction::Up,
                "below" if is_comparison(item) => Direction::Down,
                code => direction(code)?,
            };
            (!used[at]).then_some(direction)
        });
        // `lower than at the end of 2025 but well above where it stood`.
        let sides: Vec<Direction> = self
            .items
            .iter()
            .enumerate()
            .filter(|(at, item)| !used[*at] && relation(item).is_some())
            .filter_map(|(_, item)| direction(relation(item)?))
            .collect();
        if sides.contains(&Direction::Up) && sides.contains(&Direction::Down) {
            said.unclear = Some("it tells of two moves");
        }
        // `revenue growth accelerated`: how the growth changed.
        let of_growth = self.tokens.windows(2).any(|pair| {
            pair[0].is("growth")
                && [
                    "accelerated",
                    "quickened",
                    "slowed",
                    "decelerated",
                    "cooled",
                    "picked",
                    "rebounded",
                    "eased",
                ]
                .contains(&pair[1].lower.as_str())
        });
        if of_growth && matches!(self.parts.subjects.first(), Some(Subject::Named { .. })) {
            said.unclear = Some("how a growth changed is not compared");
        }
        let is_currency = matches!(self.parts.subjects.first(), Some(Subject::Currency { .. }));
        let than = self
            .items
            .iter()
            .any(|item| matches!(relation(item), Some("above" | "below")) && is_comparison(item));
        let is_loss = self
            .items
            .iter()
            .any(|item| matches!(item.what, What::Word("net_loss")));
        let found = match found {
            // A widening loss is a falling income.
            Some(Direction::Up) if is_loss => Some(Direction::Down),
            Some(Direction::Down) if is_loss => Some(Direction::Up),
            other => other,
        };
        if let (Some(direction), true, true) = (found, is_currency, than) {
            // `a pound was worth more than a dollar`.
            let one = Amount::exact(1.0, Unit::Bare);
            said.assertions
                .push(Assertion::Value(if direction == Direction::Up {
                    Bound::Above(one)
                } else {
                    Bound::Below(one)
                }));
            said.is_figure = true;
            return;
        }
        if let Some(direction) = found {
            // `stayed higher than`: the direction belongs to a comparison.
            said.assertions.push(Assertion::Change {
                direction,
                size: None,
            });
            let is_listed = self.parts.subjects.first().is_some_and(parts::is_listed);
            said.is_figure |= said.measure.is_some() || self.parts.is_certain || is_listed;
        }
    }

    /// Highest and lowest, without a number.
    pub(super) fn extremes(&self, said: &mut Said) {
        let mut found = self.items.iter().find_map(|item| match relation(item) {
            Some("highest") => Some(true),
            Some("lowest") => Some(false),
            _ => None,
        });
        match said.measure {
            Some(Measure::RecordHigh) => found = Some(true),
            Some(Measure::RecordLow) => found = Some(false),
            _ => {}
        }
        if said.assertions.is_empty() && found.is_none() {
            // `hit its low for 2020 on 23 March`.
            found = match said.measure {
                Some(Measure::Price(PriceField::High)) => Some(true),
                Some(Measure::Price(PriceField::Low)) => Some(false),
                _ => None,
            };
        }
        if found.is_some() && self.speaks_of_long_changes() {
            let Some((unit, is_best)) = self.best_of_spans() else {
                said.unclear = Some("the best and worst of longer periods are not compared");
                return;
            };
            if !matches!(said.measure, None | Some(Measure::Price(_))) {
                said.unclear =
                    Some("the best and worst of longer periods are compared of prices only");
                return;
            }
            said.best_of = Some(unit);
            said.wants_extreme = true;
            said.is_figure = true;
            said.measure = None;
            said.over = Over::Unsaid;
            if said
                .assertions
                .iter()
                .any(|one| !matches!(one, Assertion::Change { size: None, .. }))
            {
                said.unclear = Some("how good the best of several was is not compared");
            }
            said.assertions.clear();
            said.assertions.push(Assertion::Extreme {
                highest: is_best,
                since: None,
            });
            return;
        }
        let of_changes = self.speaks_of_changes();
        if let (Some(highest), Some(direction)) = (found, of_changes) {
            // `its biggest one-day drop`, `its best day`.
            let is_highest = highest == (direction == Direction::Up);
            found = Some(is_highest);
            said.measure = Some(Measure::StepChange);
            if said.assertions.iter().any(has_number) {
                self.extreme_change(is_highest, said);
                return;
            }
            said.assertions.clear();
        }
        let peaks = self
            .items
            .iter()
            .any(|item| matches!(relation(item), Some("peak" | "trough")));
        if peaks && found.is_none() && said.assertions.is_empty() {
            found = Some(said.over == Over::Highest);
        }
        let Some(highest) = found else { return };
        said.wants_extreme = true;
        said.is_figure = true;
        if said.measure == Some(Measure::RecordHigh) && said.assertions.is_empty() {
            said.measure = None;
        }
        let has_value = said
            .assertions
            .iter()
            .any(|one| matches!(one, Assertion::Value(_)));
        let is_record = matches!(said.measure, Some(Measure::RecordHigh | Measure::RecordLow));
        if has_value && !is_record {
            // The number is the highest; a day within the period is added if one is named.
            let times = self
                .items
                .iter()
                .filter(|item| matches!(item.what, What::Period(..)))
                .count();
            if times > 1 {
                let since = self.items.iter().any(|item| {
                    matches!(
                        item.what,
                        What::Period(Period::Past(..), _) | What::Period(_, period::Role::Since)
                    )
                });
                if since {
                    said.over = Over::Unsaid;
                }
                said.assertions.push(Assertion::Extreme {
                    highest,
                    since: None,
                });
            }
            return;
        }
        if has_value {
            return;
        }
        said.assertions
            .retain(|one| !matches!(one, Assertion::Change { size: None, .. }));
        said.over = Over::Unsaid;
        said.assertions.push(Assertion::Extreme {
            highest,
            since: None,
        });
    }

    /// `its biggest one-day drop of 2022 was 26 %`: how large the largest change in a time was. If it has its own day,
    /// the number belongs to something else: `tumbled 25 % on 2 February, its worst day of 2022`.
    fn extreme_change(&self, is_highest: bool, said: &mut Said) {
        let times: Vec<&Item> = self
            .items
            .iter()
            .filter(|item| matches!(item.what, What::Period(..)))
            .collect();
        let is_long = matches!(times[..], [one] if !matches!(one.what, What::Period(Period::In(span), _) if span.is_day()));
        let [one] = &mut said.assertions[..] else {
            said.unclear = Some("whether the figure is that of the record is not clear");
            return;
        };
        let of_size = match *one {
            Assertion::Change {
                size: Some(bound), ..
            }
            | Assertion::Value(bound) => Some(bound),
            _ => None,
        };
        // `its biggest drop of 2022 was 65 %` is unlikely to be about a day.
        let of_day = self
            .tokens
            .iter()
            .any(|token| token.is_any(&["day", "daily", "session"]));
        let is_other = self
            .tokens
            .iter()
            .any(|token| token.is_any(&["intraday", "peak-to-trough", "trough"]));
        if let Some(bound) = of_size.filter(|_| is_long && of_day && !is_other) {
            *one = Assertion::Change {
                direction: if is_highest {
                    Direction::Up
                } else {
                    Direction::Down
                },
                size: Some(bound),
            };
            if super::as_step(&mut said.assertions) {
                said.over = if is_highest {
                    Over::Highest
                } else {
                    Over::Lowest
                };
                said.is_figure = true;
                return;
            }
        }
        said.unclear = Some("whether the figure is that of the record is not clear");
    }

    /// `Tesla grew 5 %` is about its business, and does not say which part of it.
    pub(super) fn companies_that_grow(&self, said: &mut Said) {
        let is_named = matches!(self.parts.subjects.first(), Some(Subject::Named { .. }));
        // `added 3 %` is said of a price, `added 2,000` of its staff.
        let is_relative = self.items.iter().any(
            |item| matches!(item.what, What::Amount(amount) if items::is_relative(amount.unit)),
        );
        let grows = self.items.iter().any(|item| {
            if is_relative && self.tokens[item.first].is("added") {
                return false;
            }
            relation(item).and_then(direction).is_some()
                && self.tokens[item.first].is_any(&[
                    "grew",
                    "grow",
                    "grown",
                    "growth",
                    "expanded",
                    "expand",
                    "shrank",
                    "contracted",
                    "improved",
                    "raised",
                    "cut",
                    "added",
                    "lowered",
                ])
        });
        let says_price = self
            .items
            .iter()
            .any(|item| matches!(item.what, What::Word("price" | "change")));
        if is_named && grows && said.measure.is_none() && !says_price {
            said.unclear = Some("what of the company changed is not said");
        }
    }

    /// `its best month`, `the worst quarter`, `the biggest weekly drop`: which spans are compared, and whether the best
    /// is meant.
    fn best_of_spans(&self) -> Option<(SpanUnit, bool)> {
        self.items.iter().find_map(|item| {
            let highest = match relation(item)? {
                "highest" => true,
                "lowest" => false,
                _ => return None,
            };
            let word = &self.tokens[item.first];
            let behind = self.tokens.get(item.next..item.next + 2)?;
            let unit = behind.iter().find_map(|token| match token.lower.as_str() {
                "week" | "weekly" => Some(SpanUnit::Week),
                "month" | "monthly" => Some(SpanUnit::Month),
                "quarter" | "quarterly" => Some(SpanUnit::Quarter),
                _ => None,
            })?;
            let any = |words: &[&str]| behind.iter().any(|token| token.is_any(words));
            let falls = any(&[
                "drop", "fall", "decline", "loss", "plunge", "slump", "slide",
            ]);
            let rises = any(&[
                "gain", "rise", "jump", "increase", "advance", "rally", "surge", "return",
            ]);
            let is_plain = word.is_any(&["best", "worst", "strongest", "weakest"]);
            match (falls, rises) {
                (true, _) => Some((unit, !highest)),
                (_, true) => Some((unit, highest)),
                _ => is_plain.then_some((unit, highest)),
            }
        })
    }

    /// `its best year`, `the biggest weekly drop`.
    pub(super) fn speaks_of_long_changes(&self) -> bool {
        const LONG: [&str; 10] = [
            "week",
            "month",
            "year",
            "quarter",
            "weekly",
            "monthly",
            "yearly",
            "annual",
            "quarterly",
            "performer",
        ];
        self.items.iter().any(|item| {
            let superlative = matches!(relation(item), Some("highest" | "lowest"));
            superlative
                && self
                    .tokens
                    .iter()
                    .skip(item.next)
                    .take(2)
                    .take_while(|token| !token.is_any(&["of", "in", "on", "since"]))
                    .any(|token| token.is_any(&LONG))
        })
    }

    /// Whether the extreme is one among changes: `best day`, `biggest one-day drop`, `largest monthly gain`.
    pub(super) fn speaks_of_changes(&self) -> Option<Direction> {
        self.items.iter().find_map(|item| {
            let superlative = matches!(relation(item), Some("highest" | "lowest"));
            let after = self.tokens.iter().skip(item.next).take(4);
            let words: Vec<&Token<'_>> = after
                .take_while(|token| !token.is_any(&["on", "in", "since", "of", "was", "for"]))
                .collect();
            let any = |list: &[&str]| words.iter().any(|token| token.is_any(list));
            let is_day = words
                .last()
                .is_some_and(|last| last.is_any(&["day", "session"]));
            let falls = any(&[
                "drop", "fall", "decline", "loss", "plunge", "slump", "slide",
            ]);
            let rises = any(&[
                "gain", "rise", "jump", "increase", "advance", "rally", "surge", "return",
            ]);
            match (superlative, falls, rises || is_day) {
                (true, true, _) => Some(Direction::Down),
                (true, _, true) => Some(Direction::Up),
                _ => None,
            }
        })
    }

    /// Inverted, positive, negative.
    pub(super) fn signs(&self, said: &mut Said) {
        if said
            .assertions
            .iter()
            .any(|one| matches!(one, Assertion::Value(_)))
        {
            return;
        }
        let zero = Amount::exact(0.0, Unit::Bare);
        // The usual thresholds of the relative strength index.
        let extreme = self.items.iter().find_map(|item| match relation(item) {
            Some("overbought") => Some(Bound::Above(Amount::exact(70.0, Unit::Bare))),
            Some("oversold") => Some(Bound::Below(Amount::exact(30.0, Unit::Bare))),
            _ => None,
        });
        if let Some(bound) = extreme
            && said.measure.is_none_or(|measure| measure == Measure::Rsi)
        {
            said.measure = Some(Measure::Rsi);
            said.is_figure = true;
            said.assertions.push(Assertion::Value(bound));
            return;
        }
        let found = self.items.iter().find_map(|item| match relation(item) {
            Some("invert" | "negative") => Some(Bound::Below(zero)),
            Some("normal" | "positive") => Some(Bound::Above(zero)),
            _ => None,
        });
        let Some(bound) = found else { return };
        let inverts = self
            .items
            .iter()
            .any(|item| matches!(relation(item), Some("invert" | "normal")));
        let is_spread = matches!(self.parts.subjects.first(), Some(Subject::Series(code)) if code.starts_with("spread"));
        if inverts && !is_spread {
            said.unclear = Some("only a yield curve inverts");
        }
        let is_named = matches!(self.parts.subjects.first(), Some(Subject::Named { .. }));
        if !inverts && said.measure.is_none() && is_named {
            said.measure = Some(Measure::NetIncome);
        }
        said.is_figure = true;
        said.assertions
            .retain(|one| !matches!(one, Assertion::Change { size: None, .. }));
        // `closed below zero in April`: on at least one day, as with any other level.
        if self.says_session() && said.over == Over::Unsaid && !self.says_end() {
            said.over = Over::Any;
        }
        said.assertions.push(Assertion::Value(bound));
    }
}

/// Whether a number is given.
fn has_number(assertion: &Assertion) -> bool {
    matches!(
        assertion,
        Assertion::Value(_) | Assertion::Change { size: Some(_), .. } | Assertion::Multiple(_)
    )
}
