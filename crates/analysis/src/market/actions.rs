//! Corporate actions: the actions of one symbol for callers, and the splits and symbol changes of all symbols for
//! every figure.

use std::collections::HashMap;

use market::actions::{Split, Splits, is_one_dividend, is_one_split};
use model::{ActionKind, Concept, CorporateAction, Day, FactSet, Symbol};
use store::{RecordQuery, Store, StoredRecord};

use super::records::Records;
use super::renaming::{Renamings, Span};
use super::{DataIssue, Listing, PointInTime};
use crate::Result;

/// The splits of every symbol, and the past and present symbols of every company.
#[derive(Debug, Default)]
pub(super) struct ActionBoard {
    splits: HashMap<Symbol, Vec<CorporateAction>>,
    pub(super) renamings: Renamings,
}

impl ActionBoard {
    /// Reads the current state. Future splits count, because which splits a price contains does not depend on who knew
    /// about them. A symbol changes on its day, and `today` is the newest session on record.
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

    /// The splits of a share or fund: its own since a given day, and those under each of its earlier symbols while it
    /// had that symbol.
    pub(super) fn splits(&self, symbol: &Symbol, spans: &[Span], own_from: Day) -> Splits {
        let of_symbol = |symbol: &Symbol| self.splits.get(symbol).into_iter().flatten();
        let own = of_symbol(symbol).filter(|action| action.ex_date >= own_from);
        let former = spans.iter().skip(1).flat_map(|span| {
            // A split that takes effect together with the new symbol may be recorded under the old one.
            let days = span.from..=span.before;
            of_symbol(&span.symbol).filter(move |action| days.contains(&action.ex_date))
        });
        Splits::of(own.chain(former))
    }
}

/// The figures in a filing, in the scale of a given day: share counts and per-share figures. If it is not known which
/// splits a filing contains, these are left out.
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

    /// The actions of a listing that were known at a point in time, newest ex-date first; only some kinds, or all of
    /// them.
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
            ..RecordQuery::default()
        };
        let stored = self.records.of(listing, when, query).await?;
        let mut found = one_of_each(stored);
        found.retain(|stored| listing.had(&stored.record));
        found.sort_by_key(|stored| std::cmp::Reverse(stored.record.ex_date));
        if limit > 0 {
            found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        }
        Ok(found)
    }
}

/// The reports with duplicates merged: if sources date the same action a few days apart, it counts once. For a
/// dividend the report that was known first counts, and for a split the later date, because prices are adjusted that
/// way. The order in which the reports arrived decides nothing.
pub(super) fn one_of_each(
    mut stored: Vec<StoredRecord<CorporateAction>>,
) -> Vec<StoredRecord<CorporateAction>> {
    stored.sort_by(|one, other| {
        let key = |stored: &StoredRecord<CorporateAction>| {
            let action = &stored.record;
            let kind = action.kind.as_str();
            (action.ex_date, kind, stored.known_at, action.source.clone())
        };
        key(one).cmp(&key(other))
    });
    let mut groups: Vec<Vec<StoredRecord<CorporateAction>>> = Vec::new();
    for report in stored {
        let same = groups.iter().rposition(|group| {
            let mut reports = group.iter();
            reports.all(|other| is_one(&other.record, &report.record))
        });
        match same {
            Some(place) => groups[place].push(report),
            None => groups.push(vec![report]),
        }
    }
    let standing = groups.into_iter().filter_map(|group| {
        let is_split = group.first()?.record.kind == ActionKind::Split;
        if is_split {
            group.into_iter().next_back()
        } else {
            // Among equals, the first.
            group.into_iter().min_by_key(|report| report.known_at)
        }
    });
    standing.collect()
}

/// Whether two reports are about the same action.
fn is_one(one: &CorporateAction, other: &CorporateAction) -> bool {
    let split = |action: &CorporateAction| {
        Some(Split {
            ex_date: action.ex_date,
            no_later_than: action.no_later_than,
            ratio: action.ratio?,
        })
    };
    match (one.kind, other.kind) {
        (ActionKind::Dividend, ActionKind::Dividend) => is_one_dividend(one, other),
        (ActionKind::Split, ActionKind::Split) => {
            let are_reported = !one.is_inferred() && !other.is_inferred();
            let splits = split(one).zip(split(other));
            are_reported && splits.is_some_and(|(one, other)| is_one_split(&one, &other))
        }
        _ => false,
    }
}

impl Listing {
    /// Whether an action belongs to this company: whatever ended the use of a symbol belongs to the company that had
    /// it until then.
    fn had(&self, action: &CorporateAction) -> bool {
        let ends_use = matches!(
            action.kind,
            ActionKind::SymbolChange | ActionKind::Merger | ActionKind::Delisting
        );
        if !ends_use || self.spans.is_empty() {
            return true;
        }
        let mut spans = self.spans.iter();
        spans.any(|span| {
            let is_later = span.from == Day::MIN || action.ex_date > span.from;
            span.symbol == action.symbol && is_later && action.ex_date <= span.before
        })
    }

    /// Notes that prices from a given day on rest on a split that nobody reports: within the days on which it may have
    /// taken effect, the price actually paid is not known.
    pub fn inferred_splits(&self, field: &'static str, from: Day) -> Vec<DataIssue> {
        let unknown =
            "prices are adjusted for it, and what was paid within these days is not known";
        self.inferred(field, unknown, |_, last| from < last)
    }

    /// The same for the price at a point in time. For now, every such split has already taken effect.
    pub fn inferred_scale(&self, field: &'static str, when: PointInTime) -> Vec<DataIssue> {
        if when.as_of.is_none() {
            return Vec::new();
        }
        self.inferred_splits(field, when.scale())
    }

    /// Notes that it is not known whether per-share figures at a point in time are adjusted for a split that nobody
    /// reports, because that time lies between the split's possible days. Before them, the figures are as reported.
    pub fn inferred_shares(&self, field: &'static str, when: PointInTime) -> Vec<DataIssue> {
        if when.as_of.is_none() {
            return Vec::new();
        }
        let scale = when.scale();
        let unknown = "whether per-share figures of these days are adjusted for it is not known";
        self.inferred(field, unknown, |first, last| first <= scale && scale < last)
    }

    /// A note for each unreported split that an answer depends on, given the days between which it may have taken
    /// effect: what is not known because of it.
    fn inferred(
        &self,
        field: &'static str,
        unknown: &str,
        depends: impl Fn(Day, Day) -> bool,
    ) -> Vec<DataIssue> {
        let splits = self.splits.iter();
        let notes = splits.filter_map(|split| {
            let first = split.ex_date;
            let last = split.no_later_than.filter(|last| depends(first, *last))?;
            let reason = format!(
                "two files of this symbol differ by the ratio of a split: {} new shares for one old share between {first} and {last} are inferred; {unknown}; import actions to replace it",
                split.ratio
            );
            Some(DataIssue::note(field, reason, CorporateAction::INFERRED))
        });
        notes.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(
        (kind, source): (ActionKind, &str),
        on: &str,
        value: f64,
        known_at: &str,
    ) -> StoredRecord<CorporateAction> {
        let is_split = kind == ActionKind::Split;
        let known_at = Day::parse(known_at).unwrap().starts_at();
        StoredRecord {
            record: CorporateAction {
                symbol: Symbol::parse("MSFT").unwrap(),
                kind,
                ex_date: Day::parse(on).unwrap(),
                ratio: is_split.then_some(value),
                amount: (!is_split).then_some(value),
                currency: None,
                new_symbol: None,
                announced: None,
                no_later_than: None,
                source: source.to_owned(),
            },
            known_at,
            recorded_at: known_at,
        }
    }

    #[test]
    fn what_two_sources_date_a_day_apart_is_one_action() {
        let dividend =
            |source, on: &str, amount| report((ActionKind::Dividend, source), on, amount, on);
        let split = |source, on: &str| report((ActionKind::Split, source), on, 2.0, "2024-01-02");
        let mut all = vec![
            dividend("one", "2024-05-15", 0.75),
            dividend("other", "2024-05-16", 0.75),
            // A special dividend from the same source, a different amount, and the next dividend.
            dividend("one", "2024-05-17", 0.75),
            dividend("other", "2024-05-15", 0.8),
            dividend("other", "2024-05-23", 0.75),
            split("one", "2024-03-01"),
            split("other", "2024-03-04"),
        ];
        let days = |all: &[StoredRecord<CorporateAction>]| -> Vec<String> {
            let kept = one_of_each(all.to_vec()).into_iter();
            kept.map(|one| one.record.ex_date.to_string()).collect()
        };
        let expected = [
            "2024-03-04",
            "2024-05-15",
            "2024-05-15",
            "2024-05-17",
            "2024-05-23",
        ];
        assert_eq!(days(&all), expected);
        all.reverse();
        assert_eq!(days(&all), expected);
    }
}
