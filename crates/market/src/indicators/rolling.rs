//! Mean, sum, extremes and dispersion for every window with a fixed number of values.
//!
//! A mean, sum or extreme takes three steps per value whatever the period: the series is cut into blocks of one
//! period, and a window across two of them is the end of one and the start of the other (van Herk, Gil and Werman).
//! Nothing is subtracted afterwards, so the relative error of a sum of positive values stays below `period · 2⁻⁵³`,
//! whereas a running total keeps the rounding error of the largest value it ever contained. The dispersion visits
//! every value of every window, with many windows side by side in vector registers; its periods are small.

/// Windows whose dispersion is computed side by side.
const LANES: usize = 8;

/// The mean of every window.
pub(super) fn means(values: &[f64], period: u16) -> Vec<f64> {
    let mut means = sums(values, period);
    for mean in &mut means {
        *mean /= f64::from(period);
    }
    means
}

/// The sum of every window.
pub(super) fn sums(values: &[f64], period: u16) -> Vec<f64> {
    fold(values, period, 0.0, |one, other| one + other)
}

/// The highest value of every window.
pub(super) fn highest(values: &[f64], period: u16) -> Vec<f64> {
    fold(values, period, f64::MIN, higher)
}

/// The lowest value of every window.
pub(super) fn lowest(values: &[f64], period: u16) -> Vec<f64> {
    fold(values, period, f64::MAX, lower)
}

/// The higher of two numbers, in one instruction; `f64::max` also checks for NaN.
pub(super) fn higher(one: f64, other: f64) -> f64 {
    if one > other { one } else { other }
}

/// The lower of two numbers.
pub(super) fn lower(one: f64, other: f64) -> f64 {
    if one < other { one } else { other }
}

/// Every window folded into one value; `neutral` changes nothing with which it is combined.
fn fold(values: &[f64], period: u16, neutral: f64, combine: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    let period = usize::from(period);
    let mut folds = vec![neutral; (values.len() + 1).saturating_sub(period)];
    for (number, folds) in folds.chunks_mut(period).enumerate() {
        let (block, following) = values[number * period..].split_at(period);
        let (own, beyond) = block.split_at(folds.len());
        let mut end = beyond
            .iter()
            .rev()
            .fold(neutral, |end, value| combine(end, *value));
        for (fold, value) in folds.iter_mut().zip(own).rev() {
            end = combine(end, *value);
            *fold = end;
        }
        let mut start = neutral;
        for (fold, value) in folds[1..].iter_mut().zip(following) {
            start = combine(start, *value);
            *fold = combine(*fold, start);
        }
    }
    folds
}

/// The mean of `measure(value − centre)` over every window; `centres` has one for each.
pub(super) fn dispersions(
    values: &[f64],
    centres: &[f64],
    period: u16,
    measure: impl Fn(f64) -> f64 + Copy,
) -> Vec<f64> {
    let mut dispersions = vec![0.0; centres.len()];
    let (blocks, rest) = dispersions.as_chunks_mut::<LANES>();
    let (block_centres, rest_centres) = centres.as_chunks::<LANES>();
    let done = blocks.len() * LANES;
    for (number, (block, centres)) in blocks.iter_mut().zip(block_centres).enumerate() {
        *block = side_by_side(&values[number * LANES..], centres, period, measure);
    }
    for (number, (dispersion, centre)) in rest.iter_mut().zip(rest_centres).enumerate() {
        [*dispersion] = side_by_side(&values[done + number..], &[*centre], period, measure);
    }
    dispersions
}

/// The dispersions of the first `N` windows.
fn side_by_side<const N: usize>(
    values: &[f64],
    centres: &[f64; N],
    period: u16,
    measure: impl Fn(f64) -> f64,
) -> [f64; N] {
    let (mut sums, centres) = ([0.0; N], *centres);
    for values in values.array_windows::<N>().take(usize::from(period)) {
        for ((sum, value), centre) in sums.iter_mut().zip(values).zip(centres) {
            *sum += measure(value - centre);
        }
    }
    sums.map(|sum| sum / f64::from(period))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_window_is_folded_as_if_alone(
            values in prop::collection::vec(1.0_f64..100.0, 0..90),
            period in 1_u16..30,
        ) {
            let windows = || values.windows(usize::from(period));
            let near = |found: &[f64], expected: Vec<f64>| {
                found.len() == expected.len()
                    && found.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 1e-13 * b)
            };
            let mean = |window: &[f64]| window.iter().sum::<f64>() / f64::from(period);
            let centres = means(&values, period);
            prop_assert!(near(&centres, windows().map(mean).collect()));
            prop_assert_eq!(
                highest(&values, period),
                windows().map(|window| window.iter().copied().fold(0.0, f64::max)).collect::<Vec<_>>()
            );
            prop_assert_eq!(
                lowest(&values, period),
                windows().map(|window| window.iter().copied().fold(1e9, f64::min)).collect::<Vec<_>>()
            );
            let squares = |(window, centre): (&[f64], &f64)| {
                window.iter().map(|value| (value - centre).powi(2)).sum::<f64>() / f64::from(period)
            };
            prop_assert!(near(
                &dispersions(&values, &centres, period, |distance| distance * distance),
                windows().zip(&centres).map(squares).collect(),
            ));
        }
    }

    #[test]
    fn a_sum_has_no_memory_of_what_left_its_window() {
        let mut values = vec![0.1; 40];
        values[5] = 1e18;
        let alone = sums(&values[20..], 10);
        assert_eq!(sums(&values, 10)[20..], alone);
        assert!((alone[0] - 1.0).abs() < 1e-15);
    }
}
