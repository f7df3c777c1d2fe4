//! Whether the figures that a file gives for a symbol are on the scale of the stored ones.
//!
//! The comparison uses the closes of days that both sides have. If there are none, it uses the closes at the seam, if
//! they are at most a year apart. Files from one exchange agree to a fraction of a percent, so a constant ratio that
//! matches a plausible split is taken for a split that is in one file and not in the other; any other ratio is
//! refused. At a seam the price also moved, so the ratio is accepted only if it is close to that of a split of two or
//! more and the volumes agree: a fall of that size comes with many times the usual volume, a split does not. Across a
//! gap of more than ten days a jump of that size may be either. It is refused if it is far more than the share itself
//! moves in as many sessions: four times the deviation of its daily returns, on the side on which they are larger,
//! times the root of the number of sessions between. The price may have moved by one such deviation in addition to
//! the split, so a jump to a ninth may be a split of eight or of ten, and is refused. A move that the share could
//! have made itself, for example halving in half a year, is accepted, and so is everything else if neither side has
//! enough bars to judge by.
//!
//! A file whose prices fall by the ratio of a known split on its very day does not contain that split, whatever it
//! claims.

use model::PriceScale;

use super::{SAME_DAYS, Split, Splits, day_of};
use crate::{Candle, Candles, Day, calendar};

/// Common split ratios.
const RATIOS: [f64; 22] = [
    1.25,
    4.0 / 3.0,
    1.5,
    2.0,
    2.5,
    3.0,
    4.0,
    5.0,
    6.0,
    7.0,
    8.0,
    10.0,
    12.0,
    15.0,
    20.0,
    25.0,
    30.0,
    35.0,
    40.0,
    50.0,
    75.0,
    100.0,
];
/// Closes whose ratio is below this count as the same price: files differ by rounding, auctions and dividends.
const SAME: f64 = 1.15;
/// The same, if many days agree on the ratio.
const SAME_TIGHT: f64 = 1.015;
/// The number of common days that determine the ratio exactly.
const TIGHT_DAYS: usize = 10;
/// How far such days may lie from it, and how close it must be to the ratio of a split.
const TIGHT_SPREAD: f64 = 0.004;
const TIGHT_RATIO: f64 = 0.01;
/// How far a move on the day of a split may lie from its ratio, and from no move.
const RAW_SPREAD: f64 = 0.18;
/// How far closes on the same days may lie from a constant ratio.
const SPREAD: f64 = 0.03;
/// How far a ratio at a seam may lie from that of a split.
const SEAM_SPREAD: f64 = 0.08;
/// The smallest ratio that is recognised at a seam.
const SEAM_RATIO: f64 = 1.8;
/// The largest ratio by which shares are usually split.
const USUAL_MOST: f64 = 20.0;
/// Most days between the two sides of a seam.
const SEAM_DAYS: i32 = 10;
/// A gap of more days than this is too long for a jump by the ratio of a split to be accepted.
const GAP_DAYS: i32 = 366;
/// Bars on each side of a gap that show how the share moves.
const GAP_BARS: usize = 61;
/// How many of its own deviations a jump across a gap must reach to be more than a move of the share.
const GAP_MOVES: f64 = 4.0;
/// The most by which a jump across a gap may differ from the ratio of a split.
const GAP_SPREAD: f64 = 0.25;
/// Sessions on each side of a seam whose volumes are compared.
const SEAM_SESSIONS: usize = 10;
/// Turnover in money on both sides of a split differs by less than this factor.
const SEAM_TURNOVER: f64 = 3.0;
/// The same, if so few sessions follow that a single one with news dominates.
const SEAM_TURNOVER_OF_FEW: f64 = 1.5;
const FEW_SESSIONS: usize = 5;

/// The outcome of the comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settled {
    /// The scale of the figures in the file.
    pub scale: PriceScale,
    /// A split inferred from the two.
    pub inferred: Option<Split>,
    /// The ratio of the file's figures to the stored ones, if no split explains it: its rows are then rejected.
    pub refused: Option<f64>,
}

/// One side of a comparison, on the scale of all known splits.
struct Side {
    bars: Vec<Candle>,
}

/// The ratio of the file's figures to the stored ones.
#[derive(Clone, Copy, Debug)]
struct Ratio {
    value: f64,
    /// Whether many common days agree on it.
    is_tight: bool,
    /// Whether it is a ratio across a gap of weeks.
    is_of_gap: bool,
}

impl Ratio {
    fn is_same(&self) -> bool {
        let most = if self.is_tight { SAME_TIGHT } else { SAME };
        (1.0 / most..=most).contains(&self.value)
    }
}

/// Finds the scale of a file's figures for a symbol, given what is stored, both ascending by day. `scale` is what the
/// file claims; if it says nothing, it is assumed to contain the splits up to its last day.
pub fn settle(
    stored: &[(Candle, PriceScale)],
    incoming: &[Candle],
    scale: PriceScale,
    splits: &Splits,
) -> Settled {
    let accepted = |scale| Settled {
        scale,
        inferred: None,
        refused: None,
    };
    let scale = shown_scale(incoming, scale, splits);
    let standing = Side {
        bars: stored
            .iter()
            .map(|(candle, scale)| splits.convert(*candle, *scale, Day::MAX))
            .collect(),
    };
    let ratio_as = |scale| {
        let bars = incoming.iter();
        let bars = bars.map(|candle| splits.convert(*candle, scale, Day::MAX));
        let side = Side {
            bars: bars.collect(),
        };
        ratio(&standing, &side)
    };
    let Some(found) = ratio_as(scale).filter(|found| !found.is_same()) else {
        return accepted(scale);
    };
    // Perhaps the file contains other known splits than those it claims.
    for split in splits.iter() {
        for other in [split.ex_date, split.ex_date.plus(-1)] {
            let other = PriceScale::Through(other);
            if ratio_as(other).is_some_and(|ratio| ratio.is_same()) {
                return accepted(other);
            }
        }
    }
    if ratio_as(PriceScale::AsTraded).is_some_and(|ratio| ratio.is_same()) {
        return accepted(PriceScale::AsTraded);
    }
    let refused = Settled {
        refused: Some(found.value),
        ..accepted(scale)
    };
    if found.is_of_gap {
        return refused;
    }
    let Some(last) = incoming.last() else {
        return accepted(scale);
    };
    let last_stored = stored.last().map_or(Day::MIN, |(candle, _)| candle.day);
    // `Newest` does not say as of when.
    let claimed = |scale, last: Day| match day_of(scale, last) {
        Day::MAX => last,
        day => day,
    };
    let own = claimed(scale, last.day);
    let Some(theirs) = compared(stored, incoming)
        .map(|(_, scale)| claimed(*scale, last_stored))
        .max()
    else {
        return accepted(scale);
    };
    let (older, newer) = (own.min(theirs), own.max(theirs));
    let spread = match (found.is_tight, overlaps(stored, incoming)) {
        (true, _) => TIGHT_RATIO,
        (false, true) => SPREAD,
        (false, false) => SEAM_SPREAD,
    };
    let Some(ratio) = nearest(found.value, spread) else {
        return refused;
    };
    if older == newer {
        return refused;
    }
    Settled {
        inferred: Some(Split {
            ex_date: older.plus(1),
            no_later_than: Some(newer),
            // Prices in the older file are those in the newer one times the ratio.
            ratio: if own == older { ratio } else { 1.0 / ratio },
        }),
        ..accepted(scale)
    }
}

/// The stored rows with which the file was compared: those of its days and the two around them.
fn compared<'a>(
    stored: &'a [(Candle, PriceScale)],
    incoming: &[Candle],
) -> impl Iterator<Item = &'a (Candle, PriceScale)> {
    let first = incoming.first().map_or(Day::MAX, |candle| candle.day);
    let last = incoming.last().map_or(Day::MIN, |candle| candle.day);
    let begins = stored.partition_point(|(candle, _)| candle.day < first);
    let ends = stored.partition_point(|(candle, _)| candle.day <= last);
    let is_overlap = ends > begins;
    let (begins, ends) = if is_overlap {
        (begins, ends)
    } else {
        (begins.saturating_sub(1), (ends + 1).min(stored.len()))
    };
    stored[begins.min(ends)..ends].iter()
}

fn overlaps(stored: &[(Candle, PriceScale)], incoming: &[Candle]) -> bool {
    let has = |day| stored.binary_search_by_key(&day, |(candle, _)| candle.day);
    incoming.iter().any(|candle| has(candle.day).is_ok())
}

/// The scale that a file's moves on the days of known splits show: it contains the splits across which its prices run
/// on, and not those by whose ratio they jump.
fn shown_scale(incoming: &[Candle], claimed: PriceScale, splits: &Splits) -> PriceScale {
    let raw = splits.iter().find(|split| {
        jump_on(incoming, split)
            .is_some_and(|before| day_of(claimed, incoming[before].day) >= split.ex_date)
    });
    match raw {
        Some(split) => PriceScale::Through(split.ex_date.plus(-1)),
        None => claimed,
    }
}

/// The position of the last bar before a split, in ascending order by day, if prices jump by its ratio on its day.
pub fn jump_on(bars: &[Candle], split: &Split) -> Option<usize> {
    let next = bars.partition_point(|bar| bar.day < split.ex_date);
    let place = next.checked_sub(1)?;
    let (before, after) = (bars.get(place)?, bars.get(next)?);
    let jump = (after.close / before.close).ln();
    let of_split = split.ratio.ln();
    let is_raw = split.no_later_than.is_none()
        && after.day.since(before.day) <= SEAM_DAYS
        && of_split.abs() > 2.0 * RAW_SPREAD
        && (jump + of_split).abs() <= RAW_SPREAD;
    is_raw.then_some(place)
}

/// Whether two prices at the same time are at least as far apart as a two-for-one split would put them.
pub fn is_split_apart(price: f64, other: f64) -> bool {
    let ratio = price / other;
    is_large(ratio) && nearest(ratio, SPREAD).is_some()
}

/// The first day on which prices jump overnight by about the ratio of a split, with matching volumes, while no split
/// is on record for those days. A list of splits does not show that one is missing; the prices do.
pub fn missing_split(candles: Candles<'_>, splits: &Splits) -> Option<Day> {
    let (days, closes) = (candles.days(), candles.close());
    let is_on_record = |before: Day, day: Day| {
        splits.iter().any(|split| {
            let last = split.no_later_than.unwrap_or(split.ex_date);
            split.ex_date <= day.plus(SAME_DAYS) && last > before.plus(-SAME_DAYS)
        })
    };
    let side = |from, to| -> Vec<Candle> { candles.bars(from, to).iter().collect() };
    let jumps = |next: usize| {
        let before = side(next.saturating_sub(SEAM_SESSIONS), next);
        jump(&before, &side(next, next + SEAM_SESSIONS)).is_some()
    };
    let next = (1..candles.len()).find(|next| {
        let (before, day) = (days[next - 1], days[*next]);
        let is_overnight = day.since(before) <= SEAM_DAYS;
        is_overnight
            && is_large(closes[*next] / closes[next - 1])
            && !is_on_record(before, day)
            && jumps(*next)
    });
    next.map(|next| days[next])
}

/// The usual split ratios, two for one and larger.
pub fn usual_ratios() -> impl Iterator<Item = f64> {
    RATIOS
        .into_iter()
        .filter(|ratio| (SEAM_RATIO..=USUAL_MOST).contains(ratio))
}

/// Whether prices that differ by this ratio are farther apart than the smallest recognised split would put them.
fn is_large(ratio: f64) -> bool {
    !(1.0 / SEAM_RATIO..=SEAM_RATIO).contains(&ratio)
}

/// The split ratio that this corresponds to, or its inverse.
fn nearest(ratio: f64, spread: f64) -> Option<f64> {
    let of = |ratio: f64| {
        let near = |known: &&f64| (ratio / **known).ln().abs() <= spread;
        let distance = |known: &&f64| (ratio / **known).ln().abs();
        RATIOS
            .iter()
            .filter(near)
            .min_by(|one, other| distance(one).total_cmp(&distance(other)))
            .copied()
    };
    if ratio >= 1.0 {
        of(ratio)
    } else {
        of(1.0 / ratio).map(|ratio| 1.0 / ratio)
    }
}

/// The constant ratio of the file's figures to the stored ones; `None` if there is nothing to compare or no constant
/// ratio.
fn ratio(standing: &Side, incoming: &Side) -> Option<Ratio> {
    let mut ratios = Vec::new();
    for bar in &incoming.bars {
        let place = standing.bars.binary_search_by_key(&bar.day, |bar| bar.day);
        if let Ok(place) = place {
            ratios.push((bar.close / standing.bars[place].close).ln());
        }
    }
    if ratios.is_empty() {
        return at_seam(standing, incoming);
    }
    let middle = median(&mut ratios);
    let mut spreads: Vec<f64> = ratios.iter().map(|one| (one - middle).abs()).collect();
    let spread = median(&mut spreads);
    (spread <= SPREAD).then(|| Ratio {
        value: middle.exp(),
        is_tight: ratios.len() >= TIGHT_DAYS && spread <= TIGHT_SPREAD,
        is_of_gap: false,
    })
}

fn at_seam(standing: &Side, incoming: &Side) -> Option<Ratio> {
    let (first, last) = (incoming.bars.first()?, incoming.bars.last()?);
    let ends = standing.bars.partition_point(|bar| bar.day < first.day);
    let before = &standing.bars[..ends];
    let begins = standing.bars.partition_point(|bar| bar.day <= last.day);
    let after = &standing.bars[begins..];
    let ratio = |value, days| Ratio {
        value,
        is_tight: false,
        is_of_gap: days > SEAM_DAYS,
    };
    if let Some(newest) = before.last()
        && let days @ ..=GAP_DAYS = first.day.since(newest.day)
    {
        return jump(before, &incoming.bars).map(|jump| ratio(jump, days));
    }
    let next = after.first()?;
    let days = next.day.since(last.day);
    if days > GAP_DAYS {
        return None;
    }
    jump(&incoming.bars, after).map(|jump| ratio(1.0 / jump, days))
}

/// The ratio of the price after a seam to the price before it, if only a split explains it.
fn jump(before: &[Candle], after: &[Candle]) -> Option<f64> {
    let jump = after.first()?.close / before.last()?.close;
    if !is_large(jump) {
        return None;
    }
    let own = own_move(before, after)?;
    let spread = (SEAM_SPREAD + own).min(GAP_SPREAD);
    if jump.ln().abs() <= GAP_MOVES * own || nearest(jump, spread).is_none() {
        return None;
    }
    let usual = |bars: &[Candle]| {
        let mut volumes: Vec<f64> = bars.iter().map(|bar| bar.volume).collect();
        (!volumes.is_empty()).then(|| median(&mut volumes))
    };
    let old = usual(&before[before.len().saturating_sub(SEAM_SESSIONS)..])?;
    let new = usual(&after[..after.len().min(SEAM_SESSIONS)])?;
    if old <= 0.0 || new <= 0.0 {
        return Some(jump);
    }
    let turnover = new * jump / old;
    let is_quiet = after.first()?.volume <= new * SEAM_TURNOVER;
    let most = if after.len() < FEW_SESSIONS {
        SEAM_TURNOVER_OF_FEW
    } else {
        SEAM_TURNOVER
    };
    (is_quiet && (1.0 / most..=most).contains(&turnover)).then_some(jump)
}

/// By how much the logarithm of a price usually moves across a gap; zero across a weekend and the holidays around it.
/// `None` if there are too few bars to tell.
fn own_move(before: &[Candle], after: &[Candle]) -> Option<f64> {
    let (last, next) = (before.last()?.day, after.first()?.day);
    if next.since(last) <= SEAM_DAYS {
        return Some(0.0);
    }
    let sessions = calendar::sessions(last.plus(1), next).count();
    let sides = [
        deviation(&before[before.len().saturating_sub(GAP_BARS)..]),
        deviation(&after[..after.len().min(GAP_BARS)]),
    ];
    let restless = sides.into_iter().flatten().reduce(f64::max)?;
    Some(restless * (sessions as f64).sqrt())
}

/// The deviation of the bars' daily returns; `None` with fewer than three.
fn deviation(bars: &[Candle]) -> Option<f64> {
    let returns = bars
        .windows(2)
        .map(|pair| (pair[1].close / pair[0].close).ln());
    let returns: Vec<f64> = returns.collect();
    if returns.len() < 2 {
        return None;
    }
    let count = returns.len() as f64;
    let mean = returns.iter().sum::<f64>() / count;
    let squares: f64 = returns.iter().map(|value| (value - mean).powi(2)).sum();
    Some((squares / count).sqrt())
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len().is_multiple_of(2) && middle > 0 {
        f64::midpoint(values[middle - 1], values[middle])
    } else {
        values.get(middle).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CandleColumns;

    const START: i32 = 19_000;

    fn day(number: i32) -> Day {
        Day::new(START + number).unwrap()
    }

    /// Bars for a number of days at about this price, with a volume such that turnover in money is the same.
    fn bars(days: std::ops::Range<i32>, price: f64) -> Vec<Candle> {
        days.map(|number| {
            let close = price * (1.0 + 0.01 * f64::from(number % 3));
            Candle {
                day: day(number),
                open: close,
                high: close,
                low: close,
                close,
                volume: 1e9 / price,
            }
        })
        .collect()
    }

    fn stored(bars: &[Candle], scale: PriceScale) -> Vec<(Candle, PriceScale)> {
        bars.iter().map(|bar| (*bar, scale)).collect()
    }

    #[test]
    fn the_same_split_is_inferred_whichever_file_comes_first() {
        let (old, new) = (bars(0..50, 400.0), bars(-20..90, 40.0));
        let (old_scale, new_scale) = (PriceScale::Through(day(49)), PriceScale::Through(day(89)));
        let expected = Split {
            ex_date: day(50),
            no_later_than: Some(day(89)),
            ratio: 10.0,
        };
        let none = Splits::default();
        for settled in [
            settle(&stored(&old, old_scale), &new, new_scale, &none),
            settle(&stored(&new, new_scale), &old, old_scale, &none),
        ] {
            let inferred = settled.inferred.unwrap();
            assert!((inferred.ratio - expected.ratio).abs() < 1e-9);
            assert_eq!(
                Split {
                    ratio: expected.ratio,
                    ..inferred
                },
                expected
            );
            assert_eq!(settled.refused, None);
        }
    }

    #[test]
    fn a_known_split_needs_no_inference() {
        let (old, new) = (bars(0..50, 400.0), bars(-20..90, 40.0));
        let splits = Splits::new([Split {
            ex_date: day(60),
            no_later_than: None,
            ratio: 10.0,
        }]);
        let new_scale = PriceScale::Through(day(89));
        let old_scale = PriceScale::Through(day(49));
        let settled = settle(&stored(&new, new_scale), &old, old_scale, &splits);
        assert_eq!((settled.inferred, settled.refused), (None, None));
        assert_eq!(settled.scale, old_scale);
        // A file that ends early but was adjusted later is recognised.
        let late = bars(0..50, 40.0);
        let settled = settle(&stored(&new, new_scale), &late, old_scale, &splits);
        assert_eq!(settled.scale, PriceScale::Through(day(60)));
        assert_eq!((settled.inferred, settled.refused), (None, None));
    }

    #[test]
    fn a_split_at_a_seam_is_inferred_and_a_crash_is_not() {
        let (old, new) = (bars(0..50, 400.0), bars(50..90, 41.0));
        let (old_scale, new_scale) = (PriceScale::Through(day(49)), PriceScale::Through(day(89)));
        let none = Splits::default();
        let settled = settle(&stored(&old, old_scale), &new, new_scale, &none);
        assert_eq!(settled.inferred.unwrap().ratio, 10.0);
        let settled = settle(&stored(&new, new_scale), &old, old_scale, &none);
        assert_eq!(settled.inferred.unwrap().ratio, 10.0);
        // As many shares change hands as before, and many more on the day of the news.
        let mut crash = new.clone();
        for bar in &mut crash {
            bar.volume = old[0].volume;
        }
        crash[0].volume *= 30.0;
        let settled = settle(&stored(&old, old_scale), &crash, new_scale, &none);
        assert_eq!((settled.inferred, settled.refused), (None, None));
        // Nor is a single session with five times the volume, if nothing has followed it yet.
        let mut halved = bars(50..51, 204.0);
        halved[0].volume = old[0].volume * 5.0;
        let settled = settle(
            &stored(&old, old_scale),
            &halved,
            PriceScale::Through(day(50)),
            &none,
        );
        assert_eq!((settled.inferred, settled.refused), (None, None));
    }

    #[test]
    fn a_jump_across_a_gap_of_weeks_is_refused() {
        let (old, later) = (bars(0..50, 400.0), bars(110..150, 41.0));
        let scale = PriceScale::Through(day(149));
        let of_old = stored(&old, PriceScale::Through(day(49)));
        let settled = settle(&of_old, &later, scale, &Splits::default());
        assert_eq!(settled.inferred, None);
        assert!((settled.refused.unwrap() - 0.1).abs() < 0.01);
        // A source that reports the split is believed.
        let splits = Splits::new([Split {
            ex_date: day(80),
            no_later_than: None,
            ratio: 10.0,
        }]);
        let settled = settle(&of_old, &later, scale, &splits);
        assert_eq!((settled.inferred, settled.refused), (None, None));
        // A fall that matches no split ratio is a genuine fall.
        let fell = bars(110..150, 260.0);
        let settled = settle(&of_old, &fell, scale, &Splits::default());
        assert_eq!((settled.inferred, settled.refused), (None, None));
        // After more than a year no comparison is made.
        let settled = settle(&of_old, &bars(450..500, 41.0), scale, &Splits::default());
        assert_eq!((settled.inferred, settled.refused), (None, None));
    }

    #[test]
    fn a_jump_by_the_ratio_of_a_split_shows_that_one_is_missing() {
        let of_ratio = |ratio: f64, volumes: f64| -> CandleColumns {
            let mut rows = bars(0..50, 400.0);
            let after = bars(50..90, 404.0 / ratio);
            rows.extend(after.into_iter().map(|bar| Candle {
                volume: bar.volume * volumes,
                ..bar
            }));
            rows.into_iter().collect()
        };
        let none = Splits::default();
        for ratio in [2.0, 10.0, 0.1] {
            let found = missing_split(of_ratio(ratio, 1.0).view(), &none);
            assert_eq!(found, Some(day(50)), "{ratio}");
        }
        // A move that large with many times the turnover in money, or very little, is not a split.
        for (ratio, volumes) in [(10.0, 8.0), (10.0, 0.1), (1.5, 1.0), (1.0, 1.0)] {
            let found = missing_split(of_ratio(ratio, volumes).view(), &none);
            assert_eq!(found, None, "{ratio} with {volumes} times the volume");
        }
        let columns = of_ratio(10.0, 1.0);
        for (on, last, wanted) in [
            (50, None, None),
            // Sources may differ by a few days on the date of a split.
            (47, None, None),
            (40, Some(60), None),
            (20, None, Some(day(50))),
            (70, Some(80), Some(day(50))),
        ] {
            let splits = Splits::new([Split {
                ex_date: day(on),
                no_later_than: last.map(day),
                ratio: 10.0,
            }]);
            let found = missing_split(columns.view(), &splits);
            assert_eq!(found, wanted, "{on}");
        }
        // Prices from weeks later do not belong to the next session.
        let apart: CandleColumns = bars(0..50, 400.0)
            .into_iter()
            .chain(bars(65..90, 40.0))
            .collect();
        assert_eq!(missing_split(apart.view(), &none), None);
    }

    /// The same bars, with closes alternately above and below their price by this fraction.
    fn restless(bars: &[Candle], part: f64) -> Vec<Candle> {
        let moved = bars.iter().enumerate().map(|(place, bar)| {
            let sign = if place % 2 == 0 { 1.0 } else { -1.0 };
            Candle {
                close: bar.close * (sign * part).exp(),
                ..*bar
            }
        });
        moved.collect()
    }

    #[test]
    fn across_a_gap_a_jump_counts_by_what_the_share_moves_itself() {
        let old = bars(0..50, 400.0);
        let refused = |old: &[Candle], later: &[Candle]| {
            let scale = PriceScale::Through(later.last().unwrap().day);
            let of_old = stored(old, PriceScale::Through(day(49)));
            let settled = settle(&of_old, later, scale, &Splits::default());
            assert_eq!(settled.inferred, None);
            settled.refused
        };
        // The price moved in addition to the split: a ninth is not a split ratio.
        for (ratio, days) in [(9.0, 80..120), (8.6, 70..110), (1.0 / 9.0, 80..120)] {
            let found = refused(&old, &bars(days, 404.0 / ratio)).unwrap();
            assert!((found * ratio).ln().abs() < 0.03, "{ratio} is {found}");
        }
        // The same holds months later, whichever file arrives first.
        assert!(refused(&old, &bars(300..340, 41.0)).is_some());
        let later = stored(&bars(110..150, 41.0), PriceScale::Through(day(149)));
        let through = PriceScale::Through(day(49));
        let settled = settle(&later, &old, through, &Splits::default());
        assert!((settled.refused.unwrap() - 10.0).abs() < 1.0);
        // A share that moves by twelve percent a day may halve in a quarter; one that does not, may not.
        let half = bars(140..180, 170.0);
        assert!(refused(&old, &half).is_some());
        let wild = restless(&old, 0.06);
        assert_eq!(refused(&wild, &restless(&half, 0.06)), None);
        assert_eq!(refused(&wild, &half), None);
        // Two bars on each side do not show how a share moves; with enough bars on one side, that side decides.
        let few = &old[48..];
        assert_eq!(refused(few, &bars(110..112, 41.0)), None);
        assert!(refused(few, &bars(110..150, 41.0)).is_some());
        assert!(refused(&old, &bars(110..112, 41.0)).is_some());
        // A fall to a tenth in which no more shares change hands than before is a genuine fall, however little the
        // share moved.
        let mut crash = bars(110..150, 41.0);
        for bar in &mut crash {
            bar.volume = old[0].volume;
        }
        assert_eq!(refused(&old, &crash), None);
    }

    #[test]
    fn many_common_days_tell_the_ratio_exactly() {
        let old = bars(0..50, 400.0);
        let of_old = stored(&old, PriceScale::Through(day(49)));
        for ratio in [1.061, 1.12, 1.22, 1.28, 1.3, 1.37, 2.06, 2.45, 10.3, 0.78] {
            let settled = settle(
                &of_old,
                &bars(0..90, 400.0 * ratio),
                PriceScale::Through(day(89)),
                &Splits::default(),
            );
            assert_eq!(settled.inferred, None, "{ratio}");
            assert!(
                (settled.refused.unwrap() / ratio - 1.0).abs() < 1e-3,
                "{ratio}"
            );
        }
        for ratio in [0.5, 1.0 / 3.0, 0.1, 0.667, 1.5] {
            let settled = settle(
                &of_old,
                &bars(0..90, 400.0 * ratio),
                PriceScale::Through(day(89)),
                &Splits::default(),
            );
            assert_eq!(settled.refused, None, "{ratio}");
            assert!(settled.inferred.is_some(), "{ratio}");
        }
        // Files from two exchanges.
        let settled = settle(
            &of_old,
            &bars(0..90, 401.6),
            PriceScale::Through(day(89)),
            &Splits::default(),
        );
        assert_eq!((settled.inferred, settled.refused), (None, None));
    }

    #[test]
    fn a_file_that_falls_on_the_day_of_a_split_does_not_contain_it() {
        let splits = Splits::new([Split {
            ex_date: day(50),
            no_later_than: None,
            ratio: 4.0,
        }]);
        let claimed = PriceScale::Through(day(89));
        let mut raw = bars(0..50, 400.0);
        raw.extend(bars(50..90, 101.0));
        let settled = settle(&[], &raw, claimed, &splits);
        assert_eq!(settled.scale, PriceScale::Through(day(49)));
        let closes: Vec<f64> = raw
            .iter()
            .map(|bar| splits.convert(*bar, settled.scale, day(89)).close)
            .collect();
        assert!(
            closes
                .windows(2)
                .all(|pair| (pair[1] / pair[0]).ln().abs() < 0.05)
        );
        // A file whose prices run on contains it.
        let settled = settle(&[], &bars(0..90, 101.0), claimed, &splits);
        assert_eq!(settled.scale, claimed);
    }

    #[test]
    fn a_constant_ratio_that_no_split_has_is_refused() {
        let old = bars(0..50, 400.0);
        let settled = settle(
            &stored(&old, PriceScale::Through(day(49))),
            &bars(0..90, 730.0),
            PriceScale::Through(day(89)),
            &Splits::default(),
        );
        assert!((settled.refused.unwrap() - 1.825).abs() < 1e-3);
        // Two files that end on the same day cannot differ by a split.
        let settled = settle(
            &stored(&old, PriceScale::Through(day(49))),
            &bars(0..50, 40.0),
            PriceScale::Through(day(49)),
            &Splits::default(),
        );
        assert!(settled.refused.is_some());
    }

    #[test]
    fn what_differs_by_no_constant_is_a_correction() {
        let old = bars(0..50, 400.0);
        let mut new = bars(0..50, 400.0);
        for (place, bar) in new.iter_mut().enumerate() {
            bar.close *= 1.0 + 0.02 * place as f64;
        }
        let scale = PriceScale::Through(day(49));
        let settled = settle(&stored(&old, scale), &new, scale, &Splits::default());
        assert_eq!((settled.inferred, settled.refused), (None, None));
    }
}
