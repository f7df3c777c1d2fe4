//! What rose, fell and was traded most.

use std::cmp::Ordering;

/// How many symbols each list of movers has.
pub const MOVERS: usize = 10;

/// A symbol with its newest price.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct Quote<'a> {
    pub symbol: &'a str,
    pub name: &'a str,
    pub price: f64,
    pub change_pct: f64,
    pub volume: f64,
    pub currency: &'a str,
}

/// What moved most.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Movers<'a> {
    /// Highest change first, rises only.
    pub gainers: Vec<Quote<'a>>,
    /// Lowest change first, falls only.
    pub losers: Vec<Quote<'a>>,
    /// Highest volume first, traded symbols only.
    pub most_active: Vec<Quote<'a>>,
}

/// The ten symbols at the head of each list; equal values by symbol. A quote with a number that is not finite is left aside.
pub fn movers<'a>(quotes: &[Quote<'a>]) -> Movers<'a> {
    let top = |value: fn(&Quote<'_>) -> f64| {
        let mut found: Vec<Quote<'a>> = quotes
            .iter()
            .filter(|quote| {
                let numbers = [quote.price, quote.change_pct, quote.volume];
                value(quote) > 0.0 && numbers.iter().all(|number| number.is_finite())
            })
            .copied()
            .collect();
        let order = |a: &Quote<'_>, b: &Quote<'_>| -> Ordering {
            value(b)
                .total_cmp(&value(a))
                .then_with(|| a.symbol.cmp(b.symbol))
        };
        if found.len() > MOVERS {
            found.select_nth_unstable_by(MOVERS, order);
            found.truncate(MOVERS);
        }
        found.sort_unstable_by(order);
        found
    };
    Movers {
        gainers: top(|quote| quote.change_pct),
        losers: top(|quote| -quote.change_pct),
        most_active: top(|quote| quote.volume),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quote(symbol: &'static str, change_pct: f64, volume: f64) -> Quote<'static> {
        Quote {
            symbol,
            name: symbol,
            price: 1.0,
            change_pct,
            volume,
            currency: "USD",
        }
    }

    #[test]
    fn movers_rise_fall_or_trade() {
        let quotes = [
            quote("B", 2.0, 5.0),
            quote("A", 2.0, 0.0),
            quote("C", -1.0, 9.0),
            quote("D", 0.0, 5.0),
            quote("E", f64::NAN, 99.0),
        ];
        let found = movers(&quotes);
        let names = |list: &[Quote<'_>]| {
            list.iter()
                .map(|quote| quote.symbol.to_owned())
                .collect::<String>()
        };
        assert_eq!(names(&found.gainers), "AB");
        assert_eq!(names(&found.losers), "C");
        assert_eq!(names(&found.most_active), "CBD");
        assert_eq!(movers(&[quote("A", 1.0, 1.0); 30]).gainers.len(), MOVERS);
        assert_eq!(movers(&[]), Movers::default());
    }
}
