//! Claims that use a symbol the company had earlier.

use model::{ActionKind, AssetType, Candle, CorporateAction, DataMode, Instrument, Symbol};
use store::{Location, Store};

use super::{C, NOW, S, ask, day, time};
use crate::claims::FigureServices;
use crate::market::MarketServices;

/// FB at 328.73 until it became META on 9 June 2022, and META at 184 from then on.
async fn world() -> FigureServices {
    let store = Store::open(&Location::Memory, DataMode::Demo)
        .await
        .unwrap();
    let mut transaction = store.market_transaction(time(NOW)).await.unwrap();
    for (symbol, first, last, close) in [
        ("FB", "2021-05-03", "2022-06-08", 328.73),
        ("META", "2022-06-09", "2022-08-31", 184.0),
    ] {
        let candles: Vec<Candle> = market::calendar::sessions(day(first), day(last))
            .map(|one| Candle {
                day: one,
                open: close,
                high: close + 1.0,
                low: close - 1.0,
                close,
                volume: 1e6,
            })
            .collect();
        let instrument = Instrument::bare(Symbol::parse(symbol).unwrap(), AssetType::Equity);
        transaction
            .put_instruments(std::slice::from_ref(&instrument))
            .await
            .unwrap();
        transaction
            .put_candles(&instrument, &candles)
            .await
            .unwrap();
    }
    let change = CorporateAction {
        symbol: Symbol::parse("FB").unwrap(),
        kind: ActionKind::SymbolChange,
        ex_date: day("2022-06-09"),
        ratio: None,
        amount: None,
        currency: None,
        new_symbol: Some(Symbol::parse("META").unwrap()),
        announced: None,
        no_later_than: None,
        source: "file".to_owned(),
    };
    transaction
        .put_records([(change, time("2022-06-01T20:00:00Z"))])
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    FigureServices::of(&MarketServices::new(store))
}

#[tokio::test]
async fn a_former_symbol_is_followed() {
    let services = world().await;
    for (claim, expected) in [
        ("FB closed at $328.73 on 28 May 2021", S),
        ("FB closed at $300.00 on 28 May 2021", C),
        ("META closed at $328.73 on 28 May 2021", S),
        ("META closed at $184.00 on 30 June 2022", S),
    ] {
        let found = ask(&services, claim, None).await.unwrap();
        assert_eq!(found.verdict, expected, "{claim}: {found:?}");
    }
}
