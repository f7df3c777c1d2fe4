//! The real documents in the folder that `ASSAY_TEST_DATA` names; skipped with a message if it is not set.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use model::{Concept, Day, Symbol};

use super::super::*;
use crate::import::market::Reading;
use crate::test_data::folder;

fn print_report(name: &str, reading: &Reading) {
    let batch = &reading.batch;
    eprintln!(
        "{name}: {} rows; {} facts, {} valuations, {} filings, {} forms, {} 13F, {} trades; refused {:?}",
        reading.report.rows,
        batch.facts.len(),
        batch.valuations.len(),
        batch.filings.len(),
        batch.insider_forms.len(),
        batch.holdings_reports.len(),
        batch.congress_trades.len(),
        reading.report.refused,
    );
}

fn bytes(path: &Path) -> Vec<u8> {
    let stored = std::fs::read(path).unwrap();
    if !stored.starts_with(&[0x1f, 0x8b]) {
        return stored;
    }
    let mut unpacked = Vec::new();
    GzDecoder::new(&stored[..])
        .read_to_end(&mut unpacked)
        .unwrap();
    unpacked
}

fn read_file(
    kind: DisclosureFile,
    path: &Path,
    options: &DisclosureOptions<'_>,
) -> Result<Reading, ReadError> {
    let name = path.file_name().unwrap().to_string_lossy();
    let reading = parse(kind, name.trim_end_matches(".gz"), &bytes(path), options)?;
    print_report(&name, &reading);
    Ok(reading)
}

fn symbol(text: &str) -> Symbol {
    Symbol::parse(text).unwrap()
}

fn tickers(folder: &Path) -> Vec<(String, Symbol)> {
    let list: BTreeMap<u32, serde_json::Value> =
        serde_json::from_slice(&bytes(&folder.join("wire/sec/company_tickers.json.gz"))).unwrap();
    list.into_values()
        .filter_map(|row| {
            let symbol = Symbol::parse(row["ticker"].as_str()?)?;
            Some((row["title"].as_str()?.to_owned(), symbol))
        })
        .collect()
}

#[test]
fn company_facts_become_sets_of_facts() {
    let Some(folder) = folder() else { return };
    let path = folder.join("wire/sec/companyfacts_snow.json.gz");
    let find = |cik| (cik == 1_640_147).then(|| symbol("SNOW"));
    let options = DisclosureOptions {
        symbol_of_cik: Some(&find),
        ..DisclosureOptions::default()
    };
    let reading = read_file(DisclosureFile::Fundamentals, &path, &options).unwrap();
    let sets = &reading.batch.facts;
    let year = sets
        .iter()
        .find(|set| set.accession == "0001640147-25-000052")
        .unwrap();
    let revenue = |start: &str, end: &str| {
        year.facts
            .iter()
            .find(|fact| {
                fact.concept == Concept::Revenue
                    && fact.start == Day::parse(start)
                    && Some(fact.end) == Day::parse(end)
            })
            .map(|fact| fact.value)
    };
    assert_eq!(revenue("2024-02-01", "2025-01-31"), Some(3_626_396_000.0));
    assert_eq!(revenue("2023-02-01", "2024-01-31"), Some(2_806_489_000.0));
    assert!(sets.iter().all(|set| set.symbol == symbol("SNOW")));

    let path = folder.join("wire/sec/companyfacts_lpa.json");
    let refused = read_file(DisclosureFile::Fundamentals, &path, &options).unwrap_err();
    assert!(refused.to_string().contains("--symbol"), "{refused}");
    let lpa = symbol("LPA");
    let options = DisclosureOptions {
        symbol: Some(&lpa),
        ..DisclosureOptions::default()
    };
    let reading = read_file(DisclosureFile::Fundamentals, &path, &options).unwrap();
    assert!(reading.batch.facts.iter().any(|set| {
        set.form == "20-F"
            && set
                .facts
                .iter()
                .any(|fact| fact.concept == Concept::NetIncome && fact.value == -29_285_428.0)
    }));
}

#[test]
fn index_members_have_valuations() {
    let Some(folder) = folder() else { return };
    let path = folder.join("market/sp500_constituents_financials.csv");
    let reading = read_file(
        DisclosureFile::Fundamentals,
        &path,
        &DisclosureOptions::default(),
    )
    .unwrap();
    let first = &reading.batch.valuations[0];
    assert_eq!(first.symbol, symbol("MMM"));
    assert!((first.dividend_yield_pct.unwrap() - 1.75).abs() < 1e-9);
    assert!(reading.batch.valuations.len() > 480);
}

#[test]
fn insiders_are_read() {
    let Some(folder) = folder() else { return };
    let sec = folder.join("wire/sec");
    let options = DisclosureOptions::default();
    let form = |name: &str| {
        let reading = read_file(DisclosureFile::Insider, &sec.join(name), &options).unwrap();
        reading.batch.insider_forms.into_iter().next()
    };
    let air = form("form4_AIR_0001127602-25-001055.xml").unwrap();
    let submission = form("submission_0001127602-25-001055.txt").unwrap();
    assert_eq!(
        (air.name.as_str(), air.accession.as_str()),
        ("Jessica A. Garascia", "0001127602-25-001055")
    );
    assert_eq!(air.title, "Senior VP, GC, CAO & Secretary");
    assert_eq!(air.trades, submission.trades);
    assert_eq!(
        submission.accepted_at.unwrap().to_string().get(..19),
        Some("2025-01-10T21:07:30")
    );
    let snow = form("form4_snow.xml").unwrap();
    assert!(snow.accession.starts_with("file-"));
    assert!(
        snow.trades
            .iter()
            .any(|trade| trade.code == "S" && trade.value.is_some())
    );
    let award = form("form4_TSVT_0001562180-25-000280.xml").unwrap();
    assert_eq!(award.trades.len(), 2);
    assert!(award.trades.iter().all(|trade| trade.price.is_none()));
    assert!(
        award.title.starts_with("Senior Vice President"),
        "{}",
        award.title
    );
    assert!(form("form4_374water.xml").is_some());
    assert!(form("form3_snow.xml").is_none());
}

#[test]
fn lists_of_filings_are_read() {
    let Some(folder) = folder() else { return };
    let sec = folder.join("wire/sec");
    let options = DisclosureOptions::default();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(sec.join("submissions"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths.push(sec.join("submissions_sample.json.gz"));
    let mut count = 0;
    for path in &paths {
        let reading = read_file(DisclosureFile::Filings, path, &options).unwrap();
        assert_eq!(reading.report.refused_total(), 0, "{}", path.display());
        // Filed on the day of acceptance or, after the close, on the next business day; a few are backdated.
        let near = reading.batch.filings.iter().filter(|filing| {
            filing
                .accepted_at
                .is_none_or(|at| Day::of(at).since(filing.filed_date).abs() <= 6)
        });
        let near = near.count();
        if near < reading.batch.filings.len() {
            eprintln!(
                "  {near} of {} accepted near their day",
                reading.batch.filings.len()
            );
        }
        assert!(
            near * 100 >= reading.batch.filings.len() * 95,
            "{}",
            path.display()
        );
        count += reading.batch.filings.len();
    }
    assert!(count > 9_000, "{count}");
    for (name, expected) in [
        ("efts_search_0_hits.json", 0),
        ("efts_search_1_hit.json", 1),
        ("efts_search_100_hits.json.gz", 1),
        ("efts_search_101_hits.json.gz", 1),
        ("form.20200318.idx.gz", 2_000),
        ("getcurrent_atom.xml.gz", 40),
        ("submission_0001127602-25-001055.txt", 1),
    ] {
        let reading = read_file(DisclosureFile::Filings, &sec.join(name), &options).unwrap();
        assert!(reading.batch.filings.len() >= expected, "{name}");
    }
    for name in [
        "schedule13d.xml",
        "filing_index.json",
        "13fhr_primarydoc_abacus.xml",
        "13f_infotable.xml",
    ] {
        assert!(
            read_file(DisclosureFile::Filings, &sec.join(name), &options).is_err(),
            "{name}"
        );
    }
}

#[test]
fn holdings_have_one_unit_and_symbols() {
    let Some(folder) = folder() else { return };
    let sec = folder.join("wire/sec");
    let tickers = tickers(&folder);
    let names = IssuerNames::new(
        tickers
            .iter()
            .map(|(name, symbol)| (name.as_str(), symbol.clone())),
    );
    let find = |issuer: &str, class: &str| names.find(issuer, class);
    for (name, quarter, filed, price) in [
        (
            "13f_infotable.xml",
            "2020-12-31",
            Some("2023-05-31"),
            100.0..300.0,
        ),
        (
            "13f_infotable_official_sample.xml",
            "2022-12-31",
            None,
            0.0..1e9,
        ),
        (
            "13f_infotable_000161912421000002.xml.gz",
            "2020-12-31",
            None,
            100.0..4_000.0,
        ),
        (
            "13f_infotable_000179083723000002.xml.gz",
            "2022-12-31",
            None,
            20.0..400.0,
        ),
    ] {
        let options = DisclosureOptions {
            symbol_of_issuer: Some(&find),
            institution: Some("Example Advisors"),
            institution_cik: Some(1),
            report_date: Day::parse(quarter),
            filed: filed.and_then(Day::parse),
            ..DisclosureOptions::default()
        };
        let reading = read_file(DisclosureFile::Filings, &sec.join(name), &options).unwrap();
        let report = &reading.batch.holdings_reports[0];
        let mut prices: Vec<f64> = report
            .holdings
            .iter()
            .map(|holding| holding.value / holding.shares)
            .collect();
        prices.sort_by(f64::total_cmp);
        let median = prices[prices.len() / 2];
        let found = report
            .holdings
            .iter()
            .filter(|holding| holding.symbol.is_some())
            .count();
        eprintln!(
            "{name}: {found} of {} have a symbol, median price {median:.2}",
            report.holdings.len()
        );
        for holding in &report.holdings {
            if let Some(symbol) = &holding.symbol {
                eprintln!("  with: {} {symbol}", holding.issuer);
            } else {
                eprintln!(
                    "  without: {} {:?}",
                    holding.issuer,
                    names.look_up(&holding.issuer, "")
                );
            }
        }
        assert!(price.contains(&median), "{name}: {median}");
    }
    let google = find("ALPHABET INC", "Common stock C");
    assert_eq!(google, Some(symbol("GOOG")));
}

#[test]
fn lawmakers_are_read() {
    let Some(folder) = folder() else { return };
    let congress = folder.join("wire/congress");
    let legislators =
        parse_legislators(&bytes(&congress.join("legislators_current.json"))).unwrap();
    assert_eq!(legislators.len(), 537);
    let options = DisclosureOptions {
        legislators: &legislators,
        ..DisclosureOptions::default()
    };
    for (name, least) in [
        (
            "house_stock_watcher_all_transactions_first5000.csv.gz",
            4_700,
        ),
        ("house_transactions.json.gz", 7_500),
        ("senate_transactions.json.gz", 1_900),
        ("senate_stock_watcher_all_transactions.json.gz", 0),
    ] {
        let reading = read_file(DisclosureFile::Congress, &congress.join(name), &options).unwrap();
        let trades = &reading.batch.congress_trades;
        let mut without: BTreeMap<&str, usize> = BTreeMap::new();
        for trade in trades.iter().filter(|trade| trade.party.is_none()) {
            *without.entry(&trade.member).or_default() += 1;
        }
        let share = |count: usize| count as f64 / trades.len().max(1) as f64 * 100.0;
        eprintln!(
            "  symbol {:.1} %, party {:.1} %, day {:.1} %; without party {without:?}",
            share(trades.iter().filter(|trade| trade.symbol.is_some()).count()),
            share(trades.iter().filter(|trade| trade.party.is_some()).count()),
            share(
                trades
                    .iter()
                    .filter(|trade| trade.transaction_date.is_some())
                    .count()
            ),
        );
        assert!(trades.len() >= least, "{name}: {}", trades.len());
        let mut ids: Vec<&str> = trades.iter().map(|trade| trade.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), trades.len(), "{name}");
    }
    let table = congress.join("legislators_current.json");
    assert!(read_file(DisclosureFile::Congress, &table, &options).is_err());
}
