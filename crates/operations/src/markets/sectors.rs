//! `/sectors`: the sectors covered by the briefs, and their sentiment.

use analysis::market::{DataIssue, Listing, MAX_AGE, PointInTime, PricePoint, left_out};
use market::sectors::SectorRow;
use model::{InstrumentKey, Symbol};
use serde::Serialize;
use utoipa::ToSchema;

use crate::counted::counted;
use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// The days to cover.
pub(crate) struct SectorsQuery {
    days: u64,
    max_age: u32,
}

/// The currency used for symbols without a listing.
const DOLLAR: &str = "USD";
/// Number of sessions in ten years.
const OLDEST: u64 = 2500;

impl Parameters for SectorsQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            days: arguments.integer("days", 1..=90, 7, "Number of days to look back, 7 by default"),
            max_age: arguments.integer(
                "max_age",
                0..=OLDEST,
                u64::from(MAX_AGE),
                "Maximum age of a symbol's latest price for its briefs to count, in sessions before the latest known session, 5 by default",
            ) as u32,
        }
    }
}

/// Sectors mentioned in briefs, most briefs first.
#[derive(Serialize, ToSchema)]
pub(crate) struct SectorsBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The sectors.
    sectors: Vec<SectorBody>,
    /// Number of days covered.
    days: u64,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// Coverage of a sector.
#[derive(Serialize, ToSchema)]
#[schema(as = Sector)]
pub(crate) struct SectorBody {
    /// Sector.
    sector: String,
    /// Number of briefs; each is counted once, however many of its tickers belong to the sector.
    brief_count: usize,
    /// Mean sentiment towards its tickers, 0 to 1, where 0.5 is neutral.
    avg_sentiment: f64,
    /// `strong_bullish`, `bullish`, `neutral`, `bearish` or `strong_bearish`.
    signal: &'static str,
    /// The ticker mentioned in the most briefs; in a tie, the first alphabetically.
    top_ticker: String,
    /// Publication time of the newest brief.
    as_of: String,
    /// Latest price of `top_ticker`; null if none is known.
    #[schema(required)]
    price: Option<f64>,
    /// Change from the previous close, in percent.
    #[schema(required)]
    change_pct: Option<f64>,
    /// Session of that price, YYYY-MM-DD; null if there is no price.
    #[schema(required)]
    date: Option<String>,
    /// ISO 4217 code of that price.
    currency: String,
    /// Whether that price is more than five sessions older than the latest session.
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
        description: "Sectors without briefs are excluded; `data_status` says how many.",
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
