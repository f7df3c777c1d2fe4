//! Extremes: the highest and lowest since a time, and when they were.

use model::Day;
use verify::figures::Span;

use super::{Ask, capital};
use crate::claims::answer::{Answer, Gap};
use crate::claims::gaps::first_missing;
use crate::claims::line::Line;
use crate::claims::window::{title, window};
use crate::claims::wording;

impl Ask<'_> {
    /// The highest or lowest since a time, or of all that is held.
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
            return Err(Gap::absent("No value is held."));
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
                "No earlier value of {} is held.",
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

    /// When the highest or lowest of the period was.
    pub(super) fn extreme_on(
        &self,
        line: &Line,
        highest: bool,
        on: &Span,
    ) -> std::result::Result<Answer, Gap> {
        let found = window(line, &self.claim.period, self.today)?;
        if !found.is_whole {
            return Err(Gap::absent(format!(
                "{} is not held for the whole time of the claim.",
                capital(&title(line))
            )));
        }
        let sign = if highest { 1.0 } else { -1.0 };
        let best = found
            .points
            .iter()
            .max_by(|a, b| (a.value * sign).total_cmp(&(b.value * sign)));
        let Some(best) = best else {
            return Err(Gap::absent("No value is held."));
        };
        let holds = found.points.iter().any(|point| {
            point.value == best.value && point.day >= on.first && point.day <= on.last
        });
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
