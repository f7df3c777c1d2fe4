//! The effect of a topic across categories: where it appears, what came before what, and what may come next.

use model::{Category, Timestamp};
use search::Index;
use store::Store;

use super::TopicQuery;
use super::causes;
pub use super::causes::Link;
use super::confidence::ConfidenceParts;
use super::context::{Citation, cite};
use super::material::{Halves, Material};
use super::outlook;
use super::sentiment::OverallSentiment;
use crate::Result;

/// A topic across categories.
#[derive(Clone, Debug, PartialEq)]
pub struct Intelligence {
    /// The topic as asked.
    pub topic: String,
    /// Where it appears, most briefs first.
    pub impact: Vec<CategoryImpact>,
    /// Connected reports, oldest first.
    pub causal_chain: Vec<Link>,
    /// What sources say about causes, and what only the order of events suggests.
    pub causal_analysis: String,
    /// What may come next, hedged.
    pub prediction: String,
    /// The sentences quoted in the analysis and the prediction.
    pub citations: Vec<Citation>,
    /// How far this can be relied on.
    pub confidence: ConfidenceParts,
    /// Independent outlets.
    pub source_count: usize,
    /// Briefs that were read.
    pub brief_count: usize,
    /// Why there is too little for an analysis.
    pub too_little: Option<String>,
    /// If nothing was found: when the topic was last in the news, or when the stored news ends.
    pub newest_available: Option<Timestamp>,
}

/// The topic in one category.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CategoryImpact {
    /// The category.
    pub category: Category,
    /// Its briefs about the topic.
    pub brief_count: usize,
    /// Their sentiment.
    pub sentiment: OverallSentiment,
}

/// A topic across categories.
pub async fn intelligence(
    store: &Store,
    index: &Index,
    query: &TopicQuery,
) -> Result<Intelligence> {
    let material = Material::gather(store, index, query).await?;
    let causal_chain = causes::chain(&material);
    let mut used = Vec::new();
    let (causal_analysis, stated) = causes::analysis(&material, &causal_chain, &mut used);
    let halves = if material.briefs.is_empty() {
        Halves::default()
    } else {
        Halves::of(store, index, query).await?
    };
    let (prediction, expected) = outlook::read(&material, halves, &mut used);
    let citations: Vec<Citation> = stated
        .into_iter()
        .chain(expected)
        .map(|sentence| cite(&material, sentence))
        .collect();
    // A single report is not a chain.
    let is_chain = causal_chain.len() > 1;
    Ok(Intelligence {
        impact: impact(&material),
        causal_chain: causal_chain
            .into_iter()
            .map(|(link, _)| link)
            .filter(|_| is_chain)
            .collect(),
        causal_analysis,
        prediction,
        confidence: ConfidenceParts::of(&material, citations.len()),
        citations,
        source_count: material.outlets().len(),
        brief_count: material.briefs.len(),
        newest_available: material.newest_available,
        too_little: material.too_little,
        topic: material.topic,
    })
}

fn impact(material: &Material) -> Vec<CategoryImpact> {
    let mut found: Vec<CategoryImpact> = Category::ALL
        .into_iter()
        .filter_map(|category| {
            let sentiments: Vec<(f64, f64)> = material
                .briefs
                .iter()
                .filter(|relevant| relevant.stored.brief.category == category)
                .map(|relevant| (relevant.sentiment, relevant.relevance))
                .collect();
            (!sentiments.is_empty()).then(|| CategoryImpact {
                category,
                brief_count: sentiments.len(),
                sentiment: OverallSentiment::of(&sentiments),
            })
        })
        .collect();
    found.sort_by_key(|impact| std::cmp::Reverse(impact.brief_count));
    found
}
