//! `/market`: the biggest movers and the index levels.

use analysis::market::{INDICES, MAX_AGE};
use market::Day;
use market::movers::{Quote, SectorMove, movers as pick_movers, sectors as sectors_of};
use market::screener::sector::canonical;
use market::screener::sessions_before;
use model::AssetType;
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::markets::listed::check_sector;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Maximum number of matches listed.
const MATCHES: usize = 50;
/// Number of sessions in ten years.
const OLDEST: u64 = 2500;

/// The period, and which shares to list in addition to the ten in each list.
pub(crate) struct MoversQuery {
    from: Option<Day>,
    change_above: Option<f64>,
    change_below: Option<f64>,
    max_age: Option<u32>,
    sector: Option<String>,
}

impl Parameters for MoversQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            from: arguments
                .date(
                    "from",
                    "First day of a period that ends with the latest session, YYYY-MM-DD; if omitted, only the latest session",
                )
                .map(Day::of),
            change_above: arguments.number(
                "change_above",
                -100.0..=1e6,
                "Also lists, in `matching`, the shares that changed by more than this many percent",
            ),
            change_below: arguments.number(
                "change_below",
                -100.0..=1e6,
                "Also lists, in `matching`, the shares that changed by less than this many percent; -20 means falls of more than 20 %",
            ),
            max_age: arguments
                .optional_integer(
                    "max_age",
                    0..=OLDEST,
                    "Maximum age of a share's latest price, in sessions before the latest one, for the share to be included. The default is 0 for the latest session alone, so that the changes compared are those of one session, and 5 with `from`",
                )
                .map(|age| age as u32),
            sector: arguments.text(
                "sector",
                1..=80,
                "Only shares of this sector",
            ),
        }
    }
}

impl MoversQuery {
    /// The shares within the bounds, largest moves first; `None` without bounds.
    fn matching<'a>(&self, quotes: &[Quote<'a>]) -> Option<Vec<Quote<'a>>> {
        if self.change_above.is_none() && self.change_below.is_none() {
            return None;
        }
        let is_match = |quote: &&Quote<'_>| {
            quote.change_pct.is_finite()
                && self
                    .change_above
                    .is_none_or(|least| quote.change_pct > least)
                && self.change_below.is_none_or(|most| quote.change_pct < most)
        };
        let mut found: Vec<Quote<'a>> = quotes.iter().filter(is_match).copied().collect();
        found.sort_unstable_by(|a, b| {
            let order = a.change_pct.total_cmp(&b.change_pct);
            let order = if self.change_above.is_some() {
                order.reverse()
            } else {
                order
            };
            order.then_with(|| a.symbol.cmp(b.symbol))
        });
        Some(found)
    }
}

/// The biggest movers of the latest session.
#[derive(Serialize, ToSchema)]
pub(crate) struct MoversBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Shares that rose, largest gain first, at most 10.
    gainers: Vec<MoverBody>,
    /// Shares that fell, largest loss first, at most 10.
    losers: Vec<MoverBody>,
    /// Most active shares, highest volume first, at most 10.
    most_active: Vec<MoverBody>,
    /// Only with `change_above` or `change_below`: shares within these bounds, largest moves first, at most 50.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    matching: Option<Vec<MoverBody>>,
    /// Only with these bounds: number of shares within them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    total_matching: Option<usize>,
    /// Performance by sector, all of them, highest median change first; sectors with fewer than three shares are excluded.
    sectors: Vec<SectorMoveBody>,
    /// Session of the prices, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    date: Option<String>,
    /// First day of the requested period. Changes are measured from the last close before it, and volumes are sums over
    /// the period.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    from: Option<String>,
    /// Number of shares with a price from that session (with `max_age`, from up to that many sessions before it) and,
    /// with `from`, also a close in the ten days before that day. `data_status` counts shares whose latest price is
    /// older.
    compared: usize,
    /// The sector of the shares, if one was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    sector: Option<String>,
    /// Only with `from` and without `sector`: number of shares with a price from that session but no close in the ten
    /// days before that day.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    left_out: Option<usize>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A share that moved.
#[derive(Serialize, ToSchema)]
#[schema(as = Mover)]
pub(crate) struct MoverBody {
    /// Symbol.
    symbol: String,
    /// Name of the company.
    name: String,
    /// Latest price in the currency of the listing.
    price: f64,
    /// Change from the previous close or, with `from`, from the last close before that day, in percent.
    change_pct: f64,
    /// Shares traded in the session or, with `from`, since that day; null if volumes are unknown.
    #[schema(required)]
    volume: Option<f64>,
    /// Session of the price, YYYY-MM-DD.
    date: String,
    /// ISO 4217 code of the price.
    currency: String,
    /// Whether the price is more than five sessions older than the latest session.
    stale: bool,
}

/// Performance of the shares in a sector. All shares are equally weighted, regardless of size.
#[derive(Serialize, ToSchema)]
#[schema(as = SectorMove)]
pub(crate) struct SectorMoveBody {
    /// Sector.
    sector: String,
    /// Number of shares compared in the sector.
    shares: usize,
    /// Number of these shares that rose.
    rose: usize,
    /// Median change of its shares, in percent.
    median_change_pct: f64,
    /// Symbol of the best-performing share.
    best_symbol: String,
    /// Change of that share, in percent.
    best_change_pct: f64,
}

impl From<SectorMove<'_>> for SectorMoveBody {
    fn from(moved: SectorMove<'_>) -> Self {
        Self {
            sector: moved.sector.to_owned(),
            shares: moved.shares,
            rose: moved.rose,
            median_change_pct: moved.median_change_pct,
            best_symbol: moved.best.symbol.to_owned(),
            best_change_pct: moved.best.change_pct,
        }
    }
}

impl MoverBody {
    fn new(quote: &Quote<'_>, stale: bool) -> Self {
        Self {
            date: quote.day.to_string(),
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
    type Input = MoversQuery;
    type Output = MoversBody;

    const ROWS: Option<&'static str> = Some("gainers,losers,most_active,matching");

    const ABOUT: About = About {
        name: "list_market_movers",
        address: Address::get("/api/v1/market/movers"),
        subject: "markets",
        summary: "Lists the top gainers, the top losers and the most actively traded shares.",
        description: "The lists are based on the latest session in which at least ten shares have a price; during a session, on its latest prices. With `as_of`, they are based on the closes known at that time. With `from`, they show what moved most between that day and the latest session, adjusted for all splits and without dividends; with both, the period ends in the past.",
        answer: "Up to ten of each",
        example: r#"{"from": "2026-01-01"}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: MoversQuery) -> Result<MoversBody> {
        let when = context.when();
        check_sector(&context, "sector", asked.sector.as_deref()).await?;
        let sector = asked.sector.as_deref().map(canonical);
        let board = match asked.from {
            None => {
                let max_age = asked.max_age.unwrap_or(0);
                context.prices.newest_session(max_age, when).await?
            }
            Some(from) => {
                let max_age = asked.max_age.unwrap_or(MAX_AGE);
                context.prices.sessions_since(from, max_age, when).await?
            }
        };
        let compare = move || {
            let mut quotes = board.quotes();
            let sectors = sectors_of(&quotes);
            if let Some(sector) = &sector {
                quotes.retain(|quote| quote.sector.eq_ignore_ascii_case(sector));
            }
            let compared = quotes.len();
            let found = pick_movers(&quotes);
            let oldest = sessions_before(
                when.newest_day(AssetType::Equity),
                MAX_AGE,
                AssetType::Equity,
            );
            let list = |quotes: &[Quote<'_>]| {
                let rows = quotes.iter();
                rows.map(|quote| MoverBody::new(quote, quote.day < oldest))
                    .collect()
            };
            let matching = asked.matching(&quotes);
            MoversBody {
                status: "ok",
                total_matching: matching.as_ref().map(Vec::len),
                matching: matching.map(|all| list(&all[..all.len().min(MATCHES)])),
                sectors: sectors.into_iter().map(SectorMoveBody::from).collect(),
                gainers: list(&found.gainers),
                losers: list(&found.losers),
                most_active: list(&found.most_active),
                date: board.session.map(|session| session.to_string()),
                from: asked.from.map(|from| from.to_string()),
                compared,
                left_out: asked
                    .from
                    .filter(|_| sector.is_none())
                    .map(|_| board.left_out),
                sector,
                data_status: written(board.issues(when)),
            }
        };
        Ok(analysis::light(compare).await?)
    }
}

/// Index levels.
#[derive(Serialize, ToSchema)]
pub(crate) struct SummaryBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// S&P 500, Dow Jones Industrial Average, NASDAQ Composite, Russell 2000 and CBOE Volatility Index; those without
    /// data are absent and named in `data_status`.
    indices: Vec<IndexBody>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// An index.
#[derive(Serialize, ToSchema)]
#[schema(as = MarketIndex)]
pub(crate) struct IndexBody {
    /// Symbol of the index, such as `^GSPC`.
    symbol: &'static str,
    /// Name of the index.
    name: &'static str,
    /// Level of the index.
    price: f64,
    /// Change from the previous close, in points; absent if there is no previous close.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    change: Option<f64>,
    /// The same change in percent; null if there is no previous close.
    #[schema(required)]
    change_pct: Option<f64>,
    /// Session, YYYY-MM-DD.
    date: String,
    /// Source that reported the level.
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
        description: "Each level is a quote from the session if there is one, and otherwise the latest close. With `as_of`, the levels are the closes known at that time.",
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
                change: level.change,
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
