//! `Fell to 95 in March`, `rose to 60,000 in 2021`: a price that was passed on the way, wherever the period ended.

use model::Frequency;
use verify::figures::{Assertion, Bound, Direction, Over, Period};

use super::levels::Range;
use super::{Answers, Ask, capital};
use crate::claims::answer::{Answer, Gap, fitted};
use crate::claims::gaps::first_missing;
use crate::claims::line::{Line, Point};
use crate::claims::window::{title, window};
use crate::claims::wording;

impl Ask<'_> {
    /// The direction and the number, if the claim says that a price went to it within a longer period.
    pub(super) fn passing(&self, line: &Line) -> Option<(Direction, Bound)> {
        let is_long = matches!(self.claim.period, Period::In(span) if !span.is_day());
        let is_quoted = line.is_price && line.frequency == Frequency::Daily;
        if !is_long || !is_quoted || self.claim.over != Over::Unsaid || self.claim.measure.is_some()
        {
            return None;
        }
        let [one, other] = &self.claim.assertions[..] else {
            return None;
        };
        match (one, other) {
            (
                Assertion::Value(bound @ (Bound::Equal(_) | Bound::About(_))),
                Assertion::Change {
                    direction: direction @ (Direction::Up | Direction::Down),
                    size: None,
                },
            )
            | (
                Assertion::Change {
                    direction: direction @ (Direction::Up | Direction::Down),
                    size: None,
                },
                Assertion::Value(bound @ (Bound::Equal(_) | Bound::About(_))),
            ) => Some((*direction, *bound)),
            _ => None,
        }
    }

    /// Whether a price went down or up to a number: first on its other side, then at it.
    pub(super) fn passed(&self, line: &Line, direction: Direction, bound: Bound) -> Answers {
        let found = fitted(bound, line)
            .and_then(|bound| Ok((bound, window(line, &self.claim.period, self.today)?)));
        let (bound, found) = match found {
            Ok(found) => found,
            Err(gap) => return vec![Err(gap)],
        };
        let Some(first) = found.points.first() else {
            return vec![Err(Gap::absent("No value is on record."))];
        };
        let is_down = direction == Direction::Down;
        let amount = bound.amount();
        let reach = amount.tolerance(matches!(bound, Bound::About(_)));
        // A fall is a rise in the negative: from above the level down to it.
        let sign = if is_down { 1.0 } else { -1.0 };
        let mark = sign * amount.value + reach + 1e-9;
        let (far, near) = (
            |point: &Point| sign * if is_down { point.high } else { point.low },
            |point: &Point| sign * if is_down { point.low } else { point.high },
        );
        let mut was_beyond = line
            .before(first.day)
            .is_some_and(|point| sign * point.value > mark);
        let hit = found.points.iter().find(|point| {
            let holds = was_beyond && near(point) <= mark;
            was_beyond |= far(point) > mark;
            holds
        });
        let answer = match hit {
            Some(point) => {
                let edge = sign * near(point);
                let (verb, what) = if is_down {
                    ("fell", "low")
                } else {
                    ("rose", "high")
                };
                let is_close = (edge - point.value).abs() < 1e-12;
                let sentence = format!(
                    "{} {verb} to {} {}",
                    line.name,
                    wording::value(line, edge),
                    wording::point_day(line, point.day)
                );
                let answer = Answer::of(
                    line,
                    true,
                    capital(&sentence),
                    &[Point::of(point.day, edge)],
                );
                Answer {
                    reading: if is_close {
                        answer.reading.clone()
                    } else {
                        line.read_as(&format!("{what} of the day"))
                    },
                    ..answer
                }
            }
            None if !found.is_whole || first_missing(line, found.first, found.last).is_some() => {
                return vec![Err(Gap::absent(format!(
                    "{} is not held for every session of that time.",
                    capital(&title(line))
                )))];
            }
            None => match Range::of(found.points, true) {
                Some(range) => range.answer(line, false, &self.when_words(&found)),
                None => return vec![Err(Gap::absent("No value is on record."))],
            },
        };
        vec![Ok(Answer {
            bound: Some(bound),
            ..answer
        })]
    }
}
