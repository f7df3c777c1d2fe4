//! A sentence with what is known about its words: the phrases next to a trigger, and whom they name.

use model::{EntityKind, EntityMention, EventKind};

use super::observe;
use super::table::{class, classes};
use crate::annotate::lexed::{Token, gap, shape};
use crate::annotate::mentions::{Mentions, Place};
use crate::company::is_legal_form;
use crate::embedding;
use crate::entities::is_media;

/// Maximum number of words in a phrase.
const LONGEST: usize = 9;

/// Verbs that retract something when combined with a particle.
const RETRACTIONS: [(&str, &[&str]); 4] = [
    ("walk", &["back", "away"]),
    ("back", &["out", "away"]),
    ("pull", &["out", "back"]),
    ("call", &["off"]),
];

/// A sentence with what is known about its words.
pub(crate) struct Clause<'s, 'a, 'e> {
    pub(crate) text: &'a str,
    pub(crate) tokens: &'s [Token<'a>],
    pub(crate) classes: Vec<u32>,
    pub(crate) places: Vec<Place<'e>>,
    /// The type of name that each word is part of ([`observe::code`]).
    pub(super) names: Vec<u8>,
    pub(crate) headline: bool,
    /// It capitalises (nearly) every word.
    pub(super) title_case: bool,
}

/// A range of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The party or thing that a phrase names.
#[derive(Clone, Debug)]
pub(crate) struct Actor<'e> {
    pub(crate) name: String,
    pub(crate) entity: Option<&'e EntityMention>,
}

impl<'s, 'a, 'e> Clause<'s, 'a, 'e> {
    pub(crate) fn new(
        text: &'a str,
        tokens: &'s [Token<'a>],
        mentions: &Mentions<'e>,
        headline: bool,
        title_case: bool,
    ) -> Self {
        let places = mentions.of(tokens);
        let mut names = vec![0; tokens.len()];
        for place in &places {
            for (at, name) in names[place.start..place.end].iter_mut().enumerate() {
                *name = observe::code(place.entity.kind, at > 0);
            }
        }
        for at in 0..tokens.len() {
            let token = &tokens[at];
            let is_capital = token.is(shape::CAPITAL | shape::ALL_CAPS) && token.text.len() > 1;
            if names[at] == 0 && is_capital && !embedding::is_common(token.text) {
                let is_inside = at > 0 && names[at - 1] >= observe::UNKNOWN;
                names[at] = observe::UNKNOWN + u8::from(is_inside);
            }
        }
        Self {
            text,
            tokens,
            classes: tokens.iter().map(classes).collect(),
            places,
            names,
            headline,
            title_case,
        }
    }

    pub(crate) fn is(&self, at: usize, class: u32) -> bool {
        self.classes
            .get(at)
            .is_some_and(|classes| classes & class != 0)
    }

    pub(crate) fn any(&self, span: Span, class: u32) -> bool {
        (span.start..span.end).any(|at| self.is(at, class))
    }

    /// Whether this word denies or retracts, alone or with its particle: `rescinds`, `walks back`.
    pub(crate) fn denies(&self, at: usize) -> bool {
        self.is(at, class::DENIAL)
            || self.tokens.get(at + 1).is_some_and(|particle| {
                let verb = self.tokens[at].text.to_ascii_lowercase();
                let particle = particle.text.to_ascii_lowercase();
                RETRACTIONS.iter().any(|(stem, particles)| {
                    let ending = verb.strip_prefix(stem);
                    matches!(ending, Some("" | "s" | "ed" | "ing"))
                        && particles.contains(&particle.as_str())
                })
            })
    }

    /// Whether a phrase ends before this word.
    pub(crate) fn breaks(&self, at: usize) -> bool {
        self.tokens[at].after(gap::BREAK & !gap::QUOTE)
    }

    /// Where the verb group of a trigger begins: auxiliaries, adverbs, and `plans to` or `in talks to` on its left.
    pub(crate) fn verb_group(&self, trigger: usize) -> usize {
        let mut at = trigger;
        let gerund = self.tokens[trigger].text.ends_with("ing");
        // The verb precedes a noun: `announces a partnership with`.
        let mut infinitive = gerund
            || self.is(trigger, class::AGREEMENT)
            || self.tokens[trigger].text.eq_ignore_ascii_case("strategic");
        while at > 0 && !self.breaks(at) {
            let before = at - 1;
            if self.tokens[before].text.eq_ignore_ascii_case("to") {
                infinitive = true;
            }
            let named = self
                .places
                .iter()
                .any(|place| (place.start..place.end).contains(&before));
            let skipped = self.is(before, class::AUXILIARY | class::ADVERB)
                || self.denies(before)
                || infinitive && self.is(before, class::CONTROL);
            if !skipped || named || self.tokens[before].is(shape::POSSESSIVE) {
                break;
            }
            at = before;
        }
        at
    }

    /// The noun phrase that ends before a word.
    pub(crate) fn left(&self, end: usize) -> Option<Span> {
        let mut end = end;
        let mut start = end;
        while start > 0 && end - start < LONGEST {
            if start < self.tokens.len() && start < end && self.breaks(start) {
                // Text between commas explains the name before it.
                let aside = self.tokens[start].after(gap::COMMA)
                    && (self.is(start, class::DETERMINER | class::BOUNDARY | class::PRONOUN)
                        || !self.tokens[start].is(shape::CAPITAL | shape::NUMBER)
                            && !self.headline);
                if !aside {
                    break;
                }
                end = start;
                continue;
            }
            if start == end
                && start < self.tokens.len()
                && self.breaks(start)
                && !self.tokens[start].after(gap::COMMA)
            {
                break;
            }
            if self.is(start - 1, class::BOUNDARY) {
                // A relative clause belongs to the noun before it.
                let relative = matches!(self.tokens[start - 1].text, "which" | "who" | "whose");
                if relative && start >= 2 {
                    start -= 1;
                    end = start;
                    continue;
                }
                break;
            }
            start -= 1;
        }
        let mut span = Span { start, end };
        // Text after a preposition belongs to the noun before it.
        if let Some(at) = (span.start + 1..span.end).find(|at| {
            self.is(*at, class::PREPOSITION) && !self.tokens[*at].text.eq_ignore_ascii_case("to")
        }) {
            let named = self
                .places
                .iter()
                .any(|place| place.start < at && place.end > at);
            if !named {
                span.end = at;
            }
        }
        // Another verb ends the phrase: what follows that verb is its object.
        if let Some(at) = (span.start + 1..span.end).find(|at| {
            let joined = self.tokens[*at].after(gap::HYPHEN)
                || self
                    .tokens
                    .get(*at + 1)
                    .is_some_and(|next| next.after(gap::HYPHEN));
            self.is(*at, class::VERB | class::AUXILIARY)
                && !joined
                && !self
                    .places
                    .iter()
                    .any(|place| (place.start..place.end).contains(at))
        }) {
            span.end = at;
        }
        self.trimmed(span)
    }

    /// The noun phrase that begins at a word.
    pub(crate) fn right(&self, start: usize) -> Option<Span> {
        let mut at = start;
        let named = self.places.iter().any(|place| place.start == start);
        if self.is(
            start,
            class::PREPOSITION | class::BOUNDARY | class::AUXILIARY | class::DENIAL,
        ) && !named
        {
            return None;
        }
        while at < self.tokens.len() && at < start + LONGEST {
            let inside = self
                .places
                .iter()
                .any(|place| place.start < at && at < place.end);
            if at > start && self.breaks(at) && !inside {
                break;
            }
            let stops = self.is(at, class::PREPOSITION | class::BOUNDARY | class::AUXILIARY);
            if at > start && stops && !inside {
                let of_stake = matches!(self.tokens[at].text, "in" | "of" | "In" | "Of")
                    && matches!(
                        self.tokens[at - 1].text.to_ascii_lowercase().as_str(),
                        "stake"
                            | "stakes"
                            | "shares"
                            | "control"
                            | "majority"
                            | "rest"
                            | "all"
                            | "most"
                            | "%"
                    );
                if of_stake {
                    return self.right(at + 1);
                }
                break;
            }
            if at == start
                && self.breaks(at)
                && self.tokens[at].after(gap::OTHER | gap::COLON | gap::CLOSE)
            {
                return None;
            }
            at += 1;
        }
        self.trimmed(Span { start, end: at })
    }

    fn trimmed(&self, mut span: Span) -> Option<Span> {
        span.end = span.end.min(self.tokens.len());
        while span.start < span.end
            && self.is(
                span.start,
                class::DETERMINER | class::ADVERB | class::PREPOSITION | class::AUXILIARY,
            )
            && !self.places.iter().any(|place| place.start == span.start)
        {
            span.start += 1;
        }
        while span.start < span.end
            && self.is(
                span.end - 1,
                class::DETERMINER | class::ADVERB | class::PREPOSITION | class::AUXILIARY,
            )
            && !self.places.iter().any(|place| place.end == span.end)
        {
            span.end -= 1;
        }
        (span.start < span.end).then_some(span)
    }

    /// The words of a span as written.
    pub(crate) fn written(&self, span: Span) -> &'a str {
        let base = self.text.as_ptr() as usize;
        let (Some(first), Some(last)) = (
            self.tokens.get(span.start),
            span.end
                .checked_sub(1)
                .and_then(|last| self.tokens.get(last)),
        ) else {
            return "";
        };
        let begin = (first.text.as_ptr() as usize).saturating_sub(base);
        let end = (last.text.as_ptr() as usize).saturating_sub(base) + last.text.len();
        self.text.get(begin..end).unwrap_or(first.text)
    }

    /// The names in a span.
    pub(crate) fn named(&self, span: Span) -> impl Iterator<Item = &Place<'e>> {
        self.places
            .iter()
            .filter(move |place| span.start <= place.start && place.end <= span.end)
    }

    /// The entity that a span names with its last word, or else the words of the span: `Apple supplier` is not Apple.
    pub(crate) fn doer(&self, span: Span) -> Option<Actor<'e>> {
        let last = self
            .named(span)
            .filter(|place| {
                matches!(
                    place.entity.kind,
                    EntityKind::Organization | EntityKind::Person
                ) || place.start == span.start
            })
            .find(|place| place.end == span.end);
        match last {
            Some(place) => Some(Actor {
                name: place.entity.name.clone(),
                entity: Some(place.entity),
            }),
            None => self.phrase(span),
        }
    }

    /// The entity that a span names: an organisation or person that neither owns nor describes what follows, a place
    /// that makes up the whole span, or else the words of the span.
    pub(crate) fn actor(&self, kind: EventKind, span: Span) -> Option<Actor<'e>> {
        // `Trump family's firm` is not Trump's own name, and neither `Siemens wind unit` nor `L&T Investment` is the
        // group. Two parties that act together are followed by their verb: `Nordlys and Siemens partner to …`.
        let owns = |place: &Place<'_>| {
            let Some(next) = self.tokens.get(place.end).filter(|_| place.end < span.end) else {
                return false;
            };
            let goes_on = kind != EventKind::Partnership
                && !next.after(gap::BREAK)
                && !self.is(
                    place.end,
                    class::PREPOSITION | class::BOUNDARY | class::AUXILIARY | class::ADVERB,
                )
                && !["and", "or", "of"]
                    .iter()
                    .any(|word| next.text.eq_ignore_ascii_case(word))
                && !is_legal_form(&next.text.to_lowercase());
            goes_on
                || (place.end - 1..span.end - 1).any(|at| self.tokens[at].is(shape::POSSESSIVE))
                || next.after(gap::HYPHEN)
        };
        let known = self
            .named(span)
            .filter(|place| {
                matches!(
                    place.entity.kind,
                    EntityKind::Organization | EntityKind::Person
                ) && !owns(place)
            })
            .last()
            .or_else(|| {
                self.named(span)
                    .find(|place| place.end == span.end && place.start == span.start)
            });
        if let Some(place) = known {
            return Some(Actor {
                name: place.entity.name.clone(),
                entity: Some(place.entity),
            });
        }
        self.phrase(span)
    }

    /// A span without the trailing `and`, `of` or `for` at which it was cut off, and with the particle that a hyphen
    /// joins to its last word: `opt-in`.
    fn complete(&self, mut span: Span) -> Span {
        let is_loose = |at: usize| {
            let token = &self.tokens[at];
            let is_known = self.places.iter().any(|place| place.end == at + 1);
            let is_joined = token.after(gap::HYPHEN);
            ["and", "or", "of"]
                .iter()
                .any(|word| token.text.eq_ignore_ascii_case(word))
                || self.is(at, class::PREPOSITION) && !is_joined && !is_known
        };
        while span.end > span.start + 1 && is_loose(span.end - 1) {
            span.end -= 1;
        }
        let joins = |at: usize| {
            self.tokens
                .get(at)
                .is_some_and(|next| next.after(gap::HYPHEN))
        };
        // Anything else that is joined is another name (`Nordlys-Kestrel merger`) or describes it (`Nordlys-led`).
        if joins(span.end) && self.is(span.end, class::PREPOSITION) && !joins(span.end + 1) {
            span.end += 1;
        }
        span
    }

    /// The words of a span as they are.
    pub(crate) fn phrase(&self, span: Span) -> Option<Actor<'e>> {
        let span = self.complete(span);
        let words = self.written(span).trim();
        let short = span.end - span.start == 1;
        if words
            .chars()
            .filter(|character| character.is_alphabetic())
            .count()
            < 2
            && !(short && words == "X")
            || short
                && self.is(
                    span.start,
                    class::PRONOUN | class::AUXILIARY | class::PREPOSITION | class::BOUNDARY,
                )
        {
            return None;
        }
        // The phrase may end before a quotation that it opens.
        let opened = words.matches('“').count() > words.matches('”').count();
        Some(Actor {
            name: format!("{words}{}", if opened { "”" } else { "" }),
            entity: None,
        })
    }

    /// Whether a span names a rule-maker: an institution, a head of one, or a country.
    pub(crate) fn is_authority(&self, span: Span) -> bool {
        self.any(span, class::AUTHORITY)
            || self
                .named(span)
                .any(|place| place.entity.kind == EntityKind::Location && place.end == span.end)
    }

    /// Whether the last word of a span may stand for a party to a suit: a name not known as the name of a product or an
    /// event, a firm, or an authority.
    pub(super) fn may_be_party(&self, span: Span) -> bool {
        let last = span.end - 1;
        let thing = observe::code(EntityKind::Product, false)..observe::UNKNOWN;
        let name = self.names[last];
        name != 0 && !thing.contains(&name) || self.is(last, class::FIRM | class::AUTHORITY)
    }

    /// The known person or organisation that a headline names as its topic, making up everything before the first
    /// colon. The outlet that reports does not count: `Reuters: …`.
    fn topic(&self) -> Option<Span> {
        let colon = |at: &usize| self.tokens[*at].after(gap::COLON);
        let end = (1..self.tokens.len()).find(colon)?;
        let place = self.places.first()?;
        let is_somebody = matches!(
            place.entity.kind,
            EntityKind::Organization | EntityKind::Person
        );
        let is_all = place.start == 0 && place.end == end;
        (self.headline && is_all && is_somebody && !is_media(&place.entity.name))
            .then_some(Span { start: 0, end })
    }

    /// The parties that are meant, if the headline first names its topic and then refers to it by a
    /// common noun next to a named party: `Dua Lipa: Nordlys sues singer`.
    pub(super) fn who_is_meant(
        &self,
        kind: EventKind,
        subject: Span,
        object: Option<Span>,
    ) -> (Span, Option<Span>) {
        let Some(topic) = self.topic() else {
            return (subject, object);
        };
        // Part of the topic is not the topic, and an authority stands for itself.
        let other = match kind {
            EventKind::Lawsuit => class::AUTHORITY | class::COURT,
            EventKind::Acquisition => class::AUTHORITY | class::PART,
            _ => return (subject, object),
        };
        let is_description = |span: Span| {
            let is_new = span.start > 0
                && ["a", "an", "another"]
                    .iter()
                    .any(|word| self.tokens[span.start - 1].text.eq_ignore_ascii_case(word));
            let is_word = |at: usize| self.names[at] == 0 && !self.tokens[at].is(shape::NUMBER);
            // `Boeing: families sue …`: a group of many is not the topic.
            let last = self.tokens[span.end - 1].text;
            let is_many = last.ends_with(['s', 'S']) && !last.ends_with("ss");
            span.start >= topic.end
                && (span.start..span.end).all(is_word)
                && !self.any(span, other)
                && !is_new
                && !is_many
        };
        // The opponent of the topic is not the topic.
        let is_topic = |span: Span| self.written(span).eq_ignore_ascii_case(self.written(topic));
        match object {
            Some(object) if is_description(object) && !is_description(subject) => {
                let is_other = !is_topic(subject);
                (subject, Some(if is_other { topic } else { object }))
            }
            Some(object) if is_description(subject) && !is_description(object) => {
                let is_other = !is_topic(object);
                (if is_other { topic } else { subject }, Some(object))
            }
            _ => (subject, object),
        }
    }

    /// Whether a word is part of a known name, and not merely written like one.
    pub(super) fn is_named(&self, at: usize) -> bool {
        (1..observe::UNKNOWN).contains(&self.names[at])
    }

    /// A span extended by the preceding words that belong to its name because of their capitals: `Royal` in
    /// `Royal Mint`.
    pub(super) fn whole_name(&self, span: Span) -> Span {
        let belongs = |at: &usize| {
            let token = &self.tokens[*at];
            token.is(shape::CAPITAL)
                && !token.is(shape::POSSESSIVE)
                && !self.is_named(*at)
                && !self.breaks(*at + 1)
                && !self.is(
                    *at,
                    class::BOUNDARY | class::PREPOSITION | class::DETERMINER,
                )
        };
        if self.title_case || !self.tokens[span.start].is(shape::CAPITAL) {
            return span;
        }
        let before = (0..span.start).rev().take_while(belongs).count();
        Span {
            start: span.start - before,
            end: span.end,
        }
    }

    /// The letters of a word, with all numbers treated alike, one value for each kind of name, and nothing for words
    /// inside names.
    pub(super) fn masked(&self, at: usize) -> Option<u64> {
        match self.names[at] {
            0 => Some(self.letters(at)),
            name if name % 2 == 0 => Some(u64::from(name) << 8),
            _ => None,
        }
    }

    fn letters(&self, at: usize) -> u64 {
        let token = &self.tokens[at];
        if token.is(shape::NUMBER) {
            1
        } else {
            token.lower
        }
    }
}
