//! Extremes: the highest and lowest since a given time, and when they occurred.

use model::Day;
use verify::figures::{Measure, PriceField, Span, SpanUnit};

use super::{Ask, capital};
use crate::claims::answer::{Answer, Gap};
use crate::claims::gaps::first_missing;
use crate::claims::line::{Line, Point};
use crate::claims::window::{title, window};
use crate::claims::wording;

impl Ask<'_> {
    /// The highest or lowest since a given time, or of all values on record.
    pub(super) fn extreme(
        &self,
        line: &Line,
        highest: bool,
        since: Option<&Span>,
    ) -> std::result::Result<Answer, Gap> {
        let found = window(line, &self.claim.period, self.today)?;
        let sign = if highest { 1.0 } else { -1.0 };
        let best = found
            .points
            .iter()
            .max_by(|a, b| (a.value * sign).total_cmp(&(b.value * sign)));
        let (Some(best), Some(first)) = (best, found.points.first()) else {
            return Err(Gap::absent("No value is on record."));
        };
        let from = since.map_or(Day::MIN, |span| span.last.plus(1));
        let earlier = line.within(from, first.day.plus(-1));
        let worse = earlier
            .iter()
            .rev()
            .find(|point| point.value * sign > best.value * sign + 1e-12);
        let word = if highest { "highest" } else { "lowest" };
        if let Some(point) = worse {
            let sentence = format!(
                "{} was {} {}, but {} {}",
                capital(&title(line)),
                wording::value(line, best.value),
                wording::point_day(line, best.day),
                wording::value(line, point.value),
                wording::point_day(line, point.day)
            );
            return Ok(Answer::of(line, false, sentence, &[*point, *best]));
        }
        let (begin, _) = line.held().unwrap_or((first.day, first.day));
        if let Some(span) = since
            && begin > span.last.plus(line.step_days())
        {
            return Err(Gap::absent(format!(
                "{} is held only from {} on.",
                capital(&title(line)),
                wording::day(begin)
            )));
        }
        if since.is_none() && earlier.is_empty() {
            return Err(Gap::absent(format!(
                "No earlier value of {} is on record.",
                title(line)
            )));
        }
        let start = since.map_or_else(
            || format!("of the values held since {}", wording::day(begin)),
            |span| {
                format!(
                    "since {}",
                    wording::span(span)
                        .trim_start_matches("in ")
                        .trim_start_matches("on ")
                )
            },
        );
        let sentence = format!(
            "{} was {} {}, the {word} {start}",
            capital(&title(line)),
            wording::value(line, best.value),
            wording::point_day(line, best.day)
        );
        Ok(Answer::of(line, true, sentence, &[*best]))
    }

    /// Which week, month or quarter in the period was the best or worst.
    pub(super) fn best_span(
        &self,
        line: &Line,
        best: bool,
        unit: SpanUnit,
        on: &Span,
    ) -> std::result::Result<Answer, Gap> {
        let found = self.whole(line)?;
        if !line.is_price || found.points.iter().any(|point| point.value <= 0.0) {
            return Err(Gap::absent(format!(
                "{} is no price, so its best time is not looked for.",
                capital(&title(line))
            )));
        }
        let next = |first: Day| match unit {
            SpanUnit::Week => first.plus(7),
            SpanUnit::Quarter => first.months_before(-3),
            _ => first.months_before(-1),
        };
        let mut first = match unit {
            SpanUnit::Week => found.first.monday(),
            SpanUnit::Quarter => found
                .first
                .months_before((i32::from(found.first.date().month()) - 1) % 3)
                .first_of_month(),
            _ => found.first.first_of_month(),
        };
        let mut changes: Vec<(Day, Day, f64, [Point; 2])> = Vec::new();
        while first <= found.last && changes.len() < 600 {
            let after = next(first);
            if let (Some(from), Some(to)) = (
                line.before(first),
                line.within(first, after.plus(-1)).last(),
            ) {
                changes.push((
                    first,
                    after.plus(-1),
                    to.value / from.value - 1.0,
                    [*from, *to],
                ));
            }
            first = after;
        }
        let sign = if best { 1.0 } else { -1.0 };
        let of = changes
            .iter()
            .max_by(|one, other| (one.2 * sign).total_cmp(&(other.2 * sign)));
        let Some((first, last, change, points)) = of else {
            return Err(Gap::absent("No value is on record."));
        };
        let is_within =
            |inner: (Day, Day), outer: (Day, Day)| inner.0 >= outer.0 && inner.1 <= outer.1;
        let (span, claimed) = ((*first, *last), (on.first, on.last));
        let holds = is_within(claimed, span) || is_within(span, claimed);
        // A week that is named by a day without a year may start on a different weekday.
        if !holds && unit == SpanUnit::Week && on.is_assumed {
            return Err(Gap::absent("Which week is meant is open."));
        }
        let named = match unit {
            SpanUnit::Week => "week",
            SpanUnit::Quarter => "quarter",
            _ => "month",
        };
        let sentence = format!(
            "The {} {named} of {} {} was {}, with {:+.2} %",
            if best { "best" } else { "worst" },
            title(line),
            self.when_words(&found),
            wording::span(&Span::new(*first, *last, unit))
                .trim_start_matches("in ")
                .trim_start_matches("on "),
            change * 100.0
        );
        Ok(Answer::of(line, holds, sentence, &points[..]))
    }

    /// When the highest or lowest in the period occurred.
    pub(super) fn extreme_on(
        &self,
        line: &Line,
        highest: bool,
        on: &Span,
    ) -> std::result::Result<Answer, Gap> {
        let found = self.whole(line)?;
        let sign = if highest { 1.0 } else { -1.0 };
        let best = found
            .points
            .iter()
            .max_by(|a, b| (a.value * sign).total_cmp(&(b.value * sign)));
        let Some(best) = best else {
            return Err(Gap::absent("No value is on record."));
        };
        let holds = found.points.iter().any(|point| {
            point.value == best.value && point.day >= on.first && point.day <= on.last
        });
        let is_intraday = matches!(
            self.claim.measure,
            Some(Measure::Price(
                PriceField::High | PriceField::Low | PriceField::Traded
            ))
        );
        if !holds && is_intraday && found.points.iter().all(|point| point.low >= point.high) {
            return Err(Gap::absent(format!(
                "Only closes of {} are on record; prices within the day may lie beyond.",
                line.name
            )));
        }
        if !holds && let Some(day) = first_missing(line, on.first, on.last) {
            return Err(Gap::absent(format!(
                "{} of {} is not held, and it may be the value that is meant.",
                capital(&title(line)),
                wording::day(day)
            )));
        }
        let word = if highest { "highest" } else { "lowest" };
        let sentence = format!(
            "The {word} {} {} was {} {}",
            title(line),
            self.when_words(&found),
            wording::value(line, best.value),
            wording::point_day(line, best.day)
        );
        Ok(Answer::of(line, holds, sentence, &[*best]))
    }
}
