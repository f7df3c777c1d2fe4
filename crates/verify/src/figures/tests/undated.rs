//! Claims without a time: those about every value on record and those about the newest; company sizes; whose rate it
//! is.

use super::{claim, short, today};
use crate::figures::{FigureClaim, Subject, Undated, passing, plain_claims};

fn undated(text: &str) -> Result<Undated, String> {
    claim(text).map(|claim| claim.undated)
}

#[test]
fn what_was_reached_at_no_named_time_is_about_all_that_is_held() {
    for text in [
        "Bitcoin hit 120,000",
        "Bitcoin reached $150,000",
        "Bitcoin has hit $120,000",
        "Bitcoin has topped $120,000",
        "Apple crossed above $250",
        "Apple fell below $150",
        "gold has never been above 4000",
        "Apple has never fallen below $150",
        "Apple has not fallen below $150",
        "Unemployment has never fallen below 3%",
        "Inflation has never risen above 9%",
        "Gold never traded above $4,000",
        "Bitcoin never hit $200,000",
        "Gold was above $4,000 at some point",
        "Gold was once above $4,000",
        "Apple has closed above $250",
        "US inflation hit 9.1%",
        "Bitcoin's all-time high is $126,000",
        "Gold has always been above 1000",
    ] {
        assert_eq!(undated(text), Ok(Undated::Ever), "{text}");
    }
}

#[test]
fn what_is_dated_or_of_now_keeps_its_time() {
    for text in [
        "Bitcoin hit 120,000 today",
        "Bitcoin hit 120,000 on 5 May",
        "Bitcoin reached $70,000 this year",
        "Gold was never above 4000 in 2023",
        "Bitcoin has topped $70,000 since March",
        "Bitcoin just hit 120,000",
        "Unemployment has fallen below 4%",
        "Apple closed above $250",
        "Gold is above $2,000",
        "Apple is trading above $200",
        "Apple's revenue topped $100 billion",
    ] {
        assert_eq!(undated(text), Ok(Undated::Newest), "{text}");
    }
}

#[test]
fn how_it_was_reached_is_read() {
    for (text, expected) in [
        (
            "Bitcoin hit $120,000",
            "Bitcoin Price(Traded) unsaid Reached: = 120000 USD",
        ),
        (
            "Bitcoin never hit $120,000",
            "Bitcoin Price(Traded) unsaid Reached: not = 120000 USD",
        ),
        (
            "Apple fell below $150",
            "Apple Price(Traded) unsaid Reached: < 150 USD",
        ),
        (
            "Apple has never fallen below $150",
            "Apple Price(Traded) unsaid Any: not < 150 USD",
        ),
        (
            "Apple has not fallen below $150",
            "Apple Price(Traded) unsaid Any: not < 150 USD",
        ),
        (
            "Apple has never gone below $150",
            "Apple Price(Traded) unsaid Any: not < 150 USD",
        ),
        (
            "Nvidia has never risen above $200",
            "Nvidia Price(Traded) unsaid Any: not > 200 USD",
        ),
        (
            "gold has never been above 4000",
            "gold - unsaid Any: not > 4000",
        ),
        (
            "Bitcoin's all-time high is $126,000",
            "Bitcoin RecordHigh unsaid Highest: = 126000 USD",
        ),
    ] {
        assert_eq!(short(text), expected, "{text}");
    }
    let several = short("Bitcoin hit a record high of $126,000");
    assert!(several.starts_with("unclear"), "{several}");
}

#[test]
fn companies_are_as_big_as_their_market_value() {
    for (text, expected) in [
        (
            "Tesla is bigger than Apple",
            "Tesla MarketValue unsaid: more than AAPL",
        ),
        (
            "Apple is larger than Tesla",
            "Apple MarketValue unsaid: more than TSLA",
        ),
        (
            "Ford is smaller than Apple",
            "Ford MarketValue unsaid: less than AAPL",
        ),
        (
            "Apple is a bigger company than Tesla",
            "Apple MarketValue unsaid: more than TSLA",
        ),
        (
            "Apple is not bigger than Tesla",
            "Apple MarketValue unsaid: not more than TSLA",
        ),
        (
            "Apple was larger than Tesla in 2019",
            "Apple MarketValue 2019-01-01/2019-12-31: more than TSLA",
        ),
    ] {
        assert_eq!(short(text), expected, "{text}");
    }
    for (text, expected) in [
        // What is compared is named.
        (
            "Apple's volume on 14 March 2024 was larger than Tesla's",
            "Volume",
        ),
        ("Apple's share price is larger than Tesla's", " - unsaid"),
        ("Apple is more expensive than Tesla", " - unsaid"),
        (
            "Apple's gain in 2023 was bigger than Tesla's",
            "more change than TSLA",
        ),
    ] {
        let read = short(text);
        assert!(
            read.contains(expected) && !read.contains("MarketValue"),
            "{text}: {read}"
        );
    }
    for text in ["Gold is bigger than silver", "The Dow is larger than Apple"] {
        assert!(
            short(text).starts_with("unclear"),
            "{text}: {}",
            short(text)
        );
    }
}

#[test]
fn a_rate_of_another_central_bank_is_not_that_of_the_fed() {
    for text in [
        "The ECB raised its key rate to 3.00%",
        "The ECB's policy rate was 4% in May 2024",
        "The Bank of Japan raised its policy rate to 0.5% in January 2024",
        "Sweden's central bank cut its policy rate in May 2024",
        "The Riksbank cut interest rates in May 2024",
    ] {
        let is_of_fed = |claim: &FigureClaim| matches!(claim.subject, Subject::Series(code) if code.starts_with("fed_"));
        assert!(!claim(text).is_ok_and(|one| is_of_fed(&one)), "{text}");
        let parts = plain_claims(text, today()).unwrap_or_default();
        assert!(!parts.iter().any(is_of_fed), "{text}: {parts:?}");
        let passed = passing(text, today());
        assert!(!passed.is_some_and(|(one, _)| is_of_fed(&one)), "{text}");
    }
    for text in [
        "The Fed raised its key rate to 5.25% in May 2023",
        "The policy rate was 5.25% in May 2023",
        "The Federal Reserve raised interest rates in May 2023",
    ] {
        assert!(short(text).starts_with("fed_"), "{text}: {}", short(text));
    }
}
