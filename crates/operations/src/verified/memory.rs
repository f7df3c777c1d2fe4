//! `/memory/…`: what agents remember. Only the owner of an agent sees its memories.

use analysis::verification::{Finding, Passage, SourceKind, nearest_sentences, share_of_words};
use model::{Symbol, TrustLevel};
use serde::{Deserialize, Serialize};
use store::{Memory, MemoryLimits, MemoryQuery, NewMemory};
use text::embedding::{embed, similarity};
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, SchemaType, Type};
use verify::receipt::Hash;

use crate::attempt::stored_answer;
use crate::checked::{Checked, Faults, whole};
use crate::error::{Error, ErrorCode, Result};
use crate::field::Textual;
use crate::{About, Address, Arguments, Context, Effect, Keeping, Operation, Parameters, Posted};

/// Maximum number of memories per agent and per account.
pub(super) const LIMITS: MemoryLimits = MemoryLimits {
    per_agent: 10_000,
    per_account: 100_000,
};
/// Maximum number of memories that are ranked: the newest.
const RANKED: u64 = 2_000;
const MOST_TICKERS: usize = 20;
/// Minimum similarity of a memory to the query, by words and meaning, for it to be a result.
const LEAST: f64 = 0.2;

/// The error if a store is full.
pub(super) fn too_many(error: store::Error) -> Error {
    match error {
        store::Error::Conflict => Error::refused(
            ErrorCode::TooManyEntries,
            "an agent has at most 10,000 memories, an account 100,000; consolidate them first",
        ),
        other => other.into(),
    }
}

/// A memory with less confidence than this is not used as evidence.
const SURE: f64 = 0.5;
/// Minimum share of a claim's words that a memory must contain, weighted by rarity, and how many of the closest
/// memories are compared with it.
const OF_CLAIM: f32 = 0.3;
const FOR_CLAIM: usize = 8;

/// The memories of an agent that may serve as evidence: those that it was told to remember and still believes, limited
/// to those that existed at the as-of time if there is one. Claims that were verified on its behalf are excluded
/// because they would confirm themselves, and so are snapshots of consolidated memories.
pub(super) async fn notes(context: &Context, agent: &str) -> Result<Vec<Memory>> {
    let owner = context.owner()?.account;
    let now = context.attempt.now;
    let memories = context.store.memories();
    let mut found = memories
        .scan(owner, agent, &MemoryQuery::default(), RANKED, now)
        .await?;
    found.retain(|memory| {
        memory.content.verdict.is_none()
            && memory.content.receipt.is_none()
            && memory.snapshot.is_none()
            && memory.content.confidence.is_none_or(|sure| sure >= SURE)
            && context.as_of.0.is_none_or(|when| memory.updated_at <= when)
    });
    Ok(found)
}

/// The passages from an agent's memories that are relevant to a claim, closest first. Together they count as one source
/// that nobody else vouches for.
pub(super) fn passages(notes: &[Memory], agent: &str, claim: &str) -> Vec<Passage> {
    let mut rated: Vec<(f32, Passage)> = notes
        .iter()
        .filter_map(|memory| {
            let sentences = text::sentence::split(&memory.content.value);
            let said = nearest_sentences(claim, "", &sentences).join(" ");
            let share = share_of_words(claim, &said);
            (share >= OF_CLAIM).then(|| {
                let passage = Passage {
                    kind: SourceKind::Memory,
                    name: memory.content.key.clone(),
                    url: None,
                    origin: format!("memory of {agent}"),
                    trust: TrustLevel::Low,
                    published_at: Some(memory.updated_at),
                    brief: None,
                    title: String::new(),
                    text: said,
                };
                (share, passage)
            })
        })
        .collect();
    rated.sort_by(|left, right| right.0.total_cmp(&left.0));
    rated.truncate(FOR_CLAIM);
    rated.into_iter().map(|(_, passage)| passage).collect()
}

/// The key of a verified claim. The same words always give the same key.
pub(super) fn claim_key(claim: &str) -> String {
    let hash = Hash::of(claim.to_lowercase().as_bytes()).to_string();
    format!("claim:{}", &hash[..24])
}

/// The symbols that a claim is about: those of the listed companies and coins that it names, and those whose figures it
/// was judged by.
pub(super) fn tickers_of(finding: &Finding) -> Vec<Symbol> {
    let mut found: Vec<Symbol> = text::entities::spans("", &finding.claim.text)
        .into_iter()
        .filter_map(|span| Symbol::parse(&span.ticker?))
        .chain(finding.symbols.iter().cloned())
        .collect();
    found.sort();
    found.dedup();
    found.truncate(MOST_TICKERS);
    found
}

/// A memory to store.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct MemoryRequest {
    /// Your agent, by the name that you give it.
    #[schema(min_length = 1, max_length = 100, pattern = r"\S")]
    agent_id: String,
    /// Name of the memory. An existing memory of that name is replaced.
    #[schema(min_length = 1, max_length = 200, pattern = r"\S")]
    key: String,
    /// The content to remember.
    #[schema(min_length = 1, max_length = 10000, pattern = r"\S")]
    value: String,
    /// A word to find the memory by; `note` by default.
    #[serde(default)]
    #[schema(max_length = 50, default = "note")]
    category: Option<String>,
    /// Symbols that the memory is about.
    #[serde(default)]
    #[schema(schema_with = symbol_list)]
    tickers: Option<Vec<String>>,
    /// Confidence in the memory, from 0 to 1.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 1)]
    confidence: Option<f64>,
    /// Number of hours after which the memory expires. It never expires if this is absent.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 1, maximum = 87600)]
    ttl_hours: Option<i64>,
}

fn symbol_list() -> Array {
    ArrayBuilder::new()
        .schema_type(SchemaType::from_iter([Type::Array, Type::Null]))
        .items(Symbol::schema())
        .max_items(Some(MOST_TICKERS))
        .description(Some("Symbols that the memory is about."))
        .build()
}

impl Checked for MemoryRequest {
    fn check(&self, faults: &mut Faults) {
        faults.length("agent_id", self.agent_id.trim(), 1..=100);
        faults.length("key", self.key.trim(), 1..=200);
        faults.length("value", self.value.trim(), 1..=10_000);
        if let Some(category) = &self.category {
            faults.length("category", category, 0..=50);
        }
        let tickers = self.tickers.as_deref().unwrap_or_default();
        faults.at_most("tickers", tickers, MOST_TICKERS);
        if !self
            .confidence
            .is_none_or(|confidence| (0.0..=1.0).contains(&confidence))
        {
            faults.note("confidence must be a number from 0 to 1");
        }
        if !self
            .ttl_hours
            .is_none_or(|hours| (1..=87_600).contains(&hours))
        {
            faults.note("ttl_hours must be an integer from 1 to 87600");
        }
    }
}

/// The symbols in these texts. One that cannot be the spelling of any symbol is the caller's mistake.
fn symbols<'t>(texts: impl Iterator<Item = &'t String>) -> Result<Vec<Symbol>> {
    texts
        .map(|text| {
            Symbol::parse(text).ok_or_else(|| {
                let text: String = text.chars().take(40).collect();
                Error::invalid(format!("tickers: {text:?} is not a symbol such as AAPL"))
            })
        })
        .collect()
}

/// A memory.
#[derive(Serialize, ToSchema)]
#[schema(as = Memory)]
pub(crate) struct MemoryBody {
    /// Id.
    id: String,
    /// Name of the memory.
    key: String,
    /// The content of the memory.
    value: String,
    /// Word to find the memory by.
    category: String,
    /// Symbols that the memory is about.
    tickers: Vec<String>,
    /// Confidence in the memory, from 0 to 1. Null if that is not known.
    #[schema(required)]
    confidence: Option<f64>,
    /// The verdict, if the memory is a claim that was verified. Null otherwise.
    #[schema(required)]
    verdict: Option<String>,
    /// Receipt of the verification. Null if there is none.
    #[schema(required)]
    receipt_id: Option<String>,
    /// When its key was first stored.
    #[schema(format = "date-time")]
    created_at: String,
    /// When it was last stored, or verified again by a monitor.
    #[schema(format = "date-time")]
    updated_at: String,
    /// When it expires. Null if never.
    #[schema(required, format = "date-time")]
    expires_at: Option<String>,
    /// Whether it stands for memories that were consolidated.
    is_snapshot: bool,
    /// How well it matches the query, from 0 to 1. Absent if there was no query.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    score: Option<f64>,
}

impl MemoryBody {
    fn new(memory: Memory, score: Option<f64>) -> Self {
        let content = memory.content;
        Self {
            id: content.id,
            key: content.key,
            value: content.value,
            category: content.category,
            tickers: content
                .tickers
                .iter()
                .map(|symbol| symbol.as_str().to_owned())
                .collect(),
            confidence: content.confidence,
            verdict: content.verdict,
            receipt_id: content.receipt,
            created_at: memory.created_at.to_string(),
            updated_at: memory.updated_at.to_string(),
            expires_at: content.expires_at.map(|at| at.to_string()),
            is_snapshot: memory.snapshot.is_some(),
            score,
        }
    }
}

/// A memory that was stored.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoredMemoryBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Name of the agent.
    agent_id: String,
    /// Name of the memory.
    key: String,
}

/// `POST /memory/store`.
pub(crate) struct Store;

impl Operation for Store {
    type Input = Posted<(), MemoryRequest>;
    type Output = StoredMemoryBody;

    const ABOUT: About = About {
        name: "store_memory",
        address: Address::post("/api/v1/memory/store"),
        subject: "verified",
        summary: "Stores a memory of an agent.",
        description: "An agent can have at most 10,000 memories and an account 100,000; beyond that, the response is 409 `too_many_entries`.",
        answer: "The memory is stored",
        example: r#"{"agent_id": "desk-1", "key": "nvda-view", "value": "Data-centre revenue doubled.", "tickers": ["NVDA"], "confidence": 0.8}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<StoredMemoryBody> {
        let body = asked.body;
        let owner = context.owner()?.account;
        let now = context.attempt.now;
        let agent = body.agent_id.trim().to_owned();
        let memory = NewMemory {
            id: format!("mem_{}", uuid::Uuid::new_v4().simple()),
            key: body.key.trim().to_owned(),
            value: body.value.trim().to_owned(),
            category: body
                .category
                .map(|category| category.trim().to_owned())
                .filter(|category| !category.is_empty())
                .unwrap_or_else(|| "note".to_owned()),
            tickers: symbols(body.tickers.iter().flatten())?,
            confidence: body.confidence,
            verdict: None,
            stale_at: None,
            expires_at: body.ttl_hours.map(|hours| now.plus_ms(hours * 3_600_000)),
            receipt: None,
        };
        let answer = StoredMemoryBody {
            status: "ok",
            agent_id: agent.clone(),
            key: memory.key.clone(),
        };
        let stored = stored_answer(&answer, &[])?;
        let completion = context.attempt.completion(&stored);
        let memories = context.store.memories();
        memories
            .store(owner, &agent, &[memory], LIMITS, now, completion)
            .await
            .map_err(too_many)?;
        Ok(answer)
    }
}

/// Parameters for recalling memories of an agent.
pub(crate) struct RecallQuery {
    agent_id: String,
    question: Option<String>,
    ticker: Option<Symbol>,
    category: Option<String>,
    limit: u64,
}

impl Parameters for RecallQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            agent_id: arguments.required_text("agent_id", 1..=100, "Name of your agent"),
            question: arguments.text(
                "q",
                1..=500,
                "Words or a sentence; if omitted, the newest memories come first",
            ),
            ticker: arguments.parsed("ticker", "Only memories about this symbol"),
            category: arguments.text("category", 1..=50, "Only memories in this category"),
            limit: arguments.integer("limit", 1..=100, 20, "Maximum number of memories"),
        }
    }
}

/// Memories of an agent.
#[derive(Serialize, ToSchema)]
pub(crate) struct MemoriesBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Name of the agent.
    agent_id: String,
    /// The memories: best match first if there was a query, otherwise newest first.
    memories: Vec<MemoryBody>,
    /// Number of matches, including those beyond `limit`. With a query, only the memories that were compared count.
    total: u64,
}

/// `GET /memory/recall`.
pub(crate) struct Recall;

impl Operation for Recall {
    type Input = RecallQuery;
    type Output = MemoriesBody;

    const ABOUT: About = About {
        name: "recall_memories",
        address: Address::get("/api/v1/memory/recall"),
        subject: "verified",
        summary: "Finds memories of an agent by words and meaning, symbol or category.",
        description: "The newest 2,000 memories that match the symbol and category are compared; `total` counts those of them that match the query.",
        answer: "The memories",
        example: r#"{"agent_id": "desk-1", "q": "data centres"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, asked: RecallQuery) -> Result<MemoriesBody> {
        let owner = context.owner()?.account;
        let query = MemoryQuery {
            ticker: asked.ticker,
            category: asked.category,
        };
        let agent = asked.agent_id;
        let most = if asked.question.is_some() {
            RANKED
        } else {
            asked.limit
        };
        let found = context
            .store
            .memories()
            .scan(owner, &agent, &query, most, context.attempt.now)
            .await?;
        let limit = usize::try_from(asked.limit).unwrap_or(usize::MAX);
        let (total, memories) = match asked.question {
            None => {
                let memories = context.store.memories();
                let total = memories
                    .count(owner, &agent, &query, context.attempt.now)
                    .await?;
                let found = found.into_iter();
                let bodies = found.map(|memory| MemoryBody::new(memory, None));
                (total, bodies.collect())
            }
            Some(question) => analysis::light(move || ranked(found, &question, limit)).await?,
        };
        Ok(MemoriesBody {
            status: "ok",
            agent_id: agent,
            total,
            memories,
        })
    }
}

/// Number of memories that match a query, and the best of them, best first: half by shared words, half by meaning.
fn ranked(memories: Vec<Memory>, question: &str, limit: usize) -> (u64, Vec<MemoryBody>) {
    let meaning = embed(question);
    let mut scored: Vec<(f64, Memory)> = memories
        .into_iter()
        .map(|memory| {
            let text = format!("{} {}", memory.content.key, memory.content.value);
            (score(question, &meaning, &text), memory)
        })
        .filter(|(score, _)| *score >= LEAST)
        .collect();
    scored.sort_by(|left, right| right.0.total_cmp(&left.0));
    let total = scored.len() as u64;
    scored.truncate(limit);
    let best = scored
        .into_iter()
        .map(|(score, memory)| MemoryBody::new(memory, Some(score)))
        .collect();
    (total, best)
}

/// How well a text matches a query, from 0 to 1.
pub(super) fn score(question: &str, meaning: &text::embedding::Embedding, text: &str) -> f64 {
    let words = share_of_words(question, text);
    let likeness = f64::from(similarity(meaning, &embed(text)).max(0.0));
    0.5 * f64::from(words) + 0.5 * likeness
}

/// Which memories to list.
pub(crate) struct ListQuery {
    agent_id: String,
    limit: u64,
}

impl Parameters for ListQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            agent_id: arguments.required_text("agent_id", 1..=100, "Name of your agent"),
            limit: arguments.integer("limit", 1..=100, 20, "Maximum number of memories"),
        }
    }
}

/// `GET /memory/list`.
pub(crate) struct List;

impl Operation for List {
    type Input = ListQuery;
    type Output = MemoriesBody;

    const ABOUT: About = About {
        name: "list_memories",
        address: Address::get("/api/v1/memory/list"),
        subject: "verified",
        summary: "Lists the memories of an agent, newest first.",
        answer: "The memories",
        example: r#"{"agent_id": "desk-1"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, asked: ListQuery) -> Result<MemoriesBody> {
        let owner = context.owner()?.account;
        let found = context
            .store
            .memories()
            .list(owner, &asked.agent_id, asked.limit, context.attempt.now)
            .await?;
        let total = context
            .store
            .memories()
            .count(
                owner,
                &asked.agent_id,
                &MemoryQuery::default(),
                context.attempt.now,
            )
            .await?;
        let memories: Vec<MemoryBody> = found
            .into_iter()
            .map(|memory| MemoryBody::new(memory, None))
            .collect();
        Ok(MemoriesBody {
            status: "ok",
            agent_id: asked.agent_id,
            total,
            memories,
        })
    }
}
