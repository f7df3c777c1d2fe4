//! Who holds a share: large holders that a question names together with what they hold.

use std::ops::Range;

use crate::subjects::{self, Instrument};
use crate::words::Word;

/// Listed companies that hold shares for others or for themselves.
const LISTED: [&str; 16] = [
    "BRK.B", "BRK.A", "BLK", "STT", "TROW", "IVZ", "BEN", "NTRS", "BK", "KKR", "APO", "BX", "CG",
    "ARES", "GS", "SCHW",
];
/// Others, by one word of their names.
const OTHERS: [&str; 22] = [
    "vanguard",
    "fidelity",
    "citadel",
    "bridgewater",
    "renaissance",
    "pershing",
    "norges",
    "buffett",
    "burry",
    "ackman",
    "icahn",
    "tepper",
    "druckenmiller",
    "einhorn",
    "loeb",
    "dalio",
    "griffin",
    "cathie",
    "ark",
    "softbank",
    "soros",
    "calpers",
];
const HOLDING: [&str; 24] = [
    "own", "owns", "owned", "owning", "hold", "holds", "held", "holding", "stake", "stakes",
    "bought", "buying", "buy", "sold", "selling", "sell", "add", "added", "adding", "trim",
    "trimmed", "position", "dumped", "cut",
];

/// Whether a large holder is asked about: `does Berkshire own Apple`, `did Vanguard add to its stake in AMD`.
pub(super) fn asks_holder(words: &[Word], instruments: &[(Instrument, Range<usize>)]) -> bool {
    let holds = words.iter().any(|word| word.is_any(&HOLDING));
    let is_owner = |word: &Word| word.is_any(&["i", "we", "my", "our", "im", "ive", "should"]);
    holds
        && !words.iter().any(is_owner)
        && (words.iter().any(|word| word.is_any(&OTHERS)) && !instruments.is_empty()
            || instruments.iter().any(|(one, _)| is_holder(one))
                && instruments.iter().any(|(one, _)| !is_holder(one)))
}

/// The holder that a question names together with what is held, as written.
pub(super) fn named(
    text: &str,
    words: &[Word],
    instruments: &[(Instrument, Range<usize>)],
) -> Option<String> {
    let listed = instruments.iter().find(|(one, _)| is_holder(one));
    let is_held = instruments.iter().any(|(one, _)| !is_holder(one));
    let other = || words.iter().find(|word| word.is_any(&OTHERS));
    let said = match listed {
        Some((one, _)) if is_held => one.said.clone(),
        Some(_) => return None,
        None => text[other()?.bytes.clone()].to_owned(),
    };
    Some(subjects::titled(&said))
}

/// The words of a search without those about trades: `what did Warren Buffett buy` is about Warren Buffett.
pub(super) fn without_trades(topic: &str) -> String {
    let words = topic
        .split(' ')
        .filter(|word| !HOLDING.contains(&word.to_lowercase().as_str()));
    words.collect::<Vec<_>>().join(" ")
}

/// Keeps those that are held, if something is held and the holders are named with it.
pub(super) fn leave_held(instruments: &mut Vec<(Instrument, Range<usize>)>) {
    if instruments.iter().any(|(one, _)| !is_holder(one)) {
        instruments.retain(|(one, _)| !is_holder(one));
    }
}

fn is_holder(instrument: &Instrument) -> bool {
    LISTED.contains(&instrument.symbol.as_str())
}
