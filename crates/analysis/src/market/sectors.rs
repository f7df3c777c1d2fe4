//! What the briefs of some days say of each sector.

use std::collections::HashMap;

use market::sectors::{SectorMention, SectorRow, sectors};
use model::{Category, Market, Timestamp};
use store::BriefSentimentQuery;

use super::{PointInTime, Sentiment};
use crate::{Result, light};

/// The sectors, and what could not be counted to one.
#[derive(Clone, Debug, PartialEq)]
pub struct SectorBoard {
    /// Those that briefs name, the most first.
    pub rows: Vec<SectorRow>,
    /// How many sectors there are among the listings.
    pub known: usize,
    /// Mentions of symbols without a sector: funds, coins, and what no listing knows.
    pub left_out: usize,
}

impl Sentiment {
    /// What the briefs of the `days` × 24 hours before say of each sector.
    pub async fn sectors(
        &self,
        when: PointInTime,
        days: i64,
        categories: &[Category],
    ) -> Result<SectorBoard> {
        let query = BriefSentimentQuery {
            categories: categories.to_vec(),
            after: Some(when.end.plus_ms(-days * Timestamp::DAY_MS)),
            until: Some(when.end),
            as_of: when.as_of,
            ..BriefSentimentQuery::default()
        };
        let opinions = self.store.brief_sentiments().list(&query).await?;
        let listings = self.instruments.all().await?;
        let count = move || {
            let sector_of: HashMap<&str, &str> = listings
                .iter()
                .filter(|listing| listing.instrument.key().market == Market::Stock)
                .filter_map(|listing| {
                    Some((listing.ticker(), listing.instrument.sector.as_deref()?))
                })
                .collect();
            let mentions: Vec<SectorMention<'_>> = opinions
                .iter()
                .filter_map(|opinion| {
                    Some(SectorMention {
                        brief_id: &opinion.brief_id,
                        sector: sector_of.get(opinion.ticker.as_str())?,
                        ticker: &opinion.ticker,
                        sentiment: opinion.sentiment,
                    })
                })
                .collect();
            let mut known: Vec<&&str> = sector_of.values().collect();
            known.sort_unstable();
            known.dedup();
            SectorBoard {
                rows: sectors(&mentions),
                known: known.len(),
                left_out: opinions.len() - mentions.len(),
            }
        };
        light(count).await
    }
}
