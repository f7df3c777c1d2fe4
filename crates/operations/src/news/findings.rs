//! `/events`, `/contradictions` and `/data`: structured findings from briefs, available without reading them.

use model::{Category, DataPoint, DataPointKind, Event, EventKind, Severity, Timestamp};
use serde::Serialize;
use store::{BriefQuery, ContradictionQuery, EventQuery, Finding, FindingWindow, StoredBrief};
use utoipa::ToSchema;

use crate::as_of::AsOf;
use crate::error::Result;
use crate::news::feed::newest;
use crate::services::Services;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// The periods for findings, and their length in days.
const PERIODS: [(&str, i64); 5] = [
    ("24h", 1),
    ("7d", 7),
    ("30d", 30),
    ("90d", 90),
    ("365d", 365),
];

/// Parameters of `/events`.
pub(crate) struct EventsQuery {
    kind: Option<EventKind>,
    subject: Option<String>,
    category: Option<Category>,
    days: i64,
    limit: u64,
}

impl Parameters for EventsQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let kinds = EventKind::ALL.map(|kind| (kind.as_str(), kind));
        Self {
            kind: arguments.word("type", &kinds, "Only events of this type"),
            subject: arguments.text(
                "subject",
                1..=200,
                "Part of the actor's name, in upper or lower case",
            ),
            category: arguments.category("category", "Category slug, in upper or lower case"),
            days: arguments.word_or("period", &PERIODS, 7, "Period that ends now or at `as_of`"),
            limit: arguments.integer("limit", 1..=100, 50, "Events"),
        }
    }
}

/// Events, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct EventsBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The events.
    events: Vec<EventBody>,
    /// Number of all matches, including those beyond `limit`.
    total: u64,
    /// Totals for this response.
    meta: FindingsMeta,
}

/// Something that happened or was announced.
#[derive(Serialize, ToSchema)]
#[schema(as = Event)]
pub(crate) struct EventBody {
    /// `acquisition`, `funding`, `launch`, `partnership`, `regulation`, `lawsuit`, `ipo` or `bankruptcy`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Who did it.
    subject: String,
    /// Who or what it was done to. Null if the sources do not say.
    #[schema(required)]
    object: Option<String>,
    /// The amount as printed, such as `$4.2 billion`. Null if the sources give none.
    #[schema(required)]
    value: Option<String>,
    /// The day on which it happened or is due to happen, YYYY-MM-DD.
    date: String,
    /// Id of the brief.
    brief_id: String,
    /// Headline of the brief.
    headline: String,
    /// How certain the sources are, from 0 to 1. Plans and rumours are below one half.
    confidence: f64,
    /// The amount in whole units of its currency. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    amount: Option<f64>,
    /// ISO 4217 code of the amount's currency. Absent if the sources do not name the currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    currency: Option<String>,
    /// The sentence that reports it.
    sentence: String,
    /// Category of the brief.
    category: &'static str,
    /// When the brief first reported it.
    first_stated_at: String,
    /// Present and true in the demo world.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    simulated: Option<bool>,
}

impl From<Finding<Event>> for EventBody {
    fn from(finding: Finding<Event>) -> Self {
        let Finding {
            stated,
            since,
            brief,
        } = finding;
        let (printed, amount, currency) = match stated.value {
            Some(sum) => (Some(sum.printed), Some(sum.value), sum.currency),
            None => (None, None, None),
        };
        Self {
            kind: stated.kind.as_str(),
            subject: stated.subject,
            object: stated.object,
            value: printed,
            date: stated.date.date(),
            brief_id: brief.brief.public_id.to_string(),
            headline: brief.brief.headline.clone(),
            confidence: stated.confidence.get(),
            amount,
            currency,
            sentence: stated.sentence,
            category: brief.brief.category.as_str(),
            first_stated_at: since.to_string(),
            simulated: brief.brief.simulated.then_some(true),
        }
    }
}

/// The period that was searched.
#[derive(Serialize, ToSchema)]
pub(crate) struct FindingsMeta {
    /// Number of findings listed here.
    count: usize,
    /// Start of the period. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    from: Option<String>,
    /// End of the period.
    to: String,
    /// When the last finding of this kind was reported, or else when the newest brief was published. Present only if
    /// nothing was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    newest_available: Option<String>,
}

/// `GET /events`.
pub(crate) struct Events;

impl Operation for Events {
    type Input = EventsQuery;
    type Output = EventsBody;

    const ABOUT: About = About {
        name: "list_events",
        address: Address::get("/api/v1/events"),
        subject: "news",
        summary: "Lists the structured events found in briefs.",
        description: "`period` restricts when a brief first reported the event.",
        answer: "Events, newest first",
        example: r#"{"limit": 20}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: EventsQuery) -> Result<EventsBody> {
        let categories = context.categories(asked.category)?;
        let end = context.end();
        let from = end.plus_ms(-asked.days * Timestamp::DAY_MS);
        let query = EventQuery {
            kind: asked.kind,
            subject: asked.subject,
            window: FindingWindow {
                categories: categories.clone(),
                since: Some(from),
                limit: asked.limit,
                as_of: context.as_of.0,
            },
        };
        let findings = context.store.findings();
        let (total, found) = findings.events(&query).await?;
        let newest_available = if total == 0 {
            match findings.newest_event(&query).await? {
                Some(at) => Some(at.to_string()),
                None => newest(&context.services, categories, context.as_of).await?,
            }
        } else {
            None
        };
        Ok(EventsBody {
            status: "ok",
            total,
            meta: FindingsMeta {
                count: found.len(),
                from: Some(from.to_string()),
                to: end.to_string(),
                newest_available,
            },
            events: found.into_iter().map(EventBody::from).collect(),
        })
    }
}

/// Parameters of `/contradictions`.
pub(crate) struct ContradictionsQuery {
    severity: Option<Severity>,
    category: Option<Category>,
    days: Option<i64>,
    limit: u64,
}

impl Parameters for ContradictionsQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let severities = Severity::ALL.map(|severity| (severity.as_str(), severity));
        Self {
            severity: arguments.word(
                "severity",
                &severities,
                "Only contradictions of this severity",
            ),
            category: arguments.category("category", "Category slug, in upper or lower case"),
            days: arguments.word(
                "period",
                &PERIODS,
                "Period that ends now or at `as_of`; by default, all unresolved contradictions",
            ),
            limit: arguments.integer("limit", 1..=100, 50, "Contradictions"),
        }
    }
}

/// Contradictions, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct ContradictionsBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The contradictions.
    contradictions: Vec<ContradictionBody>,
    /// Number of all matches, including those beyond `limit`.
    total: u64,
    /// Totals for this response.
    meta: FindingsMeta,
}

/// Sources of one brief that cannot all be right.
#[derive(Serialize, ToSchema)]
#[schema(as = Contradiction)]
pub(crate) struct ContradictionBody {
    /// Id of the brief.
    brief_id: String,
    /// Headline of the brief.
    headline: String,
    /// `minor`, `moderate` or `major`.
    severity: &'static str,
    /// The conflicting claims and who makes them.
    claims: Vec<ClaimBody>,
    /// How the claims differ, which side the evidence favours, and why.
    service_assessment: String,
    /// The kind of difference: `number`, `date`, `outcome` or `polarity`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Category of the brief.
    category: &'static str,
    /// When the brief first had both sides.
    first_stated_at: String,
    /// Present and true in the demo world.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    simulated: Option<bool>,
}

/// The claim of one source.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimBody {
    /// Outlet name.
    source: String,
    /// The sentence or headline that makes the claim.
    claim: String,
    /// URL of the article.
    url: String,
}

impl From<Finding<model::Contradiction>> for ContradictionBody {
    fn from(finding: Finding<model::Contradiction>) -> Self {
        let brief = &finding.brief.brief;
        let claims = finding.stated.claims.iter().map(|claim| {
            let source = brief.sources.get(claim.source as usize);
            ClaimBody {
                source: source.map(|source| source.name.clone()).unwrap_or_default(),
                claim: claim.claim.clone(),
                url: source.map(|source| source.url.clone()).unwrap_or_default(),
            }
        });
        Self {
            brief_id: brief.public_id.to_string(),
            headline: brief.headline.clone(),
            severity: finding.stated.severity.as_str(),
            claims: claims.collect(),
            service_assessment: finding.stated.assessment.clone(),
            kind: finding.stated.kind.as_str(),
            category: brief.category.as_str(),
            first_stated_at: finding.since.to_string(),
            simulated: brief.simulated.then_some(true),
        }
    }
}

/// `GET /contradictions`.
pub(crate) struct Contradictions;

impl Operation for Contradictions {
    type Input = ContradictionsQuery;
    type Output = ContradictionsBody;

    const ABOUT: About = About {
        name: "list_contradictions",
        address: Address::get("/api/v1/contradictions"),
        subject: "news",
        summary: "Lists contradictions between the sources of a brief.",
        answer: "Contradictions, newest first",
        example: r#"{"limit": 20}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: ContradictionsQuery) -> Result<ContradictionsBody> {
        let categories = context.categories(asked.category)?;
        let end = context.end();
        let from = asked
            .days
            .map(|days| end.plus_ms(-days * Timestamp::DAY_MS));
        let query = ContradictionQuery {
            severity: asked.severity,
            window: FindingWindow {
                categories: categories.clone(),
                since: from,
                limit: asked.limit,
                as_of: context.as_of.0,
            },
        };
        let (total, found) = context.store.findings().contradictions(&query).await?;
        let newest_available = if total == 0 {
            newest(&context.services, categories, context.as_of).await?
        } else {
            None
        };
        Ok(ContradictionsBody {
            status: "ok",
            total,
            meta: FindingsMeta {
                count: found.len(),
                from: from.map(|from| from.to_string()),
                to: end.to_string(),
                newest_available,
            },
            contradictions: found.into_iter().map(ContradictionBody::from).collect(),
        })
    }
}

/// Parameters of `/data`.
pub(crate) struct DataQuery {
    entity: Option<String>,
    kind: Option<DataPointKind>,
    category: Option<Category>,
    limit: usize,
}

impl Parameters for DataQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let kinds = DataPointKind::ALL.map(|kind| (kind.as_str(), kind));
        Self {
            entity: arguments.text(
                "entity",
                1..=200,
                "Name in upper or lower case, or ticker: only figures for this entity",
            ),
            kind: arguments.word("type", &kinds, "Only figures of this kind"),
            category: arguments.category("category", "Category slug, in upper or lower case"),
            limit: arguments.integer("limit", 1..=100, 20, "Figures") as usize,
        }
    }
}

/// Figures from briefs, newest brief first.
#[derive(Serialize, ToSchema)]
pub(crate) struct DataBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The figures.
    data: Vec<DatumBody>,
    /// Totals for this response.
    meta: DataMeta,
}

/// A figure and the brief that reports it.
#[derive(Serialize, ToSchema)]
pub(crate) struct DatumBody {
    /// Id of the brief.
    brief_id: String,
    /// Headline of the brief.
    headline: String,
    /// The figure.
    data_point: DataPointBody,
    /// When the brief was published.
    published_at: String,
    /// Present and true in the demo world.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    simulated: Option<bool>,
}

/// A number with its unit and what it is about.
#[derive(Serialize, ToSchema)]
#[schema(as = DataPoint)]
pub(crate) struct DataPointBody {
    /// `money`, `percent`, `count` or `quantity`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The figure as printed, such as `$4.2 billion`.
    value: String,
    /// The words around the figure: what it says, and about whom.
    context: String,
    /// The entity that the figure is about. Null if no known name is close to it.
    #[schema(required)]
    entity: Option<String>,
    /// The number in whole units. Percentages are in percent, negative for a fall.
    number: f64,
    /// Currency code, `%`, or the thing that is counted.
    unit: String,
    /// What is measured, such as `revenue`. Absent if the source does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    measure: Option<String>,
}

impl From<&DataPoint> for DataPointBody {
    fn from(point: &DataPoint) -> Self {
        Self {
            kind: point.kind.as_str(),
            value: point.printed.clone(),
            context: point.context.clone(),
            entity: point.entity.clone(),
            number: point.value,
            unit: point.unit.clone(),
            measure: point.measure.clone(),
        }
    }
}

/// What was searched.
#[derive(Serialize, ToSchema)]
pub(crate) struct DataMeta {
    /// Number of figures listed here.
    count: usize,
    /// Number of briefs that were read to find them: at most 1,000, newest first.
    briefs_read: usize,
    /// When the newest available brief was published. Present only if nothing was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    newest_available: Option<String>,
}

/// How many briefs are read at a time, and in total.
const CHUNK: u64 = 50;
const MOST_READ: u64 = 1_000;

/// `GET /data`.
pub(crate) struct Data;

impl Operation for Data {
    type Input = DataQuery;
    type Output = DataBody;

    const ABOUT: About = About {
        name: "list_data_points",
        address: Address::get("/api/v1/data"),
        subject: "news",
        summary: "Lists the figures reported in briefs.",
        answer: "Figures, those from the newest brief first",
        example: r#"{"limit": 20}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: DataQuery) -> Result<DataBody> {
        let categories = context.categories(asked.category)?;
        let (data, briefs_read) =
            figures(&context.services, &asked, &categories, context.as_of).await?;
        let newest_available = if data.is_empty() {
            newest(&context.services, categories, context.as_of).await?
        } else {
            None
        };
        Ok(DataBody {
            status: "ok",
            meta: DataMeta {
                count: data.len(),
                briefs_read,
                newest_available,
            },
            data,
        })
    }
}

/// The requested figures, and how many briefs were read.
async fn figures(
    services: &Services,
    asked: &DataQuery,
    categories: &[Category],
    as_of: AsOf,
) -> Result<(Vec<DatumBody>, usize)> {
    let mut data = Vec::new();
    let mut read = 0;
    if let Some(name) = &asked.entity {
        let entities = services.store.entities();
        let Some(entity) = entities.find(name).await? else {
            return Ok((data, read));
        };
        let (_, briefs) = entities
            .briefs(&entity.name, None, categories, 4 * CHUNK, as_of.0)
            .await?;
        read = briefs.len();
        for stored in &briefs {
            take(stored, asked, Some(&entity.name), &mut data);
        }
        return Ok((data, read));
    }
    while data.len() < asked.limit && (read as u64) < MOST_READ {
        let query = BriefQuery {
            categories: categories.to_vec(),
            offset: read as u64,
            limit: CHUNK,
            as_of: as_of.0,
            ..BriefQuery::default()
        };
        let found = services.store.briefs().list(&query).await?;
        for stored in &found.briefs {
            take(stored, asked, None, &mut data);
        }
        read += found.briefs.len();
        if (found.briefs.len() as u64) < CHUNK {
            break;
        }
    }
    Ok((data, read))
}

/// Adds the requested figures of a brief, as long as there is room.
fn take(stored: &StoredBrief, asked: &DataQuery, entity: Option<&str>, data: &mut Vec<DatumBody>) {
    let brief = &stored.brief;
    for point in &brief.data_points {
        let fits = asked.kind.is_none_or(|kind| point.kind == kind)
            && entity.is_none_or(|name| point.entity.as_deref() == Some(name));
        if fits && data.len() < asked.limit {
            data.push(DatumBody {
                brief_id: brief.public_id.to_string(),
                headline: brief.headline.clone(),
                data_point: DataPointBody::from(point),
                published_at: brief.published_at.to_string(),
                simulated: brief.simulated.then_some(true),
            });
        }
    }
}
