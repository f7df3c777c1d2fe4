//! What makes a reading doubtful, and marks of the whole sentence.

use super::claim::Measure;
use super::items::{self, Item, What};
use super::numbers;
use super::period::{Role, is_seq};
use super::token::{Join, Token, cut};

/// Whether a sentence says why something was so: `fell because supplies ran short`. `After` and `amid` say when.
pub fn names_cause(text: &str) -> bool {
    const CAUSES: [&[&str]; 9] = [
        &["because"],
        &["thanks", "to"],
        &["due", "to"],
        &["owing", "to"],
        &["driven", "by"],
        &["caused", "by"],
        &["as", "a", "result", "of"],
        &["on", "the", "back", "of"],
        &["in", "response", "to"],
    ];
    let tokens = cut(text);
    (0..tokens.len()).any(|at| CAUSES.iter().any(|cause| is_seq(&tokens, at, cause)))
}

/// Whether a clause has a number other than those of a ratio: `after its 20-for-1 split` has none.
pub(super) fn has_figures(tokens: &[Token<'_>]) -> bool {
    let mut at = 0;
    while at < tokens.len() {
        match numbers::ratio(tokens, at) {
            Some(next) => at = next,
            None if tokens[at].number.is_some() => return true,
            None => at += 1,
        }
    }
    false
}

/// The period that a claim points to instead of naming it: `the lowest of that year`.
pub(super) fn pointed_at<'t>(tokens: &'t [Token<'_>]) -> Option<&'t str> {
    tokens.windows(2).find_map(|pair| {
        let is_period = pair[1].is_any(&["year", "month", "quarter", "week", "decade"]);
        (pair[0].is("that") && is_period).then_some(pair[1].lower.as_str())
    })
}

/// Whether a sentence speaks of none or of some of several: `no month of 2022 saw`, `in at least one month`.
pub(super) fn counts_none(items: &[Item], tokens: &[Token<'_>]) -> bool {
    tokens.iter().enumerate().any(|(at, token)| {
        let is_read = items
            .iter()
            .any(|item| item.holds(at) && !matches!(item.what, What::Amount(_)));
        let some = token.is("one")
            && at > 1
            && tokens[at - 1].is("least")
            && tokens
                .get(at + 1)
                .is_some_and(|next| next.is_any(&["week", "month", "quarter", "year"]));
        token.is_any(&["no", "nobody"]) && !is_read || some
    })
}

/// `nine down days running`, `eleven straight gains`: no size of a move.
pub(super) fn counts_days(tokens: &[Token<'_>]) -> bool {
    tokens.windows(3).any(|three| {
        let counts = three[0].whole().is_some() || numbers::numeral(&three[0].lower).is_some();
        counts
            && (three[1].is_any(&["up", "down"])
                && three[2].is_any(&["day", "days", "session", "sessions"])
                || three[1].is_any(&["straight", "consecutive"])
                    && three[2]
                        .is_any(&["gains", "losses", "advances", "declines", "rises", "falls"]))
    })
}

/// Whether a change begins or ends at a high or low: `from its 2021 peak`, `between January and its May closing peak`.
pub(super) fn ends_at_extreme(items: &[Item], tokens: &[Token<'_>]) -> bool {
    items.iter().any(|item| {
        let is_time = matches!(item.what, What::Period(_, role) if !matches!(role, Role::Peak | Role::Trough));
        let owns = item.first > 0 && tokens[item.first - 1].is_any(&["its", "their"])
            || tokens[item.first].is_any(&["its", "their"])
            || (item.first..item.next).any(|at| tokens[at].is_any(&["its", "their"]));
        let behind = tokens.get(item.next..).unwrap_or_default();
        let behind = behind.iter().take(3).take_while(|token| token.join == Join::Space);
        let is_extreme = behind
            .take_while(|token| token.is_any(&["closing", "intraday", "record", "peak", "high", "low", "trough", "bottom", "top"]))
            .any(|token| token.is_any(&["peak", "high", "low", "trough", "bottom", "top"]));
        let moves = items
            .iter()
            .any(|item| matches!(item.what, What::Relation("up" | "down" | "double" | "triple" | "quadruple" | "quintuple" | "halve")));
        is_time && owns && is_extreme && moves
    })
}

/// Whether the time stands behind the first figure: `from 14.8 % in April`.
pub(super) fn from_is_dated(items: &[Item], tokens: &[Token<'_>]) -> bool {
    items.windows(2).any(|pair| {
        matches!(pair[0].what, What::Amount(_))
            && matches!(pair[1].what, What::Period(..))
            && pair[1].first <= pair[0].next + 1
            && tokens[..pair[0].first]
                .last()
                .is_some_and(|token| token.is("from"))
    })
}

/// Whether a sentence tells of two moves of two times: `rose in 2021 but fell in 2022`.
pub(super) fn tells_two(items: &[Item], tokens: &[Token<'_>]) -> bool {
    let is_move = |item: &Item| {
        matches!(
            item.what,
            What::Relation(
                "up" | "down" | "double" | "triple" | "quadruple" | "quintuple" | "halve"
            )
        )
    };
    let times = items
        .iter()
        .filter(|item| matches!(item.what, What::Period(..)))
        .count();
    let says = |range: std::ops::Range<usize>| {
        items
            .iter()
            .any(|item| range.contains(&item.first) && is_move(item))
    };
    times > 1
        && (1..tokens.len()).any(|at| {
            let is_joint =
                tokens[at].is_any(&["and", "but"]) && !items.iter().any(|item| item.holds(at));
            is_joint && says(0..at) && says(at..tokens.len())
        })
}

/// `broke $2,000 in August, then retreated to finish the year below $1,900`.
pub(super) fn follows_another(items: &[Item], tokens: &[Token<'_>]) -> bool {
    let is_amount = |item: &&Item| matches!(item.what, What::Amount(_));
    (1..tokens.len()).any(|at| {
        tokens[at].is("then")
            && items.iter().filter(is_amount).any(|item| item.next <= at)
            && items.iter().filter(is_amount).any(|item| item.first > at)
    })
}

/// Whether a move has a size and a second measure a figure of its own behind it: `rose 10 %, with volume above 40 million`.
pub(super) fn measures_two(items: &[Item]) -> bool {
    let measured = |item: &Item| {
        matches!(item.what, What::Word(code) if !matches!(items::measure(code), None | Some(Measure::Price(_))))
    };
    let is_amount = |item: &Item| matches!(item.what, What::Amount(_));
    let Some(first) = items.iter().position(is_amount) else {
        return false;
    };
    let is_move = matches!(items[first].what, What::Amount(amount) if items::is_relative(amount.unit))
        && items[..first].iter().any(|item| matches!(item.what, What::Relation("up" | "down")))
        && !items[..first].iter().any(measured);
    let second = items[first + 1..].iter().position(is_amount);
    is_move
        && second.is_some_and(|second| {
            let between = &items[first + 1..first + 1 + second];
            between.iter().any(measured)
        })
}

/// Whether a run of sessions is counted as it can be measured: so many in a row, no more words about where or how many.
pub(super) fn counts_run(tokens: &[Token<'_>]) -> bool {
    let says_run = tokens
        .iter()
        .any(|token| token.is_any(&["straight", "consecutive", "running", "row"]));
    let limits = tokens.iter().any(|token| {
        token.is_any(&[
            "most", "least", "nearly", "almost", "exactly", "only", "more", "first", "start",
            "after", "from", "since", "not", "once", "longest", "about", "end",
        ])
    });
    says_run && !limits
}

/// Whether the first time is one since another time, which is not compared.
pub(super) fn is_first_since(tokens: &[Token<'_>]) -> bool {
    let phrase = tokens
        .windows(3)
        .position(|three| three[0].is("the") && three[1].is("first") && three[2].is("time"));
    let Some(at) = phrase else {
        return false;
    };
    tokens.get(at + 3).is_some_and(|next| {
        next.is_any(&["since", "after", "this", "ever"])
            || next.is("in")
                && tokens.get(at + 4).is_some_and(|after| {
                    after.whole().is_some_and(|count| count < 1_000)
                        || after.is_any(&["a", "over", "more", "almost", "nearly", "about"])
                        || numbers::numeral(&after.lower).is_some()
                })
    })
}

/// Whether it is said to be the first time: `closed above 40,000 for the first time`, `first closed above 250`.
pub(super) fn is_first_time(items: &[Item], tokens: &[Token<'_>]) -> bool {
    let phrase = tokens
        .windows(3)
        .any(|three| three[0].is("the") && three[1].is("first") && three[2].is("time"));
    let verb = tokens.windows(2).enumerate().any(|(at, pair)| {
        pair[0].is("first")
            && items.iter().any(|item| {
                item.first == at + 1
                    && matches!(
                        item.what,
                        What::Relation("close" | "exceed" | "trade" | "reach" | "undercut")
                    )
            })
    });
    phrase || verb
}
