//! How a share moves with its market, and how far it has moved in a year.

use crate::{Candles, Range, SESSIONS_APART};

/// How many days may lack a bar within a year that still counts as covered: shares are suspended for weeks.
pub const LONGEST_GAP: i32 = 31;

/// With fewer shared returns than this, the result is meaningless.
const LEAST_RETURNS: usize = 60;

/// Covariance of the daily log returns of a share and its market over the variance of the market's returns: 1 if the
/// share moves as the market does. It covers the last two years up to the older of the two newest bars, on the days
/// that both have; `None` with fewer than 60 shared returns or if the market did not move.
pub fn beta(stock: Candles<'_>, market: Candles<'_>) -> Option<f64> {
    let newest = (*stock.days().last()?).min(*market.days().last()?);
    let first = Range::TwoYears.start(newest);
    let (stock, market) = (
        stock.since(first).until(newest),
        market.since(first).until(newest),
    );
    let mut pairs: Vec<(f64, f64)> = Vec::with_capacity(stock.len());
    let mut at = 0;
    for (day, close) in stock.days().iter().zip(stock.close()) {
        at += market.days()[at..].partition_point(|other| other < day);
        if market.days().get(at) == Some(day) {
            pairs.push((close.ln(), market.close()[at].ln()));
        }
    }
    let returns: Vec<(f64, f64)> = pairs
        .windows(2)
        .map(|pair| (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1))
        .collect();
    if returns.len() < LEAST_RETURNS {
        return None;
    }
    let count = returns.len() as f64;
    let (stocks, markets) = returns.iter().fold((0.0, 0.0), |(a, b), (stock, market)| {
        (a + stock, b + market)
    });
    let (stocks, markets) = (stocks / count, markets / count);
    let (covariance, variance) = returns.iter().fold((0.0, 0.0), |(c, v), (stock, market)| {
        let moved = market - markets;
        (c + (stock - stocks) * moved, v + moved * moved)
    });
    let beta = covariance / variance;
    (variance > f64::EPSILON && beta.is_finite()).then_some(beta)
}

/// Highest high and lowest low of the year that ends with the newest bar, the range that `range=1y` shows. `None` if
/// the bars do not cover it: they begin later, or have a gap of more than a month, in which the price may have been
/// anywhere.
pub fn fifty_two_week(candles: Candles<'_>) -> Option<(f64, f64)> {
    let newest = *candles.days().last()?;
    let first = Range::OneYear.start(newest);
    let year = candles.since(first);
    let begins = year.days().first()?.since(first);
    let mut gaps = year.days().windows(2).map(|pair| pair[1].since(pair[0]));
    if begins > SESSIONS_APART || gaps.any(|gap| gap > LONGEST_GAP) {
        return None;
    }
    let high = year.high().iter().copied().reduce(f64::max)?;
    let low = year.low().iter().copied().reduce(f64::min)?;
    Some((high, low))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Candle, CandleColumns, Day};

    fn columns(closes: impl IntoIterator<Item = (i32, f64)>) -> CandleColumns {
        let (columns, refused) =
            CandleColumns::sift(closes.into_iter().map(|(day, close)| Candle {
                day: Day::new(20_000 + day).unwrap(),
                open: close,
                high: close * 1.5,
                low: close * 0.5,
                close,
                volume: 1.0,
            }));
        assert_eq!(refused, []);
        columns
    }

    fn wave(day: i32) -> f64 {
        f64::from(day * 37 % 11) / 100.0
    }

    #[test]
    fn a_share_that_moves_twice_as_much_has_a_beta_of_two() {
        let market = columns((0..100).map(|day| (day, 100.0 * wave(day).exp())));
        let stock = columns((0..100).map(|day| (day, 50.0 * (2.0 * wave(day)).exp())));
        assert!((beta(stock.view(), market.view()).unwrap() - 2.0).abs() < 1e-9);
        // Days that only one of them has are left out, whatever the price.
        let holed = columns(
            (0..100)
                .filter(|day| day % 7 != 3)
                .map(|day| (day, 50.0 * (2.0 * wave(day)).exp())),
        );
        assert!((beta(holed.view(), market.view()).unwrap() - 2.0).abs() < 1e-9);
    }

    #[test]
    fn too_little_says_nothing() {
        let short = columns((0..60).map(|day| (day, 100.0 * wave(day).exp())));
        assert_eq!(beta(short.view(), short.view()), None);
        let flat = columns((0..100).map(|day| (day, 100.0)));
        assert_eq!(beta(flat.view(), flat.view()), None);
        assert_eq!(beta(columns([]).view(), flat.view()), None);
        assert_eq!(fifty_two_week(columns([]).view()), None);
    }

    #[test]
    fn the_year_ends_with_the_newest_bar() {
        let price = |day: i32| match day {
            ..400 => 900.0,
            400..500 => 10.0,
            500..760 => 20.0,
            _ => 15.0,
        };
        let days = |from: i32, to: i32| (from..=to).step_by(20).map(move |day| (day, price(day)));
        assert_eq!(
            fifty_two_week(columns(days(0, 760)).view()),
            Some((30.0, 5.0))
        );
        // A series that begins within the year, or has a gap in it, gives no 52-week range.
        assert_eq!(fifty_two_week(columns(days(420, 760)).view()), None);
        let holed = days(0, 500).chain(days(580, 760));
        assert_eq!(fifty_two_week(columns(holed).view()), None);
    }
}
