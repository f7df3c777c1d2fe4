//! What the briefs on a ticker say together: sentiment, its trend, themes, and how much each brief weighs.

use std::collections::HashMap;

use model::{Category, EntityRole, Timestamp};
use store::{BriefSentiment, BriefSentimentQuery};

use super::companies::of_class;
use super::{Listing, PointInTime, SENTIMENT_DAYS, Sentiment, SentimentBoard};
use crate::Result;

/// The number of briefs whose tags are read for themes.
const READ: usize = 40;

/// The sentiment over two weeks, and the themes of the briefs in the second week.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SentimentTrend {
    /// Mean over the last seven days.
    pub score: Option<f64>,
    /// The number of briefs from the last seven days.
    pub brief_count: usize,
    /// Mean over the last seven days minus the mean over the seven days before; `None` if either has no brief.
    pub shift_7d: Option<f64>,
    /// Tags and event kinds that most briefs of the last seven days share, most frequent first.
    pub top_themes: Vec<String>,
    /// The newest briefs of the two weeks, newest first.
    pub news: Vec<NewsItem>,
    /// The symbols that these briefs name: the listing's own, or other classes of its company.
    pub tickers: Vec<String>,
}

/// A brief that names a ticker.
#[derive(Clone, Debug, PartialEq)]
pub struct NewsItem {
    /// The id shown to people.
    pub brief_id: String,
    /// Its headline.
    pub headline: String,
    /// See [`impact_score`].
    pub impact_score: f64,
    /// When it was published.
    pub published_at: Timestamp,
}

/// How much a brief weighs for a ticker, 0 to 1: the distance of its sentiment from neutral, times its confidence,
/// times a factor of 1 if the ticker is the subject, 0.6 if it takes part, or 0.3 if it is named in passing.
///
/// Example: a sentiment of 0.8 with a confidence of 0.5 about the subject weighs 0.3 · 2 · 0.5 · 1 = 0.3.
pub fn impact_score(opinion: &BriefSentiment) -> f64 {
    let role = match opinion.role {
        EntityRole::Subject => 1.0,
        EntityRole::Related => 0.6,
        EntityRole::Mentioned => 0.3,
    };
    (opinion.sentiment.get() - 0.5).abs() * 2.0 * opinion.confidence.get() * role
}

impl Sentiment {
    /// What the briefs in these categories (empty means all) say about a ticker, with at most this many themes and
    /// news items.
    pub async fn trend_of(
        &self,
        listing: &Listing,
        when: PointInTime,
        categories: &[Category],
        themes: usize,
        news: usize,
    ) -> Result<SentimentTrend> {
        let week = SENTIMENT_DAYS * Timestamp::DAY_MS;
        let query = BriefSentimentQuery {
            tickers: listing.company_tickers(),
            categories: categories.to_vec(),
            after: Some(when.end.plus_ms(-2 * week)),
            until: Some(when.end),
            as_of: when.as_of,
            ..BriefSentimentQuery::default()
        };
        let opinions = self.store.brief_sentiments().list(&query).await?;
        let mut opinions = of_class(listing, opinions);
        let tickers = opinions.iter().map(|one| one.ticker.clone()).collect();
        for opinion in &mut opinions {
            listing.ticker().clone_into(&mut opinion.ticker);
        }
        let split = when.end.plus_ms(-week);
        let newer = opinions.partition_point(|opinion| opinion.published_at > split);
        let (newer, older) = opinions.split_at(newer);
        let sentiment = SentimentBoard::of(newer, when.end).find(listing.ticker());
        let before = SentimentBoard::of(older, split).find(listing.ticker());
        Ok(SentimentTrend {
            score: sentiment.score(),
            brief_count: sentiment.briefs_7d,
            shift_7d: sentiment
                .score()
                .zip(before.score())
                .map(|(now, then)| now - then),
            tickers,
            top_themes: self.themes(newer, when, themes).await?,
            news: opinions
                .iter()
                .take(news)
                .map(|opinion| NewsItem {
                    brief_id: opinion.brief_id.clone(),
                    headline: opinion.headline.clone(),
                    impact_score: impact_score(opinion),
                    published_at: opinion.published_at,
                })
                .collect(),
        })
    }

    async fn themes(
        &self,
        opinions: &[BriefSentiment],
        when: PointInTime,
        most: usize,
    ) -> Result<Vec<String>> {
        let mut counts: HashMap<String, usize> = HashMap::new();
        let briefs = self.store.briefs();
        for opinion in opinions.iter().take(READ) {
            let found = briefs.find(&opinion.brief_id, when.as_of);
            let Some(stored) = found.await? else { continue };
            let brief = stored.brief;
            let events = brief
                .events
                .iter()
                .map(|event| event.kind.as_str().to_owned());
            let mut words: Vec<String> = brief.tags.iter().cloned().chain(events).collect();
            words.sort_unstable();
            words.dedup();
            for word in words {
                *counts.entry(word).or_default() += 1;
            }
        }
        let mut themes: Vec<(String, usize)> = counts.into_iter().collect();
        themes.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
        Ok(themes
            .into_iter()
            .take(most)
            .map(|(word, _)| word)
            .collect())
    }
}
