//! Figures beside the members of an index: what someone computed at an unnamed moment.

use model::{Symbol, Valuation};

use super::number;
use super::table::{Row, Table};

/// Where in a table the figures are.
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
    pub(super) fn used(&self) -> Vec<Option<usize>> {
        // A quote of one moment also has a market value; only a whole table of figures is one of valuations.
        if self.is_table() {
            vec![
                self.market_cap,
                self.pe,
                self.eps,
                self.price,
                self.dividend_yield,
                self.high,
                self.low,
            ]
        } else {
            Vec::new()
        }
    }

    fn is_table(&self) -> bool {
        self.market_cap.is_some() && self.pe.is_some() && self.eps.is_some()
    }

    /// The figures of a row, if it has any. The yield is a fraction in such tables and a percentage here.
    pub(super) fn read(&self, row: &Row<'_>, symbol: Symbol, source: &str) -> Option<Valuation> {
        if !self.is_table() {
            return None;
        }
        let value = |column| number::read(row.get(column)).number();
        let valuation = Valuation {
            symbol,
            price: value(self.price).filter(|price| *price > 0.0),
            market_cap_usd: value(self.market_cap).filter(|cap| *cap > 0.0),
            pe_ratio: value(self.pe),
            eps: value(self.eps),
            dividend_yield_pct: value(self.dividend_yield).map(|fraction| fraction * 100.0),
            fifty_two_week_high: value(self.high).filter(|price| *price > 0.0),
            fifty_two_week_low: value(self.low).filter(|price| *price > 0.0),
            source: source.to_owned(),
        };
        let known = valuation.market_cap_usd.is_some() || valuation.eps.is_some();
        known.then_some(valuation)
    }
}
