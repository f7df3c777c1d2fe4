//! `/agents`: finding agents, viewing one, and reading the result of a run.

use std::cmp::Ordering;

use operations::{
    About, Address, Arguments, Context, Error, Keeping, Operation, Parameters, Result,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::builtin::{self, COLLECTIONS};
use super::catalogue::{self, AgentSummary};
use super::detail::AgentBody;
use super::pipeline::CATEGORIES;
use super::record::{self, AgentRunBody};

/// The order of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Runs,
    Rating,
    Newest,
    Forks,
}

impl Order {
    fn compare(self, left: &AgentSummary, right: &AgentSummary) -> Ordering {
        let by = match self {
            Self::Runs => right.run_count.cmp(&left.run_count),
            Self::Rating => right
                .avg_rating
                .total_cmp(&left.avg_rating)
                .then(right.review_count.cmp(&left.review_count)),
            Self::Forks => right.fork_count.cmp(&left.fork_count),
            // Times sort correctly as they are written; agents that come with the program are the oldest.
            Self::Newest => right.created_at.cmp(&left.created_at),
        };
        by.then(right.is_featured.cmp(&left.is_featured))
            .then(left.slug.cmp(&right.slug))
    }
}

/// What all reading operations of the marketplace have in common.
pub(crate) const ABOUT: About = About {
    subject: "agents",
    takes_as_of: false,
    // Others may have created some in the meantime.
    keeping: Keeping::Never,
    ..About::READS
};

/// Agents.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentsBody)]
pub(crate) struct AgentsBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The agents, in the requested order.
    agents: Vec<AgentSummary>,
    /// Total number of agents that match.
    total: usize,
}

/// The filters of a list.
pub(crate) struct ListQuery {
    category: Option<&'static str>,
    words: Option<String>,
    order: Order,
    limit: u64,
}

impl Parameters for ListQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let categories = CATEGORIES.map(|word| (word, word));
        Self {
            category: arguments.word("category", &categories, "Only agents in this category"),
            words: arguments.text(
                "q",
                1..=100,
                "Words in the name, description, tags or creator; all of them must match",
            ),
            order: arguments.word_or(
                "sort",
                &[
                    ("runs", Order::Runs),
                    ("rating", Order::Rating),
                    ("newest", Order::Newest),
                ],
                Order::Runs,
                "Order: the most runs, the best rating or the newest first",
            ),
            limit: arguments.integer("limit", 1..=50, 20, "Maximum number of agents"),
        }
    }
}

/// `GET /agents`.
pub(crate) struct List;

impl Operation for List {
    type Input = ListQuery;
    type Output = AgentsBody;

    const ABOUT: About = About {
        name: "list_agents",
        address: Address::get("/api/v1/agents"),
        summary: "Lists the agents in the marketplace.",
        description: "An agent is a pipeline of this server's own operations. Those of `assay` come with the program; all others were created by accounts on this server, and every account can see them.",
        answer: "The agents",
        example: r#"{"category": "trading"}"#,
        ..ABOUT
    };

    async fn run(context: Context, asked: ListQuery) -> Result<AgentsBody> {
        let mut agents = catalogue::all(&context).await?;
        if let Some(category) = asked.category {
            agents.retain(|agent| agent.category == category);
        }
        if let Some(words) = &asked.words {
            let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
            agents.retain(|agent| {
                let text = format!(
                    "{} {} {} {} {} {}",
                    agent.slug,
                    agent.name,
                    agent.description,
                    agent.category,
                    agent.tags.join(" "),
                    agent.creator_username
                )
                .to_lowercase();
                words.iter().all(|word| text.contains(word.as_str()))
            });
        }
        agents.sort_by(|left, right| asked.order.compare(left, right));
        let total = agents.len();
        agents.truncate(asked.limit as usize);
        Ok(AgentsBody {
            status: "ok",
            agents,
            total,
        })
    }
}

/// An agent with its rank.
#[derive(Serialize, ToSchema)]
#[schema(as = RankedAgent)]
pub(crate) struct RankedAgent {
    /// Rank, starting at 1. Agents that are equal share a rank.
    rank: usize,
    #[serde(flatten)]
    agent: AgentSummary,
}

/// The leaderboard.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentLeaderboardBody)]
pub(crate) struct LeaderboardBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The top agents, in order.
    agents: Vec<RankedAgent>,
}

/// Parameters of the leaderboard.
pub(crate) struct LeaderboardQuery {
    order: Order,
    limit: u64,
}

impl Parameters for LeaderboardQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            order: arguments.word_or(
                "sort",
                &[
                    ("runs", Order::Runs),
                    ("rating", Order::Rating),
                    ("forks", Order::Forks),
                ],
                Order::Runs,
                "What counts",
            ),
            limit: arguments.integer("limit", 1..=50, 10, "Maximum number of agents"),
        }
    }
}

/// `GET /agents/leaderboard`.
pub(crate) struct Leaderboard;

impl Operation for Leaderboard {
    type Input = LeaderboardQuery;
    type Output = LeaderboardBody;

    const ABOUT: About = About {
        name: "rank_agents",
        address: Address::get("/api/v1/agents/leaderboard"),
        summary: "Ranks the agents by runs, rating or forks.",
        answer: "The top agents with their ranks",
        ..ABOUT
    };

    async fn run(context: Context, asked: LeaderboardQuery) -> Result<LeaderboardBody> {
        let mut agents = catalogue::all(&context).await?;
        agents.sort_by(|left, right| asked.order.compare(left, right));
        let measure = |agent: &AgentSummary| match asked.order {
            Order::Rating => agent.avg_rating,
            Order::Forks => agent.fork_count as f64,
            _ => agent.run_count as f64,
        };
        let mut ranked: Vec<RankedAgent> = Vec::new();
        for (place, agent) in agents.into_iter().take(asked.limit as usize).enumerate() {
            let rank = match ranked.last() {
                Some(last) if measure(&last.agent) == measure(&agent) => last.rank,
                _ => place + 1,
            };
            ranked.push(RankedAgent { rank, agent });
        }
        Ok(LeaderboardBody {
            status: "ok",
            agents: ranked,
        })
    }
}

/// `GET /agents/featured`.
pub(crate) struct Featured;

impl Operation for Featured {
    type Input = ();
    type Output = AgentsBody;

    const ABOUT: About = About {
        name: "list_featured_agents",
        address: Address::get("/api/v1/agents/featured"),
        summary: "Lists the featured agents.",
        answer: "The agents",
        ..ABOUT
    };

    async fn run(context: Context, (): ()) -> Result<AgentsBody> {
        let mut agents = catalogue::all(&context).await?;
        agents.retain(|agent| agent.is_featured);
        agents.sort_by_key(|agent| builtin::place_of_featured(&agent.slug));
        let total = agents.len();
        Ok(AgentsBody {
            status: "ok",
            agents,
            total,
        })
    }
}

/// A collection of related agents.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentCollection)]
pub(crate) struct CollectionBody {
    /// Name of the collection in URLs.
    slug: &'static str,
    /// Display name.
    name: &'static str,
    /// What its agents have in common.
    description: &'static str,
    /// Number of agents.
    agent_count: usize,
    /// Slugs of the agents.
    agents: Vec<&'static str>,
}

/// The collections.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentCollectionsBody)]
pub(crate) struct CollectionsBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The collections, in order.
    collections: Vec<CollectionBody>,
}

/// `GET /agents/collections`.
pub(crate) struct Collections;

impl Operation for Collections {
    type Input = ();
    type Output = CollectionsBody;

    const ABOUT: About = About {
        name: "list_agent_collections",
        address: Address::get("/api/v1/agents/collections"),
        summary: "Lists collections of agents that belong together.",
        answer: "The collections",
        ..ABOUT
    };

    async fn run(_: Context, (): ()) -> Result<CollectionsBody> {
        let collections = COLLECTIONS.iter().map(|one| CollectionBody {
            slug: &one.slug,
            name: &one.name,
            description: &one.description,
            agent_count: one.agents.len(),
            agents: one.agents.iter().map(String::as_str).collect(),
        });
        Ok(CollectionsBody {
            status: "ok",
            collections: collections.collect(),
        })
    }
}

/// An agent, identified by its slug.
pub(crate) struct BySlug {
    pub(crate) slug: String,
}

impl Parameters for BySlug {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            slug: arguments.path("slug", "Slug of the agent"),
        }
    }
}

/// `GET /agents/{slug}`.
pub(crate) struct Show;

impl Operation for Show {
    type Input = BySlug;
    type Output = AgentBody;

    const ABOUT: About = About {
        name: "show_agent",
        address: Address::get("/api/v1/agents/{slug}"),
        summary: "Shows an agent: its inputs, its steps and its reviews.",
        answer: "The agent",
        missing: Some("There is no such agent"),
        example: r#"{"slug": "morning-brief"}"#,
        ..ABOUT
    };

    async fn run(context: Context, BySlug { slug }: BySlug) -> Result<AgentBody> {
        let agent = catalogue::find(&context, &slug).await?;
        AgentBody::of(&context, &agent).await
    }
}

/// A run, identified by its id.
pub(crate) struct ByRun {
    id: String,
}

impl Parameters for ByRun {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            id: arguments.path("id", "Id of the run"),
        }
    }
}

/// One run.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentRunAnswer)]
pub(crate) struct RunAnswer {
    /// `ok`.
    #[schema(example = "ok")]
    pub(crate) status: &'static str,
    /// The run.
    pub(crate) run: AgentRunBody,
}

/// `GET /agents/runs/{id}`.
pub(crate) struct ShowRun;

impl Operation for ShowRun {
    type Input = ByRun;
    type Output = RunAnswer;

    const ABOUT: About = About {
        name: "show_agent_run",
        address: Address::get("/api/v1/agents/runs/{id}"),
        summary: "Shows the result of a run of an agent, step by step.",
        description: "Only the account that started the run can see it.",
        answer: "The run",
        missing: Some("The account has no such run"),
        example: r#"{"id": "run_0"}"#,
        ..ABOUT
    };

    async fn run(context: Context, ByRun { id }: ByRun) -> Result<RunAnswer> {
        let owner = context.owner()?.account;
        let found = record::find(&context, owner, &id).await?;
        let run =
            found.ok_or_else(|| Error::not_found("this account has no such run of an agent"))?;
        Ok(RunAnswer { status: "ok", run })
    }
}
