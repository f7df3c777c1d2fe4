//! Sentiment day by day, and the days on which it shifted.
//!
//! Days are UTC. A day without a brief has no sentiment and no row; nothing is filled in.

use std::collections::BTreeMap;

use model::{Score, Timestamp};

use crate::Day;

/// One brief's reading for a ticker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SentimentReading<'a> {
    /// When it was published.
    pub published_at: Timestamp,
    /// Its sentiment towards the ticker; 0.5 is neutral.
    pub sentiment: Score,
    /// Its confidence.
    pub confidence: Score,
    /// Its headline.
    pub headline: &'a str,
}

/// The readings of one day.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct SentimentDay {
    pub day: Day,
    pub avg_sentiment: f64,
    pub min_sentiment: f64,
    pub max_sentiment: f64,
    pub brief_count: usize,
    pub avg_confidence: f64,
}

/// Whether readings rose or fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// More positive than before.
    Positive,
    /// More negative than before.
    Negative,
}

impl Direction {
    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Positive => "positive",
            Self::Negative => "negative",
        }
    }
}

/// A day on which the mean differed from that of the previous day with briefs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct SentimentSignal<'a> {
    pub day: Day,
    /// `to − from`.
    pub sentiment_shift: f64,
    pub from: f64,
    pub to: f64,
    pub direction: Direction,
    pub brief_count: usize,
    /// The brief of the day that lies farthest from `from` in the direction of the shift; the earliest, if several
    /// are equal.
    pub trigger_headline: &'a str,
}

/// The readings of the `days` × 24 hours before `now`, by day, oldest first.
pub fn history(readings: &[SentimentReading<'_>], now: Timestamp, days: u16) -> Vec<SentimentDay> {
    by_day(readings, now, days)
        .into_iter()
        .map(|(day, readings)| summarise(day, &readings))
        .collect()
}

/// The days on which the mean moved by at least `threshold`, oldest first.
///
/// Worked example: means of 0.50, 0.55 and 0.90 on three days with a threshold of 0.3 give one signal, which is the
/// third day, +0.35.
pub fn signals<'a>(
    readings: &[SentimentReading<'a>],
    now: Timestamp,
    days: u16,
    threshold: f64,
) -> Vec<SentimentSignal<'a>> {
    let days: Vec<_> = by_day(readings, now, days).into_iter().collect();
    let means: Vec<_> = days
        .iter()
        .map(|(day, readings)| summarise(*day, readings))
        .collect();
    let pairs = means.windows(2).zip(&days[days.len().min(1)..]);
    pairs
        .filter_map(|(pair, (day, readings))| {
            let (from, to) = (pair[0].avg_sentiment, pair[1].avg_sentiment);
            let shift = to - from;
            // The mean of decimal scores may miss a threshold of 0.3 by its last bit; that is no reason not to report
            // it.
            if shift == 0.0 || shift.abs() < threshold - 1e-12 {
                return None;
            }
            let along =
                |reading: &SentimentReading<'_>| (reading.sentiment.get() - from) * shift.signum();
            let trigger = readings.iter().copied().reduce(|best, other| {
                if along(other) > along(best) {
                    other
                } else {
                    best
                }
            })?;
            Some(SentimentSignal {
                day: *day,
                sentiment_shift: shift,
                from,
                to,
                direction: if shift > 0.0 {
                    Direction::Positive
                } else {
                    Direction::Negative
                },
                brief_count: readings.len(),
                trigger_headline: trigger.headline,
            })
        })
        .collect()
}

/// The readings of a window by UTC day, each day's in order of publication.
fn by_day<'o, 'a>(
    readings: &'o [SentimentReading<'a>],
    now: Timestamp,
    days: u16,
) -> BTreeMap<Day, Vec<&'o SentimentReading<'a>>> {
    let start = now.plus_ms(-i64::from(days) * Timestamp::DAY_MS);
    let mut found: BTreeMap<Day, Vec<&SentimentReading<'_>>> = BTreeMap::new();
    for reading in readings {
        let day = i32::try_from(reading.published_at.day())
            .ok()
            .and_then(Day::new);
        if let Some(day) = day
            && reading.published_at > start
            && reading.published_at <= now
        {
            found.entry(day).or_default().push(reading);
        }
    }
    for readings in found.values_mut() {
        readings.sort_by_key(|reading| reading.published_at);
    }
    found
}

fn summarise(day: Day, readings: &[&SentimentReading<'_>]) -> SentimentDay {
    let sentiments = || readings.iter().map(|reading| reading.sentiment.get());
    let count = readings.len() as f64;
    SentimentDay {
        day,
        avg_sentiment: sentiments().sum::<f64>() / count,
        min_sentiment: sentiments().fold(1.0, f64::min),
        max_sentiment: sentiments().fold(0.0, f64::max),
        brief_count: readings.len(),
        avg_confidence: readings
            .iter()
            .map(|reading| reading.confidence.get())
            .sum::<f64>()
            / count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(at: &str, sentiment: f64, headline: &'static str) -> SentimentReading<'static> {
        SentimentReading {
            published_at: at.parse().unwrap(),
            sentiment: Score::new(sentiment).unwrap(),
            confidence: Score::new(0.8).unwrap(),
            headline,
        }
    }

    fn readings() -> Vec<SentimentReading<'static>> {
        vec![
            reading("2026-03-04T23:00:00Z", 1.0, "joy"),
            reading("2026-03-01T12:00:00Z", 0.4, "calm"),
            reading("2026-03-01T09:00:00Z", 0.6, "early"),
            reading("2026-03-02T00:00:00Z", 0.55, "next"),
            reading("2026-03-04T01:00:00Z", 0.8, "hope"),
            reading("2026-03-06T01:00:00Z", 0.2, "of tomorrow"),
        ]
    }

    #[test]
    fn days_without_briefs_have_no_row() {
        let now = "2026-03-05T12:00:00Z".parse().unwrap();
        let found = history(&readings(), now, 30);
        assert_eq!(found.len(), 3);
        assert_eq!(
            (
                found[0].min_sentiment,
                found[0].max_sentiment,
                found[0].brief_count
            ),
            (0.4, 0.6, 2)
        );
        assert!((found[0].avg_sentiment - 0.5).abs() < 1e-12);
        assert!((found[2].avg_confidence - 0.8).abs() < 1e-12);
        assert_eq!(history(&readings(), now, 1).len(), 1);
        assert_eq!(history(&[], now, 30), []);
    }

    #[test]
    fn the_worked_example() {
        let now = "2026-03-05T12:00:00Z".parse().unwrap();
        let found = signals(&readings(), now, 30, 0.3);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].day.to_string(), "2026-03-04");
        assert!((found[0].sentiment_shift - 0.35).abs() < 1e-12);
        assert_eq!(found[0].trigger_headline, "joy");
        assert_eq!(found[0].direction.as_str(), "positive");
        assert_eq!(signals(&readings(), now, 30, 0.36), []);
        assert_eq!(signals(&[], now, 30, 0.0), []);
        let later = "2026-03-06T12:00:00Z".parse().unwrap();
        let fall = signals(&readings(), later, 30, 0.3)[1];
        assert_eq!(
            (fall.direction, fall.trigger_headline),
            (Direction::Negative, "of tomorrow")
        );
    }
}
