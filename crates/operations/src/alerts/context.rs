//! What moved an alert: the price, the figure that met the condition, and the newest brief about the ticker. Written when it
//! fires, and never changed.

use analysis::market::{Listing, PointInTime, PricePoint};
use model::{Category, DataMode, Timestamp};
use serde::{Deserialize, Serialize};
use store::{AlertTerms, BriefSentimentQuery, Store};
use utoipa::ToSchema;

use super::body::AlertBody;
use crate::caller::Caller;
use crate::error::{Error, Result};

/// Briefs that are older did not move it.
const RECENT_MS: i64 = 72 * Timestamp::HOUR_MS;

/// What moved an alert.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = AlertContext)]
pub(crate) struct ContextBody {
    /// Headline of the newest brief about the ticker in the three days before; null where there is none.
    #[schema(required)]
    headline: Option<String>,
    /// Id of that brief; null where there is none.
    #[schema(required)]
    brief_id: Option<String>,
    /// Its category; null where there is none.
    #[schema(required)]
    category: Option<String>,
    /// The price then; null where none was known.
    #[schema(required)]
    price: Option<PriceOf>,
    /// The figure that met the condition.
    figure: FigureOf,
}

/// A price.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = AlertPrice)]
pub(crate) struct PriceOf {
    /// The newest price.
    current: f64,
    /// Against the close before it, in percent; null where there is none.
    #[schema(required)]
    change_pct: Option<f64>,
    /// When it was paid.
    #[schema(format = "date-time")]
    updated_at: String,
}

/// The figure that met the condition.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = AlertFigure)]
pub(crate) struct FigureOf {
    /// `price`, `sentiment_score`, `volume_ratio` or `rsi_14`.
    pub(super) name: String,
    /// Its value.
    pub(super) value: f64,
    /// The value before; null where that does not matter.
    #[schema(required)]
    pub(super) previous: Option<f64>,
    /// The day of the close that it is of; null where it is of now.
    #[schema(required, format = "date")]
    pub(super) date: Option<String>,
}

impl ContextBody {
    pub(super) fn new(base: &Moved, figure: FigureOf) -> Self {
        let brief = base.brief.as_ref();
        Self {
            headline: brief.map(|one| one.headline.clone()),
            brief_id: brief.map(|one| one.id.clone()),
            category: brief.map(|one| one.category.as_str().to_owned()),
            price: base.price.map(|point| PriceOf {
                current: point.current,
                change_pct: point.change_pct,
                updated_at: point.updated_at.to_string(),
            }),
            figure,
        }
    }

    pub(super) fn read(text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(Error::internal)
    }

    pub(super) fn write(&self) -> Result<String> {
        serde_json::to_string(self).map_err(Error::internal)
    }

    /// Without a brief that this caller does not see.
    pub(super) fn for_caller(mut self, caller: &Caller) -> Self {
        let category = self.category.as_deref().and_then(|slug| slug.parse().ok());
        if category.is_some_and(|category: Category| !caller.sees(category)) {
            (self.headline, self.brief_id, self.category) = (None, None, None);
        }
        self
    }
}

/// What alerts on one ticker that fire together have in common.
pub(super) struct Moved {
    price: Option<PricePoint>,
    brief: Option<MovingBrief>,
}

struct MovingBrief {
    id: String,
    headline: String,
    category: Category,
}

impl Moved {
    /// The price and the newest brief of these categories (empty means all).
    pub(super) async fn of(
        store: &Store,
        listing: &Listing,
        price: Option<PricePoint>,
        when: PointInTime,
        categories: &[Category],
    ) -> Result<Self> {
        let query = BriefSentimentQuery {
            tickers: vec![listing.ticker().to_owned()],
            categories: categories.to_vec(),
            after: Some(when.end.plus_ms(-RECENT_MS)),
            until: Some(when.end),
            limit: 1,
            ..BriefSentimentQuery::default()
        };
        let newest = store.brief_sentiments().list(&query).await?;
        let brief = newest.into_iter().next().map(|opinion| MovingBrief {
            id: opinion.brief_id,
            headline: opinion.headline,
            category: opinion.category,
        });
        Ok(Self { price, brief })
    }
}

#[derive(Serialize)]
struct Message<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    timestamp: String,
    data: MessageData<'a>,
}

#[derive(Serialize)]
struct MessageData<'a> {
    alert: AlertWithContext<'a>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    simulated: bool,
}

#[derive(Serialize)]
struct AlertWithContext<'a> {
    #[serde(flatten)]
    alert: AlertBody,
    context: &'a ContextBody,
}

/// The body that is posted to the callback address.
pub(super) fn message(
    terms: &AlertTerms,
    at: Timestamp,
    value: f64,
    context: &ContextBody,
    mode: DataMode,
) -> Result<String> {
    let message = Message {
        kind: "alert.triggered",
        timestamp: at.to_string(),
        data: MessageData {
            alert: AlertWithContext {
                alert: AlertBody::new(terms, None, Some((at, value))),
                context,
            },
            simulated: mode == DataMode::Demo,
        },
    };
    serde_json::to_string(&message).map_err(Error::internal)
}
