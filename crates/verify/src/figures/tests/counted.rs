//! Times counted from others, runs, crossings, one of several, and simple sentences with unknown words.

use super::super::{Reading, passing, read};
use super::{parts, short, today};

#[test]
fn a_time_is_counted_from_the_one_before_it() {
    for (text, expected) in [
        (
            "PayPal fell 25% on 2 February 2022 and rose 3% two days later.",
            "PayPal - 2022-02-02: down = 25%|PayPal - 2022-02-04: up = 3%",
        ),
        (
            "Corn went from $3.03 in April 2020 to $7.73 a year later.",
            "corn - 2020-04-01/2020-04-30: = 3.03 USD|corn - 2021-04-01/2021-04-30: = 7.73 USD",
        ),
        (
            "Amazon fell 50% in 2022 and gained 81% the next year.",
            "Amazon - 2022-01-01/2022-12-31: down = 50%|Amazon - 2023-01-01/2023-12-31: up = 81%",
        ),
        (
            "Apple rose 3% on 2 March 2022 and 2% the day before.",
            "Apple - 2022-03-02: up = 3%|Apple - 2022-03-01: up = 2%",
        ),
    ] {
        assert_eq!(parts(text).join("|"), expected, "{text}");
    }
}

#[test]
fn a_figure_beside_an_extreme_is_not_lost() {
    assert_eq!(
        parts("PayPal tumbled 24.6% on 2 February 2022, its worst day of that year.").len(),
        2
    );
    // On its own it says how large the largest was.
    assert_eq!(
        short("PayPal's biggest one-day drop of 2022 was 24.6%."),
        "PayPal StepChange 2022-01-01/2022-12-31 Lowest: = -24.6%"
    );
}

#[test]
fn runs_and_crossings_have_several_names() {
    for text in [
        "The Dow rose 13 sessions running in July 2023.",
        "The Dow strung together a 13-session winning streak in July 2023.",
        "The Dow put together a 13-day winning streak in July 2023.",
    ] {
        let claims = super::super::plain_claims(text, today()).unwrap();
        assert_eq!(claims[0].in_a_row, Some(13), "{text}");
    }
    let crossed = parts(
        "Apple's 50-day moving average crossed above its 200-day moving average in June 2023.",
    );
    for text in [
        "Apple saw a golden cross in June 2023.",
        "Apple's 50-day average climbed back above the 200-day in June 2023, a golden cross.",
    ] {
        assert_eq!(parts(text), crossed, "{text}");
    }
    // It is contradictory which of them it was.
    assert!(
        parts("Apple's 50-day average fell below the 200-day in June 2023, a golden cross.")
            .is_empty()
    );
}

#[test]
fn what_is_said_of_one_of_several_is_said_of_the_others_too() {
    for (text, expected) in [
        (
            "Boeing fell in both 2021 and 2022, by 6.0 and 5.4 percent respectively.",
            "Boeing - 2021-01-01/2021-12-31: down = 6%|Boeing - 2022-01-01/2022-12-31: down = 5.4%",
        ),
        (
            "Among Amazon, Meta and Netflix, it was Netflix that fell hardest in 2022.",
            "Netflix - 2022-01-01/2022-12-31: less change than AMZN|Netflix - 2022-01-01/2022-12-31: less change than META",
        ),
        (
            "Coca-Cola outperformed PepsiCo in 2021, with a gain of 17% against 8%.",
            "Coca-Cola - 2021-01-01/2021-12-31: up = 17%|PepsiCo - 2021-01-01/2021-12-31: up = 8%",
        ),
        (
            "AbbVie lost $22 million in 2024 despite revenue of $15.1 billion.",
            "AbbVie NetIncome 2024-01-01/2024-12-31: = -22000000 USD|AbbVie Revenue 2024-01-01/2024-12-31: = 15100000000 USD",
        ),
    ] {
        assert_eq!(parts(text).join("|"), expected, "{text}");
    }
    let only = super::super::plain_claims(
        "Of Apple, Microsoft and Tesla, only Microsoft rose in 2022.",
        today(),
    );
    let denied: Vec<bool> = only.unwrap().iter().map(|claim| claim.is_negated).collect();
    assert_eq!(denied, [false, true, true]);
}

#[test]
fn an_unknown_word_of_a_simple_sentence_is_passed_over() {
    for text in [
        "FedEx, punished by its shareholders, plunged 21.4% on September 16, 2022.",
        "Henry Hub spot gas flared to $30.72 on 23 January 2023.",
    ] {
        assert!(passing(text, today()).is_some(), "{text}");
    }
    // A thing belonging to the company, something that did not happen, a rank, a second figure.
    for text in [
        "Apple's iPhone revenue rose 5 % in 2022.",
        "The VIX stopped short of closing above 30 in 2022.",
        "The S&P 500's second loss of 2022 was 4.8%.",
        "Henry Hub gas hit $30.72 in January 2023, beating the spike of $23.86.",
    ] {
        assert!(passing(text, today()).is_none(), "{text}");
    }
}

#[test]
fn a_part_of_a_company_is_not_the_company() {
    let text = "Amazon's AWS revenue rose 13% in 2023.";
    assert!(matches!(read(text, today()), Some(Reading::Unclear(_))));
    assert!(parts(text).is_empty());
    assert_eq!(
        short("Google parent Alphabet closed at $88 on 30 December 2022."),
        short("Alphabet closed at $88 on 30 December 2022.")
    );
}

#[test]
fn what_only_looks_like_these_is_left_open() {
    for text in [
        // Its anchor comes later.
        "Apple fell 3% on 16 May 2022, a year after it rose 5%.",
        "You were no better off in the Dow than in the Nasdaq in 2022.",
        "In 2022, not both Apple and Microsoft fell.",
        "Apple narrowly avoided a death cross in March 2022.",
        "Tesla's biggest drop of 2022 was 65%.",
        "Apple rose 3% in January 2023, 2% more than the month before.",
        "Ford bonds fell 3% in 2022.",
        "Among Apple, Microsoft and Tesla, Tesla grew revenue most in 2022.",
        "Gold rose in 2020, when the dollar fell 7%.",
        "Of Apple, Microsoft and Tesla, only Apple rose in 2022, by 3%.",
        "Pepsi outperformed Coke in 2021 with sales growth of 17% against 8%.",
        // A count, another type of earnings.
        "Apple was the only one of the three to fall in 2022.",
        "Apple's adjusted earnings per share were $6.11 in fiscal 2022.",
    ] {
        assert!(parts(text).is_empty(), "{text}: {:?}", parts(text));
    }
    // A range at the beginning is not a list of names.
    for text in [
        "Between January 2021 and January 2022 Apple rose 34%, and a year later it fell 20%.",
        "Between 2020 and 2021 both Apple and Microsoft rose 30%.",
        "Of 2022 and 2023 Apple, Microsoft and Tesla only Apple rose.",
    ] {
        parts(text);
    }
    for text in [
        "In 2022, deliveries at Tesla rose 38%.",
        "Tesla trimmed its gain to 3% on 16 May 2022.",
    ] {
        assert!(passing(text, today()).is_none(), "{text}");
    }
    assert_eq!(
        parts("Nokia (NOK) fell 3% in 2022."),
        ["Nokia - 2022-01-01/2022-12-31: down = 3%"]
    );
    // The worst day is a fall.
    assert_eq!(
        short("Tesla's worst day of 2022 was a 12% drop."),
        "Tesla StepChange 2022-01-01/2022-12-31 Lowest: = -12%"
    );
}
