//! `/sectors`: which sectors the briefs are about, and with which sentiment.

use analysis::market::{DataIssue, Listing, MAX_AGE, PointInTime, PricePoint, left_out};
use market::sectors::SectorRow;
use model::{InstrumentKey, Symbol};
use serde::Serialize;
use utoipa::ToSchema;

use crate::counted::counted;
use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Which days.
pub(crate) struct SectorsQuery {
    days: u64,
    max_age: u32,
}

/// The currency of what no listing knows.
const DOLLAR: &str = "USD";
/// Sessions of ten years.
const OLDEST: u64 = 2500;

impl Parameters for SectorsQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            days: arguments.integer("days", 1..=90, 7, "Days back, 7 by default"),
            max_age: arguments.integer(
                "max_age",
                0..=OLDEST,
                u64::from(MAX_AGE),
                "How many sessions before the newest one that is known the newest price of a symbol may be for its briefs to count, 5 by default",
            ) as u32,
        }
    }
}

/// The sectors that briefs name, most briefs first.
#[derive(Serialize, ToSchema)]
pub(crate) struct SectorsBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The sectors.
    sectors: Vec<SectorBody>,
    /// The days that were looked at.
    days: u64,
    /// Why figures are missing, stale or from another source; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// What is said of a sector.
#[derive(Serialize, ToSchema)]
#[schema(as = Sector)]
pub(crate) struct SectorBody {
    /// Sector.
    sector: String,
    /// Briefs, each counted once however many of its tickers belong to the sector.
    brief_count: usize,
    /// Mean sentiment towards its tickers, 0 to 1 with 0.5 neutral.
    avg_sentiment: f64,
    /// `strong_bullish`, `bullish`, `neutral`, `bearish` or `strong_bearish`.
    signal: &'static str,
    /// The ticker that most briefs name; of equals the first by name.
    top_ticker: String,
    /// When the newest of the briefs was published.
    as_of: String,
    /// Latest price of `top_ticker`; null where none is known.
    #[schema(required)]
    price: Option<f64>,
    /// Change of that price against the close before, in percent.
    #[schema(required)]
    change_pct: Option<f64>,
    /// The session of that price, YYYY-MM-DD; null without one.
    #[schema(required)]
    date: Option<String>,
    /// ISO 4217 code of that price.
    currency: String,
    /// Whether that price is more than five sessions older than the newest session.
    stale: bool,
}

impl SectorBody {
    fn new(
        row: SectorRow,
        listing: Option<&Listing>,
        point: Option<PricePoint>,
        when: PointInTime,
    ) -> Self {
        let currency = listing.map_or(DOLLAR, |listing| listing.instrument.currency());
        Self {
            as_of: row.as_of.to_string(),
            price: point.map(|point| point.current),
            change_pct: point.and_then(|point| point.change_pct),
            date: point.map(|point| point.day.to_string()),
            currency: currency.to_owned(),
            stale: point
                .zip(listing)
                .is_some_and(|(point, listing)| listing.is_old(point.day, when)),
            sector: row.sector,
            brief_count: row.brief_count,
            avg_sentiment: row.avg_sentiment,
            signal: row.signal.as_str(),
            top_ticker: row.top_ticker,
        }
    }
}

/// `GET /sectors`.
pub(crate) struct Sectors;

impl Operation for Sectors {
    type Input = SectorsQuery;
    type Output = SectorsBody;

    const ABOUT: About = About {
        name: "list_sectors",
        address: Address::get("/api/v1/sectors"),
        subject: "trading",
        summary: "Ranks the sectors by number of briefs.",
        description: "Sectors without briefs are left out; `data_status` says how many.",
        answer: "The sectors",
        ..About::READS
    };

    async fn run(context: Context, asked: SectorsQuery) -> Result<SectorsBody> {
        let when = context.when();
        let categories = context.categories(None)?;
        let days = i64::try_from(asked.days).unwrap_or(90);
        let freshness = context.prices.freshness(asked.max_age, when).await?;
        let board = context
            .sentiment
            .sectors(when, days, &categories, freshness)
            .await?;
        let too_old = left_out("sectors.brief_count", &board.too_old, board.named);
        let mut issues = Vec::new();
        let mut sectors = Vec::with_capacity(board.rows.len());
        let mut unpriced: Vec<String> = Vec::new();
        for row in board.rows.iter().cloned() {
            let symbol = Symbol::parse(&row.top_ticker);
            let listing = match symbol.map(InstrumentKey::stock) {
                Some(key) => context.instruments.find(&key).await?,
                None => None,
            };
            let point = match &listing {
                Some(listing) => context.prices.newest(listing, when).await?,
                None => None,
            };
            if point.is_none() {
                unpriced.push(row.top_ticker.clone());
            }
            sectors.push(SectorBody::new(row, listing.as_deref(), point, when));
        }
        let silent = board.known.saturating_sub(board.rows.len());
        if board.known == 0 {
            issues.push(DataIssue::absent(
                "sectors",
                "no listing has a sector; import listings with `assay import listings`",
            ));
        } else if silent > 0 {
            issues.push(DataIssue::absent(
                "sectors",
                format!(
                    "{silent} of {} without briefs in the last {} left out",
                    counted(board.known, "sector", "sectors"),
                    counted(asked.days as usize, "day", "days")
                ),
            ));
        }
        if board.left_out > 0 {
            issues.push(DataIssue::absent(
                "sectors.brief_count",
                format!(
                    "{} of funds, coins or symbols without a sector not counted",
                    counted(board.left_out, "mention", "mentions")
                ),
            ));
        }
        if !unpriced.is_empty() {
            issues.push(DataIssue::absent(
                "sectors.price",
                format!("no price of {} is on record", unpriced.join(", ")),
            ));
        }
        issues.extend(too_old);
        Ok(SectorsBody {
            status: "ok",
            sectors,
            days: asked.days,
            data_status: written(issues),
        })
    }
}
