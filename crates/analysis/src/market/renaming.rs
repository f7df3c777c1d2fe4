//! Symbol changes: what a company traded under before, and what became of a symbol that is no longer used.
//!
//! Worked example: META was a fund until 31 January 2022, when it became METV; on 9 June 2022 FB became META. The
//! history of META is then its own candles since 9 June and the FB candles before that; the history of METV is its own
//! candles since 31 January and the META candles before that. An archive that restates histories under the newest
//! symbol has META candles in between, when nothing traded under that name: all of them then belong to the symbol's
//! newest company, and none to METV.

use std::collections::{BTreeMap, HashMap};

use model::{ActionKind, CorporateAction, Day, Symbol};
use store::{History, ScaledCandle};

use super::{DataIssue, Listing, PointInTime};

/// The maximum number of consecutive symbol changes that are followed.
const MOST: usize = 8;
/// The maximum number of changes to one symbol that are trusted.
const OF_SYMBOL: usize = 64;
/// If a symbol traded for this many sessions while nobody had it, its history is a restated one: a source may be off
/// by a few days.
const RESTATED: usize = 5;

/// A symbol that became another.
#[derive(Clone, Debug, PartialEq)]
struct Change {
    /// The first session under the new symbol.
    day: Day,
    old: Symbol,
    new: Symbol,
}

/// The days on which a company traded under a symbol.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) symbol: Symbol,
    /// The first of these days.
    pub(super) from: Day,
    /// The first day after them; [`Day::MAX`] for the current symbol.
    pub(super) before: Day,
    /// The day from which the symbol was free, if another company had it before.
    freed: Option<Day>,
    /// When another company took it over, if one did.
    taken: Option<Day>,
}

/// A company that once had a symbol.
#[derive(Debug, PartialEq)]
pub(super) struct Holder<'a> {
    /// Its later symbols, newest last, without those that now belong to another company; empty if the company ended.
    pub(super) later: Vec<&'a Symbol>,
    /// Whether it had given up the symbol by that day, and nobody says who had it then.
    pub(super) is_free: bool,
    /// Whether another company has taken over the symbol since.
    pub(super) is_taken: bool,
}

/// The changes to all symbols up to a given day.
#[derive(Debug, Default)]
pub(super) struct Renamings {
    /// By the old symbol, in ascending order by day.
    from: HashMap<Symbol, Vec<Change>>,
    /// By the new one, likewise.
    into: HashMap<Symbol, Vec<Change>>,
    /// By symbol, the days after its delistings and mergers, in ascending order.
    ended: HashMap<Symbol, Vec<Day>>,
}

impl Renamings {
    /// The symbol changes among corporate actions that have taken effect by a given day.
    pub(super) fn new<'a>(
        actions: impl IntoIterator<Item = &'a CorporateAction>,
        until: Day,
    ) -> Self {
        let mut renamings = Self::default();
        for action in actions {
            if action.ex_date > until {
                continue;
            }
            match (action.kind, &action.new_symbol) {
                (ActionKind::SymbolChange, Some(new)) if *new != action.symbol => {
                    let change = Change {
                        day: action.ex_date,
                        old: action.symbol.clone(),
                        new: new.clone(),
                    };
                    let into = renamings.into.entry(change.new.clone()).or_default();
                    into.push(change.clone());
                    let from = renamings.from.entry(change.old.clone()).or_default();
                    from.push(change);
                }
                (ActionKind::Delisting | ActionKind::Merger, _) => {
                    let ended = renamings.ended.entry(action.symbol.clone()).or_default();
                    ended.push(action.ex_date.plus(1));
                }
                _ => {}
            }
        }
        let of_symbols = renamings
            .from
            .values_mut()
            .chain(renamings.into.values_mut());
        for changes in of_symbols {
            changes.sort_by(|one, other| {
                let key = |change: &Change| (change.day, change.old.clone(), change.new.clone());
                key(one).cmp(&key(other))
            });
            changes.truncate(OF_SYMBOL);
        }
        for days in renamings.ended.values_mut() {
            days.sort_unstable();
        }
        renamings
    }

    /// The newest of these changes before a given day.
    fn newest<'a>(
        changes: &'a HashMap<Symbol, Vec<Change>>,
        symbol: &Symbol,
        before: Day,
    ) -> Option<&'a Change> {
        let changes = changes.get(symbol)?;
        changes.iter().rev().find(|change| change.day < before)
    }

    /// When another company took over a symbol, on a given day or later.
    fn taken(&self, symbol: &Symbol, since: Day) -> Option<Day> {
        let changes = self.into.get(symbol)?;
        let later = changes.iter().find(|change| change.day >= since);
        later.map(|change| change.day)
    }

    /// Whether a delisting or merger freed a symbol after one day and no later than another.
    fn ended_within(&self, symbol: &Symbol, after: Day, until: Day) -> bool {
        let days = self.ended.get(symbol).map_or(&[][..], Vec::as_slice);
        days.iter().any(|day| *day > after && *day <= until)
    }

    /// The later symbols of the company that last had a symbol and gave it up, as far as it still has or may have
    /// them: newest last. A symbol that another company took over later is not one of them.
    pub(super) fn successors(&self, symbol: &Symbol) -> Vec<&Symbol> {
        let mut names = self.names_since(Self::newest(&self.from, symbol, Day::MAX));
        names.retain(|name| *name != symbol);
        names
    }

    /// A company's symbols since a symbol change, newest last, without those that now belong to another company.
    fn names_since<'a>(&'a self, change: Option<&'a Change>) -> Vec<&'a Symbol> {
        let mut names = Vec::new();
        let mut next = change;
        let mut followed = 0;
        while let Some(change) = next.filter(|_| followed < MOST) {
            followed += 1;
            let retaken = self.taken(&change.new, change.day.plus(1));
            let later = self.from.get(&change.new);
            next = later.and_then(|later| {
                let mut later = later.iter().filter(|later| later.day > change.day);
                later.find(|later| retaken.is_none_or(|taken| later.day <= taken))
            });
            let is_anothers = match next {
                Some(left) => self.taken(&left.old, left.day).is_some(),
                None => {
                    retaken.is_some_and(|taken| self.ended_within(&change.new, change.day, taken))
                }
            };
            if !is_anothers {
                names.push(&change.new);
            }
        }
        names
    }

    /// The company that had a symbol on a given day, or last had it before then, if it no longer has it; `None` if
    /// nothing says that it was anyone other than the current holder.
    pub(super) fn holder(&self, symbol: &Symbol, day: Day) -> Option<Holder<'_>> {
        let days = |all: &HashMap<Symbol, Vec<Change>>| -> Vec<Day> {
            let of_symbol = all.get(symbol).into_iter().flatten();
            of_symbol.map(|change| change.day).collect()
        };
        let taken = days(&self.into);
        let next = taken.iter().copied().find(|taken| *taken > day);
        let since = taken.iter().rev().copied().find(|taken| *taken <= day);
        let since = since.unwrap_or(Day::MIN);
        // Whoever takes over a symbol on the day it is given up is not the one giving it up.
        let left: Vec<&Change> = self
            .from
            .get(symbol)
            .into_iter()
            .flatten()
            .filter(|change| change.day > since && next.is_none_or(|next| change.day <= next))
            .collect();
        let later = left.iter().find(|change| change.day > day);
        if let Some(change) = later.or(left.last()).copied() {
            return Some(Holder {
                later: self.names_since(Some(change)),
                is_free: change.day <= day,
                is_taken: self.taken(symbol, change.day).is_some(),
            });
        }
        let is_over = self.ended_within(symbol, since, next?);
        is_over.then(|| Holder {
            later: Vec::new(),
            is_free: false,
            is_taken: true,
        })
    }

    /// Since when a symbol has belonged to nobody or to another company, if its last owner gave it up.
    pub(super) fn given_up(&self, symbol: &Symbol) -> Option<Day> {
        let away = Self::newest(&self.from, symbol, Day::MAX)?;
        let into = Self::newest(&self.into, symbol, Day::MAX);
        into.is_none_or(|into| into.day < away.day)
            .then_some(away.day)
    }

    /// The symbols of the company that has a symbol now, newest first, each with its days; none if it has had no
    /// other. If nothing is listed under its last owner's new symbol, the symbol still belongs to that owner.
    pub(super) fn spans(&self, symbol: &Symbol, is_listed: impl Fn(&Symbol) -> bool) -> Vec<Span> {
        if !self.from.contains_key(symbol) && !self.into.contains_key(symbol) {
            return Vec::new();
        }
        let given_up = self.given_up(symbol);
        let is_followed = self.successors(symbol).into_iter().any(is_listed);
        let mut spans: Vec<Span> = Vec::new();
        let mut symbol = symbol.clone();
        let mut before = given_up.filter(|_| !is_followed).unwrap_or(Day::MAX);
        while spans.len() < MOST {
            let into = Self::newest(&self.into, &symbol, before);
            let renamed = Self::newest(&self.from, &symbol, before).map(|away| away.day);
            // Given up after it was taken over, and nobody says who took it over again.
            let into = into.filter(|into| renamed.is_none_or(|freed| freed <= into.day));
            let ended = into.and_then(|into| {
                let days = self.ended.get(&symbol)?.iter();
                days.rev().find(|day| **day <= into.day).copied()
            });
            let freed = renamed.max(ended);
            spans.push(Span {
                symbol: symbol.clone(),
                from: match (into, freed) {
                    (_, None) => Day::MIN,
                    (Some(into), Some(_)) => into.day,
                    (None, Some(freed)) => freed,
                },
                before: if spans.is_empty() { Day::MAX } else { before },
                freed: freed.filter(|_| into.is_some()),
                taken: self.taken(&symbol, before),
            });
            let Some(into) = into else {
                break;
            };
            symbol = into.old.clone();
            before = into.day;
        }
        if let [only] = &spans[..]
            && only.from == Day::MIN
        {
            spans.clear();
        }
        spans
    }
}

/// The candles of a company under all its symbols.
#[derive(Debug)]
pub(super) struct Joined {
    /// Its candles; for each day, those under its newest symbol.
    pub(super) history: History<ScaledCandle>,
    /// The day from which records under its own symbol are its own.
    pub(super) own_from: Day,
    /// For each span, the first and last day for which it supplied a candle.
    pub(super) given: Vec<Option<(Day, Day)>>,
}

/// Joins the candles of a company's symbols.
pub(super) fn joined(
    spans: &[Span],
    mut held: impl FnMut(&Symbol) -> Option<History<ScaledCandle>>,
) -> Joined {
    let mut days: BTreeMap<Day, ScaledCandle> = BTreeMap::new();
    let mut joined = Joined {
        history: History {
            rows: Vec::new(),
            last_correction: None,
            recorded_at: None,
        },
        own_from: spans.first().map_or(Day::MIN, |own| own.from),
        given: vec![None; spans.len()],
    };
    for (place, span) in spans.iter().enumerate() {
        let Some(history) = held(&span.symbol) else {
            continue;
        };
        let trades_within = |from: Day, before: Day| {
            let days = history.rows.iter().map(|row| row.candle.day);
            days.filter(|day| *day >= from && *day < before).count() >= RESTATED
        };
        if span
            .taken
            .is_some_and(|taken| trades_within(span.before, taken))
        {
            continue;
        }
        let is_restated = span
            .freed
            .is_some_and(|freed| trades_within(freed, span.from));
        let from = if is_restated { Day::MIN } else { span.from };
        if place == 0 {
            joined.own_from = from;
        }
        for row in &history.rows {
            let day = row.candle.day;
            if day < from || day >= span.before || days.contains_key(&day) {
                continue;
            }
            days.insert(day, *row);
            let given = joined.given[place].get_or_insert((day, day));
            given.1 = day;
        }
        let whole = &mut joined.history;
        whole.last_correction = whole.last_correction.max(history.last_correction);
        whole.recorded_at = whole.recorded_at.max(history.recorded_at);
    }
    joined.history.rows = days.into_values().collect();
    joined
}

impl Listing {
    /// Notes that data shown for days before a symbol change comes from the earlier symbol, if that was known.
    pub fn former_symbols(
        &self,
        field: &'static str,
        (first, last): (Day, Day),
        when: PointInTime,
    ) -> Option<DataIssue> {
        let parts: Vec<String> = self
            .spans
            .iter()
            .zip(self.given.iter())
            .skip(1)
            .filter(|(span, _)| span.before <= when.scale())
            .filter_map(|(span, given)| {
                let (from, to) = (*given)?;
                let is_shown = from <= last && to >= first;
                is_shown.then(|| format!("those of {from} to {to} are of {}", span.symbol))
            })
            .collect();
        (!parts.is_empty()).then(|| {
            let reason = format!(
                "the symbol of this company was another: {}",
                parts.join(", ")
            );
            DataIssue::note(field, reason, "actions")
        })
    }
}

#[cfg(test)]
mod tests;
