//! What is wrong with the findings.
//!
//! The critic reads results and tests and reports faults by type: what is contradicted or unsupported, what rests on a
//! single outlet, and what is old, one-sided, inconsistent or missing. It applies fixed rules and says for each fault
//! which result it concerns.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use model::Day;
use query::Reading;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::claims::day_of;
use super::relevance::{is_named, names};
use super::{Tested, Vertical};
use crate::ask::MissingBody;
use crate::figures::{count, day, day_of as day_written, money};
use crate::view::View;

/// Maximum number of faults that are reported.
const MOST: usize = 12;
/// News older than this many days says little about the present.
const OLD_NEWS: i32 = 14;
/// Minimum number of reports for counting sides.
const LEAST_SIDES: usize = 4;
/// Share of reports on one side above which coverage counts as one-sided.
const ONE_SIDE: f64 = 0.85;
/// Prices of one instrument that differ by more than this share count as different prices.
const SAME_PRICE: f64 = 0.02;

/// A fault.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = AnalysisFault)]
pub(crate) struct Fault {
    /// `contradicted`, `unsupported`, `single_source`, `stale`, `one_sided`, `conflicting`, `thin`, `missing`, or
    /// `field` for something that the vertical requires.
    pub(crate) kind: &'static str,
    /// `major` or `minor`.
    pub(crate) severity: &'static str,
    /// What is wrong, in a sentence.
    pub(crate) statement: String,
    /// The claim concerned. Absent if the fault concerns none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) claim: Option<String>,
    /// What the second pass found out about it. Absent if it was not examined again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) second_look: Option<String>,
}

impl Fault {
    pub(crate) fn minor(kind: &'static str, statement: impl Into<String>) -> Self {
        Self {
            kind,
            severity: "minor",
            statement: statement.into(),
            claim: None,
            second_look: None,
        }
    }

    pub(crate) fn major(kind: &'static str, statement: impl Into<String>) -> Self {
        Self {
            severity: "major",
            ..Self::minor(kind, statement)
        }
    }

    fn about(self, claim: &str) -> Self {
        Self {
            claim: Some(claim.to_owned()),
            ..self
        }
    }

    /// Whether additional sources could help.
    pub(crate) fn sends_back(&self) -> bool {
        matches!(self.kind, "unsupported" | "one_sided" | "thin" | "stale")
    }
}

/// The material under review.
pub(crate) struct Material<'a> {
    pub(crate) reading: &'a Reading,
    pub(crate) today: Day,
    pub(crate) vertical: Option<Vertical>,
    pub(crate) data: &'a Map<String, Value>,
    pub(crate) missing: &'a [MissingBody],
    pub(crate) tested: &'a [Tested],
}

/// A brief among the results.
pub(crate) struct Report<'a> {
    pub(crate) published: Option<Day>,
    pub(crate) sentiment: Option<f64>,
    pub(crate) outlets: Vec<&'a str>,
    /// Headline and summary of the brief.
    pub(crate) said: [&'a str; 2],
}

impl<'a> Material<'a> {
    /// The briefs among the results, each once.
    pub(crate) fn reports(&self) -> Vec<Report<'a>> {
        let mut seen: Vec<&str> = Vec::new();
        let mut reports = Vec::new();
        for value in self.data.values() {
            of_result(value, &mut |brief: View<'a>| {
                let Some(id) = brief.text("id").filter(|id| !seen.contains(id)) else {
                    return;
                };
                seen.push(id);
                reports.push(Report {
                    published: brief.text("published_at").and_then(day_of),
                    sentiment: brief
                        .number("sentiment_score")
                        .or_else(|| brief.number("sentiment")),
                    said: ["headline", "summary"].map(|name| brief.text(name).unwrap_or_default()),
                    outlets: brief
                        .list("sources")
                        .into_iter()
                        .filter_map(|source| source.text("name"))
                        .collect(),
                });
            });
        }
        reports
    }

    /// A result, or its parts if the results are grouped by symbol.
    pub(crate) fn parts(&self, key: &str) -> Vec<(Option<&'a str>, View<'a>)> {
        let Some(value) = self.data.get(key) else {
            return Vec::new();
        };
        let symbols: Vec<&str> = self
            .reading
            .instruments
            .iter()
            .map(|one| one.symbol.as_str())
            .collect();
        match value {
            Value::Object(fields)
                if !fields.is_empty()
                    && fields.keys().all(|name| symbols.contains(&name.as_str())) =>
            {
                fields
                    .iter()
                    .map(|(name, one)| (Some(name.as_str()), View(one)))
                    .collect()
            }
            _ => vec![(None, View(value))],
        }
    }
}

/// Calls the closure for every brief in a result.
fn of_result<'a>(value: &'a Value, each: &mut impl FnMut(View<'a>)) {
    match value.get("briefs") {
        Some(Value::Array(briefs)) => briefs.iter().map(View).for_each(each),
        _ => {
            for one in value.as_object().into_iter().flatten().map(|(_, one)| one) {
                if let Some(Value::Array(briefs)) = one.get("briefs") {
                    briefs.iter().map(View).for_each(&mut *each);
                }
            }
        }
    }
}

/// The faults, most serious first.
pub(crate) fn review(material: &Material<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    of_claims(material, &mut faults);
    of_missing(material, &mut faults);
    of_age(material, &mut faults);
    of_sides(material, &mut faults);
    of_conflicts(material, &mut faults);
    if let Some(vertical) = material.vertical {
        faults.extend(vertical.review(material));
    }
    faults.sort_by_key(|fault| fault.severity != "major");
    // The same figure may be in two results.
    let mut said = BTreeSet::new();
    faults.retain(|fault| said.insert(fault.statement.clone()));
    faults.truncate(MOST);
    faults
}

fn of_claims(material: &Material<'_>, faults: &mut Vec<Fault>) {
    let mut alone = Vec::new();
    for one in material.tested {
        let claim = &one.candidate.claim;
        match one.verified.verdict.as_str() {
            "contradicted" => {
                let by = one
                    .verified
                    .source
                    .as_deref()
                    .map(|source| format!(" by {source}"))
                    .unwrap_or_default();
                let fault = Fault::major("contradicted", format!("Contradicted{by}: “{claim}”"));
                faults.push(fault.about(claim));
            }
            "unverifiable" if one.candidate.is_key => {
                let why = match View(&one.verified.body).text("reason") {
                    Some("not_checkable") => "it is no statement of fact",
                    Some("conflicting") => "the sources are at odds",
                    Some("stale") => "what is held is too old",
                    Some("source_blocked") => "its source could not be read",
                    _ => "nothing else held bears on it",
                };
                let fault =
                    Fault::minor("unsupported", format!("Left open, since {why}: “{claim}”"));
                faults.push(fault.about(claim));
            }
            "supported" if one.confirmed_by.is_empty() && one.candidate.outlet.is_some() => {
                alone.push(one);
            }
            _ => {}
        }
    }
    let supported = material
        .tested
        .iter()
        .filter(|one| one.verified.verdict == "supported")
        .count();
    if !alone.is_empty() && 2 * alone.len() >= supported {
        faults.push(Fault::minor(
            "single_source",
            if alone.len() == supported {
                "No supported statement is confirmed by a second outlet.".to_owned()
            } else {
                let (verb, them) = if alone.len() == 1 {
                    ("rests", "it")
                } else {
                    ("rest", "them")
                };
                format!(
                    "{} of {supported} supported statements {verb} on the outlet alone that printed {them}.",
                    alone.len()
                )
            },
        ));
    }
}

fn of_missing(material: &Material<'_>, faults: &mut Vec<Fault>) {
    for missing in material.missing {
        faults.push(Fault::minor(
            "missing",
            format!(
                "{} gave nothing: {}.",
                missing.source,
                missing.reason.trim_end_matches('.')
            ),
        ));
    }
    let reading = material.reading;
    let is_about_news = reading.instruments.is_empty() && reading.series.is_empty();
    if is_about_news && !material.data.is_empty() && material.reports().is_empty() {
        faults.push(Fault::major("missing", "No report on record is about it."));
    }
    if is_about_news {
        faults.extend(of_names(material));
    }
    for unknown in &material.reading.unknown {
        faults.push(Fault::major(
            "missing",
            format!("Nothing is listed as {unknown}, which the question names."),
        ));
    }
}

/// Names in the question that no report mentions, so that the findings cover only the rest of it.
fn of_names(material: &Material<'_>) -> Option<Fault> {
    let reports = material.reports();
    let mut unnamed = names(material.reading);
    unnamed.retain(|name| {
        let mut all = reports.iter().flat_map(|report| report.said);
        !all.any(|text| is_named(name, text))
    });
    let (last, others) = unnamed.split_last()?;
    let said = if others.is_empty() {
        last.clone()
    } else {
        format!("{} or {last}", others.join(", "))
    };
    let statement = match reports.len() {
        0 => return None,
        1 => format!("The one report that was found does not name {said}."),
        number => format!("None of the {number} reports that were found names {said}."),
    };
    Some(Fault::major("missing", statement))
}

fn of_age(material: &Material<'_>, faults: &mut Vec<Fault>) {
    // The same prices may be in several results; if one of them gives their day, it is reported.
    let mut old: Vec<(&str, String, Option<String>)> = Vec::new();
    for key in ["analysis", "technicals", "price", "coin", "financials"] {
        for (symbol, view) in material.parts(key) {
            let is_stale = view
                .list("data_status")
                .iter()
                .any(|status| status.flag("stale"))
                || view.flag("stale");
            if !is_stale {
                continue;
            }
            let of = symbol
                .map(|symbol| format!(" of {symbol}"))
                .unwrap_or_default();
            let date = view.text("date").or_else(|| view.text("updated_at"));
            let date = date.map(day_written);
            match old
                .iter_mut()
                .find(|(word, whose, _)| *word == of_key(key) && *whose == of)
            {
                Some((.., known)) => *known = known.take().or(date),
                None => old.push((of_key(key), of, date)),
            }
        }
    }
    for (word, of, date) in old {
        let date = date.map(|date| format!(" (of {date})")).unwrap_or_default();
        faults.push(Fault::minor(
            "stale",
            format!("The {word}{of}{date} are older than they should be."),
        ));
    }
    let reports = material.reports();
    let newest = reports.iter().filter_map(|report| report.published).max();
    if let Some(newest) = newest
        && material.reading.when.is_unsaid()
        && material.today.since(newest) > OLD_NEWS
    {
        faults.push(Fault::minor(
            "stale",
            format!(
                "The newest report on it is of {}, {} days before the question.",
                day(&newest.to_string()),
                material.today.since(newest)
            ),
        ));
    }
}

fn of_key(key: &str) -> &'static str {
    match key {
        "technicals" => "technicals",
        "financials" => "company figures",
        _ => "prices",
    }
}

fn of_sides(material: &Material<'_>, faults: &mut Vec<Fault>) {
    let reports = material.reports();
    let mut outlets: Vec<&str> = Vec::new();
    for name in reports.iter().flat_map(|report| &report.outlets) {
        if !outlets.contains(name) {
            outlets.push(name);
        }
    }
    if !reports.is_empty() && outlets.len() < 2 {
        faults.push(Fault::minor(
            "thin",
            match outlets.first() {
                Some(name) => format!("All reports are by {name}."),
                None => "No report names its outlet.".to_owned(),
            },
        ));
    }
    let sides: Vec<f64> = reports
        .iter()
        .filter_map(|report| report.sentiment)
        .collect();
    if sides.len() >= LEAST_SIDES {
        let of = |is: &dyn Fn(f64) -> bool| sides.iter().filter(|score| is(**score)).count();
        let (well, badly) = (of(&|score| score > 0.55), of(&|score| score < 0.45));
        for (number, word) in [(well, "favourable"), (badly, "unfavourable")] {
            if number as f64 >= ONE_SIDE * sides.len() as f64 {
                let of = if number == sides.len() {
                    format!("all {number} reports")
                } else {
                    format!("{number} of {} reports", sides.len())
                };
                faults.push(Fault::minor(
                    "one_sided",
                    format!("The sentiment of {of} is {word}."),
                ));
            }
        }
    }
    // That the reports are of one kind is said once.
    let is_said = faults.iter().any(|fault| fault.kind == "one_sided");
    if is_said {
        return;
    }
    if let Some(context) = material.data.get("context").map(View) {
        let has = |side: &str| context.text(&format!("perspectives/{side}")).is_some();
        if has("supporting") != has("opposing") {
            let (heard, silent) = if has("supporting") {
                ("in favour", "against it")
            } else {
                ("against it", "in favour")
            };
            faults.push(Fault::minor(
                "one_sided",
                format!("Sources speak {heard}; none is quoted that speaks {silent}."),
            ));
        }
    }
}

fn of_conflicts(material: &Material<'_>, faults: &mut Vec<Fault>) {
    for (symbol, analysis) in material.parts("analysis") {
        let of = symbol
            .or_else(|| analysis.text("ticker"))
            .unwrap_or("the instrument");
        let technicals = analysis.text("technicals/overall").unwrap_or_default();
        let sentiment = analysis.number("sentiment/score");
        let (up, down) = (technicals.contains("buy"), technicals.contains("sell"));
        match sentiment {
            Some(score) if up && score < 0.42 => faults.push(Fault::minor(
                "conflicting",
                format!("Indicators of {of} point up while its coverage is negative ({score:.2}, where 0.50 is neutral)."),
            )),
            Some(score) if down && score > 0.58 => faults.push(Fault::minor(
                "conflicting",
                format!("Indicators of {of} point down while its coverage is positive ({score:.2}, where 0.50 is neutral)."),
            )),
            _ => {}
        }
        let quoted = material
            .parts("price")
            .into_iter()
            .find(|(other, _)| *other == symbol)
            .and_then(|(_, price)| price.number("price"));
        if let (Some(close), Some(quote)) = (analysis.number("price"), quoted)
            && (close / quote - 1.0).abs() > SAME_PRICE
        {
            faults.push(Fault::major(
                "conflicting",
                format!(
                    "Two prices of {of} are in use: {} by the analysis, {} by the quote.",
                    money(close, ""),
                    money(quote, "")
                ),
            ));
        }
    }
    for key in ["contradictions", "vertical_contradictions"] {
        let Some(list) = material
            .data
            .get(key)
            .map(|value| View(value).list("contradictions"))
        else {
            continue;
        };
        for contradiction in list.into_iter().take(2) {
            if let Some(assessment) = contradiction.text("service_assessment") {
                faults.push(Fault::minor(
                    "conflicting",
                    format!(
                        "Sources contradict each other on “{}”: {assessment}",
                        contradiction.text("headline").unwrap_or("a report")
                    ),
                ));
            }
        }
    }
}

/// Adds what the second pass found out about the faults.
pub(crate) fn settle(faults: &mut [Fault], tested: &[Tested]) {
    let second: Vec<&Tested> = tested.iter().filter(|one| one.is_second).collect();
    for fault in faults.iter_mut().filter(|fault| fault.sends_back()) {
        fault.second_look = Some(match second.len() {
            // Something old stays old, whatever else was tested.
            _ if fault.kind == "stale" => "Nothing newer is on record.".to_owned(),
            0 => "Nothing further was found.".to_owned(),
            number => {
                let supported = second
                    .iter()
                    .filter(|one| one.verified.verdict == "supported")
                    .count() as u64;
                format!(
                    "{} tested in addition, {supported} supported.",
                    count(number as u64, "statement was", "statements were")
                )
            }
        });
    }
}

/// The faults in words.
pub(crate) fn told(faults: &[Fault]) -> String {
    if faults.is_empty() {
        return "No fault was found.".to_owned();
    }
    let major = faults
        .iter()
        .filter(|fault| fault.severity == "major")
        .count();
    let mut text = count(faults.len() as u64, "objection", "objections");
    if major > 0 {
        let _ = write!(text, ", {major} of them serious");
    }
    text.push(':');
    for fault in faults.iter().take(4) {
        text.push(' ');
        text.push_str(&fault.statement);
        if !text.ends_with(['.', '!', '?', '”']) {
            text.push('.');
        }
    }
    text
}

/// How well the findings stand up to the faults.
pub(crate) fn confidence(faults: &[Fault]) -> f64 {
    let cost: f64 = faults
        .iter()
        .map(|fault| {
            if fault.severity == "major" {
                0.25
            } else {
                0.07
            }
        })
        .sum();
    (0.95 - cost).max(0.1)
}

#[cfg(test)]
mod tests;
