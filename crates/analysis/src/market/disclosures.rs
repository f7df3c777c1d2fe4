//! Disclosures: SEC filings, trades by insiders and lawmakers, and institutional holdings.

use std::collections::BTreeSet;

use model::{CongressTrade, Day, Filing, InsiderLine, Symbol};
use store::{RecordQuery, StoredRecord};

use super::records::Records;
use super::{Listing, PointInTime};
use crate::Result;

/// Reads what companies, insiders, lawmakers and institutions disclosed.
#[derive(Clone, Debug)]
pub struct Disclosures {
    pub(super) records: Records,
}

/// Which filings to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilingQuery {
    /// Exactly this form, case-insensitive.
    pub form: Option<String>,
    /// Words that must all occur in the name, symbol, form or description.
    pub containing: Vec<String>,
    /// The maximum number, newest first.
    pub limit: u64,
}

/// Which trades by one company's insiders to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InsiderQuery {
    /// The number of days up to the point in time.
    pub days: i32,
    /// The maximum number, newest first.
    pub limit: u64,
}

/// Which trades by insiders of all companies to list.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecentInsiderQuery {
    /// Only `buy` or only `sell`.
    pub kind: Option<&'static str>,
    /// At least this many USD; trades without a price are then left out.
    pub min_value: Option<f64>,
    /// The maximum number, newest first.
    pub limit: u64,
}

/// Which trades by lawmakers to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CongressQuery {
    /// Only trades in this symbol.
    pub symbol: Option<Symbol>,
    /// Only `house` or only `senate`.
    pub chamber: Option<&'static str>,
    /// Only members whose name contains all these parts, case-insensitive.
    pub member: Vec<String>,
    /// The maximum number, newest first.
    pub limit: u64,
}

impl From<FilingQuery> for RecordQuery {
    fn from(query: FilingQuery) -> Self {
        Self {
            words: query.form.into_iter().collect(),
            containing: query.containing,
            limit: query.limit,
            ..Self::default()
        }
    }
}

fn bare<R>(found: Vec<StoredRecord<R>>) -> Vec<R> {
    found.into_iter().map(|stored| stored.record).collect()
}

impl Disclosures {
    pub(super) fn new(records: Records) -> Self {
        Self { records }
    }

    /// The filings of a company, under any of its symbols, newest first.
    pub async fn filings_of(
        &self,
        listing: &Listing,
        query: FilingQuery,
        when: PointInTime,
    ) -> Result<Vec<Filing>> {
        let limit = query.limit;
        let query: RecordQuery = query.into();
        let mut found: Vec<Filing> = bare(self.records.of(listing, when, query.clone()).await?);
        for class in listing.classes.iter() {
            let query = RecordQuery {
                as_of: Some(when.end),
                ..query.clone()
            };
            found.extend(bare(self.records.of_share::<Filing>(class, query).await?));
        }
        if !listing.classes.is_empty() {
            let mut seen = BTreeSet::new();
            found.retain(|filing| seen.insert(filing.accession.clone()));
            found.sort_by_key(|filing| std::cmp::Reverse(filing.filed_date));
            if limit > 0 {
                found.truncate(limit as usize);
            }
        }
        Ok(found)
    }

    /// The matching filings of all companies, newest first.
    pub async fn filings(&self, query: FilingQuery, when: PointInTime) -> Result<Vec<Filing>> {
        Ok(bare(self.records.known(when, query.into()).await?))
    }

    /// The trades by a company's insiders, newest first.
    pub async fn insider_trades_of(
        &self,
        listing: &Listing,
        query: InsiderQuery,
        when: PointInTime,
    ) -> Result<Vec<InsiderLine>> {
        let today = Day::of(when.end);
        let wanted = RecordQuery {
            from: Some(today.plus(-query.days)),
            to: Some(today),
            limit: query.limit,
            ..RecordQuery::default()
        };
        Ok(bare(self.records.of(listing, when, wanted).await?))
    }

    /// The newest trade by any insider of a company, however long ago.
    pub async fn newest_insider_trade(
        &self,
        listing: &Listing,
        when: PointInTime,
    ) -> Result<Option<InsiderLine>> {
        let wanted = RecordQuery {
            to: Some(Day::of(when.end)),
            limit: 1,
            ..RecordQuery::default()
        };
        let found = self.records.of(listing, when, wanted).await?;
        Ok(bare(found).into_iter().next())
    }

    /// The trades by insiders of all companies, newest first.
    pub async fn insider_trades(
        &self,
        query: RecentInsiderQuery,
        when: PointInTime,
    ) -> Result<Vec<InsiderLine>> {
        let wanted = RecordQuery {
            words: query.kind.into_iter().map(str::to_owned).collect(),
            min_amount: query.min_value,
            // A form may contain an impossible date.
            to: Some(Day::of(when.end)),
            limit: query.limit,
            ..RecordQuery::default()
        };
        Ok(bare(self.records.known(when, wanted).await?))
    }

    /// The trades disclosed by lawmakers, newest disclosure first.
    pub async fn congress_trades(
        &self,
        query: CongressQuery,
        when: PointInTime,
    ) -> Result<Vec<CongressTrade>> {
        let symbol = query.symbol;
        let wanted = RecordQuery {
            words: query.chamber.into_iter().map(str::to_owned).collect(),
            containing: query.member,
            // A disclosure may contain an impossible date.
            to: Some(Day::of(when.end)),
            limit: query.limit,
            as_of: Some(when.end),
            ..RecordQuery::default()
        };
        let found = match &symbol {
            Some(symbol) => self.records.of_share(symbol, wanted).await?,
            None => self.records.list(wanted).await?,
        };
        Ok(bare(found))
    }
}
