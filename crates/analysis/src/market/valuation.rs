//! Valuation of companies: market value and price over earnings.
//!
//! From filings where there are any: shares outstanding times price, and price over the earnings per share of twelve
//! months, which only a company with profit has. Else from a table that somebody else made, without a date.

use std::collections::HashMap;
use std::sync::Arc;

use market::fundamentals::Fundamentals as CompanyFigures;
use model::{AssetType, Day, Instrument, Symbol, Timestamp, Valuation};
use store::{RecordQuery, StoredRecord};

use super::{Fundamentals, Listing, PointInTime};
use crate::Result;

/// Days between a price and the end of the period that shares and earnings are of, in either direction: a company that
/// reports once a year does so some months after its end. Beyond it the two are not of one time.
const APART_DAYS: i32 = 550;

/// How far a price may have moved from that of a table for ratio and value to move with it: about as far as a share goes in a quarter.
/// Beyond it earnings and shares are of another time than the price.
const MOVED: std::ops::RangeInclusive<f64> = 0.8..=1.25;

/// Where a valuation is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValuationSource {
    /// Filings.
    Filings,
    /// Somebody's table, and when it was recorded.
    Table(String, Timestamp),
}

/// The valuation of a company. What is unknown is absent.
#[derive(Clone, Debug, PartialEq)]
pub struct CompanyValuation {
    /// Price over earnings per share; only of a company with profit.
    pub pe_ratio: Option<f64>,
    /// Earnings per share of twelve months.
    pub eps: Option<f64>,
    /// Value of all shares in USD.
    pub market_cap: Option<f64>,
    /// Dividends of twelve months over the price, in percent.
    pub dividend_yield: Option<f64>,
    /// Where it is from.
    pub source: ValuationSource,
    /// Whether the price is so far from that of the table that it is one of another time or contains other splits.
    pub is_of_another_time: bool,
}

impl CompanyValuation {
    /// Whether what filings say and a price are of one time.
    pub fn are_of_one_time(figures: &CompanyFigures, day: Day) -> bool {
        is_of_one_time(figures.period_end, day)
    }

    /// From what filings say and a price of a day. A price of another time makes neither ratio nor value. Nothing is converted: where a share is not priced in the currency that its
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

    /// From somebody's table. Its ratio and value are those of the price at which it was computed; where that is given,
    /// they are moved to the price that is known now, so that price, ratio and value agree. A price that has moved further
    /// is of another time or contains other splits: then there is none of them.
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

/// Whether a period that ended on one day says something of another: that one is at most eighteen months away.
pub(super) fn is_of_one_time(period_end: Day, day: Day) -> bool {
    day.since(period_end).abs() <= APART_DAYS
}

fn finite(value: Option<f64>) -> Option<f64> {
    value.filter(|value| value.is_finite())
}

/// The valuation of every company, given its price.
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
    /// The valuation of every company.
    pub async fn valuations(&self, when: PointInTime) -> Result<Valuations> {
        let rows = self
            .records
            .known::<Valuation>(when, RecordQuery::default())
            .await?;
        let mut tables: HashMap<Symbol, StoredRecord<Valuation>> = HashMap::new();
        for row in rows {
            // Of several tables the one that was reported last.
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

    /// The market value of all shares of a company at a price, in USD. That of coins is with [`Crypto`](super::Crypto).
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

    /// The newest row of somebody's table about a company.
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
        // Earnings in yen and a price in dollars make no ratio.
        let yen = figures("JPY", Some(400.0), Some(2e9));
        assert_eq!(valuation(yen, Some(100.0)), (None, Some(200.0)));
        // Nor do a price and a share count of other years make a value.
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
