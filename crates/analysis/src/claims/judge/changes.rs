//! Changes: from one value to another, by how much, how many times, step by step.

use verify::figures::{Bound, Direction, Over, Unit};

use super::levels::at_point;
use super::{Answers, Ask, capital, subject};
use crate::claims::answer::{Answer, Gap, fitted};
use crate::claims::line::{Line, Point, Scale};
use crate::claims::moves::{Move, moves};
use crate::claims::window::title;
use crate::claims::wording;

/// How far something may move and still be called unchanged, in percent and in percentage points.
const FLAT_PCT: f64 = 0.5;
const FLAT_POINTS: f64 = 0.05;

impl Ask<'_> {
    /// A change, with or without its size.
    pub(super) fn change(&self, line: &Line, direction: Direction, size: Option<Bound>) -> Answers {
        if let Some(count) = self.claim.in_a_row {
            return vec![self.in_a_row(line, direction, count as usize)];
        }
        if self.claim.over == Over::Every && size.is_none() {
            return vec![self.streak(line, direction)];
        }
        let found = match moves(line, self.when(size.map(|size| size.amount().unit))) {
            Ok(found) => found,
            Err(gap) => return vec![Err(gap)],
        };
        let mut answers: Answers = Vec::new();
        for one in &found {
            let unit = size.map(|size| size.amount().unit);
            let sizes = one.sizes(line, unit);
            if sizes.is_empty() {
                answers.push(Err(unmeasured(line, one)));
            }
            for (place, measured) in sizes.into_iter().enumerate() {
                let signed = if direction == Direction::Down {
                    -measured
                } else {
                    measured
                };
                let holds = match (direction, size) {
                    (Direction::Flat, _) => {
                        let limit = if line.scale == Scale::Percent {
                            FLAT_POINTS
                        } else {
                            FLAT_PCT
                        };
                        measured.abs() <= limit + 1e-9
                    }
                    (_, Some(bound)) => {
                        let one_way = bound.amount().value < 0.0
                            || signed > 0.0
                            || bound.amount().value == 0.0;
                        let bound =
                            if matches!(bound, Bound::Below(_) | Bound::AtMost(_)) && !one_way {
                                return vec![Ok(moved(line, one, false))];
                            } else {
                                bound
                            };
                        bound.holds(signed)
                    }
                    (_, None) => signed > 1e-12,
                };
                let answer = moved(line, one, holds);
                answers.push(Ok(Answer {
                    bound: size,
                    is_usual: one.is_usual && place == 0,
                    ..answer
                }));
            }
        }
        // Inflation that `rose 3.2 %` is often its level: prices rose.
        if let (Some(bound), true) = (
            size,
            line.scale == Scale::Percent && line.reading.contains("year on year"),
        ) && bound.amount().unit == Unit::Percent
            && bound.is_equality()
            && direction == Direction::Up
        {
            answers.extend(self.value(line, bound));
        }
        answers
    }

    /// Up or down for this many steps in a row: up to a given day, or within a longer period.
    fn in_a_row(
        &self,
        line: &Line,
        direction: Direction,
        count: usize,
    ) -> std::result::Result<Answer, Gap> {
        let found = self.whole(line)?;
        let end = line.points.partition_point(|point| point.day <= found.last);
        let begin = line.points.partition_point(|point| point.day < found.first);
        let goes = |place: usize| {
            let Some(before) = place.checked_sub(1) else {
                return false;
            };
            let step = line.points[place].value - line.points[before].value;
            match direction {
                Direction::Up => step > 0.0,
                Direction::Down => step < 0.0,
                Direction::Flat => step == 0.0,
            }
        };
        // The longest run that ends within the period, and where it ends.
        let mut longest = (0_usize, begin);
        for last in begin..end {
            let run = (0..=last)
                .rev()
                .take_while(|place| goes(*place))
                .take(400)
                .count();
            if run > longest.0 {
                longest = (run, last);
            }
        }
        let (run, last) = longest;
        let Some(point) = line.points.get(last) else {
            return Err(Gap::absent("No value is on record."));
        };
        if run < count && run >= last {
            return Err(Gap::absent(format!(
                "{} is not held far enough back.",
                capital(&title(line))
            )));
        }
        let word = match direction {
            Direction::Up => "rose",
            Direction::Down => "fell",
            Direction::Flat => "was unchanged",
        };
        let sentence = if run == 0 {
            format!("{} {word} in no session of that time", subject(line))
        } else {
            format!(
                "The longest run in which {} {word} was {run} {} and ended {}",
                subject(line),
                if run == 1 { "session" } else { "sessions" },
                wording::point_day(line, point.day)
            )
        };
        let first = line.points[last.saturating_sub(run)];
        Ok(Answer::of(line, run >= count, sentence, &[first, *point]))
    }

    /// Up or down at every step.
    pub(super) fn streak(
        &self,
        line: &Line,
        direction: Direction,
    ) -> std::result::Result<Answer, Gap> {
        let found = self.whole(line)?;
        let Some(first) = found.points.first() else {
            return Err(Gap::absent("No value is on record."));
        };
        let before = line.before(first.day).copied();
        let points: Vec<Point> = before
            .into_iter()
            .chain(found.points.iter().copied())
            .collect();
        let miss = points.windows(2).find(|pair| {
            let step = pair[1].value - pair[0].value;
            !match direction {
                Direction::Up => step > 0.0,
                Direction::Down => step < 0.0,
                Direction::Flat => step == 0.0,
            }
        });
        let (holds, pair) = match miss {
            Some(pair) => (false, [pair[0], pair[1]]),
            None => (true, [points[0], points[points.len() - 1]]),
        };
        let one = Move {
            from: pair[0],
            to: pair[1],
            reading: "step by step",
            is_usual: true,
            power: 1,
            averaged: None,
        };
        Ok(moved(line, &one, holds))
    }

    pub(super) fn multiple(&self, line: &Line, bound: Bound) -> Answers {
        let found = match moves(line, self.when(Some(Unit::Percent))) {
            Ok(found) => found,
            Err(gap) => return vec![Err(gap)],
        };
        let of = |one: &Move| {
            let ratio = one.ratio().ok_or_else(|| unmeasured(line, one))?;
            Ok(Answer {
                bound: Some(bound),
                ..moved(line, one, bound.holds(ratio))
            })
        };
        found.iter().map(of).collect()
    }

    /// The value before the change.
    pub(super) fn from(&self, line: &Line, bound: Bound) -> Answers {
        let bound = match fitted(bound, line) {
            Ok(bound) => bound,
            Err(gap) => return vec![Err(gap)],
        };
        match moves(line, self.when(None)) {
            Ok(found) => found
                .iter()
                .map(|one| {
                    let answer = at_point(line, &one.from, bound, false);
                    Ok(Answer {
                        bound: Some(bound),
                        is_usual: one.is_usual,
                        ..answer
                    })
                })
                .collect(),
            Err(gap) => vec![Err(gap)],
        }
    }
}

/// States that a change has no size in the unit of the claim, and what the change was.
fn unmeasured(line: &Line, one: &Move) -> Gap {
    if one.percent().is_none() && line.scale != Scale::Percent {
        return Gap::absent(format!(
            "A percentage has no meaning {}. {}.",
            wording::BESIDE_ZERO,
            moved(line, one, false).sentence
        ));
    }
    Gap::absent(format!(
        "A change of {} cannot be measured in that unit.",
        title(line)
    ))
}

/// A change as a sentence, from the earlier value to the later one.
fn moved(line: &Line, one: &Move, holds: bool) -> Answer {
    let one = &one.in_order();
    let verb = match one.to.value.total_cmp(&one.from.value) {
        std::cmp::Ordering::Greater => "rose",
        std::cmp::Ordering::Less => "fell",
        std::cmp::Ordering::Equal => "stayed",
    };
    let (from, to) = (
        wording::value(line, one.from.value),
        wording::value(line, one.to.value),
    );
    let size = if line.scale == Scale::Percent {
        format!(
            "{} percentage points",
            wording::percent((one.to.value - one.from.value).abs())
        )
    } else {
        one.percent().map_or_else(
            || wording::value(line, (one.to.value - one.from.value).abs()),
            |percent| format!("{} %", wording::percent(percent.abs())),
        )
    };
    let [begin, end] = one.averaged.clone().unwrap_or_else(|| {
        [
            wording::point_day(line, one.from.day),
            wording::point_day(line, one.to.day),
        ]
    });
    let what = capital(&subject(line));
    let bare = |when: &str| -> String {
        let when = when.trim_start_matches("on ").trim_start_matches("in ");
        when.to_owned()
    };
    let sentence = match (verb, &one.averaged) {
        ("stayed", _) => format!(
            "{what} stayed at {to} from {} to {}",
            bare(&begin),
            bare(&end)
        ),
        (_, Some(_)) => {
            format!("{what} {verb} {size}, from an average of {from} {begin} to one of {to} {end}")
        }
        (_, None) => format!("{what} {verb} {size}, from {from} {begin} to {to} {end}"),
    };
    let answer = Answer::of(line, holds, sentence, &[one.from, one.to]);
    let reading = match (line.reading.is_empty(), one.reading.is_empty()) {
        (_, true) => answer.reading.clone(),
        (true, false) => one.reading.to_owned(),
        (false, false) => format!("{}, {}", answer.reading, one.reading),
    };
    Answer {
        reading,
        is_usual: one.is_usual,
        ..answer
    }
}
