//! Corporate actions: anything that changes the number of shares, the name or the life of a symbol, or the scale of its
//! prices.
//!
//! A split changes what one share is. Prices and reported figures from before and after it are not comparable until one
//! side is converted. Which side a stored price is on is given by its [`PriceScale`]; converting is the work of
//! `market::actions`.

use serde::{Deserialize, Serialize};

use crate::{Day, Symbol};

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each kind names itself")]
pub enum ActionKind {
    Split,
    Dividend,
    SymbolChange,
    Merger,
    Delisting,
}

impl ActionKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::Split,
        Self::Dividend,
        Self::SymbolChange,
        Self::Merger,
        Self::Delisting,
    ];

    /// The word used in the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Split => "split",
            Self::Dividend => "dividend",
            Self::SymbolChange => "symbol_change",
            Self::Merger => "merger",
            Self::Delisting => "delisting",
        }
    }
}

/// A corporate action on one symbol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CorporateAction {
    /// The symbol affected.
    pub symbol: Symbol,
    /// What happened.
    pub kind: ActionKind,
    /// The first session in which shares trade without the right: after a split in the new number of shares, after a
    /// dividend without it. For a delisting or merger, the last session.
    pub ex_date: Day,
    /// New shares per old share: 10 for a 10-for-1 split, 0.125 for a 1-for-8 reverse split.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Cash per share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<f64>,
    /// ISO 4217 currency code of the cash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// The symbol after a change, or the symbol of the acquirer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_symbol: Option<Symbol>,
    /// The day it was announced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub announced: Option<Day>,
    /// For an inferred split, the last day on which it may have taken effect; `ex_date` is then the first such day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_later_than: Option<Day>,
    /// Who reports it; [`Self::INFERRED`] if it is deduced from prices alone.
    pub source: String,
}

impl CorporateAction {
    /// The source given for what no record reports but prices show.
    pub const INFERRED: &'static str = "inferred from prices";

    /// How far apart two statements of the same number may be when sources round differently.
    const ROUNDED: f64 = 1e-4;

    /// Whether it says nothing about an action that another report does not also say. Who reports it and when it was
    /// announced are not part of the action. What a report leaves out does not contradict anything.
    pub fn repeats(&self, known: &Self) -> bool {
        fn agrees<T: PartialEq>(new: Option<&T>, known: Option<&T>) -> bool {
            new.is_none() || new == known
        }
        let is_near = |new: Option<f64>, known: Option<f64>| match (new, known) {
            (None, _) => true,
            (Some(new), Some(known)) => (new - known).abs() <= Self::ROUNDED * known.abs(),
            (Some(_), None) => false,
        };
        self.symbol == known.symbol
            && self.kind == known.kind
            && self.ex_date == known.ex_date
            && is_near(self.ratio, known.ratio)
            && is_near(self.amount, known.amount)
            && agrees(self.currency.as_ref(), known.currency.as_ref())
            && agrees(self.new_symbol.as_ref(), known.new_symbol.as_ref())
            && agrees(self.no_later_than.as_ref(), known.no_later_than.as_ref())
    }

    /// Whether no record reports it.
    pub fn is_inferred(&self) -> bool {
        self.source == Self::INFERRED
    }
}

/// Up to which day a stored price includes the splits of its symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PriceScale {
    /// None after the bar's own day: the price is the one that was paid.
    AsTraded,
    /// All that took effect up to and including this day.
    Through(Day),
    /// All of them, including future ones: whoever supplies the prices adjusts them again.
    #[default]
    Newest,
}
