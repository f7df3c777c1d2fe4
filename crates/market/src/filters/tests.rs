use super::*;
use crate::Error;

fn number(value: f64) -> FilterValue {
    FilterValue::Number(value)
}

#[test]
fn errors_name_the_key() {
    let cases: [(&str, FilterValue, &str); 7] = [
        ("rsi_under", number(30.0), "unknown filter rsi_under"),
        ("stop_loss_pct", number(5.0), "unknown filter stop_loss_pct"),
        (
            "rsi_below",
            number(101.0),
            "filter rsi_below must be a number from 0 to 100",
        ),
        (
            "sentiment_above",
            number(-0.1),
            "filter sentiment_above must be a number from 0 to 1",
        ),
        (
            "pe_below",
            number(f64::NAN),
            "filter pe_below must be a number from 0 to 10^15",
        ),
        (
            "rsi_below",
            FilterValue::Other,
            "filter rsi_below must be a number from 0 to 100",
        ),
        (
            "macd_bullish",
            number(1.0),
            "filter macd_bullish must be true or false",
        ),
    ];
    for (key, value, message) in cases {
        let error = Filters::parse([(key, value)]).unwrap_err();
        assert_eq!(error.key(), key);
        assert!(error.to_string().starts_with(message), "{error}");
    }
    for value in [number(0.0), number(100.0), number(-5.0), true.into()] {
        let error = ExitFilters::parse([("stop_loss_pct", value)]).unwrap_err();
        assert_eq!(error.key(), "stop_loss_pct");
    }
}

#[test]
fn contradictions_are_refused_on_entry_only() {
    let contradictory = [
        vec![("rsi_above", number(70.0)), ("rsi_below", number(30.0))],
        vec![("rsi_below", number(50.0)), ("rsi_above", number(50.0))],
        vec![("macd_bullish", true.into()), ("macd_bearish", true.into())],
        vec![("below_sma_50", true.into()), ("above_sma_50", true.into())],
    ];
    for filters in contradictory {
        let error = Filters::parse(filters.clone()).unwrap_err();
        assert!(matches!(error, Error::Contradiction { .. }), "{error}");
        assert!(ExitFilters::parse(filters).is_ok());
    }
    let possible = [("rsi_above", number(30.0)), ("rsi_below", number(70.0))];
    assert!(Filters::parse(possible).is_ok());
    let off = [
        ("macd_bullish", true.into()),
        ("macd_bearish", false.into()),
    ];
    assert_eq!(Filters::parse(off).unwrap().conditions().len(), 1);
}

#[test]
fn sides_are_strict_and_what_is_missing_never_matches() {
    let filters =
        Filters::parse([("rsi_below", number(30.0)), ("above_sma_20", true.into())]).unwrap();
    let symbol = |rsi, sma| {
        move |metric| match metric {
            Metric::Rsi => rsi,
            Metric::Sma20 => sma,
            Metric::Close => Some(100.0),
            _ => None,
        }
    };
    let distance = filters.distance(symbol(Some(20.0), Some(90.0))).unwrap();
    assert!((distance - (0.1 + 0.1)).abs() < 1e-12);
    for (rsi, sma) in [
        (Some(30.0), Some(90.0)),
        (Some(20.0), Some(100.0)),
        (None, Some(90.0)),
        (Some(20.0), None),
    ] {
        assert_eq!(filters.distance(symbol(rsi, sma)), None);
    }
    assert_eq!(
        filters.reasons(symbol(Some(24.31), Some(90.0))),
        ["RSI 24.3 below 30", "price above its 20-day average"]
    );
    assert!(filters.need(Metric::Sma20) && !filters.need(Metric::Sma50));
    assert_eq!(Filters::default().distance(symbol(None, None)), Some(0.0));
}

#[test]
fn reasons_are_sentences_of_the_trade() {
    let reason = |key: &str, threshold: f64, value: f64| {
        let filters = Filters::parse([(key, number(threshold))]).unwrap();
        let [reason] = &filters.reasons(|_| Some(value))[..] else {
            panic!("{key}");
        };
        reason.clone()
    };
    for (key, threshold, value, wanted) in [
        (
            "market_cap_above",
            1_000.0,
            5_234.0,
            "market value $5.2 trillion, above $1 trillion",
        ),
        (
            "market_cap_above",
            0.5,
            12.0,
            "market value $12 billion, above $500 million",
        ),
        (
            "market_cap_below",
            2.0,
            0.999_96,
            "market value $1 billion, below $2 billion",
        ),
        (
            "market_cap_above",
            10.0,
            999.97,
            "market value $1 trillion, above $10 billion",
        ),
        (
            "volume_above",
            250_000.0,
            1_540_000.0,
            "average daily volume 1.5 million, above 250,000",
        ),
        (
            "volume_above",
            500.0,
            999_999.7,
            "average daily volume 1 million, above 500",
        ),
        ("price_below", 10.0, 9.876, "price 9.88, below 10"),
        (
            "dividend_yield_above",
            3.0,
            4.25,
            "dividend yield 4.2%, above 3%",
        ),
        (
            "from_52w_high_below",
            5.0,
            2.1,
            "2.1% below its 52-week high, within 5%",
        ),
        (
            "from_52w_low_above",
            50.0,
            80.0,
            "80.0% above its 52-week low, more than 50%",
        ),
        (
            "revenue_growth_above",
            10.0,
            23.4,
            "revenue growth 23.4%, above 10%",
        ),
        (
            "debt_to_equity_below",
            1.0,
            0.456,
            "debt to equity 0.46 below 1",
        ),
    ] {
        assert_eq!(reason(key, threshold, value), wanted, "{key}");
    }
}
