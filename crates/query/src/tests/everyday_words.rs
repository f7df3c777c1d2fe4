//! Questions in the words of traders and newcomers.

use model::Symbol;

use super::today;
use crate::{Intent, Kind, Listed, Names, Reading, read};

/// Companies whose names are ordinary words, with others next to them.
fn names() -> Names {
    let shares = [
        ("ZM", "Zoom Video Communications, Inc.", 0.0),
        ("DAL", "Delta Air Lines", 5.0),
        ("UAL", "United Airlines Holdings", 3.0),
        ("TGT", "Target Corporation", 9.0),
        ("SNAP", "Snap Inc", 0.0),
        ("XYZ", "Block, Inc.", 0.0),
        ("SHEL", "Shell plc", 0.0),
        ("JPM", "JPMorgan Chase", 26.0),
        ("GOOGL", "Alphabet Inc.", 60.0),
        ("META", "Meta Platforms", 64.0),
        ("NVDA", "NVIDIA Corporation", 99.0),
        ("AAPL", "Apple Inc.", 90.0),
        ("BRK.B", "Berkshire Hathaway Inc.", 30.0),
        ("BLK", "BlackRock, Inc.", 8.0),
        ("XOM", "Exxon Mobil Corporation", 20.0),
        ("F", "Ford Motor Company", 9.0),
        ("GM", "General Motors", 5.0),
        ("AMD", "Advanced Micro Devices", 40.0),
        ("MU", "Micron Technology", 11.0),
        ("KO", "Coca-Cola Company (The)", 9.0),
        ("PLTR", "Palantir Technologies", 0.0),
        ("SPY", "SPDR S&P 500 ETF Trust", 0.0),
        ("QQQ", "Invesco QQQ Trust", 0.0),
        ("LUV", "Southwest Airlines", 2.0),
        ("ATR", "AptarGroup", 1.0),
    ];
    Names::new(shares.map(|(symbol, name, size)| Listed {
        symbol: Symbol::parse(symbol).unwrap(),
        name: name.to_owned(),
        kind: Kind::Share,
        currency: "USD".to_owned(),
        size,
    }))
}

fn reading(text: &str) -> Reading {
    read(text, today(), &names())
}

fn symbols(text: &str) -> Vec<String> {
    let found = reading(text).instruments;
    found.iter().map(|one| one.symbol.to_string()).collect()
}

fn check_symbols(all: &[(&str, &[&str])]) {
    for (text, expected) in all {
        assert_eq!(symbols(text), *expected, "{text}");
    }
}

fn check_first(all: &[(&str, Intent)]) {
    for (text, expected) in all {
        assert_eq!(reading(text).intents[0], *expected, "{text}");
    }
}

#[test]
fn names_that_are_words_count_where_a_company_stands() {
    check_symbols(&[
        ("does zoom pay a dividend", &["ZM"]),
        ("any headlines on snap", &["SNAP"]),
        ("delta's debt", &["DAL"]),
        ("zoom versus snap", &["ZM", "SNAP"]),
        ("would you buy block", &["XYZ"]),
        ("delta or united", &["DAL", "UAL"]),
        ("how did target do in october", &["TGT"]),
        ("jpmorgan earnings", &["JPM"]),
        ("goggle stock", &["GOOGL"]),
        ("is southwest airlines overvalued", &["LUV"]),
    ]);
    check_symbols(&[
        ("what is the target price", &[]),
        ("is there a gap between the two", &[]),
        ("zoom in on the market", &[]),
        ("is inflation on target", &[]),
        ("they block the merger", &[]),
    ]);
}

#[test]
fn symbols_are_known_by_the_company_they_keep() {
    check_symbols(&[
        ("i hold 15 mu 8 ko and 3 f", &["MU", "KO", "F"]),
        ("amd nvda mu ko", &["AMD", "NVDA", "MU", "KO"]),
        ("long pltr 30%, short f 10%", &["PLTR", "F"]),
        ("F or GM", &["F", "GM"]),
        ("spy versus qqq", &["SPY", "QQQ"]),
        ("ATR(14) of NVDA", &["NVDA"]),
        ("ATR stock", &["ATR"]),
    ]);
    check_symbols(&[("what is 10 k in dollars", &[]), ("nvda up 3 f", &["NVDA"])]);
}

#[test]
fn how_something_did_over_a_time_is_its_performance() {
    use Intent as I;
    check_first(&[
        ("how's my amd doing since october", I::Performance),
        ("how is zoom doing this quarter", I::Performance),
        ("nvda lately", I::Performance),
        ("how is nvda doing", I::Outlook),
        ("should I buy nvda this month", I::Outlook),
    ]);
}

#[test]
fn worth_is_a_price_unless_something_is_worth_doing() {
    use Intent as I;
    check_first(&[
        ("what is a share of apple worth", I::Price),
        ("what was nvda worth in March 2024", I::Price),
        ("is apple worth buying", I::Outlook),
    ]);
}

#[test]
fn short_verbs_ask_as_the_whole_ones() {
    use Intent as I;
    check_first(&[
        ("why'd nvda fall", I::WhyMoved),
        ("why's apple up", I::WhyMoved),
        ("what's weighing on target", I::WhyMoved),
        ("what're stocks doing", I::MarketOverview),
    ]);
}

#[test]
fn large_holders_are_not_what_is_held() {
    for text in [
        "does blackrock hold nvda",
        "who holds more nvda, blackrock or fidelity",
        "has berkshire trimmed its nvda stake",
    ] {
        assert!(reading(text).wants(Intent::Institutions), "{text}");
        assert_eq!(symbols(text), ["NVDA"], "{text}");
    }
    assert_eq!(symbols("who owns blackrock"), ["BLK"]);
    assert_eq!(symbols("blackrock or berkshire"), ["BLK", "BRK.B"]);
}

#[test]
fn growth_is_compared_by_what_was_reported() {
    for text in [
        "who is growing faster, apple or nvda",
        "which grew more, amd or mu",
    ] {
        let found = reading(text);
        assert!(found.wants(Intent::Comparison), "{text}");
        assert!(found.wants(Intent::Fundamentals), "{text}");
    }
}

#[test]
fn prices_of_what_is_not_listed_are_correlated_too() {
    for text in [
        "how closely do exxon and oil move together",
        "correlation of gold and silver",
        "is nvda tied to the nasdaq",
    ] {
        assert_eq!(reading(text).intents[0], Intent::Correlation, "{text}");
    }
}

#[test]
fn sectors_need_no_noun_beside_each_other_and_their_mood() {
    for (text, sector) in [
        ("is tech lagging", "Information Technology"),
        ("banks vs energy this month", "Financials"),
        ("mood in healthcare", "Health Care"),
        ("is real estate the weakest sector", "Real Estate"),
        ("oversold semis", "Information Technology"),
    ] {
        let found = reading(text);
        // An industry is narrower than its sector.
        let is_screened = found.screen.as_ref().is_some_and(|screen| {
            let of_industry = screen
                .industry
                .is_some_and(|industry| industry.is_in(sector));
            screen.sector.as_deref() == Some(sector) || of_industry
        });
        assert!(
            found.sectors.contains(&sector) || is_screened,
            "{text}: {:?}",
            found.sectors
        );
    }
    let found = reading("what is the sentiment around energy stocks");
    assert_eq!(found.intents, [Intent::Sectors, Intent::Sentiment]);
    let found = reading("are traders anxious right now");
    assert_eq!(found.intents, [Intent::MarketOverview, Intent::Sentiment]);
}

#[test]
fn everyday_life_is_no_question_about_markets() {
    for text in [
        "how long do i bake a potato cake",
        "will it be raining later",
        "write me a haiku",
        "how do i fix my sink",
        "hmm, what about that",
    ] {
        assert_eq!(reading(text).intents, [Intent::Unclear], "{text}");
    }
    let entertained = reading("tell me a joke about bankers").intents;
    assert!(matches!(entertained[..], [Intent::Help | Intent::Unclear]));
    for text in [
        "is it true that tim cook resigned",
        "restaurant and pizza stocks with PE under 20",
        "what happened in the football rights auction of Meta",
    ] {
        assert_ne!(reading(text).intents, [Intent::Unclear], "{text}");
    }
}

#[test]
fn what_is_doubted_is_verified() {
    for text in [
        "apple bought a film studio, true?",
        "heard apple dropped its car, is that real",
        "check this claim: nvda split its stock",
    ] {
        assert_eq!(reading(text).intents, [Intent::Verification], "{text}");
    }
}
