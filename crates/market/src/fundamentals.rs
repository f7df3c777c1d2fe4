//! From the facts in a company's filings to its trailing-twelve-month figures.
//!
//! Filings report periods, not trailing years: a quarterly report has its quarter and the year to date, cash flows
//! often only the latter, and the annual report only the year. So the fourth quarter is the year less the first nine
//! months, any other missing quarter is the difference between two spans of one fiscal year, and twelve months are
//! four consecutive quarters. If several filings report the same period, the newest counts. Restated numbers
//! therefore replace the original ones as soon as they are filed, and not before: facts filed after `as_of` are not
//! seen.
//!
//! Example: revenue is 100 for a year and 70 for its first nine months; the next year has a first quarter of 28,
//! after 20 a year before. The fourth quarter was 100 - 70 = 30, and the last twelve months are 100 - 20 + 28 = 108,
//! the same as the four quarters.
//!
//! If a sum can be formed in more than one way, the year as reported comes first, then four quarters, then the year
//! plus the year to date less the year to date of the year before. Earnings per share are added up like everything
//! else, although the shares behind them differ. If the diluted number of shares changes by more than 40 percent
//! within the span, for example because of a split, they are the net income over the newest number. Fiscal years of
//! 52 or 53 weeks count as years. A transition period of another length does not, so twelve months across it are
//! absent. Nothing is converted: facts in a currency other than that of the newest report are left out.

pub mod fiscal;
mod periods;
mod statements;

use std::collections::BTreeMap;

use model::{Concept, Day, Fact, FactSet};

use periods::{Spans, is_quarter, is_year};
pub use statements::{Statement, StatementPeriod, change_since_a_year, statements};

/// If a company's quarters all end more than this before the end of the period, it does not count as reporting
/// quarterly.
const RECENT_DAYS: i32 = 400;

/// If the diluted shares of two quarters differ by more than this factor, they are from before and after a split, or
/// an offering that makes a sum of earnings per share meaningless.
const SHARES_FACTOR: f64 = 1.4;

/// The period that the flows of [`Fundamentals`] cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basis {
    /// The twelve months up to the newest quarter.
    Ttm,
    /// The newest fiscal year: the company reports only annually, or the twelve months cannot be determined.
    FiscalYear,
}

/// A company's figures. Any figure that cannot be derived is absent.
#[derive(Clone, Debug, PartialEq)]
pub struct Fundamentals {
    /// Revenue of the period.
    pub revenue_ttm: Option<f64>,
    /// Net income for the period, attributable to the shareholders of the parent.
    pub net_income_ttm: Option<f64>,
    /// Diluted earnings per share for the period.
    pub eps_ttm: Option<f64>,
    /// Net income as a percentage of revenue.
    pub profit_margin_pct: Option<f64>,
    /// Interest-bearing debt, due within a year and later, over equity on the same day: a ratio, 0.5 if debt is half
    /// of equity. Absent without reported debt or if equity is not positive.
    pub debt_to_equity: Option<f64>,
    /// Shares on the newest cover page, otherwise on the newest balance sheet.
    pub shares_outstanding: Option<f64>,
    /// Dividends for the period, per share.
    pub dividends_per_share_ttm: Option<f64>,
    /// Cash from operations for the period.
    pub operating_cash_flow_ttm: Option<f64>,
    /// Gross profit as a percentage of revenue.
    pub gross_margin_pct: Option<f64>,
    /// Operating income as a percentage of revenue.
    pub operating_margin_pct: Option<f64>,
    /// Revenue for the period compared with the twelve months before it, in percent.
    pub revenue_growth_pct: Option<f64>,
    /// Diluted earnings per share for the period compared with the twelve months before it, in percent; absent if
    /// those were not positive.
    pub eps_growth_pct: Option<f64>,
    /// ISO 4217 code of every sum above.
    pub currency: String,
    /// Last day of the period.
    pub period_end: Day,
    /// The kind of period.
    pub basis: Basis,
    /// The day on which the newest filing about the period was filed.
    pub filed: Day,
    /// That filing, or the collection from which the figures come.
    pub accession: String,
    /// Whether it is a filing.
    pub is_filing: bool,
}

impl Fundamentals {
    /// Where the figures come from.
    pub fn source(&self) -> String {
        if self.is_filing {
            format!("SEC filing {} of {}", self.accession, self.filed)
        } else {
            format!(
                "statements collected by a data provider, known since {}",
                self.filed
            )
        }
    }
}

/// The newest number for each concept and period, and where it came from.
type Newest<'a> = BTreeMap<(Concept, Option<Day>, Day), &'a Fact>;

/// A company's figures as known at the end of a day; `None` if no filing has revenue or income for a period.
pub fn fundamentals(sets: &[&FactSet], as_of: Day) -> Option<Fundamentals> {
    let sets = known(sets, as_of);
    let currency = currency(&sets)?;
    let newest = newest(&sets, currency);
    let spans = |concept| Spans::of(&newest, concept);
    let (revenue, income) = (spans(Concept::Revenue), spans(Concept::NetIncome));
    let newest_end = revenue.newest_end().max(income.newest_end())?;
    let has_quarters = [&revenue, &income].into_iter().any(|spans| {
        spans
            .ends_of(is_quarter)
            .any(|end| newest_end.since(end) <= RECENT_DAYS)
    });
    let trailing = |end| {
        revenue
            .twelve_months(end)
            .or(income.twelve_months(end))
            .is_some()
    };
    let (period_end, basis) = if has_quarters && trailing(newest_end) {
        (newest_end, Basis::Ttm)
    } else {
        let years = [&revenue, &income]
            .into_iter()
            .flat_map(|spans| spans.ends_of(is_year));
        (years.max()?, Basis::FiscalYear)
    };
    let over = |concept| spans(concept).twelve_months(period_end);
    let revenue_ttm = revenue.twelve_months(period_end);
    let net_income_ttm = income.twelve_months(period_end);
    let of_revenue = |part: Option<f64>| {
        let margin = part? / revenue_ttm.filter(|revenue| *revenue > 0.0)? * 100.0;
        margin.is_finite().then_some(margin)
    };
    let before = revenue.year_before(period_end);
    let growth = |now: Option<f64>, then: Option<f64>| {
        let growth = (now? / then.filter(|then| *then > 0.0)? - 1.0) * 100.0;
        growth.is_finite().then_some(growth)
    };
    let eps_ttm = earnings_per_share(&newest, net_income_ttm, period_end);
    let eps_before =
        before.and_then(|end| earnings_per_share(&newest, income.twelve_months(end), end));
    let revenue_before = before.and_then(|end| revenue.twelve_months(end));
    let reported = sets.iter().rev().find(|set| {
        let flows = [Concept::Revenue, Concept::NetIncome];
        set.facts.iter().any(|fact| {
            flows.contains(&fact.concept) && fact.start.is_some() && fact.end == period_end
        })
    })?;
    Some(Fundamentals {
        revenue_ttm,
        net_income_ttm,
        eps_ttm,
        revenue_growth_pct: growth(revenue_ttm, revenue_before),
        eps_growth_pct: growth(eps_ttm, eps_before),
        profit_margin_pct: of_revenue(net_income_ttm),
        debt_to_equity: debt_to_equity(&newest),
        shares_outstanding: latest(&newest, Concept::SharesOutstanding).map(|(_, value)| value),
        dividends_per_share_ttm: over(Concept::DividendsPerShare),
        operating_cash_flow_ttm: over(Concept::OperatingCashFlow),
        gross_margin_pct: of_revenue(over(Concept::GrossProfit)),
        operating_margin_pct: of_revenue(over(Concept::OperatingIncome)),
        currency: currency.to_owned(),
        period_end,
        basis,
        filed: reported.filed,
        accession: reported.accession.clone(),
        is_filing: reported.is_filing(),
    })
}

/// The filings known at the end of a day, oldest first. Figures from a third-party collection count only if there is
/// no filing: their periods end on other days, so the two together would count everything twice.
fn known<'a>(sets: &[&'a FactSet], as_of: Day) -> Vec<&'a FactSet> {
    let known = || sets.iter().copied().filter(|set| set.filed <= as_of);
    let has_filings = known().any(FactSet::is_filing);
    let mut sets: Vec<&FactSet> = known()
        .filter(|set| !has_filings || set.is_filing())
        .collect();
    sets.sort_by(|a, b| {
        let order = |set: &FactSet| (set.filed, set.accepted_at);
        order(a)
            .cmp(&order(b))
            .then_with(|| a.accession.cmp(&b.accession))
    });
    sets
}

/// The currency in which a company reports, from its filings in order from the oldest to the newest: that of the
/// newest filing that has revenue, income or equity; US dollars if that filing has both.
pub fn currency<'a>(sets: &[&'a FactSet]) -> Option<&'a str> {
    let concepts = [Concept::Revenue, Concept::NetIncome, Concept::Equity];
    sets.iter().rev().find_map(|set| {
        let mut units = set
            .facts
            .iter()
            .filter(|fact| concepts.contains(&fact.concept))
            .map(|fact| fact.unit.as_str());
        let first = units.next()?;
        Some(if units.any(|unit| unit == "USD") {
            "USD"
        } else {
            first
        })
    })
}

fn newest<'a>(sets: &[&'a FactSet], currency: &str) -> Newest<'a> {
    let mut newest = Newest::new();
    for fact in sets.iter().flat_map(|set| &set.facts) {
        let money = fact.unit.split('/').next().unwrap_or_default();
        if (money == currency || fact.unit == "shares") && fact.value.is_finite() {
            newest.insert((fact.concept, fact.start, fact.end), fact);
        }
    }
    newest
}

/// The newest date of a concept, and its value.
fn latest(newest: &Newest<'_>, concept: Concept) -> Option<(Day, f64)> {
    newest
        .iter()
        .filter(|((known, start, _), _)| *known == concept && start.is_none())
        .map(|((_, _, end), fact)| (*end, fact.value))
        .next_back()
}

fn debt_to_equity(newest: &Newest<'_>) -> Option<f64> {
    let (day, equity) = latest(newest, Concept::Equity)?;
    let debt = debt(newest, day)?;
    let ratio = debt / equity;
    (equity > 0.0 && debt >= 0.0 && ratio.is_finite()).then_some(ratio)
}

/// Interest-bearing debt on a day, due within a year and later.
fn debt(newest: &Newest<'_>, day: Day) -> Option<f64> {
    let at = |concept| newest.get(&(concept, None, day)).map(|fact| fact.value);
    match (at(Concept::LongTermDebt), at(Concept::TotalDebt)) {
        (Some(long), _) => Some(long + at(Concept::ShortTermDebt).unwrap_or(0.0)),
        (None, Some(total)) => Some(total),
        (None, None) => at(Concept::ShortTermDebt),
    }
    .filter(|debt: &f64| debt.is_finite())
}

fn earnings_per_share(newest: &Newest<'_>, net_income: Option<f64>, end: Day) -> Option<f64> {
    let reported = Spans::of(newest, Concept::EpsDiluted);
    if let Some((_, year)) = reported.year(end) {
        return Some(year);
    }
    let diluted = Spans::of(newest, Concept::DilutedShares);
    if counts_differ(&diluted, end)
        && let (Some(count), Some(income)) = (diluted.newest_value(end), net_income)
    {
        return Some(income / count).filter(|eps| eps.is_finite());
    }
    reported
        .twelve_months(end)
        .or_else(|| Spans::of(newest, Concept::EpsBasic).twelve_months(end))
}

/// Whether the diluted shares of a year's quarters differ so much that their earnings per share cannot be added up.
fn counts_differ(diluted: &Spans, end: Day) -> bool {
    let counts = || diluted.within_a_year(end).filter(|count| *count > 0.0);
    let most = counts().fold(0.0, f64::max);
    let least = counts().fold(f64::INFINITY, f64::min);
    most > least * SHARES_FACTOR
}

#[cfg(test)]
mod tests;
