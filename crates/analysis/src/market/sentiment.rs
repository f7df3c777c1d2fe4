//! The sentiment of every ticker, from what the briefs of the last week say.

use std::collections::{HashMap, HashSet};

use model::{Category, Symbol, Timestamp};
use store::{BriefSentiment, BriefSentimentQuery, Store};

use super::{Instruments, PointInTime};
use crate::Result;

/// The number of days that `sentiment_score` averages over, wherever it is shown.
pub const SENTIMENT_DAYS: i64 = 7;

/// What the briefs of the last week say, by ticker.
#[derive(Clone, Debug, Default)]
pub struct SentimentBoard {
    tickers: HashMap<String, TickerSentiment>,
}

/// What the briefs say about one ticker.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TickerSentiment {
    sum: f64,
    /// Briefs from the last seven days.
    pub briefs_7d: usize,
    /// Briefs from the last 24 hours.
    pub briefs_24h: usize,
}

impl TickerSentiment {
    /// Mean over the briefs from the last seven days, each counted once.
    pub fn score(&self) -> Option<f64> {
        (self.briefs_7d > 0).then(|| self.sum / self.briefs_7d as f64)
    }

    /// Whether the last 24 hours have at least three briefs, and more than twice as many as an average day in the
    /// preceding six.
    pub fn is_trending(&self) -> bool {
        let before = self.briefs_7d - self.briefs_24h;
        self.briefs_24h >= 3 && 6 * self.briefs_24h > 2 * before
    }
}

/// Reads the sentiment of symbols and sectors.
#[derive(Clone, Debug)]
pub struct Sentiment {
    pub(super) store: Store,
    pub(super) instruments: Instruments,
}

impl Sentiment {
    pub(super) fn new(store: Store, instruments: Instruments) -> Self {
        Self { store, instruments }
    }

    /// The board for all tickers, from briefs in these categories (empty means all).
    pub async fn board(
        &self,
        when: PointInTime,
        categories: &[Category],
    ) -> Result<SentimentBoard> {
        self.week(Vec::new(), when, categories).await
    }

    /// The board for these tickers.
    pub async fn of_tickers(
        &self,
        tickers: Vec<String>,
        when: PointInTime,
        categories: &[Category],
    ) -> Result<SentimentBoard> {
        // Without tickers, the query would mean all of them.
        if tickers.is_empty() {
            return Ok(SentimentBoard::default());
        }
        self.week(tickers, when, categories).await
    }

    /// The sentiment of one ticker.
    pub async fn of(
        &self,
        ticker: &str,
        when: PointInTime,
        categories: &[Category],
    ) -> Result<TickerSentiment> {
        let board = self.week(vec![ticker.to_owned()], when, categories);
        Ok(board.await?.find(ticker))
    }

    async fn week(
        &self,
        tickers: Vec<String>,
        when: PointInTime,
        categories: &[Category],
    ) -> Result<SentimentBoard> {
        let classes = self.classes_of(&tickers).await?;
        let mut wanted = tickers;
        for others in classes.values().flatten().map(Symbol::as_str) {
            if !wanted.is_empty() && !wanted.iter().any(|ticker| ticker == others) {
                wanted.push(others.to_owned());
            }
        }
        let query = BriefSentimentQuery {
            tickers: wanted,
            categories: categories.to_vec(),
            after: Some(when.end.plus_ms(-SENTIMENT_DAYS * Timestamp::DAY_MS)),
            until: Some(when.end),
            as_of: when.as_of,
            ..BriefSentimentQuery::default()
        };
        let mut opinions = self.store.brief_sentiments().list(&query).await?;
        share(&mut opinions, &classes);
        Ok(SentimentBoard::of(&opinions, when.end))
    }

    /// The other share classes of the companies behind these tickers, or of all companies if none is given.
    async fn classes_of(&self, tickers: &[String]) -> Result<HashMap<String, Vec<Symbol>>> {
        let listings = self.instruments.all().await?;
        let listings = listings.iter().filter(|one| !one.classes.is_empty());
        let wanted = listings
            .filter(|one| tickers.is_empty() || tickers.iter().any(|name| name == one.ticker()));
        Ok(wanted
            .map(|one| (one.ticker().to_owned(), one.classes.to_vec()))
            .collect())
    }
}

/// What a brief says about one class of a company, it says about the others too, unless it names them itself. If it
/// names several classes, the first counts.
fn share(opinions: &mut Vec<BriefSentiment>, classes: &HashMap<String, Vec<Symbol>>) {
    if classes.is_empty() {
        return;
    }
    let mut sharing: HashMap<&str, Vec<&str>> = HashMap::new();
    for (ticker, others) in classes {
        for other in others {
            sharing.entry(other.as_str()).or_default().push(ticker);
        }
    }
    let mut said: HashSet<(String, String)> = opinions
        .iter()
        .map(|one| (one.brief_id.clone(), one.ticker.clone()))
        .collect();
    let mut shared = Vec::new();
    for opinion in opinions.iter() {
        for ticker in sharing.get(opinion.ticker.as_str()).into_iter().flatten() {
            if said.insert((opinion.brief_id.clone(), (*ticker).to_owned())) {
                shared.push(BriefSentiment {
                    ticker: (*ticker).to_owned(),
                    ..opinion.clone()
                });
            }
        }
    }
    opinions.extend(shared);
}

impl SentimentBoard {
    /// The board from opinions of the last seven days.
    pub fn of(opinions: &[BriefSentiment], end: Timestamp) -> Self {
        let mut tickers: HashMap<String, TickerSentiment> = HashMap::new();
        for opinion in opinions {
            let sentiment = match tickers.get_mut(&opinion.ticker) {
                Some(sentiment) => sentiment,
                None => tickers.entry(opinion.ticker.clone()).or_default(),
            };
            sentiment.sum += opinion.sentiment.get();
            sentiment.briefs_7d += 1;
            if opinion.published_at > end.plus_ms(-Timestamp::DAY_MS) {
                sentiment.briefs_24h += 1;
            }
        }
        Self { tickers }
    }

    /// What is said about a ticker.
    pub fn find(&self, ticker: &str) -> TickerSentiment {
        self.tickers.get(ticker).copied().unwrap_or_default()
    }
}
