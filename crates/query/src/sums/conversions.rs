//! Sums in one currency to convert to another.

use verify::figures::Unit;

use super::{Conversion, Counted};
use crate::currencies::Named;
use crate::words::Word;

/// The sums to convert: a question names two currencies and at most one of them with a number, sums in several
/// currencies to convert to the last one, which has no number, or one sum to convert to several.
pub(crate) fn conversions(words: &[Word], named: &[Named], counted: &[Counted]) -> Vec<Conversion> {
    let of_several = several(words, named, counted);
    if !of_several.is_empty() {
        return of_several;
    }
    let to_each = to_each(words, named, counted);
    if !to_each.is_empty() {
        return to_each;
    }
    conversion(words, named, counted).into_iter().collect()
}

/// `200 pounds in euros and yen`: the sum in each of the currencies after the word that joins them to it.
fn to_each(words: &[Word], named: &[Named], counted: &[Counted]) -> Vec<Conversion> {
    let Some((first, targets)) = named.split_first() else {
        return Vec::new();
    };
    let Some(amount) = sum_of(words, first, counted) else {
        return Vec::new();
    };
    let mut codes: Vec<&'static str> = Vec::new();
    for one in targets {
        if one.code != first.code && !codes.contains(&one.code) {
            codes.push(one.code);
        }
    }
    let joins = targets.first().is_some_and(|second| {
        let between = words.get(first.words.end..second.words.start);
        let mut between = between.into_iter().flatten();
        between.any(|word| word.is_any(&["in", "into", "to"]))
    });
    let is_plain = targets
        .iter()
        .all(|one| sum_of(words, one, counted).is_none());
    if codes.len() < 2 || !joins || !is_plain {
        return Vec::new();
    }
    let conversion = |to| Conversion {
        amount,
        is_said: true,
        from: first.code,
        to,
    };
    codes.into_iter().map(conversion).collect()
}

/// `250 dollars and 300 euros in pounds`.
fn several(words: &[Word], named: &[Named], counted: &[Counted]) -> Vec<Conversion> {
    let Some((last, before)) = named.split_last() else {
        return Vec::new();
    };
    let sums: Vec<(f64, &'static str)> = before
        .iter()
        .filter_map(|one| Some((sum_of(words, one, counted)?, one.code)))
        .collect();
    let is_whole = sums.len() == before.len() && sums.len() > 1;
    if !is_whole || sum_of(words, last, counted).is_some() {
        return Vec::new();
    }
    let conversion = |(amount, from)| Conversion {
        amount,
        is_said: true,
        from,
        to: last.code,
    };
    sums.into_iter().map(conversion).collect()
}

/// The currency in which something is wanted: `0.5 ETH in euros`, `how many pounds is that`.
pub(crate) fn wanted(words: &[Word], named: &[Named], counted: &[Counted]) -> Option<&'static str> {
    named.iter().find_map(|one| {
        let before = one.words.start.checked_sub(1).map(|before| &words[before]);
        let is_wanted = before.is_some_and(|before| before.is_any(&["in", "into", "to", "many"]));
        (is_wanted && sum_of(words, one, counted).is_none()).then_some(one.code)
    })
}

/// The sum to convert: a question names two currencies, and at most one of them with a number.
fn conversion(words: &[Word], named: &[Named], counted: &[Counted]) -> Option<Conversion> {
    let first = named.first()?;
    let second = named.iter().find(|one| one.code != first.code)?;
    if named
        .iter()
        .any(|one| one.code != first.code && one.code != second.code)
    {
        return None;
    }
    let sum = |one: &Named| sum_of(words, one, counted);
    let both = named
        .iter()
        .find_map(|one| Some((one.code, sum(one)?)))
        .map(|(code, amount)| (code, amount, true));
    let asks_number = |one: &Named| {
        let before = one.words.start.checked_sub(1).map(|before| &words[before]);
        before.is_some_and(|before| before.is_any(&["many", "much", "per"]))
    };
    let (from, amount, is_said) = both.unwrap_or_else(|| {
        // `how many yen to the dollar`, `dollars per euro`: the second is the one to pay with.
        let is_turned = asks_number(first)
            || words
                .get(first.words.end..second.words.start)
                .is_some_and(|between| between.iter().any(|word| word.is("per")));
        let from = if is_turned { second.code } else { first.code };
        (from, 1.0, false)
    });
    let to = if from == first.code {
        second.code
    } else {
        first.code
    };
    Some(Conversion {
        amount,
        // `a dollar in yen` asks for the rate.
        is_said: is_said && amount != 1.0,
        from,
        to,
    })
}

/// The number next to a currency; `a dollar` is one.
fn sum_of(words: &[Word], one: &Named, counted: &[Counted]) -> Option<f64> {
    let beside = counted.iter().find(|(amount, range)| {
        let is_money = matches!(amount.unit, Unit::Money(_) | Unit::Bare);
        let overlaps = range.start < one.words.end && one.words.start < range.end;
        is_money && (overlaps || range.end == one.words.start || one.words.end == range.start)
    });
    let article = one
        .words
        .start
        .checked_sub(1)
        .is_some_and(|before| words[before].is_any(&["a", "an", "one", "1"]));
    beside
        .map(|(amount, _)| amount.value)
        .or_else(|| article.then_some(1.0))
}
