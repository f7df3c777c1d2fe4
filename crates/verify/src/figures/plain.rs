//! Why a sentence is not a plain statement about a figure: what its numbers count instead, and what else it is about.

use super::claim::Subject;
use super::items::{self, Item, What};
use super::numbers;
use super::token::{Join, Token};

/// Whether a sentence is about none or some of several: `no month of 2022 saw`, `in at least one month`.
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

/// `its smallest gain of the year`: among moves, `smallest` does not mean the deepest fall.
pub(super) fn is_smallest_move(tokens: &[Token<'_>]) -> bool {
    const SMALLEST: [&str; 6] = [
        "smallest",
        "slimmest",
        "narrowest",
        "tiniest",
        "mildest",
        "slightest",
    ];
    const MOVES: [&str; 16] = [
        "gain", "gains", "rise", "rises", "loss", "losses", "drop", "drops", "fall", "falls",
        "decline", "declines", "move", "moves", "change", "advance",
    ];
    tokens.iter().enumerate().any(|(at, token)| {
        let behind = tokens.iter().skip(at + 1).take(4);
        token.is_any(&SMALLEST) && behind.into_iter().any(|next| next.is_any(&MOVES))
    })
}

/// `nine down days running`, `eleven straight gains`: not the size of a move.
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

/// Whether a sentence reports something that somebody denies or merely believes, or that has been refuted.
fn reports_denial_or_belief(tokens: &[Token<'_>]) -> bool {
    const REPORTS: [&str; 36] = [
        "deny",
        "denies",
        "denied",
        "denying",
        "believe",
        "believes",
        "believed",
        "imagine",
        "imagined",
        "lied",
        "lying",
        "retracted",
        "misleading",
        "misquotes",
        "misquoted",
        "hallucinated",
        "pretend",
        "pretends",
        "doubt",
        "doubts",
        "doubted",
        "disputes",
        "disputed",
        "debunked",
        "dream",
        "dreams",
        "typo",
        "fabricated",
        "exaggerated",
        "dodged",
        "refuted",
        "refutes",
        "disproved",
        "disproves",
        "fake",
        "misreported",
    ];
    let is_lie = |at: usize| tokens[at].is("lie") && at > 0 && tokens[at - 1].is("a");
    let is_about_to =
        |at: usize| tokens[at].is("about") && tokens.get(at + 1).is_some_and(|next| next.is("to"));
    (0..tokens.len()).any(|at| tokens[at].is_any(&REPORTS) || is_about_to(at) || is_lie(at))
}

/// `7 % of the S&P 500`: a part of it, not a move in it.
fn is_part(items: &[Item], tokens: &[Token<'_>]) -> bool {
    items.windows(2).any(|pair| {
        let between = tokens.get(pair[0].next..pair[1].first).unwrap_or_default();
        matches!(pair[0].what, What::Amount(amount) if items::is_relative(amount.unit))
            && matches!(pair[1].what, What::Subject(_))
            && between.first().is_some_and(|first| first.is("of"))
            && between
                .iter()
                .all(|token| token.is_any(&["of", "the", "a", "all"]))
    })
}

/// `Amazon's AWS revenue`: for a part of the company.
pub(super) fn is_of_part(items: &[Item], tokens: &[Token<'_>]) -> bool {
    items.windows(2).any(|pair| {
        let (
            What::Subject(Subject::Named {
                ticker: one,
                text: whole,
            }),
            What::Subject(Subject::Named {
                ticker: two,
                text: part,
            }),
        ) = (&pair[0].what, &pair[1].what)
        else {
            return false;
        };
        one.is_some()
            && one == two
            && whole != part
            && pair[0].next == pair[1].first
            && tokens[pair[0].next - 1].possessive
    })
}

/// `the only one of the three to fall`: the number counts things.
fn is_one_of_several(tokens: &[Token<'_>]) -> bool {
    tokens.windows(3).any(|three| {
        let counts =
            |token: &Token<'_>| token.whole().is_some() || numbers::numeral(&token.lower).is_some();
        let is_count = counts(&three[2]);
        (three[0].is("one") && three[1].is("of") || three[0].is("of") && three[1].is("the"))
            && is_count
            && tokens.iter().any(|token| token.is("one"))
    })
}

/// `57 record closes`, `hit a record high 57 times`: not a level.
fn counts_occasions(tokens: &[Token<'_>]) -> bool {
    const OCCASIONS: [&str; 8] = [
        "closes",
        "highs",
        "lows",
        "records",
        "peaks",
        "times",
        "occasions",
        "milestones",
    ];
    let of_records = tokens.windows(3).any(|three| {
        let counts = three[0].number.is_some() || numbers::numeral(&three[0].lower).is_some();
        let is_kind =
            three[1].is_any(&["record", "new", "fresh", "all-time", "closing", "separate"]);
        counts && is_kind && three[2].is_any(&OCCASIONS)
    });
    let names_record = tokens
        .iter()
        .any(|token| token.is_any(&["record", "records", "high", "highs"]));
    let times = tokens.windows(2).enumerate().any(|(at, pair)| {
        let counts = pair[0].whole().is_some() || numbers::numeral(&pair[0].lower).is_some();
        let ends = tokens.get(at + 2).is_none_or(|next| {
            next.join != Join::Space || next.is_any(&["in", "during", "over", "this", "last"])
        });
        counts && pair[1].is("times") && ends
    });
    let of_occasions = tokens.windows(2).any(|pair| {
        let counts = pair[0].whole().is_some() || numbers::numeral(&pair[0].lower).is_some();
        counts && pair[1].is_any(&["records", "highs", "closes"]) && pair[1].join == Join::Space
    });
    of_records || of_occasions || names_record && times
}

/// `ten times where it had started the month`.
fn is_multiple_of_where(tokens: &[Token<'_>]) -> bool {
    tokens
        .windows(2)
        .any(|pair| pair[0].is("times") && pair[1].is_any(&["where", "what"]))
}

/// `adjusted earnings per share`: not the same as figures under accounting rules.
fn names_adjusted_earnings(tokens: &[Token<'_>]) -> bool {
    tokens.iter().enumerate().any(|(at, token)| {
        token.is("adjusted")
            && token.join != Join::Hyphen
            && tokens[at + 1..].iter().take(3).any(|next| {
                next.is_any(&["earnings", "eps", "profit", "income", "ebitda", "margin"])
            })
    })
}

/// Why a sentence is not a plain statement about a figure.
pub(super) fn no_plain_claim(items: &[Item], tokens: &[Token<'_>]) -> Option<&'static str> {
    if reports_denial_or_belief(tokens) {
        return Some("it reports what somebody denies or believes");
    }
    if is_of_part(items, tokens) {
        return Some("it is about a part of the company");
    }
    if is_one_of_several(tokens) {
        return Some("it says how many of several it is one of");
    }
    if counts_occasions(tokens) {
        return Some("it counts how often something was so");
    }
    if is_multiple_of_where(tokens) {
        return Some("what it is a multiple of is not named");
    }
    if names_adjusted_earnings(tokens) {
        return Some("earnings as the company adjusts them are not held");
    }
    // `Ford bonds`, `bitcoin futures`: another security.
    let is_other_security = items.iter().any(|item| {
        matches!(
            item.what,
            What::Subject(Subject::Named { .. } | Subject::Currency { .. })
        ) && tokens.get(item.next).is_some_and(|next| {
            next.join == Join::Space
                && next.is_any(&[
                    "bond", "bonds", "note", "notes", "futures", "options", "option", "warrants",
                    "yields", "loans",
                ])
        })
    });
    if is_other_security {
        return Some("it is about another security");
    }
    if is_part(items, tokens) {
        return Some("what the percentage is a part of is not understood");
    }
    let makes_up = tokens
        .windows(2)
        .any(|pair| pair[0].is_any(&["make", "makes", "made", "making"]) && pair[1].is("up"));
    if makes_up {
        return Some("what makes up what is not checked");
    }
    // `lost 5 % share in 2023`.
    let of_market = items.iter().any(|item| {
        matches!(item.what, What::Amount(amount) if items::is_relative(amount.unit))
            && tokens.get(item.next).is_some_and(|next| next.is("share"))
            && !tokens
                .get(item.next + 1)
                .is_some_and(|next| next.is("price"))
    });
    of_market.then_some("a share of a market is not held")
}
