//! Comparisons of two figures, or of their changes, over the same time.

use verify::figures::{Bound, Over, Unit};

use super::{Ask, capital, subject};
use crate::claims::answer::{Answer, Gap};
use crate::claims::finding::Reason;
use crate::claims::line::{Line, Point, Scale};
use crate::claims::moves::moves;
use crate::claims::window::{title, window};
use crate::claims::wording;

/// By how much one figure exceeds the other, in the unit of a bound: a multiple, percent of the other, or their
/// difference.
fn gap(line: &Line, (one, two): (f64, f64), greater: bool, by: &Bound) -> f64 {
    let more = if greater { one - two } else { two - one };
    match by.amount().unit {
        Unit::Times if greater => one / two,
        Unit::Times => two / one,
        Unit::BasisPoints if line.scale == Scale::Percent => more * 100.0,
        Unit::Percent | Unit::Fraction if line.scale != Scale::Percent => more / two * 100.0,
        _ => more,
    }
}

impl Ask<'_> {
    /// Two figures at the same time.
    pub(super) fn versus(
        &self,
        line: &Line,
        other: &Line,
        greater: bool,
        by: Option<Bound>,
    ) -> std::result::Result<Answer, Gap> {
        let found = window(line, &self.claim.period, self.today)?;
        let second = window(other, &self.claim.period, self.today)?;
        let is_multiple = by.is_some_and(|by| by.amount().unit == Unit::Times);
        let compared: Vec<(Point, Point)> = found
            .points
            .iter()
            .filter_map(|point| {
                let place = second
                    .points
                    .binary_search_by_key(&point.day, |one| one.day)
                    .ok()?;
                Some((*point, second.points[place]))
            })
            // Nothing is a multiple of a value that is not positive.
            .filter(|(one, two)| !is_multiple || one.value > 0.0 && two.value > 0.0)
            .collect();
        let holds = |(one, two): &(Point, Point)| match by {
            Some(bound) => bound.holds(gap(line, (one.value, two.value), greater, &bound)),
            None if greater => one.value > two.value,
            None => one.value < two.value,
        };
        let Some(last) = compared.last() else {
            return Err(Gap::absent(format!(
                "{} and {} are not held for the same time.",
                capital(&title(line)),
                title(other)
            )));
        };
        let count = compared.iter().filter(|pair| holds(pair)).count();
        let (verdict, shown) = match self.claim.over {
            _ if found.is_one && self.claim.over != Over::Reached => (holds(last), *last),
            Over::End => (holds(last), *last),
            Over::Reached => return self.crossed(line, other, greater),
            Over::Any => (
                count > 0,
                compared
                    .iter()
                    .find(|pair| holds(pair))
                    .copied()
                    .unwrap_or(*last),
            ),
            Over::Every => (
                count == compared.len(),
                compared
                    .iter()
                    .find(|pair| !holds(pair))
                    .copied()
                    .unwrap_or(*last),
            ),
            _ if count == compared.len() || count == 0 => (count > 0, *last),
            _ => {
                return Err(Gap::new(
                    Reason::Conflicting,
                    format!(
                        "{} was above {} on some days of that time and below on others.",
                        capital(&title(line)),
                        title(other)
                    ),
                ));
            }
        };
        let sentence = format!(
            "{} was {} {} and {} was {}",
            capital(&title(line)),
            wording::value(line, shown.0.value),
            wording::point_day(line, shown.0.day),
            title(other),
            wording::value(other, shown.1.value)
        );
        Ok(Answer {
            bound: by,
            ..Answer::of(line, verdict, sentence, &[shown.0, shown.1])
        })
    }

    /// Whether one figure moved to the given side of the other within the period, having been on the other side
    /// before.
    fn crossed(&self, line: &Line, other: &Line, above: bool) -> std::result::Result<Answer, Gap> {
        let found = self.whole(line)?;
        let gaps = line.join(other, |one, two| one - two);
        let holds = |value: f64| if above { value > 0.0 } else { value < 0.0 };
        let crossing = gaps.windows(2).find(|pair| {
            (found.first..=found.last).contains(&pair[1].day)
                && holds(pair[1].value)
                && !holds(pair[0].value)
        });
        let within = |point: &&Point| (found.first..=found.last).contains(&point.day);
        let last = gaps.iter().rev().find(within).ok_or_else(|| {
            Gap::absent(format!(
                "{} and {} are not held for the same time.",
                capital(&title(line)),
                title(other)
            ))
        })?;
        let side = if above { "above" } else { "below" };
        let sentence = match crossing {
            Some(pair) => format!(
                "{} crossed {side} {} {}",
                capital(&title(line)),
                title(other),
                wording::point_day(line, pair[1].day)
            ),
            None => format!(
                "{} did not cross {side} {} in that time",
                capital(&title(line)),
                title(other)
            ),
        };
        let shown = crossing.map_or(*last, |pair| pair[1]);
        Ok(Answer::of(line, crossing.is_some(), sentence, &[shown]))
    }

    /// The changes in two figures over the same period.
    pub(super) fn versus_changes(
        &self,
        line: &Line,
        other: &Line,
        greater: bool,
        by: Option<Bound>,
    ) -> std::result::Result<Answer, Gap> {
        let first = moves(line, self.when(Some(Unit::Percent)))?;
        let second = moves(other, self.when(Some(Unit::Percent)))?;
        let (Some(one), Some(two)) = (first.first(), second.first()) else {
            return Err(Gap::absent("No change is held."));
        };
        let (Some(mine), Some(theirs)) = (one.percent(), two.percent()) else {
            return Err(Gap::absent(format!(
                "A percentage has no meaning {}.",
                wording::BESIDE_ZERO
            )));
        };
        let gap = if greater {
            mine - theirs
        } else {
            theirs - mine
        };
        let holds = by.map_or(gap > 0.0, |bound| bound.holds(gap));
        let times = match &one.averaged {
            Some([before, after]) => format!("from the average {before} to that {after}"),
            None => format!(
                "from {} to {}",
                wording::day(one.from.day),
                wording::day(one.to.day)
            ),
        };
        let sentence = format!(
            "{} changed by {} % and {} by {} % {times}",
            capital(&subject(line)),
            wording::percent(mine),
            subject(other),
            wording::percent(theirs)
        );
        let answer = Answer::of(line, holds, sentence, &[one.from, one.to]);
        Ok(Answer {
            bound: by,
            reading: format!("{}, {}", answer.reading, one.reading),
            ..answer
        })
    }
}
