//! What the voices find together: their events, each once, and their figures, each once.

use model::{DataPoint, Event, Score};

use super::Member;
use super::voices::Voices;
use crate::events;

/// How many events and figures a brief carries.
const EVENTS: usize = 12;
const DATA_POINTS: usize = 24;
/// What each further voice takes from the doubt that remains; a rumour stays one however many repeat it.
const FURTHER: f64 = 0.5;
const RUMOUR: f64 = 0.49;

/// The events of the voices, surest first. One that several voices report is one event of higher confidence.
pub(super) fn events(members: &[Member<'_>], voices: &Voices) -> Vec<Event> {
    let mut merged: Vec<(Event, usize)> = Vec::new();
    for &leader in &voices.leaders {
        let mut added: Vec<usize> = Vec::new();
        for event in &members[leader].annotations.events {
            let known = merged
                .iter()
                .position(|(known, _)| events::is_same(known, event));
            if let Some(at) = known {
                let (known, count) = &mut merged[at];
                if !added.contains(&at) {
                    *count += 1;
                    added.push(at);
                }
                if event.confidence.get() > known.confidence.get() {
                    known.confidence = event.confidence;
                    known.sentence.clone_from(&event.sentence);
                    known.date = event.date;
                }
                if known.object.is_none() {
                    known.object.clone_from(&event.object);
                }
                if known.value.is_none() {
                    known.value.clone_from(&event.value);
                }
            } else {
                added.push(merged.len());
                merged.push((event.clone(), 1));
            }
        }
    }
    let mut events: Vec<Event> = merged
        .into_iter()
        .map(|(mut event, count)| {
            let single = event.confidence.get();
            let doubt = (1.0 - single) * FURTHER.powi(count.min(8) as i32 - 1);
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

/// The figures of the voices: those that several give first, then in the order of the voices and their texts.
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
                    // The voice that says what it measures says more.
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
