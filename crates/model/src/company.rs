//! What companies report and what others expect of them: facts of filings, earnings, ratings.

use serde::{Deserialize, Serialize};

use crate::{Day, Symbol, Timestamp};

/// What a reported number means, whatever tag its filer chose for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each concept names itself")]
pub enum Concept {
    Revenue,
    GrossProfit,
    OperatingIncome,
    NetIncome,
    EpsBasic,
    EpsDiluted,
    Assets,
    Liabilities,
    /// Equity of the shareholders.
    Equity,
    Cash,
    /// Debt due after a year.
    LongTermDebt,
    /// Debt due within a year.
    ShortTermDebt,
    /// Both together, where a filer reports only the sum.
    TotalDebt,
    OperatingCashFlow,
    CapitalExpenditure,
    /// Shares on the cover of the filing.
    SharesOutstanding,
    DilutedShares,
    DividendsPerShare,
}

/// A reported number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// What it means.
    pub concept: Concept,
    /// First day of the period; `None` for what holds at a point in time, such as assets.
    pub start: Option<Day>,
    /// Last day of the period, or the day of the point in time.
    pub end: Day,
    /// The number, in whole units.
    pub value: f64,
    /// Such as `USD`, `USD/shares`, `shares`.
    pub unit: String,
}

/// What one filing reports. Numbers of earlier periods that it repeats or restates are facts of it as well.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FactSet {
    /// The company.
    pub symbol: Symbol,
    /// Its number at the SEC.
    pub cik: Option<u64>,
    /// Accession number of the filing.
    pub accession: String,
    /// Such as `10-K`, `10-Q`, `20-F`.
    pub form: String,
    /// The day on which it was filed; known from its end on where no acceptance is given.
    pub filed: Day,
    /// When the SEC accepted it.
    pub accepted_at: Option<Timestamp>,
    /// The numbers.
    pub facts: Vec<Fact>,
}

/// How the accession of figures begins that are no filing.
const COLLECTED: &str = "statement:";

impl FactSet {
    /// The accession of the figures of a period that a data provider collected from filings which it does not name.
    pub fn collected(length: &str, end: Day) -> String {
        format!("{COLLECTED}{length}:{end}")
    }

    /// Whether this is a filing, and no collection of figures from filings that are not named.
    pub fn is_filing(&self) -> bool {
        !self.accession.starts_with(COLLECTED)
    }
}

/// Figures of a company that someone else computed at an unnamed time, such as a table of index members.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct Valuation {
    pub symbol: Symbol,
    /// The price at which it was computed.
    #[serde(default)]
    pub price: Option<f64>,
    pub market_cap_usd: Option<f64>,
    pub pe_ratio: Option<f64>,
    pub eps: Option<f64>,
    pub dividend_yield_pct: Option<f64>,
    pub fifty_two_week_high: Option<f64>,
    pub fifty_two_week_low: Option<f64>,
    /// Whose table.
    pub source: String,
    /// When it was made, where it says so; else it counts from when it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
}

/// How sure a date of earnings is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EarningsStatus {
    /// Projected from earlier dates.
    Estimated,
    /// Announced by the company.
    Confirmed,
    /// Reported: the actual numbers are known.
    Reported,
}

impl EarningsStatus {
    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Estimated => "estimated",
            Self::Confirmed => "confirmed",
            Self::Reported => "reported",
        }
    }
}

/// When a report is published beside the hours of trading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReportTime {
    /// Before the opening.
    BeforeMarket,
    /// While the exchange trades.
    DuringMarket,
    /// After the close.
    AfterMarket,
}

impl ReportTime {
    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BeforeMarket => "before_market",
            Self::DuringMarket => "during_market",
            Self::AfterMarket => "after_market",
        }
    }
}

/// The report of one quarter. Amounts are in the currency of the listing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct Earnings {
    pub symbol: Symbol,
    /// Such as `Q3 2026`.
    pub fiscal_quarter: String,
    pub date: Day,
    pub status: EarningsStatus,
    /// When in the day, where the source says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<ReportTime>,
    pub eps_estimate: Option<f64>,
    pub revenue_estimate: Option<f64>,
    pub eps_actual: Option<f64>,
    pub revenue_actual: Option<f64>,
    /// Whose estimate, such as `simulated`.
    pub source: String,
}

/// What an analyst says of a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each rating names itself")]
pub enum Rating {
    StrongSell,
    Sell,
    Hold,
    Buy,
    StrongBuy,
}

impl Rating {
    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StrongSell => "strong_sell",
            Self::Sell => "sell",
            Self::Hold => "hold",
            Self::Buy => "buy",
            Self::StrongBuy => "strong_buy",
        }
    }
}

/// A rating of a share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnalystRating {
    /// The share.
    pub symbol: Symbol,
    /// Who works for the firm; often not said.
    pub analyst: Option<String>,
    /// The bank or research house.
    pub firm: String,
    /// What it says, in the five usual words.
    pub rating: Rating,
    /// Price target in the currency of the listing.
    pub target: Option<f64>,
    /// When it was given.
    pub day: Day,
    /// `derived` from a news report, `simulated`, or the name of a provider.
    pub source: String,
}
