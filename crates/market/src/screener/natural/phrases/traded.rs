//! How many shares change hands a day, if the sentence says it with a verb.

use super::thresholds::{Side, side};
use super::{Phrase, Reading, begins_any, skip};
use crate::filters::{FilterKey, FilterValue};
use crate::screener::natural::words::Word;

const VERBS: [&str; 6] = ["trading", "traded", "trade", "trades", "with", "averaging"];
const THINGS: [&str; 7] = ["shares", "units", "coins", "tokens", "in", "of", "volume"];

/// "trading at least 5 million shares a day", "with more than 1m shares traded daily".
pub(super) fn volume(rest: &[Word]) -> Phrase {
    let mut at = skip(rest, &VERBS);
    let (taken, wanted) = side(&rest[at..])?;
    at += taken;
    let size = rest.get(at).filter(|word| word.number.is_some())?;
    at += 1;
    let named = skip(&rest[at..], &THINGS);
    at += named;
    at += skip(
        &rest[at..],
        &["are", "being", "traded", "trading", "on", "average"],
    );
    at += begins_any(
        &rest[at..],
        &[
            &["a", "day"],
            &["per", "day"],
            &["each", "day"],
            &["every", "day"],
            &["daily"],
            &["a", "session"],
            &["per", "session"],
        ],
    )?;
    if size.is_money || named == 0 {
        return Some((
            at,
            Reading::Unsupported("volume is a number of shares, not a sum of money"),
        ));
    }
    let key = match wanted {
        Side::Above => FilterKey::VolumeAbove,
        Side::Below => FilterKey::VolumeBelow,
    };
    let value = FilterValue::Number(size.number?);
    Some((at, Reading::Filters(vec![(key, value)])))
}
