//! Company valuations: market value and the price/earnings ratio.
//!
//! They come from filings if there are any: shares outstanding times price, and price divided by earnings per share
//! over twelve months, which only a profitable company has. Otherwise they come from a table that somebody else made,
//! without a date.

use std::collections::HashMap;
use std::sync::Arc;

use market::fundamentals::Fundamentals as CompanyFigures;
use model::{AssetType, Day, Instrument, Symbol, Timestamp, Valuation};
use store::{RecordQuery, StoredRecord};

use super::{Fundamentals, Listing, PointInTime};
use crate::Result;

/// The maximum number of days, in either direction, between a price and the end of the period that shares and earnings
/// come from: a company that reports once a year does so some months after its year end. Beyond that, the two do not
/// belong to the same time.
const APART_DAYS: i32 = 550;

/// How far a price may have moved from the price in a table for the ratio and value to be moved with it: about as far
/// as a share moves in a quarter. Beyond that, earnings and shares are from a different time than the price.
const MOVED: std::ops::RangeInclusive<f64> = 0.8..=1.25;

/// Where a valuation comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValuationSource {
    /// Filings.
    Filings,
    /// A third-party table, and when it was recorded.
    Table(String, Timestamp),
}

/// The valuation of a company. Anything unknown is absent.
#[derive(Clone, Debug, PartialEq)]
pub struct CompanyValuation {
    /// Price divided by earnings per share; only for a profitable company.
    pub pe_ratio: Option<f64>,
    /// Earnings per share over twelve months.
    pub eps: Option<f64>,
    /// The value of all shares in USD.
    pub market_cap: Option<f64>,
    /// Dividends over twelve months divided by the price, in percent.
    pub dividend_yield: Option<f64>,
    /// Where it comes from.
    pub source: ValuationSource,
    /// Whether the price is so far from the table's price that it is from another time or contains other splits.
    pub is_of_another_time: bool,
}

impl CompanyValuation {
    /// Whether the figures in filings and a price belong to the same time.
    pub fn are_of_one_time(figures: &CompanyFigures, day: Day) -> bool {
        is_of_one_time(figures.period_end, day)
    }

    /// Calculated from figures in filings and the price on a given day. A price from another time gives neither a
    /// ratio nor a value. Nothing is converted: if a share is priced in a currency other than its company's reporting
    /// currency, there is no ratio of the two, and market values are in US dollars only.
    /// company reports in there is no ratio of the two, and market values are in US dollars only.
    pub fn of_filings(
        instrument: &Instrument,
        figures: &CompanyFigures,
        price: Option<(f64, Day)>,
    ) -> Self {
        let price = price
            .filter(|(price, day)| *price > 0.0 && Self::are_of_one_time(figures, *day))
            .map(|(price, _)| price);
        let reported = price.filter(|_| figures.currency == instrument.currency());
        let dollars = price.filter(|_| instrument.currency() == "USD");
        let eps = figures.eps_ttm.filter(|eps| *eps > 0.0);
        let shares = figures.shares_outstanding.filter(|shares| *shares > 0.0);
        Self {
            pe_ratio: finite(reported.zip(eps).map(|(price, eps)| price / eps)),
            eps: figures.eps_ttm,
            market_cap: finite(dollars.zip(shares).map(|(price, shares)| price * shares)),
            dividend_yield: finite(
                figures
                    .dividends_per_share_ttm
                    .zip(reported)
                    .map(|(paid, price)| paid / price * 100.0),
            ),
            source: ValuationSource::Filings,
            is_of_another_time: false,
        }
    }

    /// Taken from a third-party table. Its ratio and value are those at the price for which they were computed; if
    /// that price is given, they are moved to the price known now, so that price, ratio and value agree. A price that
    /// has moved further than that is from another time or contains other splits, and then neither is given.
    pub fn of_table(row: &Valuation, price: Option<f64>, recorded_at: Timestamp) -> Self {
        let price = price.filter(|price| *price > 0.0);
        let eps = finite(row.eps);
        let then = row.price.filter(|then| *then > 0.0);
        let far = price
            .zip(then)
            .map(|(now, then)| now / then)
            .filter(|moved| !MOVED.contains(moved));
        if far.is_some() {
            return Self {
                pe_ratio: None,
                eps,
                market_cap: None,
                dividend_yield: None,
                source: ValuationSource::Table(row.source.clone(), recorded_at),
                is_of_another_time: true,
            };
        }
        let computed = price
            .zip(eps.filter(|eps| *eps > 0.0))
            .map(|(price, eps)| price / eps);
        let reported = row.pe_ratio.filter(|ratio| *ratio > 0.0);
        let moved = price.zip(then).map(|(now, then)| now / then);
        let value = row.market_cap_usd.filter(|value| *value > 0.0);
        Self {
            pe_ratio: finite(if price.is_some() && eps.is_some() {
                computed
            } else {
                reported
            }),
            eps,
            market_cap: finite(value.map(|value| value * moved.unwrap_or(1.0))),
            dividend_yield: finite(
                row.dividend_yield_pct
                    .map(|paid| paid / moved.unwrap_or(1.0)),
            ),
            source: ValuationSource::Table(row.source.clone(), recorded_at),
            is_of_another_time: false,
        }
    }

    /// In 10⁹ USD.
    pub fn market_cap_b(&self) -> Option<f64> {
        self.market_cap.map(|value| value / 1e9)
    }
}

/// Whether a period that ended on one day says anything about another day: it must be at most eighteen months away.
pub(super) fn is_of_one_time(period_end: Day, day: Day) -> bool {
    day.since(period_end).abs() <= APART_DAYS
}

fn finite(value: Option<f64>) -> Option<f64> {
    value.filter(|value| value.is_finite())
}

/// The valuations of all companies, each at a given price.
#[derive(Clone, Debug, Default)]
pub struct Valuations {
    figures: Arc<HashMap<Symbol, CompanyFigures>>,
    tables: HashMap<Symbol, StoredRecord<Valuation>>,
}

impl Valuations {
    /// The valuation of a company at a price.
    pub fn find(
        &self,
        instrument: &Instrument,
        price: Option<(f64, Day)>,
    ) -> Option<CompanyValuation> {
        if let Some(figures) = self.figures.get(&instrument.symbol) {
            return Some(CompanyValuation::of_filings(instrument, figures, price));
        }
        let table = self.tables.get(&instrument.symbol)?;
        Some(CompanyValuation::of_table(
            &table.record,
            price.map(|(price, _)| price),
            table.known_at,
        ))
    }
}

impl Fundamentals {
    /// The valuations of all companies.
    pub async fn valuations(&self, when: PointInTime) -> Result<Valuations> {
        let rows = self
            .records
            .known::<Valuation>(when, RecordQuery::default())
            .await?;
        let mut tables: HashMap<Symbol, StoredRecord<Valuation>> = HashMap::new();
        for row in rows {
            // Among several tables, the one that was reported last.
            let is_newer = tables
                .get(&row.record.symbol)
                .is_none_or(|other| other.known_at < row.known_at);
            if is_newer {
                tables.insert(row.record.symbol.clone(), row);
            }
        }
        Ok(Valuations {
            figures: self.figures(when).await?,
            tables,
        })
    }

    /// The market value of all shares of a company at a price, in USD. For coins, see [`Crypto`](super::Crypto).
    pub async fn market_cap_of(
        &self,
        listing: &Listing,
        when: PointInTime,
        price: Option<(f64, Day)>,
    ) -> Result<Option<f64>> {
        let symbol = &listing.instrument.symbol;
        match listing.asset_type() {
            AssetType::Etf | AssetType::Crypto => Ok(None),
            AssetType::Equity => {
                if let Some(figures) = self.figures_of(symbol, when).await? {
                    return Ok(
                        CompanyValuation::of_filings(&listing.instrument, &figures, price)
                            .market_cap,
                    );
                }
                let row = self.table_row_of(symbol, when).await?;
                Ok(row.and_then(|row| {
                    let price = price.map(|(price, _)| price);
                    CompanyValuation::of_table(&row.record, price, row.known_at).market_cap
                }))
            }
        }
    }

    /// The newest row about a company in a third-party table.
    pub async fn table_row_of(
        &self,
        symbol: &Symbol,
        when: PointInTime,
    ) -> Result<Option<StoredRecord<Valuation>>> {
        let query = RecordQuery {
            as_of: Some(when.end),
            ..RecordQuery::default()
        };
        let rows = self.records.of_share::<Valuation>(symbol, query).await?;
        Ok(rows.into_iter().max_by_key(|row| row.known_at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use market::fundamentals::Basis;
    use model::Day;

    fn figures(currency: &str, eps: Option<f64>, shares: Option<f64>) -> CompanyFigures {
        CompanyFigures {
            revenue_ttm: None,
            net_income_ttm: None,
            eps_ttm: eps,
            profit_margin_pct: None,
            debt_to_equity: None,
            shares_outstanding: shares,
            dividends_per_share_ttm: None,
            operating_cash_flow_ttm: None,
            gross_margin_pct: None,
            operating_margin_pct: None,
            revenue_growth_pct: None,
            eps_growth_pct: None,
            currency: currency.to_owned(),
            period_end: Day::default(),
            basis: Basis::Ttm,
            filed: Day::default(),
            accession: String::new(),
            is_filing: true,
        }
    }

    #[test]
    fn a_loss_has_no_price_over_earnings() {
        let acme = Instrument::bare(Symbol::parse("ACME").unwrap(), AssetType::Equity);
        let valuation = |figures: CompanyFigures, price: Option<f64>| {
            let price = price.map(|price| (price, Day::default()));
            let valuation = CompanyValuation::of_filings(&acme, &figures, price);
            (valuation.pe_ratio, valuation.market_cap_b())
        };
        let usd = |eps, shares| figures("USD", eps, shares);
        assert_eq!(
            valuation(usd(Some(4.0), Some(2e9)), Some(100.0)),
            (Some(25.0), Some(200.0))
        );
        assert_eq!(valuation(usd(Some(-4.0), None), Some(100.0)), (None, None));
        assert_eq!(valuation(usd(Some(0.0), Some(2e9)), None), (None, None));
        // Earnings in yen and a price in dollars do not make a ratio.
        let yen = figures("JPY", Some(400.0), Some(2e9));
        assert_eq!(valuation(yen, Some(100.0)), (None, Some(200.0)));
        // Nor do a price and a share count from different years make a value.
        let late = Some((100.0, Day::default().plus(APART_DAYS + 1)));
        let figures = usd(Some(4.0), Some(2e9));
        let apart = CompanyValuation::of_filings(&acme, &figures, late);
        assert_eq!((apart.pe_ratio, apart.market_cap), (None, None));
        assert_eq!(apart.eps, Some(4.0));
    }

    #[test]
    fn what_a_table_says_moves_with_the_price() {
        let row = Valuation {
            symbol: Symbol::parse("ACME").unwrap(),
            price: Some(100.0),
            market_cap_usd: Some(1e9),
            pe_ratio: Some(20.0),
            eps: Some(5.0),
            dividend_yield_pct: Some(3.0),
            fifty_two_week_high: None,
            fifty_two_week_low: None,
            source: "table".to_owned(),
            at: None,
        };
        let found = CompanyValuation::of_table(&row, Some(120.0), Timestamp::from_ms(0));
        assert_eq!(found.pe_ratio, Some(24.0));
        assert_eq!(found.market_cap, Some(1.2e9));
        assert_eq!(found.dividend_yield, Some(2.5));
    }
}
