//! What companies report and what others expect of them: filing facts, earnings, ratings.

use serde::{Deserialize, Serialize};

use crate::{Day, Symbol, Timestamp};

/// What a reported number means, whatever tag the filer chose for it.
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
    /// Shareholders' equity.
    Equity,
    Cash,
    /// Debt due after more than a year.
    LongTermDebt,
    /// Debt due within a year.
    ShortTermDebt,
    /// Both together, if a filer reports only the sum.
    TotalDebt,
    OperatingCashFlow,
    CapitalExpenditure,
    /// Shares stated on the cover of the filing.
    SharesOutstanding,
    DilutedShares,
    DividendsPerShare,
}

/// A reported number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// What it means.
    pub concept: Concept,
    /// First day of the period; `None` for figures at a point in time, such as assets.
    pub start: Option<Day>,
    /// Last day of the period, or the day of that point in time.
    pub end: Day,
    /// The number, in whole units.
    pub value: f64,
    /// For example `USD`, `USD/shares`, `shares`.
    pub unit: String,
}

/// What one filing reports. Numbers for earlier periods that it repeats or restates are also facts of the filing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FactSet {
    /// The company.
    pub symbol: Symbol,
    /// Its number at the SEC.
    pub cik: Option<u64>,
    /// Accession number of the filing.
    pub accession: String,
    /// For example `10-K`, `10-Q`, `20-F`.
    pub form: String,
    /// The day it was filed; known from the end of that day if no acceptance time is given.
    pub filed: Day,
    /// When the SEC accepted it.
    pub accepted_at: Option<Timestamp>,
    /// The numbers.
    pub facts: Vec<Fact>,
}

/// The prefix of the accession of figures that are not a filing.
const COLLECTED: &str = "statement:";

impl FactSet {
    /// The accession for the figures of a period that a data provider collected from filings it does not name.
    pub fn collected(length: &str, end: Day) -> String {
        format!("{COLLECTED}{length}:{end}")
    }

    /// Whether this is a filing, rather than a collection of figures from unnamed filings.
    pub fn is_filing(&self) -> bool {
        !self.accession.starts_with(COLLECTED)
    }
}

/// Figures about a company that someone else computed at an unspecified time, such as a table of index members.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct Valuation {
    pub symbol: Symbol,
    /// The price used in the computation.
    #[serde(default)]
    pub price: Option<f64>,
    pub market_cap_usd: Option<f64>,
    pub pe_ratio: Option<f64>,
    pub eps: Option<f64>,
    pub dividend_yield_pct: Option<f64>,
    pub fifty_two_week_high: Option<f64>,
    pub fifty_two_week_low: Option<f64>,
    /// Whose table it is.
    pub source: String,
    /// When it was made, if it says so; otherwise it counts from when it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
}

/// How certain an earnings date is.
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
    /// The word used in the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Estimated => "estimated",
            Self::Confirmed => "confirmed",
            Self::Reported => "reported",
        }
    }
}

/// When a report is published in relation to trading hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReportTime {
    /// Before the open.
    BeforeMarket,
    /// During trading hours.
    DuringMarket,
    /// After the close.
    AfterMarket,
}

impl ReportTime {
    /// The word used in the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BeforeMarket => "before_market",
            Self::DuringMarket => "during_market",
            Self::AfterMarket => "after_market",
        }
    }
}

/// The report for one quarter. Amounts are in the currency of the listing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct Earnings {
    pub symbol: Symbol,
    /// For example `Q3 2026`.
    pub fiscal_quarter: String,
    pub date: Day,
    pub status: EarningsStatus,
    /// The time of day, if the source says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<ReportTime>,
    pub eps_estimate: Option<f64>,
    pub revenue_estimate: Option<f64>,
    pub eps_actual: Option<f64>,
    pub revenue_actual: Option<f64>,
    /// Whose estimate it is, such as `simulated`.
    pub source: String,
}

/// What an analyst says about a share.
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
    /// The word used in the wire contract.
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

/// A rating on a share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnalystRating {
    /// The share.
    pub symbol: Symbol,
    /// Who works for the firm; often not stated.
    pub analyst: Option<String>,
    /// The bank or research house.
    pub firm: String,
    /// The rating, in the five usual words.
    pub rating: Rating,
    /// Price target, in the currency of the listing.
    pub target: Option<f64>,
    /// When it was given.
    pub day: Day,
    /// `derived` from a news report, `simulated`, or the name of a provider.
    pub source: String,
}
