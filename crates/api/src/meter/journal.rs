//! From tallies to ledger rows.

use std::collections::HashMap;

use model::{KeyId, Timestamp};
use store::{LedgerEntry, Store};

use super::tally::Line;
use crate::caller::Payer;

/// Rows of one transaction. A write transaction holds everybody else up, so it stays short.
const ROWS_AT_ONCE: usize = 400;

/// What is written at one time.
#[derive(Debug, Default)]
pub(super) struct Batch {
    parts: Vec<(Payer, Vec<Line>)>,
    rows: usize,
}

impl Batch {
    /// Adds to the last batch or begins another.
    pub(super) fn add(batches: &mut Vec<Self>, payer: Payer, lines: Vec<Line>) {
        let rows = lines.len();
        match batches.last_mut() {
            Some(last) if last.rows + rows <= ROWS_AT_ONCE => {
                last.rows += rows;
                last.parts.push((payer, lines));
            }
            _ => batches.push(Self {
                parts: vec![(payer, lines)],
                rows,
            }),
        }
    }

    pub(super) fn into_parts(self) -> Vec<(Payer, Vec<Line>)> {
        self.parts
    }

    pub(super) async fn write(&self, store: &Store) -> Result<(), store::Error> {
        if self.parts.is_empty() {
            return Ok(());
        }
        let lines = || {
            self.parts
                .iter()
                .flat_map(|(payer, lines)| lines.iter().map(move |line| (*payer, line)))
        };
        let is_durable = lines().any(|(_, line)| line.is_durable);
        let entries: Vec<LedgerEntry> = lines().map(|(payer, line)| entry(payer, line)).collect();
        if is_durable {
            store.ledger().append_durable(&entries).await?;
        } else {
            store.ledger().append(&entries).await?;
        }
        let mut uses: HashMap<KeyId, Timestamp> = HashMap::new();
        for (_, line) in lines() {
            if let Some(key) = line.key {
                let last = uses.entry(key).or_insert(line.at);
                *last = line.at.max(*last);
            }
        }
        if !uses.is_empty() {
            let uses: Vec<_> = uses.into_iter().collect();
            if let Err(error) = store.keys().touch(&uses).await {
                // The charges stand; when a key was last used is told a little late.
                tracing::debug!(
                    error = &error as &dyn std::error::Error,
                    "last use of keys is not noted: {error}"
                );
            }
        }
        Ok(())
    }
}

fn entry(payer: Payer, line: &Line) -> LedgerEntry {
    LedgerEntry {
        account: payer.ledger_account(),
        key: line.key,
        endpoint: line.endpoint.to_string(),
        calls: line.calls,
        credits: line.credits,
        overage: line.overage,
        at: line.at,
        kind: line.kind,
    }
}
