//! Figures with and without the usual seasonal pattern of a year. A change within a year is quoted seasonally adjusted
//! unless stated otherwise; a change from a year earlier, and a level, are quoted unadjusted.
//!
//! If only the unadjusted series is on record, it does not decide a change within a year.

use std::borrow::Cow;

use super::finding::{FigureFinding, Reason, Verdict};

/// How an unadjusted series is read.
const UNADJUSTED: &str = "not seasonally adjusted";
/// The maximum difference between the two, in percentage points of a change and in points of an index.
const APART: f64 = 3.0;

/// The number of days in a year, within which a change is also seasonal.
const YEAR: i32 = 366;

/// The series that are published in both forms.
const SERIES: [(&str, &str); 5] = [
    ("macro:CPIAUCSL", "CPIAUCSL, seasonally adjusted"),
    ("macro:CPIAUCNS", "CPIAUCNS, not seasonally adjusted"),
    ("macro:CPILFESL", "CPILFESL, seasonally adjusted"),
    ("macro:M2SL", "M2SL, seasonally adjusted"),
    ("macro:WM2NS", "WM2NS, not seasonally adjusted"),
];

/// Words in a claim that mean unadjusted figures, longest first. They are not a denial.
const SAID: [&str; 6] = [
    "on a not seasonally adjusted basis",
    "(not seasonally adjusted)",
    "not seasonally adjusted",
    "non-seasonally adjusted",
    "without seasonal adjustment",
    "before seasonal adjustment",
];

/// Which of the two series is read, in words.
pub(super) fn words(series: &str) -> Option<&'static str> {
    let found = SERIES.iter().find(|(id, _)| *id == series);
    found.map(|(_, words)| *words)
}

/// A claim without the words saying that it is about unadjusted figures; `None` if it has no such words.
pub(super) fn without_unadjusted(claim: &str) -> Option<Cow<'_, str>> {
    let lower = claim.to_ascii_lowercase();
    for said in SAID {
        if let Some(at) = lower.find(said) {
            let (before, after) = (&claim[..at], &claim[at + said.len()..]);
            let before = before.trim_end_matches([',', ' ']);
            let after = after.trim_start_matches([',', ' ']);
            let gap = match after.chars().next() {
                None | Some('.' | ';' | ':' | '?' | '!') => "",
                Some(_) if before.is_empty() => "",
                Some(_) => " ",
            };
            return Some(Cow::Owned(format!("{before}{gap}{after}")));
        }
    }
    let is_named = lower
        .split(|one: char| !one.is_alphanumeric())
        .any(|word| matches!(word, "unadjusted" | "nsa"));
    is_named.then_some(Cow::Borrowed(claim))
}

/// A finding on a claim that says it is about unadjusted figures: the adjusted series says nothing about them.
pub(super) fn of_unadjusted(found: FigureFinding) -> FigureFinding {
    if !found.reading.contains(", seasonally adjusted") {
        return found;
    }
    FigureFinding {
        verdict: Verdict::Unverifiable(Reason::NoEvidence),
        statement: format!(
            "{} The unadjusted series is not held for that time.",
            found.statement
        ),
        ..found
    }
}

/// A finding on a claim that does not say it is about unadjusted figures.
pub(super) fn settled(found: FigureFinding, claim: &str) -> FigureFinding {
    let decides = match found.verdict {
        Verdict::Contradicted => is_far(&found, claim),
        // A number that agrees comes from this series; a direction is quoted from the other.
        Verdict::Supported => found.claimed.is_some() || is_far(&found, claim),
        Verdict::Unverifiable(_) => true,
    };
    if decides || !is_unadjusted_change(&found) {
        return found;
    }
    FigureFinding {
        verdict: Verdict::Unverifiable(Reason::NoEvidence),
        statement: format!(
            "{} A change within a year is quoted seasonally adjusted, and the adjusted series is not held for that time.",
            found.statement
        ),
        ..found
    }
}

/// Whether a finding is about a change in an unadjusted series from one part of a year to another.
fn is_unadjusted_change(found: &FigureFinding) -> bool {
    let (Some(first), Some(last)) = (found.truth.first(), found.truth.last()) else {
        return false;
    };
    // A rate in percent is already a change from a year earlier.
    found.unit != "percent"
        && found.reading.contains(UNADJUSTED)
        && !found.reading.contains("year on year")
        && first.day.date().month() != last.day.date().month()
        && last.day.since(first.day).abs() < YEAR
}

/// Whether the number in a claim is further from the change than seasonal effects could move it, or, without a number,
/// whether the change is larger than that.
fn is_far(found: &FigureFinding, claim: &str) -> bool {
    let (Some(first), Some(last)) = (found.truth.first(), found.truth.last()) else {
        return false;
    };
    let lower = claim.to_lowercase();
    let is_scaled = found.reading.contains("annualised")
        || lower.contains("basis point")
        || lower.contains("bps");
    let change = (last.value / first.value - 1.0) * 100.0;
    let claimed = found.claimed.unwrap_or_default();
    !is_scaled && (claimed.abs() - change.abs()).abs() > APART
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_for_unadjusted_figures_are_no_denial() {
        for (claim, expected) in [
            (
                "CPI fell 0.1% in November 2024, not seasonally adjusted.",
                Some("CPI fell 0.1% in November 2024."),
            ),
            (
                "CPI fell 0.1% (not seasonally adjusted) in November 2024",
                Some("CPI fell 0.1% in November 2024"),
            ),
            (
                "On a not seasonally adjusted basis, CPI fell 0.1% in November 2024.",
                Some("CPI fell 0.1% in November 2024."),
            ),
            (
                "Unadjusted CPI fell in November 2024.",
                Some("Unadjusted CPI fell in November 2024."),
            ),
            ("CPI rose in November 2024.", None),
            ("Seasonally adjusted CPI rose.", None),
        ] {
            assert_eq!(without_unadjusted(claim).as_deref(), expected, "{claim}");
        }
    }
}
