//! Samples written by hand.

use std::sync::Arc;

use model::{AssetType, Day, Market};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use proptest::prelude::*;

use super::super::*;
use crate::import::market::{MemorySource, ReadError};

const NEVER: &dyn Fn(Day) -> bool = &|_| false;

fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

fn options<'a>(symbol: Option<&'a str>, closed: &'a dyn Fn(Day) -> bool) -> FileOptions<'a> {
    let today = day("2026-01-31");
    FileOptions {
        scale: None,
        symbol,
        market: Market::Stock,
        today,
        at: today.starts_at(),
        closed,
    }
}

fn reading(kind: MarketFile, name: &str, text: &str) -> Reading {
    parse(kind, name, text.as_bytes(), &options(None, NEVER)).unwrap()
}

fn refused(reading: &Reading) -> Vec<(u64, &str)> {
    let mut problems: Vec<_> = reading
        .report
        .problems
        .iter()
        .map(|problem| (problem.line, problem.reason.as_str()))
        .collect();
    problems.sort_unstable();
    problems
}

/// Keys with their closes.
fn closes(reading: &Reading) -> Vec<(String, Vec<f64>)> {
    let batch = &reading.batch;
    let candles = batch
        .candles
        .iter()
        .map(|(key, bars)| (key.to_string(), bars.iter().map(|bar| bar.close).collect()));
    candles.chain(values(reading)).collect()
}

fn values(reading: &Reading) -> impl Iterator<Item = (String, Vec<f64>)> {
    reading.batch.series.iter().map(|(series, points)| {
        (
            series.id.0.clone(),
            points.iter().map(|point| point.value).collect(),
        )
    })
}

fn pairs(list: &[(&str, &[f64])]) -> Vec<(String, Vec<f64>)> {
    list.iter()
        .map(|(id, list)| ((*id).to_owned(), list.to_vec()))
        .collect()
}

#[test]
fn each_kind_of_dirt_stays_out_with_its_line() {
    let text = "date,symbol,open,high,low,close,volume,adj close\n\
                2025-01-03,AAA,2,3,1,2.5,10,2\n\
                2025-01-02,AAA,2,3,1,2.25,10,2\n\
                \n\
                2025-01-02,AAA,9,9,9,9,10,2\n\
                2025-02-30,AAA,2,3,1,2,10,2\n\
                2027-01-02,AAA,2,3,1,2,10,2\n\
                2025-01-06,--,2,3,1,2,10,2\n\
                2025-01-06,AAA,2,x,1,2,10,2\n\
                2025-01-06,AAA,2,1.5,1,2,10,2\n\
                2025-01-06,AAA,2,3,2.5,2.75,10,2\n\
                2025-01-06,AAA,0,3,0,2,10,2\n\
                2025-01-06,AAA,2,3,1,,10,2\n\
                2025-01-06,AAA,,3,1,2,10,2\n\
                2025-01-06,AAA,2,3,1,2,,2\n\
                2025-01-06,AAA,2,3,1,2,-4,2\n\
                2025-01-07,AAA,2,3,1,2,10,2\n\
                ,,,,,,,\n";
    let closed = |asked: Day| asked == day("2025-01-07");
    let read = parse(
        MarketFile::Candles,
        "any.csv",
        text.as_bytes(),
        &options(None, &closed),
    )
    .unwrap();
    assert_eq!(closes(&read), pairs(&[("stock:AAA", &[2.25, 2.5])]));
    assert_eq!(
        refused(&read),
        [
            (5, "the day is repeated"),
            (6, "the date is not a calendar day"),
            (7, "the date is in the future"),
            (8, "the symbol is invalid"),
            (9, "a price is not a number"),
            (10, "the high is below another price"),
            (11, "the low is above another price"),
            (12, "a price is not a positive number"),
            (13, "the close is missing"),
            (14, "a price is missing"),
            (15, "the volume is missing"),
            (16, "the volume is not a number of at least zero"),
            (17, "the exchange was closed on this day"),
        ]
    );
    assert_eq!(read.report.rows, 15);
    assert_eq!(read.report.unused["adj close"], 15);
}

#[test]
fn tables_are_read_however_they_are_written() {
    for (name, text) in [
        (
            "AAA.csv",
            "\u{feff}Date,Open,High,Low,Close/Last,Volume\n01/02/2025,$2,$3,$1,\"$1,002.5\",1\n",
        ),
        (
            "aaa_us_d.csv",
            "Date;Open;High;Low;Close\r\n20250102;1;2000;1;1002.5\r\n",
        ),
        (
            "x.txt",
            "<TICKER>\t<PER>\t<DATE>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<VOL>\nAAA.US\tD\t20250102\t1\t2000\t1\t1002.5\t1\n",
        ),
        (
            "AAA.txt",
            "timestamp|1. open|2. high|3. low|4. close|5. volume\n1735776000|1|2000|1|1002.5|1K\n",
        ),
        (
            "bars.json",
            r#"{"ticker":"AAA","results":[{"t":1735776000000,"o":1,"h":2000,"l":1,"c":1002.5,"v":1}]}"#,
        ),
    ] {
        let text = text
            .replace("$2,$3", "$2,\"$3,000\"")
            .replace("01/02/2025", "2025-01-02");
        let read = reading(MarketFile::Candles, name, &text);
        assert_eq!(closes(&read), pairs(&[("stock:AAA", &[1002.5])]), "{name}");
        assert_eq!(read.batch.candles[0].1[0].day, day("2025-01-02"), "{name}");
    }
}

#[test]
fn american_dates_need_a_column_that_says_so() {
    let table = |dates: &[&str]| {
        let rows = dates.iter().map(|date| format!("{date},1\n"));
        format!("Date,Close\n{}", rows.collect::<String>())
    };
    let read = reading(
        MarketFile::Candles,
        "AAA.csv",
        &table(&["01/02/2025", "01/31/2025"]),
    );
    assert_eq!(closes(&read), pairs(&[("close:AAA", &[1.0, 1.0])]));
    let read = reading(
        MarketFile::Candles,
        "AAA.csv",
        &table(&["01/02/2025", "03/02/2025"]),
    );
    assert_eq!(read.report.refused["the date is ambiguous"], 2);
}

#[test]
fn closes_indices_and_rates_are_series() {
    let text =
        "symbol,date,value\n^GSPC,2025-01-02,10\nXLK,2025-01-02,20\nEURUSD=X,2025-01-02,1.5\n";
    let read = reading(MarketFile::Candles, "many.csv", text);
    let expected = pairs(&[
        ("close:XLK", &[20.0]),
        ("fx:EURUSD", &[1.5]),
        ("index:^GSPC", &[10.0]),
    ]);
    assert_eq!(closes(&read), expected);
    let vix = "DATE,OPEN,HIGH,LOW,CLOSE\n2025-01-02,17,18,16,17.5\n2025-01-03,17,16,16,17\n";
    let read = reading(MarketFile::Candles, "vix_daily.csv", vix);
    assert_eq!(closes(&read), pairs(&[("index:^VIX", &[17.5])]));
    assert_eq!(refused(&read), [(3, "the high is below another price")]);
}

#[test]
fn a_chart_has_days_of_its_exchange_and_its_own_currency() {
    let chart = r#"{"chart":{"result":[{"meta":{"currency":"GBp","symbol":"AAA.L","instrumentType":"EQUITY",
        "exchangeTimezoneName":"Europe/London","gmtoffset":0,"dataGranularity":"1d","longName":"Aaa plc"},
        "timestamp":[1751410800,1751497200],"indicators":{"quote":[{"open":[1,1],"high":[2,2],"low":[1,1],
        "close":[1.5,null],"volume":[7,7]}]}}],"error":null}}"#;
    let always = |_: Day| true;
    let read = parse(
        MarketFile::Candles,
        "chart.json",
        chart.as_bytes(),
        &options(None, &always),
    )
    .unwrap();
    assert_eq!(read.batch.candles[0].1[0].day, day("2025-07-02"));
    assert_eq!(read.batch.instruments[0].currency(), "GBp");
    assert_eq!(refused(&read), [(2, "the close is missing")]);
}

#[test]
fn listings_know_funds_tests_sectors_and_footers() {
    let text = "Symbol|Security Name|Market Category|Test Issue|Financial Status|Round Lot Size|ETF|NextShares\n\
                AAA|Aaa Inc. - Common Stock|Q|N|N|100|N|N\nBBB|Bbb Fund|G|N|N|100|Y|N\n\
                ZZZ|Test|G|Y|N|100|N|N\nAAA|Again|Q|N|N|100|N|N\nFile Creation Time: 0102202521:31|||||||\n";
    let read = reading(MarketFile::Listings, "nasdaqlisted.txt", text);
    let found = &read.batch.instruments;
    assert_eq!(found[0].entity_name(), "Aaa Inc.");
    assert_eq!(found[0].exchange.as_deref(), Some("NASDAQ"));
    assert_eq!((found.len(), found[1].asset_type), (2, AssetType::Etf));
    assert_eq!(
        refused(&read),
        [
            (4, "a test issue of the exchange"),
            (5, "the symbol is repeated")
        ]
    );
    // A list without these columns gives both in its names.
    let text = "Symbol,Security Name\nQQQ,Invesco QQQ ETF\nZVZZT,NASDAQ TEST STOCK\n\
                ZXYZ.A,Nasdaq Symbology Test Common Stock\nAEHR,Aehr Test Systems - Common Stock\n";
    let read = reading(MarketFile::Listings, "nasdaq_listed.csv", text);
    let found = &read.batch.instruments;
    assert_eq!(
        found
            .iter()
            .map(|one| (one.entity_name(), one.asset_type))
            .collect::<Vec<_>>(),
        [
            ("Invesco QQQ ETF", AssetType::Etf),
            ("Aehr Test Systems", AssetType::Equity)
        ]
    );
    assert_eq!(read.report.refused.values().sum::<u64>(), 2);
    let other = "ACT Symbol|Security Name|Exchange|CQS Symbol|ETF|Round Lot Size|Test Issue|NASDAQ Symbol\n\
                 AAA$D|Aaa Preferred|N|AAApD|N|100|N|AAA-D\nBRK.B|Bbb|P|BRK.B|N|100|N|BRK.B\n";
    let read = reading(MarketFile::Listings, "otherlisted.txt", other);
    let found = &read.batch.instruments;
    assert_eq!(
        (found[0].symbol.as_str(), found[1].symbol.as_str()),
        ("AAA-PD", "BRK.B")
    );
    assert_eq!(found[1].exchange.as_deref(), Some("NYSE ARCA"));
    for text in [
        r#"{"0":{"cik_str":12,"ticker":"AAA","title":"Aaa Inc."}}"#,
        r#"{"fields":["cik","name","ticker","exchange"],"data":[[12,"Aaa Inc.","AAA","NYSE"]]}"#,
        r#"{"quoteResponse":{"result":[{"symbol":"AAA","quoteType":"EQUITY","longName":"Aaa Inc.","cik":12}]}}"#,
        "Symbol,Security,GICS Sector,GICS Sub-Industry,CIK\nAAA,Aaa Inc.,Energy,Coal,12\n",
    ] {
        let found = &reading(MarketFile::Listings, "list", text)
            .batch
            .instruments[0];
        assert_eq!(
            (found.cik, found.entity_name()),
            (Some(12), "Aaa Inc."),
            "{text}"
        );
    }
    let figures = "Symbol,Name,Sector,Price/Earnings,Dividend Yield,Earnings/Share,52 Week Low,52 Week High,Market Cap\n\
                   AAA,Aaa,Coal,10,0.25,2,1,3,4000\n";
    let read = reading(MarketFile::Listings, "figures.csv", figures);
    assert_eq!(read.batch.valuations[0].dividend_yield_pct, Some(25.0));
    assert_eq!(read.batch.instruments[0].industry.as_deref(), Some("Coal"));
}

#[test]
fn indicators_are_read_in_every_form() {
    let expected = |id: &str| pairs(&[(id, &[1.0, 3.0])]);
    for (name, text, id) in [
        (
            "x.csv",
            "series_id,date,value\nUNRATE,2025-01-01,1\nUNRATE,2025-02-01,.\nUNRATE,2025-03-01,3\n",
            "UNRATE",
        ),
        (
            "fredgraph.csv",
            "observation_date,UNRATE\n2025-01-01,1\n2025-02-01,.\n2025-03-01,3\n",
            "UNRATE",
        ),
        (
            "observations_gdp.json",
            r#"{"units":"lin","observations":[{"date":"2025-01-01","value":"1"},{"date":"2025-03-01","value":"3"}]}"#,
            "GDP",
        ),
        (
            "observations_array_XYZ1.json",
            r#"[{"date":"2025-01-01","value":"1"},{"date":"2025-02-01","value":"."},{"date":"2025-03-01","value":"3"}]"#,
            "XYZ1",
        ),
        (
            "cpi.csv",
            "Date,Index,Inflation\n2025-01-01,1,\n2025-02-01,3,9\n",
            "CPIAUCNS",
        ),
        (
            "us10y_monthly.csv",
            "Date,Rate\n2025-01-01,1\n2025-02-01,3\n",
            "GS10",
        ),
        (
            "curve.csv",
            "Date,\"2 Yr\"\n01/02/2025,1\n01/31/2025,3\n",
            "DGS2",
        ),
        (
            "shiller.csv",
            "Date,SP500,PE10\n2025-01-01,1,0.0\n2025-02-01,3,0.0\n",
            "SHILLER_SP500",
        ),
    ] {
        let read = reading(MarketFile::Macro, name, text);
        let taken: Vec<_> = values(&read)
            .filter(|(_, values)| !values.is_empty())
            .collect();
        assert_eq!(taken, expected(&format!("macro:{id}")), "{name}");
        assert_eq!(read.report.refused_total(), 0, "{name}");
    }
    // Current and chained dollars are two series: growth belongs to the second.
    let product = reading(
        MarketFile::Macro,
        "q.csv",
        "date,level-current,level-chained\n2025-01-01,1,5\n2025-04-01,3,4\n",
    );
    assert_eq!(
        closes(&product),
        pairs(&[("macro:GDP", &[1.0, 3.0]), ("macro:GDPC1", &[5.0, 4.0])])
    );
    let feed = r#"<feed xmlns:d="d" xmlns:m="m"><entry><content><m:properties>
        <d:NEW_DATE m:type="Edm.DateTime">2025-01-02T00:00:00</d:NEW_DATE><d:BC_1MONTH>0.5</d:BC_1MONTH>
        <d:BC_30YEAR m:null="true"/></m:properties></content></entry></feed>"#;
    let yields = reading(MarketFile::Macro, "feed.xml", feed);
    assert_eq!(closes(&yields), pairs(&[("macro:DGS1MO", &[0.5])]));
    let transformed = r#"{"units":"pch","observations":[{"date":"2025-01-01","value":"1"}]}"#;
    for (name, text) in [
        ("gdp.json", transformed),
        ("what_is_it.json", r#"[{"date":"2025-01-01","value":"1"}]"#),
    ] {
        let refused = parse(
            MarketFile::Macro,
            name,
            text.as_bytes(),
            &options(None, NEVER),
        );
        assert!(matches!(refused, Err(ReadError::Unknown(_))), "{name}");
    }
}

#[test]
fn rates_against_the_euro_are_crossed() {
    let text = "Date,USD,JPY,GBP,XXX,\n2025-01-03,1.5,150,0.75,9,\n2025-01-02,N/A,120,0.5,9,\n";
    let expected = pairs(&[
        ("fx:EURUSD", &[1.5]),
        ("fx:GBPUSD", &[2.0]),
        ("fx:USDJPY", &[100.0]),
    ]);
    // A currency in none of the pairs is kept as it is.
    let with_other = pairs(&[
        ("fx:EURUSD", &[1.5]),
        ("fx:EURXXX", &[9.0, 9.0]),
        ("fx:GBPUSD", &[2.0]),
        ("fx:USDJPY", &[100.0]),
    ]);
    assert_eq!(
        closes(&reading(MarketFile::Fx, "hist.csv", text)),
        with_other
    );
    let xml = "<e:Envelope xmlns:e='e'><Cube><Cube time='2025-01-03'><Cube currency='USD' rate='1.5'/>\
               <Cube currency='JPY' rate='150'/><Cube currency='GBP' rate='0.75'/></Cube></Cube></e:Envelope>";
    assert_eq!(closes(&reading(MarketFile::Fx, "daily.xml", xml)), expected);
    let bars = "Date,Open,High,Low,Close\n2025-01-02,1,1.25,1,1.25\n2025-01-03,1,1,1,1.25\n";
    let read = reading(MarketFile::Fx, "eurusd_d.csv", bars);
    assert_eq!(closes(&read), pairs(&[("fx:EURUSD", &[1.25])]));
    let long = "Date,Pair,Close\n2025-01-02,EUR/USD,1.25\n";
    assert_eq!(
        closes(&reading(MarketFile::Fx, "x.csv", long)),
        pairs(&[("fx:EURUSD", &[1.25])])
    );
    let fred = "observation_date,DEXJPUS\n2025-01-02,150\n2025-01-03,.\n";
    assert_eq!(
        closes(&reading(MarketFile::Fx, "x.csv", fred)),
        pairs(&[("fx:USDJPY", &[150.0])])
    );
}

#[test]
fn commodities_are_spot_or_futures() {
    let futures = "ticker,slug,date,open,high,low,close,volume\nCL=F,crude,2020-04-20,17,18,-40,-37,9\n\
                   CL=F,crude,2020-04-21,10,12,9,13,9\nCL=F,crude,2020-04-22,0,0,0,0,0\n";
    let read = reading(MarketFile::Commodities, "f.csv", futures);
    assert_eq!(
        closes(&read),
        pairs(&[("commodity:crude/futures", &[-37.0, 13.0])])
    );
    assert_eq!(refused(&read), [(4, "a price is not a positive number")]);
    let spot = "Date,Price\n2020-04-20,-36.98\n2020-04-21,0\n2020-04-22,\n";
    let read = reading(MarketFile::Commodities, "commodity_wti_daily.csv", spot);
    assert_eq!(
        closes(&read),
        pairs(&[("commodity:crude/spot", &[-36.98, 0.0])])
    );
    assert_eq!(refused(&read), [(4, "the close is missing")]);
    let fred = "DATE,DCOILWTICO\n2020-04-20,-36.98\n";
    assert_eq!(
        closes(&reading(MarketFile::Commodities, "x.csv", fred)),
        pairs(&[("commodity:crude/spot", &[-36.98])])
    );
    // Anything that is not a commodity has a price above zero, even if a file gives closes only.
    let index = "symbol,date,close\n^GSPC,2025-01-02,-1\nXLK,2025-01-02,0\n";
    let read = reading(MarketFile::Candles, "x.csv", index);
    assert_eq!(refused(&read).len(), 2, "{:?}", refused(&read));
    let given = options(Some("gold"), NEVER);
    let read = super::super::parse(
        MarketFile::Commodities,
        "x.csv",
        b"Date,Price\n1833-01,18.93\n",
        &given,
    )
    .unwrap();
    assert_eq!(closes(&read), pairs(&[("commodity:gold/spot", &[18.93])]));
    let fred = "DATE,DHHNGSP,PSUGAISAUSDM\n2025-01-02,3,20\n";
    let expected = pairs(&[
        ("commodity:natgas/spot", &[3.0]),
        ("commodity:sugar/spot", &[20.0]),
    ]);
    assert_eq!(
        closes(&reading(MarketFile::Commodities, "x.csv", fred)),
        expected
    );
    let nameless = super::super::parse(
        MarketFile::Commodities,
        "x.csv",
        spot.as_bytes(),
        &options(None, NEVER),
    );
    assert!(nameless.is_err());
}

#[test]
fn coins_have_candles_values_and_names() {
    let text = "symbol,name,date,high,low,open,close,volume,market_cap\nBTC,Bitcoin,2025-01-02,3,1,2,2,5,100\n\
                BTC,Bitcoin,2025-01-03,3,1,2,2.5,5,0\n";
    let always = |_: Day| true;
    let read = parse(
        MarketFile::Crypto,
        "c.csv",
        text.as_bytes(),
        &options(None, &always),
    )
    .unwrap();
    assert_eq!(
        closes(&read),
        pairs(&[("crypto:BTC", &[2.0, 2.5]), ("cap:BTC", &[100.0])])
    );
    assert_eq!(read.batch.instruments.len(), 1);
    assert_eq!(read.batch.instruments[0].entity_name(), "Bitcoin");
    // As candles of coins they give the same; as candles of shares only bars.
    let of_coins = FileOptions {
        market: Market::Crypto,
        ..options(None, &always)
    };
    let file = MemorySource::new(text);
    let mut batches = Vec::new();
    let mut take = |batch| {
        batches.push(batch);
        Ok(())
    };
    load_in_pieces(MarketFile::Candles, "c.csv", &file, &of_coins, &mut take).unwrap();
    let [batch] = &batches[..] else {
        panic!("{batches:?}")
    };
    assert_eq!(batch.instruments, read.batch.instruments);
    assert_eq!(batch.series, read.batch.series);
    let candles = parse(MarketFile::Candles, "c.csv", text.as_bytes(), &of_coins);
    assert_eq!(closes(&candles.unwrap()), closes(&read));
    let bare = text.replace("name,", "").replace("Bitcoin,", "");
    let bare = bare
        .replace(",market_cap", "")
        .replace(",100", "")
        .replace(",5,0", ",5");
    let bare = parse(MarketFile::Candles, "c.csv", bare.as_bytes(), &of_coins);
    assert_eq!(
        closes(&bare.unwrap()),
        pairs(&[("crypto:BTC", &[2.0, 2.5])])
    );
}

#[test]
fn hours_of_coins_are_told_from_days() {
    let text = "Unix Timestamp,Date,Symbol,Open,High,Low,Close,Volume\n\
                1,2026-01-30 22:00:00,BTC/USD,4,5,3,4.5,7\n\
                1,2026-01-30 21:00:00,BTC/USD,1,5,1,4,6\n\
                1,2026-01-30 21:00:00,BTC/USD,1,5,1,4,6\n\
                1,2026-01-30 20:30:00,BTC/USD,1,5,1,4,6\n\
                1,2026-01-30 19:00:00,BTC/USD,1,5,2,4,6\n\
                1,2026-01-31 02:00:00,BTC/USD,1,5,1,4,6\n";
    let read = reading(MarketFile::Crypto, "exchange.csv", text);
    let hours: Vec<_> = read
        .batch
        .hours
        .iter()
        .map(|hour| (hour.symbol.as_str(), hour.at.to_string(), hour.close))
        .collect();
    assert_eq!(
        hours,
        [
            ("BTC", "2026-01-30T22:00:00Z".to_owned(), 4.5),
            ("BTC", "2026-01-30T21:00:00Z".to_owned(), 4.0)
        ]
    );
    assert_eq!(
        refused(&read),
        [
            (4, "the hour is repeated"),
            (5, "the time is not a full hour"),
            (6, "the low is above another price"),
            (7, "the date is in the future"),
        ]
    );
    assert!(read.batch.candles.is_empty());
    assert_eq!(read.batch.instruments.len(), 1);
    // Milliseconds since 1970, and the file is named after the coin.
    let epoch = "open_time,open,high,low,close,volume\n\
                 1769800000000,1,2,1,2,1\n1769803600000,2,2,1,1,1\n1769807200000,2,2,1,1,1\n";
    let read = reading(
        MarketFile::Crypto,
        "ETH.csv",
        &epoch.replace("open_time", "timestamp"),
    );
    assert_eq!(read.batch.hours.len(), 0, "not on the hour");
    assert_eq!(read.report.refused_total(), 3);
    let read = reading(
        MarketFile::Crypto,
        "ETH.csv",
        "timestamp,open,high,low,close,volume\n1769806800000,1,2,1,2,1\n1769803200000,2,2,1,1,1\n",
    );
    assert_eq!(read.batch.hours[0].symbol.as_str(), "ETH");
    assert_eq!(read.batch.hours.len(), 2);
}

#[test]
fn prices_of_coins_are_in_dollars_or_refused() {
    let market = |ath: &str| {
        format!(
            r#"[{{"id":"bitcoin","symbol":"btc","name":"Bitcoin","current_price":12.5,"ath":{ath},
            "last_updated":"2025-01-02T00:00:00Z"}}]"#
        )
    };
    let read_as = |name: &str, text: &str| {
        let btc = options(Some("BTC"), NEVER);
        parse(MarketFile::Crypto, name, text.as_bytes(), &btc)
    };
    assert_eq!(
        read_as("list.json", &market("64804")).unwrap().batch.coins[0].price,
        Some(12.5)
    );
    assert!(read_as("list.json", &market("624")).is_err());
    assert!(read_as("coins_in_eth.json", &market("64804")).is_err());
    let coin = r#"{"symbol":"btc","name":"Bitcoin","market_data":{"current_price":{"eur":1,"usd":2},
        "market_cap":{"eur":9},"last_updated":"2025-01-02T00:00:00Z"}}"#;
    let read = read_as("coin.json", coin).unwrap();
    assert_eq!(
        (read.batch.coins[0].price, read.batch.coins[0].market_cap),
        (Some(2.0), None)
    );
    let global = r#"{"data":{"active_cryptocurrencies":7,"total_market_cap":{"eur":1,"usd":2},
        "market_cap_percentage":{"btc":40.5},"updated_at":1735776000}}"#;
    let read = read_as("global.json", global).unwrap();
    assert_eq!(read.batch.crypto_globals[0].total_market_cap, Some(2.0));
    // Noon, the midnight that ends the 2nd, and an hour of a day that is not over.
    let chart = r#"{"prices":[[1735819200000,1],[1735862400000,2],[1735866000000,3]],"market_caps":[[1735862400000,9]]}"#;
    let read = read_as("chart.json", chart).unwrap();
    assert_eq!(
        closes(&read),
        pairs(&[("cap:BTC", &[9.0]), ("close:BTC-USD", &[2.0])])
    );
    assert_eq!(read.batch.series[0].1[0].day, day("2025-01-02"));
    assert_eq!(refused(&read), [(3, "the day is not over")]);
    for error in [
        r#"{"error":"Missing parameter ids"}"#,
        r#"{"status":500,"error":"Internal Server Error"}"#,
    ] {
        let words = read_as("x.json", error).unwrap_err().to_string();
        assert!(words.contains("error message of a service"), "{words}");
    }
}

#[test]
fn value_locked_is_not_counted_twice() {
    let protocols = r#"[{"name":"Aaa V3","slug":"aaa-v3","category":"Lending","tvl":5,"change_1d":1,"change_7d":-2,
        "chains":["Ethereum","Ethereum-borrowed","pool2"]},{"name":"Bbb","slug":"bbb","category":"Dexs","tvl":null}]"#;
    let read = reading(MarketFile::Crypto, "protocols.json", protocols);
    assert_eq!(read.batch.protocols[0].chains, ["Ethereum"]);
    assert_eq!(read.batch.protocols[0].change_7d, Some(-2.0));
    assert_eq!(read.report.refused_total(), 1);
    let chains =
        r#"[{"name":"Ethereum","tokenSymbol":"ETH","tvl":5},{"name":"Ethereum-staking","tvl":5}]"#;
    let read = reading(MarketFile::Crypto, "chains.json", chains);
    assert_eq!(
        (read.batch.chains.len(), read.report.refused_total()),
        (1, 1)
    );
    let both = r#"{"updated":"2025-01-02T00:00:00Z","topProtocols":[{"name":"Aaa V3","tvl":5}],"topChains":[{"name":"Tron","tvl":1}]}"#;
    let read = reading(MarketFile::Crypto, "top.json", both);
    assert_eq!(read.batch.protocols[0].slug, "aaa-v3");
    assert_eq!(Day::of(read.batch.chains[0].at), day("2025-01-02"));
}

/// A file of two bars, as archives write them: times in nanoseconds, text, floats.
fn parquet_file(compression: parquet::basic::Compression) -> Vec<u8> {
    let schema = "message bars { required int64 date (TIMESTAMP(NANOS,false)); required binary symbol (UTF8);
        required double open; required double high; required double low; required double close; required int64 volume; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(
        WriterProperties::builder()
            .set_compression(compression)
            .build(),
    );
    let mut file = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut file, schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut place = 0;
    while let Some(mut column) = group.next_column().unwrap() {
        let nanoseconds = [1_735_776_000_000_000_000, 1_735_862_400_000_000_000];
        match place {
            0 => column
                .typed::<Int64Type>()
                .write_batch(&nanoseconds, None, None),
            1 => column.typed::<ByteArrayType>().write_batch(
                &[ByteArray::from("AAA"), ByteArray::from("AAA")],
                None,
                None,
            ),
            6 => column.typed::<Int64Type>().write_batch(&[5, 6], None, None),
            3 => column
                .typed::<DoubleType>()
                .write_batch(&[3.0, 3.0], None, None),
            4 => column
                .typed::<DoubleType>()
                .write_batch(&[0.1, 0.1], None, None),
            _ => column
                .typed::<DoubleType>()
                .write_batch(&[0.1 + 0.2, 2.0], None, None),
        }
        .unwrap();
        column.close().unwrap();
        place += 1;
    }
    group.close().unwrap();
    writer.close().unwrap();
    file
}

#[test]
fn parquet_is_a_table_too() {
    use parquet::basic::{Compression, GzipLevel, ZstdLevel};
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::ZSTD(ZstdLevel::default()),
        Compression::GZIP(GzipLevel::default()),
    ] {
        let file = parquet_file(compression);
        let read = parse(
            MarketFile::Candles,
            "x.parquet",
            &file,
            &options(None, NEVER),
        )
        .unwrap();
        assert_eq!(closes(&read), pairs(&[("stock:AAA", &[0.1 + 0.2, 2.0])]));
        assert_eq!(read.batch.candles[0].1[1].day, day("2025-01-03"));
    }
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200), name in "[a-z_.]{0,12}") {
        for kind in MarketFile::ALL {
            let _ = parse(kind, &name, &bytes, &options(None, NEVER));
        }
    }

    #[test]
    fn any_cells_are_survived(cells in prop::collection::vec("[-0-9A-Z$./,:é\" ]{0,12}", 0..40), symbol in prop::option::of("\\PC{0,8}")) {
        for header in [
            "date,symbol,open,high,low,close,volume", "Date,USD,JPY", "Symbol,Name", "Date,2 Yr", "DATE,GDP", "slug,date,price",
        ] {
            let text = format!("{header}\n{}", cells.chunks(7).map(|row| row.join(",") + "\n").collect::<String>());
            for kind in MarketFile::ALL {
                if let Ok(reading) = parse(kind, "AAA.csv", text.as_bytes(), &options(symbol.as_deref(), NEVER)) {
                    for (_, bars) in &reading.batch.candles {
                        prop_assert!(bars.iter().all(|bar| bar.defect().is_none()));
                        prop_assert!(bars.windows(2).all(|pair| pair[0].day < pair[1].day));
                    }
                    for (_, points) in &reading.batch.series {
                        prop_assert!(points.iter().all(|point| point.value.is_finite()));
                        prop_assert!(points.windows(2).all(|pair| pair[0].day < pair[1].day));
                    }
                }
            }
        }
    }

    #[test]
    fn damaged_parquet_is_survived(place in 0_usize..600, byte in any::<u8>(), cut in 0_usize..600) {
        let mut file = parquet_file(parquet::basic::Compression::SNAPPY);
        let length = file.len();
        file[place % length] = byte;
        let _ = parse(MarketFile::Candles, "x.parquet", &file, &options(None, NEVER));
        file.truncate(cut);
        let _ = parse(MarketFile::Candles, "x.parquet", &file, &options(None, NEVER));
    }
}
