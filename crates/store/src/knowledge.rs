//! Knowledge: an account's documents, cut into searchable chunks.
//!
//! How a document becomes text, how text becomes chunks, and which chunk answers a question are not decided here.

mod chunks;

use model::{AccountId, Timestamp};

use crate::database::{Database, Durability, Row, values};
use crate::{Completion, Error, Result, idempotency};

pub use chunks::{KnowledgeChunk, KnowledgeExtent, NewChunk};

/// The columns that [`read_document`] reads.
macro_rules! document_columns {
    () => {
        "id, account, agent, filename, title, kind, bytes, chunk_count, created_at, content_hash"
    };
}

/// A document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnowledgeDocument {
    /// Identity.
    pub id: String,
    /// Its owner.
    pub account: AccountId,
    /// The agent it is for; `None` for all of the account's agents.
    pub agent: Option<String>,
    /// The name of the file.
    pub filename: String,
    /// A title, if one was given or found.
    pub title: Option<String>,
    /// What it was: `markdown`, `pdf` and the like.
    pub kind: String,
    /// Its size, as counted against the limit.
    pub bytes: u64,
    /// Its chunks.
    pub chunk_count: u64,
    /// When it was added.
    pub created_at: Timestamp,
    /// The hash of its content.
    pub content_hash: [u8; 32],
}

/// How much knowledge an account may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnowledgeLimits {
    /// Documents.
    pub documents: u64,
    /// The sum of their bytes.
    pub bytes: u64,
}

/// The documents and their chunks. Every query takes the owner.
#[derive(Clone, Copy, Debug)]
pub struct Knowledge<'a> {
    pub(crate) database: &'a Database,
}

impl Knowledge<'_> {
    /// Adds a document with its chunks in order, which are numbered here, together with the record of its request.
    /// [`Error::Conflict`] if its owner would have more than the limits permit.
    pub async fn insert(
        &self,
        document: &KnowledgeDocument,
        chunks: &[NewChunk],
        limits: KnowledgeLimits,
        completion: Option<Completion<'_>>,
    ) -> Result<()> {
        let owner = document.account;
        let mut tx = self
            .database
            .begin_owned(Some(owner), Durability::Power)
            .await?;
        let (documents, bytes) = match tx.row(HELD, values![owner.0]).await? {
            Some(row) => (row.count(0)?, row.count(1)?),
            None => (0, 0),
        };
        if documents >= limits.documents || bytes.saturating_add(document.bytes) > limits.bytes {
            return Err(Error::Conflict);
        }
        let sql = concat!(
            "INSERT INTO knowledge_document (",
            document_columns!(),
            ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
        );
        tx.execute(
            sql,
            values![
                &document.id,
                owner.0,
                document.agent.as_deref(),
                &document.filename,
                document.title.as_deref(),
                &document.kind,
                document.bytes,
                chunks.len() as u64,
                document.created_at,
                document.content_hash.as_slice(),
            ],
        )
        .await?;
        chunks::insert(&mut tx, document, chunks).await?;
        if let Some(completion) = completion {
            idempotency::complete(&mut tx, completion).await?;
        }
        tx.commit().await
    }

    /// The owner's documents, newest first: all, or with an agent, those for it and those for all agents.
    pub async fn list(
        &self,
        owner: AccountId,
        agent: Option<&str>,
        limit: u64,
    ) -> Result<Vec<KnowledgeDocument>> {
        let sql = concat!(
            "SELECT ",
            document_columns!(),
            " FROM knowledge_document WHERE account = $1 AND ($2 IS NULL OR agent IS NULL OR agent = $2) \
             ORDER BY created_at DESC, id LIMIT $3"
        );
        let rows = self
            .database
            .rows(sql, values![owner.0, agent, limit])
            .await?;
        rows.iter().map(read_document).collect()
    }

    /// How many documents the owner has: all, or with an agent, those for it and those for all agents.
    pub async fn count(&self, owner: AccountId, agent: Option<&str>) -> Result<u64> {
        let sql = "SELECT COUNT(*) FROM knowledge_document \
                   WHERE account = $1 AND ($2 IS NULL OR agent IS NULL OR agent = $2)";
        let row = self.database.row(sql, values![owner.0, agent]).await?;
        row.map_or(Ok(0), |row| row.count(0))
    }

    /// The owner's document with that ID.
    pub async fn find(&self, owner: AccountId, id: &str) -> Result<Option<KnowledgeDocument>> {
        let sql = concat!(
            "SELECT ",
            document_columns!(),
            " FROM knowledge_document WHERE account = $1 AND id = $2"
        );
        let row = self.database.row(sql, values![owner.0, id]).await?;
        row.as_ref().map(read_document).transpose()
    }

    /// Removes the owner's document along with its chunks; `false` if there is none.
    pub async fn delete(&self, owner: AccountId, id: &str) -> Result<bool> {
        let mut tx = self
            .database
            .begin_owned(Some(owner), Durability::Power)
            .await?;
        let sql = "DELETE FROM knowledge_document WHERE account = $1 AND id = $2";
        let removed = tx.execute(sql, values![owner.0, id]).await?;
        tx.commit().await?;
        Ok(removed > 0)
    }
}

const HELD: &str = "SELECT COUNT(*), CAST(COALESCE(SUM(bytes), 0) AS BIGINT) \
                    FROM knowledge_document WHERE account = $1";

fn read_document(row: &Row) -> Result<KnowledgeDocument> {
    let id = row.text(0)?;
    Ok(KnowledgeDocument {
        account: AccountId(row.id(1, "knowledge_document")?),
        agent: row.text_option(2)?,
        filename: row.text(3)?,
        title: row.text_option(4)?,
        kind: row.text(5)?,
        bytes: row.count(6)?,
        chunk_count: row.count(7)?,
        created_at: row.time(8)?,
        content_hash: row
            .blob(9)?
            .try_into()
            .map_err(|_| Error::corrupt("knowledge_document", &*id))?,
        id,
    })
}
