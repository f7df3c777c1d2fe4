//! Fields of work, each with sources and questions of its own.
//!
//! Finance reads filings and series, law reads court and regulatory events by jurisdiction and day, research compares outlets with each
//! other, compliance asks who says a rule or sanction is in force and what changed. What authorities are called is a table.

use std::sync::LazyLock;

use query::{Intent, Reading};
use serde_json::{Map, Value, json};

use super::critic::{Fault, Material};
use super::sources::{step, subject};
use crate::figures::{count, day, large, percent, quoted};
use crate::plan::{Plan, Step};
use crate::view::View;

/// A filing older than this may be superseded, in days.
const OLD_FILING: i32 = 120;
/// The share of one outlet from which a comparison rests on it.
const MOST_OF_ONE: f64 = 0.6;
/// Rows of a section.
const ROWS: usize = 8;

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

    /// What its sources are about.
    pub(crate) const fn field(self) -> &'static str {
        match self {
            Self::Finance => "filings, figures and series",
            Self::Legal => "courts and regulators",
            Self::Research => "sources compared with each other",
            Self::Compliance => "rules and sanctions",
            Self::Custom => "the roles that were named",
        }
    }

    /// What it wants to know beside the question.
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

    /// Sources that no question asks for by itself.
    pub(crate) fn sources(self, reading: &Reading, plan: &Plan) -> Vec<Step> {
        let subject = subject(reading);
        if subject.chars().count() < 2 {
            return Vec::new();
        }
        let actor = reading.instruments.first().map(|_| subject.clone());
        let search = |key, words: &str| {
            let arguments =
                json!({"q": format!("{subject} {words}"), "per_page": 5, "depth": "deep"});
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
            Self::Finance | Self::Custom => Vec::new(),
            Self::Legal => vec![
                events("vertical_lawsuits", "lawsuit"),
                events("vertical_events", "regulation"),
                search("vertical_news", "court regulator lawsuit ruling"),
            ],
            Self::Research => {
                let topic: String = subject.chars().take(200).collect();
                vec![
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
                ]
            }
            Self::Compliance => vec![
                search("vertical_rules", "sanctions export controls"),
                search("vertical_news", "regulation rule compliance"),
                events("vertical_events", "regulation"),
            ],
        }
    }

    /// Questions of the critic that belong to the field.
    pub(crate) fn review(self, material: &Material<'_>) -> Vec<Fault> {
        match self {
            Self::Finance => of_filings(material),
            Self::Legal => {
                let matters = matters(material.data);
                let open = matters.iter().filter(|one| one.authority.is_none()).count();
                if matters.is_empty() {
                    vec![Fault::minor(
                        "field",
                        "No lawsuit, ruling or regulatory act on it is on record.",
                    )]
                } else if open > 0 {
                    vec![Fault::minor(
                        "field",
                        if matters.len() == 1 {
                            "The one matter on record names neither court nor regulator, so that its jurisdiction is open.".to_owned()
                        } else {
                            format!(
                                "{open} of {} name neither court nor regulator, so that their jurisdiction is open.",
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
                if matters.iter().any(|one| one.authority.is_some()) {
                    Vec::new()
                } else if matters.is_empty() {
                    vec![Fault::minor(
                        "field",
                        "No report on rules or sanctions is on record; that is no clearance.",
                    )]
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

    /// What the field adds to the synthesis.
    pub(crate) fn section(self, data: &Map<String, Value>) -> Option<String> {
        match self {
            Self::Legal | Self::Compliance => section_of_matters(self, data),
            Self::Research => section_of_outlets(data),
            Self::Finance => section_of_figures(data),
            Self::Custom => None,
        }
    }
}

/// An authority.
struct Authority {
    name: &'static str,
    jurisdiction: &'static str,
    role: &'static str,
}

const TABLE: &str = include_str!("../../data/authorities.tsv");

static AUTHORITIES: LazyLock<Vec<Authority>> = LazyLock::new(|| {
    let rows = model::table::rows::<3>(TABLE);
    rows.map(|[name, jurisdiction, role]| Authority {
        name,
        jurisdiction,
        role,
    })
    .collect()
});

/// The authority that a text names first, by whole words.
fn authority(text: &str) -> Option<&'static Authority> {
    let mut first: Option<(usize, &Authority)> = None;
    for one in AUTHORITIES.iter() {
        let place = text.match_indices(one.name).map(|(at, _)| at).find(|at| {
            let before = text[..*at].chars().next_back();
            let after = text[at + one.name.len()..].chars().next();
            let is_edge = |mark: Option<char>| !mark.is_some_and(char::is_alphanumeric);
            is_edge(before) && is_edge(after)
        });
        let Some(place) = place else { continue };
        let is_better = first.is_none_or(|(known, other)| {
            place < known || (place == known && one.name.len() > other.name.len())
        });
        if is_better {
            first = Some((place, one));
        }
    }
    first.map(|(_, one)| one)
}

/// A matter of law: a report of it, when, and who decides.
struct Matter<'a> {
    date: &'a str,
    headline: &'a str,
    brief_id: &'a str,
    source: Option<&'a str>,
    authority: Option<&'static Authority>,
}

/// The matters among the results, newest first, each brief once.
fn matters(data: &Map<String, Value>) -> Vec<Matter<'_>> {
    let mut matters: Vec<Matter<'_>> = Vec::new();
    for key in ["vertical_lawsuits", "vertical_events"] {
        for event in data
            .get(key)
            .map(|one| View(one).list("events"))
            .into_iter()
            .flatten()
        {
            let Some(matter) = of_event(event) else {
                continue;
            };
            if !matters
                .iter()
                .any(|known| known.brief_id == matter.brief_id)
            {
                matters.push(matter);
            }
        }
    }
    for key in ["vertical_news", "vertical_rules"] {
        for brief in data
            .get(key)
            .map(|one| View(one).list("briefs"))
            .into_iter()
            .flatten()
        {
            let Some(matter) = of_brief(brief) else {
                continue;
            };
            // What search finds is about law only where it names who decides.
            let is_known = matters
                .iter()
                .any(|known| known.brief_id == matter.brief_id);
            if matter.authority.is_some() && !is_known {
                matters.push(matter);
            }
        }
    }
    matters.sort_by(|one, other| other.date.cmp(one.date));
    matters
}

fn of_event(event: View<'_>) -> Option<Matter<'_>> {
    let (headline, sentence) = (
        event.text("headline")?,
        event.text("sentence").unwrap_or_default(),
    );
    Some(Matter {
        date: event.text("date")?,
        headline,
        brief_id: event.text("brief_id")?,
        source: None,
        authority: authority(headline).or_else(|| authority(sentence)),
    })
}

fn of_brief(brief: View<'_>) -> Option<Matter<'_>> {
    let (headline, summary) = (
        brief.text("headline")?,
        brief.text("summary").unwrap_or_default(),
    );
    Some(Matter {
        date: brief.text("published_at")?,
        headline,
        brief_id: brief.text("id")?,
        source: brief
            .list("sources")
            .into_iter()
            .find_map(|source| source.text("name")),
        authority: authority(headline).or_else(|| authority(summary)),
    })
}

fn section_of_matters(vertical: Vertical, data: &Map<String, Value>) -> Option<String> {
    let matters = matters(data);
    if matters.is_empty() {
        return None;
    }
    let title = if vertical == Vertical::Legal {
        "Matters by day and jurisdiction"
    } else {
        "Who says so, and when"
    };
    let mut lines = vec![
        format!("**{title}**"),
        String::new(),
        "| Day | Jurisdiction | Authority | Matter |".to_owned(),
        "|---|---|---|---|".to_owned(),
    ];
    for matter in matters.iter().take(ROWS) {
        let (jurisdiction, name) = matter.authority.map_or_else(
            || ("not named".to_owned(), "not named".to_owned()),
            |one| {
                (
                    one.jurisdiction.to_owned(),
                    format!("{} ({})", one.name, one.role),
                )
            },
        );
        let source = matter
            .source
            .map(|source| format!(", {}", quoted(source)))
            .unwrap_or_default();
        lines.push(format!(
            "| {} | {jurisdiction} | {name} | {} ({}{source}) |",
            day(matter.date),
            quoted(matter.headline).replace('|', "/"),
            matter.brief_id,
        ));
    }
    Some(lines.join("\n"))
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

fn section_of_figures(data: &Map<String, Value>) -> Option<String> {
    let yields = data.get("yields").map(View)?;
    let rows = yields.list("yields");
    let of = |maturity: &str| {
        rows.iter()
            .find(|row| row.text("maturity") == Some(maturity))
            .and_then(|row| Some((row.number("yield_pct")?, row.text("date")?)))
    };
    let (two, ten) = (of("2y")?, of("10y")?);
    let gap = ten.0 - two.0;
    Some(format!(
        "**Series**\n\n- Treasury yields of {}: {} for two years, {} for ten; the curve is {}{}.",
        day(ten.1),
        percent_two(two.0),
        percent_two(ten.0),
        if gap < 0.0 { "inverted" } else { "upward" },
        data.get("market")
            .and_then(|market| View(market).number("market_cap"))
            .map(|cap| format!(", market value {}", large(cap, "USD")))
            .unwrap_or_default()
    ))
}

fn percent_two(value: f64) -> String {
    format!("{value:.2}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authorities_are_a_tidy_table() {
        assert_eq!(model::table::fault(TABLE, 3, 1), None);
    }

    #[test]
    fn an_authority_is_named_by_whole_words_and_the_first_counts() {
        let of = |text: &str| authority(text).map(|one| (one.name, one.jurisdiction));
        assert_eq!(
            of("The SEC sued the firm after the European Commission had fined it"),
            Some(("SEC", "United States"))
        );
        assert_eq!(of("A second section of the SECURE act"), None);
        assert_eq!(
            of("The Court of Justice of the European Union ruled"),
            Some(("Court of Justice of the European Union", "European Union"))
        );
    }
}
