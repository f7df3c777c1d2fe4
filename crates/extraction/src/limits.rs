//! What reading pages and PDFs may use.

use std::time::Duration;

/// Budgets of workers and of each document, whether a page or a PDF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Number of worker processes, which is also how many documents are read at the same time.
    pub workers: usize,
    /// Longest time for reading one document.
    pub page_time: Duration,
    /// Longest wait for a free worker.
    pub wait: Duration,
    /// Memory that a worker may use beyond what it starts with, in bytes.
    pub memory_bytes: u64,
    /// Documents after which a worker is replaced, so that nothing accumulates in it.
    pub pages_per_worker: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            workers: 4,
            page_time: Duration::from_secs(5),
            wait: Duration::from_secs(10),
            memory_bytes: 512 << 20,
            pages_per_worker: 500,
        }
    }
}
