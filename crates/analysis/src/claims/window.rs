//! The points on a line that a claim's period means.

use model::{Day, Frequency};
use verify::figures::{Length, Period, Span, SpanUnit};

use super::answer::Gap;
use super::finding::Reason;
use super::line::{Line, Point};
use super::wording;

/// The points in a period.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window<'a> {
    pub(super) points: &'a [Point],
    /// Whether the period is a single value of the line: a day on a daily line, a month on a monthly one.
    pub(super) is_one: bool,
    /// Whether the line covers all of it.
    pub(super) is_whole: bool,
    /// Whether the line has the period's last value.
    pub(super) has_end: bool,
    /// First and last day.
    pub(super) first: Day,
    pub(super) last: Day,
}

/// The points in a period; an error says what is missing.
pub(super) fn window<'a>(
    line: &'a Line,
    period: &Period,
    today: Day,
) -> std::result::Result<Window<'a>, Gap> {
    match period {
        Period::Unsaid | Period::Latest => {
            let newest = fresh(line, today)?;
            Ok(one(std::slice::from_ref(newest)))
        }
        Period::In(span) => within(line, span, today),
        Period::Between(first, last) => {
            let joined = Span::new(first.first, last.last, SpanUnit::Stretch);
            within(line, &joined, today)
        }
        Period::Since(span) => {
            // A value too old to say anything about now still shows what has happened since.
            let newest = line.points.last().ok_or_else(|| nothing(line))?;
            let last = if line.is_stale(newest.day, today) {
                today
            } else {
                newest.day
            };
            Ok(stretch(line, span.first, last))
        }
        Period::Past(count, length) => {
            let newest = fresh(line, today)?;
            if *length == Length::Sessions {
                let from = line.points.len().saturating_sub(*count as usize);
                return Ok(Window {
                    is_one: false,
                    is_whole: line.points.len() > *count as usize,
                    ..one(&line.points[from..])
                });
            }
            let first = back(newest.day, *count, *length).plus(1);
            Ok(stretch(line, first, newest.day))
        }
    }
}

/// The day this many units before another.
pub(super) fn back(day: Day, count: u32, length: Length) -> Day {
    let count = i32::try_from(count).unwrap_or(i32::MAX);
    match length {
        Length::Days | Length::Sessions => day.plus(count.saturating_neg()),
        Length::Weeks => day.plus(count.saturating_mul(-7)),
        Length::Months => day.months_before(count),
        Length::Quarters => day.months_before(count.saturating_mul(3)),
        Length::Years => day.months_before(count.saturating_mul(12)),
    }
}

fn one(points: &[Point]) -> Window<'_> {
    Window {
        points,
        is_one: true,
        is_whole: true,
        has_end: true,
        first: points.first().map_or(Day::MIN, |point| point.day),
        last: points.last().map_or(Day::MIN, |point| point.day),
    }
}

/// The newest point, unless it is too old to say anything about now.
pub(super) fn fresh(line: &Line, today: Day) -> std::result::Result<&Point, Gap> {
    let Some(newest) = line.points.last() else {
        return Err(nothing(line));
    };
    if line.is_stale(newest.day, today) {
        let sentence = format!(
            "The newest {} on record is {} {}, which is too old to say anything about the present.",
            title(line),
            wording::value(line, newest.value),
            wording::point_day(line, newest.day)
        );
        return Err(Gap {
            newest: Some(line.covers(newest.day)),
            ..Gap::new(Reason::Stale, sentence)
        });
    }
    Ok(newest)
}

/// What a line is about, in words.
pub(super) fn title(line: &Line) -> String {
    if line.measure.is_empty() {
        line.name.clone()
    } else {
        format!("{} of {}", line.measure, line.name)
    }
}

fn nothing(line: &Line) -> Gap {
    Gap::absent(format!("No value of {} is on record.", title(line)))
}

fn stretch(line: &Line, first: Day, last: Day) -> Window<'_> {
    let points = line.within(first, last);
    let step = line.step_days();
    let has_start = line
        .points
        .first()
        .is_some_and(|point| point.day <= first.plus(step));
    let newest = line.points.last().map(|point| point.day);
    let reaches = newest.is_some_and(|newest| line.covers(newest) >= last.plus(-step));
    Window {
        points,
        is_one: false,
        is_whole: has_start && reaches,
        has_end: reaches,
        first,
        last,
    }
}

fn within<'a>(line: &'a Line, span: &Span, today: Day) -> std::result::Result<Window<'a>, Gap> {
    let Some((first, last)) = line.held() else {
        return Err(nothing(line));
    };
    let held = format!(
        "{} is held from {} to {}",
        title(line),
        wording::day(first),
        wording::day(last)
    );
    if matches!(
        span.unit,
        SpanUnit::FiscalYear(_) | SpanUnit::FiscalQuarter(..)
    ) {
        return Err(Gap::absent(format!(
            "{held}; fiscal years are those of reports."
        )));
    }
    if span.first > today {
        return Err(Gap::absent(format!(
            "{held}; the claim is about a later time."
        )));
    }
    let points = line.within(span.first, span.last);
    let unit = span.unit;
    let fits = match line.frequency {
        Frequency::Daily => true,
        Frequency::Weekly => unit != SpanUnit::Day || points.len() == 1,
        Frequency::Monthly => !matches!(unit, SpanUnit::Day | SpanUnit::Week),
        Frequency::Quarterly => !matches!(unit, SpanUnit::Day | SpanUnit::Week | SpanUnit::Month),
        Frequency::Annual => matches!(unit, SpanUnit::Year | SpanUnit::Stretch),
    };
    if !fits {
        return Err(Gap::absent(format!(
            "{held} with {} values only.",
            line.frequency.as_str()
        )));
    }
    if points.is_empty() {
        let is_inside = span.first >= first && span.last <= line.covers(last);
        let why = match span.unit {
            _ if !is_inside => "that does not cover the time of the claim",
            SpanUnit::Day => "there is no value of that day",
            SpanUnit::Week => "the value of that week is missing",
            SpanUnit::Month => "the value of that month is missing",
            SpanUnit::Quarter => "the value of that quarter is missing",
            SpanUnit::Year => "the value of that year is missing",
            _ => "the values of that time are missing",
        };
        return Err(Gap::absent(format!(
            "{held}; {why} ({}).",
            wording::span(span).trim_start_matches("on ")
        )));
    }
    let natural = matches!(
        (line.frequency, span.unit),
        (Frequency::Daily, SpanUnit::Day)
            | (Frequency::Weekly, SpanUnit::Week | SpanUnit::Day)
            | (Frequency::Monthly, SpanUnit::Month)
            | (Frequency::Quarterly, SpanUnit::Quarter)
            | (Frequency::Annual, SpanUnit::Year)
    );
    if natural && points.len() == 1 {
        return Ok(one(points));
    }
    Ok(stretch(line, span.first, span.last))
}
