//! The two values between which a change is measured: one move for each ordinary reading, the usual one first.

use model::{Day, Frequency};
use verify::figures::{Basis, Over, Period, Span, SpanUnit, Unit};

use super::answer::Gap;
use super::judge::capital;
use super::line::{Line, Point, Scale};
use super::window::{back, fresh, title, window};
use super::wording;

/// From one value to another.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub(super) from: Point,
    pub(super) to: Point,
    /// How it is read, such as `year on year`; empty if nothing else is possible.
    pub(super) reading: &'static str,
    pub(super) is_usual: bool,
    /// The power to which the ratio is raised: 4 for annualised quarterly rates.
    pub(super) power: i32,
    /// The periods over which the two values are averages, in words; `None` if they are values on their own days.
    pub(super) averaged: Option<[String; 2]>,
}

impl Move {
    fn new(from: Point, to: Point, reading: &'static str, is_usual: bool) -> Self {
        Self {
            from,
            to,
            reading,
            is_usual,
            power: 1,
            averaged: None,
        }
    }

    /// From the average of the values in one period to the average in another.
    fn of_means(
        (before, first): (&[Point], &Span),
        (after, last): (&[Point], &Span),
        reading: &'static str,
        is_usual: bool,
    ) -> Option<Self> {
        Some(Self {
            averaged: Some([wording::span(first), wording::span(last)]),
            ..Self::new(mean_point(before)?, mean_point(after)?, reading, is_usual)
        })
    }

    /// The same from the earlier value to the later one, as it is reported.
    pub(super) fn in_order(&self) -> Self {
        if self.from.day <= self.to.day {
            return self.clone();
        }
        Self {
            from: self.to,
            to: self.from,
            averaged: self.averaged.clone().map(|[one, other]| [other, one]),
            ..self.clone()
        }
    }

    /// The relative change in percent; `None` if it has none.
    pub(super) fn percent(&self) -> Option<f64> {
        let ratio = self.ratio()?;
        Some((ratio.powi(self.power) - 1.0) * 100.0)
    }

    /// How many times the first value the second is; `None` if the first is not above zero or the second is below it.
    pub(super) fn ratio(&self) -> Option<f64> {
        let ratio = self.to.value / self.from.value;
        let is_one = self.from.value > 0.0 && self.to.value >= 0.0;
        (is_one && ratio.is_finite()).then_some(ratio)
    }

    /// The change as measured in a unit: several values if a percentage may mean points or a fraction.
    pub(super) fn sizes(&self, line: &Line, unit: Option<Unit>) -> Vec<f64> {
        let difference = self.to.value - self.from.value;
        let relative = || self.percent().into_iter().collect::<Vec<f64>>();
        if line.scale == Scale::Percent {
            return match unit {
                Some(Unit::BasisPoints) => vec![difference * 100.0],
                Some(Unit::Fraction | Unit::Times) => relative(),
                Some(Unit::Percent) => std::iter::once(difference).chain(self.percent()).collect(),
                _ => vec![difference],
            };
        }
        match unit {
            None if self.ratio().is_some() => relative(),
            Some(Unit::Percent | Unit::Fraction | Unit::Times) => relative(),
            Some(Unit::Points) => Vec::new(),
            Some(Unit::BasisPoints) => relative().into_iter().map(|one| one * 100.0).collect(),
            _ => vec![difference],
        }
    }
}

/// When something is measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct When<'a> {
    pub(super) period: &'a Period,
    pub(super) base: Option<&'a Span>,
    pub(super) base_over: Over,
    pub(super) basis: Option<Basis>,
    pub(super) today: Day,
    /// Whether the claim gives a size, so that both usual bases of an index are possible.
    pub(super) has_size: bool,
    /// Whether that size is a fraction of the figure rather than an amount.
    pub(super) is_relative: bool,
    /// Whether the last values of periods are meant.
    pub(super) is_end: bool,
}

/// The moves that a claim may mean.
pub(super) fn moves(line: &Line, when: When<'_>) -> std::result::Result<Vec<Move>, Gap> {
    match when.period {
        Period::Between(first, last) => between(line, first, last, when),
        Period::Since(span) => {
            let newest = *fresh(line, when.today)?;
            let starts = starts(line, span)?;
            Ok(starts
                .into_iter()
                .map(|(from, reading)| Move::new(from, newest, reading, true))
                .collect())
        }
        Period::Past(count, length) => {
            let newest = *fresh(line, when.today)?;
            let from = if *length == verify::figures::Length::Sessions {
                let place = line.points.len().checked_sub(*count as usize + 1);
                place.map(|place| line.points[place])
            } else {
                let day = back(newest.day, *count, *length);
                line.before(day.plus(1))
                    .filter(|point| day.since(point.day) <= line.step_days())
                    .copied()
            };
            let from = from.ok_or_else(|| short(line))?;
            Ok(vec![Move::new(from, newest, "", true)])
        }
        _ if when.base.is_some() => based(line, when),
        Period::Unsaid | Period::Latest => {
            let newest = *fresh(line, when.today)?;
            stepped(line, newest, when)
        }
        Period::In(span) => {
            let found = window(line, when.period, when.today)?;
            let Some(last) = found.points.last() else {
                return Err(short(line));
            };
            if found.is_one {
                return stepped(line, *last, when);
            }
            if !found.has_end {
                return Err(short(line));
            }
            over_period(line, found.points, span)
        }
    }
}

fn short(line: &Line) -> Gap {
    let held = line.held().map_or_else(
        || format!("No value of {} is on record.", title(line)),
        |(first, last)| {
            format!(
                "{} is held from {} to {}, which does not cover the time of the claim.",
                capital(&title(line)),
                wording::day(first),
                wording::day(last)
            )
        },
    );
    Gap::absent(held)
}

/// States that the value before a given day, from which a change is measured, is missing.
fn no_base(line: &Line, day: Day) -> Gap {
    line.before(day).map_or_else(
        || short(line),
        |before| {
            Gap::absent(format!(
                "The {} before {} is missing; the last one held before it is {} {}.",
                title(line),
                wording::day(day),
                wording::value(line, before.value),
                wording::point_day(line, before.day)
            ))
        },
    )
}

/// The last value before a given day, unless it is too old to be the previous one.
fn just_before(line: &Line, day: Day) -> Option<Point> {
    line.before(day)
        .filter(|point| {
            day.since(point.day)
                <= line.step_days()
                    + if line.frequency == Frequency::Daily {
                        0
                    } else {
                        3
                    }
        })
        .copied()
}

/// One value against the previous one, or against the one from a year earlier.
fn stepped(line: &Line, to: Point, when: When<'_>) -> std::result::Result<Vec<Move>, Gap> {
    let step = just_before(line, to.day);
    let year = {
        let day = to.day.months_before(12);
        line.points
            .binary_search_by_key(&day, |point| point.day)
            .ok()
            .map(|place| line.points[place])
    };
    let names = match line.frequency {
        Frequency::Daily => "against the close before",
        Frequency::Weekly => "week on week",
        Frequency::Monthly => "month on month",
        Frequency::Quarterly => "quarter on quarter",
        Frequency::Annual => "year on year",
    };
    let is_report = line.reading.starts_with("fiscal quarter");
    let is_daily = matches!(line.frequency, Frequency::Daily | Frequency::Weekly);
    let by_step = step.map(|from| Move::new(from, to, names, !is_report));
    let by_year = year.map(|from| {
        Move::new(
            from,
            to,
            "year on year",
            is_report
                || when.has_size
                    && when.is_relative
                    && !line.is_price
                    && line.scale != Scale::Percent,
        )
    });
    // `added 506,000 jobs in June`: in that month alone.
    let is_absolute_monthly = when.has_size
        && !when.is_relative
        && line.frequency == Frequency::Monthly
        && line.scale != Scale::Percent;
    let by_year = by_year.filter(|_| !is_absolute_monthly || when.basis.is_some());
    let found: Vec<Move> = match when.basis {
        Some(Basis::YearOnYear) => by_year
            .map(|one| Move {
                is_usual: true,
                ..one
            })
            .into_iter()
            .collect(),
        Some(Basis::MonthOnMonth) if line.frequency == Frequency::Monthly => {
            by_step.into_iter().collect()
        }
        Some(Basis::QuarterOnQuarter) if line.frequency == Frequency::Quarterly => {
            by_step.into_iter().collect()
        }
        Some(Basis::Annualised) => {
            let power = if line.frequency == Frequency::Quarterly {
                4
            } else {
                12
            };
            by_step
                .map(|one| Move {
                    power,
                    reading: "annualised",
                    ..one
                })
                .into_iter()
                .collect()
        }
        Some(_) => Vec::new(),
        None if is_daily => by_step.into_iter().collect(),
        None => {
            let annual = (line.frequency == Frequency::Quarterly && when.has_size && !is_report)
                .then(|| by_step.clone())
                .flatten()
                .map(|one| Move {
                    power: 4,
                    reading: "annualised",
                    ..one
                });
            by_step.into_iter().chain(by_year).chain(annual).collect()
        }
    };
    if found.is_empty() && step.is_none() && when.basis != Some(Basis::YearOnYear) {
        Err(no_base(line, to.day))
    } else if found.is_empty() {
        Err(short(line))
    } else {
        Ok(found)
    }
}

/// A period with several values.
fn over_period(line: &Line, points: &[Point], span: &Span) -> std::result::Result<Vec<Move>, Gap> {
    let Some(end) = points.last() else {
        return Err(short(line));
    };
    let first = span.first;
    let mut found = Vec::new();
    let coarse = !matches!(line.frequency, Frequency::Daily | Frequency::Weekly);
    if let Some(from) = just_before(line, first) {
        let reading = if coarse {
            "last value against the last of the period before"
        } else {
            "close to close"
        };
        found.push(Move::new(from, *end, reading, !line.is_flow || !coarse));
    }
    if coarse && !line.is_price {
        let before: Vec<Point> = previous_period(line, first, points.len());
        if before.len() == points.len() {
            let begin = before.first().map_or(first, |point| point.day);
            let earlier = Span::new(begin, first.plus(-1), span.unit);
            found.extend(Move::of_means(
                (&before, &earlier),
                (points, span),
                "average against the average of the period before",
                line.is_flow || line.scale != Scale::Percent,
            ));
        }
    }
    if found.is_empty() {
        Err(no_base(line, first))
    } else {
        Ok(found)
    }
}

fn previous_period(line: &Line, first: Day, count: usize) -> Vec<Point> {
    let to = line.points.partition_point(|point| point.day < first);
    let from = to.saturating_sub(count);
    let points = line.points.get(from..to).unwrap_or_default();
    let step = match line.frequency {
        Frequency::Quarterly => 92,
        Frequency::Annual => 366,
        _ => 31,
    };
    let near = points
        .first()
        .is_some_and(|point| first.since(point.day) <= step * count as i32 + 10);
    if near { points.to_vec() } else { Vec::new() }
}

fn mean_point(points: &[Point]) -> Option<Point> {
    let last = points.last()?;
    let mean = points.iter().map(|point| point.value).sum::<f64>() / points.len() as f64;
    Some(Point::of(last.day, mean))
}

/// Where a move that begins with a span starts: for a single day, with that day's value; for a longer span, with the
/// value before it or at its end.
fn starts(line: &Line, span: &Span) -> std::result::Result<Vec<(Point, &'static str)>, Gap> {
    if span.is_day() {
        let point = line
            .before(span.first.plus(1))
            .filter(|point| span.first.since(point.day) <= line.step_days());
        return point
            .map(|point| vec![(*point, "close to close")])
            .ok_or_else(|| short(line));
    }
    let inside = line.within(span.first, span.last);
    if inside.len() == 1 && line.frequency != Frequency::Daily {
        return Ok(vec![(inside[0], "")]);
    }
    let before =
        just_before(line, span.first).map(|point| (point, "from the end of the period before"));
    let at_end = inside
        .last()
        .map(|point| (*point, "from the end of the first period"));
    let found: Vec<_> = before.into_iter().chain(at_end).collect();
    if found.is_empty() {
        Err(short(line))
    } else {
        Ok(found)
    }
}

fn between(
    line: &Line,
    first: &Span,
    last: &Span,
    when: When<'_>,
) -> std::result::Result<Vec<Move>, Gap> {
    let end = window(line, &Period::In(*last), when.today).or_else(|gap| {
        // The end may be a day without a session.
        let point = line
            .before(last.last.plus(1))
            .filter(|point| last.is_day() && last.last.since(point.day) <= 4);
        let place = point.and_then(|point| {
            line.points
                .binary_search_by_key(&point.day, |one| one.day)
                .ok()
        });
        let covered = line
            .points
            .last()
            .is_some_and(|newest| newest.day >= last.last);
        match place.filter(|_| covered) {
            Some(place) => Ok(super::window::Window {
                points: &line.points[place..=place],
                is_one: true,
                is_whole: true,
                has_end: true,
                first: last.first,
                last: last.last,
            }),
            None => Err(gap),
        }
    })?;
    let Some(to) = end.points.last().filter(|_| end.has_end) else {
        return Err(short(line));
    };
    let starts = starts(line, first)?;
    Ok(starts
        .into_iter()
        .map(|(from, reading)| Move::new(from, *to, reading, true))
        .collect())
}

/// Against a period that the claim names.
fn based(line: &Line, when: When<'_>) -> std::result::Result<Vec<Move>, Gap> {
    let Some(base) = when.base else {
        return Err(short(line));
    };
    let main = window(line, when.period, when.today)?;
    let before = window(line, &Period::In(*base), when.today)?;
    let (Some(to), Some(from)) = (main.points.last(), before.points.last()) else {
        return Err(short(line));
    };
    if !main.has_end || !before.has_end {
        return Err(short(line));
    }
    if matches!(when.base_over, Over::Highest | Over::Lowest) {
        return Ok(from_extreme(
            before.points,
            *to,
            when.base_over == Over::Highest,
        ));
    }
    let mut found = Vec::new();
    if main.is_one && before.is_one {
        found.push(Move::new(*from, *to, "", true));
    } else {
        if main.is_whole && before.is_whole && !when.is_end {
            let now = match when.period {
                Period::In(span) => *span,
                _ => Span::new(main.first, main.last, SpanUnit::Stretch),
            };
            found.extend(Move::of_means(
                (before.points, base),
                (main.points, &now),
                "average of each period",
                true,
            ));
        }
        if !line.is_flow || when.is_end {
            // For statistics, the average of a year is compared; for prices, its end.
            found.push(Move::new(
                *from,
                *to,
                "end of each period",
                line.is_price || when.is_end,
            ));
        }
    }
    if found.is_empty() {
        Err(short(line))
    } else {
        Ok(found)
    }
}

/// From the highest or lowest close in a period, or the highest or lowest price within its days.
fn from_extreme(points: &[Point], to: Point, is_highest: bool) -> Vec<Move> {
    let outer = |key: fn(&Point) -> f64| {
        let order = |left: &&Point, right: &&Point| key(left).total_cmp(&key(right));
        let point = if is_highest {
            points.iter().max_by(order)
        } else {
            points.iter().min_by(order)
        }?;
        Some(Point::of(point.day, key(point)))
    };
    let reading = if is_highest {
        ["from the highest close", "from the highest price"]
    } else {
        ["from the lowest close", "from the lowest price"]
    };
    let by_close = outer(|point| point.value);
    let by_price = outer(if is_highest {
        |point| point.high
    } else {
        |point| point.low
    });
    let by_price = by_price
        .filter(|price| by_close.is_none_or(|close| (close.value - price.value).abs() > 1e-12));
    by_close
        .map(|from| Move::new(from, to, reading[0], true))
        .into_iter()
        .chain(by_price.map(|from| Move::new(from, to, reading[1], true)))
        .collect()
}
