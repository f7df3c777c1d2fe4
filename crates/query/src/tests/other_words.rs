//! Questions whose wish no phrase says, and names as people write them.

use model::Symbol;

use super::today;
use crate::{How, Intent, Kind, Listed, Names, Reading, read};

fn names() -> Names {
    let shares = [
        ("MSFT", "Microsoft Corporation"),
        ("F", "Ford Motor Company"),
        ("INTC", "Intel Corporation"),
        ("GME", "GameStop Corp."),
        ("T", "AT&T Inc."),
        ("LOW", "Lowe's Companies, Inc."),
        ("ORLY", "O'Reilly Automotive, Inc."),
        ("WMT", "Walmart Inc."),
        ("JNJ", "Johnson & Johnson"),
        ("JCI", "Johnson Controls International plc"),
        ("TSLA", "Tesla, Inc."),
        ("BRK.B", "Berkshire Hathaway Inc."),
        ("META", "Meta Platforms, Inc."),
        ("AAPL", "Apple Inc."),
        ("NVDA", "NVIDIA Corporation"),
        ("SPOT", "Spotify Technology S.A."),
        ("UPS", "United Parcel Service, Inc."),
    ];
    Names::new(shares.map(|(symbol, name)| Listed {
        symbol: Symbol::parse(symbol).unwrap(),
        name: name.to_owned(),
        kind: Kind::Share,
        currency: "USD".to_owned(),
        size: 50.0,
    }))
}

fn reading(text: &str) -> Reading {
    read(text, today(), &names())
}

fn symbols(text: &str) -> Vec<String> {
    let found = reading(text).instruments;
    found.iter().map(|one| one.symbol.to_string()).collect()
}

#[test]
fn what_is_wanted_is_understood_without_its_usual_word() {
    for (text, expected) in [
        (
            "how many folks are without a job in the states",
            Intent::Macro,
        ),
        (
            "does microsoft hand money back to its owners every quarter",
            Intent::Fundamentals,
        ),
        (
            "who goes after the same customers as spotify",
            Intent::Competitors,
        ),
        (
            "have the bosses of microsoft been getting rid of their own stock",
            Intent::Insider,
        ),
        (
            "what do the pros on wall street think microsoft is worth in a year",
            Intent::Analysts,
        ),
        (
            "my dog ate my homework, what do i tell the teacher",
            Intent::Unclear,
        ),
        ("ta mate, that was useful", Intent::Help),
    ] {
        let found = reading(text).intents;
        assert_eq!(found.first(), Some(&expected), "{text}: {found:?}");
    }
}

#[test]
fn a_name_that_is_a_word_counts_where_the_question_needs_one() {
    for (text, expected) in [
        (
            "i bought some ford at 14 dollars years ago, am i up or down on it",
            "F",
        ),
        ("how far is intel from its yearly peak", "INTC"),
        ("what made gme jump", "GME"),
    ] {
        assert_eq!(symbols(text), [expected], "{text}");
    }
    for text in [
        "where can i ford the river safely with my kids",
        "any fresh intel on the ceasefire talks",
        "tie-ups between european banks",
    ] {
        assert_eq!(symbols(text), [""; 0], "{text}");
    }
}

#[test]
fn names_are_found_with_their_marks_and_without() {
    for (text, expected) in [
        ("how much debt has at&t got", "T"),
        ("AT&T dividend", "T"),
        ("is lowes a buy", "LOW"),
        ("is lowe's a buy", "LOW"),
        ("has o'reilly automotive split its stock", "ORLY"),
        ("oreilly automotive price", "ORLY"),
        ("zuckerberg's company price", "META"),
        ("is buffett's company expensive", "BRK.B"),
    ] {
        assert_eq!(symbols(text), [expected], "{text}");
    }
    for (text, expected) in [
        ("wall mart stock price", "WMT"),
        ("annual report of johnson & jonson", "JNJ"),
        ("what is tesler trading at", "TSLA"),
    ] {
        let found = reading(text).instruments;
        let found: Vec<_> = found
            .iter()
            .map(|one| (one.symbol.as_str(), one.how))
            .collect();
        assert_eq!(found, [(expected, How::Misspelt)], "{text}");
    }
    // Of two that stand so, each with its weight, both are meant.
    assert_eq!(
        symbols("i hold 40% apple, 30% nvidia and 30% ford"),
        ["AAPL", "NVDA", "F"]
    );
    // What somebody did is no matter of a company that is known for them.
    assert_eq!(symbols("which shares did buffett sell lately"), [""; 0]);
}
