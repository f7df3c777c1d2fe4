//! A price series compared with its own history: moves and how usual they are, extremes, falls from a peak, volume, and
//! how it moves with another series. Pure functions of daily bars, oldest first.

mod beside;

use model::Day;
use serde::Deserialize;

/// A session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bar {
    pub(super) day: Day,
    pub(super) open: f64,
    pub(super) high: f64,
    pub(super) low: f64,
    pub(super) close: f64,
    pub(super) volume: f64,
}

/// A bar as an operation writes it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct WrittenBar {
    date: String,
    open: f64,
    high: f64,
    low: f64,
    close: f64,
    #[serde(default)]
    volume: f64,
}

/// Daily bars.
#[derive(Clone, Debug, Default)]
pub(super) struct Series(pub(super) Vec<Bar>);

/// A move over a number of sessions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) from_day: Day,
    pub(super) pct: f64,
    /// Share of the earlier windows of this length that ended lower; `None` if there are too few of them.
    pub(super) rank: Option<f64>,
    /// The number of those windows.
    pub(super) windows: usize,
}

/// A close that stands out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extreme {
    /// Whether it is the lowest, or otherwise the highest.
    pub(super) is_low: bool,
    /// The last session that closed beyond it; `None` if none on record did.
    pub(super) since: Option<Day>,
    /// The number of sessions that it beats.
    pub(super) sessions: usize,
}

/// The deepest fall within some sessions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fall {
    pub(super) peak_day: Day,
    pub(super) low_day: Day,
    pub(super) pct: f64,
    /// How much of it has been recovered since, 0 to 1 and beyond.
    pub(super) recovered: f64,
}

/// One session.
#[derive(Clone, Copy, Debug)]
pub(super) struct Session {
    pub(super) day: Day,
    pub(super) pct: f64,
    /// Volume over the mean of the 20 sessions before; `None` if that is not known.
    pub(super) volume_times: Option<f64>,
    /// Close of the previous session.
    pub(super) before: f64,
}

/// The price moves around a publication, in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reaction {
    /// From the close before its day to the close of the session after it.
    pub(super) whole: f64,
    /// In the session on its day; `None` if there was none.
    pub(super) on_the_day: Option<f64>,
    /// In the first session after its day.
    pub(super) after: f64,
}

impl Reaction {
    /// The larger of its sessions.
    pub(super) fn largest(self) -> f64 {
        let own = self.on_the_day.unwrap_or_default();
        if own.abs() > self.after.abs() {
            own
        } else {
            self.after
        }
    }
}

/// A close, its day, and how many sessions ago that was.
pub(super) type Mark = (f64, Day, usize);

impl Series {
    pub(super) fn of(written: &[WrittenBar]) -> Self {
        let bars = written.iter().filter_map(|bar| {
            let whole = [bar.open, bar.high, bar.low, bar.close];
            let is_whole = whole.iter().all(|value| value.is_finite() && *value > 0.0);
            let day = Day::parse(&bar.date)?;
            is_whole.then_some(Bar {
                day,
                open: bar.open,
                high: bar.high,
                low: bar.low,
                close: bar.close,
                volume: bar.volume.max(0.0),
            })
        });
        Self(bars.collect())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn last(&self) -> Option<&Bar> {
        self.0.last()
    }

    pub(super) fn first_day(&self) -> Option<Day> {
        self.0.first().map(|bar| bar.day)
    }

    /// The given number of last bars.
    pub(super) fn tail(&self, sessions: usize) -> &[Bar] {
        &self.0[self.len().saturating_sub(sessions)..]
    }

    fn closes(&self) -> impl DoubleEndedIterator<Item = f64> + ExactSizeIterator + '_ {
        self.0.iter().map(|bar| bar.close)
    }

    /// Daily logarithmic returns.
    pub(super) fn log_returns(&self) -> Vec<f64> {
        self.0
            .windows(2)
            .map(|pair| (pair[1].close / pair[0].close).ln())
            .collect()
    }

    /// The moves over every window of the given number of sessions, in percent, oldest first.
    pub(super) fn windows(&self, sessions: usize) -> Vec<f64> {
        if sessions == 0 || self.len() <= sessions {
            return Vec::new();
        }
        (sessions..self.len())
            .map(|end| (self.0[end].close / self.0[end - sessions].close - 1.0) * 100.0)
            .collect()
    }

    /// The move over the given number of last sessions.
    pub(super) fn over(&self, sessions: usize) -> Option<Move> {
        let from = self.len().checked_sub(sessions + 1)?;
        let last = self.last()?;
        let windows = self.windows(sessions);
        let (own, earlier) = windows.split_last()?;
        let below = earlier.iter().filter(|pct| *pct < own).count();
        Some(Move {
            from_day: self.0[from].day,
            pct: (last.close / self.0[from].close - 1.0) * 100.0,
            rank: (earlier.len() >= 100.max(2 * sessions))
                .then(|| below as f64 / earlier.len() as f64),
            windows: earlier.len(),
        })
    }

    /// Whether the last close is the lowest or highest of at least 15 sessions.
    pub(super) fn extreme(&self) -> Option<Extreme> {
        const LEAST: usize = 15;
        let last = self.last()?;
        let before = &self.0[..self.len() - 1];
        let beaten = |beats: &dyn Fn(f64) -> bool| {
            before
                .iter()
                .rev()
                .take_while(|bar| beats(bar.close))
                .count()
        };
        let low = beaten(&|close| close > last.close);
        let high = beaten(&|close| close < last.close);
        let sessions = low.max(high);
        if sessions < LEAST {
            return None;
        }
        let since = (sessions < before.len()).then(|| before[before.len() - 1 - sessions].day);
        Some(Extreme {
            is_low: low > high,
            since,
            sessions,
        })
    }

    /// The position of the last close in the range of the given number of sessions, 0 at the low and 1 at the high,
    /// with both.
    pub(super) fn place_in_range(&self, sessions: usize) -> Option<(f64, f64, f64)> {
        let tail = self.tail(sessions);
        let low = tail.iter().map(|bar| bar.low).fold(f64::INFINITY, f64::min);
        let high = tail
            .iter()
            .map(|bar| bar.high)
            .fold(f64::NEG_INFINITY, f64::max);
        let last = self.last()?.close;
        (high > low).then(|| ((last - low) / (high - low), low, high))
    }

    /// Closes in one direction up to the last one: 4 up, or −4 down.
    pub(super) fn streak(&self) -> i32 {
        let mut streak = 0_i32;
        for pair in self.0.windows(2).rev() {
            let step = match pair[1].close.total_cmp(&pair[0].close) {
                std::cmp::Ordering::Greater => 1,
                std::cmp::Ordering::Less => -1,
                std::cmp::Ordering::Equal => 0,
            };
            if step == 0 || streak != 0 && step != streak.signum() {
                break;
            }
            streak += step;
        }
        streak
    }

    /// How many of the given number of last sessions closed higher.
    pub(super) fn rising(&self, sessions: usize) -> usize {
        self.tail(sessions + 1)
            .windows(2)
            .filter(|pair| pair[1].close > pair[0].close)
            .count()
    }

    /// Annualised volatility of the given number of last returns, in percent.
    pub(super) fn volatility(&self, sessions: usize, per_year: f64) -> Option<f64> {
        let returns = self.log_returns();
        let tail = returns.get(returns.len().checked_sub(sessions)?..)?;
        deviation(tail).map(|one| one * per_year.sqrt() * 100.0)
    }

    /// Share of the earlier windows with that many returns that were calmer than the last one.
    pub(super) fn volatility_rank(&self, sessions: usize) -> Option<f64> {
        let returns = self.log_returns();
        let all: Vec<f64> = returns
            .windows(sessions)
            .step_by(5)
            .filter_map(deviation)
            .collect();
        let own = deviation(returns.get(returns.len().checked_sub(sessions)?..)?)?;
        let below = all.iter().filter(|one| **one < own).count();
        (all.len() >= 20).then(|| below as f64 / all.len() as f64)
    }

    /// The deepest fall of closes from a peak within the given number of last sessions.
    pub(super) fn deepest_fall(&self, sessions: usize) -> Option<Fall> {
        let tail = self.tail(sessions);
        let last = tail.last()?.close;
        let (mut peak, mut worst): (&Bar, Option<(&Bar, &Bar)>) = (tail.first()?, None);
        for bar in tail {
            if bar.close >= peak.close {
                peak = bar;
            }
            let depth = |pair: (&Bar, &Bar)| pair.1.close / pair.0.close;
            if worst.is_none_or(|found| depth((peak, bar)) < depth(found)) {
                worst = Some((peak, bar));
            }
        }
        let (peak, low) = worst.filter(|(peak, low)| low.close < peak.close)?;
        Some(Fall {
            peak_day: peak.day,
            low_day: low.day,
            pct: (low.close / peak.close - 1.0) * 100.0,
            recovered: (last - low.close) / (peak.close - low.close),
        })
    }

    /// The session with the largest move among the given number of last ones.
    pub(super) fn largest_day(&self, sessions: usize) -> Option<Session> {
        let from = self.len().saturating_sub(sessions).max(1);
        let change = |place: usize| self.0[place].close / self.0[place - 1].close - 1.0;
        let place = (from..self.len())
            .max_by(|left, right| change(*left).abs().total_cmp(&change(*right).abs()))?;
        Some(Session {
            day: self.0[place].day,
            pct: change(place) * 100.0,
            volume_times: self.volume_times(place),
            before: self.0[place - 1].close,
        })
    }

    /// The session with the most volume among the given number of last ones, and how far it moved.
    pub(super) fn busiest_day(&self, sessions: usize) -> Option<Session> {
        let from = self.len().saturating_sub(sessions).max(1);
        let place = (from..self.len())
            .max_by(|left, right| self.0[*left].volume.total_cmp(&self.0[*right].volume))?;
        Some(Session {
            day: self.0[place].day,
            pct: (self.0[place].close / self.0[place - 1].close - 1.0) * 100.0,
            volume_times: self.volume_times(place),
            before: self.0[place - 1].close,
        })
    }

    fn volume_times(&self, place: usize) -> Option<f64> {
        let before = &self.0[place.checked_sub(20)?..place];
        let mean = before.iter().map(|bar| bar.volume).sum::<f64>() / before.len() as f64;
        (mean > 0.0).then(|| self.0[place].volume / mean)
    }

    /// Mean volume of the last `recent` sessions divided by that of the `before` sessions before them.
    pub(super) fn volume_shift(&self, recent: usize, before: usize) -> Option<f64> {
        let end = self.len().checked_sub(recent)?;
        let start = end.checked_sub(before)?;
        let mean = |bars: &[Bar]| {
            bars.iter().map(|bar| bar.volume).sum::<f64>() / bars.len().max(1) as f64
        };
        let base = mean(&self.0[start..end]);
        (base > 0.0).then(|| mean(&self.0[end..]) / base)
    }

    /// Mean volume of rising sessions divided by that of falling ones, among the given number of last sessions.
    pub(super) fn volume_of_rises(&self, sessions: usize) -> Option<f64> {
        let (mut up, mut down) = ((0.0, 0_u32), (0.0, 0_u32));
        for pair in self.tail(sessions + 1).windows(2) {
            let side = if pair[1].close > pair[0].close {
                &mut up
            } else {
                &mut down
            };
            side.0 += pair[1].volume;
            side.1 += 1;
        }
        (up.1 > 4 && down.1 > 4 && down.0 > 0.0)
            .then(|| (up.0 / f64::from(up.1)) / (down.0 / f64::from(down.1)))
    }

    /// When the 50-close mean last crossed the 200-close mean, whether upwards, and how many sessions ago.
    pub(super) fn cross(&self) -> Option<(Day, bool, usize)> {
        let closes: Vec<f64> = self.closes().collect();
        let mean = |end: usize, length: usize| {
            closes[end - length..end].iter().sum::<f64>() / length as f64
        };
        let above = |end: usize| mean(end, 50) > mean(end, 200);
        let now = (closes.len() >= 201).then(|| above(closes.len()))?;
        let before = (200..closes.len()).rev().find(|end| above(*end) != now)?;
        // `before` bars ended on the other side; the bar at that position is the first on this side.
        Some((self.0[before].day, now, closes.len() - before))
    }

    /// Since when the close has been on its side of the mean of the given number of closes, how many sessions that is,
    /// and how far that mean moved in the last 21 sessions, in percent.
    pub(super) fn side_of_average(&self, length: usize) -> Option<(Day, usize, f64)> {
        let closes: Vec<f64> = self.closes().collect();
        let mean = |end: usize| closes[end - length..end].iter().sum::<f64>() / length as f64;
        let now = closes.len();
        let earlier = now.checked_sub(21).filter(|end| *end >= length)?;
        let is_above = |end: usize| closes[end - 1] > mean(end);
        let side = is_above(now);
        let sessions = (length..=now)
            .rev()
            .take_while(|end| is_above(*end) == side)
            .count();
        Some((
            self.0[now - sessions].day,
            sessions,
            (mean(now) / mean(earlier) - 1.0) * 100.0,
        ))
    }

    /// The highest and the lowest close of the given number of last sessions, and how many sessions ago each was.
    pub(super) fn extremes(&self, sessions: usize) -> Option<(Mark, Mark)> {
        let tail = self.tail(sessions);
        let high = tail
            .iter()
            .enumerate()
            .max_by(|left, right| left.1.close.total_cmp(&right.1.close))?;
        let low = tail
            .iter()
            .enumerate()
            .min_by(|left, right| left.1.close.total_cmp(&right.1.close))?;
        let of = |(place, bar): (usize, &Bar)| (bar.close, bar.day, tail.len() - 1 - place);
        Some((of(high), of(low)))
    }

    /// The sessions that can have reacted to something published on a day: that day's own session and the first one
    /// after it, since news after the close moves the next session. `None` until the second of them is over.
    pub(super) fn reaction_to(&self, day: Day) -> Option<Reaction> {
        let first = self.0.partition_point(|bar| bar.day < day);
        let next = self.0.partition_point(|bar| bar.day <= day);
        let (before, after) = (self.0.get(first.checked_sub(1)?)?, self.0.get(next)?);
        let change = |from: &Bar, to: &Bar| (to.close / from.close - 1.0) * 100.0;
        let own = self.0[first..next].last();
        Some(Reaction {
            whole: change(before, after),
            on_the_day: own.map(|own| change(before, own)),
            after: change(own.unwrap_or(before), after),
        })
    }

    /// The close on exactly that day.
    pub(super) fn close_of(&self, day: Day) -> Option<f64> {
        let place = self.0.binary_search_by_key(&day, |bar| bar.day).ok()?;
        Some(self.0[place].close)
    }

    /// The close on a day, or of the last session before it.
    pub(super) fn close_on_or_before(&self, day: Day) -> Option<f64> {
        let place = self.0.partition_point(|bar| bar.day <= day);
        Some(self.0[place.checked_sub(1)?].close)
    }
}

/// Standard deviation of a sample.
pub(super) fn deviation(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    if values.len() < 5 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / count;
    let square = values
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f64>()
        / (count - 1.0);
    Some(square.sqrt())
}

/// The value below which that share of the values lies; the values are sorted.
pub(super) fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share * (sorted.len().checked_sub(1)?) as f64;
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    Some(sorted[low] + (sorted[high] - sorted[low]) * (place - place.floor()))
}

#[cfg(test)]
pub(super) fn sample(closes: &[f64]) -> Series {
    let first = Day::parse("2025-01-01").unwrap();
    let bar = |(place, close): (usize, &f64)| Bar {
        day: first.plus(place as i32),
        open: *close,
        high: close * 1.01,
        low: close * 0.99,
        close: *close,
        volume: 1_000.0 + place as f64,
    };
    Series(closes.iter().enumerate().map(bar).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_ranked_among_their_like() {
        let mut closes: Vec<f64> = (0..300).map(|at| 100.0 + f64::from(at % 7)).collect();
        closes.extend([80.0]);
        let series = sample(&closes);
        let week = series.over(5).unwrap();
        assert!(week.pct < -15.0 && week.rank == Some(0.0), "{week:?}");
        let extreme = series.extreme().unwrap();
        assert!(extreme.is_low && extreme.since.is_none());
        assert_eq!(extreme.sessions, 300);
        assert!(sample(&[1.0, 2.0]).over(5).is_none());
    }

    #[test]
    fn falls_streaks_and_crosses() {
        let series = sample(&[10.0, 12.0, 9.0, 6.0, 7.0, 8.0, 9.0]);
        let fall = series.deepest_fall(7).unwrap();
        assert_eq!((fall.pct, fall.recovered), (-50.0, 0.5));
        assert_eq!(series.streak(), 3);
        assert_eq!(series.rising(4), 3);
        let closes: Vec<f64> = (0..400)
            .map(|at| {
                if at < 250 {
                    f64::from(at) + 50.0
                } else {
                    550.0 - f64::from(at)
                }
            })
            .collect();
        let (_, up, ago) = sample(&closes).cross().unwrap();
        assert!(!up && ago > 1, "{ago}");
        let rising: Vec<f64> = (1..300).map(f64::from).collect();
        assert!(sample(&rising).cross().is_none(), "never crossed");
    }

    #[test]
    fn what_is_published_on_a_day_moves_that_day_or_the_next() {
        let series = sample(&[100.0, 100.0, 95.0, 104.5, 90.0]);
        // The day itself took 5 percent, the next one brought 10.
        let moved = series.reaction_to(series.0[2].day).unwrap();
        assert!((moved.whole - 4.5).abs() < 1e-9, "{moved:?}");
        assert!((moved.on_the_day.unwrap() + 5.0).abs() < 1e-9, "{moved:?}");
        assert!((moved.after - 10.0).abs() < 1e-9, "{moved:?}");
        assert_eq!(moved.largest(), moved.after);
        assert_eq!(series.reaction_to(series.0[4].day), None, "not over yet");
        assert_eq!(series.reaction_to(series.0[0].day), None);
    }

    #[test]
    fn what_is_published_on_a_day_without_trading_moves_the_next_session() {
        let mut series = sample(&[100.0, 100.0, 105.0]);
        let holiday = series.0[1].day.plus(1);
        series.0[2].day = holiday.plus(1);
        let moved = series.reaction_to(holiday).unwrap();
        assert_eq!(moved.on_the_day, None);
        assert_eq!(moved.whole, moved.after);
    }

    #[test]
    fn the_middle_of_three() {
        assert_eq!(quantile(&[1.0, 2.0, 3.0], 0.5), Some(2.0));
    }
}
