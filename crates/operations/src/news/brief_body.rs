//! The JSON forms of a brief, shared by every route that returns one.

use model::{Brief, Score, Timestamp};
use serde::Serialize;
use store::{StoredArticle, StoredBrief};
use utoipa::ToSchema;

use super::placement::{PlacementBody, placements};

/// How long a story counts as trending after it was marked.
const TRENDING_MS: i64 = 6 * Timestamp::HOUR_MS;
/// How long another source can still join.
const LIVING_MS: i64 = 72 * Timestamp::HOUR_MS;

/// A source of a brief.
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
    /// Whether the article repeats another source almost word for word. Copies count once.
    pub(crate) syndicated: bool,
    /// The feed that delivered the article. Absent if it came from its own outlet.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) via: Option<ViaBody>,
}

/// The feed that delivered an article from another domain.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ViaBody {
    /// Name of the feed.
    pub(crate) name: String,
    /// Registrable domain that the feed speaks for.
    pub(crate) domain: String,
    /// Whose text was read: `page` for the article itself, `feed` if only the feed has the text. In that case the feed
    /// is the source, with its own domain and trust level, until the outlet's own article arrives.
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

/// An entity and what this brief says about it.
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
    /// How often the sources name the entity.
    pub(crate) mentions: u32,
    /// Sentiment of the sentences that name it, from 0 to 1; 0.5 is neutral.
    pub(crate) sentiment: f64,
}

/// How the scores of a brief were determined.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ProvenanceBody {
    /// Same as the brief's `confidence_score`.
    pub(crate) confidence_score: f64,
    /// Same as the brief's `bias_score`.
    pub(crate) bias_score: f64,
    /// `automated`: no person has reviewed the brief. `corroborated`: at least two independent sources report it.
    pub(crate) review_status: &'static str,
    /// UUID of the brief.
    pub(crate) uuid: String,
    /// Revision of the brief, starting at 1.
    pub(crate) revision: u32,
    /// When this revision could first be known.
    pub(crate) known_at: String,
    /// When this store wrote the revision.
    pub(crate) recorded_at: String,
}

/// A brief as it appears in lists.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BriefBody {
    /// Readable id, such as `PR-2026-0301-042`. The UUID in `provenance` identifies the brief as well.
    pub(crate) id: String,
    /// Headline in one line.
    pub(crate) headline: String,
    /// Summary in two or three sentences.
    pub(crate) summary: String,
    /// Full text.
    pub(crate) body: String,
    /// Category slug.
    pub(crate) category: &'static str,
    /// When the first source was published.
    pub(crate) published_at: String,
    /// When the newest source became known.
    pub(crate) updated_at: String,
    /// Score from 0 to 1, based on the number of independent sources, their trust, their agreement and their freshness.
    /// Not a probability.
    pub(crate) confidence_score: f64,
    /// Same number under a shorter name.
    pub(crate) confidence: f64,
    /// Score from 0 to 1, based on loaded wording, framing and one-sidedness.
    pub(crate) bias_score: f64,
    /// Sources of the brief.
    pub(crate) sources: Vec<SourceBody>,
    /// Number of independent sources. Copies count once.
    pub(crate) source_count: u32,
    /// How often new sources were added.
    pub(crate) update_count: u32,
    /// Sentiment of the story, from 0 to 1; 0.5 is neutral.
    pub(crate) sentiment: f64,
    /// Topic words.
    pub(crate) tags: Vec<String>,
    /// Names of the entities that the brief is about.
    pub(crate) entities: Vec<String>,
    /// The same entities with type, ticker, role and sentiment.
    pub(crate) entities_enriched: Vec<EntityBody>,
    /// ISO 639-1 code of the text.
    pub(crate) language: String,
    /// Whether sources arrived in quick succession within the last six hours.
    pub(crate) trending: bool,
    /// How the scores were determined.
    pub(crate) provenance: ProvenanceBody,
    /// The brief that this one was split from because its sources turned out to cover two events. Absent if there is
    /// none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) split_from: Option<String>,
    /// The briefs that were split from this one. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) split_into: Vec<String>,
    /// The brief that now has the sources of this one, because both report the same event. Present only if this brief
    /// no longer exists, and only in the stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) merged_into: Option<String>,
    /// The briefs that were merged into this one. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) merged_from: Vec<String>,
    /// Present and true in the demo world.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) simulated: Option<bool>,
}

impl BriefBody {
    /// A stored brief as it reads at a given time.
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

    /// Whether sources arrived in quick succession within the last hours.
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

/// The bias of a brief.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BiasAnalysisBody {
    /// Score from 0 to 1.
    pub(crate) bias_score: f64,
    /// `left`, `right`, `center`, `sensational`, `promotional` or `none`.
    pub(crate) direction: &'static str,
    /// The reasons for this assessment, with the loaded words quoted.
    pub(crate) framing_notes: String,
}

/// The components of the two scores; with `explain=true`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ExplanationBody {
    /// Components of `confidence_score`.
    pub(crate) confidence: ConfidencePartsBody,
    /// Components of `bias_score`.
    pub(crate) bias: BiasPartsBody,
    /// Every sentence of summary and body with the sources that support it, as indices into `sources`.
    pub(crate) sentences: Vec<SentenceBody>,
    /// Why each source is in this brief. Absent for a brief that was written on demand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(nullable = false)]
    pub(crate) placements: Vec<PlacementBody>,
}

/// Components of `confidence_score`, each from 0 to 1.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ConfidencePartsBody {
    /// The overall score.
    pub(crate) score: f64,
    /// Number of independent sources, on a saturating scale.
    pub(crate) corroboration: f64,
    /// Mean trust of the independent sources.
    pub(crate) source_trust: f64,
    /// How far the sources agree.
    pub(crate) agreement: f64,
    /// How fresh the newest source was when it became known.
    pub(crate) freshness: f64,
}

/// Components of `bias_score`, each from 0 to 1.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BiasPartsBody {
    /// The overall score.
    pub(crate) score: f64,
    /// Share of loaded words.
    pub(crate) loaded_wording: f64,
    /// Framing that prejudges.
    pub(crate) framing: f64,
    /// How far only one side is quoted.
    pub(crate) one_sidedness: f64,
}

/// A sentence and the sources that support it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SentenceBody {
    /// `headline`, `summary` or `body`.
    pub(crate) section: &'static str,
    /// The sentence.
    pub(crate) text: String,
    /// Indices into `sources`.
    pub(crate) sources: Vec<u32>,
}

/// The readable text of one source; with `include_full_text=true`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FullTextBody {
    /// Outlet name.
    pub(crate) source: String,
    /// Address of the article.
    pub(crate) url: String,
    /// Headline of the article.
    pub(crate) title: String,
    /// Text of the article, or the teaser if nothing more is known.
    pub(crate) text: String,
    /// Number of words in `text`.
    pub(crate) word_count: usize,
}

/// A single brief.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SingleBriefBody {
    /// The brief.
    #[serde(flatten)]
    pub brief: BriefBody,
    /// The bias of the brief.
    pub(crate) bias_analysis: BiasAnalysisBody,
    /// The dissenting source, or else the strongest caveat about this particular brief.
    pub(crate) counter_argument: String,
    /// Whether another source can still join (until 72 hours after the last one).
    pub(crate) is_living: bool,
    /// Hours since the first source was published.
    pub(crate) story_age_hours: f64,
    /// When the brief last changed, in readable form.
    pub(crate) last_updated_label: String,
    /// The components of the scores. Present only with `explain=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) explanation: Option<ExplanationBody>,
    /// The texts of the sources. Present only with `include_full_text=true`.
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

    /// Adds the components of the scores, the sources of every sentence, and why each of these articles is in the
    /// brief.
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

/// When something last changed, in readable form: `Updated 3 hours ago`.
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

/// A brief as the stream sends it: the brief at top level, and what happened to it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StreamBriefBody {
    /// `published`, `updated`, `trending`, `corrected`, `split` or `merged`.
    pub event: &'static str,
    /// The brief.
    #[serde(flatten)]
    pub brief: BriefBody,
}

/// A brief in the short form for agents.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct AgentBriefBody {
    /// Readable id.
    pub(crate) id: String,
    /// Headline in one line.
    pub(crate) headline: String,
    /// Summary in two or three sentences.
    pub(crate) summary: String,
    /// Category slug.
    pub(crate) category: &'static str,
    /// Score from 0 to 1.
    pub(crate) confidence_score: f64,
    /// Score from 0 to 1.
    pub(crate) bias_score: f64,
    /// Number of independent sources.
    pub(crate) source_count: u32,
    /// When the first source was published.
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
