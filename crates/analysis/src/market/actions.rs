//! Corporate actions: those of one symbol for whoever asks, and the splits and new names of all for every figure.

use std::collections::HashMap;

use market::actions::Splits;
use model::{ActionKind, Concept, CorporateAction, Day, FactSet, Symbol};
use store::{RecordQuery, Store, StoredRecord};

use super::records::Records;
use super::renaming::{Renamings, Span};
use super::{DataIssue, Listing, PointInTime};
use crate::Result;

/// The splits of every symbol, and what symbols were and are called.
#[derive(Debug, Default)]
pub(super) struct ActionBoard {
    splits: HashMap<Symbol, Vec<CorporateAction>>,
    pub(super) renamings: Renamings,
}

impl ActionBoard {
    /// Reads what stands now. Splits that lie ahead count, since which ones a price contains does not depend on who knew of
    /// them; a symbol changes on its day, and `today` is the newest session that is held.
    pub(super) async fn load(store: &Store, today: Day) -> Result<Self> {
        let kinds = [
            ActionKind::Split,
            ActionKind::SymbolChange,
            ActionKind::Delisting,
            ActionKind::Merger,
        ];
        let query = RecordQuery {
            words: kinds.map(|kind| kind.as_str().to_owned()).to_vec(),
            ..RecordQuery::default()
        };
        let stored = store.records::<CorporateAction>().list(&query).await?;
        let renamings = Renamings::new(stored.iter().map(|stored| &stored.record), today);
        let mut splits: HashMap<Symbol, Vec<CorporateAction>> = HashMap::new();
        for StoredRecord { record, .. } in stored {
            if record.kind == ActionKind::Split {
                splits
                    .entry(record.symbol.clone())
                    .or_default()
                    .push(record);
            }
        }
        Ok(Self { splits, renamings })
    }

    /// The splits of a share or fund: its own since a day, and those under the symbols that it had before, each in its days.
    pub(super) fn splits(&self, symbol: &Symbol, spans: &[Span], own_from: Day) -> Splits {
        let of_symbol = |symbol: &Symbol| self.splits.get(symbol).into_iter().flatten();
        let own = of_symbol(symbol).filter(|action| action.ex_date >= own_from);
        let former = spans.iter().skip(1).flat_map(|span| {
            // One that takes effect with the new symbol may be recorded under the old one.
            let days = span.from..=span.before;
            of_symbol(&span.symbol).filter(move |action| days.contains(&action.ex_date))
        });
        Splits::of(own.chain(former))
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
            from: listing.first_day(),
            limit,
            ..RecordQuery::default()
        };
        self.records.of(listing, when, query).await
    }
}

impl Listing {
    /// That prices from a day on rest on a split that nobody reports: within the days on which it may have taken effect it is not
    /// known what was paid.
    pub fn inferred_splits(&self, field: &'static str, from: Day) -> Vec<DataIssue> {
        self.splits
            .iter()
            .filter_map(|split| {
                let last = split.no_later_than.filter(|last| from < *last)?;
                let reason = format!(
                    "two files of this symbol differ by the ratio of a split: {} new shares for one old share between {} and {last} are inferred; prices are adjusted for it, and what was paid within these days is not known; import actions to replace it",
                    split.ratio, split.ex_date
                );
                Some(DataIssue::note(field, reason, CorporateAction::INFERRED))
            })
            .collect()
    }

    /// The same of the price of a point in time. Now every such split has taken effect.
    pub fn inferred_scale(&self, field: &'static str, when: PointInTime) -> Vec<DataIssue> {
        if when.as_of.is_none() {
            return Vec::new();
        }
        self.inferred_splits(field, when.scale())
    }
}
