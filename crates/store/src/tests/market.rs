//! Market data: blocks with corrections, records with versions, sentiment of briefs, quotes, watchlists.

use model::{
    AccountId, AssetType, Candle, Chamber, CongressTrade, Day, EntityKind, EntityMention,
    EntityRole, Frequency, Instrument, InstrumentKey, Observation, PriceScale, Quote, Score,
    Series, SeriesId, Symbol, Timestamp,
};
use uuid::Uuid;

use super::access::account;
use super::on_each_database;
use super::samples::{News, hour, publish, update};
use crate::{BriefSentimentQuery, RecordQuery, ScaledCandle, Store, Watchlist, Written};

fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

fn symbol(text: &str) -> Symbol {
    Symbol::parse(text).unwrap()
}

fn acme() -> Instrument {
    Instrument::bare(symbol("ACME"), AssetType::Equity)
}

fn candle(day: Day, close: f64) -> Candle {
    Candle {
        day,
        open: close,
        high: close + 1.0,
        low: close - 1.0,
        close,
        volume: 5.0,
    }
}

async fn put(store: &Store, at: i64, candles: &[Candle]) -> Written {
    let mut transaction = store.market_transaction(hour(at)).await.unwrap();
    let written = transaction.put_candles(&acme(), candles).await.unwrap();
    transaction.commit().await.unwrap();
    written
}

async fn closes(store: &Store, as_of: Option<Timestamp>) -> Vec<(String, f64)> {
    let key = InstrumentKey::stock(symbol("ACME"));
    let history = store.market().candles(&key, as_of).await.unwrap();
    history
        .rows
        .iter()
        .map(|one| (one.day.to_string(), one.close))
        .collect()
}

#[tokio::test]
async fn a_second_telling_changes_nothing_and_another_one_is_a_correction() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (last, first) = (day("2024-12-31"), day("2025-01-02"));
        let candles = [candle(last, 10.0), candle(first, 11.0)];
        assert_eq!(put(&store, 1, &candles).await.added, 2);
        assert_eq!(put(&store, 2, &candles).await.known, 2);
        let corrected = put(&store, 3, &[candle(last, 12.0)]).await;
        assert_eq!((corrected.corrected, corrected.added), (1, 0));
        assert_eq!(put(&store, 4, &[candle(last, 12.0)]).await.known, 1);
        // Going back to the first report is another correction.
        assert_eq!(put(&store, 5, &[candle(last, 10.0)]).await.corrected, 1);
        let of = |close: f64| vec![(last.to_string(), close), (first.to_string(), 11.0)];
        assert_eq!(closes(&store, Some(hour(2))).await, of(10.0));
        assert_eq!(closes(&store, Some(hour(3))).await, of(12.0));
        assert_eq!(closes(&store, Some(hour(5))).await, of(10.0));
        assert_eq!(closes(&store, None).await, of(10.0));
        let key = InstrumentKey::stock(symbol("ACME"));
        let many = store.market().candles_of(&[key], i64::MIN).await.unwrap();
        assert_eq!(many.len(), 1);
        assert_eq!(many[0].1.last_correction, Some(hour(5)));
        assert_eq!(many[0].1.rows.len(), 2);
    })
    .await;
}

#[tokio::test]
async fn days_between_known_ones_take_their_place() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let days: Vec<Day> = (0..9).map(|at| day("2024-02-26").plus(at)).collect();
        let even: Vec<Candle> = days
            .iter()
            .step_by(2)
            .map(|day| candle(*day, f64::from(day.get())))
            .collect();
        put(&store, 1, &even).await;
        let all: Vec<Candle> = days
            .iter()
            .map(|day| candle(*day, f64::from(day.get())))
            .collect();
        let written = put(&store, 2, &all).await;
        assert_eq!((written.added, written.known), (4, 5));
        let found = closes(&store, None).await;
        let wanted: Vec<(String, f64)> = days
            .iter()
            .map(|day| (day.to_string(), f64::from(day.get())))
            .collect();
        assert_eq!(found, wanted);
    })
    .await;
}

#[tokio::test]
async fn versions_rise_with_what_changed() {
    on_each_database(|place| async move {
        let store = place.open().await;
        put(&store, 1, &[candle(day("2025-01-02"), 1.0)]).await;
        let before = store.market().version().await.unwrap();
        let mut transaction = store.market_transaction(hour(2)).await.unwrap();
        let listed = Instrument {
            name: Some("Bolt".into()),
            ..Instrument::bare(symbol("BOLT"), AssetType::Equity)
        };
        transaction
            .put_instruments(std::slice::from_ref(&listed))
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        let changed = store.market().instruments_since(before).await.unwrap();
        assert_eq!(changed.len(), 1);
        assert_eq!(changed[0].instrument, listed);
        assert_eq!(store.market().instruments_since(-1).await.unwrap().len(), 2);
        // A transaction that is dropped leaves nothing behind.
        let mut transaction = store.market_transaction(hour(3)).await.unwrap();
        transaction
            .put_candles(&acme(), &[candle(day("2025-01-03"), 1.0)])
            .await
            .unwrap();
        drop(transaction);
        assert_eq!(closes(&store, None).await.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn values_of_series_keep_what_was_reported_first() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let series = Series {
            id: SeriesId::new("macro", "GDP"),
            name: "Gross Domestic Product".into(),
            unit: "billions of USD".into(),
            frequency: Frequency::Quarterly,
            source: "FRED".into(),
            publication_lag_days: 118,
        };
        for (at, value) in [(1, 100.5), (2, 100.7)] {
            let mut transaction = store.market_transaction(hour(at)).await.unwrap();
            let day = day("2025-01-01");
            transaction
                .put_values(&series, &[Observation { day, value }])
                .await
                .unwrap();
            transaction.commit().await.unwrap();
        }
        let value = async |as_of| {
            let found = store.market().values(&series.id, as_of).await.unwrap();
            found.rows[0].value
        };
        assert_eq!(value(Some(hour(1))).await, 100.5);
        assert_eq!(value(None).await, 100.7);
        assert_eq!(store.market().series("macro").await.unwrap(), [series]);
        assert!(store.market().series("fx").await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn of_two_sources_of_a_value_the_same_one_stands_whichever_comes_first() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let of = |name: &str, source: &str| Series {
            id: SeriesId::new("macro", name),
            name: name.into(),
            unit: "percent".into(),
            frequency: Frequency::Daily,
            source: source.into(),
            publication_lag_days: 1,
        };
        let day = day("2025-01-02");
        let orders = [
            ("DGS10", ["US Treasury", "FRED"]),
            ("DGS2", ["FRED", "US Treasury"]),
            ("A", ["one_file", "another_file"]),
            ("B", ["another_file", "one_file"]),
        ];
        let value_of = |source: &str| match source {
            "US Treasury" | "one_file" => 4.57,
            _ => 4.6,
        };
        let mut standing = Vec::new();
        for (name, sources) in orders {
            for (at, source) in (1..).zip(sources) {
                let mut transaction = store.market_transaction(hour(at)).await.unwrap();
                let value = value_of(source);
                transaction
                    .put_values(&of(name, source), &[Observation { day, value }])
                    .await
                    .unwrap();
                transaction.commit().await.unwrap();
            }
            let id = SeriesId::new("macro", name);
            let rows = store.market().values(&id, None).await.unwrap().rows;
            let before = store.market().values(&id, Some(hour(0))).await.unwrap();
            assert_eq!(before.rows, rows, "of every time the same source");
            let all = store.market().series("macro").await.unwrap();
            let told = all.into_iter().find(|series| series.id == id).unwrap();
            standing.push((rows[0].value, told.source));
        }
        assert_eq!(standing[0], (4.57, "US Treasury".to_owned()));
        assert_eq!(standing[1], standing[0]);
        assert_eq!(standing[3], standing[2]);
        // The same source reporting other numbers later is a correction.
        let mut transaction = store.market_transaction(hour(3)).await.unwrap();
        let again = [Observation { day, value: 4.58 }];
        let written = transaction
            .put_values(&of("DGS10", "US Treasury"), &again)
            .await
            .unwrap();
        assert_eq!(written.corrected, 1);
        transaction.commit().await.unwrap();
        let id = SeriesId::new("macro", "DGS10");
        for (as_of, value) in [(Some(hour(2)), 4.57), (None, 4.58)] {
            let history = store.market().values(&id, as_of).await.unwrap();
            assert_eq!(history.rows[0].value, value);
        }
    })
    .await;
}

/// Up to when a file knew prices, its name, and the close it gives.
type File = (PriceScale, &'static str, f64);

/// Writes one day's close from each file, in order, and returns the one in force.
async fn standing_of(store: &Store, share: &Instrument, on: Day, files: &[File]) -> ScaledCandle {
    for (at, (scale, source, close)) in (1..).zip(files) {
        let mut transaction = store.market_transaction(hour(at)).await.unwrap();
        transaction
            .put_scaled_candles(share, &[candle(on, *close)], *scale, source)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
    }
    let history = store.market().scaled_candles(&share.key(), None).await;
    history.unwrap().rows[0]
}

#[tokio::test]
async fn of_two_files_of_a_candle_the_same_one_stands_whichever_comes_first() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let on = day("2025-01-02");
        let scale = PriceScale::Through(day("2025-07-07"));
        let (exchange, archive) = (
            (scale, "exchange", 182.01),
            (scale, "archive", 182.009_994_5),
        );
        let share = |name: &str| Instrument::bare(symbol(name), AssetType::Equity);
        let one = standing_of(&store, &share("ONE"), on, &[exchange, archive]).await;
        let other = standing_of(&store, &share("TWO"), on, &[archive, exchange]).await;
        assert_eq!(one, other);
        assert_eq!(one.candle.close, 182.01);
        // The same file giving other numbers later is a correction.
        let again = (scale, "exchange", 182.02);
        let corrected = [archive, exchange, again, archive];
        let three = standing_of(&store, &share("THREE"), on, &corrected).await;
        assert_eq!(three.candle.close, 182.02);
        // Coin candles stored before their source was recorded give way.
        let coin = Instrument::bare(symbol("BTC"), AssetType::Crypto);
        let unsigned = (PriceScale::Newest, "", 182.0);
        let files = [unsigned, archive, exchange, archive];
        assert_eq!(standing_of(&store, &coin, on, &files).await, one);
    })
    .await;
}

/// The close that each order of these files gives for times before the first of them, between them and after them.
async fn closes_of_orders(store: &Store, files: &[File], orders: &[&[usize]]) -> Vec<Vec<f64>> {
    let on = day("2025-01-02");
    let mut found = Vec::new();
    for (number, order) in orders.iter().enumerate() {
        let share = Instrument::bare(symbol(&format!("S{number}")), AssetType::Equity);
        let files: Vec<File> = order.iter().map(|place| files[*place]).collect();
        standing_of(store, &share, on, &files).await;
        let mut closes = Vec::new();
        for as_of in [Some(hour(0)), Some(hour(9)), None] {
            let history = store.market().candles(&share.key(), as_of).await.unwrap();
            closes.push(history.rows[0].close);
        }
        found.push(closes);
    }
    found
}

#[tokio::test]
async fn two_files_of_a_candle_say_the_same_of_every_time_in_either_order() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let through = |last: &str| PriceScale::Through(day(last));
        let (older, newer) = (through("2023-06-29"), through("2025-07-07"));
        let files = [
            (older, "members", 164.319_992_1),
            (newer, "exchange", 164.32),
            (newer, "archive", 164.320_007_3),
        ];
        let orders: [&[usize]; 6] = [
            &[0, 1, 2],
            &[0, 2, 1],
            &[1, 0, 2],
            &[1, 2, 0],
            &[2, 0, 1],
            &[2, 1, 0],
        ];
        for closes in closes_of_orders(&store, &files, &orders).await {
            assert_eq!(closes, [164.32; 3]);
        }
    })
    .await;
}

#[tokio::test]
async fn another_file_takes_the_place_of_what_was_corrected_too() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let through = |last: &str| PriceScale::Through(day(last));
        let (older, newer) = (through("2023-06-29"), through("2025-07-07"));
        let files = [
            (older, "members", 164.1),
            (older, "members", 164.2),
            (newer, "exchange", 164.3),
            (newer, "exchange", 164.4),
        ];
        let orders: [&[usize]; 3] = [&[0, 1, 2, 3], &[2, 0, 1, 3], &[2, 3, 0, 1]];
        for closes in closes_of_orders(&store, &files, &orders).await {
            // A file reporting again is still a correction: known from then on.
            assert_eq!(closes, [164.3, 164.4, 164.4]);
        }
        // The older file's correction was known at hour 2, and nothing of it is left.
        let share = InstrumentKey::stock(symbol("S0"));
        let between = Some(hour(2));
        let history = store.market().candles(&share, between).await.unwrap();
        assert_eq!(history.rows[0].close, 164.3);
        assert_eq!(history.last_correction, Some(hour(4)));
    })
    .await;
}

#[tokio::test]
async fn candles_that_are_restated_stand_from_the_beginning() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let on = day("2025-01-02");
        let file = (PriceScale::Through(day("2025-07-07")), "exchange", 400.0);
        standing_of(&store, &acme(), on, &[file]).await;
        let mut transaction = store.market_transaction(hour(2)).await.unwrap();
        let days = [candle(on, 40.0), candle(on.plus(1), 41.0)];
        let written = transaction.restate_candles(&acme(), &days).await.unwrap();
        assert_eq!((written.corrected, written.total()), (1, 1));
        transaction.commit().await.unwrap();
        for as_of in [Some(hour(0)), None] {
            let history = store.market().scaled_candles(&acme().key(), as_of).await;
            let rows = history.unwrap().rows;
            let closes: Vec<f64> = rows.iter().map(|row| row.candle.close).collect();
            assert_eq!((closes, rows[0].scale), (vec![40.0], file.0));
        }
    })
    .await;
}

#[tokio::test]
async fn a_candle_that_a_newer_file_confirms_is_as_new_as_that_file() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let on = day("2022-02-22");
        let through = |last: &str| PriceScale::Through(day(last));
        let (old, chart, new) = (
            (through("2023-06-29"), "members", 164.32),
            (through("2025-02-19"), "chart", 164.320_007_3),
            (through("2025-07-07"), "exchange", 164.32),
        );
        let mut found = Vec::new();
        for (place, files) in [
            [old, chart, new],
            [old, new, chart],
            [chart, old, new],
            [chart, new, old],
            [new, old, chart],
            [new, chart, old],
        ]
        .iter()
        .enumerate()
        {
            let share = Instrument::bare(symbol(&format!("S{place}")), AssetType::Equity);
            found.push(standing_of(&store, &share, on, files).await);
            // The same again: nothing is new.
            let version = store.market().version().await.unwrap();
            standing_of(&store, &share, on, files).await;
            assert_eq!(store.market().version().await.unwrap(), version);
        }
        assert_eq!((found[0].candle.close, found[0].scale), (164.32, new.0));
        assert!(found.iter().all(|row| *row == found[0]), "{found:?}");
    })
    .await;
}

#[tokio::test]
async fn a_candle_that_is_confirmed_is_not_corrected() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let on = day("2022-02-22");
        let share = acme();
        let through = |last: &str| PriceScale::Through(day(last));
        let (old, new) = (through("2023-06-29"), through("2025-07-07"));
        let corrected_at = async || {
            let key = share.key();
            let history = store.market().scaled_candles(&key, None).await.unwrap();
            let then = Some(hour(1));
            let as_of = store.market().scaled_candles(&key, then).await.unwrap();
            assert_eq!(as_of.last_correction, history.last_correction);
            assert_eq!(as_of.rows[0].candle.close, 164.32);
            history.last_correction
        };
        let unsigned = (old, "", 164.32);
        standing_of(&store, &share, on, &[unsigned]).await;
        // A name alone is not written.
        let version = store.market().version().await.unwrap();
        let signed = (old, "members", 164.32);
        standing_of(&store, &share, on, &[unsigned, signed]).await;
        assert_eq!(store.market().version().await.unwrap(), version);
        // A newer file that says the same is written, and is not a correction.
        let files = [unsigned, signed, (new, "exchange", 164.32)];
        assert_eq!(standing_of(&store, &share, on, &files).await.scale, new);
        assert_eq!(corrected_at().await, None);
        let files = [unsigned, unsigned, unsigned, (new, "exchange", 164.4)];
        let stands = standing_of(&store, &share, on, &files).await;
        assert_eq!(stands.candle.close, 164.4);
        assert_eq!(corrected_at().await, Some(hour(4)));
    })
    .await;
}

fn trade(id: &str, member: &str, range: &str) -> CongressTrade {
    CongressTrade {
        id: id.into(),
        member: member.into(),
        party: None,
        chamber: Chamber::Senate,
        symbol: Some(symbol("ACME")),
        asset: "Acme".into(),
        transaction_type: "buy".into(),
        amount_range: range.into(),
        amount_low: Some(1_001.0),
        amount_high: Some(15_000.0),
        transaction_date: Some(day("2025-02-01")),
        disclosure_date: day("2025-03-01"),
        owner: None,
        url: None,
    }
}

async fn put_trades(store: &Store, at: i64, trades: &[(CongressTrade, i64)]) -> Written {
    let mut transaction = store.market_transaction(hour(at)).await.unwrap();
    let trades = trades
        .iter()
        .map(|(one, known)| (one.clone(), hour(*known)));
    let written = transaction.put_records(trades).await.unwrap();
    transaction.commit().await.unwrap();
    written
}

async fn ranges(store: &Store, as_of: Option<i64>) -> Vec<String> {
    let query = RecordQuery {
        symbol: Some(symbol("ACME")),
        as_of: as_of.map(hour),
        ..RecordQuery::default()
    };
    let found = store.records::<CongressTrade>().list(&query).await.unwrap();
    found
        .into_iter()
        .map(|stored| stored.record.amount_range)
        .collect()
}

#[tokio::test]
async fn a_newer_version_closes_the_one_before_in_any_order_of_arrival() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (old, new) = (trade("1", "Quill", "old"), trade("1", "Quill", "new"));
        assert_eq!(put_trades(&store, 20, &[(new.clone(), 9)]).await.added, 1);
        // The older version arrives later, and is in force only until the newer one.
        assert_eq!(put_trades(&store, 21, &[(old.clone(), 5)]).await.added, 1);
        for again in [(new, 9), (old, 5)] {
            assert_eq!(put_trades(&store, 22, &[again]).await.known, 1);
        }
        assert!(ranges(&store, Some(4)).await.is_empty());
        assert_eq!(ranges(&store, Some(5)).await, ["old"]);
        assert_eq!(ranges(&store, Some(9)).await, ["new"]);
        assert_eq!(ranges(&store, None).await, ["new"]);
        // Reported differently for the very same time: known from when it is written.
        let other = trade("1", "Quill", "other");
        put_trades(&store, 23, &[(other, 9)]).await;
        assert_eq!(ranges(&store, Some(22)).await, ["new"]);
        assert_eq!(ranges(&store, Some(23)).await, ["other"]);
    })
    .await;
}

#[tokio::test]
async fn versions_of_one_batch_close_each_other() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let version = |range: &str, known: i64| (trade("1", "Quill", range), known);
        put_trades(&store, 20, &[version("stored", 3)]).await;
        let other = (trade("2", "Quill", "alone"), 6);
        // The middle one comes last.
        let batch = [
            version("first", 5),
            other,
            version("third", 9),
            version("second", 7),
        ];
        let written = put_trades(&store, 21, &batch).await;
        assert_eq!((written.added, written.corrected), (1, 3));
        let of_one = async |as_of| {
            let mut ranges = ranges(&store, as_of).await;
            ranges.retain(|range| range != "alone");
            ranges
        };
        for (at, range) in [(3, "stored"), (5, "first"), (7, "second"), (9, "third")] {
            assert_eq!(of_one(Some(at)).await, [range]);
        }
        assert_eq!(of_one(None).await, ["third"]);
    })
    .await;
}

#[tokio::test]
async fn what_a_transaction_wrote_first_it_finds_again_in_an_empty_store() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let mut transaction = store.market_transaction(hour(20)).await.unwrap();
        let version = |range: &str, known: i64| [(trade("1", "Quill", range), hour(known))];
        for (range, known) in [("first", 5), ("third", 9), ("second", 7)] {
            let written = transaction
                .put_records(version(range, known))
                .await
                .unwrap();
            assert_eq!(written.total(), 1);
        }
        // The same again, among so many that they take several statements to write.
        let many = (0..300).map(|id| (trade(&id.to_string(), "Quill", "first"), hour(5)));
        let written = transaction.put_records(many).await.unwrap();
        assert_eq!((written.added, written.known), (299, 1));

        let days = [day("2025-02-03"), day("2025-02-04")];
        for (at, close) in [(0, 10.0), (1, 11.0), (1, 11.0), (0, 12.0)] {
            let candles = [candle(days[at], close)];
            transaction.put_candles(&acme(), &candles).await.unwrap();
        }
        let found = transaction.find_instrument(&acme().key()).await.unwrap();
        assert_eq!(found, Some(acme()), "noted by its symbol");
        let mut named = acme();
        named.name = Some("Acme".into());
        let written = transaction.put_instruments(&[named.clone()]).await.unwrap();
        assert_eq!((written.added, written.corrected), (0, 1));
        transaction.touch(&acme());
        transaction.commit().await.unwrap();

        let of_one = async |as_of| {
            let query = RecordQuery {
                as_of: Some(hour(as_of)),
                ..RecordQuery::default()
            };
            let found = store.records::<CongressTrade>().list(&query).await.unwrap();
            let mut found = found.into_iter().map(|stored| stored.record);
            found.find(|one| one.id == "1").map(|one| one.amount_range)
        };
        for (at, range) in [(5, "first"), (7, "second"), (9, "third")] {
            assert_eq!(of_one(at).await.as_deref(), Some(range));
        }
        let expected = [
            ("2025-02-03".to_owned(), 12.0),
            ("2025-02-04".to_owned(), 11.0),
        ];
        assert_eq!(closes(&store, None).await, expected);
        let listed = store.market().instruments_since(0).await.unwrap();
        let listed: Vec<Instrument> = listed.into_iter().map(|stored| stored.instrument).collect();
        assert_eq!(listed, [named]);
    })
    .await;
}

#[tokio::test]
async fn records_are_found_by_what_their_kind_says() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let mut house = trade("2", "Inkwell 100%", "b");
        house.chamber = Chamber::House;
        house.symbol = None;
        put_trades(&store, 1, &[(trade("1", "Quill", "a"), 1), (house, 1)]).await;
        let count = async |query: RecordQuery| {
            store
                .records::<CongressTrade>()
                .count(&query)
                .await
                .unwrap()
        };
        let all = RecordQuery::default();
        assert_eq!(count(all.clone()).await, 2);
        let word = RecordQuery {
            words: vec!["HOUSE".into()],
            ..all.clone()
        };
        assert_eq!(count(word).await, 1);
        let containing = |text: &str| RecordQuery {
            containing: vec![text.into()],
            ..RecordQuery::default()
        };
        assert_eq!(count(containing("inkwell 100%")).await, 1);
        assert_eq!(
            count(containing("inkwell 1_0")).await,
            0,
            "a mark is no wildcard"
        );
        let from = RecordQuery {
            from: Some(day("2025-03-02")),
            ..all
        };
        assert_eq!(count(from).await, 0);
    })
    .await;
}

#[tokio::test]
async fn brief_sentiments_follow_the_revisions_of_briefs() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let mention = |sentiment: f64| EntityMention {
            name: "Acme".into(),
            kind: EntityKind::Organization,
            ticker: Some("acme".into()),
            role: EntityRole::Subject,
            mentions: 1,
            sentiment: Score::new(sentiment).unwrap(),
        };
        let mut news = News::new(1, hour(0));
        news.entities = vec![mention(0.2)];
        let (_, story) = publish(&store, &news).await;
        let mut second = News::new(2, hour(5));
        second.entities = vec![mention(0.8)];
        update(&store, story, &second).await;
        let sentiments = async |as_of: Option<i64>| {
            let query = BriefSentimentQuery {
                tickers: vec!["ACME".into()],
                as_of: as_of.map(hour),
                ..BriefSentimentQuery::default()
            };
            let found = store.brief_sentiments().list(&query).await.unwrap();
            found
                .iter()
                .map(|one| one.sentiment.get())
                .collect::<Vec<_>>()
        };
        assert_eq!(sentiments(None).await, [0.8]);
        assert_eq!(sentiments(Some(4)).await, [0.2]);
        assert!(sentiments(Some(-1)).await.is_empty());
        // What it said when it first named the ticker.
        let query = BriefSentimentQuery {
            tickers: vec!["ACME".into()],
            ..BriefSentimentQuery::default()
        };
        let first = store.brief_sentiments().first_statements(&query).await;
        let first = first.unwrap();
        let published_at = store.brief_sentiments().list(&query).await.unwrap()[0].published_at;
        assert_eq!(first.len(), 1);
        assert_eq!(first[0].sentiment.get(), 0.2);
        assert_eq!(first[0].published_at, published_at);
        // Reading everything again, as after an upgrade, changes nothing.
        let forget = "DELETE FROM setting WHERE name = 'opinions.complete'";
        store.database().write(forget, Vec::new()).await.unwrap();
        assert!(store.brief_sentiments().complete().await.unwrap() > 0);
        assert_eq!(store.brief_sentiments().complete().await.unwrap(), 0);
        assert_eq!(sentiments(None).await, [0.8]);
        assert_eq!(sentiments(Some(4)).await, [0.2]);
    })
    .await;
}

#[tokio::test]
async fn only_a_newer_quote_takes_the_place() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let quote = |price: f64, at: i64| {
            let quote = Quote {
                price,
                previous_close: None,
                volume: Some(1.0),
                at: hour(at),
            };
            ("stock:ACME".to_owned(), quote)
        };
        store.market().put_quotes(&[quote(10.0, 2)]).await.unwrap();
        store.market().put_quotes(&[quote(9.0, 1)]).await.unwrap();
        let found = store.market().quotes_since(-1).await.unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].quote.price, 10.0);
    })
    .await;
}

#[tokio::test]
async fn a_quote_is_found_by_when_it_was_written_and_not_by_its_time() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let market = store.market();
        let put = async |series: &str, at: i64| {
            let quote = Quote {
                price: 1.0,
                previous_close: None,
                volume: None,
                at: hour(at),
            };
            market
                .put_quotes(&[(series.to_owned(), quote)])
                .await
                .unwrap();
            market.versions().await.unwrap()
        };
        let first = put("stock:ACME", 5).await;
        let second = put("stock:BOLT", 1).await;
        assert!(first.quotes < second.quotes);
        assert_ne!(first.quotes_mark, second.quotes_mark);
        assert_eq!(first.market, second.market);
        let found = market.quotes_since(first.quotes).await.unwrap();
        let names: Vec<&str> = found.iter().map(|row| row.series.as_str()).collect();
        assert_eq!(names, ["stock:BOLT"]);
        assert!(market.quotes_since(second.quotes).await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_watchlist_is_its_owners_alone() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, theirs) = (account("a@example.org"), account("b@example.org"));
        for account in [&mine, &theirs] {
            store.accounts().insert(account).await.unwrap();
        }
        let watchlist = Watchlist {
            id: Uuid::from_u128(7).to_string(),
            account: mine.id,
            name: "Chips".into(),
            created_at: hour(1),
            symbols: vec![symbol("ZED"), symbol("ACME")],
        };
        let lists = store.watchlists();
        lists.insert(&watchlist, 1, None).await.unwrap();
        assert!(
            lists.insert(&watchlist, 1, None).await.is_err(),
            "one is allowed"
        );
        assert_eq!(
            lists.find(mine.id, &watchlist.id).await.unwrap(),
            Some(watchlist.clone())
        );
        let other: AccountId = theirs.id;
        assert_eq!(lists.find(other, &watchlist.id).await.unwrap(), None);
        assert!(
            !lists
                .remove(other, &watchlist.id, &symbol("ZED"))
                .await
                .unwrap()
        );
        assert!(!lists.delete(other, &watchlist.id).await.unwrap());
        let added = lists
            .add(
                mine.id,
                &watchlist.id,
                &[symbol("BOLT"), symbol("ZED")],
                hour(2),
                3,
            )
            .await
            .unwrap()
            .unwrap();
        assert_eq!(
            added.symbols,
            [symbol("ZED"), symbol("ACME"), symbol("BOLT")]
        );
        let more = [symbol("MORE")];
        assert!(
            lists
                .add(mine.id, &watchlist.id, &more, hour(3), 3)
                .await
                .is_err()
        );
        assert!(
            lists
                .remove(mine.id, &watchlist.id, &symbol("ZED"))
                .await
                .unwrap()
        );
        assert_eq!(lists.list(mine.id).await.unwrap()[0].symbols.len(), 2);
        assert!(lists.delete(mine.id, &watchlist.id).await.unwrap());
        assert!(lists.list(mine.id).await.unwrap().is_empty());
    })
    .await;
}
