//! `/ticker/{symbol}/news`: the briefs that name a symbol.

use analysis::market::Gap;
use axum::extract::{Path, State};
use axum::response::Response;
use model::Timestamp;
use serde::Serialize;
use store::OpinionQuery;
use utoipa::ToSchema;

use crate::caller::Caller;
use crate::error::Result;
use crate::extract::{AsOf, FromQuery, Params, ValidQuery};
use crate::pages::Cacheable;
use crate::routes::brief_body::BriefBody;
use crate::routes::data_status::{DataStatusBody, written};
use crate::state::AppState;

/// How many, and how far back.
pub(crate) struct NewsQuery {
    limit: u64,
    days: Option<u64>,
}

impl FromQuery for NewsQuery {
    fn read(params: &mut Params<'_>) -> Self {
        Self {
            limit: params.integer("limit", 1..=50, 20),
            days: params.optional_integer("days", 1..=3_650),
        }
    }
}

/// Briefs that name a symbol, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewsBody {
    #[schema(example = "ok")]
    status: &'static str,
    ticker: String,
    entity_name: String,
    briefs: Vec<NewsItemBody>,
    meta: NewsMeta,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A brief with what it says of the symbol.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewsItemBody {
    #[serde(flatten)]
    brief: BriefBody,
    /// Its tone towards the symbol, 0 to 1 with 0.5 neutral.
    sentiment_score: f64,
    /// The part that the symbol has in it: `subject`, `related` or `mentioned`.
    role: &'static str,
}

/// How many there are.
#[derive(Serialize, ToSchema)]
#[schema(as = TickerNewsMeta)]
pub(crate) struct NewsMeta {
    /// How many are told here.
    count: usize,
}

/// Lists the briefs that name a symbol.
#[utoipa::path(
    get,
    path = "/api/v1/ticker/{symbol}/news",
    tag = "ticker",
    params(
        ("symbol" = String, Path, description = "Such as `AAPL`, `BRK.B`, `BTC`"),
        ("limit" = Option<u64>, Query, description = "Briefs, default 20", minimum = 1, maximum = 50),
        ("days" = Option<u64>, Query, description = "Published in the last so many days; all where it is absent", minimum = 1, maximum = 3650),
        ("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future"),
    ),
    responses((status = 200, description = "Briefs, newest first", body = NewsBody),
              (status = 404, description = "Unknown symbol, with suggestions"))
)]
pub(crate) async fn news(
    State(state): State<AppState>,
    caller: Caller,
    Path(symbol): Path<String>,
    as_of: AsOf,
    ValidQuery(asked): ValidQuery<NewsQuery>,
    page: Cacheable,
) -> Result<Response> {
    let moment = super::moment(&state, as_of);
    let categories = caller.narrow(None)?;
    page.answer(&state, async {
        let listing = super::find(&state, &symbol).await?;
        let query = OpinionQuery {
            tickers: vec![listing.ticker().to_owned()],
            categories,
            after: asked
                .days
                .map(|days| moment.end.plus_ms(-(days as i64) * Timestamp::DAY_MS)),
            until: Some(moment.end),
            as_of: moment.as_of,
            limit: asked.limit,
        };
        let opinions = state.store.opinions().list(&query).await?;
        let mut briefs = Vec::with_capacity(opinions.len());
        for opinion in &opinions {
            let stored = state
                .store
                .briefs()
                .find(&opinion.brief_id, moment.as_of)
                .await?;
            if let Some(stored) = stored {
                briefs.push(NewsItemBody {
                    brief: BriefBody::new(&stored, moment.end),
                    sentiment_score: opinion.sentiment.get(),
                    role: opinion.role.as_str(),
                });
            }
        }
        let gaps = if briefs.is_empty() {
            vec![Gap::absent(
                "briefs",
                "no brief of the period names this symbol",
            )]
        } else {
            Vec::new()
        };
        Ok(NewsBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            entity_name: listing.instrument.entity_name().to_owned(),
            meta: NewsMeta {
                count: briefs.len(),
            },
            briefs,
            data_status: written(gaps),
        })
    })
    .await
}
