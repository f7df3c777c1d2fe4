//! `assay import candles|listings|fundamentals|…`: market data files into the store.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use ingest::market::{MarketOutcome, ScaleFinding, name_disclosures, write_market};
use market::calendar;
use model::{Day, Market, MarketBatch, PriceScale, Symbol};
use providers::import::market::disclosures::{
    self, DisclosureFile, DisclosureOptions, IssuerNames, Legislator,
};
use providers::import::market::files::{self, FileOptions, MarketFile};
use providers::import::market::{
    FileSource, MemorySource, ReadError, ReadReport, Source, load_document,
};
use serde::Serialize;
use store::Store;
use tokio::runtime::Handle;

use super::{Problem, SHOWN_PROBLEMS, progress_bar};
use crate::clock::now;
use crate::commands::Place;
use crate::output::show;

/// How many problem rows are reported with their line; all are counted.
const KEPT_PROBLEMS: usize = 1_000;
/// How many unused fields are printed; `--json` has all of them.
const SHOWN_FIELDS: usize = 12;

/// What files of market data hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarketKind {
    File(MarketFile),
    Disclosure(DisclosureFile),
}

/// What a file of market data does not say itself.
#[derive(Debug, Default, Args)]
pub(super) struct MarketArguments {
    /// The symbol or series of a file, where neither its content nor its name says so
    #[arg(long, value_name = "SYMBOL")]
    symbol: Option<String>,
    /// The candles are of coins
    #[arg(long)]
    crypto: bool,
    /// The candles are as traded: no split is contained in them
    #[arg(long, conflicts_with = "adjusted_through")]
    as_traded: bool,
    /// The candles contain the splits until this day; until their last day where nothing is said
    #[arg(long, value_name = "DATE", value_parser = parse_day)]
    adjusted_through: Option<Day>,
    /// The institution of a 13F information table that comes without its cover
    #[arg(long, value_name = "NAME")]
    institution: Option<String>,
    /// The institution's CIK
    #[arg(long, value_name = "CIK")]
    institution_cik: Option<u64>,
    /// Last day of the quarter of such a table
    #[arg(long, value_name = "DATE", value_parser = parse_day)]
    report_date: Option<Day>,
    /// The filing date of a document that does not state it
    #[arg(long, value_name = "DATE", value_parser = parse_day)]
    filed: Option<Day>,
}

fn parse_day(text: &str) -> Result<Day, String> {
    Day::parse(text).ok_or_else(|| format!("{text:?} is not a date such as 2026-03-01"))
}

/// What a run did, for people and with `--json`.
#[derive(Debug, Default, Serialize)]
struct Report {
    files: Vec<String>,
    dry_run: bool,
    seconds: f64,
    rows: u64,
    /// By what was written: rows that are new, already known, or changed.
    written: BTreeMap<&'static str, Counts>,
    refused: BTreeMap<String, u64>,
    /// Candles that were not in the scale of the stored ones, and what was done with them.
    scales: Vec<String>,
    /// Filings and holdings in this run for companies that no listing names yet.
    without_symbol: BTreeMap<&'static str, u64>,
    /// Filings and holdings from earlier runs that have now been given their symbol.
    named: BTreeMap<&'static str, u64>,
    problems: Vec<Problem>,
    unused: BTreeMap<String, u64>,
    unreadable: Vec<Unreadable>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Counts {
    added: u64,
    known: u64,
    corrected: u64,
    #[serde(skip_serializing_if = "is_zero")]
    superseded: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[derive(Debug, Serialize)]
struct Unreadable {
    file: String,
    reason: String,
}

/// What the store knows that helps to read a file.
struct Known {
    symbols_by_cik: BTreeMap<u64, Symbol>,
    issuers: IssuerNames,
    legislators: Vec<Legislator>,
}

pub(super) async fn run(
    place: &Place,
    kind: MarketKind,
    arguments: &super::ImportArguments,
    store: &Store,
) -> anyhow::Result<()> {
    let started = Instant::now();
    let mut report = Report {
        dry_run: arguments.dry_run,
        ..Report::default()
    };
    let mut known = known(store).await?;
    let mut files = Vec::new();
    for path in &arguments.files {
        let file = MarketSource::open(path)?;
        // The table of members gives the parties for all files next to it.
        if kind == MarketKind::Disclosure(DisclosureFile::Congress)
            && let Some(legislators) = tokio::task::block_in_place(|| legislators(file.source()))
        {
            report.rows += legislators.len() as u64;
            report.files.push(path.display().to_string());
            known.legislators.extend(legislators);
            continue;
        }
        files.push((path, file));
    }
    for (path, source) in files {
        let file = path.display().to_string();
        report.files.push(file.clone());
        let name = bare_name(path);
        let bar = progress_bar(&file, std::fs::metadata(path).ok().map(|found| found.len()));
        let mut failure = None;
        let mut take = |batch: MarketBatch| {
            bar.set_position(source.bytes_read());
            if arguments.dry_run {
                report.foresee(&batch);
                return Ok(());
            }
            report.note_nameless(&batch);
            match Handle::current().block_on(write(store, batch)) {
                Ok(outcome) => {
                    report.take(&outcome);
                    Ok(())
                }
                Err(error) => {
                    failure = Some(error);
                    Err(ReadError::Stopped)
                }
            }
        };
        let reading = tokio::task::block_in_place(|| {
            let source = source.source();
            // A defect found in one file affects that file and none of those next to it.
            catch_unwind(AssertUnwindSafe(|| {
                read(kind, &name, source, &arguments.market, &known, &mut take)
            }))
        });
        bar.finish_and_clear();
        if let Some(error) = failure {
            return Err(error).with_context(|| {
                format!(
                    "import of {file} stopped; what was imported is kept, run it again to continue"
                )
            });
        }
        match reading {
            Ok(Ok(met)) => report.note(&file, met),
            Ok(Err(error)) => {
                let reason = format!("{:#}", anyhow::Error::from(error));
                report.unreadable.push(Unreadable { file, reason });
            }
            Err(_) => {
                let reason = "reading it failed: a bug in this program".to_owned();
                report.unreadable.push(Unreadable { file, reason });
            }
        }
    }
    let may_name = !matches!(
        kind,
        MarketKind::File(MarketFile::Candles | MarketFile::Actions)
    );
    if may_name && !arguments.dry_run {
        report.name_disclosures(store).await?;
    }
    report.seconds = started.elapsed().as_secs_f64();
    let nothing = report.unreadable.len() == report.files.len();
    show(place.json(), &report, Report::lines)?;
    if nothing {
        bail!("no file could be read");
    }
    Ok(())
}

/// What is read: a file, or the contents of standard input.
enum MarketSource {
    File(FileSource),
    Input(MemorySource),
}

impl MarketSource {
    /// A file is opened when it is read; standard input, which can be read only once, is read now.
    fn open(path: &Path) -> anyhow::Result<Self> {
        let file = FileSource::new(path);
        if path.as_os_str() != "-" {
            return Ok(Self::File(file));
        }
        let bytes = tokio::task::block_in_place(|| load_document(&file));
        let bytes = bytes.context("standard input cannot be read")?;
        Ok(Self::Input(MemorySource::new(bytes)))
    }

    fn source(&self) -> &dyn Source {
        match self {
            Self::File(file) => file,
            Self::Input(input) => input,
        }
    }

    fn bytes_read(&self) -> u64 {
        match self {
            Self::File(file) => file.bytes_read(),
            Self::Input(_) => 0,
        }
    }
}

fn legislators(source: &dyn Source) -> Option<Vec<Legislator>> {
    disclosures::parse_legislators(&load_document(source).ok()?).ok()
}

fn read(
    kind: MarketKind,
    name: &str,
    source: &dyn Source,
    arguments: &MarketArguments,
    known: &Known,
    take: &mut dyn FnMut(MarketBatch) -> Result<(), ReadError>,
) -> Result<ReadReport, ReadError> {
    match kind {
        MarketKind::File(kind) => {
            let options = FileOptions {
                symbol: arguments.symbol.as_deref(),
                market: if arguments.crypto {
                    Market::Crypto
                } else {
                    Market::Stock
                },
                at: now(),
                scale: if arguments.as_traded {
                    Some(PriceScale::AsTraded)
                } else {
                    arguments.adjusted_through.map(PriceScale::Through)
                },
                closed: &|day| !calendar::is_session(day),
                ..FileOptions::new(Day::of(now()))
            };
            files::load_in_pieces(kind, name, source, &options, take)
        }
        MarketKind::Disclosure(kind) => {
            let symbol = arguments.symbol.as_deref().and_then(Symbol::parse);
            let by_cik = |cik| known.symbols_by_cik.get(&cik).cloned();
            let by_issuer = |issuer: &str, class: &str| known.issuers.find(issuer, class);
            let options = DisclosureOptions {
                symbol: symbol.as_ref(),
                symbol_of_cik: Some(&by_cik),
                symbol_of_issuer: Some(&by_issuer),
                institution: arguments.institution.as_deref(),
                institution_cik: arguments.institution_cik,
                report_date: arguments.report_date,
                filed: arguments.filed,
                legislators: &known.legislators,
                at: Some(now()),
            };
            let reading = disclosures::parse(kind, name, &load_document(source)?, &options)?;
            take(reading.batch)?;
            Ok(reading.report)
        }
    }
}

async fn known(store: &Store) -> anyhow::Result<Known> {
    let listed = store.market().instruments_since(-1).await?;
    let pairs = listed.iter().filter_map(|stored| {
        let name = stored.instrument.name.as_deref()?;
        Some((name, stored.instrument.symbol.clone()))
    });
    let issuers = IssuerNames::new(pairs);
    let mut symbols_by_cik = BTreeMap::new();
    for stored in &listed {
        if let Some(cik) = stored.instrument.cik {
            // Of several share classes, the first by symbol is the company's.
            symbols_by_cik
                .entry(cik)
                .or_insert_with(|| stored.instrument.symbol.clone());
        }
    }
    Ok(Known {
        symbols_by_cik,
        issuers,
        legislators: Vec::new(),
    })
}

/// Writes a batch in pieces, so that nobody else has to wait for long.
async fn write(store: &Store, mut batch: MarketBatch) -> anyhow::Result<MarketOutcome> {
    /// Candle series per transaction.
    const SERIES: usize = 200;
    let mut outcome = MarketOutcome::default();
    let mut candles = std::mem::take(&mut batch.candles);
    let (scale, source) = (batch.scale, std::mem::take(&mut batch.source));
    outcome.add(&write_market(store, &batch, now()).await?);
    drop(batch);
    while !candles.is_empty() {
        let rest = candles.split_off(candles.len().min(SERIES));
        let piece = MarketBatch {
            candles: std::mem::replace(&mut candles, rest),
            scale,
            source: source.clone(),
            ..MarketBatch::default()
        };
        outcome.add(&write_market(store, &piece, now()).await?);
    }
    Ok(outcome)
}

/// The file's name without its folder or `.gz`.
fn bare_name(path: &Path) -> String {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    name.strip_suffix(".gz").map_or(name.clone(), str::to_owned)
}

impl Report {
    /// Records what was found in a file.
    fn note(&mut self, file: &str, met: ReadReport) {
        self.rows += met.rows;
        for (reason, count) in met.refused {
            *self.refused.entry(reason).or_default() += count;
        }
        for (field, count) in met.unused {
            *self.unused.entry(field).or_default() += count;
        }
        let room = KEPT_PROBLEMS.saturating_sub(self.problems.len());
        let problems = met.problems.into_iter().take(room);
        self.problems.extend(problems.map(|problem| Problem {
            file: file.to_owned(),
            line: problem.line,
            reason: problem.reason,
        }));
    }

    /// Counts what part of a batch is stored without a symbol.
    fn note_nameless(&mut self, batch: &MarketBatch) {
        let filings = batch.filings.iter();
        let filings = filings.filter(|filing| filing.symbol.is_none()).count();
        let reports = batch.holdings_reports.iter();
        let holdings = reports.flat_map(|report| &report.holdings);
        let holdings = holdings.filter(|held| held.symbol.is_none()).count();
        for (name, count) in [("filings", filings), ("holdings", holdings)] {
            if count > 0 {
                *self.without_symbol.entry(name).or_default() += count as u64;
            }
        }
    }

    /// Gives symbols to what came before its listing, whichever kind of run brings the two together.
    async fn name_disclosures(&mut self, store: &Store) -> anyhow::Result<()> {
        let known = known(store).await?;
        let named = name_disclosures(
            store,
            now(),
            |cik| known.symbols_by_cik.get(&cik).cloned(),
            |issuer, class| known.issuers.find(issuer, class),
        )
        .await?;
        for (name, count) in [("filings", named.filings), ("holdings", named.holdings)] {
            if count > 0 {
                self.named.insert(name, count);
                if let Some(left) = self.without_symbol.get_mut(name) {
                    *left = left.saturating_sub(count);
                }
            }
        }
        self.without_symbol.retain(|_, left| *left > 0);
        Ok(())
    }

    fn take(&mut self, outcome: &MarketOutcome) {
        for (name, written) in &outcome.written {
            let counts = self.written.entry(name).or_default();
            counts.added += written.added;
            counts.known += written.known;
            counts.corrected += written.corrected;
            counts.superseded += written.superseded;
        }
        for note in &outcome.scales {
            self.scales.push(note.words());
            if let ScaleFinding::Refused(_) = note.finding {
                let reason = "the prices are not in the scale of those that are stored".to_owned();
                *self.refused.entry(reason).or_default() += note.rows;
            }
        }
    }

    /// What a dry run would pass to the store.
    fn foresee(&mut self, batch: &MarketBatch) {
        let sums = [
            ("instruments", batch.instruments.len()),
            (
                "candles",
                batch.candles.iter().map(|(_, rows)| rows.len()).sum(),
            ),
            (
                "values",
                batch.series.iter().map(|(_, rows)| rows.len()).sum(),
            ),
            ("filings_with_facts", batch.facts.len()),
            ("valuations", batch.valuations.len()),
            ("earnings", batch.earnings.len()),
            ("ratings", batch.ratings.len()),
            ("actions", batch.actions.len()),
            ("filings", batch.filings.len()),
            (
                "insider_trades",
                batch
                    .insider_forms
                    .iter()
                    .map(|form| form.trades.len())
                    .sum(),
            ),
            (
                "holdings",
                batch
                    .holdings_reports
                    .iter()
                    .map(|report| report.holdings.len())
                    .sum(),
            ),
            ("congress_trades", batch.congress_trades.len()),
            ("coins", batch.coins.len()),
            ("hours", batch.hours.len()),
            ("crypto_globals", batch.crypto_globals.len()),
            ("protocols", batch.protocols.len()),
            ("chains", batch.chains.len()),
        ];
        for (name, count) in sums {
            if count > 0 {
                self.written.entry(name).or_default().added += count as u64;
            }
        }
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for problem in self.problems.iter().take(SHOWN_PROBLEMS) {
            lines.push(format!(
                "{} line {}: {}",
                problem.file, problem.line, problem.reason
            ));
        }
        let refused: u64 = self.refused.values().sum();
        let unshown = refused.saturating_sub(self.problems.len().min(SHOWN_PROBLEMS) as u64);
        if unshown > 0 {
            lines.push(format!("… and {unshown} more lines with problems"));
        }
        for one in &self.unreadable {
            lines.push(format!("{} is not read: {}", one.file, one.reason));
        }
        lines.push(format!(
            "{} rows in {:.1} s, {refused} refused",
            self.rows, self.seconds
        ));
        for (reason, count) in &self.refused {
            lines.push(format!("  refused {count}: {reason}"));
        }
        for (name, counts) in &self.written {
            let name = name.replace('_', " ");
            lines.push(if self.dry_run {
                format!("{name}: {} would be imported", counts.added)
            } else {
                let superseded = match counts.superseded {
                    0 => String::new(),
                    count => format!(", {count} older than what is stored"),
                };
                format!(
                    "{name}: {} new, {} known already, {} corrected{superseded}",
                    counts.added, counts.known, counts.corrected
                )
            });
        }
        for (name, count) in &self.named {
            lines.push(format!(
                "{name}: {count} imported before their listing now have a symbol"
            ));
        }
        for (name, count) in &self.without_symbol {
            lines.push(format!(
                "{name}: {count} kept without a symbol, because no listing names their company; they get it when one does"
            ));
        }
        lines.extend(self.scales.iter().cloned());
        if !self.unused.is_empty() {
            let mut fields: Vec<(&String, &u64)> = self.unused.iter().collect();
            fields.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let shown: Vec<String> = fields
                .iter()
                .take(SHOWN_FIELDS)
                .map(|(field, count)| format!("{field} ({count})"))
                .collect();
            let more = match fields.len().saturating_sub(SHOWN_FIELDS) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            lines.push(format!("fields not used: {}{more}", shown.join(", ")));
        }
        lines
    }
}
