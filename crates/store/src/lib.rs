//! The rows: the source of truth of everything that Assay knows.
//!
//! One SQL text runs on embedded SQLite and on PostgreSQL. Each aggregate has its own module and is reached through
//! [`Store`]. Several processes may work on one store at the same time. The store never reads a clock: every time is
//! an argument. It does not know how articles become briefs, what a call costs or what an answer looks like.

mod accounts;
mod articles;
mod block;
mod brief_sentiments;
mod briefs;
mod database;
mod document;
mod entities;
mod error;
mod features;
mod feedback;
mod feeds;
mod findings;
mod idempotency;
mod jobs;
mod keys;
mod knowledge;
mod ledger;
mod log;
mod market;
mod memories;
mod monitors;
mod outbox;
mod page_attempts;
mod probe;
mod prune;
mod receipts;
mod record;
mod schema;
mod store;
mod tokens;
mod transaction;
mod watchlists;

#[cfg(test)]
mod tests;

pub use accounts::{Account, Accounts, Standing};
pub use articles::{ArticleFeatures, Articles, StoredArticle};
pub use brief_sentiments::{
    BriefSentiment, BriefSentimentQuery, BriefSentimentVersion, BriefSentiments,
};
pub use briefs::{
    BriefPage, BriefQuery, BriefSort, Briefs, RevisionSpan, StoredBrief, TrendingQuery,
};
pub use entities::{Entities, EntityQuery, EntityRow, EntityTrend, Facet, TrendQuery};
pub use error::{Error, Result};
pub use feedback::{Feedback, FeedbackEntry};
pub use feeds::{FeedState, Feeds};
pub use findings::{ContradictionQuery, EventQuery, Finding, FindingWindow, Findings};
pub use idempotency::{Begin, Completion, Idempotency, StoredAnswer};
pub use jobs::{Job, Jobs};
pub use keys::{ApiKey, Keys, MOST_KEYS};
pub use knowledge::*;
pub use ledger::{
    AccountKey, BatchId, EndpointUsage, Ledger, LedgerEntry, LedgerKind, MonthUsage, UsageReport,
};
pub use log::{Checkpoint, Log, LogNode, LogPlace};
pub use market::{
    History, MarketData, MarketTransaction, MarketVersions, QuoteRow, StoredInstrument, Written,
};
pub use memories::*;
pub use monitors::*;
pub use outbox::{BriefEvent, Mark, Outbox};
pub use page_attempts::{Attempt, PageAttempts};
pub use prune::{NewsRemoval, Prune, Pruned};
pub use receipts::{Receipt, Receipts, SourceVerdicts, StoredReceipt};
pub use record::{Record, RecordFacets, RecordQuery, Records, StoredRecord};
pub use store::{Counts, Location, Store};
pub use tokens::Tokens;
pub use transaction::{NewArticle, NewsTransaction};
pub use watchlists::{Watchlist, Watchlists};
