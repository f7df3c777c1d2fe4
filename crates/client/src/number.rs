//! Numbers for people: thousands separated, as many decimals as say something.

/// With that many decimals.
pub(crate) fn grouped(value: f64, decimals: usize) -> String {
    let written = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = written
        .split_once('.')
        .map_or((written.as_str(), None), |(whole, fraction)| {
            (whole, Some(fraction))
        });
    let mut out = String::with_capacity(written.len() + written.len() / 3 + 1);
    // What is rounded to zero has no sign.
    if value < 0.0 && written.bytes().any(|digit| matches!(digit, b'1'..=b'9')) {
        out.push('-');
    }
    for (position, digit) in whole.chars().enumerate() {
        if position > 0 && (whole.len() - position).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// A price: two decimals, four significant digits where it is a fraction of one.
pub(crate) fn price(value: f64) -> String {
    let size = value.abs();
    if size >= 1.0 || size == 0.0 || !size.is_finite() {
        return grouped(value, 2);
    }
    let leading_zeros = (-size.log10().floor()).clamp(1.0, 9.0) as usize;
    grouped(value, leading_zeros + 3)
}

/// A change in percent, with its sign.
pub(crate) fn change(value: f64) -> String {
    let written = grouped(value, 2);
    let is_zero = !written.bytes().any(|digit| matches!(digit, b'1'..=b'9'));
    if value > 0.0 && !is_zero {
        format!("+{written}%")
    } else {
        format!("{written}%")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        for (value, decimals, expected) in [
            (0.0, 2, "0.00"),
            (-0.001, 2, "0.00"),
            (999.0, 0, "999"),
            (1000.0, 0, "1,000"),
            (-1_234_567.891, 2, "-1,234,567.89"),
            (123_456.0, 1, "123,456.0"),
        ] {
            assert_eq!(grouped(value, decimals), expected);
        }
    }

    #[test]
    fn small_prices_keep_their_digits() {
        for (value, expected) in [
            (67_123.4, "67,123.40"),
            (1.0, "1.00"),
            (0.5, "0.5000"),
            (0.000_012_34, "0.00001234"),
            (0.0, "0.00"),
        ] {
            assert_eq!(price(value), expected);
        }
        assert_eq!(change(1.234), "+1.23%");
        assert_eq!(change(-1234.5), "-1,234.50%");
        assert_eq!(change(0.000_1), "0.00%");
    }
}
