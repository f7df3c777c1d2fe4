//! What the planner chooses and the researcher finds.

use std::fmt::Write as _;

use query::{How, Intent, Reading};
use serde_json::{Map, Value, json};

use super::critic::Fault;
use super::relevance::{matter, spoken, subject};
use super::{Tested, Vertical};
use crate::answer;
use crate::ask::Question;
use crate::figures::{change, count, day, money};
use crate::plan::{self, Plan, Step};
use crate::run::Outcome;
use crate::view::View;

/// The value of a source that answered but has nothing.
const EMPTY: f64 = 0.25;
/// The most words in a search.
const WORDS: usize = 8;
/// The number of sources in the second pass.
const AGAIN: usize = 2;

/// Plans for an analysis rather than for an answer: what the question asks for, what its vertical adds, and the news on
/// it.
pub(crate) fn add(question: &mut Question, vertical: Option<Vertical>) {
    let reading = &mut question.reading;
    // What ask would decline is still a subject that can be looked into.
    if reading.wants(Intent::Unclear) || reading.wants(Intent::Help) {
        reading.intents = vec![Intent::Topic];
    }
    // A question about rules and courts asks for reports about them: `EU digital markets act` is not about the markets
    // in general.
    let is_of_law =
        vertical.is_some_and(Vertical::searches) && !reading.wants(Intent::Verification);
    let is_misread = is_of_law && reading.wants(Intent::MarketOverview);
    if is_of_law {
        reading.intents.clear();
    }
    if reading.instruments.is_empty() && (is_misread || reading.topic.trim().chars().count() < 2) {
        reading.topic = reading
            .question
            .chars()
            .take(super::relevance::LONGEST_TOPIC)
            .collect();
    }
    let mut wanted = match vertical {
        Some(vertical) => vertical.intents(reading),
        // One or two instruments are analysed as a whole, whatever is asked about them.
        None if (1..=2).contains(&reading.instruments.len()) => vec![Intent::Outlook],
        None => Vec::new(),
    };
    wanted.push(if reading.instruments.is_empty() {
        Intent::Topic
    } else {
        Intent::News
    });
    let is_test = reading.wants(Intent::Verification);
    for intent in wanted {
        if !reading.wants(intent) && !is_test {
            reading.intents.push(intent);
        }
    }
    let mut plan = plan::plan_with(reading, question.today, false);
    if !vertical.is_some_and(Vertical::searches) {
        let on_matter = on_matter(reading, &plan);
        plan.steps.extend(on_matter);
    }
    let further = vertical.map(|vertical| vertical.sources(reading, &plan));
    for step in further.into_iter().flatten() {
        let is_known = plan
            .steps
            .iter()
            .any(|known| known.operation == step.operation && known.arguments == step.arguments);
        if !is_known {
            plan.steps.push(step);
        }
    }
    // Sources that a vertical depends on come before those that only give context.
    plan.steps.sort_by_key(|step| !step.is_needed);
    question.plan = plan;
}

/// The newest reports on a company say nothing about what is asked of it, so reports on that are searched for.
fn on_matter(reading: &Reading, plan: &Plan) -> Option<Step> {
    let matter = matter(reading)?;
    let arguments = json!({
        "q": format!("{} {}", spoken(reading), matter.join(" ")), "per_page": 5, "depth": "deep",
    });
    Some(step(
        plan,
        "search",
        "search_briefs",
        "search",
        arguments,
        true,
    ))
}

/// A step that is in no plan of a question.
pub(crate) fn step(
    plan: &Plan,
    key: &'static str,
    operation: &'static str,
    path: &str,
    arguments: Value,
    is_needed: bool,
) -> Step {
    let mut arguments = match arguments {
        Value::Object(arguments) => arguments,
        _ => Map::new(),
    };
    arguments.retain(|_, value| !value.is_null());
    if let Some(as_of) = plan.as_of {
        arguments.insert("as_of".to_owned(), json!(format!("{as_of}T23:59:59Z")));
    }
    Step {
        key,
        subject: None,
        operation,
        endpoint: format!("/api/v1/{path}"),
        arguments,
        is_needed,
    }
}

/// The plan in words.
pub(crate) fn told(question: &Question, vertical: Option<Vertical>, left_out: usize) -> String {
    let reading = &question.reading;
    let subjects: Vec<String> = reading
        .instruments
        .iter()
        .map(|one| format!("{} ({})", one.name, one.symbol))
        .collect();
    let about = if subjects.is_empty() {
        let series: Vec<String> = reading.series.iter().map(|one| one.name()).collect();
        if series.is_empty() {
            format!("“{}”", reading.topic)
        } else {
            series.join(", ")
        }
    } else {
        subjects.join(", ")
    };
    let wishes: Vec<String> = reading
        .intents
        .iter()
        .map(|intent| intent.as_str().replace('_', " "))
        .collect();
    let sources = &question.plan.steps;
    let mut text = format!(
        "About {about}; read as {}. {} to ask",
        wishes.join(", "),
        count(sources.len() as u64, "source", "sources"),
    );
    if let Some(field) = vertical.and_then(Vertical::field) {
        let _ = write!(text, ", chosen for {field}");
    }
    text.push('.');
    if let Some(as_of) = question.plan.as_of {
        let _ = write!(
            text,
            " Answered from what was known on {}.",
            day(&as_of.to_string())
        );
    }
    if left_out > 0 {
        let _ = write!(
            text,
            " {} left out, since the run has no room for more.",
            if left_out == 1 {
                "One further source is".to_owned()
            } else {
                format!("{left_out} further sources are")
            }
        );
    }
    text
}

/// How certain the planner is that the question was understood.
pub(crate) fn confidence(question: &Question) -> f64 {
    let reading = &question.reading;
    let names_something = !reading.instruments.is_empty()
        || !reading.series.is_empty()
        || !reading.sectors.is_empty()
        || reading.claim.is_some();
    let mut score: f64 = if names_something { 0.95 } else { 0.75 };
    if reading
        .instruments
        .iter()
        .any(|one| one.how == How::Misspelt)
    {
        score -= 0.2;
    }
    if !reading.unknown.is_empty() {
        score -= 0.25;
    }
    if question.plan.steps.is_empty() {
        score = 0.2;
    }
    score.clamp(0.05, 1.0)
}

/// Whether a result of a source contains nothing.
fn is_empty(key: &str, data: &Value) -> bool {
    let view = View(data);
    match key {
        "context" => view.whole("brief_count") == Some(0),
        "search" | "again" | "vertical_news" | "vertical_rules" => view.list("briefs").is_empty(),
        "vertical_events" | "vertical_lawsuits" => view.list("events").is_empty(),
        "vertical_contradictions" => view.list("contradictions").is_empty(),
        "vertical_compare" => view.list("outlets").is_empty(),
        "vertical_statements" | "vertical_statements_beside" => view.list("statements").is_empty(),
        _ => answer::is_empty(key, data),
    }
}

/// The share of sources that found something; needed ones count twice.
pub(crate) fn found(outcomes: &[Outcome]) -> f64 {
    let (mut all, mut held) = (0.0, 0.0);
    for outcome in outcomes {
        let weight = if outcome.step.is_needed { 2.0 } else { 1.0 };
        all += weight;
        held += weight
            * match &outcome.result {
                Ok(data) if !is_empty(outcome.step.key, data) => 1.0,
                Ok(_) => EMPTY,
                Err(_) => 0.0,
            };
    }
    if all > 0.0 { held / all } else { 0.0 }
}

/// What the sources found, one sentence each.
pub(crate) fn findings(question: &Question, outcomes: &[Outcome]) -> String {
    if outcomes.is_empty() {
        return "There was no source to ask.".to_owned();
    }
    let mut parts = Vec::new();
    let mut empty = Vec::new();
    let mut failed = Vec::new();
    for outcome in outcomes {
        let of = outcome
            .step
            .subject
            .as_deref()
            .map(|subject| format!(" of {subject}"))
            .unwrap_or_default();
        match &outcome.result {
            Err(reason) => failed.push(format!("{}: {reason}", outcome.step.endpoint)),
            Ok(data) if is_empty(outcome.step.key, data) => {
                empty.push(format!("{}{of}", said(outcome.step.key)));
            }
            Ok(data) => {
                let told = brought(question, outcome.step.key, View(data));
                let told = told.map(|text| format!("{text}{of}"));
                // Two sources may have returned the same price.
                parts.extend(told.filter(|told| !parts.contains(told)));
            }
        }
    }
    let answered = outcomes.iter().filter(|one| one.result.is_ok()).count();
    let mut text = format!(
        "{answered} of {} answered",
        count(outcomes.len() as u64, "source", "sources")
    );
    if parts.is_empty() {
        text.push('.');
    } else {
        let _ = write!(text, ": {}.", parts.join("; "));
    }
    if !empty.is_empty() {
        let _ = write!(text, " Nothing on record: {}.", empty.join(", "));
    }
    if !failed.is_empty() {
        let _ = write!(text, " No answer: {}.", failed.join("; "));
    }
    text
}

/// What one source found, if that fits into a few words.
fn brought(question: &Question, key: &str, data: View<'_>) -> Option<String> {
    let newest = |list: &[View<'_>], field: &str| {
        list.iter()
            .filter_map(|one| one.text(field))
            .max()
            .map(|at| format!(", the newest of {}", day(at)))
            .unwrap_or_default()
    };
    let listed = |name: &str, one: &str, many: &str, field: &str| {
        let list = data.list(name);
        (!list.is_empty()).then(|| {
            format!(
                "{}{}",
                count(list.len() as u64, one, many),
                newest(&list, field)
            )
        })
    };
    let currency = question
        .reading
        .instruments
        .first()
        .map_or("", |one| one.currency.as_str());
    match key {
        "price" | "analysis" | "coin" => {
            let price = data
                .number("price")
                .or_else(|| data.number("price/current"))?;
            let moved = data
                .number("change_pct")
                .map(|moved| format!(" ({})", change(moved)))
                .unwrap_or_default();
            Some(format!("price {}{moved}", money(price, currency)))
        }
        "technicals" => {
            let date = data.text("date")?;
            Some(format!("technicals of {}", day(date)))
        }
        "news" | "search" | "vertical_news" | "vertical_rules" | "portfolio" | "trending" => {
            listed("briefs", "brief", "briefs", "published_at")
        }
        "context" => data
            .whole("brief_count")
            .map(|briefs| format!("background from {}", count(briefs, "brief", "briefs"))),
        "events" | "vertical_events" | "vertical_lawsuits" | "calendar" => {
            listed("events", "event", "events", "date")
        }
        "filings" => listed("filings", "filing", "filings", "filed_date"),
        "vertical_statements" | "vertical_statements_beside" => listed(
            "statements",
            "quarterly statement",
            "quarterly statements",
            "period_end",
        ),
        "insider" => listed("insider_trades", "insider trade", "insider trades", "date"),
        "congress" => listed(
            "trades",
            "trade of members of Congress",
            "trades of members of Congress",
            "transaction_date",
        ),
        "contradictions" | "vertical_contradictions" => listed(
            "contradictions",
            "contradiction",
            "contradictions",
            "first_stated_at",
        ),
        "vertical_compare" => {
            let outlets = data.list("outlets");
            (!outlets.is_empty()).then(|| {
                format!(
                    "{} compared",
                    count(outlets.len() as u64, "outlet", "outlets")
                )
            })
        }
        other => Some(said(other)),
    }
}

/// A key of the data in words.
fn said(key: &str) -> String {
    match key {
        "vertical_news" => "reports of the field".to_owned(),
        "vertical_rules" => "reports on rules and sanctions".to_owned(),
        "vertical_events" => "regulatory events".to_owned(),
        "vertical_lawsuits" => "lawsuits".to_owned(),
        "vertical_statements" | "vertical_statements_beside" => "quarterly statements".to_owned(),
        "vertical_contradictions" => "contradictions between sources".to_owned(),
        "vertical_compare" => "a comparison of outlets".to_owned(),
        "insider" => "insider trades".to_owned(),
        "ticker" => "the profile".to_owned(),
        "economy" => "the series".to_owned(),
        "context" => "the background".to_owned(),
        "search" => "reports on what is asked of it".to_owned(),
        "analysts" => "analysts’ ratings".to_owned(),
        other => other.replace('_', " "),
    }
}

/// Follow-up queries that the critic's objections call for.
pub(crate) fn again(question: &Question, faults: &[Fault], tested: &[Tested]) -> Vec<Step> {
    let plan = &question.plan;
    let reading = &question.reading;
    let mut steps: Vec<Step> = Vec::new();
    let mut add = |step: Step| {
        let is_known =
            |known: &Step| known.operation == step.operation && known.arguments == step.arguments;
        if steps.len() < AGAIN && !steps.iter().any(is_known) && !plan.steps.iter().any(is_known) {
            steps.push(step);
        }
    };
    for fault in faults.iter().filter(|fault| fault.sends_back()) {
        match fault.kind {
            "unsupported" => {
                let weak = tested
                    .iter()
                    .find(|one| Some(&one.candidate.claim) == fault.claim.as_ref());
                if let Some(weak) = weak {
                    let arguments =
                        json!({"q": words(&weak.candidate.claim), "depth": "deep", "per_page": 5});
                    add(step(
                        plan,
                        "again",
                        "search_briefs",
                        "search",
                        arguments,
                        true,
                    ));
                }
            }
            "one_sided" | "thin" => {
                let topic = subject(reading);
                if topic.chars().count() >= 2 {
                    let arguments = json!({"topic": topic, "period": "90d"});
                    add(step(
                        plan,
                        "context",
                        "show_topic_context",
                        "context",
                        arguments,
                        true,
                    ));
                    let arguments = json!({"q": topic, "depth": "deep", "per_page": 10});
                    add(step(
                        plan,
                        "again",
                        "search_briefs",
                        "search",
                        arguments,
                        true,
                    ));
                }
            }
            "stale" => {
                let topic = subject(reading);
                if topic.chars().count() >= 2 {
                    let arguments = json!({"q": topic, "sort": "newest", "per_page": 5});
                    add(step(
                        plan,
                        "again",
                        "search_briefs",
                        "search",
                        arguments,
                        true,
                    ));
                }
            }
            _ => {}
        }
    }
    steps
}

/// The words of a statement that a search can use: names, figures and long words, in order.
fn words(claim: &str) -> String {
    let mut chosen: Vec<&str> = Vec::new();
    for word in claim.split(|mark: char| !mark.is_alphanumeric()) {
        let is_name = word.chars().next().is_some_and(char::is_uppercase) && word.len() > 2;
        let is_telling = is_name || word.chars().count() > 6;
        if is_telling && !chosen.contains(&word) {
            chosen.push(word);
        }
    }
    chosen.truncate(WORDS);
    chosen.join(" ")
}

/// What the second pass found.
pub(crate) fn findings_again(outcomes: &[Outcome]) -> String {
    let mut briefs = 0;
    let mut outlets: Vec<&str> = Vec::new();
    for outcome in outcomes {
        let Ok(data) = &outcome.result else { continue };
        let data = View(data);
        for brief in data.list("briefs") {
            briefs += 1;
            for source in brief.list("sources") {
                if let Some(name) = source.text("name").filter(|name| !outlets.contains(name)) {
                    outlets.push(name);
                }
            }
        }
        briefs += data.whole("brief_count").unwrap_or_default();
    }
    if briefs == 0 {
        "The second search brought nothing further.".to_owned()
    } else {
        format!(
            "The second search brought {}{}.",
            count(briefs, "brief", "briefs"),
            if outlets.is_empty() {
                String::new()
            } else {
                format!(" of {}", count(outlets.len() as u64, "outlet", "outlets"))
            }
        )
    }
}
