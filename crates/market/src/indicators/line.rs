//! The output of an indicator along a series: one value per bar, once there are enough bars.

/// Values for consecutive bars, the last of them the newest bar. Every value is finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    first_bar: usize,
    values: Vec<f64>,
}

impl Line {
    /// The values for the newest of `bars` bars. A value that is not finite would be a bug in a formula; the line
    /// then begins after the last such value rather than showing it.
    pub(super) fn new(bars: usize, mut values: Vec<f64>) -> Self {
        // Multiplying by zero gives zero only for finite numbers. Parallel sums run in vector registers, a search
        // does not.
        let (blocks, rest) = values.as_chunks::<8>();
        let mut sums = [0.0; 8];
        for block in blocks {
            for (sum, value) in sums.iter_mut().zip(block) {
                *sum += value * 0.0;
            }
        }
        let sum: f64 = sums.iter().chain(rest).map(|value| value * 0.0).sum();
        if sum != 0.0
            && let Some(last) = values.iter().rposition(|value| !value.is_finite())
        {
            values.drain(..=last);
        }
        Self {
            first_bar: bars - values.len(),
            values,
        }
    }

    /// [`Self::new`] from values that are computed one after another.
    #[inline]
    pub(super) fn collect(bars: usize, values: impl Iterator<Item = f64>) -> Self {
        let [line] = Self::collect_rows(bars, values.map(|value| [value]));
        line
    }

    /// Several lines from rows with one value for each. There are at most `bars` of them.
    #[inline]
    pub(super) fn collect_rows<const N: usize>(
        bars: usize,
        rows: impl Iterator<Item = [f64; N]>,
    ) -> [Self; N] {
        // Not with `push`: if a vector could grow, the state of a recursive indicator would leave the registers.
        let mut columns: [_; N] = std::array::from_fn(|_| vec![0.0; bars]);
        let mut count = 0;
        for (at, row) in (0..bars).zip(rows) {
            for (column, value) in columns.iter_mut().zip(row) {
                column[at] = value;
            }
            count = at + 1;
        }
        columns.map(|mut values| {
            values.truncate(count);
            Self::new(bars, values)
        })
    }

    /// Index of the first bar that has a value; the number of bars if none has.
    pub fn first_bar(&self) -> usize {
        self.first_bar
    }

    /// The values, from [`Self::first_bar`] on.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The value at one bar.
    pub fn at(&self, bar: usize) -> Option<f64> {
        self.values.get(bar.checked_sub(self.first_bar)?).copied()
    }

    /// The value at the newest bar.
    pub fn last(&self) -> Option<f64> {
        self.values.last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_is_not_shown() {
        let line = Line::new(6, vec![1.0, f64::NAN, 2.0]);
        assert_eq!((line.first_bar(), line.values()), (5, &[2.0][..]));
        assert_eq!(
            (line.at(4), line.at(5), line.at(6)),
            (None, Some(2.0), None)
        );
        let mut values = vec![1.0; 20];
        values[3] = f64::NEG_INFINITY;
        assert_eq!(Line::new(20, values).first_bar(), 4);
        assert_eq!(Line::new(1, vec![f64::INFINITY]), Line::new(1, Vec::new()));
    }
}
