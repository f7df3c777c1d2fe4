//! A part of a period that a question names: `the last week of October`, `at the beginning of 2025`.

use std::ops::Range;

use verify::figures::{Dated, Period, Span, SpanUnit};

use crate::words::Word;

const WEEK: i32 = 7;

/// The parts of named periods, with the words that name them.
pub(super) fn find(words: &[Word], times: &[Dated]) -> Vec<(Span, Range<usize>)> {
    let parts = times.iter().filter_map(|dated| {
        let Period::In(whole) = dated.period else {
            return None;
        };
        let is_long = matches!(
            whole.unit,
            SpanUnit::Month | SpanUnit::Quarter | SpanUnit::Year
        );
        // The words of a time may begin with what joins it: `of October`, `at the beginning of 2025`.
        let first = words
            .iter()
            .position(|word| word.bytes.end > dated.bytes.start)?;
        let of = (first.saturating_sub(1)..words.len())
            .take_while(|at| words[*at].bytes.start < dated.bytes.end)
            .find(|at| words[*at].is("of"))?;
        let (span, begin) = part(words, of, whole)?;
        is_long.then(|| (span, words[begin].bytes.start..dated.bytes.end))
    });
    parts.collect()
}

/// The part that the words before `of` name, and the place of the first of them.
fn part(words: &[Word], of: usize, whole: Span) -> Option<(Span, usize)> {
    let name = of.checked_sub(1)?;
    if words[name].is_any(&["beginning", "start"]) {
        return Some((Span::day(whole.first), name));
    }
    let is_month = whole.unit == SpanUnit::Month;
    if words[name].is("week") && is_month {
        let at = name.checked_sub(1)?;
        let number = match words[at].lower.as_str() {
            "first" | "1st" => 0,
            "second" | "2nd" => 1,
            "third" | "3rd" => 2,
            "fourth" | "4th" => 3,
            "last" | "final" => {
                let span = Span::new(whole.last.plus(1 - WEEK), whole.last, SpanUnit::Stretch);
                return Some((span, at));
            }
            _ => return None,
        };
        let first = whole.first.plus(number * WEEK);
        let span = Span::new(first, first.plus(WEEK - 1), SpanUnit::Stretch);
        return Some((span, at));
    }
    let is_session = words[name].is_any(&["day", "session"]);
    let before = name.checked_sub(1)?;
    let trading = usize::from(words[before].is("trading"));
    let at = before.checked_sub(trading)?;
    (is_session && words[at].is_any(&["last", "final"])).then(|| (Span::day(whole.last), at))
}
