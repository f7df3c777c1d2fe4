//! What a sentence says about each of several in order, or about one of them compared with the others.

use model::Day;

use crate::figures::items::{self, Item, What};
use crate::figures::phrases::RELATION;
use crate::figures::token::{Join, Token, cut};

/// Maximum number of others named next to the one.
const MOST: usize = 6;

/// The sentences that it amounts to; `None` if it is not of this kind.
pub(super) fn of_each(text: &str, today: Day) -> Option<Vec<String>> {
    respectively(text, today)
        .or_else(|| only_one(text, today))
        .or_else(|| it_was(text, today))
        .or_else(|| the_better(text, today))
}

fn written<'t>(text: &'t str, tokens: &[Token<'_>], first: usize, next: usize) -> &'t str {
    &text[tokens[first].start..tokens[next - 1].end]
}

fn name<'t>(text: &'t str, tokens: &[Token<'_>], item: &Item) -> &'t str {
    let written = item.written(text, tokens);
    written.trim_end_matches("'s").trim_end_matches("’s")
}

/// `fell in both 2021 and 2022, by 6.0 and 5.4 percent respectively`: the first of each list, and the second of each.
fn respectively(text: &str, today: Day) -> Option<Vec<String>> {
    let bare = text.trim_end_matches(['.', ' ']);
    let bare = bare
        .strip_suffix("respectively")?
        .trim_end_matches([',', ' ']);
    let text = &bare.replace(" both ", " ");
    let tokens = cut(text);
    let marks = items::mark(text, &tokens, today);
    let pairs = |is: fn(&What) -> bool| {
        let mut found = marks.items.windows(2).filter(|pair| {
            let between = &tokens[pair[0].next..pair[1].first];
            is(&pair[0].what) && is(&pair[1].what) && matches!(between, [and] if and.is("and"))
        });
        let first = found.next()?;
        found
            .next()
            .is_none()
            .then(|| (first[0].clone(), first[1].clone()))
    };
    let amounts = pairs(|what| matches!(what, What::Amount(_)))?;
    let others = [
        pairs(|what| matches!(what, What::Subject(_))),
        pairs(|what| matches!(what, What::Period(..))),
    ];
    let [others] = &others.into_iter().flatten().collect::<Vec<_>>()[..] else {
        return None;
    };
    let count = marks
        .items
        .iter()
        .filter(|item| matches!(item.what, What::Amount(_)))
        .count();
    if count != 2 {
        return None;
    }
    // `6.0 and 5.4 percent`: the unit comes after the last number.
    let number = tokens[amounts.1.first..amounts.1.next]
        .iter()
        .position(|token| token.number.is_some())?
        + amounts.1.first;
    let unit = &text[tokens[number].end..tokens[amounts.1.next - 1].end];
    let first = written(text, &tokens, amounts.0.first, amounts.0.next);
    let has_unit = amounts.0.next - amounts.0.first > 1;
    let first = if has_unit {
        first.to_owned()
    } else {
        format!("{first}{unit}")
    };
    let second = written(text, &tokens, amounts.1.first, amounts.1.next).to_owned();
    let part = |other: &Item, amount: &str| {
        let range = |pair: &(Item, Item)| (tokens[pair.0.first].start, tokens[pair.1.next - 1].end);
        let mut cuts = [
            (range(others), other.written(text, &tokens).to_owned()),
            (range(&amounts), amount.to_owned()),
        ];
        cuts.sort_by_key(|(range, _)| range.0);
        let [((a, b), one), ((c, d), two)] = &cuts;
        (b <= c).then(|| format!("{}{one}{}{two}{}", &text[..*a], &text[*b..*c], &text[*d..]))
    };
    Some(vec![part(&others.0, &first)?, part(&others.1, &second)?])
}

/// The names between `of` or `among` at the beginning and the comma after them, with the place where they end.
fn named_first<'t>(
    text: &'t str,
    tokens: &[Token<'_>],
    items: &[Item],
) -> Option<(Vec<&'t str>, usize)> {
    if !tokens.first()?.is_any(&["of", "among", "between"]) {
        return None;
    }
    let mut found = Vec::new();
    let mut end = 1;
    for item in items {
        let is_subject = matches!(item.what, What::Subject(_));
        let joins = tokens
            .get(end..item.first)?
            .iter()
            .all(|token| token.is_any(&["and", "the", "or", "shares"]));
        if !is_subject || !joins {
            break;
        }
        // After the last name a comma begins what is said, and `and` comes before it.
        let is_last = found.len() > 1 && tokens[end - 1].end > 0 && {
            let and = tokens[..end].iter().rposition(|token| token.is("and"));
            and.is_some() && tokens[item.first].join == Join::Break
        };
        if is_last {
            break;
        }
        found.push(name(text, tokens, item));
        end = item.next;
    }
    (2..=MOST).contains(&found.len()).then_some((found, end))
}

/// `Of A, B and C, only C fell`, `C was the only one of A, B and C to fall`: C did, and the others did not.
fn only_one(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    let marks = items::mark(text, &tokens, today);
    let only = tokens.iter().position(|token| token.is("only"))?;
    let (others, winner, rest) = if let Some((named, end)) =
        named_first(text, &tokens, &marks.items)
    {
        let winner = marks.items.iter().find(|item| item.first == only + 1)?;
        let is_next = (end..=end + 1).contains(&only) && matches!(winner.what, What::Subject(_));
        let rest = tokens.get(winner.next)?.start;
        is_next.then(|| (named, name(text, &tokens, winner), &text[rest..]))?
    } else {
        // `C was the only one of A, B and C to rise in 2022`.
        let winner = marks.items.first()?;
        let of = tokens
            .iter()
            .skip(only)
            .take(3)
            .position(|token| token.is("of"))?
            + only;
        let to = tokens
            .iter()
            .position(|token| token.is("to"))
            .filter(|to| *to > of)?;
        let named: Vec<&str> = marks
            .items
            .iter()
            .filter(|item| item.first > of && item.next <= to)
            .filter(|item| matches!(item.what, What::Subject(_)))
            .map(|item| name(text, &tokens, item))
            .collect();
        let is_fit = matches!(winner.what, What::Subject(_))
            && winner.next + 3 > only.saturating_sub(1)
            && (2..=MOST).contains(&named.len());
        let rest = tokens.get(to + 1)?.start;
        is_fit.then(|| (named, name(text, &tokens, winner), &text[rest..]))?
    };
    // `…, by 3 %`: it is not said by how much the others did not move.
    let adds_size = marks.items.iter().any(|item| {
        matches!(item.what, What::Amount(_)) && item.first > 0 && tokens[item.first - 1].is("by")
    });
    if adds_size {
        return None;
    }
    let is_same = |other: &&str| other.starts_with(winner) || winner.starts_with(*other);
    if !others.iter().any(is_same) || super::denies(&tokens) {
        return None;
    }
    let mut parts = vec![format!("{winner} {rest}")];
    parts.extend(
        others
            .iter()
            .filter(|other| !is_same(other))
            .map(|other| format!("{other} not {rest}")),
    );
    Some(parts)
}

/// `Among A, B and C, it was C that fell hardest in 2022`: it did worse than each of the others.
fn it_was(text: &str, today: Day) -> Option<Vec<String>> {
    const MOST_OF_ALL: [&str; 8] = [
        "hardest", "most", "furthest", "farthest", "fastest", "best", "worst", "more",
    ];
    let tokens = cut(text);
    let marks = items::mark(text, &tokens, today);
    let (named, end) = named_first(text, &tokens, &marks.items)?;
    let rest = &tokens[end..];
    let was = rest
        .windows(2)
        .position(|pair| pair[0].is("it") && pair[1].is_any(&["was", "is"]));
    let winner = match was {
        Some(was) => end + was + 2,
        None => end,
    };
    let winner = marks.items.iter().find(|item| item.first == winner)?;
    let verb = winner.next + usize::from(tokens.get(winner.next)?.is_any(&["that", "which"]));
    let (code, _) = RELATION.within(&tokens, verb, 1)?;
    let how = tokens[verb + 1..]
        .iter()
        .take(3)
        .find(|token| token.is_any(&MOST_OF_ALL) || token.is("least"))?;
    let greater = match (code, how.is("least")) {
        ("up", false) | ("down", true) => true,
        ("down", false) | ("up", true) => false,
        _ => return None,
    };
    against(
        text,
        &tokens,
        &marks.items,
        (name(text, &tokens, winner), &named),
        greater,
    )
}

/// `Chevron was the better stock to own in 2022, not Exxon`, `you were better off in the Dow than in the Nasdaq`.
fn the_better(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    let marks = items::mark(text, &tokens, today);
    let subjects: Vec<&Item> = marks
        .items
        .iter()
        .filter(|item| matches!(item.what, What::Subject(_)))
        .collect();
    let [one, two] = subjects[..] else {
        return None;
    };
    let asks = tokens.first().is_some_and(|first| {
        first.is_any(&["would", "was", "were", "is", "are", "did", "do", "does"])
    });
    let denies = tokens.iter().enumerate().any(|(at, token)| {
        token.is_any(&["no", "never", "nor", "hardly", "isn't", "wasn't", "weren't"])
            || token.is("not") && tokens.get(at + 1).is_some_and(|next| next.is("better"))
    });
    if asks || denies {
        return None;
    }

    let between = tokens.get(one.next..two.first)?;
    let is_better = tokens
        .iter()
        .position(|token| token.is_any(&["better", "worse"]))?;
    let owns = [
        "stock",
        "investment",
        "holding",
        "bet",
        "performer",
        "buy",
        "one",
    ];
    let greater = tokens[is_better].is("better");
    let is_named = tokens.get(is_better + 1)?.is_any(&owns)
        && one.next <= is_better
        && between.last().is_some_and(|last| {
            last.is("not") || last.is("the") && between.iter().any(|token| token.is("not"))
        });
    let is_off = tokens.get(is_better + 1)?.is("off")
        && is_better < one.first
        && between.iter().any(|token| token.is("than"))
        && between.len() <= 4;
    if !is_named && !is_off {
        return None;
    }
    let pair = (name(text, &tokens, one), &[name(text, &tokens, two)][..]);
    against(text, &tokens, &marks.items, pair, greater)
}

/// States that one did better or worse than each of the others, at the only time in the sentence.
fn against(
    text: &str,
    tokens: &[Token<'_>],
    items: &[Item],
    (winner, named): (&str, &[&str]),
    greater: bool,
) -> Option<Vec<String>> {
    let mut times = items
        .iter()
        .filter(|item| matches!(item.what, What::Period(..)));
    let time = times.next().filter(|_| times.next().is_none())?;
    // Only the change in price over the whole time is compared.
    let says_more = items.iter().any(|item| match item.what {
        What::Amount(_) | What::Measure(_) | What::Basis(_) => true,
        What::Word(code) => code != "price",
        _ => false,
    });
    let counts = tokens
        .iter()
        .any(|token| token.is_any(&["often", "from", "since", "volatile"]));
    if says_more || counts {
        return None;
    }
    let time = time.written(text, tokens);
    let time = time
        .strip_prefix("in ")
        .or_else(|| time.strip_prefix("In "))
        .unwrap_or(time);
    let relation = if greater {
        "outperformed"
    } else {
        "underperformed"
    };
    let others: Vec<String> = named
        .iter()
        .filter(|other| !other.starts_with(winner) && !winner.starts_with(**other))
        .map(|other| format!("{winner} {relation} {other} in {time}"))
        .collect();
    (!others.is_empty()).then_some(others)
}
