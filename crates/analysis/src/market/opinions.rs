//! Sentiment of every ticker at a moment, from what the briefs of the last week say.

use std::collections::HashMap;

use model::{Category, Timestamp};
use store::{BriefSentiment, BriefSentimentQuery, Store};

use super::Moment;
use crate::Result;

/// The days over which `sentiment_score` is a mean, wherever it is shown.
pub const SENTIMENT_DAYS: i64 = 7;

/// What the briefs of the last week say, by ticker.
#[derive(Clone, Debug, Default)]
pub struct SentimentBoard {
    tickers: HashMap<String, Tone>,
}

/// What the briefs say of one ticker.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tone {
    sum: f64,
    /// Briefs of the last seven days.
    pub briefs_7d: usize,
    /// Briefs of the last 24 hours.
    pub briefs_24h: usize,
}

impl Tone {
    /// Mean over the briefs of the last seven days, each counted once.
    pub fn score(&self) -> Option<f64> {
        (self.briefs_7d > 0).then(|| self.sum / self.briefs_7d as f64)
    }

    /// Whether the last 24 hours have at least three briefs, and more than twice as many as a usual day of the six before.
    pub fn is_trending(&self) -> bool {
        let before = self.briefs_7d - self.briefs_24h;
        self.briefs_24h >= 3 && 6 * self.briefs_24h > 2 * before
    }
}

impl SentimentBoard {
    /// Reads the board of a moment, from briefs of these categories (empty means all).
    pub async fn load(store: &Store, moment: Moment, categories: &[Category]) -> Result<Self> {
        let query = BriefSentimentQuery {
            categories: categories.to_vec(),
            after: Some(moment.end.plus_ms(-SENTIMENT_DAYS * Timestamp::DAY_MS)),
            until: Some(moment.end),
            as_of: moment.as_of,
            ..BriefSentimentQuery::default()
        };
        let opinions = store.brief_sentiments().list(&query).await?;
        Ok(Self::of(&opinions, moment.end))
    }

    /// What is said of one ticker at a moment.
    pub async fn of_ticker(
        store: &Store,
        ticker: &str,
        moment: Moment,
        categories: &[Category],
    ) -> Result<Tone> {
        let query = BriefSentimentQuery {
            tickers: vec![ticker.to_owned()],
            categories: categories.to_vec(),
            after: Some(moment.end.plus_ms(-SENTIMENT_DAYS * Timestamp::DAY_MS)),
            until: Some(moment.end),
            as_of: moment.as_of,
            ..BriefSentimentQuery::default()
        };
        let opinions = store.brief_sentiments().list(&query).await?;
        Ok(Self::of(&opinions, moment.end).find(ticker))
    }

    /// The board of opinions of the last seven days.
    pub fn of(opinions: &[BriefSentiment], end: Timestamp) -> Self {
        let mut tickers: HashMap<String, Tone> = HashMap::new();
        for opinion in opinions {
            let tone = match tickers.get_mut(&opinion.ticker) {
                Some(tone) => tone,
                None => tickers.entry(opinion.ticker.clone()).or_default(),
            };
            tone.sum += opinion.sentiment.get();
            tone.briefs_7d += 1;
            if opinion.published_at > end.plus_ms(-Timestamp::DAY_MS) {
                tone.briefs_24h += 1;
            }
        }
        Self { tickers }
    }

    /// What is said of a ticker.
    pub fn find(&self, ticker: &str) -> Tone {
        self.tickers.get(ticker).copied().unwrap_or_default()
    }
}
