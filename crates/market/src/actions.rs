//! Corporate actions in figures: bringing prices, volumes and reports to one scale, and noticing when two files for
//! the same symbol are on different scales.
//!
//! Two prices are comparable only if both are adjusted for the same splits. Stored prices say which splits they
//! contain ([`PriceScale`]). Here they are converted to the scale of one day, usually today, by the splits between
//! the two. As traded, a price is on the scale of its own day.
//!
//! Worked example: a 10-for-1 split takes effect on 10 June 2024. A file that ended in 2023 gives 408.22 for 29 June
//! 2023; on the scale of 2025 that is 40.822, and the volume is ten times the figure in the file. Earnings of 11.93
//! per share that were filed before the split become 1.193, and 2.5 billion shares become 25.

mod comparison;

use model::{ActionKind, CorporateAction, PriceScale};

use crate::{Candle, CandleColumns, Candles, Day};

pub use comparison::{Settled, is_split_apart, jump_on, missing_split, settle, usual_ratios};

/// The largest ratio that is accepted; the smallest is its inverse.
const RATIO_MAX: f64 = 10_000.0;

/// A split of one symbol's shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// The first session with the new number of shares. If it is not known exactly, the earliest that it may be.
    pub ex_date: Day,
    /// The latest session that it may be, if it is not known exactly.
    pub no_later_than: Option<Day>,
    /// New shares for one old share.
    pub ratio: f64,
}

/// The number of days by which sources may differ on the date of a split.
const SAME_DAYS: i32 = 7;

/// Whether two reports are about the same split.
pub fn is_one_split(one: &Split, other: &Split) -> bool {
    let is_reported = one.no_later_than.is_none() && other.no_later_than.is_none();
    let days = other.ex_date.since(one.ex_date).abs();
    is_reported && days <= SAME_DAYS && (one.ratio / other.ratio).ln().abs() < 0.01
}

/// The number of days by which sources may differ on the ex-date of a dividend: nobody pays the same dividend twice
/// within them.
const SAME_DIVIDEND_DAYS: i32 = 5;

/// Whether two reports, from two sources, are about the same dividend.
pub fn is_one_dividend(one: &CorporateAction, other: &CorporateAction) -> bool {
    let (Some(paid), Some(again)) = (one.amount, other.amount) else {
        return false;
    };
    let currencies = one.currency.as_ref().zip(other.currency.as_ref());
    one.symbol == other.symbol
        && one.source != other.source
        && other.ex_date.since(one.ex_date).abs() <= SAME_DIVIDEND_DAYS
        && (paid - again).abs() <= 1e-4 * paid.abs()
        && currencies.is_none_or(|(one, other)| one == other)
}

/// The splits of one symbol, in ascending order by day.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Splits {
    splits: Vec<Split>,
    /// Whether any source reports its splits. Without one, an adjustment for splits cannot be undone: no source says
    /// which they were, and knowing of none is not the same as knowing that there are none.
    are_reported: bool,
}

impl Splits {
    /// The splits among them whose ratio is plausible.
    pub fn new(splits: impl IntoIterator<Item = Split>) -> Self {
        let is_sound = |split: &Split| (1.0 / RATIO_MAX..=RATIO_MAX).contains(&split.ratio);
        let mut splits: Vec<Split> = splits.into_iter().filter(is_sound).collect();
        splits.sort_by_key(|split| split.ex_date);
        // One split that two sources report on days close together: the later is the ex-date, because the earlier
        // date is the payment date.
        splits.dedup_by(|later, earlier| {
            let is_one = is_one_split(earlier, later);
            if is_one {
                *earlier = *later;
            }
            is_one
        });
        Self {
            splits,
            are_reported: false,
        }
    }

    /// The splits among one symbol's corporate actions.
    pub fn of<'a>(actions: impl IntoIterator<Item = &'a CorporateAction>) -> Self {
        let mut are_reported = false;
        let splits = actions.into_iter().filter_map(|action| {
            let is_split = action.kind == ActionKind::Split;
            are_reported |= is_split && !action.is_inferred();
            Some(Split {
                ex_date: action.ex_date,
                no_later_than: action.no_later_than,
                ratio: action.ratio.filter(|_| is_split)?,
            })
        });
        Self {
            splits: Self::new(splits).splits,
            are_reported,
        }
    }

    /// Whether any source reports its splits.
    pub const fn are_reported(&self) -> bool {
        self.are_reported
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.splits.is_empty()
    }

    /// The splits.
    pub fn iter(&self) -> impl Iterator<Item = &Split> {
        self.splits.iter()
    }

    /// How many shares at the end of one day a single share at the end of another has become.
    pub fn shares(&self, from: Day, to: Day) -> f64 {
        let product = |after: Day, until: Day| {
            let between = self.splits.iter();
            let between = between.filter(|split| split.ex_date > after && split.ex_date <= until);
            between.map(|split| split.ratio).product::<f64>()
        };
        if from <= to {
            product(from, to)
        } else {
            1.0 / product(to, from)
        }
    }

    /// Whether it is known which splits a figure reported on a day contains. It is not if the day lies within the
    /// range of days on which a split may have taken effect.
    pub fn are_certain_on(&self, day: Day) -> bool {
        self.splits.iter().all(|split| {
            split
                .no_later_than
                .is_none_or(|last| day < split.ex_date || day >= last)
        })
    }

    /// Whether the effective day is known for every split that a price of one day, on the scale of another, may
    /// contain. It is not if a split inferred from prices alone may lie between the two.
    pub fn are_known_between(&self, day: Day, scale: Day) -> bool {
        let may_lie_between = |split: &Split| {
            split.ex_date <= scale && split.no_later_than.is_some_and(|last| day < last)
        };
        !self.splits.iter().any(may_lie_between)
    }

    /// How many shares a single share of one day may have become by another, if a split inferred from prices alone
    /// may lie between the two; `None` if there is no such split.
    pub fn may_have_become(&self, day: Day, scale: Day) -> Option<f64> {
        let is_later = |split: &&Split| {
            split.ex_date <= scale && split.no_later_than.unwrap_or(split.ex_date) > day
        };
        let later = self.splits.iter().filter(is_later);
        (!self.are_known_between(day, scale)).then(|| later.map(|split| split.ratio).product())
    }

    /// A stored candle on the scale of a day.
    pub fn convert(&self, candle: Candle, scale: PriceScale, to: Day) -> Candle {
        if self.splits.is_empty() {
            return candle;
        }
        scaled(candle, self.shares(day_of(scale, candle.day), to))
    }

    /// Candles converted from the scale of one day to that of another.
    pub fn rescaled(&self, candles: Candles<'_>, from: Day, to: Day) -> CandleColumns {
        let shares = self.shares(from, to);
        candles
            .iter()
            .map(|candle| scaled(candle, shares))
            .collect()
    }

    /// A stored candle as it was traded, on the scale of its own day. `None` if that cannot be known: its price
    /// contains later splits, and either none is reported or one of them took effect on an unknown day.
    pub fn as_traded(&self, candle: Candle, scale: PriceScale) -> Option<Candle> {
        let through = day_of(scale, candle.day);
        if through <= candle.day {
            return Some(candle);
        }
        let is_known = self.are_reported && self.are_known_between(candle.day, through);
        is_known.then(|| self.convert(candle, scale, candle.day))
    }
}

/// The day whose scale a price is on.
pub fn day_of(scale: PriceScale, day: Day) -> Day {
    match scale {
        PriceScale::AsTraded => day,
        PriceScale::Through(through) => through.max(day),
        PriceScale::Newest => Day::MAX,
    }
}

/// Powers of ten that are exact in floating point.
const POWERS: [f64; 23] = [
    1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// A price rounded to twelve digits: anything a conversion leaves beyond them is not part of the price.
fn rounded(price: f64) -> f64 {
    let place = POWERS.partition_point(|power| price * power < 1e11);
    POWERS
        .get(place)
        .map_or(price, |power| (price * power).round() / power)
}

/// A candle after each share has become this many shares, with prices to twelve digits and volume to whole shares.
fn scaled(candle: Candle, shares: f64) -> Candle {
    if (shares - 1.0).abs() < f64::EPSILON {
        return candle;
    }
    Candle {
        open: rounded(candle.open / shares),
        high: rounded(candle.high / shares),
        low: rounded(candle.low / shares),
        close: rounded(candle.close / shares),
        volume: (candle.volume * shares).round(),
        ..candle
    }
}

/// A dividend on the scale of the candles from which it is deducted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dividend {
    /// The first session without the dividend.
    pub ex_date: Day,
    /// Cash per share.
    pub amount: f64,
}

/// Candles adjusted for dividends as if these had been reinvested: every price before an ex-date is multiplied by one
/// less the dividend over the previous close. Volumes stay as they are.
pub fn total_return(candles: Candles<'_>, dividends: &[Dividend]) -> CandleColumns {
    let mut dividends: Vec<Dividend> = dividends.to_vec();
    dividends.sort_by_key(|dividend| dividend.ex_date);
    let mut factor = 1.0;
    let mut bars: Vec<Candle> = Vec::with_capacity(candles.len());
    let mut newer: Option<Day> = None;
    for bar in (0..candles.len()).rev() {
        let Some(candle) = candles.get(bar) else {
            continue;
        };
        while let Some(dividend) = dividends.last().copied() {
            if dividend.ex_date <= candle.day {
                break;
            }
            dividends.pop();
            let kept = 1.0 - dividend.amount / candle.close;
            // A dividend that goes ex after the last candle has not been deducted yet.
            if newer.is_some() && kept > 0.0 && kept <= 1.0 {
                factor *= kept;
            }
        }
        newer = Some(candle.day);
        bars.push(Candle {
            open: candle.open * factor,
            high: candle.high * factor,
            low: candle.low * factor,
            close: candle.close * factor,
            ..candle
        });
    }
    bars.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        Day::parse(text).unwrap()
    }

    fn candle(on: &str, close: f64, volume: f64) -> Candle {
        Candle {
            day: day(on),
            open: close,
            high: close,
            low: close,
            close,
            volume,
        }
    }

    fn ten_for_one() -> Splits {
        Splits::new([Split {
            ex_date: day("2024-06-10"),
            no_later_than: None,
            ratio: 10.0,
        }])
    }

    #[test]
    fn what_a_share_may_have_become_is_told_where_a_split_is_inferred() {
        let inferred = Splits::new([Split {
            ex_date: day("2024-05-20"),
            no_later_than: Some(day("2024-06-28")),
            ratio: 10.0,
        }]);
        for (splits, on, expected) in [
            (&inferred, "2024-04-03", Some(10.0)),
            (&inferred, "2024-06-27", Some(10.0)),
            (&inferred, "2024-06-28", None),
            (&ten_for_one(), "2024-04-03", None),
        ] {
            let found = splits.may_have_become(day(on), day("2024-07-01"));
            assert_eq!(found, expected, "{on}");
        }
    }

    #[test]
    fn a_price_is_converted_by_the_splits_between_its_scale_and_the_day() {
        let splits = ten_for_one();
        let old = candle("2023-06-29", 408.22, 10.0);
        let through = PriceScale::Through(day("2023-06-29"));
        let close = |scale, to| splits.convert(old, scale, day(to)).close;
        assert!((close(through, "2025-01-02") - 40.822).abs() < 1e-9);
        assert!((close(PriceScale::AsTraded, "2024-06-10") - 40.822).abs() < 1e-9);
        assert_eq!(close(through, "2024-06-09"), 408.22);
        // Fully adjusted prices are converted back for a day before the split.
        assert!((close(PriceScale::Newest, "2024-06-09") - 4082.2).abs() < 1e-9);
        assert_eq!(close(PriceScale::Newest, "2025-01-02"), 408.22);
        let volume = splits.convert(old, through, day("2025-01-02")).volume;
        assert_eq!(volume, 100.0);
    }

    #[test]
    fn a_conversion_leaves_no_digits_behind() {
        let third = Splits::new([Split {
            ratio: 3.0,
            ..ten_for_one().splits[0]
        }]);
        let before = day("2024-06-07");
        let back = |splits: &Splits, close: f64, volume: f64| {
            let adjusted = candle("2024-06-07", close, volume);
            splits.convert(adjusted, PriceScale::Newest, before)
        };
        assert_eq!(back(&ten_for_one(), 120.888, 1e8).close, 1208.88);
        assert_eq!(back(&third, 0.1, 74_365_777.0).close, 0.3);
        assert_eq!(back(&third, 60.0, 74_365_777.0).volume, 24_788_592.0);
        for price in [1e-15, 1e15, 4.2] {
            assert!((rounded(price) / price - 1.0).abs() < 1e-11, "{price}");
        }
    }

    #[test]
    fn as_traded_each_day_has_its_own_scale() {
        let splits = Splits {
            are_reported: true,
            ..ten_for_one()
        };
        let through = PriceScale::Through(day("2024-06-10"));
        let traded = |on, close| splits.as_traded(candle(on, close, 1e9), through).unwrap();
        let before = traded("2024-06-07", 120.888);
        assert!((before.close - 1208.88).abs() < 1e-9);
        assert_eq!(before.volume, 1e8);
        assert_eq!(traded("2024-06-10", 121.79).close, 121.79);
    }

    #[test]
    fn what_a_price_contains_cannot_be_taken_back_where_nobody_says_what_it_is() {
        let old = candle("2022-01-03", 170.4, 1e6);
        let through = PriceScale::Through(day("2025-07-07"));
        let newest = candle("2025-07-07", 223.5, 1e6);
        let none = Splits::default();
        assert_eq!(none.as_traded(old, through), None);
        assert_eq!(none.as_traded(old, PriceScale::Newest), None);
        assert_eq!(none.as_traded(old, PriceScale::AsTraded), Some(old));
        // The newest day of a file does not contain anything that came later.
        assert_eq!(none.as_traded(newest, through), Some(newest));
        let action = |source: &str, on: &str, ratio, no_later_than| CorporateAction {
            symbol: model::Symbol::parse("AMZN").unwrap(),
            kind: ActionKind::Split,
            ex_date: day(on),
            ratio: Some(ratio),
            amount: None,
            currency: None,
            new_symbol: None,
            announced: None,
            no_later_than,
            source: source.to_owned(),
        };
        let reported = action("file", "2022-06-06", 20.0, None);
        let splits = Splits::of([&reported]);
        assert!((splits.as_traded(old, through).unwrap().close - 3408.0).abs() < 1e-9);
        // An inferred split took effect on one of many days, and it does not make a complete list of splits.
        let last = Some(day("2024-06-28"));
        let inferred = action(CorporateAction::INFERRED, "2023-06-30", 10.0, last);
        assert_eq!(Splits::of([&inferred]).as_traded(old, through), None);
        let both = Splits::of([&reported, &inferred]);
        let within = candle("2023-12-01", 46.0, 1e6);
        assert_eq!(both.as_traded(within, through), None);
        let after = candle("2024-07-01", 46.0, 1e6);
        assert_eq!(both.as_traded(after, through), Some(after));
        let known_until = |on, scale| both.are_known_between(day(on), day(scale));
        for (on, scale, known) in [
            ("2023-12-01", "2025-07-07", false),
            ("2024-06-27", "2025-07-07", false),
            ("2024-06-28", "2025-07-07", true),
            // Before the first day on which it may have taken effect, no price contains it.
            ("2023-05-02", "2023-06-29", true),
            ("2023-05-02", "2023-06-30", false),
        ] {
            assert_eq!(known_until(on, scale), known, "{on} {scale}");
        }
        let early = PriceScale::Through(day("2023-06-29"));
        assert!((both.as_traded(old, early).unwrap().close - 3408.0).abs() < 1e-9);
        assert_eq!(both.as_traded(old, PriceScale::Newest), None);
    }

    #[test]
    fn within_the_days_of_an_inferred_split_nothing_is_certain() {
        let splits = Splits::new([Split {
            ex_date: day("2023-06-30"),
            no_later_than: Some(day("2025-07-07")),
            ratio: 10.0,
        }]);
        for (on, certain) in [
            ("2023-06-29", true),
            ("2023-06-30", false),
            ("2024-01-02", false),
            ("2025-07-07", true),
        ] {
            assert_eq!(splits.are_certain_on(day(on)), certain, "{on}");
        }
        assert!(ten_for_one().are_certain_on(day("2024-06-10")));
    }

    #[test]
    fn a_ratio_that_is_none_splits_nothing() {
        for ratio in [0.0, -2.0, f64::NAN, f64::INFINITY, 1e9] {
            let split = Split {
                ex_date: day("2024-06-10"),
                no_later_than: None,
                ratio,
            };
            assert!(Splits::new([split]).is_empty(), "{ratio}");
        }
    }

    #[test]
    fn a_dividend_is_taken_off_everything_before_it() {
        let (columns, _) = CandleColumns::sift([
            candle("2024-01-02", 100.0, 1.0),
            candle("2024-01-03", 100.0, 1.0),
            candle("2024-01-04", 98.0, 1.0),
        ]);
        let dividend = |on, amount| Dividend {
            ex_date: day(on),
            amount,
        };
        let closes = |dividends: &[Dividend]| {
            let columns = total_return(columns.view(), dividends);
            columns.view().close().to_vec()
        };
        assert_eq!(closes(&[dividend("2024-01-04", 2.0)]), [98.0, 98.0, 98.0]);
        assert_eq!(closes(&[dividend("2024-01-05", 2.0)]), [100.0, 100.0, 98.0]);
        assert_eq!(
            closes(&[dividend("2024-01-04", 200.0)]),
            [100.0, 100.0, 98.0]
        );
        assert_eq!(closes(&[dividend("2024-01-02", 2.0)]), [100.0, 100.0, 98.0]);
    }
}
