//! `/ticker/{symbol}/news`: the briefs that name a symbol.

use analysis::market::Gap;
use model::Timestamp;
use serde::Serialize;
use store::BriefSentimentQuery;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::news::brief_body::BriefBody;
use crate::ticker::SYMBOL;
use crate::{About, Address, Arguments, Context, Keeping, Operation, Parameters};

/// How many, and how far back.
pub(crate) struct NewsQuery {
    symbol: String,
    limit: u64,
    days: Option<u64>,
}

impl Parameters for NewsQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            symbol: arguments.path("symbol", SYMBOL),
            limit: arguments.integer("limit", 1..=50, 20, "Briefs"),
            days: arguments.optional_integer(
                "days",
                1..=3_650,
                "Published in the last so many days; all where it is absent",
            ),
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

/// `GET /ticker/{symbol}/news`.
pub(crate) struct News;

impl Operation for News {
    type Input = NewsQuery;
    type Output = NewsBody;

    const ABOUT: About = About {
        name: "list_ticker_news",
        address: Address::get("/api/v1/ticker/{symbol}/news"),
        subject: "ticker",
        summary: "Lists the briefs that name a symbol.",
        description: "",
        answer: "Briefs, newest first",
        missing: Some("Unknown symbol, with suggestions"),
        example: r#"{"symbol": "AAPL"}"#,
        takes_as_of: true,
        keeping: Keeping::WhileDataStand,
    };

    async fn run(context: Context, asked: NewsQuery) -> Result<NewsBody> {
        let moment = context.moment();
        let categories = context.categories(None)?;
        let listing = super::find(&context.services, &asked.symbol).await?;
        let query = BriefSentimentQuery {
            tickers: vec![listing.ticker().to_owned()],
            categories,
            after: asked
                .days
                .map(|days| moment.end.plus_ms(-(days as i64) * Timestamp::DAY_MS)),
            until: Some(moment.end),
            as_of: moment.as_of,
            limit: asked.limit,
        };
        let opinions = context.store.brief_sentiments().list(&query).await?;
        let mut briefs = Vec::with_capacity(opinions.len());
        for opinion in &opinions {
            let stored = context
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
    }
}
