//! What a claim says beside a figure that was found right: that it was a record, or the last of several moves.

use std::sync::LazyLock;

use regex::Regex;

use super::exact::NOT_CHECKED;
use super::finding::{FigureFinding, Reason, Verdict};

#[expect(clippy::expect_used, reason = "constant pattern, compiled by a test")]
fn pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("constant pattern")
}

/// Words for an extreme or for a series of moves.
static EXTREMES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:record|all[- ]time|highest|lowest|steepest|straight|consecutive|in a row|streak|[a-z0-9]+[- ](?:day|week|month|year)[- ](?:high|low)|after \w+ (?:straight |consecutive )?(?:days|sessions|weeks|months) of)\b",
    )
});
/// Words with which a finding tells of an extreme or of a series of moves.
static TOLD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:record|highest|lowest|biggest|largest|smallest|steepest|strongest|weakest|best|worst|straight|consecutive|in a row|running|high|low|peak|trough|more than|first|last time|rank|of the \d+|every|sessions? (?:up|down)|longest)\b",
    )
});
/// A figure behind the extreme that it is said to be: `a record high of $308.38`.
static FIGURE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b((?:record|all[- ]time|[a-z0-9]+[- ](?:day|week|month|year))(?: (?:closing )?(?:high|low))?)(?: of)? (?:nearly |about |around |over )?(?:US)?[$€£]?[0-9][0-9.,]*[0-9%](?: (?:trillion|billion|million|points?|cents|(?:an|a|per) (?:ounce|barrel|pound|share)))?",
    )
});
/// A takeover of somebody named: `take over Intel`, but not `took over in 2011`.
static TAKEOVER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:take|takes|took|taken|taking) over (?-i:(?:the )?[A-Z])"));

/// Whether a claim is about a takeover; that one share costs more than another says nothing about it.
pub(super) fn is_takeover(claim: &str) -> bool {
    TAKEOVER.is_match(claim) && !claim.contains(|one: char| one.is_ascii_digit())
}

/// The claim without the figure that it gives for an extreme, if it gives one.
pub(super) fn without_figure(claim: &str) -> Option<String> {
    let rest = FIGURE.replace(claim, |found: &regex::Captures<'_>| {
        // `a record 82.69`.
        let extreme = &found[1];
        if extreme.eq_ignore_ascii_case("record") {
            format!("{extreme} high")
        } else {
            extreme.to_owned()
        }
    });
    // A record low without its figure is read as one of highs.
    let is_low = rest.to_lowercase().contains(" low");
    (rest != claim && !is_low).then(|| rest.into_owned())
}

/// Whether a supported claim names an extreme or a series of moves of which the finding does not tell.
pub(super) fn is_unchecked(found: &FigureFinding, claim: &str) -> bool {
    let statement = found.statement.as_str();
    let told = statement
        .split_once(NOT_CHECKED)
        .map_or(statement, |(told, _)| told);
    found.verdict == Verdict::Supported && EXTREMES.is_match(claim) && !TOLD.is_match(told)
}

/// The same finding where the rest of the claim is open.
pub(super) fn opened(found: FigureFinding) -> FigureFinding {
    FigureFinding {
        verdict: Verdict::Unverifiable(Reason::NoEvidence),
        statement: format!(
            "{} Whether the rest of the claim holds was not checked.",
            found.statement
        ),
        is_settled: true,
        ..found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_taken_out_of_an_extreme() {
        for (claim, expected) in [
            (
                "Apple closed at a record high of $308.38 on Monday.",
                Some("Apple closed at a record high on Monday."),
            ),
            (
                "The Nasdaq closed at an all-time high of 25,134.55 on Monday.",
                Some("The Nasdaq closed at an all-time high on Monday."),
            ),
            (
                "The VIX settled at a record 82.69 on March 16, 2020",
                Some("The VIX settled at a record high on March 16, 2020"),
            ),
            (
                "Tesla hit a record closing high of $409.97 on 4 November 2021",
                Some("Tesla hit a record closing high on 4 November 2021"),
            ),
            ("Apple closed at $308.38 on Monday.", None),
        ] {
            assert_eq!(without_figure(claim).as_deref(), expected, "{claim}");
        }
    }

    #[test]
    fn a_takeover_is_no_comparison_of_prices() {
        assert!(is_takeover("Microsoft wants to take over Intel"));
        assert!(!is_takeover("Microsoft took the lead over Intel"));
    }
}
