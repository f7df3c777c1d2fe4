//! `/entities` and `/entities/{name}/briefs`: who and what the news is about.

use axum::extract::{Path, State};
use axum::response::Response;
use model::{Category, EntityKind, EntityRole};
use serde::Serialize;
use store::{EntityQuery, EntityRow};
use utoipa::ToSchema;

use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::extract::{AsOf, FromQuery, Params, ValidQuery};
use crate::pages::Cacheable;
use crate::state::AppState;

/// Days of the timeline.
const TIMELINE_DAYS: u32 = 14;

/// What `/entities` is asked.
pub(crate) struct EntitiesQuery {
    q: Option<String>,
    kind: Option<EntityKind>,
    limit: u64,
}

impl FromQuery for EntitiesQuery {
    fn read(params: &mut Params<'_>) -> Self {
        let kinds = EntityKind::ALL.map(|kind| (kind.as_str(), kind));
        Self {
            q: params.text("q", 1..=200),
            kind: params.word("type", &kinds),
            limit: params.integer("limit", 1..=100, 20),
        }
    }
}

/// Entities, those with the most briefs first.
#[derive(Serialize, ToSchema)]
pub(crate) struct EntitiesBody {
    #[schema(example = "ok")]
    status: &'static str,
    entities: Vec<EntityBody>,
}

/// An entity.
#[derive(Serialize, ToSchema)]
#[schema(as = Entity)]
pub(crate) struct EntityBody {
    name: String,
    /// `person`, `organization`, `location`, `product` or `event`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Exchange symbol, or null.
    ticker: Option<String>,
    brief_count: u64,
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

/// Lists entities.
#[utoipa::path(
    get,
    path = "/api/v1/entities",
    tag = "news",
    params(
        ("q" = Option<String>, Query, description = "Part of the name, in any case", max_length = 200),
        ("type" = Option<String>, Query, description = "`person`, `organization`, `location`, `product` or `event`"),
        ("limit" = Option<u64>, Query, description = "Entities, default 20", minimum = 1, maximum = 100),
        ("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future"),
    ),
    responses((status = 200, description = "Entities, those with the most briefs first", body = EntitiesBody))
)]
pub(crate) async fn entities(
    State(state): State<AppState>,
    caller: Caller,
    as_of: AsOf,
    ValidQuery(asked): ValidQuery<EntitiesQuery>,
    page: Cacheable,
) -> Result<Response> {
    let query = EntityQuery {
        text: asked.q,
        kind: asked.kind,
        limit: asked.limit,
        as_of: as_of.0,
        categories: caller.narrow(None)?,
    };
    page.answer(&state, async {
        let rows = state.store.entities().list(&query).await?;
        Ok(EntitiesBody {
            status: "ok",
            entities: rows.into_iter().map(EntityBody::from).collect(),
        })
    })
    .await
}

/// What `/entities/{name}/briefs` is asked.
pub(crate) struct EntityBriefsQuery {
    role: Option<EntityRole>,
    limit: u64,
}

impl FromQuery for EntityBriefsQuery {
    fn read(params: &mut Params<'_>) -> Self {
        let roles = [
            EntityRole::Subject,
            EntityRole::Related,
            EntityRole::Mentioned,
        ];
        Self {
            role: params.word("role", &roles.map(|role| (role.as_str(), role))),
            limit: params.integer("limit", 1..=50, 20),
        }
    }
}

/// The briefs about an entity and how often it was named.
#[derive(Serialize, ToSchema)]
pub(crate) struct EntityBriefsBody {
    #[schema(example = "ok")]
    status: &'static str,
    briefs: Vec<EntityBriefBody>,
    /// The last 14 days, oldest first, ending with the day of the question.
    timeline: Vec<DayBody>,
    /// `rising`, `falling` or `stable`: the last seven days against the seven before.
    trend: &'static str,
    /// Most mentions on one of these days.
    peak: u64,
    meta: EntityBriefsMeta,
}

/// A brief that names the entity.
#[derive(Serialize, ToSchema)]
pub(crate) struct EntityBriefBody {
    id: String,
    headline: String,
    category: &'static str,
    published_at: String,
    confidence_score: f64,
}

/// Mentions on a day.
#[derive(Serialize, ToSchema)]
pub(crate) struct DayBody {
    /// `YYYY-MM-DD`, UTC.
    date: String,
    mentions: u64,
}

/// Of whom these are.
#[derive(Serialize, ToSchema)]
pub(crate) struct EntityBriefsMeta {
    /// Briefs that name it in that role.
    total: u64,
    /// Its canonical name.
    entity: String,
    /// Where the timeline is empty: when it was last seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    newest_available: Option<String>,
}

/// Lists the briefs about an entity.
#[utoipa::path(
    get,
    path = "/api/v1/entities/{name}/briefs",
    tag = "news",
    params(
        ("name" = String, Path, description = "Name in any case, or ticker"),
        ("role" = Option<String>, Query, description = "`subject`, `related` or `mentioned`"),
        ("limit" = Option<u64>, Query, description = "Briefs, default 20", minimum = 1, maximum = 50),
        ("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future"),
    ),
    responses((status = 200, description = "Briefs, newest first, with a timeline", body = EntityBriefsBody),
              (status = 404, description = "No entity of that name is known, then and to this key"))
)]
pub(crate) async fn entity_briefs(
    State(state): State<AppState>,
    caller: Caller,
    Path(name): Path<String>,
    as_of: AsOf,
    ValidQuery(asked): ValidQuery<EntityBriefsQuery>,
    page: Cacheable,
) -> Result<Response> {
    let categories = caller.narrow(None)?;
    page.answer(&state, async {
        let unknown = || {
            Error::not_found(format!(
                "no entity is called {:?}",
                name.chars().take(80).collect::<String>()
            ))
        };
        let entities = state.store.entities();
        let named = entities.find(&name).await?.ok_or_else(unknown)?;
        let entity = visible(&state, named, as_of, &categories)
            .await?
            .ok_or_else(unknown)?;
        let (total, briefs) = entities
            .briefs(&entity.name, asked.role, &categories, asked.limit, as_of.0)
            .await?;
        let days = entities
            .timeline(&entity.name, TIMELINE_DAYS, as_of.end(&state), &categories)
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
    })
    .await
}

/// The entity as it was known then to a key of these categories: what lies outside is as if it were not there.
async fn visible(
    state: &AppState,
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
    let rows = state.store.entities().list(&query).await?;
    Ok(rows.into_iter().find(|row| row.name == named.name))
}

/// More than a quarter up or down, week on week, is a trend; fewer than three mentions never are.
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
