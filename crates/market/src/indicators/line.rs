//! What an indicator says along a series: one value per bar, once there are enough bars.

use std::sync::LazyLock;

use ta_lib::{Core, OutRange, RetCode};

/// The library with its default settings: no extra unstable period.
pub(super) static TA_LIB: LazyLock<Core> = LazyLock::new(Core::new);

/// Values of consecutive bars, the last of them the newest bar. Every value is finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    first_bar: usize,
    values: Vec<f64>,
}

impl Line {
    /// Values of the bars from `first_bar` on. A value that is not finite would be a bug of a formula; the line then begins
    /// after the last such value rather than show it.
    pub(super) fn new(first_bar: usize, mut values: Vec<f64>) -> Self {
        // Multiplying by zero keeps zero for finite numbers only, and unlike a search it runs in vector registers.
        let sound = values.iter().fold(0.0, |sum, value| sum + value * 0.0) == 0.0;
        let mut first_bar = first_bar;
        if !sound && let Some(last) = values.iter().rposition(|value| !value.is_finite()) {
            values.drain(..=last);
            first_bar += last + 1;
        }
        Self { first_bar, values }
    }

    /// Index of the first bar that has a value; the number of bars when none has.
    pub fn first_bar(&self) -> usize {
        self.first_bar
    }

    /// The values, from [`Self::first_bar`] on.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The value of one bar.
    pub fn at(&self, bar: usize) -> Option<f64> {
        self.values.get(bar.checked_sub(self.first_bar)?).copied()
    }

    /// The value of the newest bar.
    pub fn last(&self) -> Option<f64> {
        self.values.last().copied()
    }
}

/// What [`call`] learned: where each output begins and how long it is.
type Answer = Result<OutRange, RetCode>;

/// Calls the library over a whole series of `bars` with `N` outputs. It refuses only an empty series, for which there are
/// no values anyway.
pub(super) fn lines<const N: usize>(
    bars: usize,
    call: impl FnOnce(&Core, usize, &mut [Vec<f64>; N]) -> Answer,
) -> [Line; N] {
    let mut outputs = [const { Vec::new() }; N];
    let mut answer = OutRange {
        beg_idx: bars,
        count: 0,
    };
    if bars > 0 {
        outputs = std::array::from_fn(|_| vec![0.0; bars]);
        answer = call(&TA_LIB, bars - 1, &mut outputs).unwrap_or(answer);
    }
    let first_bar = if answer.count == 0 {
        bars
    } else {
        answer.beg_idx
    };
    outputs.map(|mut values| {
        values.truncate(answer.count);
        Line::new(first_bar, values)
    })
}

/// [`lines`] with one output.
pub(super) fn line(bars: usize, call: impl FnOnce(&Core, usize, &mut [f64]) -> Answer) -> Line {
    let [line] = lines(bars, |core, end, [out]: &mut [Vec<f64>; 1]| {
        call(core, end, out)
    });
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_is_not_shown() {
        let line = Line::new(3, vec![1.0, f64::NAN, 2.0]);
        assert_eq!((line.first_bar(), line.values()), (5, &[2.0][..]));
        assert_eq!(
            (line.at(4), line.at(5), line.at(6)),
            (None, Some(2.0), None)
        );
        assert_eq!(Line::new(0, vec![f64::INFINITY]).last(), None);
    }
}
