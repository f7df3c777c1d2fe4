use model::{Day, Symbol};
use proptest::prelude::*;

use crate::{Intent, Kind, Listed, Names, Reading, Series, read};

fn names() -> Names {
    let share = |symbol: &str, name: &str, size: f64| {
        (symbol.to_owned(), name.to_owned(), Kind::Share, size)
    };
    let coin = |symbol: &str, name: &str| (symbol.to_owned(), name.to_owned(), Kind::Coin, 50.0);
    let all = [
        share("AAPL", "Apple Inc.", 90.0),
        share("NVDA", "NVIDIA Corporation", 99.0),
        share("MSFT", "Microsoft Corporation", 95.0),
        share("AMZN", "Amazon.com, Inc.", 80.0),
        share("TSLA", "Tesla, Inc.", 70.0),
        share("XOM", "Exxon Mobil Corporation", 60.0),
        share("TGT", "Target Corporation", 30.0),
        share("GAP", "The Gap, Inc.", 5.0),
        share("GOOGL", "Alphabet Inc.", 85.0),
        share("F", "Ford Motor Company", 20.0),
        coin("BTC", "Bitcoin"),
        coin("ETH", "Ethereum"),
    ];
    Names::new(all.map(|(symbol, name, kind, size)| Listed {
        symbol: Symbol::parse(&symbol).unwrap(),
        name,
        kind,
        currency: "USD".to_owned(),
        size,
    }))
}

fn today() -> Day {
    Day::parse("2026-11-23").unwrap()
}

fn reading(text: &str) -> Reading {
    read(text, today(), &names())
}

fn symbols(text: &str) -> Vec<String> {
    let found = reading(text).instruments;
    found.iter().map(|one| one.symbol.to_string()).collect()
}

#[test]
fn companies_are_found_however_they_are_written() {
    for (text, expected) in [
        ("What's NVDA at?", vec!["NVDA"]),
        ("nvda rsi", vec!["NVDA"]),
        ("how is nvidea doing", vec!["NVDA"]),
        ("appel stock", vec!["AAPL"]),
        ("$tsla and $f", vec!["TSLA", "F"]),
        ("should I buy apple or microsoft", vec!["AAPL", "MSFT"]),
        ("google earnings", vec!["GOOGL"]),
        ("price target for nvda", vec!["NVDA"]),
        ("mind the price gap in TSLA", vec!["TSLA"]),
        ("Target stock", vec!["TGT"]),
        ("bitcoin vs eth", vec!["BTC", "ETH"]),
        ("what is the pie in the sky", vec![]),
    ] {
        assert_eq!(symbols(text), expected, "{text}");
    }
}

#[test]
fn a_symbol_that_nothing_is_listed_under_is_said() {
    assert_eq!(reading("price of XQZT").unknown, ["XQZT"]);
    assert_eq!(reading("$ZZZQ earnings").unknown, ["ZZZQ"]);
    assert_eq!(reading("price of SAP.DE").unknown, ["SAP.DE"]);
    assert!(reading("latest on USMCA").unknown.is_empty());
    assert_eq!(reading("latest 10-K of Microsoft").form, Some("10-K"));
    assert_eq!(
        reading("latest 10-K of Microsoft").intents,
        [Intent::Filings]
    );
}

#[test]
fn wishes_follow_the_words_and_the_kinds_of_subjects() {
    use Intent as I;
    for (text, expected) in [
        ("NVDA", vec![I::Outlook]),
        ("what is the price of apple", vec![I::Price]),
        ("price target for tesla", vec![I::Analysts]),
        ("why did TSLA fall yesterday", vec![I::WhyMoved]),
        ("AAPL vs MSFT", vec![I::Comparison]),
        ("correlation between AAPL and MSFT", vec![I::Correlation]),
        ("oversold tech stocks with PE under 20", vec![I::Screener]),
        (
            "I hold AAPL and XOM, what should I worry about?",
            vec![I::Portfolio],
        ),
        ("biggest gainers today", vec![I::Movers]),
        ("how is the market doing", vec![I::MarketOverview]),
        (
            "what happened while the market was closed",
            vec![I::MarketOverview],
        ),
        ("is the yield curve inverted", vec![I::Macro]),
        (
            "is it true that Apple acquired Tesla",
            vec![I::Verification],
        ),
        ("gold price", vec![I::Commodities]),
        ("EUR/USD", vec![I::Forex]),
        ("bitcoin price", vec![I::Price, I::Crypto]),
        ("insider buying at tesla", vec![I::Insider]),
        ("what can you do?", vec![I::Help]),
        ("hello", vec![I::Help]),
        ("??", vec![I::Unclear]),
        ("who won the world cup", vec![I::News]),
    ] {
        assert_eq!(reading(text).intents, expected, "{text}");
    }
}

#[test]
fn a_time_is_read_from_words() {
    let day = |text: &str| Some(Day::parse(text).unwrap());
    let when = reading("how did NVDA do last March").when;
    assert_eq!((when.from, when.to), (day("2026-03-01"), day("2026-03-31")));
    assert_eq!(when.past_end(today()), day("2026-03-31"));
    let when = reading("why did TSLA fall yesterday").when;
    assert_eq!(when.from, day("2026-11-22"));
    let when = reading("earnings next week").when;
    assert_eq!((when.from, when.is_ahead), (day("2026-11-30"), true));
    assert_eq!(
        reading("AAPL over the past 3 months")
            .when
            .days_back(today()),
        Some(91)
    );
    assert!(reading("AAPL").when.is_unsaid());
}

#[test]
fn holdings_have_weights_and_sides() {
    let holdings = |text: &str| -> Vec<(String, f64, bool)> {
        reading(text)
            .holdings
            .into_iter()
            .map(|one| (one.symbol.to_string(), one.weight, one.is_short))
            .collect()
    };
    let one = |symbol: &str, weight, is_short| (symbol.to_owned(), weight, is_short);
    assert_eq!(
        holdings("I hold AAPL and XOM, what now?"),
        [one("AAPL", 0.5, false), one("XOM", 0.5, false)]
    );
    assert_eq!(
        holdings("my portfolio is 60% AAPL, 30% XOM and 10% bitcoin"),
        [
            one("AAPL", 0.6, false),
            one("XOM", 0.3, false),
            one("BTC", 0.1, false)
        ]
    );
    assert_eq!(
        holdings("I own AAPL 70%, XOM 30%"),
        [one("AAPL", 0.7, false), one("XOM", 0.3, false)]
    );
    assert!(holdings("I am short TSLA and long AAPL")[0].2);
}

#[test]
fn claims_are_what_follows_the_asking() {
    let claim = |text: &str| reading(text).claim.unwrap_or_default();
    assert_eq!(
        claim("Is it true that Apple acquired Tesla?"),
        "Apple acquired Tesla"
    );
    assert_eq!(
        claim("Fact check: inflation fell to 2% in May"),
        "inflation fell to 2% in May"
    );
    assert_eq!(claim("Did Apple really buy Tesla?"), "Apple buy Tesla");
    assert_eq!(
        claim("Inflation fell to 2% in May, true or false?"),
        "Inflation fell to 2% in May"
    );
}

#[test]
fn series_are_read_as_claims_read_them() {
    let series = |text: &str| reading(text).series;
    assert_eq!(
        series("oil and the euro against the dollar"),
        [Series::Known("crude"), Series::Pair("EUR", "USD")]
    );
    assert_eq!(series("unemployment rate"), [Series::Known("unemployment")]);
}

proptest! {
    #[test]
    fn any_text_is_read(text in ".{0,500}") {
        let reading = reading(&text);
        prop_assert!(!reading.intents.is_empty());
        prop_assert!(reading.instruments.len() <= 10);
        prop_assert!(reading.holdings.iter().all(|one| one.weight > 0.0 && one.weight <= 1.0));
    }

    #[test]
    fn any_mixture_of_words_of_the_trade_is_read(
        words in prop::collection::vec(prop::sample::select(vec![
            "NVDA", "apple", "price", "why", "did", "fall", "60%", "yesterday", "and", "vs", "I", "hold", "stocks", "under", "$10",
            "is it true", "?", ",", "last March", "oil", "insider", "really", "^GSPC", "&", "'s", "é", "，",
        ]), 0..40)
    ) {
        let reading = reading(&words.join(" "));
        prop_assert!(!reading.intents.is_empty());
    }
}

#[test]
fn months_need_no_capital_where_only_a_month_can_stand() {
    for (text, from, to) in [
        ("oil price in march 2022", "2022-03-01", "2022-03-31"),
        ("fed funds rate in may 2023", "2023-05-01", "2023-05-31"),
        ("AAPL on 14 march 2022", "2022-03-14", "2022-03-14"),
        ("AAPL on 3rd may 2021", "2021-05-03", "2021-05-03"),
        ("crypto crash may 2021", "2021-05-01", "2021-05-31"),
        ("NVDA performance in march", "2026-03-01", "2026-03-31"),
        ("NVDA last may", "2026-05-01", "2026-05-31"),
    ] {
        let when = reading(text).when;
        let days = [when.from, when.to].map(|day| day.map(|day| day.to_string()));
        assert_eq!(days, [Some(from.to_owned()), Some(to.to_owned())], "{text}");
    }
    for text in [
        "NVDA may rise",
        "AAPL will march on",
        "the 3 may merge with NVDA",
    ] {
        assert!(reading(text).when.is_unsaid(), "{text}");
    }
}
