//! Claims without a time, which are about every value on record: `hit 120,000`, `has never been above 4,000`. One
//! value that reaches the number shows that it was reached. Only a history that goes back far enough shows that it
//! never was.

use jiff::civil::{Date, date};
use model::{AssetType, Day};
use verify::figures::{Bound, Measure, Over, PriceField};

use super::levels::{Range, at_point, closes_only, holds_at, reaches};
use super::{Ask, capital};
use crate::claims::answer::{Answer, Gap};
use crate::claims::gaps::first_missing;
use crate::claims::line::{Line, Point, Published};
use crate::claims::window::title;
use crate::claims::wording;

/// A history on record from this day or earlier covers the highs that more recent history has not passed: for coins
/// those of January 2018, for prices those of March 2000, for statistics those of about 1980.
const COINS_FROM: Date = date(2018, 1, 1);
const PRICES_FROM: Date = date(2000, 1, 10);
const STATISTICS_FROM: Date = date(1975, 1, 1);

impl Ask<'_> {
    /// Whether a figure ever stood in the claimed relation to a number.
    pub(super) fn ever(&self, line: &Line, bound: Bound) -> std::result::Result<Answer, Gap> {
        match self.claim.over {
            Over::Highest => self.ever_extreme(line, bound, true),
            Over::Lowest => self.ever_extreme(line, bound, false),
            Over::Every => always(line, bound),
            _ => self.ever_reached(line, bound),
        }
    }

    /// Whether prices within the day count, if they are on record.
    fn is_within_day(&self) -> bool {
        self.claim.measure != Some(Measure::Price(PriceField::Close))
    }

    fn ever_reached(&self, line: &Line, bound: Bound) -> std::result::Result<Answer, Gap> {
        let within_day = self.is_within_day();
        let passes = self.claim.over == Over::Reached;
        let hit = (0..line.points.len()).find(|place| {
            let (point, before) = (
                &line.points[*place],
                place.checked_sub(1).map(|before| &line.points[before]),
            );
            if passes {
                passed_at(point, before, &bound, within_day)
            } else {
                holds_at(point, &bound, within_day)
            }
        });
        match hit {
            Some(place) => Ok(first_at(line, place, bound, within_day)),
            None => self.never(line, bound, within_day),
        }
    }

    /// No value on record reaches the number: an answer if no other value can have reached it.
    fn never(
        &self,
        line: &Line,
        bound: Bound,
        within_day: bool,
    ) -> std::result::Result<Answer, Gap> {
        let (Some(range), Some((first, last))) = (Range::of(&line.points, within_day), line.held())
        else {
            return Err(Gap::absent(format!(
                "No value of {} is on record.",
                title(line)
            )));
        };
        // A level below every value on record may have been reached before them.
        let lies_above = bound.amount().value > range.top.1;
        if !lies_above || !goes_back(line) || line.is_stale(last, self.today) {
            return Err(Gap::absent(format!(
                "{} lay between {} and {} in all that is held, from {} to {}; at another time it may have been otherwise.",
                capital(&title(line)),
                wording::value(line, range.bottom.1),
                wording::value(line, range.top.1),
                wording::day(first),
                wording::day(last)
            )));
        }
        if let Some(gap) = missing(line).or_else(|| closes_only(line, &bound, &range, within_day)) {
            return Err(gap);
        }
        let when = format!("from {} to {}", wording::day(first), wording::day(last));
        Ok(range.answer(line, false, &when))
    }

    /// The highest or lowest of all values on record. A record refutes a lower one; a peak may be one of several.
    fn ever_extreme(
        &self,
        line: &Line,
        bound: Bound,
        highest: bool,
    ) -> std::result::Result<Answer, Gap> {
        let within_day = self.is_within_day();
        let (Some(range), Some((first, _))) = (Range::of(&line.points, within_day), line.held())
        else {
            return Err(Gap::absent(format!(
                "No value of {} is on record.",
                title(line)
            )));
        };
        let (point, edge) = if highest { range.top } else { range.bottom };
        let amount = bound.amount().value;
        let is_record = matches!(
            self.claim.measure,
            Some(Measure::RecordHigh | Measure::RecordLow)
        );
        let goes_beyond = if highest {
            edge > amount
        } else {
            edge < amount
        };
        let holds = bound.holds(edge);
        let is_told = holds || goes_beyond && is_record;
        if !is_told {
            return if highest && !goes_beyond {
                self.never(line, bound, within_day)
            } else {
                Err(Gap::absent(format!(
                    "Which high or low of {} is meant is not said.",
                    line.name
                )))
            };
        }
        let sentence = format!(
            "The {} value of {} held since {} was {} {}",
            if highest { "highest" } else { "lowest" },
            line.name,
            wording::day(first),
            wording::value(line, edge),
            wording::point_day(line, point.day)
        );
        let shown = Point::of(point.day, edge);
        Ok(Answer::of(line, holds, sentence, &[shown]))
    }
}

/// Whether a number was passed on a day, or between that day and the previous value. A price that fell below a number
/// was above it before.
fn passed_at(point: &Point, before: Option<&Point>, bound: &Bound, within_day: bool) -> bool {
    let falls = matches!(
        bound,
        Bound::Below(_) | Bound::AtMost(_) | Bound::JustBelow(_)
    );
    if falls && before.is_none_or(|before| bound.holds(before.value)) {
        return false;
    }
    let (low, high) = if within_day {
        (point.low, point.high)
    } else {
        (point.value, point.value)
    };
    let prior = before.map_or(low, |before| before.value);
    match bound {
        Bound::Equal(_) | Bound::About(_) | Bound::Between(..) | Bound::Word { .. } => {
            reaches(bound, low.min(prior), high.max(prior))
        }
        _ => reaches(bound, low, high),
    }
}

/// The first value that shows it, and since when values are on record.
fn first_at(line: &Line, place: usize, bound: Bound, within_day: bool) -> Answer {
    let answer = at_point(line, &line.points[place], bound, within_day);
    let since = wording::day(line.points[0].day);
    let sentence = if place == 0 {
        answer.sentence
    } else {
        format!(
            "{}, the first time among the values held since {since}",
            answer.sentence
        )
    };
    Answer {
        holds: true,
        sentence,
        ..answer
    }
}

/// Whether a line goes back far enough to say that there was never a higher value.
fn goes_back(line: &Line) -> bool {
    let is_coin = match &line.published {
        Published::AtClose(kind) => *kind == AssetType::Crypto,
        Published::AsSeries(series) => matches!(series.id.kind(), "crypto" | "cap"),
        Published::At(_) => false,
    };
    let from = match (is_coin, line.is_price) {
        (true, _) => COINS_FROM,
        (false, true) => PRICES_FROM,
        (false, false) => STATISTICS_FROM,
    };
    line.held()
        .is_some_and(|(first, _)| first <= Day::from_date(from))
}

/// A missing session might decide it.
fn missing(line: &Line) -> Option<Gap> {
    let (first, last) = line.held()?;
    first_missing(line, first, last).map(|day| {
        Gap::absent(format!(
            "{} is not held for every session ({} is missing), so the values that are held do not decide it.",
            capital(&title(line)),
            wording::day(day)
        ))
    })
}

/// `Was always above 1,000`: one value refutes it, and no history shows that it was.
fn always(line: &Line, bound: Bound) -> std::result::Result<Answer, Gap> {
    let miss = line
        .points
        .iter()
        .find(|point| !bound.holds(point.value))
        .map(|point| at_point(line, point, bound, false));
    miss.ok_or_else(|| {
        Gap::absent(format!(
            "Every value of {} that is held agrees; those before are not known.",
            title(line)
        ))
    })
}
