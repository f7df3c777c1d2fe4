//! Why each source is in its brief, as decided when it arrived.

use std::collections::BTreeMap;

use model::{Brief, BriefId, PublicBriefId};
use serde::Serialize;
use store::StoredArticle;
use text::stories::pair::FEATURES;
use utoipa::ToSchema;

/// Why a source is in this brief.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PlacementBody {
    /// The source, as an index into `sources`.
    pub(crate) source: u32,
    /// `founded`: nothing stored was similar enough; `joined`: it was similar to the story; `copy`: it repeats another
    /// source almost word for word; `divided`: it was similar to a source of the brief that this one was split from;
    /// `merged`: it founded a story that became part of this one; `unknown`: it was stored before reasons were
    /// recorded.
    pub(crate) how: &'static str,
    /// The same reason in a sentence.
    pub(crate) reason: String,
    /// The most similar source, as an index into `sources`. Null if this source founded the story.
    #[schema(required)]
    pub(crate) alike: Option<u32>,
    /// Probability that both report the same event, from 0 to 1.
    #[schema(required)]
    pub(crate) probability: Option<f32>,
    /// How well it fitted the story as a whole, from 0 to 1.
    #[schema(required)]
    pub(crate) score: Option<f32>,
    /// The score that was required. It is higher if the source was similar to other stories too.
    #[schema(required)]
    pub(crate) threshold: Option<f32>,
    /// What the two have in common, by feature name. −1 if a feature cannot be measured.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(nullable = false)]
    pub(crate) in_common: BTreeMap<&'static str, f32>,
}

/// Why each source of a brief is in it. `articles` are the articles of its story.
pub(crate) fn placements(brief: &Brief, articles: &[StoredArticle]) -> Vec<PlacementBody> {
    let place_of = |id| {
        let at = brief.sources.iter().position(|one| one.article_id == id)?;
        u32::try_from(at).ok()
    };
    // The brief has its identity from the article that founded it, unless it was divided from another.
    let founder = articles
        .iter()
        .find(|article| brief.id == BriefId::founded_by(article.article.id))
        .or_else(|| articles.iter().min_by_key(|article| article.seq))
        .map(|article| article.seq);
    let placed = |article: &StoredArticle| {
        let source = place_of(article.article.id)?;
        let founded = Some(article.seq) == founder && article.joined.is_none();
        Some(placement(brief, article, source, founded, place_of))
    };
    let mut found: Vec<PlacementBody> = articles.iter().filter_map(placed).collect();
    found.sort_unstable_by_key(|one| one.source);
    found
}

fn placement(
    brief: &Brief,
    article: &StoredArticle,
    source: u32,
    founded: bool,
    place_of: impl Fn(model::ArticleId) -> Option<u32>,
) -> PlacementBody {
    let joined = article.joined.as_ref();
    let alike = joined.and_then(|joined| place_of(joined.alike));
    let other = alike.and_then(|at| brief.sources.get(at as usize));
    let named = other.map_or_else(
        || "a source that the story had then".to_owned(),
        |other| format!("“{}” ({})", other.title, other.name),
    );
    let (how, reason) = match joined {
        // A source without a reason may also have come with another brief.
        _ if brief.split.from.is_some()
            && alike.is_none()
            && (joined.is_some() || brief.merged.from.is_empty()) =>
        (
            "divided",
            format!(
                "It was a source of {}, whose sources reported two events.",
                brief.split.from.as_ref().map_or("", PublicBriefId::as_str)
            ),
        ),
        _ if founded => (
            "founded",
            "Nothing stored by then resembled it enough, so it founded the story.".to_owned(),
        ),
        Some(joined) if article.copy_of.is_some() => (
            "copy",
            format!(
                "It repeats {named} almost word for word; that both report one event is {} probable.",
                percent(joined.probability)
            ),
        ),
        Some(joined) => (
            "joined",
            format!(
                "It resembles {named} most: that both report one event is {} probable. It fits the story with {:.2}, where {:.2} was \
                 needed.",
                percent(joined.probability),
                joined.score,
                joined.threshold
            ),
        ),
        None if !brief.merged.from.is_empty() => (
            "merged",
            "It founded a story of its own, which became part of this one when both were seen to report one event.".to_owned(),
        ),
        None => (
            "unknown",
            "It was stored before reasons were kept.".to_owned(),
        ),
    };
    PlacementBody {
        source,
        how,
        reason,
        alike,
        probability: joined.map(|joined| joined.probability),
        score: joined.map(|joined| joined.score),
        threshold: joined.map(|joined| joined.threshold),
        in_common: joined
            .map(|joined| {
                FEATURES
                    .into_iter()
                    .zip(joined.measured.iter().copied())
                    .collect()
            })
            .unwrap_or_default(),
    }
}

fn percent(share: f32) -> String {
    format!("{:.0}%", share * 100.0)
}
