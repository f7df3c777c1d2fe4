//! A mean that forgets: a new value has a fixed weight, and the mean so far has the rest.
//!
//! `mean[t] = (1 − weight) · mean[t − 1] + weight · value[t]`, starting with the simple mean of the first `period`
//! values. The weight is `2 / (period + 1)` for the exponential mean and `1 / period` for Wilder's; TA-Lib starts
//! both in this way.

/// The mean of the values so far.
pub(super) struct SmoothedMean {
    period: f64,
    /// The number of values still needed for the first mean; until then `mean` is their sum.
    missing: u16,
    mean: f64,
    keep: f64,
    weight: f64,
}

impl SmoothedMean {
    /// The exponential mean over `period` values.
    pub(super) fn exponential(period: u16) -> Self {
        Self::keeping(period, f64::from(period - 1) / f64::from(period + 1))
    }

    /// Wilder's mean over `period` values.
    pub(super) fn wilder(period: u16) -> Self {
        Self::keeping(period, f64::from(period - 1) / f64::from(period))
    }

    fn keeping(period: u16, keep: f64) -> Self {
        Self {
            period: f64::from(period),
            missing: period,
            mean: 0.0,
            keep,
            weight: 1.0 - keep,
        }
    }

    /// Takes a value; returns the mean from the `period`th on.
    #[inline]
    pub(super) fn next(&mut self, value: f64) -> Option<f64> {
        if self.missing == 0 {
            // The product with the value does not have to wait for anything, so a step takes one multiplication and
            // one addition.
            self.mean = self.keep * self.mean + self.weight * value;
            return Some(self.mean);
        }
        self.missing -= 1;
        self.mean += value;
        if self.missing > 0 {
            return None;
        }
        self.mean /= self.period;
        Some(self.mean)
    }

    /// Takes a bar without a value: it leaves the mean unchanged and counts as zero before the first one.
    #[inline]
    pub(super) fn skip(&mut self) -> Option<f64> {
        if self.missing == 0 {
            Some(self.mean)
        } else {
            self.next(0.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn begins_with_the_simple_mean() {
        let mut mean = SmoothedMean::exponential(3);
        assert_eq!(
            [1.0, 2.0, 6.0, 5.0].map(|value| mean.next(value)),
            [None, None, Some(3.0), Some(4.0)]
        );
        assert_eq!(mean.skip(), Some(4.0));

        let mut mean = SmoothedMean::wilder(2);
        assert_eq!(
            (mean.skip(), mean.next(4.0), mean.next(6.0)),
            (None, Some(2.0), Some(4.0))
        );
    }
}
