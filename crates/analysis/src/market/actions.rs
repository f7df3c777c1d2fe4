//! Corporate actions: those of one symbol for whoever asks, and the splits and new names of all for every figure.

use std::collections::HashMap;
use std::sync::Arc;

use market::actions::Splits;
use model::{ActionKind, Concept, CorporateAction, Day, FactSet, Symbol};
use store::{RecordQuery, Store, StoredRecord};

use super::records::Records;
use super::{DataIssue, Listing, PointInTime};
use crate::Result;

/// Changes of a name that are followed in a row.
const RENAMINGS: usize = 8;

/// The splits of every symbol, and what symbols are called now.
#[derive(Debug, Default)]
pub(super) struct ActionBoard {
    splits: HashMap<Symbol, Arc<Splits>>,
    renamed: HashMap<Symbol, Symbol>,
    none: Arc<Splits>,
}

impl ActionBoard {
    /// Reads what stands now, also what lies ahead: which splits a price contains does not depend on who knew of them.
    pub(super) async fn load(store: &Store) -> Result<Self> {
        let query = RecordQuery {
            words: [ActionKind::Split, ActionKind::SymbolChange]
                .map(|kind| kind.as_str().to_owned())
                .to_vec(),
            ..RecordQuery::default()
        };
        let stored = store.records::<CorporateAction>().list(&query).await?;
        let mut actions: HashMap<Symbol, Vec<CorporateAction>> = HashMap::new();
        let mut renamed = HashMap::new();
        for StoredRecord { record, .. } in stored {
            match (&record.new_symbol, record.kind) {
                // The newest comes first.
                (Some(new), ActionKind::SymbolChange) => {
                    renamed.entry(record.symbol).or_insert_with(|| new.clone());
                }
                _ => actions
                    .entry(record.symbol.clone())
                    .or_default()
                    .push(record),
            }
        }
        let splits = actions
            .into_iter()
            .map(|(symbol, actions)| (symbol, Arc::new(Splits::of(&actions))));
        Ok(Self {
            splits: splits.collect(),
            renamed,
            none: Arc::default(),
        })
    }

    /// The splits of a share or fund.
    pub(super) fn splits(&self, symbol: &Symbol) -> Arc<Splits> {
        Arc::clone(self.splits.get(symbol).unwrap_or(&self.none))
    }

    /// What a symbol that is no longer used became.
    pub(super) fn successor<'a>(&'a self, symbol: &'a Symbol) -> Option<&'a Symbol> {
        let mut newest = symbol;
        for _ in 0..RENAMINGS {
            match self.renamed.get(newest) {
                Some(next) => newest = next,
                None => break,
            }
        }
        (newest != symbol).then_some(newest)
    }
}

/// Numbers of a filing in the scale of a day: shares, and what is counted for one share. Where it is not known which splits
/// a filing contains, these are left out.
pub(super) fn facts_in_scale(set: FactSet, splits: &Splits, to: Day) -> FactSet {
    if splits.is_empty() {
        return set;
    }
    let shares = splits.shares(set.filed, to);
    let is_certain = splits.are_certain_on(set.filed);
    let facts = set.facts.into_iter().filter_map(|mut fact| {
        let factor = match fact.concept {
            Concept::SharesOutstanding | Concept::DilutedShares => shares,
            Concept::EpsBasic | Concept::EpsDiluted | Concept::DividendsPerShare => 1.0 / shares,
            _ => return Some(fact),
        };
        fact.value *= factor;
        is_certain.then_some(fact)
    });
    FactSet {
        facts: facts.collect(),
        ..set
    }
}

/// Reads corporate actions.
#[derive(Clone, Debug)]
pub struct Actions {
    records: Records,
}

impl Actions {
    pub(super) fn new(records: Records) -> Self {
        Self { records }
    }

    /// The actions of a listing that were known at a point in time, the newest ex-date first; of some kind, or of all.
    pub async fn of(
        &self,
        listing: &Listing,
        kind: Option<ActionKind>,
        limit: u64,
        when: PointInTime,
    ) -> Result<Vec<StoredRecord<CorporateAction>>> {
        let query = RecordQuery {
            words: kind
                .map(|kind| kind.as_str().to_owned())
                .into_iter()
                .collect(),
            limit,
            ..RecordQuery::default()
        };
        self.records.of(listing, when, query).await
    }
}

impl Listing {
    /// That prices rest on a split that nobody reports.
    pub fn inferred_splits(&self, field: &'static str) -> Vec<DataIssue> {
        self.splits
            .iter()
            .filter_map(|split| {
                let last = split.no_later_than?;
                let reason = format!(
                    "two files of this symbol differ by the ratio of a split: {} new shares for one old share between {} and {last} are inferred; import actions to replace it",
                    split.ratio, split.ex_date
                );
                Some(DataIssue::note(field, reason, CorporateAction::INFERRED))
            })
            .collect()
    }
}
