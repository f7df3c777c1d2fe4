//! The chunks of documents.

use model::AccountId;

use super::{Knowledge, KnowledgeDocument};
use crate::Result;
use crate::database::{Row, Tx, Value, values};

/// A chunk on its way in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewChunk {
    /// Identity.
    pub id: String,
    /// The heading it is under.
    pub heading: Option<String>,
    /// Its text.
    pub content: String,
    /// Its meaning, in the caller's format.
    pub vector: Option<Vec<u8>>,
}

/// A chunk of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnowledgeChunk {
    /// Increases with each chunk that is stored; the next page begins after it.
    pub number: i64,
    /// Identity.
    pub id: String,
    /// Its document.
    pub document: String,
    /// Its index within its document, starting at 0.
    pub place: u64,
    /// The heading it is under.
    pub heading: Option<String>,
    /// Its text.
    pub content: String,
    /// Its meaning.
    pub vector: Option<Vec<u8>>,
}

/// How much knowledge an account has. It changes whenever a document is added or removed, so anything derived from the
/// chunks can be cached as long as it stays the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct KnowledgeExtent {
    /// Documents.
    pub documents: u64,
    /// The sum of their bytes.
    pub bytes: u64,
    /// Their chunks.
    pub chunks: u64,
    /// The number of the newest chunk.
    pub newest_chunk: i64,
}

impl Knowledge<'_> {
    /// The owner's chunks after number `after`, in order, up to `limit`: all, or with an agent, those for it and those
    /// for all agents. Begin with 0 and continue with the number of the last one.
    pub async fn chunks(
        &self,
        owner: AccountId,
        agent: Option<&str>,
        after: i64,
        limit: u64,
    ) -> Result<Vec<KnowledgeChunk>> {
        let sql = "SELECT number, id, document, place, heading, content, vector FROM knowledge_chunk \
                   WHERE account = $1 AND ($2 IS NULL OR agent IS NULL OR agent = $2) AND number > $3 \
                   ORDER BY number LIMIT $4";
        let asked = values![owner.0, agent, after, limit];
        let rows = self.database.rows(sql, asked).await?;
        rows.iter().map(read_chunk).collect()
    }

    /// How much the owner has.
    pub async fn extent(&self, owner: AccountId) -> Result<KnowledgeExtent> {
        let sql = "SELECT d.documents, d.bytes, c.chunks, c.newest FROM \
                   (SELECT COUNT(*) AS documents, CAST(COALESCE(SUM(bytes), 0) AS BIGINT) AS bytes \
                   FROM knowledge_document WHERE account = $1) d, \
                   (SELECT COUNT(*) AS chunks, COALESCE(MAX(number), 0) AS newest \
                   FROM knowledge_chunk WHERE account = $1) c";
        let row = self.database.row(sql, values![owner.0]).await?;
        row.map_or(Ok(KnowledgeExtent::default()), |row| {
            Ok(KnowledgeExtent {
                documents: row.count(0)?,
                bytes: row.count(1)?,
                chunks: row.count(2)?,
                newest_chunk: row.int(3)?,
            })
        })
    }
}

/// Writes the chunks of a document in order.
pub(super) async fn insert(
    tx: &mut Tx,
    document: &KnowledgeDocument,
    chunks: &[NewChunk],
) -> Result<()> {
    let mut rows: Vec<Value> = Vec::with_capacity(chunks.len() * 8);
    for (place, chunk) in (0_i64..).zip(chunks) {
        rows.extend(values![
            &chunk.id,
            &document.id,
            document.account.0,
            document.agent.as_deref(),
            place,
            chunk.heading.as_deref(),
            &chunk.content,
            chunk.vector.as_deref(),
        ]);
    }
    let head = "INSERT INTO knowledge_chunk (id, document, account, agent, place, heading, content, vector) VALUES";
    tx.insert(head, "", 8, rows).await
}

fn read_chunk(row: &Row) -> Result<KnowledgeChunk> {
    Ok(KnowledgeChunk {
        number: row.int(0)?,
        id: row.text(1)?,
        document: row.text(2)?,
        place: row.count(3)?,
        heading: row.text_option(4)?,
        content: row.text(5)?,
        vector: row.blob_option(6)?,
    })
}
