//! The types that represent what a claim says about a figure.

use super::amount::Bound;
use super::period::{Period, Span, SpanUnit};

/// The subject of a claim.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// A company, fund or coin as it is written, and its symbol if that is given or well known.
    Named {
        /// As written.
        text: String,
        /// Such as `AAPL`; whether it exists is not known here.
        ticker: Option<String>,
    },
    /// A series, by its code in the table of series.
    Series(&'static str),
    /// One currency in terms of another; if the claim names only one, the other is the dollar.
    Currency {
        /// The currency that rises and falls.
        base: &'static str,
        /// What it is measured in.
        quote: &'static str,
        /// Whether the claim names both.
        is_pair: bool,
    },
}

/// Which price in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each price names itself")]
pub enum PriceField {
    Close,
    Open,
    High,
    Low,
    /// Any price of the session.
    Traded,
}

/// How a moving average weighs its days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each kind names itself")]
pub enum AverageKind {
    Simple,
    Exponential,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each measure names itself")]
pub enum Measure {
    Price(PriceField),
    Volume,
    MarketValue,
    Rank,
    Dominance,
    YearHigh,
    YearLow,
    /// The change from one value to the next, in percent.
    StepChange,
    RecordHigh,
    RecordLow,
    /// A moving average over this number of sessions.
    Average(u16, AverageKind),
    Rsi,
    Macd,
    MacdSignal,
    Revenue,
    NetIncome,
    Eps,
    GrossProfit,
    OperatingIncome,
    GrossMargin,
    OperatingMargin,
    ProfitMargin,
    OperatingCashFlow,
    DividendYield,
    DividendPerShare,
    PriceEarnings,
    DebtToEquity,
    Beta,
    SharesOutstanding,
    Assets,
    Liabilities,
    Equity,
    LockedValue,
}

impl Measure {
    /// Whether companies report it by quarter and year.
    pub const fn is_reported(self) -> bool {
        matches!(
            self,
            Self::Revenue
                | Self::NetIncome
                | Self::Eps
                | Self::GrossProfit
                | Self::OperatingIncome
                | Self::GrossMargin
                | Self::OperatingMargin
                | Self::ProfitMargin
                | Self::OperatingCashFlow
                | Self::DividendPerShare
                | Self::SharesOutstanding
                | Self::Assets
                | Self::Liabilities
                | Self::Equity
        )
    }
}

/// Which way something moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each direction names itself")]
pub enum Direction {
    Up,
    Down,
    Flat,
}

/// What a change is measured against, if the claim says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each basis names itself")]
pub enum Basis {
    YearOnYear,
    QuarterOnQuarter,
    MonthOnMonth,
    Annualised,
}

/// Which of the values in a period counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Over {
    /// The claim does not say.
    #[default]
    Unsaid,
    /// The last value.
    End,
    /// The first value.
    Start,
    /// At least one value.
    Any,
    /// Every value.
    Every,
    /// Their mean.
    Mean,
    /// The highest.
    Highest,
    /// The lowest.
    Lowest,
    /// A value that was passed on the way: the number lies between the lowest and the highest.
    Reached,
}

/// What a claim without a time is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undated {
    /// The newest value.
    #[default]
    Newest,
    /// Every value on record: `hit 120,000`, `was never above 4,000`.
    Ever,
}

/// What a measure is compared with instead of a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Other {
    /// Another subject; `None` for the same.
    pub subject: Option<Subject>,
    /// Another measure; `None` for the same.
    pub measure: Option<Measure>,
}

/// One thing that a claim says about its figure. All of a claim's assertions must hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Assertion {
    /// The figure compared with a number.
    Value(Bound),
    /// The figure changed, and by how much if that is given. A size is positive for a move in the direction.
    Change {
        /// Which way.
        direction: Direction,
        /// By how much.
        size: Option<Bound>,
    },
    /// The figure became this multiple, or this fraction, of what it was.
    Multiple(Bound),
    /// The figure at the first of two periods.
    From(Bound),
    /// The highest or lowest since a span, or of all values on record.
    Extreme {
        /// Highest or lowest.
        highest: bool,
        /// Since when.
        since: Option<Span>,
    },
    /// The highest or lowest of the period occurred in that span.
    ExtremeOn {
        /// Highest or lowest.
        highest: bool,
        /// When.
        on: Span,
    },
    /// The change over one week, month or quarter was the best or worst of all those in the period.
    BestSpan {
        /// Best or worst.
        best: bool,
        /// How long each is.
        unit: SpanUnit,
        /// Which it was.
        on: Span,
    },
    /// Compared with another figure at the same time.
    Versus {
        /// Whether the first is the larger.
        greater: bool,
        /// Whether their changes are compared rather than the figures themselves.
        changes: bool,
        /// By how much, in the unit of the figures, or in points if changes are compared.
        by: Option<Bound>,
        /// The other figure.
        other: Other,
    },
}

/// Who disclosed what.
#[derive(Clone, Debug, PartialEq)]
pub enum Disclosure {
    /// A form filed with the SEC.
    Filing {
        /// Such as `10-K`.
        form: String,
    },
    /// An insider's trade.
    Insider {
        /// Whether it was a purchase.
        is_purchase: bool,
        /// The insider's name, if one is given.
        who: Option<String>,
    },
    /// A trade by a member of Congress.
    Congress {
        /// Whether it was a purchase.
        is_purchase: bool,
        /// The member's name, if one is given.
        who: Option<String>,
        /// `house` or `senate`, if that is stated.
        chamber: Option<&'static str>,
    },
    /// An institution's holding.
    Holding {
        /// The institution.
        who: String,
    },
}

/// A claim about a figure, ready to be checked.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureClaim {
    /// What it is about.
    pub subject: Subject,
    /// What is measured; `None` for the subject's usual measure. For a disclosed trade, a price if its amount of money
    /// is per share.
    pub measure: Option<Measure>,
    /// The time.
    pub period: Period,
    /// What is meant if the claim names no time.
    pub undated: Undated,
    /// What a change is measured from, if the claim names it.
    pub base: Option<Span>,
    /// Which of the values there counts: the highest or the lowest, otherwise the usual one.
    pub base_over: Over,
    /// On what basis changes are measured, if the claim says so.
    pub basis: Option<Basis>,
    /// Which of the values in the period counts.
    pub over: Over,
    /// What is said about it.
    pub assertions: Vec<Assertion>,
    /// What was disclosed, if the claim is about a disclosure.
    pub disclosure: Option<Disclosure>,
    /// How many sessions in a row something is said to have moved one way.
    pub in_a_row: Option<u32>,
    /// Whether it is said to have happened for the first time.
    pub is_first: bool,
    /// Whether the claim is a denial.
    pub is_negated: bool,
    /// Whether it mentions a market or economic figure by name, so that it is a claim about one whatever its subject
    /// turns out to be.
    pub is_certain: bool,
}

/// A claim about a figure with a part that is unclear.
#[derive(Clone, Debug, PartialEq)]
pub struct Unclear {
    /// What is unclear, as part of a sentence.
    pub why: String,
    /// Whether no figure could ever decide it: a forecast, a question, an opinion.
    pub is_uncheckable: bool,
    /// Whether it is certainly about a market or economic figure.
    pub is_certain: bool,
}

/// Where a share is listed, or which sector it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// An exchange, by its name in the listings.
    Exchange(String),
    /// A sector as written, in lower case.
    Sector(String),
}

/// A claim that a share is listed somewhere, or belongs to a sector, today.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// The share.
    pub subject: Subject,
    /// The place.
    pub place: Place,
    /// Whether the claim denies it.
    pub is_negated: bool,
}

/// The result of reading a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// A claim that can be checked.
    Claim(Box<FigureClaim>),
    /// A claim about a listing.
    Listed(Listed),
    /// A claim about a figure that is not understood.
    Unclear(Unclear),
}
