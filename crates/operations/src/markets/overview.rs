//! `/market`: what moved most, and where the indices stand.

use analysis::market::{INDICES, MAX_AGE};
use market::Day;
use market::movers::{Quote, movers as pick_movers};
use market::screener::sessions_before;
use model::AssetType;
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::{About, Address, Context, Operation};

/// What moved most in the newest session.
#[derive(Serialize, ToSchema)]
pub(crate) struct MoversBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Highest change first, rises only, at most 10.
    gainers: Vec<MoverBody>,
    /// Lowest change first, falls only, at most 10.
    losers: Vec<MoverBody>,
    /// Highest volume first, at most 10.
    most_active: Vec<MoverBody>,
    /// The session that the prices are of, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    date: Option<String>,
    /// Shares with a price of that session.
    compared: usize,
    /// Why figures are missing, stale or from another source; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A share that moved.
#[derive(Serialize, ToSchema)]
#[schema(as = Mover)]
pub(crate) struct MoverBody {
    /// Symbol.
    symbol: String,
    /// Name.
    name: String,
    /// Latest price in the currency of the listing.
    price: f64,
    /// Against the close before, in percent.
    change_pct: f64,
    /// Shares that changed hands in the session.
    volume: f64,
    /// The session of the price, YYYY-MM-DD.
    #[schema(required)]
    date: Option<String>,
    /// ISO 4217 code of the price.
    currency: String,
    /// Whether the price is more than five sessions older than the newest session.
    stale: bool,
}

impl MoverBody {
    fn new(quote: &Quote<'_>, session: Option<Day>, stale: bool) -> Self {
        Self {
            date: session.map(|session| session.to_string()),
            currency: quote.currency.to_owned(),
            stale,
            symbol: quote.symbol.to_owned(),
            name: quote.name.to_owned(),
            price: quote.price,
            change_pct: quote.change_pct,
            volume: quote.volume,
        }
    }
}

/// `GET /market/movers`.
pub(crate) struct Movers;

impl Operation for Movers {
    type Input = ();
    type Output = MoversBody;

    const ABOUT: About = About {
        name: "list_market_movers",
        address: Address::get("/api/v1/market/movers"),
        subject: "markets",
        summary: "Lists the top gainers, the top losers and the most active shares.",
        description: "From the latest session in which at least ten shares have a price; during a session, from its latest prices. With `as_of`, from the closes known then.",
        answer: "Up to ten of each",
        ..About::READS
    };

    async fn run(context: Context, (): ()) -> Result<MoversBody> {
        let when = context.when();
        let board = context.prices.newest_session(when).await?;
        let compare = move || {
            let quotes = board.quotes();
            let found = pick_movers(&quotes);
            let oldest = sessions_before(
                when.newest_day(AssetType::Equity),
                MAX_AGE,
                AssetType::Equity,
            );
            let stale = board.session.is_some_and(|session| session < oldest);
            let list = |quotes: &[Quote<'_>]| {
                let rows = quotes.iter();
                rows.map(|quote| MoverBody::new(quote, board.session, stale))
                    .collect()
            };
            MoversBody {
                status: "ok",
                gainers: list(&found.gainers),
                losers: list(&found.losers),
                most_active: list(&found.most_active),
                date: board.session.map(|session| session.to_string()),
                compared: board.len(),
                data_status: written(board.issues(when)),
            }
        };
        Ok(analysis::light(compare).await?)
    }
}

/// Where the indices stand.
#[derive(Serialize, ToSchema)]
pub(crate) struct SummaryBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// S&P 500, Dow Jones Industrial Average, NASDAQ Composite, Russell 2000, CBOE Volatility Index; those of which
    /// nothing is known are absent and named in `data_status`.
    indices: Vec<IndexBody>,
    /// Why figures are missing, stale or from another source; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// An index.
#[derive(Serialize, ToSchema)]
#[schema(as = MarketIndex)]
pub(crate) struct IndexBody {
    /// Such as `^GSPC`.
    symbol: &'static str,
    /// Name of the index.
    name: &'static str,
    /// Its level.
    price: f64,
    /// Against the close before, in percent; null where there is none.
    #[schema(required)]
    change_pct: Option<f64>,
    /// The session, YYYY-MM-DD.
    date: String,
    /// Who reported it.
    source: String,
}

/// `GET /market/summary`.
pub(crate) struct Summary;

impl Operation for Summary {
    type Input = ();
    type Output = SummaryBody;

    const ABOUT: About = About {
        name: "show_market_summary",
        address: Address::get("/api/v1/market/summary"),
        subject: "markets",
        summary: "Shows the levels of five US indices.",
        description: "A quote from the session where there is one, else the latest close. With `as_of`, the closes known then.",
        answer: "The indices",
        ..About::READS
    };

    async fn run(context: Context, (): ()) -> Result<SummaryBody> {
        let when = context.when();
        let mut indices = Vec::new();
        let mut issues = Vec::new();
        for index in INDICES.iter() {
            let name = format!("{} ({})", index.name, index.code);
            let level = context
                .series
                .latest(index, "indices", ("level", &name), when);
            let (found, issue) = level.await?;
            issues.extend(issue);
            let Some((values, level)) = found else {
                continue;
            };
            indices.push(IndexBody {
                symbol: index.code,
                name: index.name,
                price: level.value,
                change_pct: level.change_pct,
                date: level.day.to_string(),
                source: values.series.source,
            });
        }
        Ok(SummaryBody {
            status: "ok",
            indices,
            data_status: written(issues),
        })
    }
}
