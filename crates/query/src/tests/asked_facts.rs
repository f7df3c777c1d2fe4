//! Facts about companies, sums in several currencies, names that are not listed, and texts that are not questions.

use super::reading;
use crate::{Fact, Intent, LookUp, Measure, Series, Size};

#[test]
fn a_fact_is_asked_of_what_is_named() {
    for (text, fact, intent) in [
        (
            "when was the last split of Apple",
            Fact::Action("split"),
            Intent::Fundamentals,
        ),
        (
            "who is the CEO of Apple",
            Fact::Office("Chief Executive Officer"),
            Intent::Insider,
        ),
        (
            "how much cash does Amazon have",
            Fact::Reported("cash"),
            Intent::Fundamentals,
        ),
        (
            "how many deliveries did Tesla have last quarter",
            Fact::Elsewhere("deliveries"),
            Intent::News,
        ),
    ] {
        let found = reading(text);
        assert_eq!(found.fact, Some(fact), "{text}");
        assert_eq!(found.intents, [intent], "{text}");
    }
    for text in [
        "why did Tesla deliveries fall",
        "is it true that Apple split its stock in 2020",
        "who is the CEO",
    ] {
        assert_eq!(reading(text).fact, None, "{text}");
    }
}

#[test]
fn sums_in_several_currencies_are_wanted_in_the_last() {
    let found = reading("what is 250 dollars and 300 euros in pounds").conversions;
    let sums: Vec<(f64, &str, &str)> = found
        .iter()
        .map(|one| (one.amount, one.from, one.to))
        .collect();
    assert_eq!(sums, [(250.0, "USD", "GBP"), (300.0, "EUR", "GBP")]);
}

#[test]
fn one_sum_is_wanted_in_each_of_several_currencies() {
    for (text, expected) in [
        (
            "200 pounds in euros and yen",
            vec![(200.0, "GBP", "EUR"), (200.0, "GBP", "JPY")],
        ),
        (
            "how much is 50 euros in dollars and pounds",
            vec![(50.0, "EUR", "USD"), (50.0, "EUR", "GBP")],
        ),
        (
            "100 dollars in argentine pesos",
            vec![(100.0, "USD", "ARS")],
        ),
        ("100 dollars in pesos", vec![(100.0, "USD", "MXN")]),
        (
            "300 euros and 250 dollars in pounds",
            vec![(300.0, "EUR", "GBP"), (250.0, "USD", "GBP")],
        ),
    ] {
        let found = reading(text);
        let sums: Vec<(f64, &str, &str)> = found
            .conversions
            .iter()
            .map(|one| (one.amount, one.from, one.to))
            .collect();
        assert_eq!(sums, expected, "{text}");
        assert_eq!(found.series.len(), expected.len(), "{text}");
    }
}

#[test]
fn coins_are_wanted_in_another_coin() {
    for (text, expected) in [
        ("3 bitcoin in ethereum", Some((3.0, "BTC", "ETH"))),
        ("how many ETH is 2 BTC", Some((2.0, "BTC", "ETH"))),
        ("price of bitcoin in ethereum", Some((1.0, "BTC", "ETH"))),
        ("bitcoin vs ethereum", None),
        ("0.5 ETH in euros", None),
    ] {
        let found = reading(text);
        let asked = found.coin_conversion.as_ref();
        let asked = asked.map(|one| (one.amount, one.from.as_str(), one.to.as_str()));
        assert_eq!(asked, expected, "{text}");
        if expected.is_some() {
            assert_eq!(found.intents, [Intent::Price, Intent::Crypto], "{text}");
        }
    }
}

#[test]
fn figures_of_what_is_not_listed_are_no_news() {
    for (text, wish) in [
        ("Blorptech share price", Intent::Price),
        ("how much is the Zorblax stock", Intent::Price),
        ("price of XQZT", Intent::Price),
        ("how is Enron doing", Intent::News),
        ("latest news on $XQZT", Intent::News),
    ] {
        let found = reading(text);
        assert_eq!(found.unknown.len(), 1, "{text}");
        assert_eq!(found.intents, [wish], "{text}");
    }
}

#[test]
fn mortgage_rates_are_on_record_nowhere() {
    for text in [
        "30 year mortgage rate",
        "mortgage rates",
        "what are mortgage rates today",
        "mortgage rate vs 30 year treasury",
    ] {
        let found = reading(text);
        assert_eq!(
            found.fact,
            Some(Fact::Elsewhere("mortgage rates")),
            "{text}"
        );
        assert_eq!(found.series, [Series::Known("ust_30y")], "{text}");
        assert!(found.notes.is_empty(), "{text}: {:?}", found.notes);
    }
    for text in ["30 year treasury yield", "mortgage lenders"] {
        assert_eq!(reading(text).fact, None, "{text}");
    }
}

#[test]
fn rates_and_figures_of_other_countries_are_on_record_nowhere() {
    for text in [
        "BoJ interest rate",
        "BoJ policy rate",
        "Swiss National Bank interest rate",
        "BoC interest rate",
        "RBNZ interest rate",
        "what is the ECB rate",
        "bank of england interest rate",
        "RBI repo rate",
        "UK inflation",
        "Japan interest rate",
    ] {
        let found = reading(text);
        assert!(
            matches!(found.fact, Some(Fact::Elsewhere(_))),
            "{text}: {found:?}"
        );
        assert_eq!(found.intents, [Intent::News], "{text}");
        assert!(found.series.is_empty(), "{text}: {found:?}");
        assert!(found.unknown.is_empty(), "{text}: {found:?}");
    }
    for text in ["Fed funds rate", "what is inflation", "interest rates"] {
        assert_eq!(reading(text).fact, None, "{text}");
    }
}

#[test]
fn a_highest_price_of_all_times_is_one_of_the_history() {
    for text in [
        "when did AAPL close at its highest",
        "all-time high of AAPL",
        "how far is NVDA from its all-time high",
        "what was NVDA's 52 week high on 7 June 2024",
    ] {
        let found = reading(text);
        assert_eq!(found.intents, [Intent::Performance], "{text}");
        assert_ne!(found.reach, crate::Reach::Named, "{text}");
    }
}

#[test]
fn a_bare_name_is_looked_for_in_the_news() {
    for text in ["Lehman", "Bear Stearns", "Kodak", "FIFA", "OPEC", "ECB"] {
        let found = reading(text);
        let is_searched = found.intents == [Intent::News] || !found.unknown.is_empty();
        assert!(is_searched, "{text}: {found:?}");
    }
}

#[test]
fn a_level_and_a_mean_are_looked_up_in_the_history() {
    for text in [
        "when did NVDA last close above 150",
        "has AAPL ever closed above 300",
        "when did bitcoin first hit 100000",
        "when did bitcoin first hit 10k",
    ] {
        let found = reading(text);
        assert!(
            matches!(found.look_up, Some(LookUp::Crossing(_))),
            "{text}: {found:?}"
        );
        assert_eq!(found.intents, [Intent::Performance], "{text}");
        assert!(
            found.positions.is_empty() && found.notes.is_empty(),
            "{text}"
        );
    }
    let found = reading("average closing price of MSFT in October 2026");
    assert_eq!(found.look_up, Some(LookUp::Mean));
    assert_eq!(found.intents, [Intent::Performance]);
    for text in [
        "is NVDA above 150",
        "is it true that NVDA ever closed above 300",
        "when did Apple first hit a $3 trillion market cap",
        "when was the P/E of AAPL last below 20",
        "when was NVDA's RSI last above 70",
        "when did insiders last buy over $1 million of NVDA",
        "when did congress last buy NVDA above 100",
        "when did Tesla first deliver over 100,000 cars",
        "when did AAPL last close above the 200 DMA",
        "average P/E of AAPL in 2025",
        "average dividends of AAPL in 2025",
    ] {
        assert_eq!(reading(text).look_up, None, "{text}");
    }
}

#[test]
fn dates_of_offerings_are_on_record_nowhere() {
    for text in ["upcoming IPOs", "any IPOs next week?", "IPO calendar"] {
        let found = reading(text);
        assert!(
            matches!(found.fact, Some(Fact::Elsewhere(_))),
            "{text}: {found:?}"
        );
        assert_eq!(found.intents, [Intent::Events], "{text}");
        assert_eq!(found.event, Some("ipo"), "{text}");
    }
    let explained = reading("what is an IPO");
    assert_eq!(explained.intents, [Intent::Help]);
    assert_eq!(explained.fact, None);
    for text in [
        "which IPOs performed best this year",
        "any news on IPOs",
        "is it true that an IPO of Klarna is expected next month",
    ] {
        assert_eq!(reading(text).fact, None, "{text}");
    }
}

#[test]
fn what_something_is_worth_is_wanted_in_a_currency() {
    for (text, size, currency) in [
        ("0.5 ETH in euros", Size::Units(0.5), Some("EUR")),
        ("bitcoin price in pounds", Size::Units(1.0), Some("GBP")),
        ("how many euros is 1 bitcoin", Size::Units(1.0), Some("EUR")),
        (
            "I have 5000 euros in Apple",
            Size::Money(5_000.0, "EUR"),
            None,
        ),
    ] {
        let found = reading(text);
        let [one] = &found.positions[..] else {
            panic!("{text}: {:?}", found.positions);
        };
        assert_eq!(one.size, size, "{text}");
        assert_eq!(found.currency, currency, "{text}");
    }
}

#[test]
fn companies_that_are_not_listed_are_named_as_such() {
    for (text, unknown) in [
        ("how is Enron doing", "Enron"),
        ("what about Twitter stock", "Twitter"),
        ("Enron", "Enron"),
        ("Enron?", "Enron"),
        ("IKEA", "IKEA"),
    ] {
        let found = reading(text);
        assert_eq!(found.unknown, [unknown], "{text}");
        assert!(found.instruments.is_empty(), "{text}");
    }
    assert_eq!(reading("ADA price").unknown, ["ADA"]);
    for text in [
        "what did Warren Buffett buy",
        "news about Ukraine",
        "how is the economy of Germany doing",
        "is inflation in Japan rising",
        "Ukraine",
        "Inflation",
        "Hello",
        "Thanks",
        "Dividends",
        "Xqwzvk",
        "Semiconductors",
        "Lithium",
        "Uranium",
        "Cocoa",
        "Robotics",
        "Fintech",
        "Deflation",
        "Ebola",
        "Earthquakes",
        "Summary",
        "Hola",
        "OPEC",
        "OPEC meeting",
        "NATO",
        "Kremlin",
        "ChatGPT",
        "TikTok",
    ] {
        assert!(reading(text).unknown.is_empty(), "{text}");
    }
}

#[test]
fn what_people_say_to_each_other_is_no_question() {
    for text in [
        "how is it going",
        "Hi, how are you?",
        "good morning",
        "what's up",
    ] {
        assert_eq!(reading(text).intents, [Intent::Help], "{text}");
    }
    for text in ["what's the weather in London", "apple pie recipe"] {
        let found = reading(text);
        assert_eq!(found.intents, [Intent::Unclear], "{text}");
        assert!(found.instruments.is_empty(), "{text}");
    }
}

#[test]
fn symbols_of_few_letters_are_meant_beside_others() {
    let symbols = |text: &str| {
        let found = reading(text).instruments;
        found
            .iter()
            .map(|one| one.symbol.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(symbols("compare V and TSLA"), ["V", "TSLA"]);
    assert_eq!(symbols("which is better, DE or V"), ["DE", "V"]);
    assert!(symbols("what does R and D mean for margins").is_empty());
}

#[test]
fn comparisons_name_their_measure_and_holders_their_name() {
    assert_eq!(
        reading("which is riskier, NVDA or AAPL").measure,
        Some(Measure::Volatility)
    );
    let found = reading("did Vanguard add to its stake in Apple");
    assert_eq!(found.holder.as_deref(), Some("Vanguard"));
    assert!(reading("best performing commodity this year").ranks_prices);
    assert!(reading("which coin lost the most this week").ranks_prices);
    assert!(!reading("price of gold").ranks_prices);
}

#[test]
fn what_nothing_speaks_for_is_no_question() {
    for text in [
        "20 shares",
        "buy buy buy",
        "how many people live in Germany",
    ] {
        assert_eq!(reading(text).intents, [Intent::Unclear], "{text}");
    }
    for (text, intent) in [
        ("what did Powell say", Intent::News),
        ("is now a good time to buy", Intent::MarketOverview),
        ("what is the cheapest stock", Intent::Screener),
        ("AAPL market cap in yen", Intent::Fundamentals),
        ("latest on OPEC", Intent::News),
    ] {
        let found = reading(text);
        assert_eq!(found.intents.first(), Some(&intent), "{text}");
        assert!(found.positions.is_empty(), "{text}");
        assert!(found.series.is_empty(), "{text}");
    }
    assert!(!reading("I have 10k to invest").wants(Intent::Filings));
}

#[test]
fn terms_are_explained_and_values_are_told() {
    let term = |text: &str| reading(text).term.map(|term| term.name);
    assert_eq!(term("what does P/E mean"), Some("p/e"));
    assert_eq!(reading("what does P/E mean").intents, [Intent::Help]);
    assert_eq!(term("what is the P/E of Apple"), None);
    assert_eq!(term("what is inflation"), None);
}
