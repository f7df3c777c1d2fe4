//! `/ticker/{symbol}/news`: the briefs that mention a symbol.

use analysis::market::DataIssue;
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::news::brief_body::BriefBody;
use crate::ticker::{self, SYMBOL};
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// How many briefs to list, and how far back.
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
                "Only briefs published within this number of days; all by default",
            ),
        }
    }
}

/// Briefs that mention a symbol, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewsBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbol.
    ticker: String,
    /// Name of the company, fund or coin.
    entity_name: String,
    /// The briefs, newest first.
    briefs: Vec<NewsItemBody>,
    /// Totals for the response.
    meta: NewsMeta,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A brief, with its sentiment towards the symbol.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewsItemBody {
    #[serde(flatten)]
    brief: BriefBody,
    /// Sentiment towards the symbol, 0 to 1, where 0.5 is neutral.
    sentiment_score: f64,
    /// Role of the symbol in the brief: `subject`, `related` or `mentioned`.
    role: &'static str,
}

/// Number of briefs.
#[derive(Serialize, ToSchema)]
#[schema(as = TickerNewsMeta)]
pub(crate) struct NewsMeta {
    /// Number of briefs in this response.
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
        summary: "Lists the briefs that mention a symbol.",
        answer: "Briefs, newest first",
        ..ticker::OF_SYMBOL
    };

    async fn run(context: Context, asked: NewsQuery) -> Result<NewsBody> {
        let when = context.when();
        let categories = context.categories(None)?;
        let listing = context.listing(&asked.symbol).await?;
        let days = asked.days.map(|days| days as i64);
        let covering = context
            .coverage
            .briefs_of(&listing, days, asked.limit, when, &categories)
            .await?;
        let named: Vec<String> = covering
            .iter()
            .map(|covering| covering.opinion.ticker.clone())
            .collect();
        let briefs: Vec<NewsItemBody> = covering
            .iter()
            .map(|covering| NewsItemBody {
                brief: BriefBody::new(&covering.brief, when.end),
                sentiment_score: covering.opinion.sentiment.get(),
                role: covering.opinion.role.as_str(),
            })
            .collect();
        let mut issues = DataIssue::absent_if(
            briefs.is_empty(),
            "briefs",
            "no brief in the period mentions this symbol",
        );
        issues.extend(listing.of_other_classes("briefs", &named));
        Ok(NewsBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            entity_name: listing.instrument.entity_name().to_owned(),
            meta: NewsMeta {
                count: briefs.len(),
            },
            briefs,
            data_status: written(issues),
        })
    }
}
