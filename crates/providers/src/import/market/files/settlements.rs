//! Daily settlement prices of commodities: what an exchange fixes for a future, or an agency publishes for delivery.
//!
//! For a commodity only this price is kept, so nothing else in its bar can make it wrong. It may be zero or below, if
//! holders of the goods pay to be rid of them: crude oil for May 2020 settled at -37.63 dollars. It may also lie
//! outside the prices paid on the day, because the exchange settles a month that hardly trades by other months.

use model::{Candle, Defect, PRICE_MAX, SeriesId};

/// Whether the values of a series are settlements.
pub(super) fn are_of(id: &SeriesId) -> bool {
    id.kind() == "commodity"
}

/// What is wrong with a settlement taken alone, if anything.
pub(super) fn defect(settlement: f64) -> Option<Defect> {
    (!settlement.is_finite() || settlement.abs() > PRICE_MAX).then_some(Defect::Number)
}

/// What is wrong with the settlement in a bar, if anything. Some sources write zero if they know nothing: a
/// settlement that is not above zero is accepted only if prices below zero were paid as well.
pub(super) fn defect_of_bar(bar: &Candle) -> Option<Defect> {
    let is_borne_out = bar.close > 0.0 || bar.low < 0.0;
    defect(bar.close).or((!is_borne_out).then_some(Defect::Price))
}

#[cfg(test)]
mod tests {
    use model::Day;

    use super::*;

    #[test]
    fn a_settlement_may_be_below_zero_and_outside_the_trades_of_its_day() {
        let check = |[open, high, low, close]: [f64; 4], expected: Option<Defect>| {
            let day = Day::parse("2020-04-20").unwrap();
            let volume = 1.0;
            let bar = Candle {
                day,
                open,
                high,
                low,
                close,
                volume,
            };
            assert_eq!(defect_of_bar(&bar), expected, "{bar:?}");
        };
        check([17.73, 17.85, -40.32, -37.63], None);
        check([-14.0, 13.86, -16.74, 0.0], None);
        check([134.15, 134.15, 134.15, 126.25], None);
        // Zeros from a source that knows nothing.
        check([0.0; 4], Some(Defect::Price));
        check([50.0, 51.0, 49.0, 0.0], Some(Defect::Price));
        check([50.0, 51.0, 49.0, -50.0], Some(Defect::Price));
        check([1.0, 1.0, -1.0, f64::NAN], Some(Defect::Number));
        check([1.0, 1.0, -1.0, -2.0 * PRICE_MAX], Some(Defect::Number));
    }

    #[test]
    fn a_settlement_that_stands_alone_is_believed() {
        assert_eq!(defect(-36.98), None);
        assert_eq!(defect(0.0), None);
        assert_eq!(defect(f64::INFINITY), Some(Defect::Number));
    }
}
