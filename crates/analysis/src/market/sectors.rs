//! What the briefs from a number of days say about each sector.

use std::collections::{BTreeSet, HashMap};

use market::sectors::{SectorMention, SectorRow, sectors};
use model::{Category, Market, Timestamp};
use store::BriefSentimentQuery;

use super::{Freshness, PointInTime, Sentiment};
use crate::{Result, light};

/// The sectors, and what could not be assigned to one.
#[derive(Clone, Debug, PartialEq)]
pub struct SectorBoard {
    /// The sectors that briefs name, the most-named first.
    pub rows: Vec<SectorRow>,
    /// The number of sectors among the listings.
    pub known: usize,
    /// Mentions of symbols without a sector: funds, coins, and symbols unknown to any listing.
    pub left_out: usize,
    /// Symbols that briefs name but that are not counted because their newest price is too old.
    pub too_old: Vec<String>,
    /// The number of symbols with a sector that briefs name.
    pub named: usize,
}

impl Sentiment {
    /// What the briefs from the preceding `days` × 24 hours say about each sector.
    pub async fn sectors(
        &self,
        when: PointInTime,
        days: i64,
        categories: &[Category],
        freshness: Freshness,
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
            let named: BTreeSet<&str> = opinions
                .iter()
                .map(|opinion| opinion.ticker.as_str())
                .filter(|ticker| sector_of.contains_key(*ticker))
                .collect();
            let too_old: BTreeSet<&str> = listings
                .iter()
                .filter(|listing| listing.instrument.key().market == Market::Stock)
                .filter(|listing| named.contains(listing.ticker()))
                .filter(|listing| freshness.is_too_old(listing, when))
                .map(|listing| listing.ticker())
                .collect();
            let without_sector = opinions
                .iter()
                .filter(|opinion| !named.contains(opinion.ticker.as_str()))
                .count();
            let mentions: Vec<SectorMention<'_>> = opinions
                .iter()
                .filter(|opinion| !too_old.contains(opinion.ticker.as_str()))
                .filter_map(|opinion| {
                    Some(SectorMention {
                        brief_id: &opinion.brief_id,
                        sector: sector_of.get(opinion.ticker.as_str())?,
                        ticker: &opinion.ticker,
                        sentiment: opinion.sentiment,
                        published_at: opinion.published_at,
                    })
                })
                .collect();
            let mut known: Vec<&&str> = sector_of.values().collect();
            known.sort_unstable();
            known.dedup();
            SectorBoard {
                rows: sectors(&mentions),
                known: known.len(),
                left_out: without_sector,
                named: named.len(),
                too_old: too_old.into_iter().map(str::to_owned).collect(),
            }
        };
        light(count).await
    }
}
