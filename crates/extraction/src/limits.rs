//! What reading pages may take.

use std::time::Duration;

/// Budgets of workers and of each page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Worker processes, which is also how many pages are read at the same time.
    pub workers: usize,
    /// Longest time for the reading of one page.
    pub page_time: Duration,
    /// Longest wait for a free worker.
    pub wait: Duration,
    /// Memory that a worker may use beyond what it starts with, in bytes.
    pub memory_bytes: u64,
    /// Pages after which a worker is replaced, so that nothing piles up in it.
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
