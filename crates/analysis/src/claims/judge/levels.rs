//! Levels: the figure at a given time against a number.

use verify::figures::{Bound, Measure, Over, Period, PriceField, Undated, Unit};

use super::{Answers, Ask, capital};
use crate::claims::answer::{Answer, Gap, fitted};
use crate::claims::finding::Reason;
use crate::claims::gaps::first_missing;
use crate::claims::line::{Line, Point};
use crate::claims::window::{Window, title, window};
use crate::claims::wording;

impl Ask<'_> {
    /// The figure against a number.
    pub(super) fn value(&self, line: &Line, bound: Bound) -> Answers {
        let bound = match fitted(bound, line) {
            Ok(bound) => bound,
            Err(gap) => return vec![Err(gap)],
        };
        let mut answers = self.compared(line, bound);
        // A bare number may be written in the unit that the source uses: `159,000 thousand persons`.
        if line.raw != 1.0 && bound.amount().unit == Unit::Bare && bound.is_equality() {
            let in_raw = bound.map(|amount| amount.times(line.raw));
            answers.extend(self.compared(line, in_raw).into_iter().map(|answer| {
                answer.map(|answer| Answer {
                    is_usual: false,
                    ..answer
                })
            }));
        }
        for answer in answers.iter_mut().flatten() {
            answer.bound = Some(bound);
        }
        answers
    }

    /// The figure for the claim's period against a number in its unit.
    fn compared(&self, line: &Line, bound: Bound) -> Answers {
        if self.claim.undated == Undated::Ever {
            return vec![self.ever(line, bound)];
        }
        match window(line, &self.claim.period, self.today) {
            Ok(found) => self.value_in(line, &found, bound),
            Err(gap) => vec![Err(gap)],
        }
    }

    pub(super) fn value_in(&self, line: &Line, found: &Window<'_>, bound: Bound) -> Answers {
        let traded = self.field() == PriceField::Traded;
        let over = self.claim.over;
        if found.is_one {
            let Some(point) = found.points.last() else {
                return vec![Err(Gap::absent("No value is on record."))];
            };
            if let Some(gap) = self.beyond_close(line, point, &bound) {
                return vec![Err(gap)];
            }
            let mut answers = vec![Ok(at_point(line, point, bound, traded))];
            // `reached 65,000`, `fell to 125`: a price within the day, if the claim named only its close or nothing.
            if !traded
                && bound.is_equality()
                && self.claim.measure.is_none()
                && point.low < point.high
            {
                let answer = at_point(line, point, bound, true);
                answers.push(Ok(Answer {
                    is_usual: false,
                    ..answer
                }));
            }
            return answers;
        }
        let (Some(first), Some(last)) = (found.points.first(), found.points.last()) else {
            return vec![Err(Gap::absent(format!(
                "No value of {} is held for that time.",
                title(line)
            )))];
        };
        let when = self.when_words(found);
        let is_close = self.field() == PriceField::Close && self.claim.measure.is_some();
        let range = Range::of(found.points, !is_close);
        let shown = Range::of(found.points, traded);
        let (Some(range), Some(shown)) = (range, shown) else {
            return vec![Err(Gap::absent("No value is on record."))];
        };
        // A missing session might decide it.
        let missing = || {
            first_missing(line, found.first, found.last).map(|day| {
                Gap::absent(format!(
                    "{} is not held for every session of that time ({} is missing), so the values that are held do not decide it.",
                    capital(&title(line)),
                    wording::day(day)
                ))
            })
        };
        let partial = || {
            Gap::absent(format!(
                "{} is held from {} to {}, which is not the whole time of the claim.",
                capital(&title(line)),
                wording::day(line.points.first().map_or(first.day, |point| point.day)),
                wording::day(line.points.last().map_or(last.day, |point| point.day))
            ))
        };
        match over {
            Over::End => {
                if !found.has_end {
                    return vec![Err(partial())];
                }
                vec![Ok(at_point(line, last, bound, false))]
            }
            Over::Start => {
                let mut answers = vec![Ok(at_point(line, first, bound, false))];
                if let Some(before) = line.before(first.day) {
                    let answer = at_point(line, before, bound, false);
                    answers.push(Ok(Answer {
                        is_usual: false,
                        ..answer
                    }));
                }
                answers
            }
            Over::Mean => {
                if !found.is_whole {
                    return vec![Err(partial())];
                }
                let mean = found.points.iter().map(|point| point.value).sum::<f64>()
                    / found.points.len() as f64;
                let sentence = format!(
                    "{} averaged {} {when}",
                    capital(&title(line)),
                    wording::value(line, mean)
                );
                let point = Point::of(last.day, mean);
                vec![Ok(Answer {
                    reading: format!("mean of {} values, {}", found.points.len(), line.reading),
                    ..Answer::of(line, bound.holds(mean), sentence, &[point])
                })]
            }
            Over::Highest | Over::Lowest => {
                if !found.is_whole {
                    return vec![Err(partial())];
                }
                let is_high = over == Over::Highest;
                let word = if is_high { "highest" } else { "lowest" };
                let by_value = |point: &&Point| if is_high { point.value } else { -point.value };
                let closing = found
                    .points
                    .iter()
                    .max_by(|a, b| by_value(a).total_cmp(&by_value(b)));
                let (intraday, edge) = if is_high { range.top } else { range.bottom };
                let mut answers = Vec::new();
                if let Some(point) = closing {
                    let sentence = format!(
                        "The {word} {} {when} was {} {}",
                        title(line),
                        wording::value(line, point.value),
                        wording::point_day(line, point.day)
                    );
                    answers.push(Ok(Answer::of(
                        line,
                        bound.holds(point.value),
                        sentence,
                        &[*point],
                    )));
                }
                if intraday.high > intraday.low {
                    let point = Point::of(intraday.day, edge);
                    let sentence = format!(
                        "The {word} price of {} {when} was {} {}",
                        line.name,
                        wording::value(line, edge),
                        wording::point_day(line, intraday.day)
                    );
                    let answer = Answer::of(line, bound.holds(edge), sentence, &[point]);
                    let said_close = self.claim.measure == Some(Measure::Price(PriceField::Close));
                    answers.push(Ok(Answer {
                        reading: line.read_as("price within the day"),
                        is_usual: !said_close,
                        ..answer
                    }));
                }
                let is_intraday = matches!(
                    self.claim.measure,
                    Some(Measure::Price(
                        PriceField::High | PriceField::Low | PriceField::Traded
                    ))
                );
                if is_intraday
                    && intraday.high <= intraday.low
                    && let Some(gap) =
                        closing.and_then(|point| self.beyond_close(line, point, &bound))
                {
                    return vec![Err(gap)];
                }
                // The values on record refute a lower high; a missing session may have had a higher one.
                let amount = bound.amount().value;
                let is_beyond = if is_high {
                    amount > edge
                } else {
                    amount < edge
                };
                let none_holds = answers.iter().flatten().all(|answer| !answer.holds);
                if is_beyond
                    && none_holds
                    && let Some(gap) = missing()
                {
                    return vec![Err(gap)];
                }
                answers
            }
            Over::Any => {
                let holds = |point: &&Point| holds_at(point, &bound, traded);
                let hit = found.points.iter().find(holds);
                match hit {
                    Some(point) => vec![Ok(at_point(line, point, bound, traded))],
                    None if !found.is_whole => vec![Err(partial())],
                    None => match missing().or_else(|| closes_only(line, &bound, &shown, traded)) {
                        Some(gap) => vec![Err(gap)],
                        None => vec![Ok(shown.answer(line, false, &when))],
                    },
                }
            }
            Over::Every => {
                let miss = found
                    .points
                    .iter()
                    .find(|point| !holds_at(point, &bound, traded));
                match miss {
                    Some(point) => vec![Ok(at_point(line, point, bound, traded))],
                    None if !found.is_whole => vec![Err(partial())],
                    None => match missing() {
                        Some(gap) => vec![Err(gap)],
                        None => vec![Ok(shown.answer(line, true, &when))],
                    },
                }
            }
            Over::Reached => {
                let (floor, ceiling) = (range.bottom.1, range.top.1);
                let prior = line.before(first.day).map_or(floor, |point| point.value);
                let holds = reaches(&bound, floor.min(prior), ceiling.max(prior))
                    && reaches(&bound, floor.min(prior), ceiling);
                if !holds && !found.is_whole {
                    return vec![Err(partial())];
                }
                let gap = || missing().or_else(|| closes_only(line, &bound, &range, true));
                if !holds && let Some(gap) = gap() {
                    return vec![Err(gap)];
                }
                let until = if found.has_end {
                    String::new()
                } else {
                    format!(", as far as it is held, to {}", wording::day(last.day))
                };
                vec![Ok(range.answer(line, holds, &format!("{when}{until}")))]
            }
            Over::Unsaid => self.unsaid(line, found, bound, &range, &when),
        }
    }

    /// A number in a period, if the claim does not say which value counts.
    pub(super) fn unsaid(
        &self,
        line: &Line,
        found: &Window<'_>,
        bound: Bound,
        range_of: &Range<'_>,
        when: &str,
    ) -> Answers {
        let partial = || {
            Gap::absent(format!(
                "{} is not held for the whole time of the claim.",
                capital(&title(line))
            ))
        };
        let Some(closes) = Range::of(found.points, false) else {
            return vec![Err(partial())];
        };
        let (bottom, top) = (closes.bottom.1, closes.top.1);
        let range = |holds| closes.answer(line, holds, when);
        if bound.is_equality() {
            let Some(last) = found.points.last() else {
                return vec![Err(partial())];
            };
            let mean = found.points.iter().map(|point| point.value).sum::<f64>()
                / found.points.len() as f64;
            let mut answers: Answers = Vec::new();
            let closes = self.claim.measure == Some(Measure::Price(PriceField::Close));
            let hit = found
                .points
                .iter()
                .find(|point| closes && bound.holds(point.value));
            if let Some(point) = hit {
                // `closed at 82.69 in March`: on any one day.
                answers.push(Ok(at_point(line, point, bound, false)));
            } else if found.is_whole && bound.holds(mean) {
                let sentence = format!(
                    "{} averaged {} {when}",
                    capital(&title(line)),
                    wording::value(line, mean)
                );
                let answer = Answer::of(line, true, sentence, &[Point::of(last.day, mean)]);
                answers.push(Ok(Answer {
                    reading: line.read_as("mean of the period"),
                    ..answer
                }));
            } else if found.has_end && bound.holds(last.value) {
                answers.push(Ok(at_point(line, last, bound, false)));
            } else if !reaches(&bound, range_of.bottom.1, range_of.top.1) {
                let gap = first_missing(line, found.first, found.last).map(|_| partial());
                answers.push(match gap {
                    None if found.is_whole => Ok(range(false)),
                    gap => Err(gap.unwrap_or_else(partial)),
                });
            } else {
                answers.push(Err(Gap::new(
                    Reason::Conflicting,
                    format!(
                        "{} lay between {} and {} {when}; which of its values is meant is open.",
                        capital(&title(line)),
                        wording::value(line, bottom),
                        wording::value(line, top)
                    ),
                )));
            }
            return answers;
        }
        let holds = found
            .points
            .iter()
            .filter(|point| bound.holds(point.value))
            .count();
        if holds == found.points.len() && found.is_whole {
            vec![Ok(range(true))]
        } else if holds == 0 && found.is_whole {
            vec![Ok(range(false))]
        } else if holds == 0 || holds == found.points.len() {
            vec![Err(partial())]
        } else {
            let sentence = format!(
                "{} lay between {} and {} {when}, so on some days the claim holds and on others it does not.",
                capital(&title(line)),
                wording::value(line, bottom),
                wording::value(line, top)
            );
            vec![Err(Gap::new(Reason::Conflicting, sentence))]
        }
    }

    /// A price within the day when only closes are on record: whether it went beyond the close is not decided.
    fn beyond_close(&self, line: &Line, point: &Point, bound: &Bound) -> Option<Gap> {
        let amount = bound.amount().value;
        // On a day with a large move, the prices within the day are far apart.
        let move_of_day = line
            .before(point.day)
            .map_or(0.0, |before| (point.value - before.value).abs());
        let reach = (WITHIN_DAY * point.value.abs()).max(2.0 * move_of_day);
        let is_beyond = match self.claim.measure? {
            Measure::Price(PriceField::High) => amount > point.value,
            Measure::Price(PriceField::Low) => amount < point.value,
            Measure::Price(PriceField::Traded) => {
                reaches(bound, point.value - reach, point.value + reach)
            }
            _ => false,
        };
        let is_open = is_beyond && line.is_price && !bound.holds(point.value);
        (is_open && !line.is_within_day()).then(|| {
            Gap::absent(format!(
                "Only closes of {} are on record, {} {}; prices within the day may lie beyond.",
                line.name,
                wording::value(line, point.value),
                wording::point_day(line, point.day)
            ))
        })
    }

    pub(super) fn when_words(&self, found: &Window<'_>) -> String {
        match &self.claim.period {
            Period::In(span) => wording::span(span),
            _ => format!(
                "from {} to {}",
                wording::day(found.first),
                wording::day(found.last)
            ),
        }
    }
}

/// The lowest and the highest of several values, each with its point.
pub(super) struct Range<'a> {
    pub(super) bottom: (&'a Point, f64),
    pub(super) top: (&'a Point, f64),
}

impl<'a> Range<'a> {
    /// From the prices within the days, or from the values alone.
    pub(super) fn of(points: &'a [Point], is_within_day: bool) -> Option<Self> {
        let low = |point: &Point| {
            if is_within_day {
                point.low
            } else {
                point.value
            }
        };
        let high = |point: &Point| {
            if is_within_day {
                point.high
            } else {
                point.value
            }
        };
        let bottom = points.iter().min_by(|a, b| low(a).total_cmp(&low(b)))?;
        let top = points.iter().max_by(|a, b| high(a).total_cmp(&high(b)))?;
        Some(Self {
            bottom: (bottom, low(bottom)),
            top: (top, high(top)),
        })
    }

    /// A high is described as a price within the day and not as its close.
    pub(super) fn answer(&self, line: &Line, holds: bool, when: &str) -> Answer {
        let [(bottom, low), (top, high)] = [self.bottom, self.top];
        let is_within_day = low < bottom.value || high > top.value;
        let what = if is_within_day {
            format!("The price of {} within the day", line.name)
        } else {
            capital(&title(line))
        };
        let sentence = format!(
            "{what} lay between {} ({}) and {} ({}) {when}",
            wording::value(line, low),
            wording::point_day(line, bottom.day).trim_start_matches("on "),
            wording::value(line, high),
            wording::point_day(line, top.day).trim_start_matches("on ")
        );
        let mut used = [Point::of(bottom.day, low), Point::of(top.day, high)];
        used.sort_by_key(|point| point.day);
        let answer = Answer::of(line, holds, sentence, &used);
        if is_within_day {
            Answer {
                reading: line.read_as("prices within the day"),
                ..answer
            }
        } else {
            answer
        }
    }
}

/// How far a price may go beyond its closes within a day without being surprising, as a fraction of it.
const WITHIN_DAY: f64 = 0.02;

/// If only closes are on record, a price within the day may have passed a number that is just beyond them.
pub(super) fn closes_only(
    line: &Line,
    bound: &Bound,
    range: &Range<'_>,
    traded: bool,
) -> Option<Gap> {
    let has_days = line.is_within_day();
    let (low, high) = (range.bottom.1, range.top.1);
    let may = reaches(
        bound,
        low - WITHIN_DAY * low.abs(),
        high + WITHIN_DAY * high.abs(),
    );
    (traded && line.is_price && !has_days && may).then(|| {
        Gap::absent(format!(
            "Only closes of {} are held, from {} to {}; prices within a day may have passed the number.",
            line.name,
            wording::value(line, low),
            wording::value(line, high)
        ))
    })
}

/// Whether a number is between the lowest and highest price, within its tolerance.
pub(super) fn reaches(bound: &Bound, low: f64, high: f64) -> bool {
    match bound {
        Bound::Equal(amount) | Bound::About(amount) => {
            let tolerance = amount.tolerance(matches!(bound, Bound::About(_)));
            low <= amount.value + tolerance && high >= amount.value - tolerance
        }
        Bound::Above(_) | Bound::AtLeast(_) | Bound::JustAbove(_) => bound.holds(high),
        Bound::Below(_) | Bound::AtMost(_) | Bound::JustBelow(_) => bound.holds(low),
        Bound::Between(from, to) => low <= to.value && high >= from.value,
        Bound::Word { from, to, .. } => low <= *to && high >= *from,
    }
}

pub(super) fn holds_at(point: &Point, bound: &Bound, traded: bool) -> bool {
    if traded {
        reaches(bound, point.low, point.high)
    } else {
        bound.holds(point.value)
    }
}

pub(super) fn at_point(line: &Line, point: &Point, bound: Bound, traded: bool) -> Answer {
    let holds = holds_at(point, &bound, traded);
    let day = wording::point_day(line, point.day);
    if traded && point.low < point.high {
        let sentence = format!(
            "{} traded between {} and {} {day} and closed at {}",
            line.name,
            wording::value(line, point.low),
            wording::value(line, point.high),
            wording::value(line, point.value)
        );
        let answer = Answer::of(line, holds, sentence, &[*point]);
        return Answer {
            reading: line.read_as("prices within the day"),
            ..answer
        };
    }
    let sentence = match line.measure.as_str() {
        "close" => format!(
            "{} closed at {} {day}",
            line.name,
            wording::value(line, point.value)
        ),
        "" => format!(
            "{} was {} {day}",
            capital(&line.name),
            wording::value(line, point.value)
        ),
        measure => format!(
            "The {measure} of {} was {} {day}",
            line.name,
            wording::value(line, point.value)
        ),
    };
    Answer::of(line, holds, sentence, &[*point])
}
