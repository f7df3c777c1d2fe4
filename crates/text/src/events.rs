//! Events of eight kinds: who did what to whom, for how much, when, and how surely a text says so.
//!
//! In a headline models read what happened and who took part ([`fitted`]). For what else it may report, and in the first sentences of the body, a table of
//! triggers is looked up. What stands left and right of a trigger gives subject and object, active, passive or nominal; what kind of phrases these are, and how probable the models hold such an event,
//! decide whether the trigger is meant in its business sense. In headlines about rules and suits a model may name other parties. Where no trigger is in a sentence of the body,
//! the models read it. Denied and questioned events, background of earlier years and explainers give none. In the body only
//! events of entities that the text knows by name are taken.
//!
//! **Confidence** is a product of documented parts, not a probability:
//!
//! | part | value |
//! |---|---|
//! | kind | the probability by the models where they read it; by a trigger 0.75 to 0.95, as the table says |
//! | place | headline 1, body 0.9 |
//! | subject | known by name 1, else its words 0.92 |
//! | form | happened 1, announced (`to`, `will`, `agrees to`) 0.9 |
//! | rumour | `may`, `in talks`, `considers`, `plans`, `sources`: at most 0.45 |
//!
//! Where the sentence names a day it is the date, seen from the publication; else the day of publication.

use model::{Event, EventKind, Score, Timestamp};

use crate::annotate::lexed::Lexed;
use crate::annotate::mentions::Mentions;
use crate::company;

mod clause;
pub(crate) mod date;
mod fitted;
mod observe;
mod places;
mod stance;
mod table;
mod value;
mod weigh;

use clause::Clause;
pub(crate) use date::WEEKDAYS;
use fitted::Reading;
pub use fitted::observed;
use stance::Stance;

/// Sentences of the body that are read, and events that are kept.
const SENTENCES: usize = 14;
/// Words of a sentence that the models read at most; longer ones are lists.
const LONGEST: usize = 80;
const MOST: usize = 6;
/// Nothing less sure is kept.
const LEAST: f64 = 0.2;
const RUMOUR: f64 = 0.45;

/// The events of a text, surest first; `published` is the time relative to which its dates are read. In a text about sports clubs
/// and players do in the words of business what is none.
pub(crate) fn find(
    lexed: &Lexed<'_>,
    mentions: &Mentions<'_>,
    is_of_sports: bool,
    published: Timestamp,
) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    for (number, sentence) in lexed.sentences.iter().enumerate().take(SENTENCES + 1) {
        let tokens = lexed.words(sentence);
        let headline = number == 0;
        let title_case = headline && lexed.title_case;
        let clause = Clause::new(sentence.text, tokens, mentions, headline, title_case);
        let reading = Reading::of(&clause);
        let is_one =
            |event: &Event| !(is_of_sports && is_play(event.kind)) && is_somebody(&event.subject);
        // In the body somebody who is known must act.
        let is_open = headline || !clause.places.is_empty();
        let by_models = || {
            let is_read = is_open && tokens.len() <= LONGEST;
            let event = is_read.then(|| fitted::event(&reading, mentions, published));
            event.flatten().filter(is_one)
        };
        // Of a headline models know better who takes part.
        let read = if headline { by_models() } else { None };
        let kind_read = read.as_ref().map(|event| event.kind);
        if let Some(event) = read {
            keep(&mut events, event);
        }
        let mut is_reported = false;
        let mut at = 0;
        while at < tokens.len() {
            let Some((length, trigger)) = table::at(&tokens[at..]) else {
                at += 1;
                continue;
            };
            let event = weigh::event(&reading, at, length, trigger, mentions, published)
                .filter(|event| is_one(event) && Some(event.kind) != kind_read);
            match event {
                Some(event) => {
                    keep(&mut events, event);
                    is_reported = true;
                    at += length;
                }
                // A longer phrase may hide a shorter one that is meant.
                None => at += 1,
            }
        }
        if !headline
            && !is_reported
            && let Some(event) = by_models()
        {
            keep(&mut events, event);
        }
    }
    events.sort_by(|left, right| right.confidence.get().total_cmp(&left.confidence.get()));
    events.truncate(MOST);
    events
}

/// Longer phrases are clauses, not somebody.
const LONGEST_SUBJECT: usize = 8;

/// Whether a subject can be somebody: not a clause with an adverb or a possessive inside, and not a lone participle.
fn is_somebody(subject: &str) -> bool {
    let words: Vec<&str> = subject.split_whitespace().collect();
    let is_lower = |word: &str| word.chars().all(char::is_lowercase);
    let is_clause = words.iter().any(|word| {
        is_lower(word)
            && (matches!(*word, "his" | "her" | "their" | "its" | "our" | "my")
                || (word.len() > 4 && word.ends_with("ly") && *word != "family"))
    });
    let is_participle = words.len() == 1
        && words
            .iter()
            .all(|word| is_lower(word) && word.ends_with("ing"));
    // `Nordlys rules out`: a particle belongs to a verb.
    let is_verb = words.len() > 1
        && words
            .last()
            .is_some_and(|word| matches!(*word, "out" | "off" | "back" | "away" | "up" | "down"));
    !words.is_empty() && words.len() <= LONGEST_SUBJECT && !is_clause && !is_participle && !is_verb
}

/// What clubs and players do in the words of business.
fn is_play(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::Acquisition
            | EventKind::Funding
            | EventKind::Launch
            | EventKind::Partnership
            | EventKind::Regulation
    )
}

/// Adds an event, or what it says beyond the same event that is known already.
fn keep(events: &mut Vec<Event>, event: Event) {
    let Some(known) = events.iter_mut().find(|known| is_same(known, &event)) else {
        events.push(event);
        return;
    };
    if known.object.is_none() {
        // What is launched stood for who launches it.
        if is_unnamed_launch(known, &event) {
            known.subject = event.subject;
        }
        known.object = event.object;
    }
    if known.value.is_none() {
        known.value = event.value;
    }
    if event.confidence.get() > known.confidence.get() && known.confidence.get() > RUMOUR {
        known.confidence = event.confidence;
    }
}

/// Whether one report of a launch names only what is launched, and the other one also who launches it.
fn is_unnamed_launch(one: &Event, other: &Event) -> bool {
    let is_launched = |object: &String| is_name_shared(&one.subject, object);
    let is_launch = one.kind == EventKind::Launch && other.kind == EventKind::Launch;
    is_launch && one.object.is_none() && other.object.as_ref().is_some_and(is_launched)
}

/// Whether two reports are about the same event: the kind, and a name that both give.
pub(crate) fn is_same(left: &Event, right: &Event) -> bool {
    if left.kind != right.kind {
        return false;
    }
    let apart = left.date.since_ms(right.date).saturating_abs();
    let (subjects, objects) = (
        is_name_shared(&left.subject, &right.subject),
        match (&left.object, &right.object) {
            (Some(left), Some(right)) => Some(is_name_shared(left, right)),
            _ => None,
        },
    );
    let crossed = |name: &str, other: &Option<String>| {
        other
            .as_deref()
            .is_some_and(|other| is_name_shared(name, other))
    };
    let is_launched = is_unnamed_launch(left, right) || is_unnamed_launch(right, left);
    let both_ways = left.kind == EventKind::Partnership || left.kind == EventKind::Acquisition;
    subjects && objects != Some(false)
        || subjects
            && apart <= 3 * Timestamp::DAY_MS
            && left.kind != EventKind::Launch
            && left.kind != EventKind::Regulation
        || objects == Some(true)
            && apart <= 30 * Timestamp::DAY_MS
            && left.kind != EventKind::Regulation
        || both_ways
            && crossed(&left.subject, &right.object)
            && crossed(&right.subject, &left.object)
        || is_launched && apart <= 30 * Timestamp::DAY_MS
}

/// Whether one name holds all words of the other, legal forms and articles left aside.
pub(crate) fn is_name_shared(left: &str, right: &str) -> bool {
    let words = |name: &str| -> Vec<String> {
        name.split(|character: char| !character.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .filter(|word| {
                !matches!(
                    word.as_str(),
                    "the" | "a" | "an" | "of" | "and" | "new" | "s"
                ) && !company::is_legal_form(word)
            })
            .collect()
    };
    let (left, right) = (words(left), words(right));
    let (less, more) = if left.len() <= right.len() {
        (&left, &right)
    } else {
        (&right, &left)
    };
    !less.is_empty() && less.iter().all(|word| more.contains(word))
}

/// The confidence of an event from its parts.
fn confidence(strength: f64, headline: bool, known: bool, stance: Stance) -> Option<Score> {
    let place = if headline { 1.0 } else { 0.9 };
    let subject = if known { 1.0 } else { 0.92 };
    let sure = strength * place * subject;
    let sure = match stance {
        Stance::Happened => sure,
        Stance::Announced => sure * 0.9,
        Stance::Rumoured => (sure * 0.5).min(RUMOUR),
        Stance::Denied => return None,
    };
    (sure >= LEAST).then(|| Score::rounded(sure))
}

#[cfg(test)]
mod tests;
