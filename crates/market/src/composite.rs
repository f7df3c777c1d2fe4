//! The composite score of a ticker: one number for what the news and the price say, from 0 (bearish) to 1 (bullish).
//!
//! Four parts, each 0 to 1 with 0.5 neutral, are weighted and summed:
//!
//! | part | weight | formula |
//! |---|---|---|
//! | sentiment | 0.40 | `0.6 · current_24h + 0.4 · week_avg`; where one is missing, the other |
//! | momentum | 0.30 | `0.5 + 0.5 · tanh(z / 1.5)`, `z = ln(C / C₂₀) / (σ · √20)`, σ the sample deviation of the last 60 daily log returns |
//! | volume | 0.15 | `0.5 + (sentiment part − 0.5) · min(1, briefs_24h / (2 · usual))`: attention strengthens the sentiment, it has no direction of its own |
//! | events | 0.15 | `0.5 + 0.5 · tanh(Σ polarity · 2^(−age / 3 days) / 2)` over seven days |
//!
//! `usual` is the mean number of briefs per day in the six days before the last 24 hours. A part without any data
//! drops out, and the others share its weight; without any part there is no score. The weights are a choice, made so
//! that news and price count about equally. They are not fitted to returns, and the score is not a forecast.
//!
//! Worked example: sentiment of 0.8 today and 0.7 over the week gives 0.76. There are no candles, so momentum drops
//! out. Six briefs when two are usual give volume 0.5 + 0.26 · 1 = 0.76. One acquisition today gives 0.5 + 0.5 ·
//! tanh(0.5 · 0.6) = 0.6457. With the weights 4/7, 1.5/7 and 1.5/7 the score is 0.7355: bullish.

use model::{EventKind, Timestamp};

use crate::Candles;
use crate::sentiment::SentimentReading;

/// The score as a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each signal names itself")]
pub enum Signal {
    StrongBearish,
    Bearish,
    Neutral,
    Bullish,
    StrongBullish,
}

impl Signal {
    /// At least 0.75 strongly bullish, 0.58 bullish, above 0.42 neutral, above 0.25 bearish, otherwise strongly
    /// bearish.
    pub fn of(score: f64) -> Self {
        match score {
            score if score >= 0.75 => Self::StrongBullish,
            score if score >= 0.58 => Self::Bullish,
            score if score > 0.42 => Self::Neutral,
            score if score > 0.25 => Self::Bearish,
            _ => Self::StrongBearish,
        }
    }

    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StrongBearish => "strong_bearish",
            Self::Bearish => "bearish",
            Self::Neutral => "neutral",
            Self::Bullish => "bullish",
            Self::StrongBullish => "strong_bullish",
        }
    }
}

/// The direction of the price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each direction names itself")]
pub enum MomentumDirection {
    Up,
    Down,
    Flat,
}

impl MomentumDirection {
    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Flat => "flat",
        }
    }
}

/// The sentiment of the briefs. Values are `None` if there are no briefs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct SentimentPart {
    /// 0 to 1; `None` without briefs.
    pub value: Option<f64>,
    pub current_24h: Option<f64>,
    pub week_avg: Option<f64>,
    pub weight: f64,
}

/// The price movement.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct MomentumPart {
    /// 0 to 1; `None` with fewer than 21 candles or a price that does not move.
    pub value: Option<f64>,
    /// `None` without a value.
    pub direction: Option<MomentumDirection>,
    pub weight: f64,
}

/// The volume of coverage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct VolumePart {
    /// 0 to 1; `None` without briefs.
    pub value: Option<f64>,
    pub briefs_24h: usize,
    /// Relative to the mean of the six days before; `None` if these had no briefs.
    pub velocity_change_pct: Option<f64>,
    pub weight: f64,
}

/// The events.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct EventsPart {
    /// 0 to 1; `None` without events.
    pub value: Option<f64>,
    pub count_7d: usize,
    pub latest_type: Option<EventKind>,
    pub weight: f64,
}

/// The score and its parts. The weights are those that were applied; they sum to one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct Composite {
    /// 0 to 1; `None` when nothing at all is known.
    pub composite_score: Option<f64>,
    pub signal: Signal,
    pub sentiment: SentimentPart,
    pub momentum: MomentumPart,
    pub volume: VolumePart,
    pub events: EventsPart,
}

const SESSIONS: usize = 20;
const DEVIATION_RETURNS: usize = 60;
const EVENT_HALF_LIFE_DAYS: f64 = 3.0;

/// The score at `now` from the readings and events of the last seven days and the candles up to then. Anything later
/// or older is ignored.
pub fn composite(
    readings: &[SentimentReading<'_>],
    candles: Candles<'_>,
    events: &[(EventKind, Timestamp)],
    now: Timestamp,
) -> Composite {
    let age_days = |at: Timestamp| now.since_ms(at) as f64 / Timestamp::DAY_MS as f64;
    let between = |at: Timestamp, from: f64, to: f64| (from..to).contains(&age_days(at));
    let mean_tone = |days: f64| {
        let sentiments: Vec<f64> = readings
            .iter()
            .filter(|reading| between(reading.published_at, 0.0, days))
            .map(|reading| reading.sentiment.get())
            .collect();
        (!sentiments.is_empty()).then(|| sentiments.iter().sum::<f64>() / sentiments.len() as f64)
    };
    let count = |from: f64, to: f64| {
        readings
            .iter()
            .filter(|reading| between(reading.published_at, from, to))
            .count()
    };

    let (current, week) = (mean_tone(1.0), mean_tone(7.0));
    let sentiment = match (current, week) {
        (Some(current), Some(week)) => Some(0.6 * current + 0.4 * week),
        (one, other) => one.or(other),
    };
    let (momentum, direction) = momentum(candles);
    let (today, usual) = (count(0.0, 1.0), count(1.0, 7.0) as f64 / 6.0);
    let velocity_change_pct = (usual > 0.0).then(|| (today as f64 / usual - 1.0) * 100.0);
    let attention = if usual > 0.0 {
        (today as f64 / (2.0 * usual)).min(1.0)
    } else {
        f64::from(u8::from(today > 0))
    };
    let loudness = sentiment.map(|sentiment| 0.5 + (sentiment - 0.5) * attention);
    let recent = || events.iter().filter(|(_, at)| between(*at, 0.0, 7.0));
    let pull: f64 = recent()
        .map(|(kind, at)| polarity(*kind) * (-age_days(*at) / EVENT_HALF_LIFE_DAYS).exp2())
        .sum();
    let happened = recent().next().map(|_| 0.5 + 0.5 * (pull / 2.0).tanh());

    let parts = [
        (sentiment, 0.4),
        (momentum, 0.3),
        (loudness, 0.15),
        (happened, 0.15),
    ];
    let known: f64 = parts
        .iter()
        .filter(|part| part.0.is_some())
        .map(|part| part.1)
        .sum();
    let weight = |(value, weight): (Option<f64>, f64)| value.map_or(0.0, |_| weight / known);
    let score = (known > 0.0).then(|| {
        parts
            .iter()
            .map(|part| part.0.unwrap_or_default() * weight(*part))
            .sum::<f64>()
            .clamp(0.0, 1.0)
    });
    Composite {
        composite_score: score,
        signal: Signal::of(score.unwrap_or(0.5)),
        sentiment: SentimentPart {
            value: sentiment,
            current_24h: current,
            week_avg: week,
            weight: weight(parts[0]),
        },
        momentum: MomentumPart {
            value: momentum,
            direction,
            weight: weight(parts[1]),
        },
        volume: VolumePart {
            value: loudness,
            briefs_24h: today,
            velocity_change_pct,
            weight: weight(parts[2]),
        },
        events: EventsPart {
            value: happened,
            count_7d: recent().count(),
            latest_type: recent().max_by_key(|(_, at)| *at).map(|(kind, _)| *kind),
            weight: weight(parts[3]),
        },
    }
}

/// How a type of event usually affects the company concerned.
fn polarity(kind: EventKind) -> f64 {
    match kind {
        EventKind::Acquisition | EventKind::Funding => 0.6,
        EventKind::Launch | EventKind::Partnership => 0.5,
        EventKind::Ipo => 0.3,
        EventKind::Regulation => -0.4,
        EventKind::Lawsuit => -0.6,
        EventKind::Bankruptcy => -2.0,
    }
}

fn momentum(candles: Candles<'_>) -> (Option<f64>, Option<MomentumDirection>) {
    let close = candles.newest_run().newest(DEVIATION_RETURNS + 1).close();
    let Some(before) = close.len().checked_sub(SESSIONS + 1) else {
        return (None, None);
    };
    let change = (close[close.len() - 1] / close[before]).ln();
    let direction = if change > 0.0 {
        MomentumDirection::Up
    } else if change < 0.0 {
        MomentumDirection::Down
    } else {
        MomentumDirection::Flat
    };
    let returns: Vec<f64> = close
        .windows(2)
        .map(|pair| (pair[1] / pair[0]).ln())
        .collect();
    let count = returns.len() as f64;
    let mean = returns.iter().sum::<f64>() / count;
    let squares: f64 = returns.iter().map(|value| (value - mean).powi(2)).sum();
    let deviation = (squares / (count - 1.0)).sqrt();
    let expected = deviation * (SESSIONS as f64).sqrt();
    let value = (deviation > f64::EPSILON).then(|| 0.5 + 0.5 * (change / expected / 1.5).tanh());
    (value, value.map(|_| direction))
}

#[cfg(test)]
mod tests;
