//! The background to a topic: what is known, who says what, when it happened and who is involved.

use model::Timestamp;
use search::Index;
use store::Store;

use super::TopicQuery;
use super::confidence::ConfidenceParts;
use super::entities::{self, KeyEntity, Relationship};
use super::facts::{self, KeyFact};
use super::material::Material;
use super::perspectives::{self, Perspectives};
use crate::Result;
use crate::sentences::{Sentence, choose, ended, quoted};

/// The number of sentences in a summary, and of days in a timeline.
const SUMMARY: usize = 4;
const TIMELINE: usize = 12;

/// What is known about a topic.
#[derive(Clone, Debug, PartialEq)]
pub struct Context {
    /// The topic as asked.
    pub topic: String,
    /// Sentences from its sources, each about a different aspect; if there are none, the reason.
    pub summary: String,
    /// The sentences in the summary, with their briefs.
    pub citations: Vec<Citation>,
    /// The sides that the sources take.
    pub perspectives: Perspectives,
    /// The most informative report of each day, oldest first.
    pub timeline: Vec<Day>,
    /// Who and what is involved, most important first.
    pub key_entities: Vec<KeyEntity>,
    /// Who is named together, strongest first.
    pub relationships: Vec<Relationship>,
    /// Figures that the sources give.
    pub key_facts: Vec<KeyFact>,
    /// How far this can be relied on.
    pub confidence: ConfidenceParts,
    /// Independent outlets.
    pub source_count: usize,
    /// Briefs that were read.
    pub brief_count: usize,
    /// Why there is too little for more than a few sentences.
    pub too_little: Option<String>,
    /// If nothing was found: when the topic was last in the news, or when the stored news ends.
    pub newest_available: Option<Timestamp>,
}

/// A sentence and the brief that contains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The sentence.
    pub sentence: String,
    /// Public id of the brief.
    pub brief_id: String,
    /// Outlet that says it.
    pub source: String,
    /// Address of its article.
    pub url: String,
}

/// The most informative report of a day.
#[derive(Clone, Debug, PartialEq)]
pub struct Day {
    /// `YYYY-MM-DD`, UTC.
    pub date: String,
    /// Its headline.
    pub headline: String,
    /// Confidence of the brief.
    pub confidence: f64,
    /// Public id of the brief.
    pub brief_id: String,
}

/// The background to a topic.
pub async fn context(store: &Store, index: &Index, query: &TopicQuery) -> Result<Context> {
    let material = Material::gather(store, index, query).await?;
    let mut used = Vec::new();
    let too_little = material.too_little.clone();
    let chosen = summarise(&material, SUMMARY, &mut used);
    let sentences = chosen.iter().map(|sentence| ended(&sentence.text));
    let summary: Vec<String> = if chosen.is_empty() && too_little.is_none() {
        vec![without_sentences(&material)]
    } else {
        too_little.clone().into_iter().chain(sentences).collect()
    };
    let (key_entities, relationships) = entities::read(&material);
    Ok(Context {
        summary: summary.join(" "),
        confidence: ConfidenceParts::of(&material, chosen.len()),
        citations: chosen
            .iter()
            .map(|sentence| cite(&material, sentence))
            .collect(),
        perspectives: perspectives::read(&material, &mut used),
        timeline: timeline(&material),
        key_entities,
        relationships,
        key_facts: facts::read(&material),
        too_little,
        source_count: material.outlets().len(),
        brief_count: material.briefs.len(),
        newest_available: material.newest_available,
        topic: material.topic,
    })
}

/// The sentences that say most about the topic, oldest first.
pub(super) fn summarise<'a>(
    material: &'a Material,
    count: usize,
    used: &mut Vec<Vec<u32>>,
) -> Vec<&'a Sentence> {
    let mut chosen = choose(&material.sentences, count, used, |_, sentence| {
        if material.speaks_of(sentence) {
            material.weight(sentence)
        } else {
            0.0
        }
    });
    chosen.sort_by_key(|sentence| sentence.published_at);
    chosen
}

/// What replaces the summary if no sentence can be quoted.
pub(super) fn without_sentences(material: &Material) -> String {
    let headlines: Vec<String> = material
        .briefs
        .iter()
        .take(3)
        .map(|relevant| {
            let brief = &relevant.stored.brief;
            let outlet = brief
                .sources
                .first()
                .map_or("", |source| source.name.as_str());
            format!(
                "{outlet} has the headline {} ({}).",
                relevant.headline(),
                brief.published_at.date()
            )
        })
        .collect();
    if headlines.is_empty() {
        format!(
            "No brief from {} to {} covers {}.",
            material.start.date(),
            material.end.date(),
            quoted(&material.topic)
        )
    } else {
        headlines.join(" ")
    }
}

pub(super) fn cite(material: &Material, sentence: &Sentence) -> Citation {
    let brief = &material.briefs[sentence.brief].stored.brief;
    let source = brief.sources.get(sentence.source).or(brief.sources.first());
    Citation {
        sentence: sentence.text.clone(),
        brief_id: brief.public_id.to_string(),
        source: source.map(|source| source.name.clone()).unwrap_or_default(),
        url: source.map(|source| source.url.clone()).unwrap_or_default(),
    }
}

/// The most informative report of each of the most informative days.
fn timeline(material: &Material) -> Vec<Day> {
    let mut days: Vec<(f64, Day)> = Vec::new();
    for relevant in &material.briefs {
        let brief = &relevant.stored.brief;
        let confidence = brief.confidence.score.get();
        let weight = relevant.importance();
        let day = Day {
            date: brief.published_at.date(),
            headline: brief.headline.clone(),
            confidence,
            brief_id: brief.public_id.to_string(),
        };
        match days.iter_mut().find(|(_, other)| other.date == day.date) {
            Some((best, other)) if weight > *best => (*best, *other) = (weight, day),
            Some(_) => {}
            None => days.push((weight, day)),
        }
    }
    days.sort_by(|left, right| right.0.total_cmp(&left.0));
    days.truncate(TIMELINE);
    days.sort_by(|left, right| left.1.date.cmp(&right.1.date));
    days.into_iter().map(|(_, day)| day).collect()
}
