//! What triggered an alert: the price, the figure that met the condition, and the newest brief about the ticker.
//! Recorded when the alert fires, and never changed.

use analysis::market::{Listing, PointInTime, PricePoint};
use model::{Category, DataMode, Timestamp};
use serde::{Deserialize, Serialize};
use store::{AlertTerms, BriefSentimentQuery, Store};
use utoipa::ToSchema;

use super::body::AlertBody;
use crate::caller::Caller;
use crate::error::{Error, Result};

/// Briefs older than this did not trigger it.
const RECENT_MS: i64 = 72 * Timestamp::HOUR_MS;

/// What triggered an alert.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = AlertContext)]
pub(crate) struct ContextBody {
    /// Headline of the newest brief about the ticker in the three days before. Null if there is none.
    #[schema(required)]
    headline: Option<String>,
    /// Id of that brief. Null if there is none.
    #[schema(required)]
    brief_id: Option<String>,
    /// Category of that brief. Null if there is none.
    #[schema(required)]
    category: Option<String>,
    /// The price at that time. Null if none was known.
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
    /// Change from the previous close, in percent. Null if there is none.
    #[schema(required)]
    change_pct: Option<f64>,
    /// Time of the price.
    #[schema(format = "date-time")]
    updated_at: String,
}

/// The figure that met the condition.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = AlertFigure)]
pub(crate) struct FigureOf {
    /// `price`, `sentiment_score`, `volume_ratio` or `rsi_14`.
    pub(super) name: String,
    /// Value of the figure.
    pub(super) value: f64,
    /// The previous value. Null if it is irrelevant.
    #[schema(required)]
    pub(super) previous: Option<f64>,
    /// The day of the close that the figure refers to. Null if it is current.
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

    /// The same without a brief that this caller may not see.
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
    /// The price, and the newest brief in these categories (empty means all).
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
