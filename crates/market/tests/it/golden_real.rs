//! The same comparison as [`crate::golden`] on real series, read by path from `ASSAY_TEST_DATA` (the folder with `market/`).
//!
//! Neither the prices nor what is computed from all of them belong into the repository, so without that folder nothing is
//! compared. With it, a kept sample is: three bars of every output of fifty symbols. Where `ASSAY_MARKET_GOLDEN` names what
//! `golden_indicators.py real` wrote, every bar of every symbol is.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::PathBuf;

use market::{Candle, CandleColumns, Day};

use crate::oracle::{Worst, outputs};

const FILES: [(&str, &str); 4] = [
    ("equities_sp500_daily_2020-09_2023-06", "symbol"),
    ("equities_nasdaqcom_daily_2020-07_2025-07", "symbol"),
    ("crypto_daily_2017_2021", "symbol"),
    ("commodities_futures_daily_2015_2021", "slug"),
];

/// The folder that `ASSAY_TEST_DATA` names, or `None`, said aloud, where none is named. A name without a folder fails.
#[expect(clippy::print_stdout, reason = "a test says where it was not run")]
pub(crate) fn folder() -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("ASSAY_TEST_DATA").map(PathBuf::from) else {
        println!("skipped: ASSAY_TEST_DATA is not set");
        return None;
    };
    assert!(
        folder.is_dir(),
        "ASSAY_TEST_DATA names {}, which is no folder",
        folder.display()
    );
    Some(folder)
}

/// The folder of real series, where there is one.
pub(crate) fn data() -> Option<PathBuf> {
    Some(folder()?.join("market"))
}

/// Symbol → rows of one file of the folder, as they stand there.
pub(crate) fn rows(name: &str, key: &str) -> BTreeMap<String, Vec<Candle>> {
    let file = File::open(data().unwrap().join(format!("{name}.csv.gz"))).unwrap();
    let mut reader = csv::Reader::from_reader(flate2::read::GzDecoder::new(file));
    let headers = reader.headers().unwrap().clone();
    let column = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let (symbol, day) = (column(key), column("date"));
    let numbers = ["open", "high", "low", "close", "volume"].map(column);
    let mut rows: BTreeMap<String, Vec<Candle>> = BTreeMap::new();
    for record in reader.records() {
        let record = record.unwrap();
        let [open, high, low, close, volume] =
            numbers.map(|at| record[at].parse::<f64>().unwrap_or(f64::NAN));
        rows.entry(record[symbol].to_owned())
            .or_default()
            .push(Candle {
                day: Day::parse(&record[day]).unwrap(),
                open,
                high,
                low,
                close,
                volume,
            });
    }
    rows
}

/// Output, bar, value.
type Sample = (String, usize, f64);

#[test]
fn indicators_equal_talib_on_a_sample_of_real_series() {
    if data().is_none() {
        return;
    }
    let mut expected: BTreeMap<(String, String), Vec<Sample>> = BTreeMap::new();
    let path = format!(
        "{}/tests/golden/real_sample.csv.gz",
        env!("CARGO_MANIFEST_DIR")
    );
    let file = flate2::read::GzDecoder::new(File::open(path).unwrap());
    for record in csv::Reader::from_reader(file).records() {
        let record = record.unwrap();
        let value = record[4].parse().unwrap_or(f64::NAN);
        expected
            .entry((record[0].to_owned(), record[1].to_owned()))
            .or_default()
            .push((record[2].to_owned(), record[3].parse().unwrap(), value));
    }
    assert_eq!(expected.len(), 50);
    let mut worst = Worst::default();
    for (name, key) in &FILES[1..] {
        for (symbol, rows) in rows(name, key) {
            let (columns, _) = CandleColumns::sift(rows);
            let candles = columns.view();
            let lines = outputs(candles);
            let samples = &expected[&((*name).to_owned(), symbol.clone())];
            for (output, bar, value) in samples {
                let (_, line) = lines.iter().find(|(name, _)| name == output).unwrap();
                worst.compare_bar(
                    &format!("{symbol} {output}"),
                    line,
                    *bar,
                    *value,
                    candles.close()[*bar],
                );
            }
        }
    }
    println!("sample: largest relative difference {worst}");
}

#[test]
fn indicators_equal_talib_on_real_series() {
    let (Some(_), Some(golden)) = (data(), std::env::var_os("ASSAY_MARKET_GOLDEN")) else {
        println!("skipped: ASSAY_MARKET_GOLDEN is not set");
        return;
    };
    for (name, key) in FILES {
        let bytes = fs::read(PathBuf::from(&golden).join(format!("{name}.f64"))).unwrap();
        let mut expected = bytes
            .chunks_exact(8)
            .map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap()));
        let mut worst = Worst::default();
        let mut refused = 0;
        for (symbol, rows) in rows(name, key) {
            let (columns, refusals) = CandleColumns::sift(rows);
            refused += refusals.len();
            let candles = columns.view();
            if candles.is_empty() {
                continue;
            }
            for (output, line) in outputs(candles) {
                let expected: Vec<f64> = expected.by_ref().take(candles.len()).collect();
                worst.compare(
                    &format!("{symbol} {output}"),
                    &line,
                    &expected,
                    candles.close(),
                );
            }
        }
        assert_eq!(expected.next(), None);
        println!("{name}: {refused} rows refused; largest relative difference {worst}");
    }
}
