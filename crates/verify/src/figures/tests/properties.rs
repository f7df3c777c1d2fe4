//! Nothing panics, and whatever is written from a question reads back as the same.

use proptest::prelude::*;

use super::{short, today};
use crate::figures::{loose_claims, passing, plain_claims, read};

/// Every way in which a sentence is read.
fn read_in_every_way(text: &str) {
    let _ = read(text, today());
    let _ = plain_claims(text, today());
    let _ = loose_claims(text, today());
    let _ = passing(text, today());
}

/// Words at which sentences are split or rephrased.
const TURNS: [&str; 64] = [
    "Apple",
    "Nvidia's",
    "Exxon,",
    "the Dow",
    "bitcoin",
    "Tesla",
    "Nancy Pelosi",
    "the euro",
    "rose",
    "fell",
    "lost",
    "ended",
    "2022",
    "2023,",
    "in",
    "in the",
    "on",
    "of",
    "a",
    "its",
    "it",
    "they",
    "while",
    "and",
    "but",
    "when",
    "both",
    "each",
    "only",
    "one",
    "than",
    "where",
    "had",
    "began",
    "the year",
    "longest",
    "winning",
    "streak",
    "was",
    "among",
    "up,",
    "lower",
    "made",
    "net",
    "profit",
    "half",
    "cent",
    "bear",
    "market",
    "crash,",
    "Monday,",
    "9 November 2020",
    "March",
    "record",
    "closes",
    "times",
    "worst",
    "day",
    "sessions",
    "8",
    "21.4%",
    "$5 billion",
    "sold",
    "shares",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_read_without_a_panic(text in "\\PC{0,1000}") {
        read_in_every_way(&text);
    }

    #[test]
    fn odd_characters_between_ordinary_words_are_read_without_a_panic(
        parts in prop::collection::vec(
            prop_oneof![
                Just("closed".to_owned()), Just("above".to_owned()), Just("$".to_owned()), Just("between".to_owned()),
                Just("and".to_owned()), Just("2022".to_owned()), Just("1.2bn".to_owned()), Just("%".to_owned()), Just("10-year".to_owned()),
                Just("from".to_owned()), Just("to".to_owned()), Just("March".to_owned()), Just("31".to_owned()), Just("CPI".to_owned()),
                Just("Apple's".to_owned()), Just("fiscal".to_owned()), Just("Q3".to_owned()), Just("highest".to_owned()), Just("since".to_owned()),
                Just("half".to_owned()), Just("than".to_owned()), Just("10-K".to_owned()), Just("filed".to_owned()), "\\PC{0,6}", "[0-9.,/-]{1,12}",
            ],
            0..60,
        )
    ) {
        read_in_every_way(&parts.join(" "));
    }

    #[test]
    fn words_that_turn_a_sentence_are_read_in_any_order_without_a_panic(
        words in prop::collection::vec(prop::sample::select(TURNS.to_vec()), 0..14),
    ) {
        read_in_every_way(&words.join(" "));
    }

    #[test]
    fn a_written_question_reads_back(
        ticker in prop::sample::select(vec!["NVDA", "AAPL", "MSFT", "XOM", "KO", "BRK.B"]),
        (year, month, day) in (2005_i32..2024, 1_usize..=12, 1_i32..=28),
        cents in 101_i64..99_999_999,
        (word, sign) in prop::sample::select(vec![
            ("at", "="), ("above", ">"), ("below", "<"), ("at least at", ">="), ("at about", "~"), ("just under", "<~"), ("just above", ">~"),
        ]),
        style in 0_usize..4,
    ) {
        const MONTHS: [&str; 12] = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
        ];
        let name = MONTHS[month - 1];
        let date = match style {
            0 => format!("on {day} {name} {year}"),
            1 => format!("on {name} {day}, {year}"),
            2 => format!("on {year}-{month:02}-{day:02}"),
            _ => format!("on {} {day} {year}", &name[..3]),
        };
        let value = cents as f64 / 100.0;
        let text = format!("{ticker} closed {word} ${value:.2} {date}");
        let over = if matches!(sign, "=" | "~") { "" } else { " Any" };
        let expected = format!("{ticker} Price(Close) {year}-{month:02}-{day:02}{over}: {sign} {value} USD");
        prop_assert_eq!(short(&text), expected, "{}", text);
    }

    #[test]
    fn a_written_change_reads_back(
        (subject, code) in prop::sample::select(vec![
            ("The S&P 500", "sp500"), ("Gold", "gold"), ("the 10-year Treasury yield", "ust_10y"), ("US retail sales", "retail_sales"),
        ]),
        (verb, direction) in prop::sample::select(vec![
            ("rose", "up"), ("fell", "down"), ("gained", "up"), ("lost", "down"), ("was up", "up"), ("declined by", "down"), ("climbed about", "up"),
        ]),
        tenths in 1_i64..999,
        year in 1991_i32..2024,
    ) {
        let value = tenths as f64 / 10.0;
        let text = format!("{subject} {verb} {value:.1}% in {year}");
        let sign = if verb.ends_with("about") { "~" } else { "=" };
        let expected = format!("{code} - {year}-01-01/{year}-12-31: {direction} {sign} {value}%");
        prop_assert_eq!(short(&text), expected, "{}", text);
    }
}
