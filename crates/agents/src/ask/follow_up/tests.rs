use model::Symbol;
use query::{Kind, Listed, Names, Series};

use super::*;

fn names() -> Names {
    let all = [
        ("AAPL", "Apple Inc.", Kind::Share),
        ("MSFT", "Microsoft Corporation", Kind::Share),
        ("TSLA", "Tesla, Inc.", Kind::Share),
        ("XOM", "Exxon Mobil Corporation", Kind::Share),
        ("INTC", "Intel Corporation", Kind::Share),
        ("NVDA", "NVIDIA Corporation", Kind::Share),
        ("BTC", "Bitcoin", Kind::Coin),
        ("ETH", "Ethereum", Kind::Coin),
    ];
    Names::new(all.map(|(symbol, name, kind)| Listed {
        symbol: Symbol::parse(symbol).unwrap(),
        name: name.to_owned(),
        kind,
        currency: "USD".to_owned(),
        size: 50.0,
    }))
}

fn today() -> Day {
    Day::parse("2026-11-26").unwrap()
}

/// The last question of a session, and whether it depended on those before.
fn asked(questions: &[&str]) -> (Reading, bool) {
    let names = names();
    let mut spoken: Option<Spoken> = None;
    let mut found = (Reading::default(), false);
    for question in questions {
        let mut reading = query::read(question, today(), &names);
        let leans = spoken
            .clone()
            .is_some_and(|spoken| lean_on(&mut reading, spoken, &names, today()));
        spoken = Some(Spoken::after(reading.clone(), spoken));
        found = (reading, leans);
    }
    found
}

fn symbols(reading: &Reading) -> Vec<&str> {
    let all = reading.instruments.iter();
    all.map(|one| one.symbol.as_str()).collect()
}

#[test]
fn two_that_were_compared_are_asked_about_further() {
    for question in [
        "which is riskier?",
        "and which pays more dividends?",
        "which of the two is riskier?",
    ] {
        let (reading, leans) = asked(&["Compare AAPL and MSFT", question]);
        assert!(leans, "{question}");
        assert_eq!(symbols(&reading), ["AAPL", "MSFT"], "{question}");
        assert!(reading.wants(Intent::Comparison), "{question}");
    }
    let (reading, leans) = asked(&["Compare AAPL and MSFT", "their earnings dates?"]);
    assert!(leans);
    assert_eq!(symbols(&reading), ["AAPL", "MSFT"]);
    assert!(reading.wants(Intent::Earnings), "{:?}", reading.intents);
    let (reading, _) = asked(&["Compare AAPL and MSFT", "which stocks are oversold?"]);
    assert!(reading.instruments.is_empty());
}

#[test]
fn holdings_are_asked_about_further() {
    let held = "I hold 60% AAPL and 40% XOM";
    for question in ["what should I worry about?", "what are the risks?"] {
        let (reading, leans) = asked(&[held, question]);
        assert!(leans, "{question}");
        assert!(reading.wants(Intent::Portfolio), "{question}");
        assert_eq!(reading.holdings.len(), 2, "{question}");
    }
    let (reading, _) = asked(&[held, "how correlated are they?"]);
    assert_eq!(reading.intents, [Intent::Correlation]);
    assert_eq!(symbols(&reading), ["AAPL", "XOM"]);
}

#[test]
fn another_time_is_asked_of_the_same() {
    let day = Day::parse;
    for (question, from, to) in [
        ("and the day before?", "2026-11-24", "2026-11-24"),
        ("last friday?", "2026-11-20", "2026-11-20"),
        ("in March 2024?", "2024-03-01", "2024-03-31"),
    ] {
        let (reading, leans) = asked(&["TSLA price yesterday", question]);
        assert!(leans, "{question}");
        assert_eq!(symbols(&reading), ["TSLA"], "{question}");
        let when = (reading.when.from, reading.when.to);
        assert_eq!(when, (day(from), day(to)), "{question}");
    }
}

#[test]
fn what_was_named_before_is_compared_with_what_is_named_now() {
    for (questions, expected) in [
        (&["bitcoin", "vs ethereum"][..], &["BTC", "ETH"][..]),
        (
            &["NVDA and AAPL", "compare with Intel"],
            &["NVDA", "AAPL", "INTC"],
        ),
        (&["TSLA price", "hello", "vs XOM"], &["TSLA", "XOM"]),
    ] {
        let (reading, leans) = asked(questions);
        assert!(leans, "{questions:?}");
        assert_eq!(symbols(&reading), expected, "{questions:?}");
        assert_eq!(reading.intents, [Intent::Comparison], "{questions:?}");
    }
}

#[test]
fn series_that_were_named_one_by_one_are_ranked() {
    let (reading, leans) = asked(&["gold price", "and silver?", "which did better this year?"]);
    assert!(leans);
    let expected = [Series::Known("silver"), Series::Known("gold")];
    assert_eq!(reading.series, expected);
    assert!(reading.wants(Intent::Commodities));
    assert_eq!(reading.when.from, Day::parse("2026-01-01"));
}

#[test]
fn a_screen_goes_on_with_another_sector() {
    let (reading, leans) = asked(&["oversold tech stocks", "and in healthcare?"]);
    assert!(leans);
    assert_eq!(reading.intents, [Intent::Screener]);
    let screen = reading.screen.unwrap();
    assert_eq!(screen.sector.as_deref(), Some("Health Care"));
    assert_eq!(screen.filters.len(), 1);
    assert!(!screen.is_beyond);
}
