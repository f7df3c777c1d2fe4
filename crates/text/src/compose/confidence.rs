//! How well a brief is supported: a documented score, not a probability.
//!
//! With `n` voices (independent sources):
//!
//! | part | value | weight |
//! |---|---|---|
//! | `corroboration` | `1 − 0.75 · 0.5^(n−1)`: 0.25, 0.63, 0.81, 0.91, … | 0.45 |
//! | `source_trust` | mean trust of the voices (high 0.95, medium 0.65, unknown 0.5, low 0.2) | 0.30 |
//! | `agreement` | 0.4 for one voice, which has nobody to agree with; else 0.85, + 0.15 where two give the same figure and none gives another for the same measure, − 0.25 for each differing figure or date, − 0.4 for opposite outcomes or a denial, − the spread of their sentiments over 0.2; at least 0.1 | 0.15 |
//! | `freshness` | `0.7 · e^(−delay/48 h) + 0.3 · e^(−spread/96 h)`: delay from publication of the newest voice until it was known, spread between the first and the last publication | 0.10 |
//!
//! `score` is the weighted sum. One unknown outlet scores about 0.4, one trusted outlet about 0.55, and three trusted
//! outlets that agree score above 0.85. Only the members' own times count, never the time of reading.

use model::{BriefConfidence, Disagreement, Score, Timestamp};

use super::Member;
use super::contradiction::Found;
use super::voices::Voices;
use crate::statement::comparison::{self, Statement};

pub(super) fn assess(
    members: &[Member<'_>],
    voices: &Voices,
    statements: &[Statement<'_>],
    contradictions: &[Found],
) -> BriefConfidence {
    let count = voices.count().max(1) as f64;
    let corroboration = 1.0 - 0.75 * 0.5_f64.powf(count - 1.0);
    let trust = voices
        .leaders
        .iter()
        .map(|leader| members[*leader].trust.weight())
        .sum::<f64>()
        / count;
    let agreement = agreement(members, voices, statements, contradictions);
    let freshness = freshness(members, voices);
    BriefConfidence {
        score: Score::clamped(
            0.45 * corroboration + 0.30 * trust + 0.15 * agreement + 0.10 * freshness,
        ),
        corroboration: Score::clamped(corroboration),
        source_trust: Score::clamped(trust),
        agreement: Score::clamped(agreement),
        freshness: Score::clamped(freshness),
    }
}

fn agreement(
    members: &[Member<'_>],
    voices: &Voices,
    statements: &[Statement<'_>],
    contradictions: &[Found],
) -> f64 {
    if voices.count() < 2 {
        return 0.4;
    }
    let sentiments: Vec<f64> = voices
        .leaders
        .iter()
        .map(|leader| members[*leader].annotations.sentiment.get())
        .collect();
    let mean = sentiments.iter().sum::<f64>() / sentiments.len() as f64;
    let spread = (sentiments
        .iter()
        .map(|sentiment| (sentiment - mean).powi(2))
        .sum::<f64>()
        / sentiments.len() as f64)
        .sqrt();
    let disputed: f64 = contradictions
        .iter()
        .map(|found| match found.contradiction.kind {
            Disagreement::Number | Disagreement::Date => 0.25,
            Disagreement::Outcome | Disagreement::Polarity => 0.4,
        })
        .sum();
    let confirmed = comparison::confirmations(statements) > 0;
    let confirmed = if confirmed && !comparison::is_unsettled(statements) {
        0.15
    } else {
        0.0
    };
    (0.85 + confirmed - disputed - (spread - 0.2).max(0.0)).clamp(0.1, 1.0)
}

fn freshness(members: &[Member<'_>], voices: &Voices) -> f64 {
    let hours = |later: Timestamp, earlier: Timestamp| {
        later.since_ms(earlier).max(0) as f64 / Timestamp::HOUR_MS as f64
    };
    let articles = || voices.leaders.iter().map(|leader| members[*leader].article);
    let Some(newest) = articles().max_by_key(|article| (article.published_at, article.known_at))
    else {
        return 0.0;
    };
    let delay = hours(newest.known_at, newest.published_at);
    let first = articles()
        .map(|article| article.published_at)
        .min()
        .unwrap_or(newest.published_at);
    let spread = hours(newest.published_at, first);
    0.7 * (-delay / 48.0).exp() + 0.3 * (-spread / 96.0).exp()
}
