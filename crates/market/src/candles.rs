//! Daily candles as columns: the one form of prices that every function of this crate reads.
//!
//! [`Candles`] guarantees that the days ascend without repetition, that every price is finite and positive, that the
//! high is the highest and the low the lowest of the four, and that volumes are finite and not negative. So nothing
//! downstream checks again, and no input can produce a NaN. Prices are split-adjusted before they arrive; this module
//! does not adjust, fill gaps or round.

use model::{Candle, Day, Defect};

use crate::runs::{is_hole, runs};
use crate::{Range, calendar};

/// The most days between two consecutive sessions: exchanges close for a week and the weekends around it.
pub const SESSIONS_APART: i32 = 10;

/// The number of newest bars by which a series is judged: a quarter. No share that trades at all goes that long
/// without a trade.
const TELLING: usize = 60;

/// What the bars of a series contain besides their closes. Sources that know only closes fill the rest of the bar
/// with them, and those without volumes report zero. Neither is a measurement, and nothing should be computed from
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// Opens, highs, lows and volumes.
    Bars,
    /// Opens, highs and lows; volumes are not known.
    Prices,
    /// Closes only.
    Closes,
}

impl Measured {
    /// Whether opens, highs and lows are actual traded prices.
    pub const fn has_ranges(self) -> bool {
        matches!(self, Self::Bars | Self::Prices)
    }

    /// Whether volumes are known.
    pub const fn has_volumes(self) -> bool {
        matches!(self, Self::Bars)
    }
}

/// A row that was rejected, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Index of the row in the input.
    pub row: usize,
    /// What is wrong with it.
    pub defect: Defect,
}

/// Columns that own their candles; grows row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CandleColumns {
    days: Vec<Day>,
    open: Vec<f64>,
    high: Vec<f64>,
    low: Vec<f64>,
    close: Vec<f64>,
    volume: Vec<f64>,
}

/// From candles that are valid and ascending, such as those that were columns before.
impl FromIterator<Candle> for CandleColumns {
    fn from_iter<I: IntoIterator<Item = Candle>>(rows: I) -> Self {
        let rows = rows.into_iter();
        let mut columns = Self::with_capacity(rows.size_hint().0);
        for candle in rows {
            // A candle that leaves the permitted price range on conversion is left out.
            let _ = columns.push(candle);
        }
        columns
    }
}

impl CandleColumns {
    /// No candles yet, with room for `rows`.
    pub fn with_capacity(rows: usize) -> Self {
        Self {
            days: Vec::with_capacity(rows),
            open: Vec::with_capacity(rows),
            high: Vec::with_capacity(rows),
            low: Vec::with_capacity(rows),
            close: Vec::with_capacity(rows),
            volume: Vec::with_capacity(rows),
        }
    }

    /// [`Self::sift`] for shares on American exchanges: bars on days without a session are rejected as well.
    pub fn sift_sessions(rows: impl IntoIterator<Item = Candle>) -> (Self, Vec<Refusal>) {
        Self::sift_where(rows, |day| !calendar::is_session(day))
    }

    /// Takes the valid rows and gives a reason for each of the others, so that an importer can count bad rows.
    pub fn sift(rows: impl IntoIterator<Item = Candle>) -> (Self, Vec<Refusal>) {
        Self::sift_where(rows, |_| false)
    }

    fn sift_where(
        rows: impl IntoIterator<Item = Candle>,
        closed: impl Fn(Day) -> bool,
    ) -> (Self, Vec<Refusal>) {
        let rows = rows.into_iter();
        let mut columns = Self::with_capacity(rows.size_hint().0);
        let mut refusals = Vec::new();
        for (row, candle) in rows.enumerate() {
            let pushed = if closed(candle.day) {
                Err(Defect::NoSession)
            } else {
                columns.push(candle)
            };
            if let Err(defect) = pushed {
                refusals.push(Refusal { row, defect });
            }
        }
        (columns, refusals)
    }

    /// Appends a candle later than all others.
    pub fn push(&mut self, candle: Candle) -> Result<(), Defect> {
        if let Some(defect) = candle.defect() {
            return Err(defect);
        }
        match self.days.last() {
            Some(last) if *last == candle.day => return Err(Defect::RepeatedDay),
            Some(last) if *last > candle.day => return Err(Defect::Order),
            _ => {}
        }
        self.push_sound(candle);
        Ok(())
    }

    /// Appends a candle known to be valid and later: resampling preserves both.
    pub(crate) fn push_sound(&mut self, candle: Candle) {
        self.days.push(candle.day);
        self.open.push(candle.open);
        self.high.push(candle.high);
        self.low.push(candle.low);
        self.close.push(candle.close);
        self.volume.push(candle.volume);
    }

    /// The candles, for reading.
    pub fn view(&self) -> Candles<'_> {
        Candles {
            days: &self.days,
            open: &self.open,
            high: &self.high,
            low: &self.low,
            close: &self.close,
            volume: &self.volume,
        }
    }
}

/// Valid candles in ascending order, borrowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candles<'a> {
    days: &'a [Day],
    open: &'a [f64],
    high: &'a [f64],
    low: &'a [f64],
    close: &'a [f64],
    volume: &'a [f64],
}

impl<'a> Candles<'a> {
    /// The number of bars.
    pub fn len(self) -> usize {
        self.days.len()
    }

    /// Whether there are no bars.
    pub fn is_empty(self) -> bool {
        self.days.is_empty()
    }

    /// The days, ascending.
    pub fn days(self) -> &'a [Day] {
        self.days
    }

    /// The opening price of each bar.
    pub fn open(self) -> &'a [f64] {
        self.open
    }

    /// The highest price of each bar.
    pub fn high(self) -> &'a [f64] {
        self.high
    }

    /// The lowest price of each bar.
    pub fn low(self) -> &'a [f64] {
        self.low
    }

    /// The closing price of each bar.
    pub fn close(self) -> &'a [f64] {
        self.close
    }

    /// Volume of each bar.
    pub fn volume(self) -> &'a [f64] {
        self.volume
    }

    /// One bar.
    pub fn get(self, bar: usize) -> Option<Candle> {
        Some(Candle {
            day: *self.days.get(bar)?,
            open: self.open[bar],
            high: self.high[bar],
            low: self.low[bar],
            close: self.close[bar],
            volume: self.volume[bar],
        })
    }

    /// The newest bar.
    pub fn last(self) -> Option<Candle> {
        self.get(self.len().checked_sub(1)?)
    }

    /// Every bar, oldest first.
    pub fn iter(self) -> impl Iterator<Item = Candle> + 'a {
        (0..self.len()).filter_map(move |bar| self.get(bar))
    }

    /// Bars `from..to`, clipped to those that exist.
    pub fn bars(self, from: usize, to: usize) -> Self {
        let to = to.min(self.len());
        let from = from.min(to);
        Self {
            days: &self.days[from..to],
            open: &self.open[from..to],
            high: &self.high[from..to],
            low: &self.low[from..to],
            close: &self.close[from..to],
            volume: &self.volume[from..to],
        }
    }

    /// The newest `bars` bars.
    pub fn newest(self, bars: usize) -> Self {
        self.bars(self.len().saturating_sub(bars), self.len())
    }

    /// Bars from `first` on.
    pub fn since(self, first: Day) -> Self {
        self.bars(self.days.partition_point(|day| *day < first), self.len())
    }

    /// Bars up to `last`: what was known when that day had closed.
    pub fn until(self, last: Day) -> Self {
        self.bars(0, self.days.partition_point(|day| *day <= last))
    }

    /// The bars of a range that ends with the newest bar. A range longer than the history gives the whole history.
    pub fn within(self, range: Range) -> Self {
        match self.days.last() {
            Some(newest) => self.since(range.start(*newest)),
            None => self,
        }
    }

    /// The bars between gaps, oldest first: anything that counts sessions counts within one such run.
    pub fn runs(self) -> impl Iterator<Item = Self> {
        runs(self.days).map(move |run| self.bars(run.start, run.end))
    }

    /// The newest bars without a gap between them.
    pub fn newest_run(self) -> Self {
        let mut pairs = self.days.windows(2);
        let last = pairs.rposition(|pair| is_hole(pair[0], pair[1]));
        self.bars(last.map_or(0, |last| last + 1), self.len())
    }

    /// What the newest bars contain. If only closes are known, every bar has a single price and no volume: a source
    /// that reports trades has another price or a volume in at least one of sixty bars. Without any bar nothing is
    /// known.
    pub fn measured(self) -> Measured {
        let telling = self.newest(TELLING);
        let trades = |volume: &f64| *volume > 0.0;
        let has_range = |bar: Candle| bar.high > bar.low;
        if telling.volume.iter().any(trades) {
            Measured::Bars
        } else if telling.iter().any(has_range) {
            Measured::Prices
        } else {
            Measured::Closes
        }
    }

    /// The close of the session before the newest. None if the two are further apart than consecutive sessions can
    /// be: a two-month change is not a daily change.
    pub fn close_before(self) -> Option<f64> {
        let before = self.len().checked_sub(2)?;
        let apart = self.days[before + 1].since(self.days[before]);
        (apart <= SESSIONS_APART).then(|| self.close[before])
    }

    /// Percent by which the newest close differs from that of the session before.
    pub fn change_pct(self) -> Option<f64> {
        let before = self.close_before()?;
        self.close
            .last()
            .map(|newest| (newest / before - 1.0) * 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candle(day: i32, [open, high, low, close]: [f64; 4]) -> Candle {
        Candle {
            day: Day::new(day).unwrap(),
            open,
            high,
            low,
            close,
            volume: 1.0,
        }
    }

    #[test]
    fn dirt_is_counted_by_row_and_reason() {
        let good = [2.0, 3.0, 1.0, 2.5];
        let mut thin = candle(7, good);
        thin.volume = -1.0;
        let (columns, refusals) = CandleColumns::sift([
            candle(1, good),
            candle(1, good),
            candle(0, good),
            candle(2, [2.0, f64::NAN, 1.0, 2.5]),
            candle(3, [2.0, 2.4, 1.0, 2.5]),
            candle(4, [2.0, 3.0, 2.1, 2.5]),
            candle(5, [0.0, 3.0, 0.0, 2.5]),
            candle(6, good),
            thin,
        ]);
        assert_eq!(columns.view().len(), 2);
        let found: Vec<_> = refusals.iter().map(|r| (r.row, r.defect)).collect();
        assert_eq!(
            found,
            [
                (1, Defect::RepeatedDay),
                (2, Defect::Order),
                (3, Defect::Price),
                (4, Defect::High),
                (5, Defect::Low),
                (6, Defect::Price),
                (8, Defect::Volume),
            ]
        );
    }

    #[test]
    fn bars_of_one_price_and_no_volume_are_closes() {
        let bar = |day: i32, spread: f64, volume: f64| Candle {
            volume,
            ..candle(day, [1.0, 1.0 + spread, 1.0, 1.0])
        };
        let measured = |bars: &[Candle]| {
            let (columns, _) = CandleColumns::sift(bars.iter().copied());
            columns.view().measured()
        };
        assert_eq!(measured(&[]), Measured::Closes);
        assert_eq!(measured(&[bar(0, 0.0, 0.0)]), Measured::Closes);
        // A price that does not move, but at which shares changed hands, is a bar.
        assert_eq!(
            measured(&[bar(0, 0.0, 5.0), bar(1, 0.0, 0.0)]),
            Measured::Bars
        );
        assert_eq!(
            measured(&[bar(0, 0.5, 0.0), bar(1, 0.0, 0.0)]),
            Measured::Prices
        );
        // What an archive contained years ago says nothing about the closes that followed it.
        let mut long = vec![bar(0, 0.5, 5.0)];
        long.extend((1..=60).map(|day| bar(day, 0.0, 0.0)));
        assert_eq!(measured(&long), Measured::Closes);
        assert_eq!(measured(&long[..60]), Measured::Bars);
    }

    #[test]
    fn windows_are_cut_to_what_there_is() {
        let (columns, _) =
            CandleColumns::sift((0..10).map(|day| candle(day * 2, [1.0, 1.0, 1.0, 1.0])));
        let candles = columns.view();
        let day = |days| Day::new(days).unwrap();
        assert_eq!(candles.since(day(3)).days()[0], day(4));
        assert_eq!(candles.until(day(3)).last().unwrap().day, day(2));
        assert_eq!(candles.newest(99).len(), 10);
        assert_eq!(candles.bars(7, 3).len(), 0);
        assert_eq!(candles.within(Range::FiveYears), candles);
        assert_eq!(candles.until(day(-1)).change_pct(), None);
        assert_eq!(candles.change_pct(), Some(0.0));
        let flat = [1.0, 1.0, 1.0, 1.0];
        let (parted, _) = CandleColumns::sift([candle(0, flat), candle(61, [2.0, 2.0, 2.0, 2.0])]);
        assert_eq!(parted.view().change_pct(), None);
        assert_eq!(parted.view().newest_run(), parted.view().bars(1, 2));
        let parts: Vec<usize> = parted.view().runs().map(Candles::len).collect();
        assert_eq!(parts, [1, 1]);
        assert_eq!(candles.newest_run(), candles);
    }
}
