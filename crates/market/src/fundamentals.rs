//! From the facts of a company's filings to its figures of the last twelve months.
//!
//! Filings report periods, not trailing years: a quarterly report has its quarter and the year so far, cash flows often only
//! the latter, the annual report only the year. So the fourth quarter is the year less the nine months before it, any other
//! missing quarter the difference of two spans of one fiscal year, and twelve months are four quarters in a row. Of several
//! filings that report one period the newest counts, so restated numbers take the place of the first ones as soon as they
//! are filed, and not before: facts filed after `as_of` are not seen.
//!
//! An example: a year of revenue 100, nine months of it 70, and in the next year a first quarter of 28 after 20 a year before.
//! The fourth quarter was 100 - 70 = 30, and the last twelve months are 100 - 20 + 28 = 108, the same as the four quarters.
//!
//! Where two spellings of a sum are possible the year as reported comes first, then four quarters, then year plus year so
//! far less the year so far before. Earnings per share are added up like everything else, although the shares behind them
//! differ; where their diluted number changes by more than 40 percent within the span, as by a split, they are the net income
//! over the newest number. Fiscal years of 52 or 53 weeks are years, a transition period of another length is none, so the
//! twelve months across it are absent. Nothing is converted: facts in another currency than the newest report's are left out.

mod periods;
mod statements;

use std::collections::BTreeMap;

use model::{Concept, Day, Fact, FactSet};

use periods::{Spans, is_quarter, is_year};
pub use statements::{Statement, StatementPeriod, change_since_a_year, statements};

/// Quarters older than this before the end of the period do not make their company one that reports quarters.
const RECENT_DAYS: i32 = 400;

/// Diluted shares of two quarters that differ by more than this factor are of before and after a split, or an offering that
/// makes a sum of earnings per share meaningless.
const SHARES_FACTOR: f64 = 1.4;

/// What the flows of [`Fundamentals`] cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basis {
    /// The twelve months up to the newest quarter.
    Ttm,
    /// The newest fiscal year: the company reports years only, or the twelve months cannot be determined.
    FiscalYear,
}

/// Figures of a company. What cannot be derived is absent.
#[derive(Clone, Debug, PartialEq)]
pub struct Fundamentals {
    /// Revenue of the period.
    pub revenue_ttm: Option<f64>,
    /// Net income of the period, that of the shareholders of the parent.
    pub net_income_ttm: Option<f64>,
    /// Diluted earnings per share of the period.
    pub eps_ttm: Option<f64>,
    /// Net income of revenue, in percent.
    pub profit_margin_pct: Option<f64>,
    /// Interest-bearing debt, due within a year and later, over equity of the same day: a ratio, 0.5 for half as much debt as
    /// equity. Absent without reported debt and where equity is not positive.
    pub debt_to_equity: Option<f64>,
    /// Shares on the newest cover, else on the newest balance sheet.
    pub shares_outstanding: Option<f64>,
    /// Dividends of the period, per share.
    pub dividends_per_share_ttm: Option<f64>,
    /// Cash from operations of the period.
    pub operating_cash_flow_ttm: Option<f64>,
    /// Gross profit of revenue, in percent.
    pub gross_margin_pct: Option<f64>,
    /// Operating income of revenue, in percent.
    pub operating_margin_pct: Option<f64>,
    /// Revenue of the period against that of the twelve months before it, in percent.
    pub revenue_growth_pct: Option<f64>,
    /// Diluted earnings per share of the period against those of the twelve months before it, in percent; absent where those
    /// were not positive.
    pub eps_growth_pct: Option<f64>,
    /// ISO 4217 code of every sum above.
    pub currency: String,
    /// Last day of the period.
    pub period_end: Day,
    /// What the period is.
    pub basis: Basis,
    /// The day on which the newest filing about the period was filed.
    pub filed: Day,
    /// That filing, or whose collection the figures are from.
    pub accession: String,
    /// Whether it is a filing.
    pub is_filing: bool,
}

impl Fundamentals {
    /// Where the figures are from.
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

/// The newest number of each concept and period, and where it came from.
type Newest<'a> = BTreeMap<(Concept, Option<Day>, Day), &'a Fact>;

/// The figures of one company as known at the end of a day; `None` where no filing has revenue or income of a period.
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

/// The filings known at the end of a day, oldest first. Figures that somebody collected count where there is no filing: their
/// periods end on other days, so that both together would be two of each.
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

/// The currency in which a company reports, of its filings from the oldest to the newest: that of the newest that has revenue, income or equity; US dollars where that filing has both.
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

/// The newest date of a concept and its value.
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

/// Whether the diluted shares of the quarters of a year differ so much that their earnings per share cannot be added up.
fn counts_differ(diluted: &Spans, end: Day) -> bool {
    let counts = || diluted.within_a_year(end).filter(|count| *count > 0.0);
    let most = counts().fold(0.0, f64::max);
    let least = counts().fold(f64::INFINITY, f64::min);
    most > least * SHARES_FACTOR
}

#[cfg(test)]
mod tests;
