//! The files of the data folder, for those who have it: set `ASSAY_TEST_DATA`.

use std::io::Read;
use std::path::Path;

use model::{Day, Market};

use super::super::*;
use crate::import::market::ReadError;
use crate::import::open;

/// What a file gave: rows, then rows refused, then candles, observations and other things taken.
fn summary(reading: &Reading) -> [u64; 5] {
    let batch = &reading.batch;
    let candles = batch
        .candles
        .iter()
        .map(|(_, bars)| bars.len())
        .sum::<usize>();
    let points = batch
        .series
        .iter()
        .map(|(_, points)| points.len())
        .sum::<usize>();
    let others = batch.coins.len()
        + batch.crypto_globals.len()
        + batch.protocols.len()
        + batch.chains.len()
        + batch.instruments.len();
    [
        reading.report.rows,
        reading.report.refused_total(),
        candles as u64,
        points as u64,
        others as u64,
    ]
}

/// Days on which New York was closed although files have bars of them, and all weekends.
fn closed(day: Day) -> bool {
    let text = day.to_string();
    day.weekday().to_monday_zero_offset() >= 5
        || ["2022-06-20", "2023-06-19"].contains(&text.as_str())
}

fn read_file(
    folder: &str,
    path: &str,
    kind: MarketFile,
    symbol: Option<&str>,
) -> Result<Reading, ReadError> {
    let path = Path::new(folder).join(path);
    let mut bytes = Vec::new();
    open(&path).unwrap().reader.read_to_end(&mut bytes).unwrap();
    let today = Day::parse("2026-11-20").unwrap();
    let options = FileOptions {
        symbol,
        market: Market::Stock,
        today,
        at: today.starts_at(),
        closed: &closed,
    };
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    read(kind, &name, &bytes, &options)
}

/// Reads everything that has a kind and says what each file gave.
#[test]
fn every_file_of_the_data_folder_is_read_or_refused_with_words() {
    let Ok(folder) = std::env::var("ASSAY_TEST_DATA") else {
        println!("skipped: ASSAY_TEST_DATA is not set");
        return;
    };
    use MarketFile::{Candles, Commodities, Crypto, Fx, Listings, Macro};
    let kind_of = |path: &str| {
        Some(match path {
            p if p.contains("market/commod") => Commodities,
            p if p.contains("market/crypto") => Crypto,
            p if p.contains("market/fx") || p.contains("wire/ecb") || p.contains("eurusd_d") => Fx,
            p if p.contains("listed") || p.contains("constituents") => Listings,
            p if p.contains("market/") || p.contains("stooq") => Candles,
            p if p.contains("macro/") || p.contains("wire/fred") || p.contains("treasury") => Macro,
            p if p.contains("coingecko") || p.contains("defillama") => Crypto,
            p if p.contains("yahoo/chart") || p.contains("yahoo/historical") => Candles,
            p if p.contains("yahoo/quote-") => Listings,
            _ => return None,
        })
    };
    for group in [
        "market",
        "macro",
        "wire/stooq",
        "wire/fred",
        "wire/treasury",
        "wire/ecb",
        "wire/coingecko",
        "wire/defillama",
        "wire/yahoo",
    ] {
        let mut files: Vec<_> = std::fs::read_dir(Path::new(&folder).join(group))
            .unwrap()
            .flatten()
            .map(|file| format!("{group}/{}", file.file_name().to_string_lossy()))
            .collect();
        files.sort();
        for path in files {
            let Some(kind) = kind_of(&path).filter(|_| !path.ends_with(".tsv")) else {
                continue;
            };
            match read_file(&folder, &path, kind, None) {
                Ok(reading) => println!(
                    "{path}: {:?} refused {:?} unused {:?}",
                    summary(&reading),
                    reading.report.refused,
                    reading.report.unused
                ),
                Err(error) => println!("{path}: {error}"),
            }
        }
    }
}
