//! Charges that become one transaction of the ledger.

use std::collections::HashMap;
use std::sync::Arc;

use model::{KeyId, MicroUsd, Timestamp};
use store::{LedgerEntry, LedgerKind};

use super::journal::Segment;
use crate::caller::Payer;

/// Rows of one transaction. A write transaction holds everybody else up, so it stays short.
const ROWS_AT_ONCE: usize = 400;

/// Calls of one key to one endpoint that become one ledger row.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) key: Option<KeyId>,
    pub(super) operation: usize,
    pub(super) endpoint: Arc<str>,
    pub(super) calls: u64,
    pub(super) credits: u64,
    pub(super) overage: MicroUsd,
    pub(super) at: Timestamp,
    pub(super) kind: LedgerKind,
}

impl Line {
    /// The ledger row.
    pub(super) fn entry(&self, payer: Payer) -> LedgerEntry {
        LedgerEntry {
            account: payer.ledger_account(),
            key: self.key,
            endpoint: self.endpoint.to_string(),
            calls: self.calls,
            credits: self.credits,
            overage: self.overage,
            at: self.at,
            kind: self.kind,
        }
    }
}

/// What makes two charges one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Same {
    payer: Payer,
    key: Option<KeyId>,
    operation: usize,
    kind: LedgerKind,
    day: i64,
}

impl Same {
    fn new(payer: Payer, line: &Line) -> Self {
        Self {
            payer,
            key: line.key,
            operation: line.operation,
            kind: line.kind,
            day: line.at.day(),
        }
    }
}

/// What is written at one time, in memory and, where there is a journal, in one segment of it.
#[derive(Debug)]
pub(super) struct Batch {
    /// Its number in the journal, from 1 on.
    pub(super) number: u64,
    /// Made with the first charge.
    pub(super) segment: Option<Segment>,
    lines: HashMap<Same, Line>,
}

impl Batch {
    pub(super) fn new(number: u64) -> Self {
        Self {
            number,
            segment: None,
            lines: HashMap::new(),
        }
    }

    /// Whether a charge would be one row too many.
    pub(super) fn is_full_for(&self, payer: Payer, line: &Line) -> bool {
        self.segment.as_ref().is_some_and(Segment::is_full)
            || (self.lines.len() >= ROWS_AT_ONCE
                && !self.lines.contains_key(&Same::new(payer, line)))
    }

    pub(super) fn add(&mut self, payer: Payer, line: Line) {
        match self.lines.entry(Same::new(payer, &line)) {
            std::collections::hash_map::Entry::Occupied(mut same) => {
                let other = same.get_mut();
                other.calls = other.calls.saturating_add(line.calls);
                other.credits = other.credits.saturating_add(line.credits);
                other.overage = MicroUsd(other.overage.0.saturating_add(line.overage.0));
                other.at = other.at.max(line.at);
            }
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert(line);
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub(super) fn rows(&self) -> usize {
        self.lines.len()
    }

    /// The ledger rows.
    pub(super) fn entries(&self) -> Vec<LedgerEntry> {
        self.lines
            .iter()
            .map(|(same, line)| line.entry(same.payer))
            .collect()
    }

    /// When each key was used last.
    pub(super) fn uses(&self) -> Vec<(KeyId, Timestamp)> {
        let mut uses: HashMap<KeyId, Timestamp> = HashMap::new();
        for line in self.lines.values() {
            if let Some(key) = line.key {
                let last = uses.entry(key).or_insert(line.at);
                *last = line.at.max(*last);
            }
        }
        uses.into_iter().collect()
    }
}
