use model::{Concept, DataMode, Fact, Instrument};
use store::{Location, Store};

use super::*;
use crate::market::MarketServices;

fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// An annual report by ACME.
fn year(accession: &str, year: i32, filed: &str, revenue: f64) -> FactSet {
    let fact = |concept, start: Option<Day>, value, unit: &str| Fact {
        concept,
        start,
        end: day(&format!("{year}-12-31")),
        value,
        unit: unit.to_owned(),
    };
    let start = Some(day(&format!("{year}-01-01")));
    FactSet {
        symbol: Symbol::parse("ACME").unwrap(),
        cik: None,
        accession: accession.to_owned(),
        form: "10-K".to_owned(),
        filed: day(filed),
        accepted_at: None,
        facts: vec![
            fact(Concept::Revenue, start, revenue, "USD"),
            fact(Concept::EpsDiluted, start, revenue / 100.0, "USD/shares"),
            fact(Concept::SharesOutstanding, None, 50.0, "shares"),
        ],
    }
}

async fn services(sets: Vec<(FactSet, &str)>) -> (Store, MarketServices) {
    let store = Store::open(&Location::Memory, DataMode::Demo)
        .await
        .unwrap();
    write(&store, "2026-01-01T00:00:00Z", sets).await;
    let services = MarketServices::new(store.clone());
    (store, services)
}

async fn write(store: &Store, at: &str, sets: Vec<(FactSet, &str)>) {
    let mut transaction = store.market_transaction(time(at)).await.unwrap();
    let symbol = Symbol::parse("ACME").unwrap();
    let candle = model::Candle {
        day: day("2024-01-02"),
        open: 1.0,
        high: 1.0,
        low: 1.0,
        close: 1.0,
        volume: 1.0,
    };
    let acme = Instrument::bare(symbol, AssetType::Equity);
    transaction.put_candles(&acme, &[candle]).await.unwrap();
    let sets = sets.into_iter().map(|(set, known)| (set, time(known)));
    transaction.put_records(sets).await.unwrap();
    transaction.commit().await.unwrap();
}

fn at(text: &str, is_past: bool) -> PointInTime {
    PointInTime {
        end: time(text),
        as_of: is_past.then(|| time(text)),
    }
}

async fn revenue(fundamentals: &Fundamentals, when: PointInTime) -> Option<f64> {
    let board = fundamentals.figures(when).await.unwrap();
    let of_one = fundamentals
        .figures_of(&Symbol::parse("ACME").unwrap(), when)
        .await
        .unwrap();
    let on_board = board.get(&Symbol::parse("ACME").unwrap()).cloned();
    assert_eq!(on_board, of_one, "{when:?}");
    on_board?.revenue_ttm
}

#[tokio::test]
async fn figures_count_from_when_they_were_known() {
    let (_, services) = services(vec![
        (year("1", 2024, "2025-02-10", 100.0), "2025-02-10T21:30:00Z"),
        (year("2", 2025, "2026-02-10", 110.0), "2026-02-10T21:30:00Z"),
    ])
    .await;
    assert_eq!(
        revenue(&services.fundamentals, at("2025-02-10T21:29:59Z", true)).await,
        None
    );
    assert_eq!(
        revenue(&services.fundamentals, at("2025-02-10T21:30:00Z", true)).await,
        Some(100.0)
    );
    // Now, and before and after the newest one becomes known.
    assert_eq!(
        revenue(&services.fundamentals, at("2026-02-10T21:29:59Z", false)).await,
        Some(100.0)
    );
    assert_eq!(
        revenue(&services.fundamentals, at("2026-02-10T21:30:00Z", false)).await,
        Some(110.0)
    );
    assert_eq!(
        revenue(&services.fundamentals, at("2026-02-01T00:00:00Z", true)).await,
        Some(100.0)
    );
}

#[tokio::test]
async fn a_new_filing_shows_as_soon_as_the_cache_has_it() {
    let first = year("1", 2024, "2025-02-10", 100.0);
    let (store, services) = services(vec![(first, "2025-02-10T21:30:00Z")]).await;
    let now = at("2026-03-01T00:00:00Z", false);
    assert_eq!(revenue(&services.fundamentals, now).await, Some(100.0));
    let second = year("2", 2025, "2026-02-10", 110.0);
    let second = vec![(second, "2026-02-10T21:30:00Z")];
    write(&store, "2026-02-11T00:00:00Z", second).await;
    services.cache.refresh().await.unwrap();
    assert_eq!(revenue(&services.fundamentals, now).await, Some(110.0));
}

#[tokio::test]
async fn steps_begin_at_the_close_that_knew_them() {
    let (_, services) = services(vec![
        // At 11:00 in New York, after the close, and during the night before a Saturday.
        (year("1", 2023, "2024-02-12", 90.0), "2024-02-12T16:00:00Z"),
        (year("2", 2024, "2025-02-10", 100.0), "2025-02-10T21:30:00Z"),
        (year("3", 2025, "2026-02-13", 110.0), "2026-02-14T00:00:00Z"),
    ])
    .await;
    let symbol = Symbol::parse("ACME").unwrap();
    let steps = services
        .fundamentals
        .steps_of(&symbol, Day::MAX)
        .await
        .unwrap();
    let found: Vec<_> = steps
        .iter()
        .map(|(day, figures)| (day.to_string(), figures.revenue_ttm.unwrap()))
        .collect();
    assert_eq!(
        found,
        [
            ("2024-02-12".to_owned(), 90.0),
            ("2025-02-11".to_owned(), 100.0),
            ("2026-02-14".to_owned(), 110.0),
        ]
    );
    let unknown = Symbol::parse("NONE1").unwrap();
    assert!(
        services
            .fundamentals
            .steps_of(&unknown, Day::MAX)
            .await
            .unwrap()
            .is_empty()
    );
}
