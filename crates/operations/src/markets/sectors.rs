//! `/sectors`: which sectors the briefs are about, and with which sentiment.

use analysis::market::DataIssue;
use market::sectors::SectorRow;
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Which days.
pub(crate) struct SectorsQuery {
    days: u64,
}

impl Parameters for SectorsQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            days: arguments.integer("days", 1..=90, 7, "Days back, 7 by default"),
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
}

impl From<SectorRow> for SectorBody {
    fn from(row: SectorRow) -> Self {
        Self {
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
        let board = context.sentiment.sectors(when, days, &categories).await?;
        let mut issues = Vec::new();
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
                    "{silent} of {} sectors have no briefs in the last {} days and are left out",
                    board.known, asked.days
                ),
            ));
        }
        if board.left_out > 0 {
            issues.push(DataIssue::absent(
                "sectors.brief_count",
                format!(
                    "{} mentions are of funds, coins or symbols without a sector and are not counted",
                    board.left_out
                ),
            ));
        }
        Ok(SectorsBody {
            status: "ok",
            sectors: board.rows.into_iter().map(SectorBody::from).collect(),
            days: asked.days,
            data_status: written(issues),
        })
    }
}
