//! By how much something changed, in percent.

/// The change from one value to another, in percent of the first. It is undefined if the first value is not above
/// zero, or if the second is below zero: a barrel of oil that costs 18 dollars on one day and -37 on the next has
/// fallen by 55 dollars, which is not a meaningful percentage of its price.
pub fn change_pct(before: f64, after: f64) -> Option<f64> {
    let change = (after / before - 1.0) * 100.0;
    (before > 0.0 && after >= 0.0 && change.is_finite()).then_some(change)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_value_above_zero_changes_by_a_part_of_itself() {
        let check = |before: f64, after: f64, expected: Option<f64>| {
            assert_eq!(change_pct(before, after), expected, "{before} to {after}");
        };
        check(50.0, 75.0, Some(50.0));
        check(50.0, 0.0, Some(-100.0));
        check(18.31, -36.98, None);
        check(-36.98, 8.91, None);
        check(-36.98, -40.0, None);
        check(0.0, 8.91, None);
        check(f64::NAN, 1.0, None);
        check(f64::MIN_POSITIVE, 1e300, None);
    }
}
