//! Questions whose intent no phrase expresses, and names as people write them.

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
        ("WDAY", "Workday, Inc."),
        ("IP", "International Paper Company"),
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
        "how many work days are left until christmas",
        "which international papers covered the strike",
        "when will musk's rocket company go public",
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
    // If two appear like this, each with its weight, both are meant.
    assert_eq!(
        symbols("i hold 40% apple, 30% nvidia and 30% ford"),
        ["AAPL", "NVDA", "F"]
    );
    // What a person did has nothing to do with the company they are known for.
    assert_eq!(symbols("which shares did buffett sell lately"), [""; 0]);
}

#[test]
fn numbers_are_years_days_and_counts_where_they_stand_so() {
    let span = |text: &str| {
        let when = reading(text).when;
        let day = |day: Option<model::Day>| day.map(|day| day.to_string()).unwrap_or_default();
        format!("{}..{}", day(when.from), day(when.to))
    };
    for (text, expected) in [
        ("compare ford and intel over 2024", "2024-01-01..2024-12-31"),
        ("is gold still over 2000", ".."),
        (
            "did gold close over $2000 in May 2023",
            "2023-05-01..2023-05-31",
        ),
        (
            "what did intel do between 3 March 2026 and 17 April 2026",
            "2026-03-03..2026-04-17",
        ),
        (
            "will the fed cut rates in january",
            "2027-01-01..2027-01-31",
        ),
    ] {
        assert_eq!(span(text), expected, "{text}");
    }
    assert_eq!(reading("top 5 gainers today").at_most, Some(5));
    assert_eq!(
        reading("biggest losers over the last 3 months").at_most,
        None
    );
    assert_eq!(
        reading("the most recent insider sales at intel").foremost,
        Some(crate::Foremost::Newest)
    );
    // What insiders sell is not a company's revenue.
    for (text, intents) in [
        ("insider sales at MSFT", &[Intent::Insider][..]),
        ("MSFT sales in 2025", &[Intent::Fundamentals]),
    ] {
        assert_eq!(reading(text).intents, intents, "{text}");
    }
}

#[test]
fn reported_figures_of_named_periods_are_not_those_known_at_their_end() {
    for text in [
        "MSFT revenue last quarter",
        "what was MSFT's revenue in Q2 2026",
        "MSFT net income for the quarter ended June 2026",
        "MSFT revenue in 2025",
        "free cash flow of MSFT in fiscal 2025",
        "did MSFT or AAPL have more revenue in 2025",
        "MSFT earnings in Q2 2026",
    ] {
        let found = reading(text);
        assert!(found.report.is_some(), "{text}: {found:?}");
        assert!(found.when.is_unsaid() && found.unserved.is_none(), "{text}");
        assert!(found.wants(Intent::Fundamentals), "{text}");
    }
    for text in [
        "MSFT revenue",
        "P/E of MSFT in 2025",
        "when did MSFT report Q2 2026",
        "did MSFT beat estimates in Q2 2026",
        "MSFT return in Q2 2026",
        "best day of MSFT in Q2 2026",
        "MSFT sales by insiders in Q2 2026",
    ] {
        assert_eq!(reading(text).report, None, "{text}");
    }
}
