//! A company's financial statements, one row for each quarter or year.

use std::collections::BTreeMap;

use model::{Concept, Day, FactSet};

use super::fiscal;
use super::periods::{Spans, is_quarter, is_year};
use super::{Newest, counts_differ, currency, debt, known, newest};

/// What a row of statements covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StatementPeriod {
    /// A fiscal quarter.
    Quarter,
    /// A fiscal year.
    Year,
}

impl StatementPeriod {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Quarter, Self::Year];

    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Quarter => "quarter",
            Self::Year => "year",
        }
    }
}

/// A company's reported figures for a period. Any figure that cannot be derived is absent.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The fiscal year that it is or lies in, named by the year in which it ends; absent for a quarter of a company none
    /// of whose fiscal years is on record.
    pub fiscal_year: Option<i32>,
    /// Which quarter of it, 1 to 4; absent for a whole year.
    pub fiscal_quarter: Option<u8>,
    /// Its first day.
    pub start: Day,
    /// Its last day, which is the date of the balance sheet.
    pub end: Day,
    /// The day on which its revenue, income or earnings per share were first filed, even if only as part of the year.
    pub filed: Day,
    /// Revenue.
    pub revenue: Option<f64>,
    /// Revenue less the cost of goods sold.
    pub gross_profit: Option<f64>,
    /// Profit before interest and taxes.
    pub operating_income: Option<f64>,
    /// Profit attributable to shareholders.
    pub net_income: Option<f64>,
    /// Diluted earnings per share. In a fourth quarter, those for the year less those for the nine months or, if
    /// these are not reported, for the three quarters. Absent if the diluted shares change too much within the year
    /// for that.
    pub eps: Option<f64>,
    /// Dividends per share.
    pub dividends_per_share: Option<f64>,
    /// Cash from operations.
    pub operating_cash_flow: Option<f64>,
    /// Cash spent on property and equipment.
    pub capital_expenditure: Option<f64>,
    /// Total assets.
    pub assets: Option<f64>,
    /// Total liabilities.
    pub liabilities: Option<f64>,
    /// Shareholders' equity.
    pub equity: Option<f64>,
    /// Cash and cash equivalents.
    pub cash: Option<f64>,
    /// Interest-bearing debt, due within a year and later.
    pub debt: Option<f64>,
}

impl Statement {
    /// An item as a percentage of revenue.
    pub fn of_revenue(&self, part: Option<f64>) -> Option<f64> {
        percent(part, self.revenue)
    }

    /// Profit as a percentage of equity or assets at the end of the period.
    pub fn net_income_on(&self, whole: Option<f64>) -> Option<f64> {
        percent(self.net_income, whole)
    }

    /// Cash from operations less capital expenditure.
    pub fn free_cash_flow(&self) -> Option<f64> {
        Some(self.operating_cash_flow? - self.capital_expenditure?).filter(|flow| flow.is_finite())
    }

    /// Interest-bearing debt over equity.
    pub fn debt_to_equity(&self) -> Option<f64> {
        let equity = self.equity.filter(|equity| *equity > 0.0)?;
        Some(self.debt? / equity).filter(|ratio| ratio.is_finite())
    }
}

fn percent(part: Option<f64>, whole: Option<f64>) -> Option<f64> {
    let percent = part? / whole.filter(|whole| *whole > 0.0)? * 100.0;
    percent.is_finite().then_some(percent)
}

/// The change in a figure since the same period of the year before, in percent of the earlier figure; `None` if that
/// was not positive.
pub fn change_since_a_year(
    rows: &[Statement],
    row: &Statement,
    figure: fn(&Statement) -> Option<f64>,
) -> Option<f64> {
    let before = rows
        .iter()
        .find(|other| (355..=375).contains(&row.end.since(other.end)))?;
    let before = figure(before).filter(|before| *before > 0.0)?;
    let change = (figure(row)? / before - 1.0) * 100.0;
    change.is_finite().then_some(change)
}

/// One company's statements from the given filings, oldest first, and the currency that they are in; `None` if no
/// filing states it.
pub fn statements(sets: &[&FactSet], period: StatementPeriod) -> Option<(String, Vec<Statement>)> {
    let sets = known(sets, Day::MAX);
    let currency = currency(&sets)?;
    let newest = newest(&sets, currency);
    let concepts = [Concept::Revenue, Concept::NetIncome, Concept::EpsDiluted];
    let mut first_filed: BTreeMap<Day, Day> = BTreeMap::new();
    for set in &sets {
        for fact in set
            .facts
            .iter()
            .filter(|fact| concepts.contains(&fact.concept))
        {
            first_filed.entry(fact.end).or_insert(set.filed);
        }
    }
    let flows = Flows::of(&newest, period);
    let rows = first_filed
        .into_iter()
        .filter_map(|(end, filed)| flows.row(&newest, end, filed));
    Some((currency.to_owned(), rows.collect()))
}

/// The flows of a period, by concept.
struct Flows {
    period: StatementPeriod,
    /// The last days of the fiscal years.
    year_ends: Vec<Day>,
    revenue: Spans,
    gross_profit: Spans,
    operating_income: Spans,
    net_income: Spans,
    eps: Spans,
    dividends: Spans,
    operating_cash_flow: Spans,
    capital_expenditure: Spans,
    diluted: Spans,
}

impl Flows {
    fn of(newest: &Newest<'_>, period: StatementPeriod) -> Self {
        let spans = |concept| Spans::of(newest, concept);
        let (revenue, net_income) = (spans(Concept::Revenue), spans(Concept::NetIncome));
        let eps = spans(Concept::EpsDiluted);
        let mut year_ends: Vec<Day> = [&revenue, &net_income, &eps]
            .into_iter()
            .flat_map(|all| all.ends_of(is_year))
            .collect();
        year_ends.sort_unstable();
        year_ends.dedup();
        Self {
            period,
            year_ends,
            revenue,
            gross_profit: spans(Concept::GrossProfit),
            operating_income: spans(Concept::OperatingIncome),
            net_income,
            eps,
            dividends: spans(Concept::DividendsPerShare),
            operating_cash_flow: spans(Concept::OperatingCashFlow),
            capital_expenditure: spans(Concept::CapitalExpenditure),
            diluted: spans(Concept::DilutedShares),
        }
    }

    /// The period of a concept that ends on a day: its first day, its value, and whether it is derived.
    fn ending(&self, spans: &Spans, end: Day) -> Option<(Day, f64, bool)> {
        let found = match self.period {
            StatementPeriod::Quarter => spans.quarter(end),
            StatementPeriod::Year => spans.year(end).map(|(start, value)| (start, value, false)),
        };
        found.filter(|(start, value, _)| {
            let days = end.since(*start) + 1;
            let fits = match self.period {
                StatementPeriod::Quarter => is_quarter(days),
                StatementPeriod::Year => is_year(days),
            };
            fits && value.is_finite()
        })
    }

    fn row(&self, newest: &Newest<'_>, end: Day, filed: Day) -> Option<Statement> {
        let revenue = self.ending(&self.revenue, end);
        let net_income = self.ending(&self.net_income, end);
        let eps = self
            .ending(&self.eps, end)
            .filter(|(_, _, derived)| !derived || !counts_differ(&self.diluted, end));
        let (start, ..) = revenue.or(net_income).or(eps)?;
        let value = |found: Option<(Day, f64, bool)>| found.map(|(_, value, _)| value);
        let flow = |spans: &Spans| value(self.ending(spans, end));
        let level = |concept| {
            let found = newest.get(&(concept, None, end)).map(|fact| fact.value);
            found.filter(|value: &f64| value.is_finite())
        };
        let (fiscal_year, fiscal_quarter) = match self.period {
            StatementPeriod::Year => (Some(fiscal::year(end)), None),
            StatementPeriod::Quarter => fiscal::quarter(end, &self.year_ends).unzip(),
        };
        Some(Statement {
            fiscal_year,
            fiscal_quarter,
            start,
            end,
            filed,
            revenue: value(revenue),
            gross_profit: flow(&self.gross_profit),
            operating_income: flow(&self.operating_income),
            net_income: value(net_income),
            eps: value(eps),
            dividends_per_share: flow(&self.dividends),
            operating_cash_flow: flow(&self.operating_cash_flow),
            capital_expenditure: flow(&self.capital_expenditure),
            assets: level(Concept::Assets),
            liabilities: level(Concept::Liabilities),
            equity: level(Concept::Equity),
            cash: level(Concept::Cash),
            debt: debt(newest, end),
        })
    }
}
