//! Dollar amounts in readable form: `$1.23T`, `$45.6B`, `$789.1M`, `$12,345`.
//!
//! Only for fields whose names end in `_formatted`; every other number is written at full precision.

/// The suffixes for large amounts, largest first.
const SCALES: [(f64, &str); 3] = [(1e12, "T"), (1e9, "B"), (1e6, "M")];

/// Formats an amount in trillions, billions or millions with at most two decimals, and in whole dollars below a
/// million. The sign comes first. A value that is not finite is written `n/a`; callers omit those values.
pub(crate) fn formatted_usd(value: f64) -> String {
    if !value.is_finite() {
        return "n/a".to_owned();
    }
    let amount = value.abs();
    let written = SCALES
        .iter()
        .find_map(|(scale, word)| {
            // Decided with what rounds up to the word, so that 999,999,999 is `$1B` and not `$1,000M`.
            let least = if *scale > 1e6 { 0.999_995 } else { 0.999_999_5 };
            let rounded = (amount / scale * 100.0).round() / 100.0;
            (amount / scale >= least).then(|| format!("{}{word}", grouped(rounded)))
        })
        .unwrap_or_else(|| grouped(amount.round()));
    let is_negative = value < 0.0 && written != "0";
    format!("{}${written}", if is_negative { "-" } else { "" })
}

/// The shortest form of a number, with its integer part in groups of three digits.
fn grouped(value: f64) -> String {
    let text = value.to_string();
    let (whole, decimals) = match text.split_once('.') {
        Some((whole, decimals)) => (whole, Some(decimals)),
        None => (text.as_str(), None),
    };
    let mut written = String::with_capacity(text.len() + whole.len() / 3 + 1);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            written.push(',');
        }
        written.push(digit);
    }
    if let Some(decimals) = decimals {
        written.push('.');
        written.push_str(decimals);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::formatted_usd;

    #[test]
    fn writes_amounts_as_people_do() {
        for (value, written) in [
            (1.234e12, "$1.23T"),
            (45.6e9, "$45.6B"),
            (12_340_000_000.0, "$12.34B"),
            (789_100_000.0, "$789.1M"),
            (1_000_000.0, "$1M"),
            (12_345.0, "$12,345"),
            (999.4, "$999"),
            (0.0, "$0"),
            (-0.2, "$0"),
            (-45.6e9, "-$45.6B"),
            (-12_345.0, "-$12,345"),
            (1.234_567e16, "$12,345.67T"),
        ] {
            assert_eq!(formatted_usd(value), written, "{value}");
        }
    }

    #[test]
    fn rounding_moves_up_a_word() {
        assert_eq!(formatted_usd(999_999_999.0), "$1B");
        assert_eq!(formatted_usd(999_999_999_999.0), "$1T");
        assert_eq!(formatted_usd(999_999.9), "$1M");
        assert_eq!(formatted_usd(994_000.0), "$994,000");
        assert_eq!(formatted_usd(996_000.0), "$996,000");
    }

    #[test]
    fn what_is_no_number_has_no_form() {
        assert_eq!(formatted_usd(f64::NAN), "n/a");
        assert_eq!(formatted_usd(f64::INFINITY), "n/a");
    }
}
