//! The files in the data folder, for those who have it: set `ASSAY_TEST_DATA`.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use model::{Day, Market};

use super::super::MarketFile::{Candles, Commodities, Crypto, Fx, Listings, Macro};
use super::super::*;
use crate::import::market::ReadError;
use crate::import::open;
use crate::test_data::folder;

/// What a file yielded: rows, then rows rejected, then candles, observations and other items accepted.
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
        + batch.hours.len()
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
    folder: &Path,
    path: &str,
    kind: MarketFile,
    symbol: Option<&str>,
) -> Result<Reading, ReadError> {
    let path = folder.join(path);
    let mut bytes = Vec::new();
    open(&path).unwrap().reader.read_to_end(&mut bytes).unwrap();
    let today = Day::parse("2026-11-20").unwrap();
    let options = FileOptions {
        scale: None,
        symbol,
        market: Market::Stock,
        today,
        at: today.starts_at(),
        closed: &closed,
    };
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    parse(kind, &name, &bytes, &options)
}

/// The kind under which a file in the data folder is imported.
fn kind_of(path: &str) -> Option<MarketFile> {
    Some(match path {
        p if p.contains("INDEX") => return None,
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
}

/// The messages with which files are refused, and the files: not the kind of file that the name says, an error as its
/// upstream served it, or a question that only the importer can answer.
const REFUSED: [(&str, &[&str]); 12] = [
    (
        "the file does not say which series it is: give its identifier",
        &["wire/fred/observations_cpi_pct_change.json"],
    ),
    (
        "expected coins: daily or hourly bars in a table, lists and charts of CoinGecko, or protocols and chains of DefiLlama",
        &[
            "wire/coingecko/a_coins_tickers.json.gz",
            "wire/coingecko/global_defi_data.json",
            "wire/coingecko/price_for_multiple_coins.json",
            "wire/coingecko/price_for_multiple_coins_in_different_currencies.json",
            "wire/coingecko/price_for_one_coin.json",
            "wire/coingecko/price_for_one_coin_in_a_different_currency.json",
            "wire/coingecko/simple_price_for_one_coin.json",
            "wire/coingecko/the_list_of_asset_platforms.json",
            "wire/coingecko/the_list_of_categories.json",
            "wire/coingecko/the_list_of_categories_with_market_data.json",
            "wire/coingecko/the_list_of_supported_coins.json.gz",
            "wire/coingecko/the_list_of_supported_coins_1.json.gz",
            "wire/coingecko/the_list_supported_coins.json.gz",
            "wire/coingecko/trending_searches.json",
        ],
    ),
    (
        "the chart does not say which coin it is: give its symbol",
        &[
            "wire/coingecko/daily_historical_prices_for_one_coin.json",
            "wire/coingecko/hourly_historical_prices_for_one_coin.json.gz",
            "wire/coingecko/minutely_historical_prices_for_one_coin.json.gz",
            "wire/coingecko/minutely_historical_prices_for_one_coin_1.json.gz",
        ],
    ),
    (
        "the file holds an error message of a service instead of data: Missing parameter vs_currency",
        &[
            "wire/coingecko/daily_historical_prices_for_one_coin_1.json",
            "wire/coingecko/hourly_historical_prices_for_one_coin_1.json",
            "wire/coingecko/market_data_for_multiple_coins_in_eth_1.json",
            "wire/coingecko/minutely_historical_prices_for_one_coin_2.json",
        ],
    ),
    (
        "the document does not say when it was taken",
        &["wire/coingecko/historical_price_for_one_coin_at_a_previous_date.json"],
    ),
    (
        "the file holds an error message of a service instead of data: Missing parameter date",
        &[
            "wire/coingecko/historical_price_for_one_coin_at_a_previous_date_1.json",
            "wire/coingecko/historical_price_for_one_coin_at_a_previous_date_2.json",
        ],
    ),
    (
        "the prices are not in USD",
        &["wire/coingecko/market_data_for_multiple_coins_in_eth.json"],
    ),
    (
        "hourly bars without a currency are not daily candles",
        &[
            "wire/coingecko/ohlc_data_for_one_coin_in_the_last_30_days_in_myr.json",
            "wire/coingecko/ohlc_data_for_one_coin_in_the_last_7_days.json",
        ],
    ),
    (
        "the file holds an error message of a service instead of data: Internal Server Error",
        &[
            "wire/coingecko/ohlc_data_for_one_coin_in_the_last_30_days_in_myr_1.json",
            "wire/coingecko/ohlc_data_for_one_coin_in_the_last_7_days_1.json",
        ],
    ),
    (
        "the file holds an error message of a service instead of data: Missing parameter ids",
        &[
            "wire/coingecko/price_for_one_coin_1.json",
            "wire/coingecko/price_for_one_coin_in_a_different_currency_1.json",
        ],
    ),
    (
        "the bars of the chart are not daily",
        &["wire/yahoo/chart-AAPL-2025-02-01-to-2025-02-02-includePrePost-false-interval-1m.json"],
    ),
    (
        "expected a list of symbols: a column of symbols and one of names, or the tickers of the SEC",
        &[
            "wire/yahoo/quote-AAPL220121C00025000.json",
            "wire/yahoo/quote-APS.AX.json",
            "wire/yahoo/quote-SIX.json",
        ],
    ),
];

/// Files that can be read but list nothing that is kept: a currency, a future, coins, an index and delisted shares.
const EMPTY: [&str; 7] = [
    "wire/yahoo/quote-BRKS.json",
    "wire/yahoo/quote-BTC-USD.json",
    "wire/yahoo/quote-EURUSD=X.json",
    "wire/yahoo/quote-GC=F.json",
    "wire/yahoo/quote-SI.json",
    "wire/yahoo/quote-ZRC-USD.json",
    "wire/yahoo/quote-^VXAPL.json",
];

#[test]
fn every_file_of_the_data_folder_is_read_or_refused_with_words() {
    let Some(folder) = folder() else { return };
    let (mut refused, mut empty, mut read) = (BTreeMap::new(), Vec::new(), 0);
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
        let mut files: Vec<_> = std::fs::read_dir(folder.join(group))
            .unwrap()
            .map(|file| format!("{group}/{}", file.unwrap().file_name().to_string_lossy()))
            .collect();
        files.sort();
        for path in files {
            let Some(kind) = kind_of(&path) else {
                continue;
            };
            match read_file(&folder, &path, kind, None) {
                Ok(reading) => {
                    let [rows, refusals, kept @ ..] = summary(&reading);
                    assert!(refusals <= rows, "{path}: {refusals} of {rows}");
                    read += 1;
                    if kept.iter().sum::<u64>() == 0 {
                        empty.push(path);
                    }
                }
                Err(error) => {
                    refused.insert(path, error.to_string());
                }
            }
        }
    }
    let expected = REFUSED.iter().flat_map(|(words, paths)| {
        let refusal = |path: &&str| ((*path).to_owned(), (*words).to_owned());
        paths.iter().map(refusal)
    });
    assert_eq!(refused, expected.collect());
    assert_eq!(empty, EMPTY);
    assert_eq!(read, 95);
}

/// Counted by hand in the files: rows, rejected, candles, observations, other items.
#[test]
fn the_files_of_the_data_folder_give_what_was_counted() {
    let Some(folder) = folder() else { return };
    let check = |kind, path: &str, symbol, expected: [u64; 5], reasons: &[(&str, u64)]| {
        let reading = read_file(&folder, path, kind, symbol).unwrap();
        assert_eq!(summary(&reading), expected, "{path}");
        let refused = reasons
            .iter()
            .map(|(reason, count)| ((*reason).to_owned(), *count));
        assert_eq!(reading.report.refused, refused.collect(), "{path}");
        reading
    };
    let (high, low, closed, no_close) = (
        "the high is below another price",
        "the low is above another price",
        "the exchange was closed on this day",
        "the close is missing",
    );
    let members = "market/equities_sp500_daily_2020-09_2023-06.csv.gz";
    // The bars of the two observed Juneteenths, one of 500 symbols and one of 501.
    let read = check(
        Candles,
        members,
        None,
        [356_111, 1_001, 355_110, 0, 501],
        &[(closed, 1_001)],
    );
    assert_eq!(read.batch.candles.len(), 501);
    let large = "market/equities_nasdaqcom_daily_2020-07_2025-07.csv.gz";
    check(
        Candles,
        large,
        None,
        [18_825, 4, 18_821, 0, 15],
        &[(high, 2), (low, 2)],
    );
    let closes = "market/indices_and_sector_etfs_close.csv.gz";
    let read = check(Candles, closes, None, [62_054, 0, 0, 62_054, 0], &[]);
    assert_eq!(read.batch.series.len(), 13);
    let vix = [(closed, 2), (high, 20), (low, 27)];
    check(
        Candles,
        "market/vix_daily.csv",
        None,
        [9_235, 49, 0, 9_186, 0],
        &vix,
    );
    let apple = [("the volume is missing", 1)];
    check(
        Candles,
        "wire/stooq/aapl_us_d.csv.gz",
        None,
        [8_733, 1, 8_732, 0, 1],
        &apple,
    );
    let futures = "market/commodities_futures_daily_2015_2021.csv.gz";
    let read = check(Commodities, futures, None, [23_750, 0, 0, 23_750, 0], &[]);
    assert_eq!(read.batch.series.len(), 13);
    let wti = "market/commodity_wti_daily.csv";
    check(Commodities, wti, None, [10_226, 0, 0, 10_226, 0], &[]);
    check(
        Commodities,
        "market/commodity_brent_daily.csv",
        None,
        [9_958, 0, 0, 9_958, 0],
        &[],
    );
    let gas = "market/commodity_natgas_daily.csv";
    check(
        Commodities,
        gas,
        None,
        [7_437, 1, 0, 7_436, 0],
        &[(no_close, 1)],
    );
    check(
        Commodities,
        "market/commodity_gold_monthly.csv",
        None,
        [2_322, 0, 0, 2_322, 0],
        &[],
    );
    // 331 rows have no market value.
    let coins = "market/crypto_daily_2017_2021.csv.gz";
    check(Crypto, coins, None, [27_010, 0, 27_010, 26_679, 22], &[]);
    let euro = "market/fx_ecb_eurofxref_hist.csv.gz";
    check(Fx, euro, None, [6_239, 0, 0, 195_305, 0], &[]);
    check(
        Fx,
        "wire/ecb/eurofxref-hist-90d.xml",
        None,
        [61, 0, 0, 33 * 61, 0],
        &[],
    );
    check(
        Fx,
        "wire/stooq/eurusd_d.csv.gz",
        None,
        [12_353, 0, 0, 12_353, 0],
        &[],
    );
    let tests = [("a test issue of the exchange", 8)];
    check(
        Listings,
        "market/nasdaq_listed_symbols.csv",
        None,
        [5_569, 8, 0, 0, 5_561],
        &tests,
    );

    check(
        Listings,
        "market/nyse_other_listed.csv",
        None,
        [7_543, 0, 0, 0, 7_543],
        &[],
    );
    check(
        Listings,
        "market/sp500_constituents.csv",
        None,
        [503, 0, 0, 0, 503],
        &[],
    );
    let figures = "market/sp500_constituents_financials.csv";
    check(Listings, figures, None, [503, 0, 0, 0, 503], &[]);
    // One value is missing.
    let fred = "macro/fred_series.csv.gz";
    let read = check(Macro, fred, None, [162_565, 0, 0, 162_564, 0], &[]);
    assert_eq!(read.batch.series.len(), 46);
    let yields = "macro/treasury_par_yields_2021_2025.csv";
    check(Macro, yields, None, [1_115, 0, 0, 14_145, 0], &[]);
    check(
        Macro,
        "macro/sp500_shiller_monthly.csv",
        None,
        [1_866, 0, 0, 16_398, 0],
        &[],
    );
    let protocols = "wire/defillama/defi_top_protocols_2026-08-22.json";
    check(Crypto, protocols, None, [35, 0, 0, 0, 35], &[]);
    let chart = "wire/coingecko/daily_historical_prices_for_one_coin.json";
    let read = read_file(&folder, chart, Crypto, Some("BTC")).unwrap();
    println!("{chart}: {:?} {:?}", summary(&read), read.report.refused);
    assert_eq!(
        read.report.refused,
        [("the day is not over".to_owned(), 1)].into()
    );
}
