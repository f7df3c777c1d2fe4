//! The combined findings of the voices: their events, each listed once, and their figures, each listed once.
//!
//! A brief covers one story. Two reports of the same kind from the same days therefore describe one event if they share
//! the actor or the party concerned, and do not also name different things. In the news at large they could be two.

use model::{DataPoint, Event, EventKind, Score, Timestamp};

use super::Member;
use super::renamed::Renamed;
use super::voices::Voices;
use crate::{events, token};

/// How many events and figures a brief carries.
const EVENTS: usize = 12;
const DATA_POINTS: usize = 24;
/// The factor that each further voice applies to the remaining doubt. A rumour stays a rumour however many voices
/// repeat it.
const FURTHER: f64 = 0.5;
const RUMOUR: f64 = 0.49;
/// Reports whose days are farther apart are about different events.
const SAME_DAYS_MS: i64 = 7 * Timestamp::DAY_MS;

/// An event and the voices that report it.
struct Told {
    event: Event,
    voices: Vec<usize>,
}

/// The events of the voices, surest first. If several voices report an event, whichever names they use for its parties,
/// it is one event with higher confidence.
pub(super) fn events(members: &[Member<'_>], voices: &Voices, names: &Renamed) -> Vec<Event> {
    let mut told: Vec<Told> = Vec::new();
    for &leader in &voices.leaders {
        for event in &members[leader].annotations.events {
            let mut report = Told {
                event: event.clone(),
                voices: vec![leader],
            };
            names.apply(&mut report.event);
            match told
                .iter_mut()
                .find(|known| is_one(&known.event, &report.event))
            {
                Some(known) => known.join(report),
                None => told.push(report),
            }
        }
    }
    // What was added to one event may show that it is also the same as another.
    let mut at = 0;
    while at < told.len() {
        let twin = (0..at).find(|earlier| is_one(&told[*earlier].event, &told[at].event));
        if let Some(earlier) = twin {
            let report = told.remove(at);
            told[earlier].join(report);
            at = earlier;
        } else {
            at += 1;
        }
    }
    let mut events: Vec<Event> = told
        .into_iter()
        .map(|Told { mut event, voices }| {
            let single = event.confidence.get();
            let doubt = (1.0 - single) * FURTHER.powi(voices.len().min(8) as i32 - 1);
            let together = 1.0 - doubt;
            event.confidence = Score::clamped(if single < 0.5 {
                together.min(RUMOUR)
            } else {
                together
            });
            event
        })
        .collect();
    events.sort_by(|left, right| right.confidence.get().total_cmp(&left.confidence.get()));
    events.truncate(EVENTS);
    for event in &mut events {
        event.confidence = Score::rounded(event.confidence.get());
    }
    events
}

impl Told {
    /// Adds the details of another report of the same event.
    fn join(&mut self, other: Self) {
        let known = &mut self.event;
        let event = other.event;
        if let Some(object) = &event.object {
            let is_fuller = known.object.is_none();
            // A report that names only the party concerned has that party as its subject.
            if is_fuller && !events::is_name_shared(&known.subject, &event.subject) {
                known.subject.clone_from(&event.subject);
            }
            let is_unnamed = |known: &String| names(known).is_empty() && !names(object).is_empty();
            if is_fuller || known.object.as_ref().is_some_and(is_unnamed) {
                known.object.clone_from(&event.object);
            }
        }
        if known.value.is_none() {
            known.value = event.value;
        }
        if event.confidence.get() > known.confidence.get() {
            known.confidence = event.confidence;
            known.sentence = event.sentence;
            known.date = event.date;
        }
        for voice in other.voices {
            if !self.voices.contains(&voice) {
                self.voices.push(voice);
            }
        }
    }
}

/// Whether two reports of one story are about the same event.
fn is_one(left: &Event, right: &Event) -> bool {
    let apart = left.date.since_ms(right.date).saturating_abs();
    let is_near = left.kind == right.kind && apart <= SAME_DAYS_MS;
    let concerns = |one: &Event, other: &Event| {
        matches!(one.kind, EventKind::Lawsuit | EventKind::Regulation)
            && one.object.is_none()
            && other
                .object
                .as_ref()
                .is_some_and(|object| events::is_name_shared(&one.subject, object))
    };
    let is_alike = || match (&left.object, &right.object) {
        // Several authorities act on one matter, and one authority acts on several.
        (Some(here), Some(there)) if left.kind == EventKind::Regulation => {
            events::is_name_shared(here, there) && are_related(&left.subject, &right.subject)
        }
        (Some(here), Some(there)) => {
            events::is_name_shared(here, there)
                || events::is_name_shared(&left.subject, &right.subject) && !is_another(here, there)
        }
        _ => concerns(left, right) || concerns(right, left),
    };
    events::is_same(left, right) || is_near && is_alike()
}

/// Whether two authorities may be the same, or one may belong to the other: `Japan` and the `Japanese cabinet`.
fn are_related(left: &str, right: &str) -> bool {
    /// Shorter words begin others by chance.
    const SHORTEST: usize = 4;
    let words = |text: &str| -> Vec<String> { token::words(text).map(str::to_lowercase).collect() };
    let (here, there) = (words(left), words(right));
    let begins = |one: &String, other: &String| {
        one.chars().count() >= SHORTEST && other.starts_with(one.as_str())
    };
    let is_begun = |one: &String| {
        there
            .iter()
            .any(|other| begins(one, other) || begins(other, one))
    };
    events::is_name_shared(left, right) || here.iter().any(is_begun)
}

/// Whether each of two objects contains a name that the other one lacks: `PEPE ETF` is the `spot fund` of the next
/// sentence, but is different from the `Dogecoin ETF`.
fn is_another(here: &str, there: &str) -> bool {
    let (here, there) = (names(here), names(there));
    let lacks = |one: &[String], other: &[String]| one.iter().any(|word| !other.contains(word));
    lacks(&here, &there) && lacks(&there, &here)
}

/// The words of an object that are names: those with capitals, and numbers next to them.
fn names(object: &str) -> Vec<String> {
    if !object.contains(char::is_uppercase) {
        return Vec::new();
    }
    object
        .split(|sign: char| !sign.is_alphanumeric() && sign != '.')
        .filter(|word| word.contains(|sign: char| sign.is_uppercase() || sign.is_ascii_digit()))
        .map(str::to_lowercase)
        .collect()
}

/// The figures of the voices: first those that several give, then the rest in the order of the voices and their texts.
pub(super) fn data_points(members: &[Member<'_>], voices: &Voices) -> Vec<DataPoint> {
    let mut merged: Vec<(&DataPoint, usize)> = Vec::new();
    for &leader in &voices.leaders {
        for point in &members[leader].annotations.data_points {
            let known = merged.iter_mut().find(|(known, _)| {
                known.kind == point.kind && known.unit == point.unit && known.value == point.value
            });
            match known {
                Some((known, count)) => {
                    *count += 1;
                    // The voice that says what the figure measures is more informative.
                    if known.measure.is_none() && point.measure.is_some() {
                        *known = point;
                    }
                }
                None => merged.push((point, 1)),
            }
        }
    }
    merged.sort_by_key(|(point, count)| std::cmp::Reverse((*count, point.measure.is_some())));
    merged
        .into_iter()
        .take(DATA_POINTS)
        .map(|(point, _)| point.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(kind: EventKind, subject: &str, object: Option<&str>, day: i64) -> Event {
        Event {
            kind,
            subject: subject.to_owned(),
            object: object.map(str::to_owned),
            value: None,
            date: Timestamp::from_ms(day * Timestamp::DAY_MS),
            confidence: Score::clamped(0.8),
            sentence: String::new(),
        }
    }

    #[test]
    fn reports_of_one_story_are_one_event_unless_they_name_others() {
        use EventKind::{Launch, Lawsuit, Regulation};
        let check = |kind, left: (&str, Option<&str>), right: (&str, Option<&str>), expected| {
            let (left, right) = (
                event(kind, left.0, left.1, 1),
                event(kind, right.0, right.1, 2),
            );
            assert_eq!(is_one(&left, &right), expected, "{left:?} {right:?}");
            assert_eq!(is_one(&right, &left), expected, "{right:?} {left:?}");
        };
        let northwind = |object| ("Northwind", Some(object));
        check(Launch, northwind("PEPE ETF"), northwind("spot fund"), true);
        check(
            Launch,
            northwind("Velo 3.1 Lite"),
            northwind("Velo 3.1 model"),
            true,
        );
        check(Launch, northwind("Velo 17"), northwind("Velo Air"), false);
        check(
            Launch,
            northwind("Velo Lite"),
            ("Acme", Some("fund")),
            false,
        );
        check(
            Regulation,
            ("Japan", Some("crypto")),
            ("Japanese cabinet", Some("crypto")),
            true,
        );
        check(
            Regulation,
            ("SEC", Some("crypto")),
            ("Parliament", Some("crypto")),
            false,
        );
        check(
            Regulation,
            ("SEC", Some("Acme")),
            ("SEC", Some("Northwind")),
            false,
        );
        check(
            Lawsuit,
            ("Northwind", None),
            ("Jane Roe", Some("Northwind")),
            true,
        );
        check(
            Lawsuit,
            ("Northwind", None),
            ("Jane Roe", Some("Acme")),
            false,
        );
        let (early, late) = (
            event(Regulation, "Velden", Some("30-day waiver"), 1),
            event(Regulation, "Velden", Some("crude oil"), 30),
        );
        assert!(!is_one(&early, &late));
    }

    #[test]
    fn what_is_joined_names_most() {
        let mut told = Told {
            event: event(EventKind::Lawsuit, "Northwind", None, 1),
            voices: vec![0],
        };
        told.join(Told {
            event: event(EventKind::Lawsuit, "Jane Roe", Some("Northwind"), 1),
            voices: vec![0, 1],
        });
        assert_eq!(told.event.subject, "Jane Roe");
        assert_eq!(told.event.object.as_deref(), Some("Northwind"));
        assert_eq!(told.voices, [0, 1]);
    }
}
