//! What companies' filings say: the figures of all companies at a point in time, and of one company over time.
//!
//! A figure counts from the time its filing was known. Only the filings from the three years before the newest one are
//! read for it: these contain every period that twelve-month figures are built from. Results are kept for as long as
//! the market data does not change.

mod paid;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use market::actions::Splits;
use market::fundamentals::{
    Fundamentals as CompanyFigures, Statement, StatementPeriod, fundamentals, statements,
};
use model::{AssetType, Day, FactSet, InstrumentKey, Symbol, Timestamp};
use quick_cache::sync::Cache;
use store::{RecordQuery, StoredRecord};

use super::actions::facts_in_scale;
use super::cache::MarketCache;
use super::records::Records;
use super::{Instruments, PointInTime, Prices, TimeSeries};
use crate::{Error, Result, light};

/// Filings older than this relative to the newest say nothing about the trailing twelve months.
const FILINGS_DAYS: i32 = 1_100;
/// Filings older than this are not read for the figures of every company.
const NEWEST_DAYS: i32 = 5 * 366;
/// The number of companies whose filings are in memory at a time.
const CHUNK: usize = 32;
/// The number of points in time for which the figures of every company are kept.
const BOARDS: usize = 8;
/// The number of companies for which the figures over time are kept.
const COMPANIES: usize = 10_000;

/// Figures, and the first day by whose close they were known.
pub type FundamentalStep = (Day, CompanyFigures);

/// Reads what companies report and relates it to their price: figures, valuations, peers.
#[derive(Clone, Debug)]
pub struct Fundamentals {
    pub(super) records: Records,
    pub(super) instruments: Instruments,
    pub(super) prices: Prices,
    pub(super) series: TimeSeries,
    cache: Arc<MarketCache>,
    figures: Arc<FigureCache>,
}

/// The computed results, by market version.
struct FigureCache {
    boards: Cache<(i64, Option<Timestamp>), Arc<Board>>,
    companies: Cache<(i64, Symbol), Arc<Vec<FundamentalStep>>>,
}

/// The figures of every company at a point in time.
struct Board {
    found: Arc<HashMap<Symbol, CompanyFigures>>,
    /// When the next filing in the store becomes known, or the day ends.
    until: Option<Timestamp>,
}

impl Default for FigureCache {
    fn default() -> Self {
        Self {
            boards: Cache::new(BOARDS),
            companies: Cache::new(COMPANIES),
        }
    }
}

impl fmt::Debug for FigureCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FigureCache")
            .field("boards", &self.boards.len())
            .field("companies", &self.companies.len())
            .finish()
    }
}

impl Fundamentals {
    pub(super) fn new(
        records: Records,
        cache: Arc<MarketCache>,
        prices: Prices,
        series: TimeSeries,
    ) -> Self {
        Self {
            records,
            instruments: prices.instruments.clone(),
            prices,
            series,
            cache,
            figures: Arc::default(),
        }
    }

    /// The figures of every share with candles, as known at a point in time; shares without filings are left out.
    pub async fn figures(&self, when: PointInTime) -> Result<Arc<HashMap<Symbol, CompanyFigures>>> {
        self.cache.ensure_read().await?;
        let key = (self.cache.version(), when.as_of);
        let boards = &self.figures.boards;
        let board = boards.get_or_insert_async(&key, self.board(when)).await?;
        if board.until.is_none_or(|until| when.end < until) {
            return Ok(Arc::clone(&board.found));
        }
        boards.remove(&key);
        let board = boards.get_or_insert_async(&key, self.board(when)).await?;
        Ok(Arc::clone(&board.found))
    }

    /// The figures of a company over time, oldest first, in the scale of a given day: the figures from each day apply
    /// until the next. Empty without filings.
    pub async fn steps_of(&self, symbol: &Symbol, scale: Day) -> Result<Arc<Vec<FundamentalStep>>> {
        let splits = self.splits_of(symbol).await?;
        let key = (self.cache.version(), symbol.clone());
        let is_newest = splits.iter().all(|split| split.ex_date <= scale);
        let make = async {
            let query = RecordQuery::default();
            let sets = self.records.of_share::<FactSet>(symbol, query).await?;
            let sets = in_scale(sets, &splits, scale);
            Ok::<_, Error>(Arc::new(light(move || steps(sets)).await?))
        };
        if is_newest {
            self.figures.companies.get_or_insert_async(&key, make).await
        } else {
            make.await
        }
    }

    /// The splits of a share.
    async fn splits_of(&self, symbol: &Symbol) -> Result<Arc<Splits>> {
        let snapshot = self.cache.snapshot().await?;
        let listing = snapshot.listings.get(&InstrumentKey::stock(symbol.clone()));
        Ok(match listing {
            Some(listing) => Arc::clone(&listing.splits),
            None => Arc::new(snapshot.actions.splits(symbol, &[], Day::MIN)),
        })
    }

    /// Computes the figures of every share over time, so that the first backtest that needs them does not have to.
    pub(super) async fn prepare(&self) -> Result<()> {
        for listing in self.instruments.all().await?.iter().take(COMPANIES) {
            if listing.asset_type() == AssetType::Equity && !listing.candles.view().is_empty() {
                self.steps_of(&listing.instrument.symbol, Day::MAX).await?;
            }
        }
        Ok(())
    }

    /// The facts in a company's filings as known at a point in time.
    pub(crate) async fn filings_with_facts(
        &self,
        symbol: &Symbol,
        when: PointInTime,
    ) -> Result<Vec<StoredRecord<FactSet>>> {
        let query = RecordQuery {
            as_of: Some(when.end),
            ..RecordQuery::default()
        };
        self.records.of_share(symbol, query).await
    }

    /// The figures of one company as known at a point in time.
    pub async fn figures_of(
        &self,
        symbol: &Symbol,
        when: PointInTime,
    ) -> Result<Option<CompanyFigures>> {
        let sets = self.filings_with_facts(symbol, when).await?;
        let splits = self.splits_of(symbol).await?;
        let found = light(move || newest(&in_scale(sets, &splits, when.scale()))).await?;
        let Some(mut figures) = found else {
            return Ok(None);
        };
        self.take_dividends(symbol, &mut figures, when).await?;
        Ok(Some(figures))
    }

    /// The statements of one company as known at a point in time, oldest first, with per-share figures in the scale of
    /// that time, and their currency; `None` without filings.
    pub async fn statements_of(
        &self,
        symbol: &Symbol,
        period: StatementPeriod,
        when: PointInTime,
    ) -> Result<Option<(String, Vec<Statement>)>> {
        let sets = self.filings_with_facts(symbol, when).await?;
        let splits = self.splits_of(symbol).await?;
        light(move || {
            let sets = in_scale(sets, &splits, when.scale());
            let sets: Vec<&FactSet> = sets.iter().map(|set| &set.record).collect();
            statements(&sets, period)
        })
        .await
    }

    async fn board(&self, when: PointInTime) -> Result<Arc<Board>> {
        let mut found = HashMap::new();
        // Dividends cover one year, and that year moves on with every day.
        let mut until = Some(when.scale().plus(1).starts_at());
        let companies: Vec<Symbol> = self
            .instruments
            .all()
            .await?
            .iter()
            .filter(|listing| {
                listing.asset_type() == AssetType::Equity && !listing.candles.view().is_empty()
            })
            .map(|listing| listing.instrument.symbol.clone())
            .collect();
        for chunk in companies.chunks(CHUNK) {
            let mut read = Vec::with_capacity(chunk.len());
            for symbol in chunk {
                let query = RecordQuery {
                    from: Some(Day::of(when.end).plus(-NEWEST_DAYS)),
                    as_of: when.as_of,
                    ..RecordQuery::default()
                };
                let mut sets = self.records.of_share::<FactSet>(symbol, query).await?;
                let later = sets.iter().map(|set| set.known_at);
                let next = later.filter(|known_at| *known_at > when.end).min();
                until = [until, next].into_iter().flatten().min();
                sets.retain(|set| set.known_at <= when.end);
                if !sets.is_empty() {
                    let splits = self.splits_of(symbol).await?;
                    let sets = in_scale(sets, &splits, when.scale());
                    read.push((symbol.clone(), sets));
                }
            }
            let figures = light(move || {
                let figures = read.into_iter();
                let figures = figures.filter_map(|(symbol, sets)| Some((symbol, newest(&sets)?)));
                figures.collect::<Vec<_>>()
            });
            for (symbol, mut figures) in figures.await? {
                self.take_dividends(&symbol, &mut figures, when).await?;
                found.insert(symbol, figures);
            }
        }
        Ok(Arc::new(Board {
            found: Arc::new(found),
            until,
        }))
    }
}

/// Filings in the scale of a given day.
fn in_scale(
    mut sets: Vec<StoredRecord<FactSet>>,
    splits: &Splits,
    scale: Day,
) -> Vec<StoredRecord<FactSet>> {
    if !splits.is_empty() {
        for set in &mut sets {
            set.record = facts_in_scale(set.record.clone(), splits, scale);
        }
    }
    sets
}

/// The figures in these filings.
fn newest(sets: &[StoredRecord<FactSet>]) -> Option<CompanyFigures> {
    let last = sets.iter().map(|set| set.record.filed).max()?;
    let recent: Vec<&FactSet> = sets
        .iter()
        .map(|set| &set.record)
        .filter(|set| last.since(set.filed) <= FILINGS_DAYS)
        .collect();
    // All of them are known: a filing may be accepted on the evening before its filing date.
    fundamentals(&recent, Day::MAX)
}

/// The figures after each day on which filings became known.
fn steps(mut sets: Vec<StoredRecord<FactSet>>) -> Vec<FundamentalStep> {
    sets.sort_by_key(|set| set.known_at);
    let mut steps: Vec<FundamentalStep> = Vec::new();
    for end in 1..=sets.len() {
        let day = known_on(sets[end - 1].known_at);
        if sets
            .get(end)
            .is_some_and(|next| known_on(next.known_at) == day)
        {
            continue;
        }
        let Some(figures) = newest(&sets[..end]) else {
            continue;
        };
        if steps.last().is_none_or(|(_, before)| *before != figures) {
            steps.push((day, figures));
        }
    }
    steps
}

/// The first day by whose close something was known.
fn known_on(known_at: Timestamp) -> Day {
    let day = Day::of(known_at);
    if known_at <= PointInTime::known_at(day, AssetType::Equity) {
        day
    } else {
        day.plus(1)
    }
}

#[cfg(test)]
mod tests;
