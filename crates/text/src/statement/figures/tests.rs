use model::DataPointKind::{Count, Money, Percent, Quantity};
use model::{DataPointKind, EntityMention};
use proptest::prelude::*;

use super::{Bound, clause_start, data_points, of_text};
use crate::annotate::lexed::{Lexed, lex};
use crate::annotate::mentions::Mentions;
use crate::entities;

fn check(text: &str, expected: &[(DataPointKind, f64, &str, Option<&str>)]) {
    let figures = of_text(text);
    let found: Vec<_> = figures
        .iter()
        .map(|figure| (figure.kind, figure.value, figure.unit, figure.measure))
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn money_has_a_currency_and_a_scale() {
    check(
        "a deal worth $4.2 billion",
        &[(Money, 4.2e9, "USD", Some("valuation"))],
    );
    check("€13.1 mn", &[(Money, 13.1e6, "EUR", None)]);
    check("Rs 200 crore", &[(Money, 2e9, "INR", None)]);
    check("Rs. 200 crore", &[(Money, 2e9, "INR", None)]);
    check("fined £3bn", &[(Money, 3e9, "GBP", Some("fine"))]);
    check(
        "US$5m, C$6m and A$7m",
        &[
            (Money, 5e6, "USD", None),
            (Money, 6e6, "CAD", None),
            (Money, 7e6, "AUD", None),
        ],
    );
    check("300 billion yen", &[(Money, 3e11, "JPY", None)]);
    check("5 milliards d’euros", &[(Money, 5e9, "EUR", None)]);
    check(
        "₹1,00,000 crore of loans",
        &[(Money, 1e12, "INR", Some("loan"))],
    );
}

#[test]
fn a_comma_before_the_decimals_of_a_percentage_or_a_scale_is_a_decimal_point() {
    for (text, value) in [
        ("Der Umsatz wuchs um 25,5%", 25.5),
        ("le taux atteint 7,25 % en mai", 7.25),
        ("un taux de 0,5\u{202f}% en mai", 0.5),
        ("60 avions pour 13,5 milliards de dollars", 13.5e9),
        ("une dette de 2,75 millions d’euros", 2.75e6),
        ("a gain of 1,250% in May", 1250.0),
        ("a loss of $1,250 million in May", 1250e6),
        ("a gain of 12,50,000% in May", 1_250_000.0),
    ] {
        let read: Vec<f64> = of_text(text).iter().map(|figure| figure.value).collect();
        assert_eq!(read, [value], "{text}");
    }
}

#[test]
fn percentages_are_negative_where_something_fell() {
    check(
        "Revenue fell 3.5% to $2bn",
        &[
            (Percent, -3.5, "%", Some("revenue")),
            (Money, 2e9, "USD", Some("revenue")),
        ],
    );
    check(
        "Inflation fell to 3.3 per cent",
        &[(Percent, 3.3, "%", Some("inflation"))],
    );
    check(
        "a 12% drop in sales",
        &[(Percent, -12.0, "%", Some("sales"))],
    );
    check(
        "cut rates by 25 basis points",
        &[(Quantity, -25.0, "basis points", None)],
    );
}

#[test]
fn counts_are_known_by_their_words() {
    check(
        "At least 12 people were killed and 30 wounded.",
        &[
            (Count, 12.0, "people", Some("killed")),
            (Count, 30.0, "people", Some("injured")),
        ],
    );
    check(
        "Blast kills seven people",
        &[(Count, 7.0, "people", Some("killed"))],
    );
    check(
        "The death toll rises to 1,204.",
        &[(Count, 1204.0, "people", Some("killed"))],
    );
    check(
        "The firm will cut 3,000 jobs",
        &[(Count, 3000.0, "jobs", Some("jobs cut"))],
    );
    check(
        "exports of 2 million barrels per day",
        &[(Quantity, 2e6, "barrels per day", Some("exports"))],
    );
}

#[test]
fn other_numbers_are_no_figures() {
    for text in [
        "Covid-19 cases rose",
        "On March 3, 2026 the F-16 flew",
        "They won 3-1 at 20:45",
        "a 5-year-old aged 34",
        "the top 10 films of 2019",
        "iPhone 13 and Windows 10",
        "call 0800 123 456",
        "between 5-10 people",
        "page 3 of chapter 4",
        "24/7 on 9/11",
    ] {
        check(text, &[]);
    }
}

#[test]
fn bounds_are_kept() {
    let bound = |text: &str| of_text(text)[0].bound;
    assert_eq!(bound("at least 12 people"), Bound::AtLeast);
    assert_eq!(bound("more than $5 million"), Bound::AtLeast);
    assert_eq!(bound("up to 40 people"), Bound::AtMost);
    assert_eq!(bound("nearly 40 people"), Bound::About);
    assert_eq!(bound("40 people"), Bound::Exact);
}

#[test]
fn a_figure_is_about_the_nearest_name() {
    let (title, body) = ("Apple Inc. revenue rises 8%", "");
    let entities: Vec<EntityMention> = entities::find(title, body);
    let points = data_points(&Lexed::new(title, body), &Mentions::new(&entities));
    assert_eq!(points.len(), 1);
    assert_eq!(points[0].entity.as_deref(), Some("Apple Inc."));
    assert_eq!(points[0].context, title);
}

#[test]
fn a_figure_is_not_about_whom_another_clause_names() {
    let check = |title: &str, expected: &[Option<&str>]| {
        let entities: Vec<EntityMention> = entities::find(title, "");
        let points = data_points(&Lexed::new(title, ""), &Mentions::new(&entities));
        let about: Vec<Option<&str>> = points.iter().map(|point| point.entity.as_deref()).collect();
        assert_eq!(about, expected, "{title}");
    };
    check(
        "China’s exports jump 14% ahead of Xi Jinping's summit with Trump",
        &[Some("China")],
    );
    check(
        "Oil rebounds to $95, stocks wobble after Microsoft misses estimates",
        &[None],
    );
    check(
        "Microsoft sales rise 8%; private home prices up 0.9%",
        &[Some("Microsoft Corporation"), None],
    );
    check("Microsoft slides as the oil price climbs to $126", &[None]);
    check(
        "Microsoft falls after sales dropped 8%",
        &[Some("Microsoft Corporation")],
    );
    check(
        "Microsoft net profit drops to ₹5,326 crore",
        &[Some("Microsoft Corporation")],
    );
    check("Microsoft Top Gainers: Kelvorix Jumps 3.23%", &[None]);
    check(
        "Microsoft: revenue rises 8%",
        &[Some("Microsoft Corporation")],
    );
    check(
        "Microsoft will drop Oracle, migrate $700 million of contracts",
        &[Some("Microsoft Corporation")],
    );
    check(
        "Revenue up 8% at Microsoft",
        &[Some("Microsoft Corporation")],
    );
}

#[test]
fn many_colons_are_read_one_after_another() {
    let title = format!("{}8%", "up: ".repeat(20_000));
    let mut tokens = Vec::new();
    lex(&title, &mut tokens);
    assert_eq!(clause_start(&tokens, tokens.len() - 1), 0);
}

proptest! {
    #[test]
    fn any_text_gives_finite_figures(title in "\\PC{0,60}", body in "(?s)[0-9$€£%.,−\\- a-zA-Z\u{a0}é]{0,200}") {
        let entities = entities::find(&title, &body);
        for point in data_points(&Lexed::new(&title, &body), &Mentions::new(&entities)) {
            prop_assert!(point.value.is_finite());
            prop_assert!(!point.unit.is_empty() && !point.printed.is_empty());
            prop_assert!(point.context.len() <= 400);
        }
    }
}

#[test]
fn a_minus_sign_of_several_bytes_is_a_minus_sign() {
    let found = of_text("in the group (−2.09%, P = 0.640) and −1.5% after");
    let values: Vec<f64> = found.iter().map(|figure| figure.value).collect();
    assert_eq!(values, [-2.09, -1.5]);
}
