//! Claims and the evidence for and against them: verification one by one, in batches and in the output of a model; the
//! receipts of verdicts and the log that proves them; what agents remember and which documents they use.

pub(crate) mod batch;
mod body;
pub(crate) mod claim;
pub(crate) mod consolidation;
pub(crate) mod feedback;
pub(crate) mod health;
mod issue;
pub(crate) mod knowledge;
pub(crate) mod leaderboard;
mod live;
pub(crate) mod log;
pub(crate) mod memory;
pub(crate) mod monitor;
pub(crate) mod output;
pub(crate) mod receipt;
mod unread;
