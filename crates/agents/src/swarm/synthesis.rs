//! The text of an analysis: the answer, what its field adds, what was tested, and what speaks against it.

use serde_json::{Map, Value};

use super::critic::Fault;
use super::vertical::Lead;
use super::{Tested, Vertical, sources};
use crate::answer::Answer;
use crate::ask::Question;
use crate::figures::{count, day, quoted, sentence};
use crate::runs::{StepRecord, mean};
use crate::view::View;

/// How many outlets are named next to a statement.
const NAMED: usize = 2;

/// The material for the text.
pub(crate) struct Parts<'a> {
    pub(crate) answer: &'a Answer,
    pub(crate) vertical: Option<Vertical>,
    pub(crate) data: &'a Map<String, Value>,
    pub(crate) tested: &'a [Tested],
    pub(crate) faults: &'a [Fault],
    pub(crate) is_researched: bool,
    pub(crate) question: &'a Question,
}

/// Writes the text.
pub(crate) fn write(parts: &Parts<'_>) -> String {
    if !parts.is_researched {
        return format!(
            "Nothing was researched, since no researcher was among the roles. The plan: {}",
            sources::told(parts.question, parts.vertical, 0)
        );
    }
    let lead = parts
        .vertical
        .and_then(|one| one.lead(parts.data, &parts.question.reading));
    // That nothing is on record is not a reservation if it comes first.
    let says_nothing = matches!(lead, Some(Lead::Nothing(_)));
    let mut text: Vec<String> = lead
        .into_iter()
        .map(|(Lead::Matters(text) | Lead::Nothing(text))| text)
        .collect();
    text.push(parts.answer.summary.clone());
    if let Some(section) = parts.vertical.and_then(|one| one.section(parts.data)) {
        text.push(section);
    }
    if !parts.tested.is_empty() {
        let lines: Vec<String> = parts.tested.iter().map(line).collect();
        text.push(format!("**What was tested**\n\n{}", lines.join("\n")));
    }
    if !parts.faults.is_empty() {
        let lines: Vec<String> = parts
            .faults
            .iter()
            .filter(|fault| fault.kind != "contradicted" && fault.kind != "unsupported")
            .filter(|fault| !(says_nothing && fault.kind == "field"))
            .map(|fault| {
                let second = fault
                    .second_look
                    .as_deref()
                    .map(|look| format!(" {look}"))
                    .unwrap_or_default();
                format!("- {}{second}", sentence(&quoted(&fault.statement)))
            })
            .collect();
        if !lines.is_empty() {
            text.push(format!("**Reservations**\n\n{}", lines.join("\n")));
        }
    }
    text.join("\n\n")
}

fn line(one: &Tested) -> String {
    let verdict = match one.verified.verdict.as_str() {
        "supported" => "Supported",
        "partially_supported" => "Supported in part",
        "contradicted" => "Contradicted",
        _ => "Open",
    };
    let is_of_data = View(&one.verified.body).text("source") == Some("data");
    let by = match one.verified.verdict.as_str() {
        verdict if is_of_data && verdict != "unverifiable" => {
            Some(" by the stored figures".to_owned())
        }
        "contradicted" => one
            .verified
            .source
            .as_deref()
            .map(|source| format!(" by {}", quoted(source))),
        "supported" | "partially_supported" if !one.confirmed_by.is_empty() => {
            let named: Vec<String> = one
                .confirmed_by
                .iter()
                .take(NAMED)
                .map(|name| quoted(name))
                .collect();
            let more = one.confirmed_by.len().saturating_sub(NAMED);
            let more = if more > 0 {
                format!(" and {}", count(more as u64, "other", "others"))
            } else {
                String::new()
            };
            Some(format!(" by {}{more}", named.join(", ")))
        }
        // The outlet in which the verifier found it: a brief may name another first.
        "supported" => one
            .verified
            .source
            .as_deref()
            .or(one.candidate.outlet.as_deref())
            .map(|outlet| format!(" by {} alone", quoted(outlet))),
        _ => None,
    };
    // `Friday` and `record high` refer to the day on which they were printed.
    let printed = one
        .candidate
        .printed
        .map(|printed| format!(" (printed {})", day(&printed.to_string())));
    format!(
        "- {verdict}{}: “{}”{}",
        by.unwrap_or_default(),
        quoted(&one.candidate.claim),
        printed.unwrap_or_default()
    )
}

/// The text with the answer written by a model.
pub(crate) fn with_prose(prose: &str, template: &str, answer: &Answer) -> String {
    match template.split_once(answer.summary.as_str()) {
        Some((lead, rest)) => format!("{lead}{prose}{rest}"),
        None => prose.to_owned(),
    }
}

/// The combined confidence of the steps before it.
pub(crate) fn confidence(steps: &[StepRecord]) -> Option<f64> {
    mean(steps.iter().filter_map(|step| step.confidence))
}

/// How it was written.
pub(crate) fn told(by_model: bool, tested: &[Tested], faults: &[Fault]) -> String {
    let how = if by_model {
        "Written by the language model from the results and checked against them"
    } else {
        "Written by fixed rules from the results"
    };
    format!(
        "{how}: {}, {}.",
        count(tested.len() as u64, "tested statement", "tested statements"),
        count(faults.len() as u64, "objection", "objections")
    )
}
