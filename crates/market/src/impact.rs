//! What the price did after a brief.
//!
//! The measurement starts at the last known trade before publication: the close of the newest completed session or,
//! during a session, its open, because daily candles do not show when later trades took place. If the brief comes
//! with a price from shortly before publication, such as an hourly close, that price takes precedence over both. In a
//! series of closes no open is known. From there it counts closes, not days: `impact_1d_pct` is the change to the
//! first close after publication, `impact_3d_pct` to the third. A change that has not happened yet is `None`, and so
//! is one that begins or ends more than ten days away. Nothing is adjusted for the market, and no causation is
//! claimed.
//!
//! Worked example: closes are 100 on Friday, 102 on Monday, 104.04 on Tuesday and 101 on Wednesday, and Monday opens
//! at 101. A brief from Friday 21:30 UTC, after the close, or from Monday 10:40 UTC, before the open, affects
//! Monday's session: the price at publication is Friday's 100, after one close +2 %, after three +1 %. A brief from
//! Monday 16:00 UTC is measured from Monday's open: +0.99 % at that day's close.

use model::{Score, Timestamp};

use crate::{Candles, Day, SESSIONS_APART, calendar};

/// When the candles of a venue are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Venue {
    /// US exchanges: the close of the session. A candle on a day without a session counts as closed at midnight UTC
    /// after it.
    UsExchange,
    /// Crypto: midnight UTC after the day.
    AroundTheClock,
}

impl Venue {
    /// When a day's candle is known.
    pub fn closes_at(self, day: Day) -> Timestamp {
        let midnight = || Timestamp::start_of_day(i64::from(day.get()) + 1);
        match self {
            Self::UsExchange => calendar::closes_at(day).unwrap_or_else(midnight),
            Self::AroundTheClock => midnight(),
        }
    }
}

impl Venue {
    /// When the first price of a day is paid.
    pub fn opens_at(self, day: Day) -> Timestamp {
        let midnight = || Timestamp::start_of_day(i64::from(day.get()));
        match self {
            Self::UsExchange => calendar::opens_at(day).unwrap_or_else(midnight),
            Self::AroundTheClock => midnight(),
        }
    }
}

/// A brief about the ticker.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct PublishedBrief<'a> {
    pub brief_id: &'a str,
    pub headline: &'a str,
    pub published_at: Timestamp,
    pub sentiment_score: Score,
    /// The last trade before it, if that is known more precisely than by the day: the price, and when it was paid.
    pub price_before: Option<(f64, Timestamp)>,
}

/// The price reaction to a brief.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact<'a> {
    /// The brief.
    pub brief: PublishedBrief<'a>,
    /// The last price before publication.
    pub price_at_publish: Option<f64>,
    /// When that price was paid.
    pub priced_at: Option<Timestamp>,
    /// Change from there to the first close after publication, in percent.
    pub impact_1d_pct: Option<f64>,
    /// Change to the third close, in percent.
    pub impact_3d_pct: Option<f64>,
}

/// The price reactions to all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Impacts<'a> {
    /// Every brief, in the order given.
    pub briefs: Vec<Impact<'a>>,
    /// Mean over those with a value.
    pub avg_impact_1d_pct: Option<f64>,
    /// Mean over those with a value.
    pub avg_impact_3d_pct: Option<f64>,
    /// Briefs with a value after one session.
    pub briefs_analyzed: usize,
    /// Of these, followed by a rise.
    pub positive_impact_count: usize,
    /// Of these, followed by a fall.
    pub negative_impact_count: usize,
    /// Index of the brief with the highest change after one session; the first, if several are equal.
    pub best: Option<usize>,
    /// Index of the brief with the lowest.
    pub worst: Option<usize>,
}

/// Measures the reaction to each brief. Only candles that were known at `now` are read.
pub fn impacts<'a>(
    briefs: &[PublishedBrief<'a>],
    candles: Candles<'_>,
    venue: Venue,
    now: Timestamp,
) -> Impacts<'a> {
    let known = candles
        .days()
        .partition_point(|day| venue.closes_at(*day) <= now);
    let candles = candles.bars(0, known);
    let briefs: Vec<Impact<'a>> = briefs
        .iter()
        .map(|brief| impact(*brief, candles, venue))
        .collect();
    let after_one = || {
        briefs
            .iter()
            .enumerate()
            .filter_map(|(index, impact)| Some((index, impact.impact_1d_pct?)))
    };
    let extreme = |sign: f64| {
        after_one()
            .reduce(|best, other| {
                if sign * other.1 > sign * best.1 {
                    other
                } else {
                    best
                }
            })
            .map(|(index, _)| index)
    };
    Impacts {
        avg_impact_1d_pct: mean(after_one().map(|(_, change)| change)),
        avg_impact_3d_pct: mean(briefs.iter().filter_map(|impact| impact.impact_3d_pct)),
        briefs_analyzed: after_one().count(),
        positive_impact_count: after_one().filter(|(_, change)| *change > 0.0).count(),
        negative_impact_count: after_one().filter(|(_, change)| *change < 0.0).count(),
        best: extreme(1.0),
        worst: extreme(-1.0),
        briefs,
    }
}

fn impact<'a>(brief: PublishedBrief<'a>, candles: Candles<'_>, venue: Venue) -> Impact<'a> {
    let published = brief.published_at;
    // The first bar whose close came after publication.
    let after = candles
        .days()
        .partition_point(|day| venue.closes_at(*day) <= published);
    let is_near = |bar: usize| {
        let day = candles.days().get(bar)?;
        let apart = day.since(Day::of(published)).abs();
        (apart <= SESSIONS_APART).then_some(*day)
    };
    let running = is_near(after)
        .map(|day| venue.opens_at(day))
        .filter(|opens_at| *opens_at < published && candles.measured().has_ranges());
    let closed = after.checked_sub(1);
    let closed =
        closed.and_then(|bar| Some((candles.close()[bar], venue.closes_at(is_near(bar)?))));
    let opened = running.map(|opens_at| (candles.open()[after], opens_at));
    let base = brief.price_before.or(opened).or(closed);
    let change = |closes: usize| {
        let (from, _) = base?;
        is_near(after)?;
        let close = candles.close().get(after + closes - 1)?;
        Some((close / from - 1.0) * 100.0)
    };
    Impact {
        brief,
        price_at_publish: base.map(|(price, _)| price),
        priced_at: base.map(|(_, at)| at),
        impact_1d_pct: change(1),
        impact_3d_pct: change(3),
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Candle, CandleColumns};

    fn columns() -> CandleColumns {
        let closes = [
            ("2026-01-09", 100.0),
            ("2026-01-12", 102.0),
            ("2026-01-13", 104.04),
            ("2026-01-14", 101.0),
            ("2026-01-15", 103.02),
        ];
        let rows = closes.map(|(day, close)| Candle {
            day: Day::parse(day).unwrap(),
            open: close,
            high: close,
            low: close,
            close,
            volume: 1.0,
        });
        CandleColumns::sift(rows).0
    }

    fn brief(at: &str) -> PublishedBrief<'static> {
        PublishedBrief {
            brief_id: "PR-1",
            headline: "News",
            published_at: at.parse().unwrap(),
            sentiment_score: Score::NEUTRAL,
            price_before: None,
        }
    }

    fn near(found: Option<f64>, expected: f64) {
        assert!((found.unwrap() - expected).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn the_worked_example() {
        let mut columns = columns();
        let opened = columns.view().iter().map(|candle| Candle {
            // Monday opens in between.
            open: if candle.close == 102.0 {
                101.0
            } else {
                candle.open
            },
            low: if candle.close == 102.0 {
                101.0
            } else {
                candle.low
            },
            ..candle
        });
        columns = opened.collect();
        let now = "2026-01-16T00:00:00Z".parse().unwrap();
        let briefs = [
            brief("2026-01-09T21:30:00Z"),
            brief("2026-01-12T10:40:00Z"),
            brief("2026-01-12T16:00:00Z"),
            // At the exact time of the close, its price is the last one.
            brief("2026-01-09T21:00:00Z"),
            brief("2026-01-15T22:00:00Z"),
            brief("2026-01-08T22:00:00Z"),
        ];
        let found = impacts(&briefs, columns.view(), Venue::UsExchange, now);
        for number in [0, 1, 3] {
            near(found.briefs[number].price_at_publish, 100.0);
            near(found.briefs[number].impact_1d_pct, 2.0);
            near(found.briefs[number].impact_3d_pct, 1.0);
        }
        near(found.briefs[2].price_at_publish, 101.0);
        near(found.briefs[2].impact_1d_pct, (102.0 / 101.0 - 1.0) * 100.0);
        near(found.briefs[4].price_at_publish, 103.02);
        assert_eq!(found.briefs[4].impact_1d_pct, None);
        // Nothing was traded before it.
        assert_eq!(found.briefs[5].price_at_publish, None);
        assert_eq!((found.briefs_analyzed, found.positive_impact_count), (4, 4));
        assert_eq!((found.best, found.worst), (Some(0), Some(2)));
    }

    #[test]
    fn a_brief_within_a_session_counts_from_what_was_paid_before_it() {
        let now = "2026-01-16T00:00:00Z".parse().unwrap();
        let at = "2026-01-12T16:00:00Z";
        // With closes only, that day's open is not known: the last price is Friday's.
        let columns = columns();
        let closes = columns.view().iter().map(|candle| Candle {
            volume: 0.0,
            ..candle
        });
        let closes: CandleColumns = closes.collect();
        let found = impacts(&[brief(at)], closes.view(), Venue::UsExchange, now);
        near(found.briefs[0].price_at_publish, 100.0);
        near(found.briefs[0].impact_1d_pct, 2.0);
        let friday = "2026-01-09T21:00:00Z".parse().unwrap();
        assert_eq!(found.briefs[0].priced_at, Some(friday));
        // A coin's hourly candle ends shortly before it.
        let hour = "2026-01-12T16:00:00Z".parse().unwrap();
        let brief = PublishedBrief {
            price_before: Some((101.5, hour)),
            ..brief("2026-01-12T16:30:00Z")
        };
        let found = impacts(&[brief], columns.view(), Venue::AroundTheClock, now);
        near(found.briefs[0].price_at_publish, 101.5);
        near(found.briefs[0].impact_1d_pct, (102.0 / 101.5 - 1.0) * 100.0);
        assert_eq!(found.briefs[0].priced_at, Some(hour));
    }

    #[test]
    fn nothing_is_known_before_its_close() {
        let columns = columns();
        let now = "2026-01-12T20:59:59Z".parse().unwrap();
        let briefs = [brief("2026-01-10T00:00:00Z")];
        let found = impacts(&briefs, columns.view(), Venue::UsExchange, now);
        near(found.briefs[0].price_at_publish, 100.0);
        assert_eq!(found.briefs[0].impact_1d_pct, None);
        assert_eq!((found.avg_impact_1d_pct, found.best), (None, None));
        let coins = impacts(&briefs, columns.view(), Venue::AroundTheClock, now);
        // Friday's coin candle closes at that very midnight.
        let midnight = "2026-01-10T00:00:00Z".parse().unwrap();
        assert_eq!(coins.briefs[0].priced_at, Some(midnight));
        assert_eq!(
            impacts(&[], columns.view(), Venue::UsExchange, now).briefs,
            []
        );
    }

    #[test]
    fn a_price_of_weeks_away_is_no_reaction() {
        let columns = columns();
        let now = "2026-03-16T00:00:00Z".parse().unwrap();
        let briefs = [brief("2026-03-01T12:00:00Z"), brief("2025-12-01T12:00:00Z")];
        let found = impacts(&briefs, columns.view(), Venue::UsExchange, now);
        for one in &found.briefs {
            assert_eq!((one.price_at_publish, one.impact_1d_pct), (None, None));
        }
    }
}
