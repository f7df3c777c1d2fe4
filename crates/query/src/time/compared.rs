//! A time with which the present is compared: `higher than a year ago`, `above where it was in March`.

use model::Day;
use verify::figures::{Dated, Period};

use super::{When, back, length};
use crate::words::Word;

/// Words between a comparison and its time.
const BETWEEN: [&str; 12] = [
    "it", "they", "was", "were", "in", "on", "at", "the", "back", "where", "stood", "that",
];

/// The period from the time with which the present is compared, counted from the last price of that time.
pub(super) fn find(text: &str, words: &[Word], times: &[Dated], today: Day) -> Option<When> {
    (0..words.len()).find_map(|at| {
        let next = words.get(at + 1)?;
        let joint =
            words[at].is_any(&["compare", "compares", "compared"]) && next.is_any(&["to", "with"]);
        let is_compared = words[at].is_any(&["than", "versus", "vs"])
            || joint
            || words[at].is("where")
                && next.is_any(&["it", "they"])
                && at.checked_sub(1).is_some_and(|before| {
                    words[before].is_any(&["above", "below", "from", "than", "over", "under"])
                });
        // `up from a month ago`; any other time after it begins a period.
        let is_ago = words[at].is("from");
        if !is_compared && !is_ago {
            return None;
        }
        let first = (at + 1 + usize::from(joint)..words.len())
            .find(|place| !words[*place].is_any(&BETWEEN))?;
        let (day, end) = ago(words, first, today).or_else(|| {
            let of_time = |dated: &&Dated| {
                let bytes = &words[first].bytes;
                dated.bytes.start < bytes.end && bytes.start < dated.bytes.end
            };
            let dated = times.iter().find(of_time).filter(|_| is_compared)?;
            let last = match dated.period {
                Period::In(span) => span.last,
                _ => return None,
            };
            Some((last, dated.bytes.end))
        })?;
        // Of two times, either may be the present.
        let is_alone = times
            .iter()
            .all(|dated| dated.bytes.start < end && words[at].bytes.start < dated.bytes.end);
        (day < today && is_alone).then(|| When {
            from: Some(day),
            to: None,
            said: text[words[first].bytes.start..end].to_owned(),
            is_ahead: false,
            begins_on_day: true,
            months: None,
        })
    })
}

/// The day so long ago, and where the words for it end: `a year ago`, `six months ago`.
fn ago(words: &[Word], at: usize, today: Day) -> Option<(Day, usize)> {
    let (count, unit, next) = match words[at].lower.as_str() {
        "a" | "an" => (1.0, length::unit(&words.get(at + 1)?.lower)?, at + 2),
        _ => length::length(words, at)?,
    };
    let last = words.get(next).filter(|word| word.is("ago"))?;
    let is_whole = count.fract() == 0.0 && (1.0..=length::MOST).contains(&count);
    is_whole.then(|| (back(today, count as u32, unit), last.bytes.end))
}
