//! Research: what the stored news say about a question, put together from many briefs.
//!
//! The standard depth searches, ranks the sentences of the briefs it finds, tests the first of them and says what is
//! not known. The deep one follows the names and related searches that the first search returns, tests more findings,
//! and reads causes across categories. Each finding is a sentence of a source, tied to its brief. It is a run of steps
//! with a receipt.

mod findings;
pub(crate) mod operation;
mod question;
mod report;

use std::sync::Arc;

use operations::{Context, Error, Result};
use serde_json::{Value, json};

use crate::OPERATIONS;
use crate::ask::MissingBody;
use crate::figures::count;
use crate::runs::{Done, Finished, Keeping, NewRun, Run, Verified};
use crate::view::View;
use findings::Finding;

/// The number of findings, by depth.
const STANDARD: usize = 5;
const DEEP: usize = 8;
/// The number of findings to test, by depth.
const TESTED: usize = 3;
const TESTED_DEEP: usize = 6;
/// The number of further searches in deep research.
const FOLLOWED: usize = 4;
/// The number of briefs on a page of search results.
const PAGE: usize = 50;

/// The request.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) query: String,
    pub(crate) max_sources: usize,
    pub(crate) is_deep: bool,
    pub(crate) category: Option<String>,
}

/// A brief that was read.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) brief: Arc<Value>,
    /// How well it fits the query that found it, as a share of the best.
    pub(crate) relevance: f64,
    /// The query that found it, if that was not the one requested.
    pub(crate) by: Option<String>,
}

impl Source {
    pub(crate) fn view(&self) -> View<'_> {
        View(&self.brief)
    }

    /// Headline and summary.
    fn text(&self) -> String {
        let of = |field: &str| self.view().text(field).unwrap_or_default().to_owned();
        format!("{} {}", of("headline"), of("summary"))
    }

    pub(crate) fn id(&self) -> &str {
        self.view().text("id").unwrap_or_default()
    }
}

/// What was found.
pub(crate) struct Found {
    pub(crate) sources: Vec<Source>,
    pub(crate) findings: Vec<Finding>,
    /// The background of the topic, as returned by `/context`.
    pub(crate) background: Option<Arc<Value>>,
    /// The topic across categories, as returned by `/intelligence`.
    pub(crate) across: Option<Arc<Value>>,
    pub(crate) tested: Vec<Verified>,
    pub(crate) missing: Vec<MissingBody>,
    /// The number of briefs that match the query in total.
    pub(crate) total: u64,
}

/// Completed research.
pub(crate) struct Researched {
    pub(crate) found: Found,
    pub(crate) run: Finished,
    pub(crate) report: report::Report,
}

/// Researches a question.
pub(crate) async fn research(context: &Context, asked: &Asked) -> Result<Researched> {
    // Without a search there is nothing to put together.
    let search_tariff = &OPERATIONS.find("search_briefs")?.tariff;
    search_tariff.admit(&context.caller, "GET", "/api/v1/search")?;
    let run = Run::new(
        context,
        NewRun {
            kind: "research",
            subject: asked.query.chars().take(80).collect(),
            inputs: json!({"query": asked.query, "max_sources": asked.max_sources, "deep": asked.is_deep, "category": asked.category}),
            budget: u64::MAX,
            keeping: Keeping::AtTheEnd,
        },
        None,
    );
    let (first, background) = futures::join!(
        search(&run, asked, "search", &asked.query, asked.max_sources),
        read(&run, asked, "background", "show_topic_context")
    );
    let (mut sources, related, total) = first.unwrap_or_default();
    let question = question::Question::new(&asked.query, &sources);
    // If a search for all words finds nothing, it returns briefs with some of them.
    if sources.iter().any(|one| question.is_met_by(&one.text())) {
        sources.retain(|one| question.is_met_by(&one.text()));
    }
    let mut missing = Vec::new();
    let mut across = None;
    if asked.is_deep {
        let queries = follow(&asked.query, &sources, &related);
        let room = asked
            .max_sources
            .saturating_sub(sources.len())
            .max(asked.max_sources / 4);
        let each = room.div_ceil(queries.len().max(1)).clamp(1, PAGE);
        let searches = queries.iter().map(|query| {
            let run = &run;
            async move {
                let name = format!("search: {query}");
                (query, search(run, asked, &name, query, each).await)
            }
        });
        for (query, result) in futures::future::join_all(searches).await {
            for one in result.unwrap_or_default().0 {
                // A name leads to everything known about it; only what is about the question stays.
                if question.is_met_by(&one.text())
                    && sources.iter().all(|known| known.id() != one.id())
                {
                    sources.push(Source {
                        // What is found along the way says less about the question itself.
                        relevance: one.relevance * 0.5,
                        by: Some(query.clone()),
                        ..one
                    });
                }
            }
        }
        across = read(&run, asked, "causes", "show_topic_intelligence").await;
    }
    sources.sort_by(|one, other| other.relevance.total_cmp(&one.relevance));
    sources.truncate(asked.max_sources);
    if sources.is_empty() {
        missing.push(MissingBody {
            field: "report",
            reason: "no brief on record is about this".to_owned(),
            source: "/api/v1/search".to_owned(),
        });
    }
    let number = if asked.is_deep { DEEP } else { STANDARD };
    let mut findings = findings::choose(&asked.query, &sources, number);
    let mut tested = Vec::new();
    if !findings.is_empty() {
        let most = if asked.is_deep { TESTED_DEEP } else { TESTED };
        let claims: Vec<&str> = findings
            .iter()
            .take(most)
            .map(|finding| finding.sentence.as_str())
            .collect();
        tested = crate::tested::test(&run, &claims, "finding", "findings").await;
        for finding in &mut findings {
            finding.verdict = tested
                .iter()
                .find(|one| one.claim == finding.sentence)
                .map(|one| one.verdict.clone());
        }
    }
    let found = Found {
        sources,
        findings,
        background,
        across,
        tested,
        missing,
        total,
    };
    let report = report::write(asked, &found, context.end());
    let status = run.status();
    let text = report.text();
    let run = run
        .finish(
            status,
            &text,
            json!({"summary": report.summary, "key_findings": report.key_findings}),
        )
        .await?;
    if run.status == crate::runs::RunStatus::Failed {
        return Err(Error::internal("no source of the research answered"));
    }
    Ok(Researched { found, run, report })
}

/// Searches; returns the briefs, related searches, and the total number of matches.
async fn search(
    run: &Run<'_>,
    asked: &Asked,
    name: &str,
    query: &str,
    most: usize,
) -> Option<(Vec<Source>, Vec<String>, u64)> {
    let depth = if asked.is_deep { "deep" } else { "standard" };
    let inputs =
        json!({"q": query, "depth": depth, "category": asked.category, "per_page": most.min(PAGE)});
    let mut found = None;
    let arguments = inputs.clone();
    let step = async {
        let answer = run.consult("search_briefs", arguments).await?;
        let view = View(&answer);
        let total = view.whole("total").unwrap_or_default();
        let briefs = view.list("briefs");
        let best = briefs
            .iter()
            .filter_map(|brief| brief.number("search_score"))
            .fold(0.0, f64::max);
        let sources: Vec<Source> = briefs
            .iter()
            .map(|brief| Source {
                relevance: if best > 0.0 {
                    brief.number("search_score").unwrap_or_default() / best
                } else {
                    0.0
                },
                brief: Arc::new(brief.0.clone()),
                by: None,
            })
            // Search finds something for everything.
            .filter(|source| source.relevance >= 0.25 && !source.view().flag("by_meaning"))
            .collect();
        let related = view
            .list("related_queries")
            .iter()
            .filter_map(|one| one.0.as_str().map(str::to_owned))
            .collect();
        let summary = format!(
            "{} of {total} that match.",
            count(sources.len() as u64, "brief", "briefs")
        );
        let output =
            json!({"briefs": sources.iter().map(Source::id).collect::<Vec<_>>(), "total": total});
        found = Some((sources, related, total));
        Ok(Done {
            summary,
            output,
            confidence: None,
            credits: None,
        })
    };
    run.step(name, inputs, 0, step).await;
    found
}

/// Reads what an operation says about the topic.
async fn read(run: &Run<'_>, asked: &Asked, name: &str, operation: &str) -> Option<Arc<Value>> {
    let topic: String = asked.query.chars().take(200).collect();
    let arguments = json!({"topic": topic, "period": "90d", "category": asked.category});
    let mut found = None;
    let inputs = arguments.clone();
    let step = async {
        let answer = run.consult(operation, arguments).await?;
        let view = View(&answer);
        let briefs = view.whole("brief_count").unwrap_or_default();
        let done = Done {
            summary: format!("From {} of 90 days.", count(briefs, "brief", "briefs")),
            output: json!({"briefs": briefs}),
            confidence: view.number("confidence").filter(|_| briefs > 0),
            credits: None,
        };
        found = Some(answer);
        Ok(done)
    };
    run.step(name, inputs, 0, step).await;
    found.filter(|answer| View(answer).whole("brief_count").unwrap_or_default() > 0)
}

/// The leads from the first search: related searches, and the names that its briefs share.
fn follow(query: &str, sources: &[Source], related: &[String]) -> Vec<String> {
    let asked = query.to_lowercase();
    let mut queries: Vec<String> = Vec::new();
    let mut add = |text: &str| {
        let is_new = !asked.contains(&text.to_lowercase())
            && !queries.iter().any(|known| known.eq_ignore_ascii_case(text));
        if is_new && text.chars().count() > 2 && queries.len() < FOLLOWED {
            queries.push(text.to_owned());
        }
    };
    for one in related.iter().take(FOLLOWED / 2) {
        add(one);
    }
    let mut names: Vec<(String, usize)> = Vec::new();
    for name in sources
        .iter()
        .take(10)
        .flat_map(|source| source.view().list("entities"))
    {
        let Some(name) = name.0.as_str() else {
            continue;
        };
        match names.iter_mut().find(|(known, _)| known == name) {
            Some((_, times)) => *times += 1,
            None => names.push((name.to_owned(), 1)),
        }
    }
    names.sort_by_key(|one| std::cmp::Reverse(one.1));
    for (name, _) in names.iter().filter(|(_, times)| *times > 1) {
        add(name);
    }
    queries
}
