//! Sentiment along the days, and the days on which it turned.
//!
//! Days are UTC. A day without a brief has no sentiment and no row; nothing is filled in.

use std::collections::BTreeMap;

use model::{Score, Timestamp};

use crate::Day;

/// What one brief says of a ticker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opinion<'a> {
    /// When it was published.
    pub published_at: Timestamp,
    /// Its tone towards the ticker; 0.5 is neutral.
    pub sentiment: Score,
    /// Its confidence.
    pub confidence: Score,
    /// Its headline.
    pub headline: &'a str,
}

/// The opinions of one day.
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

/// Whether opinions rose or fell.
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

/// A day on which the mean differed from that of the day with briefs before it.
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
    /// The brief of the day that lies farthest from `from` on the side of the shift; of equals the earliest.
    pub trigger_headline: &'a str,
}

/// The opinions of the `days` × 24 hours before `now`, by day, oldest first.
pub fn history(opinions: &[Opinion<'_>], now: Timestamp, days: u16) -> Vec<SentimentDay> {
    by_day(opinions, now, days)
        .into_iter()
        .map(|(day, opinions)| summarise(day, &opinions))
        .collect()
}

/// The days on which the mean moved by at least `threshold`, oldest first.
///
/// Worked example: means of 0.50, 0.55 and 0.90 on three days and a threshold of 0.3 give one signal: the third day, +0.35.
pub fn signals<'a>(
    opinions: &[Opinion<'a>],
    now: Timestamp,
    days: u16,
    threshold: f64,
) -> Vec<SentimentSignal<'a>> {
    let days: Vec<_> = by_day(opinions, now, days).into_iter().collect();
    let means: Vec<_> = days
        .iter()
        .map(|(day, opinions)| summarise(*day, opinions))
        .collect();
    let pairs = means.windows(2).zip(&days[days.len().min(1)..]);
    pairs
        .filter_map(|(pair, (day, opinions))| {
            let (from, to) = (pair[0].avg_sentiment, pair[1].avg_sentiment);
            let shift = to - from;
            // Means of decimal scores miss a threshold of 0.3 by their last bit; that is no reason to stay silent.
            if shift == 0.0 || shift.abs() < threshold - 1e-12 {
                return None;
            }
            let along = |opinion: &Opinion<'_>| (opinion.sentiment.get() - from) * shift.signum();
            let trigger = opinions.iter().copied().reduce(|best, other| {
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
                brief_count: opinions.len(),
                trigger_headline: trigger.headline,
            })
        })
        .collect()
}

/// The opinions of a window by UTC day, each day's in order of publication.
fn by_day<'o, 'a>(
    opinions: &'o [Opinion<'a>],
    now: Timestamp,
    days: u16,
) -> BTreeMap<Day, Vec<&'o Opinion<'a>>> {
    let start = now.plus_ms(-i64::from(days) * Timestamp::DAY_MS);
    let mut found: BTreeMap<Day, Vec<&Opinion<'_>>> = BTreeMap::new();
    for opinion in opinions {
        let day = i32::try_from(opinion.published_at.day())
            .ok()
            .and_then(Day::new);
        if let Some(day) = day
            && opinion.published_at > start
            && opinion.published_at <= now
        {
            found.entry(day).or_default().push(opinion);
        }
    }
    for opinions in found.values_mut() {
        opinions.sort_by_key(|opinion| opinion.published_at);
    }
    found
}

fn summarise(day: Day, opinions: &[&Opinion<'_>]) -> SentimentDay {
    let tones = || opinions.iter().map(|opinion| opinion.sentiment.get());
    let count = opinions.len() as f64;
    SentimentDay {
        day,
        avg_sentiment: tones().sum::<f64>() / count,
        min_sentiment: tones().fold(1.0, f64::min),
        max_sentiment: tones().fold(0.0, f64::max),
        brief_count: opinions.len(),
        avg_confidence: opinions
            .iter()
            .map(|opinion| opinion.confidence.get())
            .sum::<f64>()
            / count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opinion(at: &str, sentiment: f64, headline: &'static str) -> Opinion<'static> {
        Opinion {
            published_at: at.parse().unwrap(),
            sentiment: Score::new(sentiment).unwrap(),
            confidence: Score::new(0.8).unwrap(),
            headline,
        }
    }

    fn opinions() -> Vec<Opinion<'static>> {
        vec![
            opinion("2026-03-04T23:00:00Z", 1.0, "joy"),
            opinion("2026-03-01T12:00:00Z", 0.4, "calm"),
            opinion("2026-03-01T09:00:00Z", 0.6, "early"),
            opinion("2026-03-02T00:00:00Z", 0.55, "next"),
            opinion("2026-03-04T01:00:00Z", 0.8, "hope"),
            opinion("2026-03-06T01:00:00Z", 0.2, "of tomorrow"),
        ]
    }

    #[test]
    fn days_without_briefs_have_no_row() {
        let now = "2026-03-05T12:00:00Z".parse().unwrap();
        let found = history(&opinions(), now, 30);
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
        assert_eq!(history(&opinions(), now, 1).len(), 1);
        assert_eq!(history(&[], now, 30), []);
    }

    #[test]
    fn the_worked_example() {
        let now = "2026-03-05T12:00:00Z".parse().unwrap();
        let found = signals(&opinions(), now, 30, 0.3);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].day.to_string(), "2026-03-04");
        assert!((found[0].sentiment_shift - 0.35).abs() < 1e-12);
        assert_eq!(found[0].trigger_headline, "joy");
        assert_eq!(found[0].direction.as_str(), "positive");
        assert_eq!(signals(&opinions(), now, 30, 0.36), []);
        assert_eq!(signals(&[], now, 30, 0.0), []);
        let later = "2026-03-06T12:00:00Z".parse().unwrap();
        let fall = signals(&opinions(), later, 30, 0.3)[1];
        assert_eq!(
            (fall.direction, fall.trigger_headline),
            (Direction::Negative, "of tomorrow")
        );
    }
}
