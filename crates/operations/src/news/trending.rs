//! `/trending` and `/entities/trending`: what attracts more attention than before.

use std::collections::HashMap;

use model::{Brief, Category, EntityKind, Timestamp};
use serde::Serialize;
use store::{EntityTrend, TrendQuery, TrendingQuery};
use utoipa::ToSchema;

use crate::error::Result;
use crate::news::brief_body::BriefBody;
use crate::news::feed::newest;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// How long a brief is listed after it was marked as trending, and how long outlets count after they reported.
const LISTED_MS: i64 = 24 * Timestamp::HOUR_MS;
/// The age at which an outlet's report counts half.
const HALVED_MS: i64 = 6 * Timestamp::HOUR_MS;
/// Maximum number of marked briefs that are ranked. On a busy day there are a few dozen.
const MOST_MARKED: u64 = 300;

/// Parameters of `/trending`.
pub(crate) struct TrendingBriefsQuery {
    limit: u64,
    category: Option<Category>,
}

impl Parameters for TrendingBriefsQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            limit: arguments.integer("limit", 1..=50, 20, "Briefs"),
            category: arguments.category("category", "Category slug, in upper or lower case"),
        }
    }
}

/// Trending briefs, highest score first.
#[derive(Serialize, ToSchema)]
pub(crate) struct TrendingBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The briefs.
    briefs: Vec<TrendingBriefBody>,
    /// Totals for this response.
    meta: TrendingMeta,
}

/// A trending brief.
#[derive(Serialize, ToSchema)]
pub(crate) struct TrendingBriefBody {
    #[serde(flatten)]
    brief: BriefBody,
    /// When it last began to trend.
    trending_since: String,
    /// How fast outlets are picking up the story.
    velocity: VelocityBody,
    /// The score that determines the order. Every outlet of the last 24 hours counts 1, halved for every six hours
    /// since its first report within them.
    trend_score: f64,
}

/// How fast outlets are picking up a story.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct VelocityBody {
    /// Number of outlets that published on it in the last six hours.
    outlets_6h: usize,
    /// Number of outlets that published on it in the last 24 hours.
    outlets_24h: usize,
    /// Number of articles in the last 24 hours, including copies.
    articles_24h: usize,
    /// `outlets_6h` per hour.
    outlets_per_hour: f64,
}

/// Number of briefs.
#[derive(Serialize, ToSchema)]
pub(crate) struct TrendingMeta {
    /// Number of briefs in this response.
    count: usize,
    /// When the newest available brief was published. Present only if nothing is trending.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    newest_available: Option<String>,
    /// When a brief last began to trend, if ever. Present only if nothing is trending.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    last_trending_at: Option<String>,
}

/// `GET /trending`.
pub(crate) struct TrendingBriefs;

impl Operation for TrendingBriefs {
    type Input = TrendingBriefsQuery;
    type Output = TrendingBody;

    const ABOUT: About = About {
        name: "list_trending_briefs",
        address: Address::get("/api/v1/trending"),
        subject: "news",
        summary: "Lists trending briefs.",
        description: "A brief is trending if at least four outlets reported it within six hours and at most 2% of the stories active at that time drew more. It stays listed for 24 hours after it last qualified, in order of `trend_score`. If nothing is trending, the list is empty, and `meta` says when something last was.",
        answer: "Trending briefs, fastest first",
        example: r#"{"limit": 10}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: TrendingBriefsQuery) -> Result<TrendingBody> {
        let categories = context.categories(asked.category)?;
        let at = context.end();
        let query = TrendingQuery {
            after: at.plus_ms(-LISTED_MS),
            until: at,
            categories: categories.clone(),
            limit: MOST_MARKED,
            as_of: context.as_of.0,
        };
        let mut ranked: Vec<_> = context
            .store
            .briefs()
            .trending(&query)
            .await?
            .into_iter()
            .map(|stored| (pace(&stored.brief, at), stored))
            .collect();
        // The sort is stable: of equals the last marked stays first.
        ranked.sort_by(|((left, _), _), ((right, _), _)| right.total_cmp(left));
        ranked.truncate(asked.limit as usize);
        let (newest_available, last_trending_at) = if ranked.is_empty() {
            let last = context
                .store
                .briefs()
                .last_trending(at, &categories)
                .await?;
            (
                newest(&context.services, categories, context.as_of).await?,
                last.map(|last| last.to_string()),
            )
        } else {
            (None, None)
        };
        Ok(TrendingBody {
            status: "ok",
            meta: TrendingMeta {
                count: ranked.len(),
                newest_available,
                last_trending_at,
            },
            briefs: ranked
                .into_iter()
                .map(|((trend_score, velocity), stored)| TrendingBriefBody {
                    brief: BriefBody::new(&stored, at),
                    trending_since: stored
                        .trending_at
                        .map(|since| since.to_string())
                        .unwrap_or_default(),
                    velocity,
                    trend_score,
                })
                .collect(),
        })
    }
}

/// Score and velocity of a brief at a given time. The times are those of the articles, as they are for the trending
/// mark.
fn pace(brief: &Brief, at: Timestamp) -> (f64, VelocityBody) {
    let mut articles = 0;
    // First and last report of each outlet.
    let mut outlets: HashMap<&str, (i64, i64)> = HashMap::new();
    for source in &brief.sources {
        let age = at.since_ms(source.published_at).max(0);
        if age < LISTED_MS {
            articles += 1;
            let (oldest, newest) = outlets.entry(&source.domain).or_insert((age, age));
            *oldest = age.max(*oldest);
            *newest = age.min(*newest);
        }
    }
    let recent = outlets
        .values()
        .filter(|(_, newest)| *newest < HALVED_MS)
        .count();
    let mut weights: Vec<f64> = outlets
        .values()
        .map(|(oldest, _)| (-(*oldest as f64) / HALVED_MS as f64).exp2())
        .collect();
    // In one order, so that equal briefs have equal sums.
    weights.sort_by(f64::total_cmp);
    let velocity = VelocityBody {
        outlets_6h: recent,
        outlets_24h: outlets.len(),
        articles_24h: articles,
        outlets_per_hour: recent as f64 / 6.0,
    };
    // The sum of nothing is minus zero.
    (weights.iter().sum::<f64>() + 0.0, velocity)
}

/// The period over which mentions are compared.
#[derive(Clone, Copy, PartialEq)]
struct Period {
    word: &'static str,
    ms: i64,
}

const DAY: Period = Period {
    word: "24h",
    ms: Timestamp::DAY_MS,
};
const WEEK: Period = Period {
    word: "7d",
    ms: 7 * Timestamp::DAY_MS,
};

/// Parameters of `/entities/trending`.
pub(crate) struct TrendingEntitiesQuery {
    period: Period,
    kind: Option<EntityKind>,
    limit: u64,
}

impl Parameters for TrendingEntitiesQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let kinds = EntityKind::ALL.map(|kind| (kind.as_str(), kind));
        let periods = [DAY, WEEK].map(|period| (period.word, period));
        Self {
            period: arguments.word_or(
                "period",
                &periods,
                DAY,
                "Period that ends now or at `as_of`",
            ),
            kind: arguments.word("type", &kinds, "Only entities of this kind"),
            limit: arguments.integer("limit", 1..=100, 20, "Entities"),
        }
    }
}

/// Entities mentioned more often than before.
#[derive(Serialize, ToSchema)]
pub(crate) struct TrendingEntitiesBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The entities.
    entities: Vec<TrendingEntityBody>,
    /// Totals for this response.
    meta: TrendingEntitiesMeta,
}

/// An entity that is mentioned more often than before.
#[derive(Serialize, ToSchema)]
pub(crate) struct TrendingEntityBody {
    /// Name.
    name: String,
    /// `person`, `organization`, `location`, `product` or `event`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Exchange symbol, or null.
    #[schema(required)]
    ticker: Option<String>,
    /// How often articles in the period name it.
    mentions: u64,
    /// How often articles in the previous period named it.
    previous_mentions: u64,
    /// Increase in percent. Null if it was not named before.
    #[schema(required)]
    change_pct: Option<f64>,
    /// Number of briefs with articles in the period that name it.
    brief_count: u64,
    /// When the newest article that names it was published.
    last_seen: String,
    /// Mean sentiment of the mentions in the period, from 0 to 1; 0.5 is neutral.
    sentiment: f64,
}

impl From<EntityTrend> for TrendingEntityBody {
    fn from(trend: EntityTrend) -> Self {
        let (now, before) = (trend.mentions as f64, trend.previous as f64);
        Self {
            name: trend.entity.name,
            kind: trend.entity.kind.as_str(),
            ticker: trend.entity.ticker,
            mentions: trend.mentions,
            previous_mentions: trend.previous,
            change_pct: (trend.previous > 0).then(|| (now - before) / before * 100.0),
            brief_count: trend.entity.brief_count,
            last_seen: trend.entity.last_seen.to_string(),
            sentiment: trend.sentiment.clamp(0.0, 1.0),
        }
    }
}

/// What was compared.
#[derive(Serialize, ToSchema)]
pub(crate) struct TrendingEntitiesMeta {
    /// Number of entities in this response.
    count: usize,
    /// `24h` or `7d`.
    period: &'static str,
    /// Start of the period.
    from: String,
    /// End of the period.
    to: String,
    /// When any entity was last named. Present only if none is rising.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    newest_available: Option<String>,
}

/// `GET /entities/trending`.
pub(crate) struct TrendingEntities;

impl Operation for TrendingEntities {
    type Input = TrendingEntitiesQuery;
    type Output = TrendingEntitiesBody;

    const ABOUT: About = About {
        name: "list_trending_entities",
        address: Address::get("/api/v1/entities/trending"),
        subject: "news",
        summary: "Lists the entities whose mentions are rising fastest.",
        description: "Mentions in the last 24 hours or seven days are compared with those in the previous period, counted by when articles became known. Entities are ordered by `(mentions − previous)² / (mentions + previous + 4)`. This measures how far a rise stands out from chance, so ten mentions after none rank above 110 after 100.",
        answer: "Rising entities",
        example: r#"{"limit": 10}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: TrendingEntitiesQuery) -> Result<TrendingEntitiesBody> {
        let categories = context.categories(None)?;
        let until = context.end();
        let since = until.plus_ms(-asked.period.ms);
        let query = TrendQuery {
            before: since.plus_ms(-asked.period.ms),
            since,
            until,
            kind: asked.kind,
            categories,
            limit: asked.limit,
        };
        let entities = context.store.entities();
        let rising = entities.trending(&query).await?;
        let newest_available = if rising.is_empty() {
            entities.last_mention(until, &query.categories).await?
        } else {
            None
        };
        Ok(TrendingEntitiesBody {
            status: "ok",
            meta: TrendingEntitiesMeta {
                count: rising.len(),
                period: asked.period.word,
                from: since.to_string(),
                to: until.to_string(),
                newest_available: newest_available.map(|newest| newest.to_string()),
            },
            entities: rising.into_iter().map(TrendingEntityBody::from).collect(),
        })
    }
}
