//! Coverage of each sector, by number of briefs.

use std::collections::BTreeMap;

use model::{Score, Timestamp};

use crate::composite::Signal;

/// A brief about a ticker of a sector.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "each field names itself")]
pub struct SectorMention<'a> {
    pub brief_id: &'a str,
    pub sector: &'a str,
    pub ticker: &'a str,
    pub sentiment: Score,
    pub published_at: Timestamp,
}

/// Coverage of a sector.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct SectorRow {
    pub sector: String,
    /// Briefs, each counted once however many of its tickers belong to the sector.
    pub brief_count: usize,
    /// Mean over the mentions.
    pub avg_sentiment: f64,
    pub signal: Signal,
    /// The ticker with the most mentions; ties are broken by name.
    pub top_ticker: String,
    /// When the newest of its briefs was published.
    pub as_of: Timestamp,
}

/// Sectors by number of briefs, the largest first; ties are broken by name.
pub fn sectors(mentions: &[SectorMention<'_>]) -> Vec<SectorRow> {
    let mut found: BTreeMap<&str, Vec<&SectorMention<'_>>> = BTreeMap::new();
    for mention in mentions {
        found.entry(mention.sector).or_default().push(mention);
    }
    let mut rows: Vec<_> = found
        .into_iter()
        .map(|(sector, mentions)| sector_row(sector, &mentions))
        .collect();
    // The sort is stable, so equal counts keep their order by name.
    rows.sort_by_key(|row| std::cmp::Reverse(row.brief_count));
    rows
}

fn sector_row(sector: &str, mentions: &[&SectorMention<'_>]) -> SectorRow {
    let mut briefs: Vec<&str> = mentions.iter().map(|mention| mention.brief_id).collect();
    briefs.sort_unstable();
    briefs.dedup();
    let mut tickers: BTreeMap<&str, usize> = BTreeMap::new();
    for mention in mentions {
        *tickers.entry(mention.ticker).or_default() += 1;
    }
    let top = tickers
        .into_iter()
        .reduce(|best, other| if other.1 > best.1 { other } else { best });
    let sentiments = mentions.iter().map(|mention| mention.sentiment.get());
    let avg_sentiment = sentiments.sum::<f64>() / mentions.len() as f64;
    SectorRow {
        sector: sector.to_owned(),
        brief_count: briefs.len(),
        avg_sentiment,
        signal: Signal::of(avg_sentiment),
        as_of: mentions
            .iter()
            .map(|mention| mention.published_at)
            .max()
            .unwrap_or(Timestamp::from_ms(0)),
        top_ticker: top.map_or_else(String::new, |(ticker, _)| ticker.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sectors_rank_by_briefs() {
        let mention = |brief_id, sector, ticker, sentiment| SectorMention {
            brief_id,
            sector,
            ticker,
            sentiment: Score::new(sentiment).unwrap(),
            published_at: Timestamp::from_ms(1_000),
        };
        let found = sectors(&[
            mention("1", "Tech", "B", 0.9),
            mention("1", "Tech", "A", 0.7),
            mention("2", "Tech", "B", 0.8),
            mention("3", "Energy", "X", 0.1),
            mention("4", "Banks", "Y", 0.5),
        ]);
        let rows: Vec<_> = found
            .iter()
            .map(|row| {
                (
                    row.sector.as_str(),
                    row.brief_count,
                    row.top_ticker.as_str(),
                    row.signal,
                )
            })
            .collect();
        assert_eq!(
            rows,
            [
                ("Tech", 2, "B", Signal::StrongBullish),
                ("Banks", 1, "Y", Signal::Neutral),
                ("Energy", 1, "X", Signal::StrongBearish),
            ]
        );
        assert!((found[0].avg_sentiment - 0.8).abs() < 1e-12);
    }
}
