//! Sentiment at the close of each session, as known at that time: what a backtest may use.
//!
//! The value at a close is the mean over the briefs from the preceding seven days, each with what its revision at that
//! time said. Before it had a newswire, the demo world has simulated days; each counts as the number of briefs it
//! states, from its end on, so that no close sees news from the evening after it.

use std::collections::HashMap;

use market::Day;
use model::{Category, SimulatedSentiment, Symbol, Timestamp};
use store::BriefSentimentVersion;

use super::{PointInTime, SENTIMENT_DAYS, Sentiment};
use crate::Result;

/// What was said about every symbol over a period.
#[derive(Debug, Default)]
pub(super) struct SentimentPast {
    versions: Vec<BriefSentimentVersion>,
    simulated: Vec<(Symbol, Vec<SimulatedSentiment>)>,
}

/// Sums and weights by session.
type Sums = Vec<(f64, f64)>;

impl Sentiment {
    /// Reads what was published from seven days before `start` on. Simulated days have no categories, so a reader
    /// limited to some categories does not see them.
    pub(super) async fn past(
        &self,
        start: Day,
        when: PointInTime,
        categories: &[Category],
    ) -> Result<SentimentPast> {
        let after = start.plus(-(SENTIMENT_DAYS as i32) - 1).starts_at();
        let opinions = self.store.brief_sentiments();
        let versions = opinions.versions(after, when.end, when.as_of, categories);
        Ok(SentimentPast {
            versions: versions.await?,
            simulated: if categories.is_empty() {
                self.store.market().all_simulated_sentiment().await?
            } else {
                Vec::new()
            },
        })
    }
}

impl SentimentPast {
    /// The mean at each of these closes by ticker, NaN if nothing was said; and, if any simulated data is included,
    /// the day from which on it no longer is.
    pub(super) fn at(&self, closes: &[Timestamp]) -> (HashMap<String, Vec<f64>>, Option<Day>) {
        let week = SENTIMENT_DAYS * Timestamp::DAY_MS;
        let mut sums: HashMap<&str, Sums> = HashMap::new();
        let mut add = |ticker, from: Timestamp, to: Timestamp, sentiment: f64, weight: f64| {
            let first = closes.partition_point(|close| *close < from);
            let last = closes.partition_point(|close| *close < to);
            if first >= last || !(sentiment * weight).is_finite() {
                return false;
            }
            let sums = sums
                .entry(ticker)
                .or_insert_with(|| vec![(0.0, 0.0); closes.len()]);
            for (sum, count) in &mut sums[first..last] {
                *sum += sentiment * weight;
                *count += weight;
            }
            true
        };
        for version in &self.versions {
            let from = version.known_from.max(version.published_at);
            let to = version.known_to.min(version.published_at.plus_ms(week));
            add(&version.ticker, from, to, version.sentiment.get(), 1.0);
        }
        let mut simulated_until: Option<Day> = None;
        for (symbol, days) in &self.simulated {
            for reported in days.iter().filter(|reported| reported.brief_count > 0.0) {
                let from = reported.day.plus(1).starts_at();
                let to = from.plus_ms(week);
                if add(
                    symbol.as_str(),
                    from,
                    to,
                    reported.avg_sentiment,
                    reported.brief_count,
                ) {
                    simulated_until = simulated_until.max(Some(reported.day.plus(1)));
                }
            }
        }
        let means = sums.into_iter().map(|(ticker, sums)| {
            let mean = |(sum, count): (f64, f64)| {
                if count > 0.0 { sum / count } else { f64::NAN }
            };
            (ticker.to_owned(), sums.into_iter().map(mean).collect())
        });
        (means.collect(), simulated_until)
    }
}
