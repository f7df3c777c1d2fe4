//! A company's figures in relation to its price.

use market::beta::{beta, fifty_two_week};
use market::fundamentals::{Basis, Fundamentals as CompanyFigures};
use market::{Candle, CandleColumns};
use model::{AssetType, Day, InstrumentKey, SeriesId, Symbol, Valuation};
use store::StoredRecord;

use super::valuation::is_of_one_time;
use super::{CompanyValuation, DataIssue, Fundamentals, HistoryView, Listing, PointInTime};
use crate::Result;

/// A fund that holds the whole market, and the index itself.
const MARKET_FUND: &str = "SPY";
const MARKET_INDEX: &str = "^GSPC";

/// What filings, a table and prices say about a company. Anything unknown is absent, and `issues` says why.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct Financials {
    pub market_cap: Option<f64>,
    pub pe_ratio: Option<f64>,
    pub eps: Option<f64>,
    /// In percent.
    pub dividend_yield: Option<f64>,
    pub revenue: Option<f64>,
    /// In percent.
    pub profit_margin: Option<f64>,
    /// A ratio.
    pub debt_to_equity: Option<f64>,
    pub beta: Option<f64>,
    pub fifty_two_week_high: Option<f64>,
    pub fifty_two_week_low: Option<f64>,
    /// The last day of the twelve months.
    pub period_end: Option<Day>,
    /// What kind of period it is.
    pub basis: Option<Basis>,
    /// ISO 4217 code for earnings per share and revenue: the currency of the reports, or of the listing for a table.
    /// `None` if this is not a company.
    pub currency: Option<String>,
    /// The price behind the ratios and values, and its session.
    pub price: Option<(f64, Day)>,
    /// For a table without dates, the day on which it became known.
    pub table_from: Option<Day>,
    /// Whether that table was made at a price from another time.
    pub is_of_another_time: bool,
    /// Why something is absent, and where the rest comes from.
    pub issues: Vec<DataIssue>,
}

impl Fundamentals {
    /// The figures of a company as known at a point in time. Funds and coins have none.
    pub async fn financials_of(&self, listing: &Listing, when: PointInTime) -> Result<Financials> {
        if listing.asset_type() != AssetType::Equity {
            return Ok(Financials {
                issues: vec![DataIssue::absent("financials", "equities only")],
                ..Financials::default()
            });
        }
        let symbol = &listing.instrument.symbol;
        let history = self.prices.history(listing, when).await?;
        let price = listing.price(history.candles(), when);
        let price = price
            .map(|point| (point.current, point.day))
            .filter(|(price, _)| *price > 0.0);
        let mut found = Financials {
            currency: Some(listing.instrument.currency().to_owned()),
            price,
            ..Financials::default()
        };
        match self.figures_of(symbol, when).await? {
            Some(figures) => found.take_filings(listing, &figures, price),
            None => match self.table_row_of(symbol, when).await? {
                Some(row) => found.take_table(&row, price.map(|(price, _)| price)),
                None => found.issues.push(DataIssue::absent(
                    "financials",
                    "neither a filing with financial data nor a table entry is available for this company",
                )),
            },
        }
        if let Some((high, low)) = fifty_two_week(history.candles()) {
            // The current session has a price before it has a bar.
            let now = price.map(|(price, _)| price);
            found.fifty_two_week_high = Some(now.map_or(high, |price| high.max(price)));
            found.fifty_two_week_low = Some(now.map_or(low, |price| low.min(price)));
        } else if found.fifty_two_week_high.is_none() {
            let reason = match history.candles().days().first() {
                None => "no candles are available for this symbol".to_owned(),
                Some(first) => format!(
                    "the price history of this symbol begins on {first}, less than 52 weeks before its newest session"
                ),
            };
            found.absent("fifty_two_week_high", reason);
        }
        self.add_beta(&mut found, listing, &history, when).await?;
        Ok(found)
    }

    async fn add_beta(
        &self,
        found: &mut Financials,
        listing: &Listing,
        history: &HistoryView,
        when: PointInTime,
    ) -> Result<()> {
        let (name, market) = self.market_closes(when).await?;
        if market.view().is_empty() {
            found.absent("beta", "neither SPY nor the S&P 500 index is available");
            return Ok(());
        }
        found.beta = beta(history.candles(), market.view());
        match found.beta {
            None => found.absent(
                "beta",
                "fewer than 60 daily returns overlap with the market",
            ),
            Some(_) if listing.ticker() != name => {
                found.issues.push(DataIssue::note(
                    "beta",
                    "relative to two years of daily closes",
                    name,
                ));
            }
            Some(_) => {}
        }
        Ok(())
    }

    /// The closes of the market as a whole: from a fund that holds it, or otherwise from the index.
    async fn market_closes(&self, when: PointInTime) -> Result<(&'static str, CandleColumns)> {
        if let Some(symbol) = Symbol::parse(MARKET_FUND)
            && let Some(fund) = self.instruments.find(&InstrumentKey::stock(symbol)).await?
        {
            let history = self.prices.history(&fund, when).await?;
            if !history.candles().is_empty() {
                let (columns, _) = CandleColumns::sift(history.candles().iter());
                return Ok((MARKET_FUND, columns));
            }
        }
        let id = SeriesId::new("index", MARKET_INDEX);
        let values = self.series.observations(&id, when).await?;
        let newest = when.newest_day(AssetType::Equity);
        let closes = values.into_iter().filter(|one| one.day <= newest);
        let (columns, _) = CandleColumns::sift(closes.map(|one| Candle {
            day: one.day,
            open: one.value,
            high: one.value,
            low: one.value,
            close: one.value,
            volume: 0.0,
        }));
        Ok((MARKET_INDEX, columns))
    }
}

impl Financials {
    /// The wire word for the period: `ttm` or `fiscal_year`.
    pub fn basis_word(&self) -> Option<&'static str> {
        self.basis.map(|basis| match basis {
            Basis::Ttm => "ttm",
            Basis::FiscalYear => "fiscal_year",
        })
    }

    /// Why the figures say nothing about the company's current earnings, if they are from too long ago.
    pub(super) fn outdated(&self, when: PointInTime) -> Option<String> {
        let day = Day::of(when.end);
        let is_old = |from: &Day| !is_of_one_time(*from, day);
        if let Some(end) = self.period_end {
            return is_old(&end).then(|| {
                format!("the newest reported period ended on {end}, more than 18 months before")
            });
        }
        if self.is_of_another_time {
            return Some(
                "the table that lists them was made at a price of another time".to_owned(),
            );
        }
        let from = self.table_from.filter(is_old)?;
        Some(format!(
            "the table that lists them is of {from}, more than 18 months before"
        ))
    }

    fn absent(&mut self, field: &'static str, reason: impl Into<String>) {
        self.issues.push(DataIssue::absent(field, reason));
    }

    fn take_filings(
        &mut self,
        listing: &Listing,
        figures: &CompanyFigures,
        price: Option<(f64, Day)>,
    ) {
        let valuation = CompanyValuation::of_filings(&listing.instrument, figures, price);
        // A price from another time gives neither a valuation nor a ratio.
        let dated = price;
        let price = dated
            .filter(|(_, day)| CompanyValuation::are_of_one_time(figures, *day))
            .map(|(price, _)| price);
        let apart = dated.filter(|_| price.is_none()).map(|(_, day)| {
            format!(
                "the newest price is of {day} and the filings are of the period that ended on {}: they are not of one time",
                figures.period_end
            )
        });
        let priced_in = listing.instrument.currency();
        let is_same_currency = figures.currency == priced_in;
        self.market_cap = valuation.market_cap;
        self.pe_ratio = valuation.pe_ratio;
        self.currency = Some(figures.currency.clone());
        self.eps = figures.eps_ttm;
        self.revenue = figures.revenue_ttm.filter(|_| figures.currency == "USD");
        self.profit_margin = figures.profit_margin_pct;
        self.debt_to_equity = figures.debt_to_equity;
        self.dividend_yield = valuation.dividend_yield;
        self.period_end = Some(figures.period_end);
        self.basis = Some(figures.basis);
        self.issues.push(DataIssue::note(
            "eps",
            match figures.basis {
                Basis::Ttm => "twelve months ending on period_end",
                Basis::FiscalYear => {
                    "fiscal year ending on period_end; the filings do not cover twelve more recent months"
                }
            },
            figures.source(),
        ));
        if !is_same_currency {
            self.absent(
                "revenue_formatted",
                format!(
                    "the company reports in {} but the share is priced in {priced_in}; currencies are not converted",
                    figures.currency
                ),
            );
        } else if self.revenue.is_none() {
            self.absent(
                "revenue_formatted",
                "the filings report no full-year revenue",
            );
        }
        if self.market_cap.is_none() {
            let reason = match (figures.shares_outstanding, price) {
                (None, _) => {
                    "the filings report no number of shares outstanding, or it is not known which splits it contains"
                }
                (_, None) => apart
                    .as_deref()
                    .unwrap_or("no price is available for this symbol"),
                _ => "the share is not priced in US dollars",
            };
            self.absent("market_cap_formatted", reason);
        }
        if self.pe_ratio.is_none() {
            let reason = match (figures.eps_ttm, price) {
                (None, _) => "the filings report no full-year earnings per share",
                (Some(eps), _) if eps <= 0.0 => "earnings per share are not positive",
                (_, None) => apart
                    .as_deref()
                    .unwrap_or("no price is available for this symbol"),
                _ => "earnings and price are in different currencies",
            };
            self.absent("pe_ratio", reason);
        }
        if self.eps.is_none() {
            self.absent("eps", "the filings report no full-year earnings per share");
        }
        if self.dividend_yield.is_none() {
            self.absent(
                "dividend_yield",
                "the filings report no full-year dividends",
            );
        }
        if self.profit_margin.is_none() {
            self.absent(
                "profit_margin",
                "the filings do not report both revenue and net income for a full year",
            );
        }
        if self.debt_to_equity.is_none() {
            self.absent(
                "debt_to_equity",
                "the latest balance sheet reports no debt, or equity is not positive",
            );
        }
    }

    fn take_table(&mut self, row: &StoredRecord<Valuation>, price: Option<f64>) {
        let valuation = CompanyValuation::of_table(&row.record, price, row.known_at);
        let reported = &row.record;
        let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
        self.table_from = Some(Day::of(row.known_at));
        self.is_of_another_time = valuation.is_of_another_time;
        self.market_cap = valuation.market_cap;
        self.pe_ratio = valuation.pe_ratio;
        self.eps = valuation.eps;
        self.dividend_yield = valuation.dividend_yield;
        self.fifty_two_week_high = finite(reported.fifty_two_week_high);
        self.fifty_two_week_low = finite(reported.fifty_two_week_low);
        self.issues.push(DataIssue {
            source: Some(reported.source.clone()),
            stale: true,
            fetched_at: Some(row.recorded_at),
            ..DataIssue::absent(
                "financials",
                "no filing with financial data is available; these figures come from an undated table and may be out of date",
            )
        });
        self.absent(
            "revenue_formatted",
            "the table lists no revenue, margin or debt",
        );
        if valuation.is_of_another_time {
            for field in ["market_cap_formatted", "pe_ratio", "dividend_yield"] {
                self.absent(
                    field,
                    "the newest price is more than a quarter above or a fifth below the table's, so its ratios and market value are of another time",
                );
            }
        } else if self.pe_ratio.is_none() {
            self.absent(
                "pe_ratio",
                "the table lists none, or one that is not positive",
            );
        }
    }
}
