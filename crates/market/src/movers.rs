//! The biggest gainers and losers, and what traded most.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use model::Day;

/// How many symbols each list of movers contains.
pub const MOVERS: usize = 10;

/// A symbol with its newest price.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct Quote<'a> {
    pub symbol: &'a str,
    pub name: &'a str,
    pub price: f64,
    pub change_pct: f64,
    /// `None` where volumes are not known.
    pub volume: Option<f64>,
    /// The session of the price.
    pub day: Day,
    pub currency: &'a str,
    /// Empty if it is not known.
    pub sector: &'a str,
}

/// The symbols that moved most.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Movers<'a> {
    /// Highest change first, rises only.
    pub gainers: Vec<Quote<'a>>,
    /// Lowest change first, falls only.
    pub losers: Vec<Quote<'a>>,
    /// Highest volume first, traded symbols only.
    pub most_active: Vec<Quote<'a>>,
}

/// How the shares of one sector did.
#[derive(Clone, Debug, PartialEq)]
pub struct SectorMove<'a> {
    /// The sector.
    pub sector: &'a str,
    /// How many of its shares were compared.
    pub shares: usize,
    /// How many of them rose.
    pub rose: usize,
    /// The median change: half of its shares did better, half did worse.
    pub median_change_pct: f64,
    /// The best-performing share.
    pub best: Quote<'a>,
}

/// With fewer shares than this, nothing is said about a sector.
const LEAST_OF_SECTOR: usize = 3;

/// The sectors by median change, the highest first. Shares without a sector are ignored.
pub fn sectors<'a>(quotes: &[Quote<'a>]) -> Vec<SectorMove<'a>> {
    let mut by_sector: BTreeMap<&'a str, Vec<Quote<'a>>> = BTreeMap::new();
    for quote in quotes {
        if !quote.sector.is_empty() && quote.change_pct.is_finite() {
            by_sector.entry(quote.sector).or_default().push(*quote);
        }
    }
    let mut found: Vec<SectorMove<'a>> = by_sector
        .into_iter()
        .filter(|(_, shares)| shares.len() >= LEAST_OF_SECTOR)
        .filter_map(|(sector, mut shares)| {
            shares.sort_unstable_by(|a, b| a.change_pct.total_cmp(&b.change_pct));
            let (low, high) = (shares[(shares.len() - 1) / 2], shares[shares.len() / 2]);
            Some(SectorMove {
                sector,
                shares: shares.len(),
                rose: shares.iter().filter(|one| one.change_pct > 0.0).count(),
                median_change_pct: f64::midpoint(low.change_pct, high.change_pct),
                best: shares.last().copied()?,
            })
        })
        .collect();
    found.sort_by(|a, b| b.median_change_pct.total_cmp(&a.median_change_pct));
    found
}

/// The top ten symbols of each list; ties are broken by symbol. A quote with a number that is not finite is ignored.
pub fn movers<'a>(quotes: &[Quote<'a>]) -> Movers<'a> {
    let top = |value: fn(&Quote<'_>) -> f64| {
        let mut found: Vec<Quote<'a>> = quotes
            .iter()
            .filter(|quote| {
                let volume = quote.volume.unwrap_or_default();
                let numbers = [quote.price, quote.change_pct, volume];
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
        most_active: top(|quote| quote.volume.unwrap_or_default()),
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
            volume: Some(volume).filter(|volume| *volume > 0.0),
            day: Day::MIN,
            currency: "USD",
            sector: "",
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
