//! `/ticker/{symbol}/statements`: financial statements of a company, by quarter or by year.

use analysis::market::DataIssue;
use market::fundamentals::{Statement, StatementPeriod, change_since_a_year};
use model::AssetType;
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker::{self, SYMBOL};
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Which statements to list.
pub(crate) struct StatementsQuery {
    symbol: String,
    period: StatementPeriod,
    limit: usize,
}

impl Parameters for StatementsQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let periods = StatementPeriod::ALL.map(|period| (period.as_str(), period));
        Self {
            symbol: arguments.path("symbol", SYMBOL),
            period: arguments.word_or(
                "period",
                &periods,
                StatementPeriod::Quarter,
                "What a row covers: a fiscal quarter or a fiscal year",
            ),
            limit: arguments.integer(
                "limit",
                1..=80,
                8,
                "Maximum number of periods, newest first",
            ) as usize,
        }
    }
}

/// The statements.
#[derive(Serialize, ToSchema)]
pub(crate) struct StatementsBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbol.
    ticker: String,
    /// `quarter` or `year`.
    period: &'static str,
    /// ISO 4217 code of every amount: the company's reporting currency. Absent if there are no statements.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    currency: Option<String>,
    /// One row for each period, newest first.
    statements: Vec<StatementBody>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// Figures reported for a period; null if a figure was not reported and cannot be derived.
#[derive(Serialize, ToSchema)]
#[schema(as = Statement)]
pub(crate) struct StatementBody {
    /// Fiscal year of the period, named by the year in which it ends; null for a quarter of a company without a fiscal year
    /// on record.
    #[schema(required, example = 2025)]
    fiscal_year: Option<i32>,
    /// Fiscal quarter, 1 to 4; null if the period is a year.
    #[schema(required, example = 3)]
    fiscal_quarter: Option<u8>,
    /// First day of the period, YYYY-MM-DD.
    period_start: String,
    /// Last day of the period and date of the balance sheet, YYYY-MM-DD.
    period_end: String,
    /// Date on which results for the period were first filed, YYYY-MM-DD.
    filed_date: String,
    /// Revenue.
    #[schema(required)]
    revenue: Option<f64>,
    /// Revenue minus the cost of goods sold.
    #[schema(required)]
    gross_profit: Option<f64>,
    /// Profit before interest and taxes.
    #[schema(required)]
    operating_income: Option<f64>,
    /// Profit attributable to shareholders.
    #[schema(required)]
    net_income: Option<f64>,
    /// Diluted earnings per share, adjusted for all splits up to now or `as_of`.
    #[schema(required)]
    eps: Option<f64>,
    /// Dividends per share, adjusted for all splits up to now or `as_of`.
    #[schema(required)]
    dividends_per_share: Option<f64>,
    /// Cash from operations.
    #[schema(required)]
    operating_cash_flow: Option<f64>,
    /// Cash spent on property, plant and equipment, as a positive amount.
    #[schema(required)]
    capital_expenditure: Option<f64>,
    /// Cash from operations minus capital expenditure.
    #[schema(required)]
    free_cash_flow: Option<f64>,
    /// Total assets.
    #[schema(required)]
    assets: Option<f64>,
    /// Total liabilities.
    #[schema(required)]
    liabilities: Option<f64>,
    /// Shareholders' equity.
    #[schema(required)]
    equity: Option<f64>,
    /// Cash and cash equivalents.
    #[schema(required)]
    cash: Option<f64>,
    /// Interest-bearing debt, due within one year or later.
    #[schema(required)]
    debt: Option<f64>,
    /// Gross profit as a percentage of revenue.
    #[schema(required)]
    gross_margin: Option<f64>,
    /// Operating income as a percentage of revenue.
    #[schema(required)]
    operating_margin: Option<f64>,
    /// Net income as a percentage of revenue.
    #[schema(required)]
    profit_margin: Option<f64>,
    /// Net income for the period as a percentage of equity at the end of the period; quarterly values are not
    /// annualised.
    #[schema(required)]
    return_on_equity: Option<f64>,
    /// Net income for the period as a percentage of assets at the end of the period; quarterly values are not
    /// annualised.
    #[schema(required)]
    return_on_assets: Option<f64>,
    /// Interest-bearing debt divided by equity, as a ratio.
    #[schema(required)]
    debt_to_equity: Option<f64>,
    /// Year-on-year revenue growth, in percent; null if revenue a year earlier was not positive.
    #[schema(required)]
    revenue_growth: Option<f64>,
    /// Year-on-year net income growth, in percent; null if net income a year earlier was not positive.
    #[schema(required)]
    net_income_growth: Option<f64>,
    /// Year-on-year growth in earnings per share, in percent; null if earnings per share a year earlier were not
    /// positive.
    #[schema(required)]
    eps_growth: Option<f64>,
}

impl StatementBody {
    fn new(rows: &[Statement], row: &Statement) -> Self {
        Self {
            fiscal_year: row.fiscal_year,
            fiscal_quarter: row.fiscal_quarter,
            period_start: row.start.to_string(),
            period_end: row.end.to_string(),
            filed_date: row.filed.to_string(),
            revenue: row.revenue,
            gross_profit: row.gross_profit,
            operating_income: row.operating_income,
            net_income: row.net_income,
            eps: row.eps,
            dividends_per_share: row.dividends_per_share,
            operating_cash_flow: row.operating_cash_flow,
            capital_expenditure: row.capital_expenditure,
            free_cash_flow: row.free_cash_flow(),
            assets: row.assets,
            liabilities: row.liabilities,
            equity: row.equity,
            cash: row.cash,
            debt: row.debt,
            gross_margin: row.of_revenue(row.gross_profit),
            operating_margin: row.of_revenue(row.operating_income),
            profit_margin: row.of_revenue(row.net_income),
            return_on_equity: row.net_income_on(row.equity),
            return_on_assets: row.net_income_on(row.assets),
            debt_to_equity: row.debt_to_equity(),
            revenue_growth: change_since_a_year(rows, row, |one| one.revenue),
            net_income_growth: change_since_a_year(rows, row, |one| one.net_income),
            eps_growth: change_since_a_year(rows, row, |one| one.eps),
        }
    }
}

/// `GET /ticker/{symbol}/statements`.
pub(crate) struct ListStatements;

impl Operation for ListStatements {
    type Input = StatementsQuery;
    type Output = StatementsBody;

    const ABOUT: About = About {
        name: "list_statements",
        address: Address::get("/api/v1/ticker/{symbol}/statements"),
        summary: "Lists the income statement, balance sheet and cash flow of a company by quarter or year, with ratios.",
        description: "Figures come from its filings; restated figures are as last filed. A quarter that is only reported as part of a year is the year minus its first nine months. Equities only.",
        answer: "The statements, newest first",
        example: r#"{"symbol": "AAPL", "period": "year", "limit": 5}"#,
        ..ticker::OF_SYMBOL
    };

    async fn run(context: Context, asked: StatementsQuery) -> Result<StatementsBody> {
        let when = context.when();
        let listing = context.listing(&asked.symbol).await?;
        let is_company = listing.asset_type() == AssetType::Equity;
        let found = if is_company {
            let symbol = &listing.instrument.symbol;
            let read = context
                .fundamentals
                .statements_of(symbol, asked.period, when);
            read.await?
        } else {
            None
        };
        let (currency, rows) = found.unzip();
        let rows = rows.unwrap_or_default();
        let issues = if rows.is_empty() {
            let reason = if is_company {
                "no filing with financial data is available for this company"
            } else {
                "equities only"
            };
            vec![DataIssue::absent("statements", reason)]
        } else {
            listing.inferred_shares("statements.eps", when)
        };
        let newest = rows.iter().rev().take(asked.limit);
        Ok(StatementsBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            period: asked.period.as_str(),
            currency,
            statements: newest.map(|row| StatementBody::new(&rows, row)).collect(),
            data_status: written(issues),
        })
    }
}
