//! Whether a sentence says that something happened, will happen, might happen or did not.

use model::EventKind;

use super::clause::{Clause, Span};
use super::table::class;

/// What the words around a trigger indicate about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stance {
    /// It happened.
    Happened,
    /// It has been decided and is still to come.
    Announced,
    /// It is being discussed.
    Rumoured,
    /// It did not happen, has been called off, or is in question.
    Denied,
}

/// The number of words beyond the verb group, or before the parties, in which a denial or a rumour is looked for.
const REACH: usize = 3;

/// Words that follow something still being discussed.
const TALK: [&str; 7] = [
    "talks",
    "imminent",
    "rumours",
    "rumors",
    "bid",
    "speculation",
    "hopes",
];
/// Words for something that may not happen.
const CONDITIONAL: [&str; 6] = ["if", "If", "whether", "Whether", "would", "could"];

/// The stance towards the trigger `start..end`, whose verb group begins at `group`.
pub(super) fn of(clause: &Clause<'_, '_, '_>, group: usize, start: usize, end: usize) -> Stance {
    let text = clause.text.trim_end();
    if text.ends_with('?') || clause.headline && clause.is(0, class::EXPLAINER) {
        return Stance::Denied;
    }
    let near = group.saturating_sub(REACH)..start;
    let same_clause = |at: usize| {
        !(at + 1..=start.min(clause.tokens.len() - 1)).any(|between| {
            clause.tokens[between]
                .after(crate::annotate::lexed::gap::OTHER | crate::annotate::lexed::gap::COLON)
        })
    };
    let negated = |at: usize| {
        let word = clause.tokens[at].text;
        clause.denies(at) || word.ends_with("n't") || word.ends_with("n’t")
    };
    if (group..start).any(negated) || near.clone().any(|at| negated(at) && same_clause(at)) {
        return Stance::Denied;
    }
    let after = clause.tokens.get(end).map_or("", |token| token.text);
    if TALK.contains(&after) {
        return Stance::Rumoured;
    }
    let rumoured = near
        .clone()
        .any(|at| is_rumour(clause, at) && same_clause(at));
    let conditional = (0..start).any(|at| CONDITIONAL.contains(&clause.tokens[at].text));
    if rumoured || conditional || is_hearsay(text) {
        return Stance::Rumoured;
    }
    let coming = (group..start).any(|at| {
        matches!(
            clause.tokens[at].text,
            "to" | "To" | "will" | "Will" | "agrees" | "agreed"
        )
    }) || matches!(clause.tokens[start].text, "to" | "To");
    if coming {
        Stance::Announced
    } else {
        Stance::Happened
    }
}

/// The stance towards an event of a kind, judged by the words between and next to the parties.
pub(super) fn between(
    clause: &Clause<'_, '_, '_>,
    kind: EventKind,
    subject: Span,
    object: Option<Span>,
) -> Stance {
    let text = clause.text.trim_end();
    if text.ends_with('?') || clause.headline && clause.is(0, class::EXPLAINER) {
        return Stance::Denied;
    }
    let count = clause.tokens.len();
    // Without an object, only the subject's clause is informative.
    let object = object.unwrap_or_else(|| {
        let ends = |at: &usize| clause.breaks(*at) || clause.is(*at, class::BOUNDARY);
        let start = (subject.end..count).find(ends).unwrap_or(count);
        Span { start, end: start }
    });
    let (first, last) = if subject.start < object.start {
        (subject, object)
    } else {
        (object, subject)
    };
    let word = |at: usize| clause.tokens[at].text;
    let before: Vec<usize> = (first.start.saturating_sub(REACH)..last.start)
        .filter(|at| !(first.start..first.end).contains(at) && !clause.is_named(*at))
        .collect();
    let is_not = |at: usize| {
        let word = word(at);
        word.eq_ignore_ascii_case("not")
            || word.eq_ignore_ascii_case("never")
            || word.ends_with("n't")
            || word.ends_with("n’t")
    };
    // For courts and authorities, a denial is an event in its own right.
    let is_ruling = matches!(kind, EventKind::Lawsuit | EventKind::Regulation);
    let is_denied = |at: usize| is_not(at) || !is_ruling && clause.denies(at);
    if before.iter().copied().any(is_denied) {
        return Stance::Denied;
    }
    // `takeover of X abandoned`: the verb after what a noun names retracts it.
    let behind = (last.end..count)
        .take_while(|at| !clause.breaks(*at))
        .find(|at| !clause.is(*at, class::AUXILIARY | class::ADVERB));
    if !is_ruling && behind.is_some_and(|at| clause.denies(at)) {
        return Stance::Denied;
    }
    let is_talked_of = behind.is_some_and(|at| TALK.contains(&word(at)));
    let is_rumoured = before.iter().any(|at| is_rumour(clause, *at));
    let is_conditional = (0..last.start).any(|at| CONDITIONAL.contains(&word(at)));
    if is_talked_of || is_rumoured || is_conditional || is_hearsay(text) {
        return Stance::Rumoured;
    }
    let is_coming = before.iter().any(|at| {
        ["to", "will", "agrees", "agreed"]
            .iter()
            .any(|coming| word(*at).eq_ignore_ascii_case(coming))
    });
    if is_coming {
        Stance::Announced
    } else {
        Stance::Happened
    }
}

/// Whether a word indicates that something may happen or is near: `close to a deal`.
fn is_rumour(clause: &Clause<'_, '_, '_>, at: usize) -> bool {
    let is = |at: usize, word: &str| {
        let token = clause.tokens.get(at);
        token.is_some_and(|token| token.text.eq_ignore_ascii_case(word))
    };
    clause.is(at, class::RUMOUR) || is(at, "close") && is(at + 1, "to")
}

/// `… - report`, `…: sources`, `…, source says`.
fn is_hearsay(text: &str) -> bool {
    let lower = text.trim_end_matches(['.', '"', '”', '’']).to_lowercase();
    let mut tail = lower.len().saturating_sub(34);
    while !lower.is_char_boundary(tail) {
        tail += 1;
    }
    let tail = &lower[tail..];
    [
        ": report",
        "- report",
        "– report",
        ": source",
        ": sources",
        ", source says",
        ", sources say",
        "- source",
        "- sources",
        ", sources",
        ", report says",
        "(report)",
        "reports say",
        "rumour",
        "rumor",
        "people familiar",
    ]
    .iter()
    .any(|mark| tail.ends_with(mark))
}
