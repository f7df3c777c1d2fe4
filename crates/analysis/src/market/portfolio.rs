//! The briefs from a number of hours that concern a portfolio, most relevant first.

use std::collections::HashMap;

use market::portfolio::{Mention, Portfolio, Relevance, Side, relevance};
use model::{Category, EntityRole, Score, Timestamp};
use store::{BriefSentiment, BriefSentimentQuery};

use super::{Coverage, PointInTime};
use crate::Result;

/// A brief that names a holding.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct PortfolioBrief {
    pub id: String,
    pub headline: String,
    pub category: Category,
    pub published_at: Timestamp,
    pub confidence: Score,
    pub relevance: Relevance,
}

/// The news for a portfolio.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PortfolioNews {
    /// Most relevant first; among equals, newest first.
    pub briefs: Vec<PortfolioBrief>,
    /// The number of holdings named by some brief.
    pub holdings_with_activity: usize,
    /// Weighted mean over these holdings, each with the mean of its briefs, reversed for short positions. `None` if
    /// there are none.
    pub avg_sentiment: Option<f64>,
}

/// How much a brief is about an entity with this role in it.
fn salience(role: EntityRole) -> Score {
    match role {
        EntityRole::Subject => Score::ONE,
        EntityRole::Related => Score::clamped(0.6),
        EntityRole::Mentioned => Score::clamped(0.3),
    }
}

impl Coverage {
    /// The briefs that were published after `after` and name a holding.
    pub async fn of_portfolio(
        &self,
        portfolio: &Portfolio,
        after: Timestamp,
        when: PointInTime,
        categories: &[Category],
    ) -> Result<PortfolioNews> {
        if portfolio.holdings().is_empty() {
            return Ok(PortfolioNews::default());
        }
        let query = BriefSentimentQuery {
            tickers: portfolio
                .holdings()
                .iter()
                .map(|holding| holding.ticker.clone())
                .collect(),
            categories: categories.to_vec(),
            after: Some(after),
            until: Some(when.end),
            as_of: when.as_of,
            limit: 0,
        };
        let opinions = self.store.brief_sentiments().list(&query).await?;
        Ok(of_opinions(portfolio, &opinions, when.end))
    }
}

fn of_opinions(
    portfolio: &Portfolio,
    opinions: &[BriefSentiment],
    now: Timestamp,
) -> PortfolioNews {
    let mut by_brief: HashMap<&str, Vec<&BriefSentiment>> = HashMap::new();
    for opinion in opinions {
        by_brief.entry(&opinion.brief_id).or_default().push(opinion);
    }
    let mut briefs: Vec<PortfolioBrief> = by_brief
        .into_values()
        .filter_map(|opinions| brief(portfolio, &opinions, now))
        .collect();
    briefs.sort_by(|a, b| {
        let by_score = b.relevance.score.total_cmp(&a.relevance.score);
        by_score
            .then_with(|| b.published_at.cmp(&a.published_at))
            .then_with(|| a.id.cmp(&b.id))
    });
    let mut active = 0;
    let (mut sum, mut weights, mut plain) = (0.0, 0.0, 0.0);
    for holding in portfolio.holdings() {
        let sentiments: Vec<f64> = opinions
            .iter()
            .filter(|opinion| opinion.ticker == holding.ticker)
            .map(|opinion| opinion.sentiment.get())
            .collect();
        if sentiments.is_empty() {
            continue;
        }
        let mean = sentiments.iter().sum::<f64>() / sentiments.len() as f64;
        let sentiment = match holding.side {
            Side::Long => mean,
            Side::Short => 1.0 - mean,
        };
        active += 1;
        sum += sentiment * holding.weight;
        weights += holding.weight;
        plain += sentiment;
    }
    let avg_sentiment = match (active, weights > 0.0) {
        (0, _) => None,
        (_, true) => Some(sum / weights),
        // Only holdings with a weight of zero are named.
        (active, false) => Some(plain / active as f64),
    };
    PortfolioNews {
        briefs,
        holdings_with_activity: active,
        avg_sentiment: avg_sentiment.filter(|mean| mean.is_finite()),
    }
}

fn brief(
    portfolio: &Portfolio,
    opinions: &[&BriefSentiment],
    now: Timestamp,
) -> Option<PortfolioBrief> {
    let first = opinions.first()?;
    let mentions: Vec<Mention<'_>> = opinions
        .iter()
        .map(|opinion| Mention {
            ticker: &opinion.ticker,
            sentiment: opinion.sentiment,
            salience: salience(opinion.role),
        })
        .collect();
    Some(PortfolioBrief {
        relevance: relevance(
            portfolio,
            &mentions,
            first.confidence,
            first.published_at,
            now,
        )?,
        id: first.brief_id.clone(),
        headline: first.headline.clone(),
        category: first.category,
        published_at: first.published_at,
        confidence: first.confidence,
    })
}
