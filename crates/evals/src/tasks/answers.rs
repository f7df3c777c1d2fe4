//! Whether answers about different topics are different: with names and numbers masked, no sentence may appear twice.
//!
//! Each stream is published as it came in, and asked about the twenty names that most briefs are about and that no
//! brief names together.

use std::collections::{BTreeMap, BTreeSet};

use analysis::{Period, TopicQuery, context, intelligence};
use anyhow::Context as _;
use model::BriefId;
use serde_json::Value;
use store::{EntityQuery, Store};

use crate::data::{self, Data};
use crate::published::Published;
use crate::seen;
use crate::table::{Table, figure};

/// Topics for each stream, and the names that they are chosen from.
const TOPICS: usize = 20;
const NAMES: u64 = 400;

/// The streams of news.
pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let sets = data.sets(&data::STREAMS);
    if sets.is_empty() {
        return Ok(Vec::new());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .worker_threads(2)
        .build()?;
    let mut table = Table::new(
        "Answers of `/context` and `/intelligence` on twenty topics of each stream",
        &[
            "stream",
            "seen",
            "topics",
            "sentences",
            "repeated for two topics",
            "answers with a quoted source",
            "mean confidence",
        ],
    );
    for set in sets {
        let rows: Vec<Value> = set.rows()?;
        let seen = seen::mark("answers", seen::items(&rows));
        let answers = runtime
            .block_on(ask(set.text()?))
            .with_context(|| format!("stream {}", set.name))?;
        let (sentences, repeated) = repeated(&answers);
        for sentence in &repeated {
            println!("repeated for two topics: {sentence}");
        }
        let cited = answers.iter().filter(|answer| answer.cited).count();
        let confidence: f64 = answers.iter().map(|answer| answer.confidence).sum();
        table.row([
            set.name,
            seen.to_owned(),
            answers.len().to_string(),
            sentences.to_string(),
            repeated.len().to_string(),
            cited.to_string(),
            figure(confidence / answers.len().max(1) as f64),
        ]);
    }
    table.note("Names (capitalised words) and numbers are masked before sentences are compared.");
    Ok(vec![table])
}

struct Answer {
    sentences: BTreeSet<String>,
    cited: bool,
    confidence: f64,
}

/// Publishes a stream and asks about its topics.
async fn ask(text: String) -> anyhow::Result<Vec<Answer>> {
    let Published { store, index, end } = Published::of([text]).await?;
    let mut answers = Vec::new();
    for topic in topics(&store).await? {
        let query = TopicQuery {
            topic,
            period: Period::Month,
            end,
            as_of: None,
            categories: Vec::new(),
        };
        let context = context(&store, &index, &query).await?;
        let found = intelligence(&store, &index, &query).await?;
        let sides = &context.perspectives;
        let sentences = [
            &context.summary,
            &sides.supporting,
            &sides.opposing,
            &sides.neutral,
            &found.causal_analysis,
            &found.prediction,
        ]
        .into_iter()
        .flat_map(|text| text::sentence::split(text))
        .map(masked)
        // What is nothing but names says nothing that could be repeated.
        .filter(|sentence| sentence.split(' ').any(|word| !matches!(word, "N" | "0")))
        .collect();
        answers.push(Answer {
            sentences,
            cited: !context.citations.is_empty(),
            confidence: context.confidence.score(),
        });
    }
    Ok(answers)
}

/// The names that most briefs are about, none named together with one before.
async fn topics(store: &Store) -> anyhow::Result<Vec<String>> {
    let query = EntityQuery {
        limit: NAMES,
        ..EntityQuery::default()
    };
    let mut chosen: Vec<(String, BTreeSet<BriefId>)> = Vec::new();
    for entity in store.entities().list(&query).await? {
        let (_, briefs) = store
            .entities()
            .briefs(&entity.name, None, &[], 500, None)
            .await?;
        let briefs: BTreeSet<BriefId> = briefs.iter().map(|stored| stored.brief.id).collect();
        let is_new = chosen
            .iter()
            .all(|(_, others)| briefs.intersection(others).next().is_none());
        if is_new {
            chosen.push((entity.name, briefs));
        }
        if chosen.len() == TOPICS {
            break;
        }
    }
    Ok(chosen.into_iter().map(|(name, _)| name).collect())
}

/// A sentence without names and numbers.
fn masked(sentence: &str) -> String {
    text::token::words(sentence)
        .map(|word| {
            if word.chars().any(|character| character.is_ascii_digit()) {
                "0".to_owned()
            } else if word.chars().next().is_some_and(char::is_uppercase) {
                "N".to_owned()
            } else {
                word.to_lowercase()
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// How many sentences there are, and those that more than one answer gives.
fn repeated(answers: &[Answer]) -> (usize, Vec<String>) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for sentence in answers.iter().flat_map(|answer| &answer.sentences) {
        *counts.entry(sentence).or_default() += 1;
    }
    let repeated = counts
        .iter()
        .filter(|(_, count)| **count > 1)
        .map(|(sentence, _)| (*sentence).to_owned())
        .collect();
    (counts.values().sum(), repeated)
}
