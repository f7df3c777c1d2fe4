//! Fields of analysis, each with its own sources and questions.
//!
//! Finance reads filings and series, law reads court and regulatory events by jurisdiction and day (`matters`),
//! research compares outlets with each other, compliance asks who says a rule or sanction is in force and what changed.

use query::{Intent, Reading};
use serde_json::{Map, Value, json};

use super::critic::{Fault, Material};
use super::matters::{self, Matter, matters};
use super::relevance::{spoken, subject};
use super::sources::step;
use crate::figures::{change, count, day, large, money, percent, plain, quoted};
use crate::plan::{Plan, Step};
use crate::view::View;

/// The age in days from which a filing may be superseded.
const OLD_FILING: i32 = 120;
/// The share of one outlet from which a comparison depends on it.
const MOST_OF_ONE: f64 = 0.6;
/// The most rows in a section.
const ROWS: usize = 8;
/// Companies whose statements are read, by the keys of their results.
const STATEMENTS: [&str; 2] = ["vertical_statements", "vertical_statements_beside"];
/// The most quarters of a company.
const QUARTERS: usize = 5;

/// What a field says first.
pub(crate) enum Lead {
    /// What is on record.
    Matters(String),
    /// That nothing is on record.
    Nothing(String),
}

/// A field of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vertical {
    Finance,
    Legal,
    Research,
    Compliance,
    Custom,
}

impl Vertical {
    /// The word for it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Finance => "finance",
            Self::Legal => "legal",
            Self::Research => "research",
            Self::Compliance => "compliance",
            Self::Custom => "custom",
        }
    }

    /// What its sources are about; a field without sources of its own is about nothing.
    pub(crate) const fn field(self) -> Option<&'static str> {
        match self {
            Self::Finance => Some("filings, figures and series"),
            Self::Legal => Some("courts and regulators"),
            Self::Research => Some("sources compared with each other"),
            Self::Compliance => Some("rules and sanctions"),
            Self::Custom => None,
        }
    }

    /// Whether it searches for reports in its field itself.
    pub(crate) const fn searches(self) -> bool {
        matches!(self, Self::Legal | Self::Compliance)
    }

    /// What it wants to know in addition to the question.
    pub(crate) fn intents(self, reading: &Reading) -> Vec<Intent> {
        let has_company = reading
            .instruments
            .iter()
            .any(|one| one.kind == query::Kind::Share);
        match self {
            Self::Finance if has_company => vec![
                Intent::Outlook,
                Intent::Fundamentals,
                Intent::Filings,
                Intent::Insider,
            ],
            Self::Finance if !reading.instruments.is_empty() => vec![Intent::Outlook],
            _ => Vec::new(),
        }
    }

    /// Sources that no question calls for on its own.
    pub(crate) fn sources(self, reading: &Reading, plan: &Plan) -> Vec<Step> {
        let subject = subject(reading);
        if subject.chars().count() < 2 {
            return Vec::new();
        }
        let actor = reading.instruments.first().map(|_| subject.clone());
        let search = |key, words: &str| {
            let arguments = json!({
                "q": format!("{} {words}", spoken(reading)), "per_page": 5, "depth": "deep",
            });
            step(plan, key, "search_briefs", "search", arguments, true)
        };
        let events = |key, kind: &str| {
            let arguments = json!({"type": kind, "subject": actor, "period": "30d", "limit": 20});
            step(plan, key, "list_events", "events", arguments, true)
        };
        match self {
            Self::Finance if reading.instruments.is_empty() => vec![
                step(
                    plan,
                    "yields",
                    "show_treasury_yields",
                    "economy/yields",
                    json!({}),
                    false,
                ),
                step(
                    plan,
                    "market",
                    "show_market_summary",
                    "market/summary",
                    json!({}),
                    false,
                ),
            ],
            Self::Finance => reading
                .instruments
                .iter()
                .filter(|one| one.kind == query::Kind::Share)
                .zip(STATEMENTS)
                .map(|(share, key)| {
                    let symbol = share.symbol.as_str();
                    let arguments =
                        json!({"symbol": symbol, "period": "quarter", "limit": QUARTERS});
                    let path = format!("ticker/{symbol}/statements");
                    step(plan, key, "list_statements", &path, arguments, true)
                })
                .collect(),
            Self::Custom => Vec::new(),
            Self::Legal => vec![
                events("vertical_lawsuits", "lawsuit"),
                events("vertical_events", "regulation"),
                search("vertical_news", "lawsuit"),
                search("vertical_rules", "court ruling"),
            ],
            Self::Research => {
                let topic: String = subject.chars().take(200).collect();
                // A single report rarely contains all words of a question about a series.
                let series = reading
                    .series
                    .first()
                    .filter(|_| reading.instruments.is_empty());
                let by_name = series.map(|series| {
                    let arguments = json!({"q": series.name(), "per_page": 5, "sort": "newest"});
                    step(
                        plan,
                        "vertical_news",
                        "search_briefs",
                        "search",
                        arguments,
                        true,
                    )
                });
                let mut steps = vec![
                    step(
                        plan,
                        "vertical_compare",
                        "compare_sources",
                        "compare/sources",
                        json!({"topic": topic}),
                        true,
                    ),
                    step(
                        plan,
                        "vertical_contradictions",
                        "list_contradictions",
                        "contradictions",
                        json!({"period": "30d", "limit": 10}),
                        false,
                    ),
                ];
                steps.extend(by_name);
                steps
            }
            Self::Compliance => vec![
                search("vertical_rules", "sanctions export controls"),
                search("vertical_news", "regulation rule compliance"),
                events("vertical_events", "regulation"),
            ],
        }
    }

    /// The critic's questions that belong to the field.
    pub(crate) fn review(self, material: &Material<'_>) -> Vec<Fault> {
        match self {
            Self::Finance => of_filings(material),
            Self::Legal if !matters::were_looked_for(material.data) => Vec::new(),
            Self::Legal => {
                let matters = matters(material.data);
                let open = matters.iter().filter(|one| one.is_open()).count();
                if matters.is_empty() {
                    vec![Fault::minor(
                        "field",
                        "No lawsuit, ruling or regulatory act on it is on record.",
                    )]
                } else if open > 0 {
                    vec![Fault::minor(
                        "field",
                        if matters.len() == 1 {
                            "The one matter on record does not say whose court or regulator it is before.".to_owned()
                        } else {
                            format!(
                                "{open} of {} do not say whose court or regulator they are before.",
                                count(matters.len() as u64, "matter", "matters")
                            )
                        },
                    )]
                } else {
                    Vec::new()
                }
            }
            Self::Research => of_outlets(material),
            Self::Compliance => {
                let matters = matters(material.data);
                if matters.iter().any(Matter::has_authority) {
                    Vec::new()
                } else if matters.is_empty() {
                    let reports = material.reports().len() as u64;
                    let statement = if reports == 0 {
                        "No report on rules or sanctions is on record; that is no clearance."
                            .to_owned()
                    } else {
                        format!(
                            "Of {} found, none names the authority that decides; that is no clearance.",
                            count(reports, "report", "reports")
                        )
                    };
                    vec![Fault::minor("field", statement)]
                } else {
                    vec![Fault::major(
                        "field",
                        "No authority is named by any of the reports: only the press says so.",
                    )]
                }
            }
            Self::Custom => Vec::new(),
        }
    }

    /// What the field says first: what is on record about it, or that nothing is.
    pub(crate) fn lead(self, data: &Map<String, Value>, reading: &Reading) -> Option<Lead> {
        let (of, then) = match reading.instruments.first() {
            Some(_) => (quoted(&subject(reading)), "What else is known of it:"),
            None => (
                format!("“{}”", quoted(&subject(reading))),
                "What a search finds nearest to it:",
            ),
        };
        let (title, nothing) = match self {
            Self::Legal => (
                "Matters by day and jurisdiction",
                format!(
                    "**No lawsuit, ruling or regulatory act on {of} is on record**, neither among the events of the last 30 \
                     days nor in what a search finds. {then}"
                ),
            ),
            Self::Compliance => (
                "Who says so, and when",
                format!(
                    "**No report on {of} names an authority that decides; that is no clearance.** {then}"
                ),
            ),
            Self::Finance | Self::Research | Self::Custom => return None,
        };
        match matters::section(title, data) {
            Some(matters) => Some(Lead::Matters(matters)),
            None => matters::were_looked_for(data).then_some(Lead::Nothing(nothing)),
        }
    }

    /// What the field adds to the synthesis.
    pub(crate) fn section(self, data: &Map<String, Value>) -> Option<String> {
        match self {
            Self::Research => section_of_outlets(data),
            Self::Finance => section_of_statements(data).or_else(|| section_of_series(data)),
            Self::Legal | Self::Compliance | Self::Custom => None,
        }
    }
}

fn of_outlets(material: &Material<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    let Some(compare) = material.data.get("vertical_compare").map(View) else {
        return faults;
    };
    let outlets = compare.list("outlets");
    let articles: u64 = outlets.iter().filter_map(|one| one.whole("articles")).sum();
    if let Some(most) = outlets.iter().max_by_key(|one| one.whole("articles"))
        && let (Some(name), Some(own)) = (most.text("name"), most.whole("articles"))
        && articles > 2
        && own as f64 / articles as f64 >= MOST_OF_ONE
    {
        faults.push(Fault::minor(
            "field",
            format!("{own} of {articles} articles are by {name}."),
        ));
    }
    if let Some(score) = compare.number("agreement/score")
        && score < 0.5
    {
        faults.push(Fault::major(
            "field",
            format!(
                "The outlets agree on {} of their figures.",
                percent(score * 100.0)
            ),
        ));
    }
    faults
}

fn section_of_outlets(data: &Map<String, Value>) -> Option<String> {
    let compare = View(data.get("vertical_compare")?);
    let outlets = compare.list("outlets");
    if outlets.is_empty() {
        return None;
    }
    let mut lines = vec![
        "**Sources against each other**".to_owned(),
        String::new(),
        "| Outlet | Articles | Trust | Lean | First report |".to_owned(),
        "|---|---|---|---|---|".to_owned(),
    ];
    for outlet in outlets.iter().take(ROWS) {
        lines.push(format!(
            "| {} | {} | {} | {} | {} |",
            quoted(outlet.text("name").unwrap_or("unknown")).replace('|', "/"),
            outlet.whole("articles").unwrap_or_default(),
            outlet.text("trust_level").unwrap_or("unknown"),
            outlet.text("bias_direction").unwrap_or("none"),
            outlet
                .text("first_published_at")
                .map(day)
                .unwrap_or_default(),
        ));
    }
    for difference in compare.list("differences").into_iter().take(4) {
        if let Some(statement) = difference.text("statement") {
            lines.push(String::new());
            lines.push(format!("- {}", quoted(statement)));
        }
    }
    Some(lines.join("\n"))
}

fn of_filings(material: &Material<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (symbol, filings) in material.parts("filings") {
        let newest = filings
            .list("filings")
            .iter()
            .filter(|filing| {
                matches!(
                    filing.text("form_type"),
                    Some("10-K" | "10-Q" | "20-F" | "40-F" | "6-K")
                )
            })
            .filter_map(|filing| filing.text("filed_date"))
            .max();
        let of = symbol
            .map(|symbol| format!(" of {symbol}"))
            .unwrap_or_default();
        match newest.and_then(super::claims::day_of) {
            None => faults.push(Fault::minor(
                "field",
                format!("No annual or quarterly report{of} is among the filings held."),
            )),
            Some(filed) if material.today.since(filed) > OLD_FILING => faults.push(Fault::minor(
                "field",
                format!(
                    "The newest annual or quarterly report{of} was filed on {}; figures may be superseded.",
                    day(&filed.to_string())
                ),
            )),
            Some(_) => {}
        }
    }
    faults
}

/// What companies filed for their last quarters, or that nothing of the kind is on record.
fn section_of_statements(data: &Map<String, Value>) -> Option<String> {
    let found: Vec<View<'_>> = STATEMENTS
        .iter()
        .filter_map(|key| data.get(*key).map(View))
        .collect();
    if found.is_empty() {
        return None;
    }
    let mut parts = vec!["**Filings and figures**".to_owned()];
    parts.extend(found.into_iter().map(of_quarters));
    Some(parts.join("\n\n"))
}

/// The quarters of one company as a table, with what they add up to.
fn of_quarters(statements: View<'_>) -> String {
    let ticker = statements.text("ticker").unwrap_or("The company");
    let rows = statements.list("statements");
    let Some(newest) = rows.first() else {
        return statements.why_empty().map_or_else(
            || format!("No filing with figures of {ticker} is on record."),
            |why| format!("{ticker}: {why}."),
        );
    };
    let currency = statements.text("currency").unwrap_or("USD");
    let shown = |value: Option<f64>, write: &dyn Fn(f64) -> String| {
        value.map_or_else(|| "–".to_owned(), write)
    };
    let mut lines = vec![
        "| Quarter to | Filed | Revenue | On the year | Profit margin | Earnings a share |"
            .to_owned(),
        "|---|---|---|---|---|---|".to_owned(),
    ];
    for row in &rows {
        lines.push(format!(
            "| {} | {} | {} | {} | {} | {} |",
            row.text("period_end").map(day).unwrap_or_default(),
            row.text("filed_date").map(day).unwrap_or_default(),
            shown(row.number("revenue"), &|value| large(value, currency)),
            shown(row.number("revenue_growth"), &change),
            shown(row.number("profit_margin"), &percent),
            shown(row.number("eps"), &|value| money(value, currency)),
        ));
    }
    let grown: Vec<f64> = rows
        .iter()
        .filter_map(|row| row.number("revenue_growth"))
        .collect();
    let more = grown.iter().filter(|growth| **growth > 0.0).count();
    let course = (grown.len() > 1).then(|| {
        format!(
            ", and revenue was above that of the year before in {more} of the last {} quarters",
            grown.len()
        )
    });
    let filed = newest.text("filed_date").map(day).unwrap_or_default();
    let end = newest.text("period_end").map(day).unwrap_or_default();
    format!(
        "The newest figures of {ticker} are those of the quarter to {end}, filed on {filed}{}.\n\n{}",
        course.unwrap_or_default(),
        lines.join("\n")
    )
}

/// Yields and the market, if no company is named.
fn section_of_series(data: &Map<String, Value>) -> Option<String> {
    let mut lines = Vec::new();
    let yields = data.get("yields").map(|yields| View(yields).list("yields"));
    let rows = yields.unwrap_or_default();
    let of = |maturity: &str| {
        rows.iter()
            .find(|row| row.text("maturity") == Some(maturity))
            .and_then(|row| Some((row.number("yield_pct")?, row.text("date")?)))
    };
    if let (Some(two), Some(ten)) = (of("2y"), of("10y")) {
        lines.push(format!(
            "- Treasury yields of {}: {} for two years, {} for ten; the curve is {}.",
            day(ten.1),
            percent_two(two.0),
            percent_two(ten.0),
            if ten.0 < two.0 { "inverted" } else { "upward" },
        ));
    }
    let indices = data
        .get("market")
        .map(|market| View(market).list("indices"));
    for index in indices.unwrap_or_default().iter().take(2) {
        if let (Some(name), Some(price), Some(moved), Some(on)) = (
            index.text("name"),
            index.number("price"),
            index.number("change_pct"),
            index.text("date"),
        ) {
            lines.push(format!(
                "- {name}: {} on {}, {} from the close before.",
                plain(price),
                day(on),
                change(moved)
            ));
        }
    }
    (!lines.is_empty()).then(|| format!("**Series**\n\n{}", lines.join("\n")))
}

fn percent_two(value: f64) -> String {
    format!("{value:.2}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(value: Value) -> Map<String, Value> {
        let Value::Object(fields) = value else {
            panic!("no object");
        };
        fields
    }

    #[test]
    fn a_company_has_its_filings_and_figures() {
        let quarter = |end: &str, growth: f64| {
            json!({
                "period_end": end, "filed_date": "2026-11-16", "revenue": 145.4e9, "revenue_growth": growth,
                "profit_margin": 25.2, "eps": 2.47,
            })
        };
        let found = data(json!({"vertical_statements": {
            "ticker": "AAPL", "currency": "USD",
            "statements": [quarter("2026-09-30", 3.7), quarter("2026-06-30", -1.0)],
        }}));
        let section = Vertical::Finance.section(&found).unwrap();
        assert!(section.starts_with("**Filings and figures**"), "{section}");
        assert!(
            section.contains("quarter to 30 Sep 2026, filed on 16 Nov 2026, and revenue was above that of the year before in 1 of the last 2 quarters."),
            "{section}"
        );
        assert!(
            section.contains("$145.40 billion") && section.contains("| $2.47 |"),
            "{section}"
        );
    }

    #[test]
    fn a_company_without_figures_says_why() {
        let found = data(json!({"vertical_statements": {
            "ticker": "YNG", "statements": [],
            "data_status": [{"field": "statements", "reason": "no filing with financial data is available for this company"}],
        }}));
        assert_eq!(
            Vertical::Finance.section(&found).unwrap(),
            "**Filings and figures**\n\nYNG: no filing with financial data is available for this company."
        );
    }

    #[test]
    fn without_a_company_the_series_are_shown() {
        let found = data(json!({
            "yields": {"yields": [
                {"maturity": "2y", "yield_pct": 4.5, "date": "2026-11-23"},
                {"maturity": "10y", "yield_pct": 4.15, "date": "2026-11-23"},
            ]},
            "market": {"indices": [
                {"name": "S&P 500", "price": 7042.95, "change_pct": -0.36, "date": "2026-11-23"},
            ]},
        }));
        let section = Vertical::Finance.section(&found).unwrap();
        assert!(section.contains("4.50% for two years, 4.15% for ten; the curve is inverted."));
        assert!(
            section.contains("- S&P 500: 7,042.95 on 23 Nov 2026, -0.36%"),
            "{section}"
        );
        assert_eq!(Vertical::Finance.section(&data(json!({}))), None);
    }
}
