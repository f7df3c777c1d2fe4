//! How claims are read, construct by construct, and properties of the reading.

mod counted;
mod loose;
mod properties;
mod reworded;
mod undated;
mod wordings;

use model::Day;

use super::{
    Assertion, Bound, Direction, FigureClaim, Length, Over, Period, Reading, Span, Subject, Unit,
    plain_claims, read,
};

/// The day as of which the claims in these tests are read: a Thursday.
const TODAY: &str = "2024-06-20";

fn today() -> Day {
    Day::parse(TODAY).unwrap()
}

fn claim(text: &str) -> Result<FigureClaim, String> {
    match read(text, today()) {
        Some(Reading::Claim(claim)) => Ok(*claim),
        Some(Reading::Unclear(unclear)) => Err(format!("unclear: {}", unclear.why)),
        Some(Reading::Listed(listed)) => Err(format!("listed: {:?}", listed.place)),
        None => Err("no claim about a figure".to_owned()),
    }
}

/// What a sentence is read as: directly, or after being taken apart.
fn parts(text: &str) -> Vec<String> {
    if let Ok(claim) = claim(text) {
        return vec![of_claim(&claim)];
    }
    let claims = plain_claims(text, today()).unwrap_or_default();
    claims.iter().map(of_claim).collect()
}

/// A short form of a claim: subject, measure, period, which value, what is said.
fn short(text: &str) -> String {
    match claim(text) {
        Ok(claim) => of_claim(&claim),
        Err(why) => why,
    }
}

fn of_claim(claim: &FigureClaim) -> String {
    let subject = match &claim.subject {
        Subject::Named { text, .. } => text.clone(),
        Subject::Series(code) => (*code).to_owned(),
        Subject::Currency { base, quote, .. } => format!("{base}/{quote}"),
    };
    let measure = claim
        .measure
        .map_or_else(|| "-".to_owned(), |measure| format!("{measure:?}"));
    let over = if claim.over == Over::Unsaid {
        String::new()
    } else {
        format!(" {:?}", claim.over)
    };
    let said: Vec<String> = claim.assertions.iter().map(assertion).collect();
    let not = if claim.is_negated { "not " } else { "" };
    let base = claim
        .base
        .map_or_else(String::new, |base| format!(" vs {}", span(&base)));
    let basis = claim
        .basis
        .map_or_else(String::new, |basis| format!(" {basis:?}"));
    let row = claim
        .in_a_row
        .map_or_else(String::new, |count| format!(" {count} in a row"));
    let first = if claim.is_first { " first" } else { "" };
    let peak = match claim.base_over {
        Over::Highest => " peak",
        Over::Lowest => " trough",
        _ => "",
    };
    format!(
        "{subject} {measure} {}{base}{peak}{basis}{over}{row}{first}: {not}{}",
        period(&claim.period),
        said.join(", ")
    )
}

fn period(period: &Period) -> String {
    match period {
        Period::Unsaid => "unsaid".to_owned(),
        Period::Latest => "latest".to_owned(),
        Period::In(one) => span(one),
        Period::Between(first, last) => format!("{}..{}", span(first), span(last)),
        Period::Since(one) => format!("since {}", span(one)),
        Period::Past(count, length) => format!(
            "past {count} {}",
            match length {
                Length::Days => "days",
                Length::Sessions => "sessions",
                Length::Weeks => "weeks",
                Length::Months => "months",
                Length::Quarters => "quarters",
                Length::Years => "years",
            }
        ),
    }
}

fn span(span: &Span) -> String {
    use super::SpanUnit;
    match span.unit {
        SpanUnit::FiscalYear(year) => format!("FY{year}"),
        SpanUnit::FiscalQuarter(year, quarter) => format!("FY{year}Q{quarter}"),
        _ if span.is_day() => span.first.to_string(),
        _ => format!("{}/{}", span.first, span.last),
    }
}

fn bound(bound: &Bound) -> String {
    let number = |amount: &super::Amount| {
        let unit = match amount.unit {
            Unit::Bare => String::new(),
            Unit::Percent => "%".to_owned(),
            Unit::Points => "pp".to_owned(),
            Unit::BasisPoints => "bp".to_owned(),
            Unit::IndexPoints => "pt".to_owned(),
            Unit::Money(code) => format!(" {code}"),
            Unit::Times => "x".to_owned(),
            Unit::Fraction => "% part".to_owned(),
            Unit::Count => " count".to_owned(),
        };
        format!("{}{unit}", (amount.value * 1e6).round() / 1e6)
    };
    match bound {
        Bound::Equal(amount) => format!("= {}", number(amount)),
        Bound::About(amount) => format!("~ {}", number(amount)),
        Bound::Above(amount) => format!("> {}", number(amount)),
        Bound::Below(amount) => format!("< {}", number(amount)),
        Bound::AtLeast(amount) => format!(">= {}", number(amount)),
        Bound::AtMost(amount) => format!("<= {}", number(amount)),
        Bound::JustAbove(amount) => format!(">~ {}", number(amount)),
        Bound::JustBelow(amount) => format!("<~ {}", number(amount)),
        Bound::Between(low, high) => format!("{} to {}", number(low), number(high)),
        Bound::Word { amount, from, to } => {
            let hundredths = |value: f64| (value * 100.0).round() / 100.0;
            format!(
                "{} ({}..{})",
                number(amount),
                hundredths(*from),
                hundredths(*to)
            )
        }
    }
}

fn assertion(one: &Assertion) -> String {
    match one {
        Assertion::Value(of) => bound(of),
        Assertion::Change { direction, size } => {
            let word = match direction {
                Direction::Up => "up",
                Direction::Down => "down",
                Direction::Flat => "flat",
            };
            size.as_ref()
                .map_or_else(|| word.to_owned(), |size| format!("{word} {}", bound(size)))
        }
        Assertion::Multiple(of) => format!("times {}", bound(of)),
        Assertion::From(of) => format!("from {}", bound(of)),
        Assertion::Extreme { highest, since } => {
            let word = if *highest { "highest" } else { "lowest" };
            since.as_ref().map_or_else(
                || word.to_owned(),
                |since| format!("{word} since {}", span(since)),
            )
        }
        Assertion::ExtremeOn { highest, on } => {
            format!(
                "{} on {}",
                if *highest { "highest" } else { "lowest" },
                span(on)
            )
        }
        Assertion::BestSpan { best, unit, on } => {
            let word = if *best { "best" } else { "worst" };
            format!("{word} {unit:?} on {}", span(on))
        }
        Assertion::Versus {
            greater,
            changes,
            by,
            other,
        } => {
            let sign = if *greater { "more" } else { "less" };
            let what = if *changes { " change" } else { "" };
            let subject = match &other.subject {
                Some(Subject::Named { text, ticker }) => {
                    format!(" {}", ticker.as_ref().unwrap_or(text))
                }
                Some(Subject::Series(code)) => format!(" {code}"),
                Some(Subject::Currency { base, .. }) => format!(" {base}"),
                None => String::new(),
            };
            let measure = other
                .measure
                .map_or_else(String::new, |measure| format!(" {measure:?}"));
            let by = by
                .as_ref()
                .map_or_else(String::new, |by| format!(" by {}", bound(by)));
            format!("{sign}{what} than{subject}{measure}{by}")
        }
    }
}

#[test]
fn a_time_that_is_only_pointed_at_is_not_guessed() {
    for text in [
        "META bottomed in March 2022, when it closed at its lowest level of that year.",
        "Charles Schwab ended June 2023 higher than it had started that year.",
    ] {
        let read = claim(text);
        assert!(read.is_err(), "{read:?}");
    }
}

#[test]
fn what_a_figure_is_measured_from_has_to_be_read() {
    for text in [
        "Apple closed lower on 25 March 2024 than a week earlier",
        "Apple gained more than 5 % in the week to 25 March 2024",
        "Apple has lost more than 6 % since its highest close in August",
        "US inflation was 4.2 % in May 2024, its highest level ever",
        "Oil fell on 25 March 2024 while gold fell",
        "Microsoft is worth twice as much as Apple",
        "Gold rose about 80 times as much as silver on 25 March 2024",
    ] {
        let read = claim(text);
        assert!(
            read.as_ref().is_err_and(|why| why.starts_with("unclear")),
            "{text}: {read:?}"
        );
    }
    // A year before is the usual comparison, and other things may wait meanwhile.
    for text in [
        "Unemployment was higher in May 2024 than a year earlier",
        "US unemployment was higher in May 2024 than a month earlier",
        "Oil fell on 25 March 2024 while traders waited",
        "Gold rose 1 % on 25 March 2024 while traders waited for the Fed to cut interest rates",
        "Gold cost about 80 times as much as silver on 25 March 2024",
    ] {
        assert!(claim(text).is_ok(), "{text}");
    }
}
