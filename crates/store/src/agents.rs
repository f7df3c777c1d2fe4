//! Agents that accounts have created, their reviews, how often they run, and their schedules.
//!
//! A pipeline is just text here; higher layers interpret it. Agents that come with the program have no row, but they
//! have reviews, forks and runs like all others.

mod schedules;

use model::{AccountId, Timestamp};

use crate::database::{Database, Durability, Row, values};
use crate::{Completion, Error, Result, idempotency};

pub use schedules::{AgentSchedule, AgentSchedules, DueRun};

/// The columns that [`read_agent`] reads.
const COLUMNS: &str = "slug, account, creator, name, description, category, tags, pipeline, credit_cost, forked_from, created_at, updated_at";
/// As [`COLUMNS`], without the text of the pipeline, which lists do not need.
const SHORT: &str = "slug, account, creator, name, description, category, tags, '', credit_cost, forked_from, created_at, updated_at";
/// How many agents of all accounts lists are made from: the newest.
const MOST_LISTED: u64 = 10_000;

/// An agent that an account created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentRow {
    /// Its name in URLs.
    pub slug: String,
    /// Who created it.
    pub account: AccountId,
    /// The name of that account in the marketplace.
    pub creator: String,
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// Its category.
    pub category: String,
    /// Its tags, as JSON.
    pub tags: String,
    /// Its pipeline as TOML; empty in lists.
    pub pipeline: String,
    /// The maximum cost of a run.
    pub credit_cost: u64,
    /// The agent it was forked from.
    pub forked_from: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its pipeline was last changed.
    pub updated_at: Timestamp,
}

/// An account's review of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentReview {
    /// The agent.
    pub agent: String,
    /// Who wrote it.
    pub account: AccountId,
    /// The name of that account in the marketplace.
    pub username: String,
    /// 1 to 5.
    pub rating: u8,
    /// In words; may be empty.
    pub comment: String,
    /// When.
    pub created_at: Timestamp,
}

/// The counts kept for an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AgentCounts {
    /// Completed runs.
    pub runs: u64,
    /// Agents forked from it.
    pub forks: u64,
    /// Reviews.
    pub reviews: u64,
    /// The mean of their ratings; 0 if there are none.
    pub rating: f64,
}

/// The agents. Every change to one takes its owner.
#[derive(Clone, Copy, Debug)]
pub struct Agents<'a> {
    pub(crate) database: &'a Database,
}

impl Agents<'_> {
    /// Adds an agent, together with the record of its request. [`Error::Full`] if its owner already has `most`,
    /// [`Error::Conflict`] if the slug is taken.
    pub async fn insert(
        &self,
        agent: &AgentRow,
        most: u64,
        completion: Option<Completion<'_>>,
    ) -> Result<()> {
        let owner = agent.account;
        let mut tx = self
            .database
            .begin_owned(Some(owner), Durability::Power)
            .await?;
        let owned = "SELECT COUNT(*) FROM agent WHERE account = $1";
        if tx.number(owned, values![owner.0]).await? >= most.cast_signed() {
            return Err(Error::Full {
                kind: "agents",
                most,
            });
        }
        let sql = format!(
            "INSERT INTO agent ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (slug) DO NOTHING"
        );
        let asked = values![
            &agent.slug,
            owner.0,
            &agent.creator,
            &agent.name,
            &agent.description,
            &agent.category,
            &agent.tags,
            &agent.pipeline,
            agent.credit_cost,
            agent.forked_from.as_deref(),
            agent.created_at,
            agent.updated_at,
        ];
        if tx.execute(sql, asked).await? == 0 {
            return Err(Error::Conflict);
        }
        if let Some(completion) = completion {
            idempotency::complete(&mut tx, completion).await?;
        }
        tx.commit().await
    }

    /// Gives the owner's agent another pipeline; `false` if there is none.
    pub async fn replace(&self, agent: &AgentRow) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Power).await?;
        let sql = "UPDATE agent SET name = $3, description = $4, category = $5, tags = $6, pipeline = $7, credit_cost = $8, updated_at = $9 \
                   WHERE slug = $1 AND account = $2";
        let asked = values![
            &agent.slug,
            agent.account.0,
            &agent.name,
            &agent.description,
            &agent.category,
            &agent.tags,
            &agent.pipeline,
            agent.credit_cost,
            agent.updated_at,
        ];
        let is_there = tx.execute(sql, asked).await? > 0;
        tx.commit().await?;
        Ok(is_there)
    }

    /// Removes the owner's agent along with its reviews and schedules; `false` if there is none. Runs stay.
    pub async fn delete(&self, owner: AccountId, slug: &str) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Power).await?;
        let sql = "DELETE FROM agent WHERE slug = $1 AND account = $2";
        if tx.execute(sql, values![slug, owner.0]).await? == 0 {
            return Ok(false);
        }
        for sql in [
            "DELETE FROM agent_review WHERE agent = $1",
            "DELETE FROM agent_use WHERE agent = $1",
            "DELETE FROM agent_schedule WHERE agent = $1",
        ] {
            tx.execute(sql, values![slug]).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// The agent with that slug, whoever created it.
    pub async fn find(&self, slug: &str) -> Result<Option<AgentRow>> {
        let sql = format!("SELECT {COLUMNS} FROM agent WHERE slug = $1");
        let row = self.database.row(sql, values![slug]).await?;
        row.as_ref().map(read_agent).transpose()
    }

    /// The newest agents of all accounts, without their pipelines.
    pub async fn list(&self) -> Result<Vec<AgentRow>> {
        let sql = format!("SELECT {SHORT} FROM agent ORDER BY created_at DESC, slug LIMIT $1");
        let rows = self.database.rows(sql, values![MOST_LISTED]).await?;
        rows.iter().map(read_agent).collect()
    }

    /// Runs, forks and ratings by slug.
    pub async fn counts(&self) -> Result<Vec<(String, AgentCounts)>> {
        let sql = "SELECT agent, SUM(runs), SUM(forks), SUM(reviews), SUM(ratings) FROM (\
                   SELECT agent, runs, 0 AS forks, 0 AS reviews, 0 AS ratings FROM agent_use UNION ALL \
                   SELECT forked_from, 0, 1, 0, 0 FROM agent WHERE forked_from IS NOT NULL UNION ALL \
                   SELECT agent, 0, 0, 1, rating FROM agent_review) AS counted GROUP BY agent ORDER BY agent";
        let sql = sql
            .replace("SUM(runs)", "CAST(SUM(runs) AS BIGINT)")
            .replace("SUM(forks)", "CAST(SUM(forks) AS BIGINT)")
            .replace("SUM(reviews)", "CAST(SUM(reviews) AS BIGINT)")
            .replace("SUM(ratings)", "CAST(SUM(ratings) AS BIGINT)");
        let rows = self.database.rows(sql, Vec::new()).await?;
        let counts = rows.iter().map(|row| {
            let reviews = row.count(3)?;
            let counts = AgentCounts {
                runs: row.count(1)?,
                forks: row.count(2)?,
                reviews,
                rating: if reviews == 0 {
                    0.0
                } else {
                    row.count(4)? as f64 / reviews as f64
                },
            };
            Ok((row.text(0)?, counts))
        });
        counts.collect()
    }

    /// Counts one run of an agent.
    pub async fn count_run(&self, slug: &str) -> Result<()> {
        let sql = "INSERT INTO agent_use (agent, runs) VALUES ($1, 1) ON CONFLICT (agent) DO UPDATE SET runs = agent_use.runs + 1";
        self.database.write(sql, values![slug]).await.map(drop)
    }

    /// Stores an account's review of an agent, replacing its earlier one. [`Error::Full`] if it has already reviewed
    /// `most`.
    pub async fn review(
        &self,
        review: &AgentReview,
        most: u64,
        completion: Option<Completion<'_>>,
    ) -> Result<()> {
        let mut tx = self
            .database
            .begin_owned(Some(review.account), Durability::Power)
            .await?;
        let others = "SELECT COUNT(*) FROM agent_review WHERE account = $1 AND agent <> $2";
        let others = tx.number(others, values![review.account.0, &review.agent]);
        if others.await? >= most.cast_signed() {
            return Err(Error::Full {
                kind: "reviews",
                most,
            });
        }
        let sql = "INSERT INTO agent_review (agent, account, username, rating, comment, created_at) VALUES ($1, $2, $3, $4, $5, $6) \
                   ON CONFLICT (agent, account) DO UPDATE SET username = excluded.username, rating = excluded.rating, \
                   comment = excluded.comment, created_at = excluded.created_at";
        let asked = values![
            &review.agent,
            review.account.0,
            &review.username,
            u64::from(review.rating),
            &review.comment,
            review.created_at,
        ];
        tx.execute(sql, asked).await?;
        if let Some(completion) = completion {
            idempotency::complete(&mut tx, completion).await?;
        }
        tx.commit().await
    }

    /// The newest reviews of an agent.
    pub async fn reviews(&self, slug: &str, limit: u64) -> Result<Vec<AgentReview>> {
        let sql = "SELECT agent, account, username, rating, comment, created_at FROM agent_review WHERE agent = $1 \
                   ORDER BY created_at DESC, account LIMIT $2";
        let rows = self.database.rows(sql, values![slug, limit]).await?;
        let reviews = rows.iter().map(|row| {
            Ok(AgentReview {
                agent: row.text(0)?,
                account: AccountId(row.id(1, "agent_review")?),
                username: row.text(2)?,
                rating: u8::try_from(row.count(3)?).unwrap_or(0),
                comment: row.text(4)?,
                created_at: row.time(5)?,
            })
        });
        reviews.collect()
    }
}

fn read_agent(row: &Row) -> Result<AgentRow> {
    Ok(AgentRow {
        slug: row.text(0)?,
        account: AccountId(row.id(1, "agent")?),
        creator: row.text(2)?,
        name: row.text(3)?,
        description: row.text(4)?,
        category: row.text(5)?,
        tags: row.text(6)?,
        pipeline: row.text(7)?,
        credit_cost: row.count(8)?,
        forked_from: row.text_option(9)?,
        created_at: row.time(10)?,
        updated_at: row.time(11)?,
    })
}
