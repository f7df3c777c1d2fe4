//! The market data of a folder in a store: every file of `market`, `macro` and `wire` whose kind its name gives.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use ingest::market::write_market;
use market::calendar;
use model::{Day, MarketBatch, Symbol, Timestamp};
use providers::import::market::disclosures::{
    self, DisclosureFile, DisclosureOptions, IssuerNames, Legislator,
};
use providers::import::market::files::{self, FileOptions, MarketFile};
use providers::import::market::{FileSource, ReadError, load_document};
use store::Store;

use crate::data::Data;

/// Series of candles in one transaction.
const SERIES: usize = 100;

#[derive(Clone, Copy)]
enum Kind {
    File(MarketFile),
    Disclosure(DisclosureFile),
}

/// Which files are which, in the order in which they are imported: a folder, the beginning of a name, a kind.
const FILES: [(&str, &str, Kind); 24] = [
    (
        "market",
        "sp500_constituents.",
        Kind::File(MarketFile::Listings),
    ),
    (
        "market",
        "nasdaq_listed_symbols",
        Kind::File(MarketFile::Listings),
    ),
    (
        "market",
        "nyse_other_listed",
        Kind::File(MarketFile::Listings),
    ),
    (
        "wire/sec",
        "company_tickers",
        Kind::File(MarketFile::Listings),
    ),
    ("market", "equities_sp500", Kind::File(MarketFile::Candles)),
    (
        "market",
        "equities_nasdaqcom",
        Kind::File(MarketFile::Candles),
    ),
    (
        "market",
        "indices_and_sector",
        Kind::File(MarketFile::Candles),
    ),
    ("market", "vix_daily", Kind::File(MarketFile::Candles)),
    ("market", "crypto_daily", Kind::File(MarketFile::Crypto)),
    ("market", "commodit", Kind::File(MarketFile::Commodities)),
    ("market", "fx_ecb", Kind::File(MarketFile::Fx)),
    ("macro", "", Kind::File(MarketFile::Macro)),
    (
        "wire/fred",
        "observations_array",
        Kind::File(MarketFile::Macro),
    ),
    (
        "market",
        "sp500_constituents_financials",
        Kind::Disclosure(DisclosureFile::Fundamentals),
    ),
    (
        "wire/sec",
        "companyfacts",
        Kind::Disclosure(DisclosureFile::Fundamentals),
    ),
    (
        "wire/yahoo",
        "fundamentalsTimeSeries-",
        Kind::Disclosure(DisclosureFile::Fundamentals),
    ),
    (
        "wire/yahoo",
        "quoteSummary-all-",
        Kind::Disclosure(DisclosureFile::Fundamentals),
    ),
    (
        "wire/sec",
        "form4",
        Kind::Disclosure(DisclosureFile::Insider),
    ),
    (
        "wire/sec",
        "submission_",
        Kind::Disclosure(DisclosureFile::Insider),
    ),
    (
        "wire/sec",
        "submissions_sample",
        Kind::Disclosure(DisclosureFile::Filings),
    ),
    (
        "wire/sec/submissions",
        "",
        Kind::Disclosure(DisclosureFile::Filings),
    ),
    (
        "wire/congress",
        "house_transactions",
        Kind::Disclosure(DisclosureFile::Congress),
    ),
    (
        "wire/congress",
        "senate_transactions",
        Kind::Disclosure(DisclosureFile::Congress),
    ),
    (
        "wire/congress",
        "senate_stock_watcher",
        Kind::Disclosure(DisclosureFile::Congress),
    ),
];

/// Imports what the folder has; how many files that were. A file that cannot be read is an error, one that is absent not.
pub(crate) async fn import(data: &Data, store: &Store, now: Timestamp) -> anyhow::Result<usize> {
    let mut count = 0;
    let mut known = Known::of(store).await?;
    for (folder, beginning, kind) in FILES {
        if matches!(kind, Kind::Disclosure(_)) {
            known = Known::of(store).await?;
        }
        for path in data.entries(folder) {
            let name = bare_name(&path);
            if !path.is_file() || !name.starts_with(beginning) {
                continue;
            }
            let batches = read(kind, &path, &name, &known, now)
                .with_context(|| path.display().to_string())?;
            for batch in batches {
                write(store, batch, now).await?;
            }
            count += 1;
        }
    }
    Ok(count)
}

/// What the store knows that helps to read a file.
struct Known {
    symbols_by_cik: BTreeMap<u64, Symbol>,
    issuers: IssuerNames,
    legislators: Vec<Legislator>,
}

impl Known {
    async fn of(store: &Store) -> anyhow::Result<Self> {
        let listed = store.market().instruments_since(-1).await?;
        let pairs = listed.iter().filter_map(|stored| {
            let name = stored.instrument.name.as_deref()?;
            Some((name, stored.instrument.symbol.clone()))
        });
        let issuers = IssuerNames::new(pairs);
        let mut symbols_by_cik = BTreeMap::new();
        for stored in &listed {
            if let Some(cik) = stored.instrument.cik {
                symbols_by_cik
                    .entry(cik)
                    .or_insert_with(|| stored.instrument.symbol.clone());
            }
        }
        Ok(Self {
            symbols_by_cik,
            issuers,
            legislators: Vec::new(),
        })
    }
}

fn read(
    kind: Kind,
    path: &Path,
    name: &str,
    known: &Known,
    now: Timestamp,
) -> Result<Vec<MarketBatch>, ReadError> {
    let source = FileSource::new(path);
    match kind {
        Kind::File(kind) => {
            let options = FileOptions {
                at: now,
                closed: &|day| !calendar::is_session(day),
                ..FileOptions::new(Day::of(now))
            };
            let mut batches = Vec::new();
            let mut take = |batch| {
                batches.push(batch);
                Ok(())
            };
            files::load_in_pieces(kind, name, &source, &options, &mut take)?;
            Ok(batches)
        }
        Kind::Disclosure(kind) => {
            let by_cik = |cik| known.symbols_by_cik.get(&cik).cloned();
            let by_issuer = |issuer: &str, class: &str| known.issuers.find(issuer, class);
            let options = DisclosureOptions {
                symbol_of_cik: Some(&by_cik),
                symbol_of_issuer: Some(&by_issuer),
                legislators: &known.legislators,
                at: Some(now),
                ..DisclosureOptions::default()
            };
            let reading = disclosures::parse(kind, name, &load_document(&source)?, &options)?;
            Ok(vec![reading.batch])
        }
    }
}

async fn write(store: &Store, mut batch: MarketBatch, now: Timestamp) -> anyhow::Result<()> {
    let (mut candles, scale) = (std::mem::take(&mut batch.candles), batch.scale);
    let source = std::mem::take(&mut batch.source);
    write_market(store, &batch, now).await?;
    while !candles.is_empty() {
        let rest = candles.split_off(candles.len().min(SERIES));
        let piece = MarketBatch {
            candles: std::mem::replace(&mut candles, rest),
            scale,
            source: source.clone(),
            ..MarketBatch::default()
        };
        write_market(store, &piece, now).await?;
    }
    Ok(())
}

fn bare_name(path: &Path) -> String {
    let name = PathBuf::from(path.file_name().unwrap_or_default());
    let name = name.to_string_lossy();
    name.strip_suffix(".gz").unwrap_or(&name).to_owned()
}
