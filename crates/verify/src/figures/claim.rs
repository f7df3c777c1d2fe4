//! What a claim about a figure says, as types.

use super::amount::Bound;
use super::period::{Period, Span, SpanUnit};

/// What a claim is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// A company, fund or coin as it is written, and its symbol where that is written or well known.
    Named {
        /// As written.
        text: String,
        /// Such as `AAPL`; whether it exists is not known here.
        ticker: Option<String>,
    },
    /// A series by its code in the table of series.
    Series(&'static str),
    /// One currency in another; where the claim names only one, the other is the dollar.
    Currency {
        /// The currency that rises and falls.
        base: &'static str,
        /// What it is measured in.
        quote: &'static str,
        /// Whether the claim names both.
        is_pair: bool,
    },
}

/// Which price of a session.
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
    /// A moving average over so many sessions.
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

/// What a change is measured against where the claim says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each basis names itself")]
pub enum Basis {
    YearOnYear,
    QuarterOnQuarter,
    MonthOnMonth,
    Annualised,
}

/// Which of the values of a period counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Over {
    /// The claim does not say.
    #[default]
    Unsaid,
    /// The last.
    End,
    /// The first.
    Start,
    /// At least one.
    Any,
    /// Each.
    Every,
    /// Their mean.
    Mean,
    /// The highest.
    Highest,
    /// The lowest.
    Lowest,
    /// One that was passed on the way: the number lies between the lowest and the highest.
    Reached,
}

/// What a claim that names no time is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undated {
    /// The newest value.
    #[default]
    Newest,
    /// Every value that is held: `hit 120,000`, `was never above 4,000`.
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

/// One thing that a claim says of its figure. All of a claim's must hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Assertion {
    /// The figure compared with a number.
    Value(Bound),
    /// The figure changed; by how much, where that is said. A size is positive for a move in the direction.
    Change {
        /// Which way.
        direction: Direction,
        /// By how much.
        size: Option<Bound>,
    },
    /// The figure became so many times what it was, or that part of it.
    Multiple(Bound),
    /// The figure at the first of two periods.
    From(Bound),
    /// The highest or lowest since a span, or of all that is held.
    Extreme {
        /// Highest or lowest.
        highest: bool,
        /// Since when.
        since: Option<Span>,
    },
    /// The highest or lowest of the period was on that span.
    ExtremeOn {
        /// Highest or lowest.
        highest: bool,
        /// When.
        on: Span,
    },
    /// The change over one week, month or quarter was the best or worst of all of them in the period.
    BestSpan {
        /// Best or worst.
        best: bool,
        /// How long each is.
        unit: SpanUnit,
        /// Which it was.
        on: Span,
    },
    /// Compared with another figure of the same time.
    Versus {
        /// Whether the first is the larger.
        greater: bool,
        /// Whether their changes are compared rather than the figures.
        changes: bool,
        /// By how much, in the unit of the figures, or in points where changes are compared.
        by: Option<Bound>,
        /// The other figure.
        other: Other,
    },
}

/// Who disclosed what.
#[derive(Clone, Debug, PartialEq)]
pub enum Disclosure {
    /// A form at the SEC.
    Filing {
        /// Such as `10-K`.
        form: String,
    },
    /// A trade of an insider.
    Insider {
        /// Whether it was a purchase.
        is_purchase: bool,
        /// The insider's name, where one is given.
        who: Option<String>,
    },
    /// A trade of a member of Congress.
    Congress {
        /// Whether it was a purchase.
        is_purchase: bool,
        /// The member's name, where one is given.
        who: Option<String>,
        /// `house` or `senate`, where that is said.
        chamber: Option<&'static str>,
    },
    /// A holding of an institution.
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
    /// What is measured; `None` for what is usual of the subject. For a disclosed trade, a price where its amount of money is per share.
    pub measure: Option<Measure>,
    /// When.
    pub period: Period,
    /// What is meant where the claim names no time.
    pub undated: Undated,
    /// What a change is measured from, where the claim names it.
    pub base: Option<Span>,
    /// Which of the values there counts: the highest or the lowest, else what is usual.
    pub base_over: Over,
    /// On what basis changes are measured, where the claim says so.
    pub basis: Option<Basis>,
    /// Which of the values of the period counts.
    pub over: Over,
    /// What is said of it.
    pub assertions: Vec<Assertion>,
    /// What was disclosed, where the claim is about that.
    pub disclosure: Option<Disclosure>,
    /// How many sessions in a row something is said to have gone one way.
    pub in_a_row: Option<u32>,
    /// Whether it is said to be so for the first time.
    pub is_first: bool,
    /// Whether the claim denies what it says.
    pub is_negated: bool,
    /// Whether it speaks of a market or economic figure by name, so that it is one whatever its subject turns out to be.
    pub is_certain: bool,
}

/// A claim about a figure of which a part is unclear.
#[derive(Clone, Debug, PartialEq)]
pub struct Unclear {
    /// What is unclear, as a part of a sentence.
    pub why: String,
    /// Whether no figure could ever decide it: a forecast, a question, an opinion.
    pub is_uncheckable: bool,
    /// Whether it is surely about a market or economic figure.
    pub is_certain: bool,
}

/// Where a share is listed, or to what it belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// An exchange, by the word that listings use.
    Exchange(String),
    /// A sector, as it is written, in lower case.
    Sector(String),
}

/// A claim that a share has a place today.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Whose share.
    pub subject: Subject,
    /// The place.
    pub place: Place,
    /// Whether the claim denies it.
    pub is_negated: bool,
}

/// What was read.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// A claim that can be checked.
    Claim(Box<FigureClaim>),
    /// A claim about a listing.
    Listed(Listed),
    /// A claim about a figure that is not understood.
    Unclear(Unclear),
}
