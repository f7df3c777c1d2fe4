//! Whether a sentence says that something happened, will happen, might happen or did not.

use crate::events::roles::Clause;
use crate::events::table::class;

/// What the words around a trigger say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stance {
    /// It happened.
    Happened,
    /// It is decided and still to come.
    Announced,
    /// It is talked about.
    Rumoured,
    /// It did not happen, is called off, or is asked.
    Denied,
}

/// Words beyond the verb group in which a denial or a rumour is looked for.
const REACH: usize = 3;

/// The stance towards the trigger `start..end`, whose verb group begins at `group`.
pub(crate) fn of(clause: &Clause<'_, '_, '_>, group: usize, start: usize, end: usize) -> Stance {
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
    if matches!(
        after,
        "talks" | "imminent" | "rumours" | "rumors" | "bid" | "speculation" | "hopes"
    ) {
        return Stance::Rumoured;
    }
    let rumoured = near
        .clone()
        .any(|at| clause.is(at, class::RUMOUR) && same_clause(at));
    let conditional = (0..start).any(|at| {
        matches!(
            clause.tokens[at].text,
            "if" | "If" | "whether" | "Whether" | "would" | "could"
        )
    });
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
