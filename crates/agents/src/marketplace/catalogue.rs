//! The agents: those that come with the program and those created by accounts.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use model::{AccountId, Timestamp};
use operations::{Context, Error, Result};
use parking_lot::Mutex;
use serde::Serialize;
use store::{AgentCounts, AgentRow};
use utoipa::ToSchema;

use super::builtin::{self, BUILT_IN};
use super::pipeline::Pipeline;
use super::read::read;

/// The creator of the agents that come with the program.
pub(crate) const HOUSE: &str = "assay";
/// Path segments that occupy the place of a slug and are not slugs.
pub(crate) const FIXED_WORDS: [&str; 6] = [
    "leaderboard",
    "featured",
    "collections",
    "runs",
    "run",
    "schedules",
];

/// An agent with its pipeline.
pub(crate) struct Agent {
    pub(crate) slug: String,
    pub(crate) pipeline: Pipeline,
    /// The pipeline as TOML.
    pub(crate) source: String,
    /// The account that created it; `None` for agents that come with the program.
    pub(crate) account: Option<AccountId>,
    pub(crate) updated_at: Option<Timestamp>,
}

/// An agent as it appears in lists.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = AgentSummary)]
pub(crate) struct AgentSummary {
    /// Name of the agent in URLs.
    #[schema(example = "morning-brief")]
    pub(crate) slug: String,
    /// Display name.
    pub(crate) name: String,
    /// What it does.
    pub(crate) description: String,
    /// `trading`, `research`, `intelligence`, `crypto`, `monitoring`, `analysis` or `economy`.
    pub(crate) category: String,
    /// Maximum number of credits that a run costs. Steps that are not needed or fail cost nothing.
    pub(crate) credit_cost: u64,
    /// Number of completed runs, by anyone.
    pub(crate) run_count: u64,
    /// Mean rating, from 1 to 5; 0 if nobody has rated it.
    pub(crate) avg_rating: f64,
    /// Number of reviews behind the rating.
    pub(crate) review_count: u64,
    /// Number of agents that were forked from it.
    pub(crate) fork_count: u64,
    /// Who created it; `assay` for agents that come with the program.
    pub(crate) creator_username: String,
    /// Whether it is recommended as a starting point.
    pub(crate) is_featured: bool,
    /// Tags to find it by.
    pub(crate) tags: Vec<String>,
    /// Slug of the agent that it was forked from. Absent if it was created from scratch.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) forked_from: Option<String>,
    /// When it was created. Absent for agents that come with the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) created_at: Option<String>,
}

impl AgentSummary {
    pub(crate) fn of_built_in(agent: &Agent, counts: AgentCounts) -> Self {
        Self {
            slug: agent.slug.clone(),
            name: agent.pipeline.name.clone(),
            description: agent.pipeline.description.clone(),
            category: agent.pipeline.category.to_owned(),
            credit_cost: agent.pipeline.credit_cost(),
            run_count: counts.runs,
            avg_rating: counts.rating,
            review_count: counts.reviews,
            fork_count: counts.forks,
            creator_username: HOUSE.to_owned(),
            is_featured: builtin::is_featured(&agent.slug),
            tags: agent.pipeline.tags.clone(),
            forked_from: None,
            created_at: None,
        }
    }

    pub(crate) fn of_row(row: &AgentRow, counts: AgentCounts) -> Self {
        Self {
            slug: row.slug.clone(),
            name: row.name.clone(),
            description: row.description.clone(),
            category: row.category.clone(),
            credit_cost: row.credit_cost,
            run_count: counts.runs,
            avg_rating: counts.rating,
            review_count: counts.reviews,
            fork_count: counts.forks,
            creator_username: row.creator.clone(),
            is_featured: false,
            tags: serde_json::from_str(&row.tags).unwrap_or_default(),
            forked_from: row.forked_from.clone(),
            created_at: Some(row.created_at.to_string()),
        }
    }
}

/// Every agent: first those that come with the program, then those of accounts, newest first.
pub(crate) async fn all(context: &Context) -> Result<Vec<AgentSummary>> {
    let agents = context.store.agents();
    let counts: HashMap<String, AgentCounts> = agents.counts().await?.into_iter().collect();
    let of = |slug: &str| counts.get(slug).copied().unwrap_or_default();
    let mut all: Vec<AgentSummary> = BUILT_IN
        .iter()
        .map(|agent| AgentSummary::of_built_in(agent, of(&agent.slug)))
        .collect();
    let rows = agents.list().await?;
    all.extend(
        rows.iter()
            .map(|row| AgentSummary::of_row(row, of(&row.slug))),
    );
    Ok(all)
}

/// The counts of the agent with this slug.
pub(crate) async fn counts(context: &Context, slug: &str) -> Result<AgentCounts> {
    let all = context.store.agents().counts().await?;
    let found = all.into_iter().find(|(known, _)| known == slug);
    Ok(found.map_or_else(AgentCounts::default, |(_, counts)| counts))
}

/// The summary of one agent.
pub(crate) async fn summary(context: &Context, agent: &Agent) -> Result<AgentSummary> {
    let counts = counts(context, &agent.slug).await?;
    if agent.account.is_none() {
        return Ok(AgentSummary::of_built_in(agent, counts));
    }
    let row = context.store.agents().find(&agent.slug).await?;
    let row = row.ok_or_else(|| Error::not_found("there is no such agent any more"))?;
    Ok(AgentSummary::of_row(&row, counts))
}

/// The most recently read pipelines of accounts.
static READ: LazyLock<Mutex<HashMap<String, Arc<Agent>>>> = LazyLock::new(Mutex::default);
const MOST_READ: usize = 256;

/// The agent with this slug.
pub(crate) async fn find(context: &Context, slug: &str) -> Result<Arc<Agent>> {
    if let Some(agent) = BUILT_IN.iter().find(|agent| agent.slug == slug) {
        return Ok(Arc::clone(agent));
    }
    let row = if is_slug(slug) {
        context.store.agents().find(slug).await?
    } else {
        None
    };
    let Some(row) = row else {
        let slug: String = slug.chars().take(60).collect();
        return Err(Error::not_found(format!(
            "there is no agent {slug:?}; GET /api/v1/agents lists them"
        )));
    };
    // One process may serve several stores.
    let key = format!("{}/{slug}", context.store.id());
    if let Some(known) = READ.lock().get(&key)
        && known.updated_at == Some(row.updated_at)
        && known.source == row.pipeline
    {
        return Ok(Arc::clone(known));
    }
    let pipeline = read(&row.pipeline, None).map_err(|error| {
        Error::invalid(format!(
            "the pipeline of this agent no longer fits this server, its creator has to change it: {error}"
        ))
    })?;
    let agent = Arc::new(Agent {
        slug: row.slug,
        pipeline,
        source: row.pipeline,
        account: Some(row.account),
        updated_at: Some(row.updated_at),
    });
    let mut known = READ.lock();
    if known.len() >= MOST_READ {
        known.clear();
    }
    known.insert(key, Arc::clone(&agent));
    Ok(agent)
}

/// `letters-digits-hyphens`.
pub(crate) fn is_slug(slug: &str) -> bool {
    (3..=60).contains(&slug.len())
        && slug.starts_with(|first: char| first.is_ascii_lowercase())
        && !slug.ends_with('-')
        && !slug.contains("--")
        && slug
            .chars()
            .all(|one| one.is_ascii_lowercase() || one.is_ascii_digit() || one == '-')
}

/// Whether nobody else can use this slug.
pub(crate) fn is_reserved(slug: &str) -> bool {
    FIXED_WORDS.contains(&slug) || BUILT_IN.iter().any(|agent| agent.slug == slug)
}

/// A slug derived from a name. It may be empty.
pub(crate) fn slug_of(name: &str) -> String {
    let mut slug = String::new();
    for character in name.to_lowercase().chars() {
        if character.is_ascii_alphanumeric() {
            slug.push(character);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() >= 50 {
            break;
        }
    }
    slug.trim_end_matches('-').to_owned()
}
