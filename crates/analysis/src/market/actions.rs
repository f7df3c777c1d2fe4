//! Corporate actions: those of one symbol for whoever asks, and the splits and new names of all for every figure.

use std::collections::HashMap;
use std::sync::Arc;

use market::actions::Splits;
use model::{ActionKind, Concept, CorporateAction, Day, FactSet, Symbol};
use store::{RecordQuery, Store, StoredRecord};

use super::records::Records;
use super::renaming::Renamings;
use super::{DataIssue, Listing, PointInTime};
use crate::Result;

/// The splits of every symbol, and what symbols were and are called.
#[derive(Debug, Default)]
pub(super) struct ActionBoard {
    splits: HashMap<Symbol, Arc<Splits>>,
    pub(super) renamings: Renamings,
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
        for StoredRecord { record, .. } in stored {
            let of_symbol = actions.entry(record.symbol.clone()).or_default();
            of_symbol.push(record);
        }
        let renamings = Renamings::new(actions.values().flatten());
        let of_symbol = |symbol: &Symbol| actions.get(symbol).into_iter().flatten();
        let mut splits: HashMap<Symbol, Arc<Splits>> = actions
            .keys()
            .map(|symbol| (symbol.clone(), Arc::new(Splits::of(of_symbol(symbol)))))
            .collect();
        for symbol in renamings.taken() {
            let is_given_up = renamings.given_up(symbol).is_some();
            let spans = renamings.spans(symbol, |_| !is_given_up);
            let within = spans.iter().flat_map(|span| {
                let days = span.from..span.before;
                of_symbol(&span.symbol).filter(move |action| days.contains(&action.ex_date))
            });
            splits.insert(symbol.clone(), Arc::new(Splits::of(within)));
        }
        Ok(Self {
            splits,
            renamings,
            none: Arc::default(),
        })
    }

    /// The splits of a share or fund, also those under the symbols that it had before.
    pub(super) fn splits(&self, symbol: &Symbol) -> Arc<Splits> {
        Arc::clone(self.splits.get(symbol).unwrap_or(&self.none))
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
