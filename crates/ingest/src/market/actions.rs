//! Corporate actions into the store, and candles in the scale that they turn out to have.
//!
//! A file of candles claims to reflect all splits up to its last day. If it contradicts what is stored by the ratio of
//! a split, one of the two reflects a split that the other does not. That split is inferred, with the days between
//! which it took effect, and stands until somebody reports one that explains the same difference. If the ratio is not
//! that of a split, the rows are refused.

use market::actions::{Split, Splits, day_of, is_one_split, jump_on, settle};
use model::{
    ActionKind, AssetType, Candle, CorporateAction, Day, Instrument, InstrumentKey, Market,
    PriceScale, Symbol, Timestamp,
};
use store::{MarketTransaction, Record};

use super::{MarketOutcome, end_of};
use crate::error::Result;

/// How far the product of reported splits may be from an inferred one that it explains.
const SAME_RATIO: f64 = 0.03;

/// Candles of a symbol that were not in the scale of the stored ones.
#[derive(Clone, Debug, PartialEq)]
pub struct ScaleNote {
    /// The symbol.
    pub symbol: Symbol,
    /// How many rows.
    pub rows: u64,
    /// How they were handled.
    pub finding: ScaleFinding,
}

/// How candles in another scale were handled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScaleFinding {
    /// A split explains the difference.
    Inferred(Split),
    /// They are this many times the stored values, and no split explains it: they were refused.
    Refused(f64),
}

impl ScaleNote {
    /// What happened, in words.
    pub fn words(&self) -> String {
        let Self {
            symbol,
            rows,
            finding,
        } = self;
        match finding {
            ScaleFinding::Inferred(split) => {
                let until = split
                    .no_later_than
                    .map_or(String::new(), |last| format!(" and {last}"));
                format!(
                    "{symbol}: prices of {rows} rows are not in the scale of those that are stored; a split of {} between {}{until} is inferred (`assay import actions` replaces it by the real one)",
                    terms(split.ratio),
                    split.ex_date,
                )
            }
            ScaleFinding::Refused(ratio) => format!(
                "{symbol}: {rows} rows refused: their prices are {ratio:.4} times those that are stored, and no reported split explains it (import the split with `assay import actions`, or the days between)"
            ),
        }
    }
}

/// A ratio as people say it: `10 for 1`, `3 for 2`, `1 for 8`.
fn terms(ratio: f64) -> String {
    let whole = |value: f64| (value - value.round()).abs() < 1e-6;
    for old in 1..=4 {
        let new = ratio * f64::from(old);
        if whole(new) && new >= 1.0 {
            return format!("{new:.0} for {old}");
        }
    }
    let inverse = 1.0 / ratio;
    if whole(inverse) {
        format!("1 for {inverse:.0}")
    } else {
        format!("{ratio:.4} for 1")
    }
}

/// Writes actions. A delisting or merger ends the life of its symbol; a reported split replaces one that was inferred
/// for the same days.
pub(super) async fn write_actions(
    transaction: &mut MarketTransaction,
    outcome: &mut MarketOutcome,
    actions: &[CorporateAction],
    recorded_at: Timestamp,
) -> Result<()> {
    if actions.is_empty() {
        return Ok(());
    }
    let mut symbols: Vec<&Symbol> = actions.iter().map(|action| &action.symbol).collect();
    symbols.sort_unstable();
    symbols.dedup();
    // The store decides which of several reports of one action stands, whichever is imported first.
    let records = actions
        .iter()
        .map(|action| (action.clone(), known_at(action, recorded_at)));
    let written = transaction.put_records(records).await?;
    outcome.note("actions", written);
    for symbol in symbols {
        let of_symbol = || {
            actions
                .iter()
                .filter(move |action| action.symbol == *symbol)
        };
        let key = InstrumentKey::stock(symbol.clone());
        // Nothing else changes the scale of prices.
        if of_symbol().any(|action| action.kind == ActionKind::Split) {
            close_explained(transaction, symbol, recorded_at).await?;
            follow_candles(transaction, outcome, &key, recorded_at).await?;
        }
        let last = of_symbol()
            .filter(|action| matches!(action.kind, ActionKind::Delisting | ActionKind::Merger))
            .map(|action| action.ex_date)
            .max();
        if last.is_some() {
            let gone = Instrument {
                delisted: last,
                ..Instrument::bare(symbol.clone(), AssetType::Equity)
            };
            transaction.put_instruments(&[gone]).await?;
        }
        if let Some(stored) = transaction.find_instrument(&key).await? {
            transaction.touch(&stored);
        }
    }
    Ok(())
}

/// When an action became public: on the evening of its announcement, or else with the first session in which it
/// applies.
fn known_at(action: &CorporateAction, recorded_at: Timestamp) -> Timestamp {
    let effective = action.ex_date.starts_at();
    match action.announced {
        _ if action.is_inferred() => recorded_at,
        Some(day) => end_of(day).min(effective),
        // Anything that lies ahead and was announced on an unknown day is known now.
        None => effective.min(recorded_at),
    }
}

/// Closes inferred splits that have now been reported.
async fn close_explained(
    transaction: &mut MarketTransaction,
    symbol: &Symbol,
    at: Timestamp,
) -> Result<()> {
    let actions: Vec<CorporateAction> = transaction.bundle(symbol.as_str()).await?;
    let (inferred, reported): (Vec<_>, Vec<_>) = actions
        .into_iter()
        .filter(|action| action.kind == ActionKind::Split)
        .partition(CorporateAction::is_inferred);
    for guess in inferred {
        let last = guess.no_later_than.unwrap_or(guess.ex_date);
        let product: f64 = reported
            .iter()
            .filter(|split| split.ex_date >= guess.ex_date && split.ex_date <= last)
            .filter_map(|split| split.ratio)
            .product();
        let explains = guess
            .ratio
            .is_some_and(|ratio| (product / ratio - 1.0).abs() <= SAME_RATIO);
        if explains {
            transaction
                .close_record::<CorporateAction>(&guess.facets().id, at)
                .await?;
        }
    }
    Ok(())
}

/// Writes the candles of one instrument in the scale that they actually have, as far as the stored data shows it.
pub(super) async fn write_candles(
    transaction: &mut MarketTransaction,
    outcome: &mut MarketOutcome,
    (key, candles): (&InstrumentKey, &[Candle]),
    (claimed, source): (PriceScale, &str),
    recorded_at: Timestamp,
) -> Result<()> {
    let kind = match key.market {
        Market::Crypto => AssetType::Crypto,
        Market::Stock => AssetType::Equity,
    };
    let instrument = Instrument::bare(key.symbol.clone(), kind);
    // Coins are not split: their scale only says which file is the newer one. A source that adjusts prices again with
    // every delivery needs no comparison.
    let mut scale = claimed;
    if key.market == Market::Stock && claimed != PriceScale::Newest {
        let stored = transaction.standing_candles(key).await?;
        let actions: Vec<CorporateAction> = transaction.bundle(key.symbol.as_str()).await?;
        let settled = settle(&stored, candles, claimed, &Splits::of(&actions));
        scale = settled.scale;
        let rows = candles.len() as u64;
        let note = |finding| ScaleNote {
            symbol: key.symbol.clone(),
            rows,
            finding,
        };
        if let Some(ratio) = settled.refused {
            outcome.scales.push(note(ScaleFinding::Refused(ratio)));
            return Ok(());
        }
        if let Some(split) = settled.inferred {
            outcome.scales.push(note(ScaleFinding::Inferred(split)));
            let action = inferred(key, &split);
            let known_at = known_at(&action, recorded_at);
            let written = transaction.put_records([(action, known_at)]).await?;
            outcome.note("actions", written);
            transaction.touch(&instrument);
        }
    }
    let written = transaction
        .put_scaled_candles(&instrument, candles, scale, source)
        .await?;
    outcome.note("candles", written);
    if key.market == Market::Stock {
        follow_candles(transaction, outcome, key, recorded_at).await?;
    }
    Ok(())
}

/// Uses the candles to decide which of two reports of one split is right, and which candles do not reflect a split that
/// was reported after them: those that jump by its ratio on its day.
async fn follow_candles(
    transaction: &mut MarketTransaction,
    outcome: &mut MarketOutcome,
    key: &InstrumentKey,
    at: Timestamp,
) -> Result<()> {
    let actions: Vec<CorporateAction> = transaction.bundle(key.symbol.as_str()).await?;
    let reported: Vec<(&CorporateAction, Split)> = actions
        .iter()
        .filter(|action| action.kind == ActionKind::Split && !action.is_inferred())
        .filter_map(|action| Some((action, split_of(action)?)))
        .collect();
    if reported.is_empty() {
        return Ok(());
    }
    let stored = transaction.standing_candles(key).await?;
    let bars: Vec<Candle> = stored.iter().map(|(candle, _)| *candle).collect();
    let mut moved = false;
    for (action, split) in &reported {
        let of_same =
            |other: &&(&CorporateAction, Split)| other.1 != *split && is_one_split(&other.1, split);
        let is_shown = |split: &Split| jump_on(&bars, split).is_some();
        if reported
            .iter()
            .filter(of_same)
            .any(|other| is_shown(&other.1))
            && !is_shown(split)
        {
            transaction
                .close_record::<CorporateAction>(&action.facets().id, at)
                .await?;
            continue;
        }
        let Some(place) = jump_on(&bars, split) else {
            continue;
        };
        let (before, scale) = stored[place];
        if day_of(scale, before.day) < split.ex_date || scale == PriceScale::Newest {
            continue;
        }
        // One file: what comes before the jump in the same scale is brought to the scale that it claims.
        let own = PriceScale::Through(split.ex_date.plus(-1));
        let alone = Splits::new([*split]);
        let converted: Vec<Candle> = stored[..=place]
            .iter()
            .filter(|(_, other)| *other == scale)
            .map(|(candle, _)| alone.convert(*candle, own, split.ex_date))
            .collect();
        let instrument = Instrument::bare(key.symbol.clone(), AssetType::Equity);
        let written = transaction.restate_candles(&instrument, &converted).await?;
        outcome.note("candles", written);
        moved = true;
    }
    if moved && let Some(stored) = transaction.find_instrument(key).await? {
        transaction.touch(&stored);
    }
    Ok(())
}

fn split_of(action: &CorporateAction) -> Option<Split> {
    Some(Split {
        ex_date: action.ex_date,
        no_later_than: action.no_later_than,
        ratio: action.ratio?,
    })
}

fn inferred(key: &InstrumentKey, split: &Split) -> CorporateAction {
    CorporateAction {
        symbol: key.symbol.clone(),
        kind: ActionKind::Split,
        ex_date: split.ex_date,
        ratio: Some(split.ratio),
        amount: None,
        currency: None,
        new_symbol: None,
        announced: None,
        no_later_than: split
            .no_later_than
            .filter(|last: &Day| *last > split.ex_date),
        source: CorporateAction::INFERRED.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::terms;

    #[test]
    fn a_ratio_is_said_as_people_say_it() {
        for (ratio, words) in [
            (10.0, "10 for 1"),
            (1.5, "3 for 2"),
            (1.25, "5 for 4"),
            (0.125, "1 for 8"),
            (1.037, "1.0370 for 1"),
        ] {
            assert_eq!(terms(ratio), words);
        }
    }
}
