//! `assay import`: files into the store.

mod market;

use std::collections::BTreeMap;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use ingest::{
    ImportOptions, ImportSummary, Line, LineProblem, Outcome, PageReader, Publisher,
    import_articles,
};
use providers::import::articles::{MappingReport, Reader};
use providers::import::market::disclosures::DisclosureFile;
use providers::import::market::files::MarketFile;
use providers::import::{Progress, open};
use providers::pages::Pages;
use serde::Serialize;
use store::Store;
use text::clean::Arrival;

use market::{MarketArguments, MarketKind};

use super::Place;
use crate::clock::now;
use crate::data::DataDirectory;
use crate::output::{remark, show};

/// Problems that are printed with their lines; the rest is counted.
const SHOWN_PROBLEMS: usize = 20;

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// What the files hold
    kind: Kind,
    /// Files to read, also .gz; `-` is standard input. For `urls` also addresses themselves
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Take the time at which items became known from their records (first seen, else published)
    #[arg(long)]
    backfill: bool,
    /// Read and count, store nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    market: MarketArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// News articles: JSON lines or one JSON array
    Articles,
    /// Addresses of single pages, one per line
    Urls,
    /// Daily bars or closes: CSV, Parquet, chart JSON
    Candles,
    /// Symbols: exchange lists, index members, company numbers
    Listings,
    /// Splits, dividends, changes of symbol, mergers, delistings
    Actions,
    /// Company fundamentals: companyfacts JSON, tables of index members
    Fundamentals,
    /// Macro indicators and yields: FRED, Treasury
    Macro,
    /// Exchange rates: ECB and others
    Fx,
    /// Commodity prices
    Commodities,
    /// Coins and decentralised finance
    Crypto,
    /// Trades disclosed by members of Congress
    Congress,
    /// Forms 4 and 5
    Insider,
    /// Lists of filings, and Form 13F
    Filings,
}

impl Kind {
    /// The kind of market data, if it is one.
    const fn market(self) -> Option<MarketKind> {
        Some(match self {
            Self::Articles | Self::Urls => return None,
            Self::Candles => MarketKind::File(MarketFile::Candles),
            Self::Listings => MarketKind::File(MarketFile::Listings),
            Self::Actions => MarketKind::File(MarketFile::Actions),
            Self::Macro => MarketKind::File(MarketFile::Macro),
            Self::Fx => MarketKind::File(MarketFile::Fx),
            Self::Commodities => MarketKind::File(MarketFile::Commodities),
            Self::Crypto => MarketKind::File(MarketFile::Crypto),
            Self::Fundamentals => MarketKind::Disclosure(DisclosureFile::Fundamentals),
            Self::Congress => MarketKind::Disclosure(DisclosureFile::Congress),
            Self::Insider => MarketKind::Disclosure(DisclosureFile::Insider),
            Self::Filings => MarketKind::Disclosure(DisclosureFile::Filings),
        })
    }
}

pub(crate) async fn run(place: &Place, arguments: ImportArguments) -> anyhow::Result<()> {
    let data = place.directory("assay-data")?;
    let store = data.open_any().await?;
    ensure!(
        store.mode() == model::DataMode::Real,
        "data directory {} holds simulated data and accepts no real data",
        data.path.display()
    );
    if let Some(kind) = arguments.kind.market() {
        return market::run(place, kind, &arguments, &store).await;
    }
    let publisher = Publisher::open(store.clone(), crate::serve::outlet_table(&data.config));
    if arguments.kind == Kind::Urls {
        urls(place, &arguments, &data, &store, &publisher).await
    } else {
        articles(place, &arguments, &store, &publisher).await
    }
}

/// Maximum size of an address list in bytes: some two hundred thousand addresses, which take weeks to fetch.
const ADDRESS_LIST_BYTES: u64 = 16 << 20;

/// What a run did, for people and with `--json`.
#[derive(Debug, Default, Serialize)]
struct Report {
    files: Vec<String>,
    dry_run: bool,
    seconds: f64,
    lines: u64,
    imported: u64,
    known_already: u64,
    near_copies: u64,
    briefs_new: u64,
    briefs_updated: u64,
    corrections: u64,
    trending: u64,
    divided: u64,
    merged: u64,
    failed: u64,
    rejected: BTreeMap<String, u64>,
    problems: Vec<Problem>,
    fields: MappingReport,
}

#[derive(Debug, Serialize)]
struct Problem {
    file: String,
    line: u64,
    reason: String,
}

async fn articles(
    place: &Place,
    arguments: &ImportArguments,
    store: &Store,
    publisher: &Publisher,
) -> anyhow::Result<()> {
    let started = Instant::now();
    let mut report = Report {
        dry_run: arguments.dry_run,
        ..Report::default()
    };
    for file in &arguments.files {
        let name = file.display().to_string();
        let input = open(file)?;
        let bar = progress_bar(&name, input.total_bytes);
        let reader = Arc::new(Mutex::new(Reader::new(input.reader)));
        let options = ImportOptions {
            arrival: if arguments.backfill {
                Arrival::Backfill
            } else {
                Arrival::Live
            },
            dry_run: arguments.dry_run,
            now: now(),
        };
        let read_so_far: Progress = input.progress;
        let summary = import_articles(
            Lines(Arc::clone(&reader)),
            store,
            publisher,
            options,
            |progress| {
                bar.set_position(read_so_far.bytes());
                bar.set_message(format!("{} articles", progress.outcome.articles));
            },
        )
        .await
        .with_context(|| {
            format!("import of {name} stopped; what was imported is kept, run it again to continue")
        })?;
        bar.finish_and_clear();
        let fields = reader
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .report()
            .clone();
        report.take(name, summary, fields);
    }
    report.seconds = started.elapsed().as_secs_f64();
    let failed = report.failed;
    show(place.json(), &report, Report::lines)?;
    if failed > 0 && report.imported + report.known_already == 0 {
        bail!("no line could be read");
    }
    Ok(())
}

/// Reads one item after another; the reader stays here for its report.
struct Lines(Arc<Mutex<Reader<Box<dyn BufRead + Send>>>>);

impl Iterator for Lines {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        let mut reader = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (line, item) = reader.next()?;
        Some((line, item.map_err(|error| error.fault.to_string())))
    }
}

impl Report {
    fn take(&mut self, file: String, summary: ImportSummary, fields: MappingReport) {
        let Outcome {
            articles,
            known,
            copies,
            briefs,
            revisions,
            corrections,
            trending,
            splits,
            merges,
            failed,
        } = summary.outcome;
        self.lines += summary.lines;
        self.imported += articles;
        self.known_already += known;
        self.near_copies += copies;
        self.briefs_new += briefs;
        self.briefs_updated += revisions;
        self.corrections += corrections;
        self.trending += trending;
        self.divided += splits;
        self.merged += merges;
        self.failed += summary.failed_total + failed;
        for (reason, count) in summary.rejected {
            *self.rejected.entry(reason).or_default() += count;
        }
        let problems = summary.failed.into_iter().chain(summary.rejected_examples);
        self.problems
            .extend(problems.map(|LineProblem { line, reason }| Problem {
                file: file.clone(),
                line,
                reason,
            }));
        for (field, meanings) in fields.mapped {
            for (meaning, count) in meanings {
                *self
                    .fields
                    .mapped
                    .entry(field.clone())
                    .or_default()
                    .entry(meaning)
                    .or_default() += count;
            }
        }
        for (total, of_file) in [
            (&mut self.fields.unmapped, fields.unmapped),
            (&mut self.fields.unreadable, fields.unreadable),
        ] {
            for (field, count) in of_file {
                *total.entry(field).or_default() += count;
            }
        }
        self.files.push(file);
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for problem in self.problems.iter().take(SHOWN_PROBLEMS) {
            lines.push(format!(
                "{} line {}: {}",
                problem.file, problem.line, problem.reason
            ));
        }
        let rejected: u64 = self.rejected.values().sum();
        let unshown =
            (self.failed + rejected).saturating_sub(self.problems.len().min(SHOWN_PROBLEMS) as u64);
        if unshown > 0 {
            lines.push(format!("… and {unshown} more lines with problems"));
        }
        let rate = self.lines as f64 / self.seconds.max(1e-9);
        lines.push(format!(
            "{} lines in {:.1} s ({rate:.0} a second)",
            self.lines, self.seconds
        ));
        lines.push(format!(
            "{} {}, {} known already, {} near copies, {rejected} rejected, {} failed",
            self.imported,
            if self.dry_run {
                "would be imported"
            } else {
                "imported"
            },
            self.known_already,
            self.near_copies,
            self.failed
        ));
        for (reason, count) in &self.rejected {
            lines.push(format!("  rejected {count}: {reason}"));
        }
        if !self.dry_run {
            lines.push(format!(
                "{} new briefs, {} updates, {} corrections, {} newly trending, {} divided, {} merged",
                self.briefs_new,
                self.briefs_updated,
                self.corrections,
                self.trending,
                self.divided,
                self.merged
            ));
        }
        let words = |fields: &BTreeMap<String, u64>| {
            fields
                .iter()
                .map(|(field, count)| format!("{field} ({count})"))
                .collect::<Vec<_>>()
                .join(", ")
        };
        if !self.fields.unmapped.is_empty() {
            lines.push(format!("fields not used: {}", words(&self.fields.unmapped)));
        }
        if !self.fields.unreadable.is_empty() {
            lines.push(format!(
                "values not readable: {}",
                words(&self.fields.unreadable)
            ));
        }
        lines
    }
}

fn progress_bar(name: &str, total_bytes: Option<u64>) -> ProgressBar {
    let bar = total_bytes.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    let template = if total_bytes.is_some() {
        "{prefix} {bar:30} {bytes}/{total_bytes} {msg} eta {eta}"
    } else {
        "{prefix} {spinner} {msg}"
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_prefix(name.rsplit('/').next().unwrap_or(name).to_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Reads single pages. An address that cannot be read is reported, and the rest continues.
async fn urls(
    place: &Place,
    arguments: &ImportArguments,
    data: &DataDirectory,
    store: &Store,
    publisher: &Publisher,
) -> anyhow::Result<()> {
    let started = Instant::now();
    let transport = Arc::new(crate::serve::transport(&data.config, None)?);
    let reader = PageReader::new(
        store.clone(),
        Arc::new(Pages::new(transport)),
        crate::page_worker::extraction(&data.config)?,
    );
    let mut report = Report {
        dry_run: arguments.dry_run,
        ..Report::default()
    };
    for file in &arguments.files {
        for (line, url) in addresses(file)? {
            report.lines += 1;
            if arguments.dry_run {
                report.imported += 1;
                continue;
            }
            match ingest::publish_page(publisher, &reader, &url, now()).await {
                Ok(outcome) => {
                    report.imported += outcome.articles;
                    report.known_already += outcome.known;
                    report.briefs_new += outcome.briefs;
                    report.briefs_updated += outcome.revisions;
                }
                Err(error) => {
                    report.failed += 1;
                    let reason = format!("{:#}", anyhow::Error::from(error));
                    report.problems.push(Problem {
                        file: file.display().to_string(),
                        line,
                        reason,
                    });
                }
            }
        }
        report.files.push(file.display().to_string());
    }
    report.seconds = started.elapsed().as_secs_f64();
    show(place.json(), &report, Report::lines)?;
    ensure!(
        report.failed == 0,
        "{} of {} addresses could not be read",
        report.failed,
        report.lines
    );
    remark("done");
    Ok(())
}

/// The addresses given by an argument: the argument itself, or the lines of the file it names.
fn addresses(argument: &Path) -> anyhow::Result<Vec<(u64, String)>> {
    if let Some(url) = argument
        .to_str()
        .filter(|text| text.starts_with("http://") || text.starts_with("https://"))
    {
        return Ok(vec![(1, url.to_owned())]);
    }
    let mut addresses = Vec::new();
    let mut list = String::new();
    let read = open(argument)?
        .reader
        .take(ADDRESS_LIST_BYTES + 1)
        .read_to_string(&mut list);
    read.with_context(|| format!("{} cannot be read", argument.display()))?;
    ensure!(
        list.len() as u64 <= ADDRESS_LIST_BYTES,
        "{} is longer than {} MiB; split it",
        argument.display(),
        ADDRESS_LIST_BYTES >> 20
    );
    for (at, line) in list.lines().enumerate() {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            addresses.push((at as u64 + 1, line.to_owned()));
        }
    }
    Ok(addresses)
}
