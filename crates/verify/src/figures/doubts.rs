//! What makes a reading doubtful, and features of the whole sentence.

use super::claim::{Measure, Subject};
use super::items::{self, Item, Items, What};
use super::numbers;
use super::period::{Period, Role, SpanUnit, is_seq};
use super::plain;
use super::token::{Join, Token, cut};

/// Whether a sentence gives a cause: `fell because supplies ran short`. `After` and `amid` give a time.
pub fn names_cause(text: &str) -> bool {
    const CAUSES: [&[&str]; 5] = [
        &["because"],
        &["owing", "to"],
        &["as", "a", "result", "of"],
        &["on", "the", "back", "of"],
        &["in", "response", "to"],
    ];
    let tokens = cut(text);
    // `thanks largely to demand`.
    let thanks = |at: usize| {
        tokens[at].is("thanks")
            && (at + 1..at + 4).any(|to| tokens.get(to).is_some_and(|to| to.is("to")))
    };
    // `due to supply`, but not `due to report`.
    let due = |at: usize| {
        is_seq(&tokens, at, &["due", "to"])
            && !tokens.get(at + 2).is_some_and(|verb| {
                verb.is_any(&[
                    "report", "pay", "publish", "release", "expire", "meet", "close", "be",
                ])
            })
    };
    // `driven mainly by`.
    let driven = |at: usize| {
        tokens[at].is_any(&[
            "driven",
            "caused",
            "fuelled",
            "fueled",
            "sparked",
            "triggered",
        ]) && (at + 1..at + 4).any(|by| tokens.get(by).is_some_and(|by| by.is("by")))
    };
    (0..tokens.len()).any(|at| {
        thanks(at) || driven(at) || due(at) || CAUSES.iter().any(|cause| is_seq(&tokens, at, cause))
    })
}

/// Whether a sentence is about prices of futures.
pub fn names_futures(text: &str) -> bool {
    cut(text)
        .iter()
        .any(|token| token.is_any(&["futures", "future", "front-month"]))
}

/// Whether a clause has a number other than those in a ratio: `after its 20-for-1 split` has none.
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

/// The period that a claim points to instead of naming: `the lowest of that year`.
pub(super) fn pointed_at<'t>(tokens: &'t [Token<'_>]) -> Option<&'t str> {
    tokens.windows(2).find_map(|pair| {
        let is_period = pair[1].is_any(&["year", "month", "quarter", "week", "decade"]);
        (pair[0].is("that") && is_period).then_some(pair[1].lower.as_str())
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

/// What a claim is measured from or says in addition to its figure, if that is not read: `than a week earlier`,
/// `in the week to 25 November`, `since its highest close in August`, `its highest level ever`.
pub(super) fn compared_in_passing(items: &[Item], tokens: &[Token<'_>]) -> Option<&'static str> {
    // `quarterly revenue of $224 billion` without a quarter does not mean last year's.
    let is_reported = |item: &Item| match item.what {
        What::Word(code) => items::measure(code).is_some_and(Measure::is_reported),
        _ => false,
    };
    let is_dated = items
        .iter()
        .any(|item| matches!(item.what, What::Period(..)));
    let of_quarter = tokens
        .iter()
        .any(|token| token.is_any(&["quarter", "quarterly"]));
    if of_quarter && !is_dated && items.iter().any(is_reported) {
        return Some("the quarter is not named");
    }
    let is = |at: usize, words: &[&str]| tokens.get(at).is_some_and(|token| token.is_any(words));
    let is_of_series = items
        .iter()
        .any(|item| matches!(&item.what, What::Subject(Subject::Series(_))));
    for at in 0..tokens.len() {
        // For series the usual comparisons are read: with the month before, the year before.
        let is_usual = is_of_series
            && (at.saturating_sub(3)..=at).any(|from| {
                super::phrases::BASIS
                    .at(tokens, from)
                    .is_some_and(|(_, length)| from + length > at)
            });
        if is(
            at,
            &["week", "weeks", "month", "months", "session", "sessions"],
        ) && is(at + 1, &["earlier", "before"])
            && (at.saturating_sub(3)..at).any(|before| is(before, &["than"]))
            && !is_usual
        {
            return Some("it compares with a time before another, which is not read");
        }
        // Claims for unemployment benefits are counted by the week ending on a Saturday.
        let is_weekly = is(at, &["week"])
            && items
                .iter()
                .any(|item| matches!(item.what, What::Subject(Subject::Series("jobless_claims"))));
        if is(at, &["week", "month", "quarter"])
            && !is_weekly
            && is(at + 1, &["to"])
            && items
                .iter()
                .any(|item| item.next > at + 1 && matches!(item.what, What::Period(..)))
        {
            return Some("the stretch of time that ends on a day is not read");
        }
        let is_highest = is(at, &["highest", "lowest"]);
        if is_highest && at >= 2 && is(at - 1, &["its", "their"]) && is(at - 2, &["since", "from"])
        {
            return Some("it is measured from an extreme whose day is not named");
        }
        if is_highest && (at + 1..at + 4).any(|next| is(next, &["ever"])) {
            let has_figure = items
                .iter()
                .any(|item| item.next <= at && matches!(item.what, What::Amount(_)));
            if has_figure {
                return Some("it gives a figure and calls it the highest or lowest ever");
            }
        }
    }
    None
}

/// Whether taking a sentence apart would lose what its figure is measured from, or that it is a multiple of another.
pub(super) fn is_measured_otherwise(text: &str, today: model::Day) -> bool {
    let tokens = super::token::cut(text);
    let marks = super::items::mark(text, &tokens, today);
    is_multiple(&tokens)
        || plain::is_of_part(&marks.items, &tokens)
        || compared_in_passing(&marks.items, &tokens).is_some()
}

/// `three times as much as`, `twice as large as`.
pub(super) fn is_multiple(tokens: &[Token<'_>]) -> bool {
    tokens
        .windows(2)
        .any(|pair| pair[0].is_any(&["times", "twice", "thrice"]) && pair[1].is("as"))
}

/// Whether the clause after a claim reports a separate move: `while gold fell`.
pub(super) fn is_another_move(text: &str, clause: &[Token<'_>], today: model::Day) -> bool {
    let begins = clause
        .first()
        .is_some_and(|first| first.is_any(&["while", "whereas"]));
    if !begins {
        return false;
    }
    let marks = super::items::mark(text, clause, today);
    // The move directly after its subject: traders may be waiting for rates to fall.
    marks.items.windows(2).any(|pair| {
        matches!(pair[0].what, What::Subject(_))
            && matches!(
                pair[1].what,
                What::Relation(
                    "up" | "down" | "double" | "triple" | "quadruple" | "halve" | "beat" | "lag"
                )
            )
            && pair[1].first == pair[0].next
    })
}

/// Whether the time comes after the first figure: `from 14.8 % in April`.
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

/// Whether a sentence reports two moves at two times: `rose in 2021 but fell in 2022`.
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

/// Whether one figure follows another in time:
/// `broke $2,000 in August, then retreated to finish the year below $1,900`.
pub(super) fn follows_another(items: &[Item], tokens: &[Token<'_>]) -> bool {
    let is_amount = |item: &&Item| matches!(item.what, What::Amount(_));
    (1..tokens.len()).any(|at| {
        tokens[at].is("then")
            && items.iter().filter(is_amount).any(|item| item.next <= at)
            && items.iter().filter(is_amount).any(|item| item.first > at)
    })
}

/// Whether a sentence puts what it reports into an order of times that are not named:
/// `rose 3 % after a fall of 5 % the day before`.
pub(super) fn has_unnamed_order(tokens: &[Token<'_>]) -> bool {
    // `down 5 % for the year`, `so far`.
    let to_now = tokens.windows(2).any(|pair| {
        pair[0].is_any(&["the", "this"]) && pair[1].is_any(&["year", "month", "week", "quarter"])
            || pair[0].is("so") && pair[1].is("far")
    });
    to_now
        || tokens.iter().any(|token| {
            token.is_any(&[
                "before",
                "after",
                "then",
                "had",
                "following",
                "next",
                "previous",
                "previously",
                "prior",
                "later",
                "earlier",
                "twice",
                "thrice",
                "once",
            ])
        })
}

/// Whether a word that is not understood may be too important to skip: a thing belonging to the subject that the figure
/// is about, something that did not happen, or a comparison.
pub(super) fn skips_meaning(marks: &Items, tokens: &[Token<'_>]) -> bool {
    const TURNS: [&str; 61] = [
        "trimmed",
        "pared",
        "reversed",
        "halted",
        "limited",
        "cancelled",
        "canceled",
        "undid",
        "dodged",
        "survived",
        "implied",
        "leveraged",
        "unrealised",
        "unrealized",
        "narrowed",
        "offset",
        "blunted",
        "predicted",
        "forfeited",
        "erased",
        "deliveries",
        "interest",
        "premium",
        "exports",
        "volatility",
        "refused",
        "stopped",
        "missed",
        "missing",
        "averted",
        "escaped",
        "recouped",
        "avoided",
        "ready",
        "unable",
        "attempted",
        "tried",
        "wanted",
        "hoped",
        "supposed",
        "twice",
        "thrice",
        "trailing",
        "outpacing",
        "other",
        "others",
        "peers",
        "rival",
        "rivals",
        "consensus",
        "estimates",
        "estimate",
        "streak",
        "snapping",
        "undervalued",
        "overvalued",
        "target",
        "targets",
        "fair",
        "strike",
        "each",
    ];
    let is_passed = |at: usize| {
        let token = &tokens[at];
        let is_held = marks.items.iter().any(|item| item.holds(at));
        !is_held && marks.unexplained.iter().any(|word| word == token.text)
    };
    // `Apple's iPhone cost`, `bitcoin miners`: not the subject's own figure. A verb may follow a name.
    let of_subject = marks.items.iter().any(|item| {
        let next = item.next;
        matches!(item.what, What::Subject(_))
            && next < tokens.len()
            && is_passed(next)
            && matches!(tokens[next].join, Join::Space | Join::Hyphen)
            && !tokens[next].is_any(&[
                "went", "saw", "got", "took", "held", "ran", "came", "sat", "lay", "left", "set",
                "put", "kept", "led", "won", "met", "drew", "swung",
            ])
            && !["ed", "ly"]
                .iter()
                .any(|ending| tokens[next].lower.ends_with(ending))
    });
    of_subject || tokens.iter().any(|token| token.is_any(&TURNS))
}

/// Whether a word is a superlative: `largest`, but not `rest` or `invest`.
pub(super) fn is_superlative(word: &str) -> bool {
    word.ends_with("est")
        && word.len() > 5
        && ![
            "invest", "interest", "request", "protest", "harvest", "forest",
        ]
        .contains(&word)
}

/// Whether figures stand between a year and a part of it: `up 49 % in 2023, fell 3 % in January`.
pub(super) fn merges_times(items: &[Item]) -> bool {
    let is_amount = |item: &Item| matches!(item.what, What::Amount(_));
    let year = items.iter().position(|item| {
        matches!(item.what, What::Period(Period::In(span), Role::Main) if span.unit == SpanUnit::Year)
    });
    let Some(year) = year else { return false };
    let part = items[year + 1..].iter().position(|item| {
        matches!(item.what, What::Period(Period::In(span), _) if !matches!(span.unit, SpanUnit::Year | SpanUnit::FiscalYear(_)))
    });
    part.is_some() && items[..year].iter().any(is_amount) && items[year + 1..].iter().any(is_amount)
}

/// Whether the price at the end of a time is given next to the one at its beginning:
/// `ended 2024 at 526, below where it had started it`.
pub(super) fn begins_and_ends(items: &[Item]) -> bool {
    let has = |code: &str| {
        items
            .iter()
            .any(|item| matches!(item.what, What::Relation(known) if known == code))
    };
    let is_price =
        |item: &Item| matches!(item.what, What::Amount(amount) if !items::is_relative(amount.unit));
    has("begin") && has("close") && items.iter().filter(|item| is_price(item)).count() == 1
}

/// Whether a move has a size and is followed by a second measure with its own figure:
/// `rose 10 %, with volume above 40 million`.
pub(super) fn measures_two(items: &[Item]) -> bool {
    let measured = |item: &Item| matches!(item.what, What::Word(code) if !matches!(items::measure(code), None | Some(Measure::Price(_))));
    let is_amount = |item: &Item| matches!(item.what, What::Amount(_));
    let Some(first) = items.iter().position(is_amount) else {
        return false;
    };
    let is_move = matches!(items[first].what, What::Amount(amount) if items::is_relative(amount.unit))
        && items[..first]
            .iter()
            .any(|item| matches!(item.what, What::Relation("up" | "down")))
        && !items[..first].iter().any(measured);
    // `surged 24 % on the heaviest volume of the year`.
    let of_volume = items[first + 1..].windows(2).any(|pair| {
        matches!(pair[0].what, What::Relation("highest" | "lowest"))
            && pair[1].what == What::Word("volume")
    });
    if is_move && of_volume {
        return true;
    }
    let second = items[first + 1..].iter().position(is_amount);
    is_move
        && second.is_some_and(|second| {
            let between = &items[first + 1..first + 1 + second];
            between.iter().any(measured)
        })
}

/// Whether a run of sessions is counted in a measurable way: a number in a row, with no further words about where or
/// how many.
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

/// Whether the first time is the first since another time, which is not compared.
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
