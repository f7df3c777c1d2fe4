//! `/verify/leaderboard`: how often the claims of each source are supported.

use model::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::{About, Address, Arguments, Context, Keeping, Operation, Parameters};

const PERIODS: [(&str, i64); 3] = [("7d", 7), ("30d", 30), ("90d", 90)];

/// How far back to look, and how many sources to list.
pub(crate) struct Board {
    days: i64,
    limit: u64,
}

impl Parameters for Board {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            days: arguments.word_or("period", &PERIODS, 30, "Period that ends now"),
            limit: arguments.integer("limit", 1..=100, 20, "Maximum number of sources"),
        }
    }
}

/// The sources with the best record.
#[derive(Serialize, ToSchema)]
pub(crate) struct LeaderboardBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Sources ordered by `(supported + 1) / (decided + 2)`, highest first: `supported_share`, moved closer to one half
    /// the fewer claims are decided. Ties are resolved by the number of decided claims, then by name.
    sources: Vec<SourceRow>,
    /// Number of ranked sources, including those beyond `limit`.
    total: u64,
}

/// One source.
#[derive(Serialize, ToSchema)]
#[schema(as = LeaderboardSource)]
pub(crate) struct SourceRow {
    /// Rank among all sources, starting at 1.
    rank: usize,
    /// Name given by callers.
    source: String,
    /// Number of claims that were verified.
    claims: u64,
    /// Number of supported claims.
    supported: u64,
    /// Number of contradicted claims.
    contradicted: u64,
    /// Number of claims that are supported in part.
    partially_supported: u64,
    /// Number of unverifiable claims.
    unverifiable: u64,
    /// Share of supported claims among those with a verdict, from 0 to 1. Null if none has one.
    #[schema(required)]
    supported_share: Option<f64>,
}

/// `GET /verify/leaderboard`.
pub(crate) struct ShowLeaderboard;

impl Operation for ShowLeaderboard {
    type Input = Board;
    type Output = LeaderboardBody;

    const ABOUT: About = About {
        name: "show_verification_leaderboard",
        address: Address::get("/api/v1/verify/leaderboard"),
        subject: "verified",
        summary: "Ranks the sources named by callers by how often their claims are supported.",
        description: "Counts the claims sent to `/verify/output` and `/verify/batch` with a `source`.",
        answer: "The sources",
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, asked: Board) -> Result<LeaderboardBody> {
        let since = context.attempt.now.plus_ms(-asked.days * Timestamp::DAY_MS);
        let receipts = context.store.receipts();
        let board = receipts.leaderboard("claim", since, asked.limit).await?;
        let ranked = board.first.into_iter().zip(1..);
        Ok(LeaderboardBody {
            status: "ok",
            total: board.total,
            sources: ranked
                .map(|(row, rank)| {
                    let decided = row.claims.saturating_sub(row.unverifiable);
                    let share = row.supported as f64 / decided as f64;
                    SourceRow {
                        rank,
                        supported_share: (decided > 0).then_some(share),
                        source: row.source,
                        claims: row.claims,
                        supported: row.supported,
                        contradicted: row.contradicted,
                        partially_supported: row.partially_supported,
                        unverifiable: row.unverifiable,
                    }
                })
                .collect(),
        })
    }
}
