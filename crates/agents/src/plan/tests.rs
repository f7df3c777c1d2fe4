use model::{Day, Symbol};
use query::{Kind, Listed, Names, read};

use super::*;

fn planned(question: &str) -> Plan {
    let today = Day::parse("2026-11-23").unwrap();
    let listed = [
        ("AAPL", "Apple", Kind::Share),
        ("MSFT", "Microsoft", Kind::Share),
        ("NVDA", "Nvidia", Kind::Share),
        ("BTC", "Bitcoin", Kind::Coin),
    ];
    let names = Names::new(listed.map(|(symbol, name, kind)| Listed {
        symbol: Symbol::parse(symbol).unwrap(),
        name: name.to_owned(),
        kind,
        currency: "USD".to_owned(),
        size: 1.0,
    }));
    plan(&read(question, today, &names), today)
}

fn needed(question: &str) -> Vec<String> {
    let steps = planned(question).steps.into_iter();
    steps
        .filter(|step| step.is_needed)
        .map(|step| step.endpoint.replace("/api/v1/", ""))
        .collect()
}

#[test]
fn questions_reach_the_operations_that_answer_them() {
    for (question, expected) in [
        ("what is the price of AAPL", vec!["ticker/AAPL/price"]),
        ("NVDA", vec!["ticker/NVDA/analysis"]),
        (
            "AAPL vs MSFT",
            vec!["ticker/AAPL/analysis", "ticker/MSFT/analysis"],
        ),
        ("bitcoin price", vec!["crypto/BTC"]),
        ("is the yield curve inverted", vec!["economy/yields"]),
        ("what is inflation right now", vec!["economy/inflation"]),
        ("biggest losers today", vec!["market/movers"]),
        ("euro dollar rate", vec!["forex/EURUSD"]),
        ("gold price", vec!["commodities/gold"]),
        (
            "is it true that Apple acquired Tesla last year",
            vec!["verify"],
        ),
        ("hello", vec![]),
    ] {
        assert_eq!(needed(question), expected, "{question}");
    }
}

#[test]
fn a_budget_takes_what_is_not_needed_first() {
    let mut plan = planned("How is NVDA doing?");
    assert!(plan.credits() > 2);
    plan.cut_to(2);
    assert_eq!(plan.credits(), 2);
    assert!(plan.steps[0].is_needed);
    plan.cut_to(0);
    assert_eq!(plan.credits(), plan.least_credits(), "what is needed stays");
    assert!(!plan.notes.is_empty());
}

#[test]
fn the_past_is_answered_from_the_past() {
    let plan = planned("what was the P/E of AAPL in March 2024");
    assert_eq!(plan.as_of, Day::parse("2024-03-31"));
    assert_eq!(plan.steps[0].arguments["as_of"], "2024-03-31T23:59:59Z");
    assert_eq!(planned("P/E of AAPL").as_of, None);
}

#[test]
fn no_question_asks_more_than_its_bound() {
    let all = "how are AAPL MSFT NVDA BTC doing: price, technicals, earnings, news, insiders, filings, analysts, congress, institutions, sentiment";
    assert!(planned(all).credits() <= MOST_SOURCES);
}
