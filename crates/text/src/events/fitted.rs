//! Events by fitted models: which kind of event a sentence reports as news, if any, and which of its words name who acts, what it concerns and
//! who sells.
//!
//! A weighted sum over words gives the probability of each kind. Headlines that it leaves in doubt are also read by a small transformer
//! ([`encoder::events`]), which takes a hundred times as long. A chain over words, with names masked, finds the roles. Sum and chain are fitted by
//! `scripts/fit_events.py` on sentences that were labelled by reading them, the sum also on what a larger model says of others.

use std::ops::Range;

use model::{EntityKind, EntityMention, Event, EventKind, Timestamp};

use super::clause::{Clause, Span};
use super::places::Roles;
use super::stance::{self, Stance};
use super::table::{self, Form, class};
use super::{confidence, date, observe, value, weigh};
use crate::annotate::lexed::{Lexed, Token};
use crate::annotate::mentions::Mentions;
use crate::chain::{Chain, LABELS};
use crate::embedding::word_pieces;
use crate::linear::{self, Linear};

/// How probable a kind must be in the headline and in the body. Events are rarer in the news than among the labelled sentences, so that less
/// sure ones are mostly none.
const IN_HEADLINE: f32 = 0.6;
const IN_BODY: f32 = 0.8;
/// The probability of an event, by words alone, with which a headline is also read by the transformer; elsewhere that hardly changes anything.
const DOUBTFUL: Range<f32> = 0.2..0.9;
/// How improbable a kind must be for a trigger to mean something else.
const OUT_OF_QUESTION: f32 = 0.05;

/// Nothing, then the kinds, in the order of their model.
const KINDS: [Option<EventKind>; 9] = [
    None,
    Some(EventKind::Acquisition),
    Some(EventKind::Funding),
    Some(EventKind::Launch),
    Some(EventKind::Partnership),
    Some(EventKind::Regulation),
    Some(EventKind::Lawsuit),
    Some(EventKind::Ipo),
    Some(EventKind::Bankruptcy),
];

pub(super) static OF_KINDS: Linear<{ KINDS.len() }> =
    Linear::of(include_bytes!("../../data/events/kinds.bin"));
/// Its spans are who acts, what it concerns, and who sells.
pub(super) static OF_ROLES: Chain = Chain::of(include_bytes!("../../data/events/roles.bin"), 8);

/// How probable each kind is in a sentence.
pub(super) struct Kinds([f32; KINDS.len()]);

impl Kinds {
    pub(super) fn of(clause: &Clause<'_, '_, '_>) -> Self {
        let logits = OF_KINDS.logits(&observe::sentence(clause));
        let by_words = linear::shares(logits);
        if !clause.headline || !DOUBTFUL.contains(&(1.0 - by_words[0])) {
            return Self(by_words);
        }
        let read = encoder::events::read(&word_pieces(clause.text));
        // The mean of both on the scale of logarithms.
        Self(linear::shares(std::array::from_fn(|kind| {
            f32::midpoint(logits[kind], read[kind])
        })))
    }

    /// Whether the sentence may report an event of that kind.
    pub(super) fn allow(&self, kind: EventKind) -> bool {
        KINDS
            .iter()
            .zip(self.0)
            .any(|(known, share)| *known == Some(kind) && share >= OUT_OF_QUESTION)
    }

    /// The likeliest kind by its place, and how probable it is.
    fn likeliest(&self) -> Option<(usize, f32)> {
        let shares = self.0.into_iter().enumerate().skip(1);
        shares.max_by(|left, right| left.1.total_cmp(&right.1))
    }
}

/// The event that a sentence reports.
pub(super) fn event(
    clause: &Clause<'_, '_, '_>,
    kinds: &Kinds,
    mentions: &Mentions<'_>,
    published: Timestamp,
) -> Option<Event> {
    let (at, share) = kinds.likeliest()?;
    let least = if clause.headline {
        IN_HEADLINE
    } else {
        IN_BODY
    };
    let kind = KINDS[at].filter(|_| share >= least)?;
    let [actor, object, _] = roles(clause, at);
    // Where nobody is said to act, it is told of whom a suit or a rule concerns.
    let (subject_span, object_span) = match (actor, object) {
        (Some(_), None) if matches!(kind, EventKind::Acquisition | EventKind::Launch) => {
            return None;
        }
        (Some(actor), None) if kind == EventKind::Regulation && !clause.is_authority(actor) => {
            return None;
        }
        (Some(actor), object) => (clause.whole_name(actor), object),
        (None, Some(object)) if matches!(kind, EventKind::Lawsuit | EventKind::Regulation) => {
            (object, None)
        }
        _ => return None,
    };
    if is_meant_otherwise(clause, kind, subject_span, object_span) {
        return None;
    }
    let stance = stance::between(clause, kind, subject_span, object_span);
    if stance == Stance::Denied {
        return None;
    }
    let subject = weigh::who(clause, subject_span, mentions)?;
    let is_place = |entity: &EntityMention| entity.kind == EntityKind::Location;
    if kind == EventKind::Acquisition && subject.entity.is_some_and(is_place) {
        return None;
    }
    // In running text a name is recognised by its capital; without one it is no name.
    if !clause.headline && subject.entity.is_none() {
        return None;
    }
    // `issued an order on March 5`: a day is nothing that is done.
    let is_day = |span: &Span| {
        let words = &clause.tokens[span.start..span.end];
        words.len() <= 3 && date::resolve(words, published, false).is_some()
    };
    let object = object_span
        .filter(|span| !is_day(span))
        .and_then(|span| match kind {
            EventKind::Launch | EventKind::Regulation => clause.phrase(span),
            _ => clause.actor(span),
        })
        .filter(|object| object.name != subject.name);
    let date = match date::resolve(clause.tokens, published, stance != Stance::Happened) {
        Some(date::When::Past(_)) => return None,
        Some(date::When::Day(day)) => day,
        None => Timestamp::start_of_day(published.day()),
    };
    let ends = [Some(subject_span), object_span].into_iter().flatten();
    let (start, end) = ends.fold((usize::MAX, 0), |(start, end), span| {
        (start.min(span.start), end.max(span.end))
    });
    let sum = match kind {
        EventKind::Launch | EventKind::Bankruptcy => None,
        _ => value::near(clause, start, end).map(|(sum, _)| sum),
    };
    Some(Event {
        kind,
        date,
        confidence: confidence(
            f64::from(share),
            clause.headline,
            subject.entity.is_some(),
            stance,
        )?,
        subject: subject.name,
        object: object.map(|object| object.name),
        value: sum,
        sentence: clause.text.trim().to_owned(),
    })
}

/// Whether what is bought is a person, a thing named after its maker or own shares, or who acts is who sells; or a court rules on nobody.
fn is_meant_otherwise(
    clause: &Clause<'_, '_, '_>,
    kind: EventKind,
    subject: Span,
    object: Option<Span>,
) -> bool {
    match (kind, object) {
        (EventKind::Acquisition, Some(object)) => {
            let roles = Roles {
                subject: Some(subject),
                object: Some(object),
                passive: object.start < subject.start,
            };
            let whole = clause.right(object.start).unwrap_or(object);
            let is_sale = |at: usize| {
                table::at(&clause.tokens[at..])
                    .is_some_and(|(_, trigger)| trigger.form == Form::Sale)
            };
            let sells = (subject.end..object.start).any(is_sale);
            // `sells unit after losing a contract to Siemens`: what follows is told of something else.
            let sold = (0..subject.start).find(|at| is_sale(*at));
            let is_apart = sold
                .is_some_and(|sold| (sold..subject.start).any(|at| clause.is(at, class::BOUNDARY)));
            let is_person = clause
                .places
                .iter()
                .any(|place| place.entity.kind == EntityKind::Person && place.end == object.end);
            sells
                || is_apart
                || is_person
                || weigh::is_thing_of(clause, whole)
                || weigh::is_buyback(clause, subject.end, roles)
        }
        (EventKind::Lawsuit, None) => clause.any(subject, class::COURT),
        _ => false,
    }
}

/// Who acts, what it concerns and who sells in a sentence with an event of a kind.
fn roles(clause: &Clause<'_, '_, '_>, kind: usize) -> [Option<Span>; 3] {
    let mut rows = Vec::with_capacity(128);
    let scores: Vec<[i32; LABELS]> = (0..clause.tokens.len())
        .map(|at| {
            rows.clear();
            observe::word(clause, kind, at, &mut rows);
            OF_ROLES.emission(&rows)
        })
        .collect();
    let labels = OF_ROLES.decode(&scores);
    [1, 3, 5].map(|begins| {
        let start = labels.iter().position(|label| *label == begins)?;
        let inside = labels[start + 1..]
            .iter()
            .take_while(|label| **label == begins + 1);
        Some(Span {
            start,
            end: start + 1 + inside.count(),
        })
    })
}

/// What fitting needs of a sentence.
#[derive(Clone, Debug)]
pub struct Observed {
    /// The rows that it shows of its kind, and how much of each.
    pub sentence: Vec<(u32, f32)>,
    /// Its words: their bytes, and for the kind that was given their rows.
    pub words: Vec<(Range<usize>, Vec<u32>)>,
}

/// What the models see of a sentence of an article, with the names of the article, as an event of a kind.
pub fn observed(
    sentence: &str,
    entities: &[EntityMention],
    is_headline: bool,
    kind: Option<EventKind>,
) -> Observed {
    let lexed = Lexed::new(sentence, "");
    let mentions = Mentions::new(entities);
    let title_case = is_headline && lexed.title_case;
    let clause = Clause::new(sentence, lexed.title(), &mentions, is_headline, title_case);
    let place = KINDS.iter().position(|known| *known == kind).unwrap_or(0);
    let bytes = |token: &Token<'_>| {
        let start = token.text.as_ptr() as usize - sentence.as_ptr() as usize;
        start..start + token.text.len()
    };
    Observed {
        words: (0..clause.tokens.len())
            .map(|at| {
                let mut rows = Vec::new();
                observe::word(&clause, place, at, &mut rows);
                (bytes(&clause.tokens[at]), rows)
            })
            .collect(),
        sentence: observe::sentence(&clause),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the transformer is asked in its own tests, where a text is only its pieces.
    #[test]
    fn texts_are_cut_into_the_pieces_that_the_encoder_knows() {
        for (text, pieces) in [
            (
                "Zürich regulator fines the bank’s former owner",
                vec![10204, 21618, 21892, 1996, 2924, 1521, 1055, 2280, 3954],
            ),
            (
                "Die Zürich-Filiale closed – for good.",
                vec![
                    3280, 10204, 1011, 10882, 6632, 2571, 2701, 1516, 2005, 2204, 1012,
                ],
            ),
        ] {
            assert_eq!(word_pieces(text), pieces);
        }
    }
}
