//! Events of eight kinds: who did what to whom, for how much, when, and how certain the text is about it.
//!
//! In a headline, models read what happened and who took part ([`fitted`]). For anything else it may report, and in the
//! first sentences of the body, a table of triggers is looked up. The phrases to the left and right of a trigger give
//! the subject and object, in the active, passive or nominal form. The type of these phrases, and how probable the
//! models consider such an event, decide whether the trigger is meant in its business sense. In headlines about rules
//! and suits a model may name other parties. If a sentence of the body has no trigger, the models read it. Denied and
//! questioned events, background from earlier years, and explainers yield no events. In the body, only events of
//! entities that are recognised in the text by name are used.
//!
//! **Confidence** is a product of documented factors, not a probability:
//!
//! | part | value |
//! |---|---|
//! | kind | the probability by the models where they read it; by a trigger 0.75 to 0.95, as the table says |
//! | place | headline 1, body 0.9 |
//! | subject | known by name 1, else its words 0.92 |
//! | form | happened 1, announced (`to`, `will`, `agrees to`) 0.9 |
//! | rumour | `may`, `in talks`, `considers`, `plans`, `sources`: at most 0.45 |
//!
//! If the sentence names a day, relative to publication, that is the date. Otherwise it is the day of publication.

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

/// The number of sentences of the body that are read, and of events that are kept.
const SENTENCES: usize = 14;
/// Maximum number of words in a sentence that the models read. Longer ones are lists.
const LONGEST: usize = 80;
const MOST: usize = 6;
/// Nothing less certain is kept.
const LEAST: f64 = 0.2;
const RUMOUR: f64 = 0.45;

/// The events of a text, surest first. `published` is the time relative to which its dates are read. In a text about
/// sport, clubs and players do things in the language of business that are not business events.
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
        // In the body, somebody known must act.
        let is_open = headline || !clause.places.is_empty();
        let by_models = || {
            let is_read = is_open && tokens.len() <= LONGEST;
            let event = is_read.then(|| fitted::event(&reading, mentions, published));
            event.flatten().filter(is_one)
        };
        // In a headline, the models know better who takes part.
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
                // A longer phrase may hide a shorter one that is the one meant.
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

/// Longer phrases are clauses, not names of parties.
const LONGEST_SUBJECT: usize = 8;

/// Whether a subject can be a party: not a clause that contains an adverb or a possessive, and not a lone participle.
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

/// What clubs and players do in the language of business.
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

/// Adds an event, or merges its details into the same event if that is already known.
fn keep(events: &mut Vec<Event>, event: Event) {
    let Some(known) = events.iter_mut().find(|known| is_same(known, &event)) else {
        events.push(event);
        return;
    };
    if known.object.is_none() {
        // The thing launched stood in for the party that launches it.
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

/// Whether one report of a launch names only the thing launched, while the other also names the party that launches it.
fn is_unnamed_launch(one: &Event, other: &Event) -> bool {
    let is_launched = |object: &String| is_name_shared(&one.subject, object);
    let is_launch = one.kind == EventKind::Launch && other.kind == EventKind::Launch;
    is_launch && one.object.is_none() && other.object.as_ref().is_some_and(is_launched)
}

/// Whether two reports are about the same event: the same kind, and a name that both give.
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

/// Whether one name contains all words of the other, ignoring legal forms and articles.
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

/// The confidence of an event, computed from its factors.
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
