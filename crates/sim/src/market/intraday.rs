//! Prices within a day: from the open through the extremes to the close, never beyond them.

use model::{Quote, Timestamp};

use super::bars::{Bar, Fineness};
use crate::random::Random;

/// A time span in which a bar forms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hours {
    pub(super) begin: Timestamp,
    pub(super) end: Timestamp,
}

impl Hours {
    /// How far into it a time is, `0.0..=1.0`.
    fn progress(self, at: Timestamp) -> f64 {
        let whole = self.end.since_ms(self.begin).max(1) as f64;
        (at.since_ms(self.begin) as f64 / whole).clamp(0.0, 1.0)
    }
}

/// The steps in which prices jitter, in seconds, with their share of the jitter.
const TREMBLE: [(i64, f64); 3] = [(1800, 0.6), (240, 0.3), (15, 0.1)];

/// The quote at a point in time within a bar. `stream` distinguishes one bar from all others.
pub(super) fn quote(
    bar: &Bar,
    before: Option<&Bar>,
    hours: Hours,
    at: Timestamp,
    fineness: Fineness,
    stream: [u64; 3],
) -> Quote {
    let progress = hours.progress(at);
    Quote {
        price: price_at(bar, hours, at, fineness, stream),
        previous_close: before.map(|before| before.close),
        volume: (bar.volume > 0.0).then(|| (bar.volume * traded(progress)).round()),
        at: at.min(hours.end),
    }
}

/// How many prices in a part of the day are examined for its extremes.
const LOOKS: i64 = 6;

/// The prices paid in part of a bar's day, within its `hours`. The day's extremes are those of the parts in which it
/// reached them, and the last price of one part is the first price of the next.
pub(super) fn part(
    bar: &Bar,
    hours: Hours,
    of: Hours,
    fineness: Fineness,
    stream: [u64; 3],
) -> Bar {
    let price = |at| price_at(bar, hours, at, fineness, stream);
    let step = of.end.since_ms(of.begin) / LOOKS;
    let looks = (0..=LOOKS).map(|place| price(of.begin.plus_ms(step * place)));
    let (begin, end) = (hours.progress(of.begin), hours.progress(of.end));
    let reached = turns(bar, stream)
        .into_iter()
        .filter(|(progress, _)| (begin..end).contains(progress))
        .map(|(_, price)| price);
    let (low, high) = looks
        .chain(reached)
        .fold((f64::INFINITY, 0.0_f64), |(low, high), price| {
            (low.min(price), high.max(price))
        });
    Bar {
        open: price(of.begin),
        high,
        low,
        close: price(of.end),
        volume: (bar.volume * (traded(end) - traded(begin))).round(),
    }
}

fn price_at(bar: &Bar, hours: Hours, at: Timestamp, fineness: Fineness, stream: [u64; 3]) -> f64 {
    let progress = hours.progress(at);
    if progress >= 1.0 {
        return bar.close;
    }
    if progress <= 0.0 {
        return bar.open;
    }
    let seconds = at.since_ms(hours.begin).div_euclid(1000);
    let price = path(bar, progress, seconds, stream);
    fineness.round(price).clamp(bar.low, bar.high)
}

/// When in the day its extremes are reached, and what they are.
fn turns(bar: &Bar, stream: [u64; 3]) -> [(f64, f64); 2] {
    let mut random = Random::of(&stream);
    let early = 0.08 + 0.37 * random.unit();
    let late = 0.55 + 0.37 * random.unit();
    // A day that ends higher usually has its low first.
    let low_first = random.chance(if bar.close >= bar.open { 0.75 } else { 0.25 });
    if low_first {
        [(early, bar.low), (late, bar.high)]
    } else {
        [(early, bar.high), (late, bar.low)]
    }
}

fn path(bar: &Bar, progress: f64, seconds: i64, stream: [u64; 3]) -> f64 {
    let [first, second] = turns(bar, stream);
    let points = [(0.0, bar.open), first, second, (1.0, bar.close)];
    let mut price = bar.close;
    for pair in points.windows(2) {
        let [(begin, from), (end, to)] = [pair[0], pair[1]];
        if progress <= end {
            let within = (progress - begin) / (end - begin);
            let room = 4.0 * within * (1.0 - within);
            let trembling = tremble(seconds, stream) * room * 0.22 * (bar.high - bar.low);
            price = from + (to - from) * within + trembling;
            break;
        }
    }
    price.clamp(bar.low, bar.high)
}

/// A number in `-1.0..=1.0` that changes smoothly with time.
fn tremble(seconds: i64, stream: [u64; 3]) -> f64 {
    let at = |step: i64, place: i64| {
        let [one, two, three] = stream;
        Random::of(&[one, two, three, step as u64, place as u64]).unit() * 2.0 - 1.0
    };
    TREMBLE
        .iter()
        .map(|&(step, share)| {
            let place = seconds.div_euclid(step);
            let within = seconds.rem_euclid(step) as f64 / step as f64;
            let (from, to) = (at(step, place), at(step, place + 1));
            share * (from + (to - from) * within)
        })
        .sum()
}

/// The part of a day's volume traded by then: busy at both ends, calm in between.
fn traded(progress: f64) -> f64 {
    let centred = 2.0 * progress - 1.0;
    0.6 * progress + 0.4 * f64::midpoint(centred.powi(3), 1.0)
}
