//! `/verify/leaderboard`: how often the claims of each source are supported.

use model::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::{About, Address, Arguments, Context, Keeping, Operation, Parameters};

const PERIODS: [(&str, i64); 3] = [("7d", 7), ("30d", 30), ("90d", 90)];

/// How far back, and how many sources.
pub(crate) struct Board {
    days: i64,
    limit: u64,
}

impl Parameters for Board {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            days: arguments.word_or("period", &PERIODS, 30, "Period ending now"),
            limit: arguments.integer("limit", 1..=100, 20, "Sources at most"),
        }
    }
}

/// The sources that were right most often.
#[derive(Serialize, ToSchema)]
pub(crate) struct LeaderboardBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Sources by `(supported + 1) / (decided + 2)`, the highest first: by `supported_share`, nearer to one half the fewer claims are decided.
    /// Of equals those with more decided claims, then by name.
    sources: Vec<SourceRow>,
    /// How many sources are ranked, those beyond `limit` included.
    total: u64,
}

/// One source.
#[derive(Serialize, ToSchema)]
#[schema(as = LeaderboardSource)]
pub(crate) struct SourceRow {
    /// Place among all sources, from 1.
    rank: usize,
    /// Name that callers gave it.
    source: String,
    /// Claims that were verified.
    claims: u64,
    /// How many are supported.
    supported: u64,
    /// How many are contradicted.
    contradicted: u64,
    /// How many are supported in part.
    partially_supported: u64,
    /// How many nothing decides.
    unverifiable: u64,
    /// Share of supported claims among those with a verdict, 0 to 1; null where none has one.
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
        summary: "Ranks the sources that callers named by how often their claims are supported.",
        description: "Counts the claims of `/verify/output` and `/verify/batch` that came with a `source`.",
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
