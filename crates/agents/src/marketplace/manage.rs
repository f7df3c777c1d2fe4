//! Agents of accounts: creating, changing, forking and reviewing them.

use std::sync::Arc;

use operations::{
    About, Address, Checked, Context, Done, Effect, Error, Faults, Operation, Posted, Result,
};
use serde::{Deserialize, Serialize};
use store::{AgentReview, AgentRow};
use utoipa::ToSchema;

use super::catalogue::{self, Agent, AgentSummary, HOUSE, is_reserved, is_slug, slug_of};
use super::detail::{AgentBody, ReviewBody};
use super::operation::{ABOUT, BySlug};
use super::pipeline::Pipeline;
use super::read::read;
use super::source::LONGEST;
use crate::written::{stored, too_many};

/// Maximum number of agents per account.
const MOST_AGENTS: u64 = 100;
/// Maximum number of reviews per account.
const MOST_REVIEWS: u64 = 1_000;
/// Maximum length of a comment, in characters.
const LONGEST_COMMENT: usize = 2_000;

/// A pipeline to save.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = NewAgent)]
pub(crate) struct NewAgent {
    /// The pipeline as TOML; `docs/agents.md` describes it.
    #[schema(max_length = 65536)]
    pipeline: String,
    /// Name of the agent in URLs. If it is absent, one is derived from the pipeline's name.
    #[serde(default)]
    #[schema(min_length = 3, max_length = 60, pattern = "^[a-z][a-z0-9-]*$")]
    slug: Option<String>,
}

impl Checked for NewAgent {
    fn check(&self, faults: &mut Faults) {
        if self.pipeline.len() > LONGEST {
            faults.note(format!("pipeline must have at most {LONGEST} bytes"));
        }
        if self.slug.as_deref().is_some_and(|slug| !is_slug(slug)) {
            faults.note(
                "slug must have 3 to 60 small letters, digits and single hyphens, a letter first"
                    .to_owned(),
            );
        }
    }
}

/// The display name of the account for others. It is never the e-mail address.
fn username(context: &Context) -> Result<String> {
    let member = context.owner()?;
    let name: String = member.name.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_fit = (1..=60).contains(&name.chars().count())
        && !name.contains('@')
        && !name.chars().any(char::is_control)
        && !name.eq_ignore_ascii_case(HOUSE);
    if is_fit {
        return Ok(name);
    }
    let id = member.account.0.simple().to_string();
    Ok(format!("user-{}", &id[id.len() - 8..]))
}

fn row(context: &Context, slug: String, source: String, pipeline: &Pipeline) -> Result<AgentRow> {
    let now = context.attempt.now;
    Ok(AgentRow {
        slug,
        account: context.owner()?.account,
        creator: username(context)?,
        name: pipeline.name.clone(),
        description: pipeline.description.clone(),
        category: pipeline.category.to_owned(),
        tags: serde_json::to_string(&pipeline.tags).map_err(Error::internal)?,
        credit_cost: pipeline.credit_cost(),
        pipeline: source,
        forked_from: None,
        created_at: now,
        updated_at: now,
    })
}

/// Stores an agent under the first of these slugs that is free, together with the response.
async fn store(
    context: &Context,
    mut row: AgentRow,
    pipeline: &Pipeline,
    slugs: Vec<String>,
) -> Result<AgentBody> {
    let agents = context.store.agents();
    let count = slugs.len();
    for (place, slug) in slugs.into_iter().enumerate() {
        if is_reserved(&slug) {
            continue;
        }
        row.slug = slug;
        // An earlier agent with this slug may have left forks.
        let counts = catalogue::counts(context, &row.slug).await?;
        let summary = AgentSummary::of_row(&row, counts);
        let answer = AgentBody::new(summary, pipeline, &row.pipeline, Vec::new());
        let stored = stored(&answer)?;
        let completion = context.attempt.completion(&stored);
        match agents.insert(&row, MOST_AGENTS, completion).await {
            Ok(()) => return Ok(answer),
            Err(store::Error::Conflict) if place + 1 < count => {}
            Err(store::Error::Conflict) => break,
            Err(error) => return Err(too_many(error)),
        }
    }
    Err(Error::invalid(
        "an agent has this slug already; name another one in `slug`",
    ))
}

/// A slug and its alternatives if it is taken.
fn numbered(slug: &str) -> Vec<String> {
    std::iter::once(slug.to_owned())
        .chain((2..=20).map(|number| format!("{slug}-{number}")))
        .collect()
}

/// `POST /agents`.
pub(crate) struct Create;

impl Operation for Create {
    type Input = Posted<(), NewAgent>;
    type Output = AgentBody;

    const ABOUT: About = About {
        name: "create_agent",
        address: Address::post("/api/v1/agents"),
        summary: "Creates an agent from a pipeline.",
        description: "The pipeline is checked as a whole, and an error gives the line and column. Steps may call only what the key that creates the agent may call. Every account on this server can see the agent and run it, with its own scopes and at its own expense; an agent that changes what its caller owns runs for its creator only.",
        answer: "The agent",
        missing: None,
        example: r#"{"pipeline": "name = \"Movers\"\ndescription = \"The largest moves of the day.\"\ncategory = \"trading\"\nsummary = \"${count(movers.gainers)} shares rose.\"\n[[steps]]\nname = \"movers\"\noperation = \"list_market_movers\"\n"}"#,
        ..ABOUT
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<AgentBody> {
        let NewAgent {
            pipeline: source,
            slug,
        } = asked.body;
        let pipeline = read(&source, Some(&context.caller))?;
        let slugs = match slug {
            Some(slug) if is_reserved(&slug) => {
                return Err(Error::invalid(format!(
                    "slug {slug:?} is taken; choose another one"
                )));
            }
            Some(slug) => vec![slug],
            None => {
                let slug = slug_of(&pipeline.name);
                if !is_slug(&slug) {
                    return Err(Error::invalid(
                        "no slug can be made of this name; name one in `slug`",
                    ));
                }
                numbered(&slug)
            }
        };
        let row = row(&context, String::new(), source, &pipeline)?;
        store(&context, row, &pipeline, slugs).await
    }
}

/// `PUT /agents/{slug}`.
pub(crate) struct Replace;

impl Operation for Replace {
    type Input = Posted<BySlug, NewAgent>;
    type Output = AgentBody;

    const ABOUT: About = About {
        name: "replace_agent",
        address: Address::put("/api/v1/agents/{slug}"),
        summary: "Replaces the pipeline of an agent of the account.",
        answer: "The agent",
        missing: Some("The account has no such agent"),
        example: r#"{"slug": "my-agent", "pipeline": "name = \"Movers\""}"#,
        ..ABOUT
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<AgentBody> {
        own(&context, &asked.parameters.slug).await?;
        let source = asked.body.pipeline;
        let pipeline = read(&source, Some(&context.caller))?;
        let row = row(&context, asked.parameters.slug, source, &pipeline)?;
        if !context.store.agents().replace(&row).await? {
            return Err(no_own());
        }
        let agent = catalogue::find(&context, &row.slug).await?;
        AgentBody::of(&context, &agent).await
    }
}

fn no_own() -> Error {
    Error::not_found("this account has no such agent")
}

async fn own(context: &Context, slug: &str) -> Result<()> {
    let owner = context.owner()?.account;
    let found = context.store.agents().find(slug).await?;
    found
        .filter(|agent| agent.account == owner)
        .map(drop)
        .ok_or_else(no_own)
}

/// `DELETE /agents/{slug}`.
pub(crate) struct Remove;

impl Operation for Remove {
    type Input = BySlug;
    type Output = Done;

    const ABOUT: About = About {
        name: "delete_agent",
        address: Address::delete("/api/v1/agents/{slug}"),
        summary: "Deletes an agent of the account, its reviews and its schedules; runs stay on record.",
        answer: "The agent is deleted",
        missing: Some("The account has no such agent"),
        example: r#"{"slug": "my-agent"}"#,
        ..ABOUT
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, BySlug { slug }: BySlug) -> Result<Done> {
        let owner = context.owner()?.account;
        if context.store.agents().delete(owner, &slug).await? {
            Ok(Done::new("the agent is deleted"))
        } else {
            Err(no_own())
        }
    }
}

/// The name of a fork.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = ForkAgent)]
pub(crate) struct NewFork {
    /// Name of the fork in URLs. If it is absent, the slug of the original with a suffix.
    #[serde(default, rename = "new_slug")]
    #[schema(min_length = 3, max_length = 60, pattern = "^[a-z][a-z0-9-]*$")]
    new_slug: Option<String>,
}

impl Checked for NewFork {
    fn check(&self, faults: &mut Faults) {
        if self.new_slug.as_deref().is_some_and(|slug| !is_slug(slug)) {
            faults.note("new_slug must have 3 to 60 small letters, digits and single hyphens, a letter first".to_owned());
        }
    }
}

/// `POST /agents/{slug}/fork`.
pub(crate) struct Fork;

impl Operation for Fork {
    type Input = Posted<BySlug, NewFork>;
    type Output = AgentBody;

    const ABOUT: About = About {
        name: "fork_agent",
        address: Address::post("/api/v1/agents/{slug}/fork"),
        summary: "Copies an agent, so that the account can change the copy.",
        description: "The copy is checked like a new agent. `PUT /agents/{slug}` changes it.",
        answer: "The copy",
        missing: Some("There is no such agent"),
        example: r#"{"slug": "morning-brief", "new_slug": "my-morning"}"#,
        ..ABOUT
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<AgentBody> {
        let agent: Arc<Agent> = catalogue::find(&context, &asked.parameters.slug).await?;
        let pipeline = read(&agent.source, Some(&context.caller))?;
        let slugs = match asked.body.new_slug {
            Some(slug) if is_reserved(&slug) => {
                return Err(Error::invalid(format!(
                    "new_slug {slug:?} is taken; choose another one"
                )));
            }
            Some(slug) => vec![slug],
            None => {
                let start: String = agent.slug.chars().take(48).collect();
                numbered(&format!("{}-fork", start.trim_end_matches('-')))
            }
        };
        let mut row = row(&context, String::new(), agent.source.clone(), &pipeline)?;
        row.forked_from = Some(agent.slug.clone());
        store(&context, row, &pipeline, slugs).await
    }
}

/// A review of an agent.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = NewAgentReview)]
pub(crate) struct NewReview {
    /// Rating from 1 to 5.
    #[serde(deserialize_with = "whole_rating")]
    #[schema(minimum = 1, maximum = 5)]
    rating: u64,
    /// Comment in words.
    #[serde(default)]
    #[schema(max_length = 2000)]
    comment: String,
}

impl Checked for NewReview {
    fn check(&self, faults: &mut Faults) {
        if !(1..=5).contains(&self.rating) {
            faults.note("rating must be from 1 to 5".to_owned());
        }
        faults.length("comment", &self.comment, 0..=LONGEST_COMMENT);
    }
}

/// A review that was stored.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentReviewAnswer)]
pub(crate) struct ReviewAnswer {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The review.
    review: ReviewBody,
}

/// `POST /agents/{slug}/reviews`.
pub(crate) struct Review;

impl Operation for Review {
    type Input = Posted<BySlug, NewReview>;
    type Output = ReviewAnswer;

    const ABOUT: About = About {
        name: "review_agent",
        address: Address::post("/api/v1/agents/{slug}/reviews"),
        summary: "Rates an agent that the account has run.",
        description: "An account has one review for each agent: a new one replaces it. You cannot rate your own agents.",
        answer: "The review",
        missing: Some("There is no such agent"),
        example: r#"{"slug": "morning-brief", "rating": 5, "comment": "Read it every day."}"#,
        ..ABOUT
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<ReviewAnswer> {
        let agent = catalogue::find(&context, &asked.parameters.slug).await?;
        let owner = context.owner()?.account;
        if agent.account == Some(owner) {
            return Err(Error::invalid("nobody rates their own agents"));
        }
        if !context
            .store
            .runs()
            .has_run(owner, super::KIND, &agent.slug)
            .await?
        {
            return Err(Error::invalid("run the agent before you rate it"));
        }
        let review = AgentReview {
            agent: agent.slug.clone(),
            account: owner,
            username: username(&context)?,
            rating: u8::try_from(asked.body.rating).unwrap_or(5),
            comment: clean(&asked.body.comment),
            created_at: context.attempt.now,
        };
        let answer = ReviewAnswer {
            status: "ok",
            review: ReviewBody::new(review.clone()),
        };
        let stored = stored(&answer)?;
        let completion = context.attempt.completion(&stored);
        let agents = context.store.agents();
        let written = agents.review(&review, MOST_REVIEWS, completion).await;
        written.map_err(too_many)?;
        Ok(answer)
    }
}

/// A whole number, which may also be written as `4.0`.
fn whole_rating<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let rating = operations::whole(from)?;
    rating.ok_or_else(|| serde::de::Error::custom("must be a whole number"))
}

/// The comment without control characters.
fn clean(comment: &str) -> String {
    let kept = comment
        .trim()
        .chars()
        .filter(|one| !one.is_control() || *one == '\n');
    kept.collect()
}
