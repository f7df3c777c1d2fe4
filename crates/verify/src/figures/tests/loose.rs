//! Sentences that are read figure by figure, and those with a figure that belongs to nothing.

use super::super::loose_claims;
use super::{claim, parts, today};

#[test]
fn each_figure_has_its_subject_time_and_direction() {
    for (text, expected) in [
        (
            "GM advanced nearly 10% on October 22, 2023, with volume exceeding 40 million shares.",
            &[
                "GM - 2023-10-22: up ~ 10%",
                "GM Volume 2023-10-22: > 40000000 count",
            ][..],
        ),
        (
            "XLK gave up 28.4% in 2022 and XLY 36.8%.",
            &[
                "XLK - 2022-01-01/2022-12-31: down = 28.4%",
                "XLY - 2022-01-01/2022-12-31: down = 36.8%",
            ],
        ),
        (
            "Apple rose more than 30% in 2021 and less than 5% in 2022.",
            &[
                "Apple - 2021-01-01/2021-12-31: up > 30%",
                "Apple - 2022-01-01/2022-12-31: up < 5%",
            ],
        ),
        (
            "Brent averaged more than $100 in 2022 compared with $70.9 in 2021.",
            &[
                "brent - 2022-01-01/2022-12-31 Mean: > 100 USD",
                "brent - 2021-01-01/2021-12-31 Mean: = 70.9 USD",
            ],
        ),
        (
            "Tesla fell 65% in 2022, and on 27 December 2022 it closed at $109.10.",
            &[
                "Tesla - 2022-01-01/2022-12-31: down = 65%",
                "Tesla Price(Close) 2022-12-27: = 109.1 USD",
            ],
        ),
        (
            "Meta shed 26.4% on February 3, 2022, and lost another 24.6% on October 27 of that year.",
            &[
                "Meta - 2022-02-03: down = 26.4%",
                "Meta - 2022-10-27: down = 24.6%",
            ],
        ),
    ] {
        assert_eq!(parts(text), expected, "{text}");
    }
}

#[test]
fn what_says_nothing_is_passed_over() {
    for (text, expected) in [
        (
            "Energy was the standout of 2022: the XLE fund climbed 58 %.",
            "XLE - 2022-01-01/2022-12-31: up = 58%",
        ),
        (
            "Small caps won in 2023, with the Russell 2000 up more than the S&P 500.",
            "russell - 2023-01-01/2023-12-31: more change than sp500",
        ),
        (
            "USD/JPY, derived from ECB reference rates, stood at 151.7 on October 21, 2022.",
            "USD/JPY - 2022-10-21: = 151.7",
        ),
        (
            "GM shares stood at $53.73 when markets closed on Oct. 22, 2023",
            "GM Price(Close) 2023-10-22: = 53.73 USD",
        ),
        (
            "UnitedHealth ended June 2023 roughly 38 percent below where it began the year.",
            "UnitedHealth Price(Close) 2023-06-01/2023-06-30 vs 2022-01-01/2022-12-31 End: down ~ 38%",
        ),
        (
            "UnitedHealth's average closing price during 2023 exceeded $550.",
            "UnitedHealth Price(Close) 2023-01-01/2023-12-31 Mean: > 550 USD",
        ),
        (
            "Snowflake's FY2023 revenue exceeded its FY2022 revenue.",
            "Snowflake Revenue FY2023 vs FY2022: up",
        ),
        (
            "Tesla was crushed by Nvidia in 2022.",
            "Tesla - 2022-01-01/2022-12-31: less change than NVDA",
        ),
    ] {
        assert_eq!(parts(text), [expected], "{text}");
    }
    assert_eq!(
        parts("May was bitcoin's worst month in the first half of 2021, with a drop of about 35%."),
        [
            "bitcoin - 2021-01-01/2021-06-30: worst Month on 2021-05-01/2021-05-31",
            "bitcoin - 2021-05-01/2021-05-31: down ~ 35%"
        ]
    );
}

/// Sentences with a figure that belongs to another time, subject or measure than those named before it, or that is not
/// claimed at all.
const OPEN: &[&str] = &[
    // Of a year other than the one before it, or than now.
    "Bitcoin was at $42,000 in December 2023 and $73,000 in March.",
    "Apple rose 12% in Q4 2023 and fell 11% in the first quarter.",
    "Tesla fell 1% on 30 December 2022, and it fell 12% on 3 January.",
    "Payrolls rose 216,000 in December 2023 and 353,000 in January.",
    "Apple, up 49% in 2023, fell 3% in January.",
    "Gold rose 13% in 2023 and 2% in January.",
    "Bitcoin fell 64% in 2022 and hit $73,000 in March.",
    // One after the other.
    "Nvidia had risen 50% before it fell 10% in August 2023.",
    "Meta fell 64% in 2022, then rose 194%.",
    "Tesla fell 5% on 2 May 2023, after a 3% rise the day before.",
    "Apple rose 6% on 3 May 2023 and is down 5% for the year.",
    "Broadcom opened 9% lower on 3 May 2023 and closed down 2%.",
    "Gold broke through $2,000 in August 2020, then retreated to finish that year under $1,900.",
    // Whose it is, or of what.
    "The Fed funds rate rose to 4.5% in December 2022, the ECB's to 2.5%.",
    "Apple's revenue fell 3% to $383 billion in 2023 and net income 3% to $97 billion.",
    "The S&P 500 rose 24% in 2023, with Apple making up 7%.",
    "Apple is 7% of the S&P 500.",
    "Intel lost 5% share in 2023.",
    "Microsoft rose 57% in 2023, 8 points more than Apple.",
    "Nvidia crushed Apple 171% to 30% in 2023.",
    "Rising rates crushed Tesla in 2022.",
    "The S&P 500 rose 24% in 2023, while Apple doubled that with 49%.",
    "Tesla's 200-day average turnover was $10 billion on 3 May 2023.",
    "Apple closed Friday below where it began the week.",
    // Not claimed.
    "He denied energy stocks (XLE) fell 65% in 2022.",
    "He denied Tesla fell 65% in 2022.",
    "Few believe Tesla fell 65% in 2022.",
    "Tesla was about to hit $300 in July 2023.",
    "AMD beat Intel in 2021, and it was not close.",
    "A short position in Tesla in 2022: up 65%.",
    "Exxon's rival had a good 2022, its shares climbing 70%.",
    "Let us imagine a quiet 2023: Apple rose 5%.",
    "For holders in yen: the S&P 500 rose 24% in 2023.",
    // Something is done to a loss.
    "Boeing's loss narrowed 40% in 2023.",
    "Nvidia erased a 3% loss on 3 May 2023.",
    "Intel suffered a 29% loss of market share in 2023.",
    "Gold fell 3% on ECB rate day in 2023.",
];

#[test]
fn what_is_not_said_of_a_figure_is_not_read() {
    let wrong: Vec<String> = OPEN
        .iter()
        .map(|text| (text, parts(text)))
        .filter(|(_, found)| !found.is_empty())
        .map(|(text, found)| format!("{text}\n    {found:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How exact the figures of a sentence are together, if some of its words are skipped.
fn bits(text: &str) -> Option<f64> {
    let figures = loose_claims(text, today())?.figures;
    Some(figures.iter().map(|figure| figure.readings[0].bits).sum())
}

#[test]
fn a_figure_is_as_exact_as_it_is_written() {
    let exact = |text: &str| bits(text).unwrap();
    let close = exact("Tesla's close of $108.10 was etched on December 27, 2022.");
    let rough = exact("Tesla's close of $108 was etched on December 27, 2022.");
    assert!(close > rough + 5.0, "{close} {rough}");
    // `About 151.7` may agree to its last digit.
    let about = exact("The VIX was etched at about 51.7 on October 21, 2022.");
    let plain = exact("The VIX was etched at 51.7 on October 21, 2022.");
    assert!((about - plain).abs() < 0.01, "{about} {plain}");
    // Anything that was passed on the way agrees.
    assert!(exact("Stretched Apple hit $195.50 in December 2023.") < 1.0);
}

#[test]
fn words_that_turn_a_figure_are_not_passed_over() {
    for (harmless, text) in [
        (
            "Apple's close etched $192.53 on 29 December 2023.",
            "Apple's iPhone etched $192.53 on 29 December 2023.",
        ),
        (
            "Bitcoin endured a 65.03% fall in 2022.",
            "Bitcoin miners gained 65.03% in 2022.",
        ),
        (
            "Tesla endured a 65.03% fall in 2022.",
            "Tesla averted a 65.03% fall in 2022.",
        ),
        (
            "Tesla endured a 65.03% fall in 2022.",
            "Tesla bears gained 65.03% in 2022.",
        ),
        (
            "A stretched Apple closed at $192.53 on 29 December 2023.",
            "A stretched Apple refused to close at $192.53 on 29 December 2023.",
        ),
        (
            "Tesla endured a 65.03% fall in 2022.",
            "Tesla endured a 65.03% fall in 2022, trailing every other megacap.",
        ),
        (
            "Tesla endured a 65.03% fall in 2022.",
            "It is a lie that Tesla endured a 65.03% fall in 2022.",
        ),
        (
            "Tesla endured a 65.03% fall in 2022.",
            "That Tesla endured a 65.03% fall in 2022 was fabricated.",
        ),
        (
            "Tesla endured a 65.03% fall in 2022.",
            "Tesla did not endure a 65.03% fall in 2022.",
        ),
        (
            "Tesla endured a 65.03% fall in 2022.",
            "Did Tesla endure a 65.03% fall in 2022?",
        ),
    ] {
        assert!(bits(harmless).is_some_and(|bits| bits > 5.0), "{harmless}");
        assert_eq!(bits(text), None, "{text}");
    }
}

#[test]
fn listings_are_claims_about_today() {
    let place = |text: &str| claim(text).unwrap_err();
    assert_eq!(
        place("WMT is listed on the Nasdaq these days."),
        "listed: Exchange(\"NASDAQ\")"
    );
    assert_eq!(
        place("Southern Company is classed under Information Technology in the S&P 500."),
        "listed: Sector(\"information technology\")"
    );
    // Where it once was is not known.
    let once = place("Apple was listed on the NYSE in 1985.");
    assert!(!once.starts_with("listed"), "{once}");
}

#[test]
fn a_figure_compared_with_another_is_not_claimed_of_it() {
    for text in [
        "Meta's 26.4% plunge on February 3, 2022 was larger than the 24.6% drop of October 27 that year.",
        "Exxon Mobil's 80.3% gain in 2022 was topped by Occidental Petroleum, which more than doubled.",
        "At $4,228, gold's price for June 2023 was lower than at the end of 2022 but well above where it stood in December 2021.",
        "Snowflake's revenue growth accelerated in fiscal 2024.",
        "Bitcoin's highest volume of 2023 came on February 26, not on the day of its highest close.",
        "Microsoft traded above $500 on June 30, 2023 but ended the day below it.",
    ] {
        assert_eq!(parts(text), Vec::<String>::new(), "{text}");
    }
    assert_eq!(
        parts("Exxon Mobil gained at least 70 percent in 2022, better than Chevron."),
        ["Exxon Mobil - 2022-01-01/2022-12-31: up >= 70%, more change than CVX"]
    );
    assert_eq!(
        parts("On 5 Aug 2023 the VIX spiked above 65 but closed below 40."),
        [
            "vix Price(Traded) 2023-08-05 Any: > 65",
            "vix Price(Close) 2023-08-05 Any: < 40"
        ]
    );
}
