//! `/entities` and `/entities/{name}/briefs`: who and what the news is about.

use model::{Category, EntityKind, EntityRole};
use serde::Serialize;
use store::{EntityQuery, EntityRow};
use utoipa::ToSchema;

use crate::as_of::AsOf;
use crate::error::{Error, Result};
use crate::services::Services;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Number of days in the timeline.
const TIMELINE_DAYS: u32 = 14;

/// Parameters of `/entities`.
pub(crate) struct EntitiesQuery {
    q: Option<String>,
    kind: Option<EntityKind>,
    limit: u64,
}

impl Parameters for EntitiesQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let kinds = EntityKind::ALL.map(|kind| (kind.as_str(), kind));
        Self {
            q: arguments.text("q", 1..=200, "Part of the name, in upper or lower case"),
            kind: arguments.word("type", &kinds, "Only entities of this kind"),
            limit: arguments.integer("limit", 1..=100, 20, "Entities"),
        }
    }
}

/// Entities, those with the most briefs first.
#[derive(Serialize, ToSchema)]
pub(crate) struct EntitiesBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The entities.
    entities: Vec<EntityBody>,
}

/// An entity.
#[derive(Serialize, ToSchema)]
#[schema(as = Entity)]
pub(crate) struct EntityBody {
    /// Name.
    name: String,
    /// `person`, `organization`, `location`, `product` or `event`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Exchange symbol, or null.
    #[schema(required)]
    ticker: Option<String>,
    /// Number of briefs.
    brief_count: u64,
    /// When the entity was last mentioned.
    last_seen: String,
}

impl From<EntityRow> for EntityBody {
    fn from(row: EntityRow) -> Self {
        Self {
            name: row.name,
            kind: row.kind.as_str(),
            ticker: row.ticker,
            brief_count: row.brief_count,
            last_seen: row.last_seen.to_string(),
        }
    }
}

/// `GET /entities`.
pub(crate) struct Entities;

impl Operation for Entities {
    type Input = EntitiesQuery;
    type Output = EntitiesBody;

    const ABOUT: About = About {
        name: "list_entities",
        address: Address::get("/api/v1/entities"),
        subject: "news",
        summary: "Lists entities.",
        answer: "Entities with the most briefs first",
        example: r#"{"limit": 20}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: EntitiesQuery) -> Result<EntitiesBody> {
        let query = EntityQuery {
            text: asked.q,
            kind: asked.kind,
            limit: asked.limit,
            as_of: context.as_of.0,
            categories: context.categories(None)?,
        };
        let rows = context.store.entities().list(&query).await?;
        Ok(EntitiesBody {
            status: "ok",
            entities: rows.into_iter().map(EntityBody::from).collect(),
        })
    }
}

/// Parameters of `/entities/{name}/briefs`.
pub(crate) struct EntityBriefsQuery {
    name: String,
    role: Option<EntityRole>,
    limit: u64,
}

impl Parameters for EntityBriefsQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let roles = [
            EntityRole::Subject,
            EntityRole::Related,
            EntityRole::Mentioned,
        ];
        Self {
            name: arguments.path("name", "Name in upper or lower case, or ticker"),
            role: arguments.word(
                "role",
                &roles.map(|role| (role.as_str(), role)),
                "Only briefs in which the entity has this role",
            ),
            limit: arguments.integer("limit", 1..=50, 20, "Briefs"),
        }
    }
}

/// The briefs about an entity, and how often it was named.
#[derive(Serialize, ToSchema)]
pub(crate) struct EntityBriefsBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The briefs.
    briefs: Vec<EntityBriefBody>,
    /// Mentions over the last 14 days, oldest first, up to the day of the request.
    timeline: Vec<DayBody>,
    /// `rising`, `falling` or `stable`: the last seven days compared with the seven before.
    trend: &'static str,
    /// Most mentions on any one of these days.
    peak: u64,
    /// Totals for this response.
    meta: EntityBriefsMeta,
}

/// A brief that names the entity.
#[derive(Serialize, ToSchema)]
pub(crate) struct EntityBriefBody {
    /// Id of the brief.
    id: String,
    /// Headline of the brief.
    headline: String,
    /// Category slug.
    category: &'static str,
    /// When it was published.
    published_at: String,
    /// Score from 0 to 1, based on the number of independent sources, their trust, their agreement and their freshness.
    /// Not a probability.
    confidence_score: f64,
}

/// Mentions on one day.
#[derive(Serialize, ToSchema)]
pub(crate) struct DayBody {
    /// `YYYY-MM-DD`, UTC.
    date: String,
    /// Number of mentions.
    mentions: u64,
}

/// The entity and how many briefs name it.
#[derive(Serialize, ToSchema)]
pub(crate) struct EntityBriefsMeta {
    /// Number of briefs that name the entity in the requested role.
    total: u64,
    /// Canonical name of the entity.
    entity: String,
    /// When the entity was last seen. Present only if the timeline is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    newest_available: Option<String>,
}

/// `GET /entities/{name}/briefs`.
pub(crate) struct EntityBriefs;

impl Operation for EntityBriefs {
    type Input = EntityBriefsQuery;
    type Output = EntityBriefsBody;

    const ABOUT: About = About {
        name: "list_entity_briefs",
        address: Address::get("/api/v1/entities/{name}/briefs"),
        subject: "news",
        summary: "Lists the briefs about an entity.",
        answer: "Briefs, newest first, with a timeline",
        missing: Some("No entity with this name existed at that time, or this key may not see it"),
        example: r#"{"name": "Federal Reserve"}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: EntityBriefsQuery) -> Result<EntityBriefsBody> {
        let categories = context.categories(None)?;
        let unknown = || {
            Error::not_found(format!(
                "no entity is called {:?}",
                asked.name.chars().take(80).collect::<String>()
            ))
        };
        let entities = context.store.entities();
        let named = match (
            entities.find(&asked.name).await?,
            text::entities::canonical(&asked.name),
        ) {
            (None, Some(name)) => entities.find(name).await?,
            (found, _) => found,
        };
        let named = named.ok_or_else(unknown)?;
        let entity = visible(&context.services, named, context.as_of, &categories)
            .await?
            .ok_or_else(unknown)?;
        let (total, briefs) = entities
            .briefs(
                &entity.name,
                asked.role,
                &categories,
                asked.limit,
                context.as_of.0,
            )
            .await?;
        let days = entities
            .timeline(&entity.name, TIMELINE_DAYS, context.end(), &categories)
            .await?;
        let peak = days
            .iter()
            .map(|(_, mentions)| *mentions)
            .max()
            .unwrap_or(0);
        Ok(EntityBriefsBody {
            status: "ok",
            briefs: briefs
                .iter()
                .map(|stored| EntityBriefBody {
                    id: stored.brief.public_id.to_string(),
                    headline: stored.brief.headline.clone(),
                    category: stored.brief.category.as_str(),
                    published_at: stored.brief.published_at.to_string(),
                    confidence_score: stored.brief.confidence.score.get(),
                })
                .collect(),
            trend: trend(&days),
            peak,
            meta: EntityBriefsMeta {
                total,
                newest_available: (peak == 0).then(|| entity.last_seen.to_string()),
                entity: entity.name,
            },
            timeline: days
                .into_iter()
                .map(|(date, mentions)| DayBody { date, mentions })
                .collect(),
        })
    }
}

/// The entity as a key with these categories could see it at the as-of time. Anything outside them is treated as if it
/// did not exist.
async fn visible(
    services: &Services,
    named: EntityRow,
    as_of: AsOf,
    categories: &[Category],
) -> Result<Option<EntityRow>> {
    if as_of.0.is_none() && categories.is_empty() {
        return Ok(Some(named));
    }
    let query = EntityQuery {
        text: Some(named.name.clone()),
        kind: Some(named.kind),
        limit: 100,
        as_of: as_of.0,
        categories: categories.to_vec(),
    };
    let rows = services.store.entities().list(&query).await?;
    Ok(rows.into_iter().find(|row| row.name == named.name))
}

/// A change of more than a quarter, week on week, is a trend. Fewer than three mentions never are.
fn trend(days: &[(String, u64)]) -> &'static str {
    let (before, after) = days.split_at(days.len() / 2);
    let sum = |days: &[(String, u64)]| days.iter().map(|(_, mentions)| *mentions).sum::<u64>();
    let (before, after) = (sum(before), sum(after));
    if before + after < 3 {
        "stable"
    } else if after * 4 > before * 5 {
        "rising"
    } else if after * 5 < before * 4 {
        "falling"
    } else {
        "stable"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trends_compare_the_two_halves() {
        let check = |mentions: &[u64], expected| {
            let days: Vec<_> = mentions
                .iter()
                .map(|mentions| (String::new(), *mentions))
                .collect();
            assert_eq!(trend(&days), expected);
        };
        check(&[1, 1, 1, 5, 5, 5], "rising");
        check(&[5, 5, 5, 1, 1, 1], "falling");
        check(&[5, 5, 6, 5], "stable");
        check(&[0, 0, 1, 1], "stable");
    }
}
