//! Events by fitted models: which kind of event a sentence reports as news, if any, and which of its words name the
//! actor, what the event concerns and the seller.
//!
//! A weighted sum over words gives the probability of each kind (`scripts/fit_events.py`). If it indicates that a
//! headline may report an event, a small transformer reads the headline too ([`encoder::events`]), which takes a
//! hundred times as long. It also reads a sentence of the body that contains a name known to the text, if the sum is in
//! doubt. Another transformer ([`encoder::roles`]) finds who takes part. All are fitted on sentences labelled by
//! reading them, and on what larger models say about other sentences.

use std::cell::OnceCell;
use std::ops::Range;

use model::{EntityKind, EntityMention, Event, EventKind, Timestamp};

use super::clause::{Clause, Span};
use super::places::{self, Roles};
use super::stance::{self, Stance};
use super::table::{self, Form, class};
use super::{confidence, date, observe, value, weigh};
use crate::annotate::lexed::Lexed;
use crate::annotate::mentions::Mentions;
use crate::chain::{self, LABELS};
use crate::embedding::{placed_pieces, word_pieces};
use crate::linear::{self, Linear};

/// How probable a kind must be in the headline and in the body. Events are rarer in the news than among the labelled
/// sentences, so less certain ones are usually not events.
const IN_HEADLINE: f32 = 0.75;
const IN_BODY: f32 = 0.8;
/// The probability of an event, by words alone, from which the transformer also reads a headline. Reading it below that
/// changes hardly anything.
const MAY_REPORT: f32 = 0.2;
/// The same for a sentence of the body, which is read if words leave doubt. From 0.3 on, two more events of 210 are
/// found, and an import of short items takes 14 % longer than without.
const DOUBTFUL_IN_BODY: Range<f32> = 0.5..0.95;
/// How improbable a kind must be for a trigger to mean something else, in the headline and in the body.
const OUT_OF_QUESTION: f32 = 0.15;
const OUT_OF_QUESTION_IN_BODY: f32 = 0.05;
/// How probable it must be that an event is still expected, and that it is stated although words next to it suggest
/// otherwise.
const EXPECTED: f32 = 0.5;
const SURELY_STATED: f32 = 0.9;
/// The evidence for a name or phrase to continue, as two logits. Without it, parts of names are taken for the whole. It
/// also makes long ones more likely to be found at all.
const GOES_ON: i32 = 2 * FINE as i32;

/// None, then the kinds, in the order of their model.
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

/// Whether an event is stated, still expected, or denied.
pub(super) static OF_STATES: Linear<3> = Linear::of(include_bytes!("../../data/events/states.bin"));
pub(super) static OF_KINDS: Linear<{ KINDS.len() }> =
    Linear::of(include_bytes!("../../data/events/kinds.bin"));
/// The score of the roles transformer for a word that it does not read: no role.
const NOTHING: [i32; LABELS] = {
    let mut nothing = [-(1 << 20); LABELS];
    nothing[0] = 0;
    nothing
};
/// Its logits are counted in 64ths.
const FINE: f32 = 64.0;

/// The results of the models for a sentence. Each model runs at most once, and only if needed.
pub(super) struct Reading<'c, 's, 'a, 'e> {
    pub(super) clause: &'c Clause<'s, 'a, 'e>,
    kinds: OnceCell<Kinds>,
    roles: [OnceCell<[Option<Span>; 3]>; KINDS.len()],
}

impl<'c, 's, 'a, 'e> Reading<'c, 's, 'a, 'e> {
    pub(super) const fn of(clause: &'c Clause<'s, 'a, 'e>) -> Self {
        Self {
            clause,
            kinds: OnceCell::new(),
            roles: [const { OnceCell::new() }; KINDS.len()],
        }
    }

    pub(super) fn kinds(&self) -> &Kinds {
        self.kinds.get_or_init(|| Kinds::of(self.clause))
    }

    /// The stance towards an event whose words end there, judged by the words next to it and by its clause as a whole.
    /// An announced event (`to acquire`) stays announced, since readers differ on whether it is stated. An event denied
    /// by the words next to it is denied.
    pub(super) fn stance(&self, beside: Stance, end: usize) -> Stance {
        if matches!(beside, Stance::Denied | Stance::Announced) {
            return beside;
        }
        let clause = self.clause;
        let count = clause.tokens.len();
        let end = (end..count).find(|at| clause.breaks(*at)).unwrap_or(count);
        let [stated, expected, _] =
            linear::shares(OF_STATES.logits(&observe::beginning(clause, end)));
        if expected >= EXPECTED || beside == Stance::Rumoured && stated < SURELY_STATED {
            Stance::Rumoured
        } else {
            Stance::Happened
        }
    }

    /// The actor, what the event concerns and the seller in an event of a kind.
    pub(super) fn roles(&self, kind: EventKind) -> [Option<Span>; 3] {
        let place = KINDS.iter().position(|known| *known == Some(kind));
        let read = &self.roles[place.unwrap_or(0)];
        *read.get_or_init(|| roles(self.clause, kind))
    }
}

/// How probable each kind is in a sentence, and the probability from which a trigger may mean it.
pub(super) struct Kinds {
    shares: [f32; KINDS.len()],
    least: f32,
}

impl Kinds {
    pub(super) fn of(clause: &Clause<'_, '_, '_>) -> Self {
        let logits = OF_KINDS.logits(&observe::sentence(clause));
        let by_words = linear::shares(logits);
        let least = if clause.headline {
            OUT_OF_QUESTION
        } else {
            OUT_OF_QUESTION_IN_BODY
        };
        let of = |shares| Self { shares, least };
        let event = 1.0 - by_words[0];
        let is_read = if clause.headline {
            event >= MAY_REPORT
        } else {
            // In the body, only events of known parties are used.
            !clause.places.is_empty() && DOUBTFUL_IN_BODY.contains(&event)
        };
        if !is_read {
            return of(by_words);
        }
        let read = encoder::events::read(&word_pieces(clause.text));
        // The mean of both on the logarithmic scale.
        of(linear::shares(std::array::from_fn(|kind| {
            f32::midpoint(logits[kind], read[kind])
        })))
    }

    /// Whether the sentence may report an event of that kind.
    pub(super) fn allow(&self, kind: EventKind) -> bool {
        let of = |kind: EventKind| {
            let place = KINDS.iter().position(|known| *known == Some(kind));
            place.map_or(0.0, |place| self.shares[place])
        };
        // A party that clears a purchase also makes a rule.
        let rest = match kind {
            EventKind::Regulation => 1.0 - of(EventKind::Acquisition),
            _ => 1.0,
        };
        of(kind) >= self.least * rest
    }

    /// The most probable kind as an index, and its probability.
    fn likeliest(&self) -> Option<(usize, f32)> {
        let shares = self.shares.into_iter().enumerate().skip(1);
        shares.max_by(|left, right| left.1.total_cmp(&right.1))
    }
}

/// The event that a sentence reports.
pub(super) fn event(
    reading: &Reading<'_, '_, '_, '_>,
    mentions: &Mentions<'_>,
    published: Timestamp,
) -> Option<Event> {
    let clause = reading.clause;
    let (at, share) = reading.kinds().likeliest()?;
    let least = if clause.headline {
        IN_HEADLINE
    } else {
        IN_BODY
    };
    let kind = KINDS[at].filter(|_| share >= least)?;
    let [actor, object, _] = reading.roles(kind);
    // If no actor is named, a suit or a rule is reported with the party it concerns, and a launch with the thing
    // launched. A permit or a warrant that a court rules on is not a party.
    let (subject_span, object_span) = match (actor, object) {
        (Some(_), None) if matches!(kind, EventKind::Acquisition | EventKind::Launch) => {
            return None;
        }
        (Some(actor), None) if kind == EventKind::Regulation && !clause.is_authority(actor) => {
            return None;
        }
        (Some(actor), object) => (clause.whole_name(actor), object),
        (None, Some(object)) if matches!(kind, EventKind::Launch | EventKind::Regulation) => {
            (object, None)
        }
        (None, Some(object)) if kind == EventKind::Lawsuit && clause.may_be_party(object) => {
            (object, None)
        }
        _ => return None,
    };
    if is_meant_otherwise(clause, kind, subject_span, object_span) {
        return None;
    }
    // A court's ruling is stated before the party, and what it orders or rejects comes after it.
    let is_ruling = kind == EventKind::Lawsuit
        && actor.is_none()
        && (0..subject_span.start).any(|at| clause.is(at, class::COURT));
    // Otherwise, if there is no object, the trigger shows which words are next to it.
    let trigger = match object_span {
        None if !is_ruling => trigger(clause, kind),
        _ => None,
    };
    let stance = if let Some(trigger) = &trigger {
        let group = clause.verb_group(trigger.start);
        stance::of(clause, group, trigger.start, trigger.end)
    } else {
        let behind = is_ruling.then_some(Span {
            start: subject_span.end,
            end: subject_span.end,
        });
        stance::between(clause, kind, subject_span, object_span.or(behind))
    };
    let ends = [Some(subject_span), object_span].into_iter().flatten();
    let trigger_end = trigger.as_ref().map_or(0, |trigger| trigger.end);
    let last = ends.fold(trigger_end, |last, span| last.max(span.end));
    let stance = reading.stance(stance, last);
    if stance == Stance::Denied {
        return None;
    }
    let (named_subject, named_object) = clause.who_is_meant(kind, subject_span, object_span);
    let subject = weigh::who(clause, named_subject, mentions)?;
    let is_place = |entity: &EntityMention| entity.kind == EntityKind::Location;
    if kind == EventKind::Acquisition && subject.entity.is_some_and(is_place) {
        return None;
    }
    // In running text a name is recognised by its capital. Without one it is not a name.
    if !clause.headline && subject.entity.is_none() {
        return None;
    }
    // `issued an order on March 5`: a day is not the object of an action.
    let is_day = |span: &Span| {
        let words = &clause.tokens[span.start..span.end];
        words.len() <= 3 && date::resolve(words, published, false).is_some()
    };
    let object = named_object
        .filter(|span| !is_day(span))
        .and_then(|span| match kind {
            EventKind::Launch | EventKind::Regulation => clause.phrase(span),
            _ => clause.actor(kind, span),
        })
        .filter(|object| object.name != subject.name);
    let date = match date::resolve(clause.tokens, published, stance != Stance::Happened) {
        Some(date::When::Past(_)) => return None,
        Some(date::When::Day(day)) => day,
        None => Timestamp::start_of_day(published.day()),
    };
    let ends = [Some(subject_span), object_span].into_iter().flatten();
    let (start, end) = match trigger {
        Some(trigger) => (trigger.start, trigger.end),
        None => ends.fold((usize::MAX, 0), |(start, end), span| {
            (start.min(span.start), end.max(span.end))
        }),
    };
    let sum = match kind {
        EventKind::Launch | EventKind::Bankruptcy => None,
        _ => value::near(clause, kind, start, end).map(|(sum, _)| sum),
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

/// The first words of a sentence that trigger an event of a kind.
fn trigger(clause: &Clause<'_, '_, '_>, kind: EventKind) -> Option<Range<usize>> {
    (0..clause.tokens.len()).find_map(|at| {
        let (length, trigger) = table::at(&clause.tokens[at..])?;
        (trigger.kind == kind).then_some(at..at + length)
    })
}

/// Whether the thing bought is a person, a thing named after its maker or the buyer's own shares, or the actor is the
/// seller. For a launch, whether the thing launched is an attack or an inquiry.
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
            // `sells unit after losing a contract to Siemens`, `sells unit to fund Siemens`: the party named is not the
            // buyer.
            let sold = (0..subject.start).find(|at| is_sale(*at));
            let is_to = |at: &usize| clause.tokens[*at].text.eq_ignore_ascii_case("to");
            let is_apart = sold.is_some_and(|sold| {
                let bought = (sold..subject.start).rev().find(is_to).is_none_or(|to| {
                    (to + 1..subject.start).all(|at| places::may_precede_party(clause, at))
                });
                // A punctuation mark before the verb itself separates nothing.
                !bought
                    || (sold..subject.start).any(|at| clause.is(at, class::BOUNDARY))
                    || (sold + 1..=subject.start).any(|at| clause.breaks(at))
            });
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
        // A catalogue entry (`kelvo-tools added to an index`) is not a launch, unless it is at least a name.
        (EventKind::Launch, None) => {
            let is_added = || {
                let mut pairs = clause.tokens.windows(2);
                pairs.any(|pair| pair[0].text == "added" && pair[1].text == "to")
            };
            clause.any(subject, class::HOSTILE | class::INQUIRY)
                || !clause.written(subject).contains(char::is_uppercase) && is_added()
        }
        _ => false,
    }
}

/// The actor, what the event concerns and the seller in a sentence with an event of a kind.
fn roles(clause: &Clause<'_, '_, '_>, kind: EventKind) -> [Option<Span>; 3] {
    let (pieces, words) = pieces(clause);
    let read = encoder::roles::read(&pieces, &word_pieces(kind.as_str()));
    let scores: Vec<[i32; LABELS]> = words
        .into_iter()
        .map(|first| first.and_then(|first| read.get(first)))
        .map(|logits| logits.map_or(NOTHING, |logits| logits.map(|logit| (logit * FINE) as i32)))
        .collect();
    let goes_on = |before, label| before != 0 && label == before + before % 2;
    let moves = std::array::from_fn(|before| {
        std::array::from_fn(|label| if goes_on(before, label) { GOES_ON } else { 0 })
    });
    let labels = chain::decode(&scores, &moves);
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

/// The word pieces of a sentence, and the index of the first piece of each word. A token inside a longer word (`14m` in
/// `£14m`) gets the first piece of that word. A token that yields no pieces has none.
fn pieces(clause: &Clause<'_, '_, '_>) -> (Vec<u16>, Vec<Option<usize>>) {
    let placed = placed_pieces(clause.text);
    let from = |byte: usize| placed.partition_point(|(_, word)| word.start < byte);
    let words = clause.tokens.iter().map(|token| {
        let start = token.text.as_ptr() as usize - clause.text.as_ptr() as usize;
        let first = from(start);
        let next = placed.get(first).map(|(_, word)| word.start);
        if next.is_some_and(|next| next < start + token.text.len()) {
            return Some(first);
        }
        let (_, word) = first.checked_sub(1).and_then(|before| placed.get(before))?;
        (start < word.end).then(|| from(word.start))
    });
    let words = words.collect();
    (placed.into_iter().map(|(piece, _)| piece).collect(), words)
}

/// The features by which the model of kinds sees a sentence of an article, given the names in the article, as rows with
/// their weights.
pub fn observed(sentence: &str, entities: &[EntityMention], is_headline: bool) -> Vec<(u32, f32)> {
    let lexed = Lexed::new(sentence, "");
    let mentions = Mentions::new(entities);
    let title_case = is_headline && lexed.title_case;
    observe::sentence(&Clause::new(
        sentence,
        lexed.title(),
        &mentions,
        is_headline,
        title_case,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The input given to the transformer in its own tests, where a text consists only of its pieces.
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

    #[test]
    fn who_buys_stands_behind_to_in_the_clause_of_the_sale() {
        for (text, buys) in [
            ("Nordlys sells patents to Siemens", true),
            ("Nordlys, short of cash, sells patents to Siemens", true),
            ("Nordlys sells patents to the rival Siemens", true),
            ("Nordlys sells patents, turns to Siemens", false),
            ("Nordlys sells patents to fund Siemens", false),
            ("Nordlys sells patents to: Siemens", false),
        ] {
            let lexed = Lexed::new(text, "");
            let mentions = Mentions::new(&[]);
            let clause = Clause::new(text, lexed.title(), &mentions, true, false);
            let word = |word: &str| {
                let mut tokens = clause.tokens.iter();
                let start = tokens.position(|token| token.text == word).unwrap();
                Span {
                    start,
                    end: start + 1,
                }
            };
            let (buyer, sold) = (word("Siemens"), word("patents"));
            let is_apart = is_meant_otherwise(&clause, EventKind::Acquisition, buyer, Some(sold));
            assert_eq!(!is_apart, buys, "{text}");
        }
    }

    #[test]
    fn each_word_has_its_first_piece() {
        let text = "Zürich’s watchdog fines Nordlys 🚀shares £14m – again";
        let lexed = Lexed::new(text, "");
        let mentions = Mentions::new(&[]);
        let clause = Clause::new(text, lexed.title(), &mentions, true, false);
        let (read, words) = pieces(&clause);
        assert_eq!(read, word_pieces(text));
        let firsts: Vec<(&str, Option<u16>)> = clause
            .tokens
            .iter()
            .zip(words)
            .map(|(token, first)| (token.text, first.map(|first| read[first])))
            .collect();
        let piece = |word: &str| Some(word_pieces(word)[0]);
        assert_eq!(
            firsts,
            [
                ("Zürich", piece("Zürich")),
                ("watchdog", piece("watchdog")),
                ("fines", piece("fines")),
                ("Nordlys", piece("Nordlys")),
                // The word, including the pictogram, is unknown.
                ("shares", None),
                ("14m", piece("£14m")),
                ("again", piece("again")),
            ]
        );
    }
}
