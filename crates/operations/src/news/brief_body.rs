//! The wire shapes of a brief, shared by every route that shows one.

use model::{Brief, Score, Timestamp};
use serde::Serialize;
use store::{StoredArticle, StoredBrief};
use utoipa::ToSchema;

use super::placement::{PlacementBody, placements};

/// A story trends for this long after it was marked.
const TRENDING_MS: i64 = 6 * Timestamp::HOUR_MS;
/// Another source can join for this long.
const LIVING_MS: i64 = 72 * Timestamp::HOUR_MS;

/// Where a brief got something from.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SourceBody {
    /// Outlet name.
    pub(crate) name: String,
    /// Address of the article.
    pub(crate) url: String,
    /// `high`, `medium`, `low` or `unknown`, from the editable source table.
    pub(crate) trust_level: &'static str,
    /// Registrable domain of the outlet.
    pub(crate) domain: String,
    /// When the article was published.
    pub(crate) published_at: String,
    /// Whether it repeats another source almost word for word; copies count once.
    pub(crate) syndicated: bool,
    /// The feed that brought it; absent where the article came from its own outlet.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) via: Option<ViaBody>,
}

/// The feed that brought an article of another domain.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ViaBody {
    /// Name of the feed.
    pub(crate) name: String,
    /// Registrable domain for which the feed speaks.
    pub(crate) domain: String,
    /// Whose words were read: `page` for the article itself, `feed` where only the feed has the text. Then the
    /// feed is the source, with its own domain and trust, until the outlet's own article arrives.
    pub(crate) text: &'static str,
}

impl From<&model::Via> for ViaBody {
    fn from(via: &model::Via) -> Self {
        Self {
            name: via.name.clone(),
            domain: via.domain.clone(),
            text: via.text.as_str(),
        }
    }
}

/// An entity with what is known about it in this brief.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EntityBody {
    /// Canonical name.
    pub(crate) name: String,
    /// `person`, `organization`, `location`, `product` or `event`.
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    /// Exchange symbol, or null.
    #[schema(required)]
    pub(crate) ticker: Option<String>,
    /// `subject`, `related` or `mentioned`.
    pub(crate) role: &'static str,
    /// How often the sources name it.
    pub(crate) mentions: u32,
    /// Sentiment of the sentences that name it, 0 to 1, 0.5 neutral.
    pub(crate) sentiment: f64,
}

/// How the scores of a brief came about.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ProvenanceBody {
    /// The same as `confidence_score` of the brief.
    pub(crate) confidence_score: f64,
    /// The same as `bias_score` of the brief.
    pub(crate) bias_score: f64,
    /// `automated`: no person has reviewed it; `corroborated`: at least two independent sources.
    pub(crate) review_status: &'static str,
    /// The brief by its machine identity.
    pub(crate) uuid: String,
    /// Revision of the brief, from 1.
    pub(crate) revision: u32,
    /// Since when this revision was knowable.
    pub(crate) known_at: String,
    /// When this store wrote it.
    pub(crate) recorded_at: String,
}

/// A brief as lists show it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BriefBody {
    /// Identity for people, such as `PR-2026-0301-042`; the UUID in `provenance` finds the brief as well.
    pub(crate) id: String,
    /// One line.
    pub(crate) headline: String,
    /// Two or three sentences.
    pub(crate) summary: String,
    /// The full text.
    pub(crate) body: String,
    /// Category slug.
    pub(crate) category: &'static str,
    /// Publication of its first source.
    pub(crate) published_at: String,
    /// When its newest source became known.
    pub(crate) updated_at: String,
    /// 0 to 1, from independent sources, their trust, their agreement and freshness; not a probability.
    pub(crate) confidence_score: f64,
    /// The same number under the shorter name.
    pub(crate) confidence: f64,
    /// 0 to 1, from loaded wording, framing and one-sidedness.
    pub(crate) bias_score: f64,
    /// Where it comes from.
    pub(crate) sources: Vec<SourceBody>,
    /// Independent sources; copies count once.
    pub(crate) source_count: u32,
    /// How often new sources were added.
    pub(crate) update_count: u32,
    /// Sentiment of the story, 0 to 1, 0.5 neutral.
    pub(crate) sentiment: f64,
    /// Topic words.
    pub(crate) tags: Vec<String>,
    /// Names of whom and what it is about.
    pub(crate) entities: Vec<String>,
    /// The same with type, ticker, role and sentiment.
    pub(crate) entities_enriched: Vec<EntityBody>,
    /// ISO 639-1 code of its text.
    pub(crate) language: String,
    /// Whether sources arrived fast within the last six hours.
    pub(crate) trending: bool,
    /// How the scores came about.
    pub(crate) provenance: ProvenanceBody,
    /// The brief from which this one was divided, when its sources showed two events; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) split_from: Option<String>,
    /// The briefs that were divided from this one; absent where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) split_into: Vec<String>,
    /// The brief that has its sources since, because both report one event; only where this one is no more, on the stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) merged_into: Option<String>,
    /// The briefs that became part of this one; absent where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) merged_from: Vec<String>,
    /// Present and true in the demo world.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) simulated: Option<bool>,
}

impl BriefBody {
    /// A stored brief as it reads at a given time.
    /// As it stood then.
    pub fn new(stored: &StoredBrief, at: Timestamp) -> Self {
        let brief = &stored.brief;
        Self {
            id: brief.public_id.to_string(),
            headline: brief.headline.clone(),
            summary: brief.summary.clone(),
            body: brief.body.clone(),
            category: brief.category.as_str(),
            published_at: brief.published_at.to_string(),
            updated_at: brief.updated_at.to_string(),
            confidence_score: brief.confidence.score.get(),
            confidence: brief.confidence.score.get(),
            bias_score: brief.bias.score.get(),
            sources: brief.sources.iter().map(SourceBody::from).collect(),
            source_count: brief.source_count,
            update_count: brief.update_count,
            sentiment: brief.sentiment.get(),
            tags: brief.tags.clone(),
            entities: brief
                .entities
                .iter()
                .map(|entity| entity.name.clone())
                .collect(),
            entities_enriched: brief.entities.iter().map(EntityBody::from).collect(),
            language: brief.language.clone(),
            trending: Self::trends(stored.trending_at, at),
            provenance: ProvenanceBody {
                confidence_score: brief.confidence.score.get(),
                bias_score: brief.bias.score.get(),
                review_status: if brief.source_count > 1 {
                    "corroborated"
                } else {
                    "automated"
                },
                uuid: brief.id.to_string(),
                revision: brief.revision,
                known_at: stored.known_from.to_string(),
                recorded_at: stored.recorded_at.to_string(),
            },
            split_from: brief.split.from.as_ref().map(ToString::to_string),
            split_into: brief.split.into.iter().map(ToString::to_string).collect(),
            merged_into: brief.merged.into.as_ref().map(ToString::to_string),
            merged_from: brief.merged.from.iter().map(ToString::to_string).collect(),
            simulated: brief.simulated.then_some(true),
        }
    }

    /// Whether its sources arrived fast within the last hours.
    pub(crate) fn trends(trending_at: Option<Timestamp>, at: Timestamp) -> bool {
        trending_at.is_some_and(|since| (0..TRENDING_MS).contains(&at.since_ms(since)))
    }
}

impl From<&model::BriefSource> for SourceBody {
    fn from(source: &model::BriefSource) -> Self {
        Self {
            name: source.name.clone(),
            url: source.url.clone(),
            trust_level: source.trust_level.as_str(),
            domain: source.domain.clone(),
            published_at: source.published_at.to_string(),
            syndicated: source.copy_of.is_some(),
            via: source.via.as_ref().map(ViaBody::from),
        }
    }
}

impl From<&model::EntityMention> for EntityBody {
    fn from(entity: &model::EntityMention) -> Self {
        Self {
            name: entity.name.clone(),
            kind: entity.kind.as_str(),
            ticker: entity.ticker.clone(),
            role: entity.role.as_str(),
            mentions: entity.mentions,
            sentiment: entity.sentiment.get(),
        }
    }
}

/// What colours a brief.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BiasAnalysisBody {
    /// 0 to 1.
    pub(crate) bias_score: f64,
    /// `left`, `right`, `center`, `sensational`, `promotional` or `none`.
    pub(crate) direction: &'static str,
    /// What the reading rests on, quoting the loaded words.
    pub(crate) framing_notes: String,
}

/// The parts of the two scores, with `explain=true`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ExplanationBody {
    /// Parts of `confidence_score`.
    pub(crate) confidence: ConfidencePartsBody,
    /// Parts of `bias_score`.
    pub(crate) bias: BiasPartsBody,
    /// Every sentence of summary and body with the sources that say it, as indices into `sources`.
    pub(crate) sentences: Vec<SentenceBody>,
    /// Why each source is in this brief; absent of a brief that was written on demand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(nullable = false)]
    pub(crate) placements: Vec<PlacementBody>,
}

/// Parts of `confidence_score`, each 0 to 1.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ConfidencePartsBody {
    /// The whole.
    pub(crate) score: f64,
    /// How many independent sources there are, saturating.
    pub(crate) corroboration: f64,
    /// Mean trust of the independent sources.
    pub(crate) source_trust: f64,
    /// How far the sources agree.
    pub(crate) agreement: f64,
    /// How fresh the newest source was when it became known.
    pub(crate) freshness: f64,
}

/// Parts of `bias_score`, each 0 to 1.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BiasPartsBody {
    /// The whole.
    pub(crate) score: f64,
    /// Share of loaded words.
    pub(crate) loaded_wording: f64,
    /// Framing that prejudges.
    pub(crate) framing: f64,
    /// Only one side is quoted.
    pub(crate) one_sidedness: f64,
}

/// A sentence and who says so.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SentenceBody {
    /// `headline`, `summary` or `body`.
    pub(crate) section: &'static str,
    /// The sentence.
    pub(crate) text: String,
    /// Indices into `sources`.
    pub(crate) sources: Vec<u32>,
}

/// The readable text of one source, with `include_full_text=true`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FullTextBody {
    /// Outlet name.
    pub(crate) source: String,
    /// Address of the article.
    pub(crate) url: String,
    /// Headline of the article.
    pub(crate) title: String,
    /// Its text; the teaser where only that is known.
    pub(crate) text: String,
    /// Words in `text`.
    pub(crate) word_count: usize,
}

/// A brief on its own.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SingleBriefBody {
    /// The brief.
    #[serde(flatten)]
    pub brief: BriefBody,
    /// What colours it.
    pub(crate) bias_analysis: BiasAnalysisBody,
    /// The dissenting source, else the strongest caveat about this very brief.
    pub(crate) counter_argument: String,
    /// Whether another source can still join (72 hours after the last).
    pub(crate) is_living: bool,
    /// Hours since its first source was published.
    pub(crate) story_age_hours: f64,
    /// When it last changed, for people.
    pub(crate) last_updated_label: String,
    /// The parts of the scores; only with `explain=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) explanation: Option<ExplanationBody>,
    /// The texts of its sources; only with `include_full_text=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) full_text: Option<Vec<FullTextBody>>,
}

impl SingleBriefBody {
    /// A stored brief as it reads at a given time.
    pub(crate) fn new(stored: &StoredBrief, at: Timestamp) -> Self {
        let brief = &stored.brief;
        Self {
            brief: BriefBody::new(stored, at),
            bias_analysis: BiasAnalysisBody {
                bias_score: brief.bias.score.get(),
                direction: brief.bias.direction.as_str(),
                framing_notes: brief.bias.framing_notes.clone(),
            },
            counter_argument: brief.counter_argument.clone(),
            is_living: at.since_ms(brief.updated_at) < LIVING_MS,
            story_age_hours: at.since_ms(brief.published_at).max(0) as f64
                / Timestamp::HOUR_MS as f64,
            last_updated_label: label(brief.updated_at, at),
            explanation: None,
            full_text: None,
        }
    }

    /// Adds the parts of the scores, the sources of every sentence, and why each of these articles is in the brief.
    pub(crate) fn explained(mut self, brief: &Brief, articles: &[StoredArticle]) -> Self {
        let number = |score: Score| score.get();
        self.explanation = Some(ExplanationBody {
            confidence: ConfidencePartsBody {
                score: number(brief.confidence.score),
                corroboration: number(brief.confidence.corroboration),
                source_trust: number(brief.confidence.source_trust),
                agreement: number(brief.confidence.agreement),
                freshness: number(brief.confidence.freshness),
            },
            bias: BiasPartsBody {
                score: number(brief.bias.score),
                loaded_wording: number(brief.bias.loaded_wording),
                framing: number(brief.bias.framing),
                one_sidedness: number(brief.bias.one_sidedness),
            },
            sentences: brief
                .sentences
                .iter()
                .map(|sentence| SentenceBody {
                    section: sentence.section.as_str(),
                    text: sentence.text.clone(),
                    sources: sentence.sources.clone(),
                })
                .collect(),
            placements: placements(brief, articles),
        });
        self
    }
}

/// When something last changed, for people: `Updated 3 hours ago`.
fn label(updated_at: Timestamp, at: Timestamp) -> String {
    let minutes = at.since_ms(updated_at).max(0) / Timestamp::MINUTE_MS;
    let count = |number: i64, unit: &str| {
        format!(
            "Updated {number} {unit}{} ago",
            if number == 1 { "" } else { "s" }
        )
    };
    match minutes {
        0 => "Updated just now".to_owned(),
        1..60 => count(minutes, "minute"),
        60..1_440 => count(minutes / 60, "hour"),
        1_440..43_200 => count(minutes / 1_440, "day"),
        _ => format!("Updated on {}", updated_at.date()),
    }
}

/// What the stream sends: the brief at top level, with what happened to it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StreamBriefBody {
    /// `published`, `updated`, `trending`, `corrected`, `split` or `merged`.
    pub event: &'static str,
    /// The brief.
    #[serde(flatten)]
    pub brief: BriefBody,
}

/// A brief as agents read it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct AgentBriefBody {
    /// Identity for people.
    pub(crate) id: String,
    /// One line.
    pub(crate) headline: String,
    /// Two or three sentences.
    pub(crate) summary: String,
    /// Category slug.
    pub(crate) category: &'static str,
    /// 0 to 1.
    pub(crate) confidence_score: f64,
    /// 0 to 1.
    pub(crate) bias_score: f64,
    /// Independent sources.
    pub(crate) source_count: u32,
    /// Publication of its first source.
    pub(crate) published_at: String,
    /// Present and true in the demo world.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) simulated: Option<bool>,
}

impl From<&StoredBrief> for AgentBriefBody {
    fn from(stored: &StoredBrief) -> Self {
        let brief = &stored.brief;
        Self {
            id: brief.public_id.to_string(),
            headline: brief.headline.clone(),
            summary: brief.summary.clone(),
            category: brief.category.as_str(),
            confidence_score: brief.confidence.score.get(),
            bias_score: brief.bias.score.get(),
            source_count: brief.source_count,
            published_at: brief.published_at.to_string(),
            simulated: brief.simulated.then_some(true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_read_like_speech() {
        let then = Timestamp::from_ms(1_700_000_000_000);
        let check = |ms: i64, expected: &str| assert_eq!(label(then, then.plus_ms(ms)), expected);
        check(-5, "Updated just now");
        check(60_000, "Updated 1 minute ago");
        check(2 * Timestamp::HOUR_MS, "Updated 2 hours ago");
        check(Timestamp::DAY_MS, "Updated 1 day ago");
        check(400 * Timestamp::DAY_MS, "Updated on 2023-11-14");
    }
}
