//! Figures listed with the members of an index: computed by a third party at an unstated time.

use model::{Symbol, Valuation};

use super::number;
use super::table::{Row, Table};

/// A yield above this is a percentage already, or nonsense.
const LARGEST_FRACTION: f64 = 1.0;

/// The position of the figures in a table.
pub(super) struct Columns {
    market_cap: Option<usize>,
    pe: Option<usize>,
    eps: Option<usize>,
    price: Option<usize>,
    dividend_yield: Option<usize>,
    high: Option<usize>,
    low: Option<usize>,
}

impl Columns {
    /// The columns of a table.
    pub(super) fn find(table: &Table<'_>) -> Self {
        Self {
            market_cap: table.find(&["marketcap"]),
            pe: table.find(&["priceearnings", "peratio"]),
            eps: table.find(&["earningsshare", "eps"]),
            price: table.find(&["price"]),
            dividend_yield: table.find(&["dividendyield"]),
            high: table.find(&["52weekhigh"]),
            low: table.find(&["52weeklow"]),
        }
    }

    /// The columns that are read.
    pub(super) fn used(&self) -> [Option<usize>; 7] {
        [
            self.market_cap,
            self.pe,
            self.eps,
            self.price,
            self.dividend_yield,
            self.high,
            self.low,
        ]
    }

    /// Whether a list of symbols also contains figures. A quote also has a market value.
    pub(super) fn is_whole(&self) -> bool {
        self.market_cap.is_some() && self.pe.is_some() && self.eps.is_some()
    }

    /// Whether there is any of the figures for which such tables are made.
    pub(super) fn is_any(&self) -> bool {
        self.market_cap.is_some() || self.pe.is_some()
    }

    /// The figures in a row, if it has any. The yield is a fraction in such tables and a percentage here.
    pub(super) fn parse(&self, row: &Row<'_>, symbol: Symbol, source: &str) -> Option<Valuation> {
        let value = |column| number::parse(row.get(column)).number();
        let positive = |column| value(column).filter(|value| *value > 0.0);
        let valuation = Valuation {
            symbol,
            price: positive(self.price),
            market_cap_usd: positive(self.market_cap),
            pe_ratio: positive(self.pe),
            eps: value(self.eps),
            dividend_yield_pct: value(self.dividend_yield)
                .filter(|fraction| (0.0..=LARGEST_FRACTION).contains(fraction))
                .map(|fraction| fraction * 100.0),
            fifty_two_week_high: positive(self.high),
            fifty_two_week_low: positive(self.low),
            source: source.to_owned(),
            at: None,
        };
        let known = [valuation.market_cap_usd, valuation.pe_ratio, valuation.eps];
        known.iter().any(Option::is_some).then_some(valuation)
    }
}
