//! The members of an index, which no source here has: all shares are ranked instead.

use std::ops::Range;

use market::screener::natural::understand;

use crate::ranking::SHARES;
use crate::subjects::{Subjects, is_index};
use crate::words::Word;

/// Words that say what something is searched in.
const WITHIN: [&str; 6] = ["in", "of", "on", "from", "within", "among"];
/// Words for members, other than shares.
const MEMBERS: [&str; 9] = [
    "member",
    "members",
    "payer",
    "payers",
    "yielders",
    "gainers",
    "losers",
    "winners",
    "performers",
];

fn is_share(word: &Word) -> bool {
    word.is_any(&SHARES) || word.is_any(&MEMBERS)
}

/// Whether the members of an index are meant: `dow stock`, `stocks in the S&P 500`.
pub(super) fn are_meant(words: &[Word], index: &Range<usize>) -> bool {
    let mut before = words[..index.start].iter().rev();
    let joint = before.find(|word| !word.is("the"));
    let is_within =
        joint.is_some_and(|word| word.is_any(&WITHIN)) && before.next().is_some_and(is_share);
    is_within || words.get(index.end).is_some_and(is_share)
}

/// The words for an index that is searched for members, including the words before it that join it: `in the S&P 500`.
fn pool(words: &[Word], index: &Range<usize>) -> Option<Range<usize>> {
    let articles = words[..index.start].iter().rev();
    let articles = articles.take_while(|word| word.is("the")).count();
    let joint = (index.start - articles).checked_sub(1);
    let joint = joint.filter(|at| words[*at].is_any(&WITHIN));
    match joint {
        Some(at) => Some(at..index.end),
        None => are_meant(words, index).then(|| index.clone()),
    }
}

/// Whether the members of an index are searched.
pub(super) fn are_searched(words: &[Word], index: &Range<usize>) -> bool {
    pool(words, index).is_some()
}

/// The question as the screener should read it: without the indices whose members it searches. An exchange with such a
/// name stays, because the screener knows it.
pub(super) fn left_out(text: &str, words: &[Word], found: &Subjects) -> String {
    let indices = found.series.iter().filter(|(series, _)| is_index(*series));
    let mut pools: Vec<Range<usize>> = indices
        .filter_map(|(_, index)| pool(words, index))
        .map(|pool| words[pool.start].bytes.start..words[pool.end - 1].bytes.end)
        .filter(|bytes| {
            let read = understand(&text[bytes.clone()]);
            read.exchange.is_none() || read.is_beyond
        })
        .collect();
    // From the end, so that earlier bytes keep their place.
    pools.sort_by_key(|pool| std::cmp::Reverse(pool.start));
    let mut rest = text.to_owned();
    for bytes in pools {
        rest.replace_range(bytes, "");
    }
    rest.trim().to_owned()
}
