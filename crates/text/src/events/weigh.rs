//! Turns a trigger and the phrases next to it into an event, or rejects it.

use model::{EntityKind, EntityRole, Event, EventKind, Timestamp};

use super::clause::{Actor, Clause, Span};
use super::fitted::Reading;
use super::places::{self, Roles};
use super::stance::{self, Stance};
use super::table::{Form, Need, Trigger, class};
use super::{confidence, date, value};
use crate::annotate::lexed::{gap, shape};
use crate::annotate::mentions::{Mentions, Place};

/// A sum belongs to what is raised or paid only within this distance.
const SUM_REACH: usize = 7;

/// The number of words after the verb in which the buyer's own shares are looked for.
const OWN_REACH: usize = 10;

/// The event that the trigger `at..at + length` reports.
pub(super) fn event(
    reading: &Reading<'_, '_, '_, '_>,
    at: usize,
    length: usize,
    trigger: Trigger,
    mentions: &Mentions<'_>,
    published: Timestamp,
) -> Option<Event> {
    let clause = reading.clause;
    let end = at + length;
    let hyphened = clause.tokens[at].after(gap::HYPHEN)
        || clause
            .tokens
            .get(end)
            .is_some_and(|next| next.after(gap::HYPHEN));
    if hyphened {
        return None;
    }
    let group = clause.verb_group(at);
    if length == 1 && is_noun(clause, group, at) {
        return None;
    }
    let beside = places::find(clause, at, end, group, trigger)?;
    let kind = meant(clause, at, end, trigger, beside)?;
    if !reading.kinds().allow(kind) {
        return None;
    }
    let roles = read_again(reading, kind, beside);
    let ends = [roles.subject, roles.object].into_iter().flatten();
    let last = ends.fold(end, |last, span| last.max(span.end));
    let stance = reading.stance(stance::of(clause, group, at, end), last);
    // `takeover of X`, `deal to buy X`: a noun whose verb is still to come.
    let is_named = trigger.form == Form::Noun
        || at > 1 && clause.tokens[at - 1].text.eq_ignore_ascii_case("to");
    if stance == Stance::Denied || is_named && is_called_off(clause, roles) {
        return None;
    }
    if kind == EventKind::Acquisition && is_buyback(clause, end, roles) {
        return None;
    }
    let (subject_span, object_span) = clause.who_is_meant(kind, roles.subject?, roles.object);
    let subject = who(clause, subject_span, mentions)?;
    let object = object_span
        .filter(|span| *span != subject_span)
        .and_then(|span| {
            match kind {
                // The sum is already the event's value.
                EventKind::Funding if trigger.need != Need::Money => None,
                EventKind::Launch | EventKind::Regulation => clause.phrase(span),
                _ => clause.actor(kind, span),
            }
        });
    // In running text a name is recognised by its capital. Without one it is not a name.
    let known = subject.entity.is_some();
    if !clause.headline && !is_firm_ground(clause, subject_span, &subject, kind, trigger.form) {
        return None;
    }
    if object
        .as_ref()
        .is_some_and(|object| object.name == subject.name)
    {
        return None;
    }
    let date = match date::resolve(clause.tokens, published, stance != Stance::Happened) {
        Some(date::When::Past(_)) => return None,
        Some(date::When::Day(day)) => day,
        None => Timestamp::start_of_day(published.day()),
    };
    if is_background(clause, at) {
        return None;
    }
    let sum = match kind {
        EventKind::Launch | EventKind::Bankruptcy => None,
        _ => value::near(clause, kind, at, end).map(|(sum, _)| sum),
    };
    Some(Event {
        kind,
        subject: subject.name,
        object: object.map(|object| object.name),
        value: sum,
        date,
        confidence: confidence(trigger.strength, clause.headline, known, stance)?,
        sentence: clause.text.trim().to_owned(),
    })
}

/// The parties of a suit in a headline, as read by the transformer if it names a party. For a rule, the rule-maker and
/// the party concerned, if the transformer names others than those next to the trigger. For other kinds, if the models
/// are not sure that the headline reports one, the parties next to the trigger are right more often.
fn read_again(reading: &Reading<'_, '_, '_, '_>, kind: EventKind, beside: Roles) -> Roles {
    let clause = reading.clause;
    let is_read = matches!(kind, EventKind::Regulation | EventKind::Lawsuit);
    if !clause.headline || !is_read || clause.tokens.len() > super::LONGEST {
        return beside;
    }
    let [actor, object, _] = reading.roles(kind);
    if kind == EventKind::Lawsuit {
        return match (actor, object) {
            (Some(_), _) => Roles {
                subject: actor,
                object,
                ..beside
            },
            (None, Some(party)) if clause.may_be_party(party) => Roles {
                subject: object,
                object: None,
                ..beside
            },
            _ => beside,
        };
    }
    // `Watchdog clears Siemens purchase of rail unit`: the buyer makes no rule, so the headline was misread.
    if actor.is_some_and(|span| !clause.is_authority(span)) {
        return beside;
    }
    let meet = |one: Option<Span>, other: Option<Span>| {
        one.zip(other)
            .is_some_and(|(one, other)| one.start < other.end && other.start < one.end)
    };
    if actor.is_some() && !meet(beside.subject, actor) {
        return Roles {
            subject: actor,
            object,
            ..beside
        };
    }
    let is_other = !meet(beside.subject, object) && !meet(beside.object, object);
    Roles {
        object: object.filter(|_| is_other).or(beside.object),
        ..beside
    }
}

/// Whether the verb after what a noun names retracts it: `takeover of X abandoned`.
fn is_called_off(clause: &Clause<'_, '_, '_>, roles: Roles) -> bool {
    let Some(object) = roles.object else {
        return false;
    };
    let named = clause.named(object).map(|place| place.end).max();
    (named.unwrap_or(object.end)..clause.tokens.len())
        .take_while(|at| !clause.breaks(*at))
        .find(|at| !clause.is(*at, class::AUXILIARY | class::ADVERB))
        .is_some_and(|at| clause.denies(at))
}

/// Whether the buyer buys its own shares: `buys back shares`, `acquires its own stock`. Using them to pay for something
/// else (`for its own stock`) is not a buyback, and neither is recovering a part of the business
/// (`buys back wind unit`).
pub(super) fn is_buyback(clause: &Clause<'_, '_, '_>, end: usize, roles: Roles) -> bool {
    let is = |at: usize, words: &[&str]| {
        clause.tokens.get(at).is_some_and(|token| {
            words
                .iter()
                .any(|word| token.text.eq_ignore_ascii_case(word))
        })
    };
    let is_own = |at: usize| is(at, &["its", "their", "own", "treasury"]);
    let is_share = |at: usize| is(at, &["share", "shares", "stock", "bond", "bonds", "debt"]);
    let back = is(end, &["back"]);
    if let Some(left) = roles.object.filter(|_| roles.passive) {
        return (left.start..left.end).any(is_share)
            && (back || (left.start.saturating_sub(1)..left.end).any(is_own));
    }
    let bought = || {
        (end..clause.tokens.len().min(end + OWN_REACH)).take_while(|at| {
            let other = clause.is(*at, class::PREPOSITION | class::BOUNDARY | class::AUXILIARY)
                && !is(*at, &["in", "of", "to", "at", "worth"]);
            let named = clause
                .places
                .iter()
                .any(|place| place.start == *at && place.entity.kind == EntityKind::Organization);
            !other && !named && (*at == end || !clause.breaks(*at))
        })
    };
    bought()
        .find(|at| is_share(*at))
        .is_some_and(|share| back || bought().any(|at| at < share && is_own(at)))
        || roles.passive
            && back
            && roles
                .subject
                .is_some_and(|span| (span.start..span.end).any(is_share))
}

/// Whether a span names a thing by the organisation that makes it: `Nvidia chips` are not Nvidia. What the organisation
/// owns (`Nvidia's arm`) and parts of it (`Nvidia unit`) are bought with its consent.
pub(super) fn is_thing_of(clause: &Clause<'_, '_, '_>, span: Span) -> bool {
    let head = span.end - 1;
    let is_common = clause.tokens[head].text.chars().all(char::is_lowercase);
    is_common
        && !clause.is(head, class::FIRM | class::FACILITY)
        && clause.named(span).any(|place| {
            place.entity.kind == EntityKind::Organization
                && place.end <= head
                && !clause.tokens[place.end - 1].is(shape::POSSESSIVE)
        })
}

/// Whether a word such as `launch` is not a verb: neither `to`, an auxiliary nor a plural precedes it. A gerund after
/// `to` is not a verb either.
fn is_noun(clause: &Clause<'_, '_, '_>, group: usize, at: usize) -> bool {
    let word = clause.tokens[at].text.to_lowercase();
    let to = at > 0 && clause.tokens[at - 1].text.eq_ignore_ascii_case("to");
    let left = clause.left(group);
    if word.ends_with("ing") {
        let being = (group..at).any(|before| clause.is(before, class::AUXILIARY));
        // `Google rolling out …`: the headline opens with the actor.
        let opens = left.is_some_and(|span| {
            span.end == group
                && !clause.breaks(group)
                && (span.start == 0 || clause.tokens[span.start].after(gap::BREAK))
        });
        return to || !being && !opens;
    }
    if at > 0 && clause.tokens[at - 1].text.eq_ignore_ascii_case("newly") {
        return true;
    }
    if word.ends_with("ed") || word.ends_with('s') || !BASE.contains(&word.as_str()) {
        return at > 0
            && clause.is(at - 1, class::DETERMINER)
            && !clause.tokens[at].after(gap::BREAK);
    }
    let helped = (group..at).any(|before| {
        clause.is(before, class::AUXILIARY)
            && !matches!(
                clause.tokens[before].text,
                "is" | "was" | "are" | "were" | "has" | "have" | "had"
            )
    });
    if to || helped {
        return false;
    }
    let Some(before) = at.checked_sub(1) else {
        return true;
    };
    if clause.tokens[before].is(shape::POSSESSIVE) {
        return true;
    }
    let text = clause.tokens[before].text;
    let plural = text.ends_with('s') && !text.ends_with("ss")
        || matches!(text, "people" | "kids" | "men" | "women" | "children");
    let both = left.is_some_and(|span| {
        let words = clause.written(span);
        words.contains(" and ") || words.contains(" & ")
    });
    !plural && !both
}

/// Triggers that are also nouns.
const BASE: [&str; 24] = [
    "launch",
    "release",
    "buy",
    "purchase",
    "sell",
    "raise",
    "ban",
    "lift",
    "ease",
    "pass",
    "sue",
    "sign",
    "strike",
    "ink",
    "invest",
    "acquire",
    "approve",
    "introduce",
    "propose",
    "announce",
    "impose",
    "adopt",
    "tighten",
    "allow",
];

/// Whether the subject of a sentence in the body is a known name, is not a mere place where a firm is meant, and does
/// not belong to the noun before it.
fn is_firm_ground(
    clause: &Clause<'_, '_, '_>,
    span: Span,
    subject: &Actor<'_>,
    kind: EventKind,
    form: Form,
) -> bool {
    let Some(entity) = subject.entity else {
        return false;
    };
    let public = matches!(
        kind,
        EventKind::Regulation | EventKind::Lawsuit | EventKind::Launch | EventKind::Partnership
    );
    // The preposition that introduces the buyer is part of the form.
    let is_own = |place: &Place<'_>| form == Form::Sale && place.start == span.start;
    let attached = clause.named(span).any(|place| {
        place.start > 0 && clause.is(place.start - 1, class::PREPOSITION) && !is_own(place)
    });
    (entity.kind != EntityKind::Location || public) && !attached
}

/// Whether it happened years ago, or is in a clause that only recalls it.
fn is_background(clause: &Clause<'_, '_, '_>, at: usize) -> bool {
    let word = |at: usize| clause.tokens[at].text;
    (0..clause.tokens.len()).any(|here| {
        matches!(
            word(here),
            "ago" | "anniversary" | "formerly" | "previously" | "historic"
        ) && (clause.headline || here.abs_diff(at) <= 14)
            && word(here) != "historic"
    }) || at > 0 && matches!(word(at - 1), "which" | "who")
        || !clause.headline
            && (at.saturating_sub(4)..at).any(|here| {
                matches!(
                    word(here),
                    "which" | "who" | "after" | "since" | "when" | "had"
                )
            })
}

/// The kind that is meant, if the trigger is used in its business sense.
fn meant(
    clause: &Clause<'_, '_, '_>,
    at: usize,
    end: usize,
    trigger: Trigger,
    roles: Roles,
) -> Option<EventKind> {
    let subject = roles.subject?;
    let affected = if roles.passive && roles.object.is_none() {
        Some(subject)
    } else {
        roles.object
    };
    let holds = |class: u32| affected.is_some_and(|span| clause.any(span, class));
    let organisation = |span: Span| {
        clause
            .named(span)
            .any(|place| place.entity.kind == EntityKind::Organization)
    };
    let person_only = |span: Span| {
        clause
            .named(span)
            .any(|place| place.entity.kind == EntityKind::Person)
            && !organisation(span)
    };
    let capital = |span: Span| {
        let first = &clause.tokens[span.start];
        !first.is(shape::NUMBER)
            && first
                .text
                .chars()
                .any(|letter| letter.is_uppercase() || !letter.is_ascii())
    };
    let authority = clause.is_authority(subject);
    let sum = value::near(clause, trigger.kind, at, end);
    let sum_after = sum
        .as_ref()
        .is_some_and(|(_, first)| *first >= end && *first < end + SUM_REACH);
    let around = Span {
        start: at.saturating_sub(10),
        end: clause.tokens.len().min(end + 16),
    };
    let after = Span {
        start: end.min(around.end),
        end: around.end,
    };
    let court = clause.any(subject, class::COURT);
    let fits = match trigger.need {
        Need::None => true,
        Need::Asset | Need::Firm
            // The object of a noun is followed by the verb of its sentence.
            if trigger.form != Form::Noun
                && affected.is_some_and(|object| is_thing_of(clause, object)) =>
        {
            false
        }
        Need::Asset => {
            let object = affected?;
            holds(class::FIRM)
                || organisation(object)
                || !person_only(object)
                    && (sum.is_some() || capital(object))
                    && !holds(class::GOODS)
        }
        Need::Firm => {
            let object = affected?;
            (holds(class::FIRM) || organisation(object) || sum.is_some() && capital(object))
                && !holds(class::GOODS)
        }
        Need::Unit => {
            let object = affected?;
            holds(class::FIRM)
                && !(object.end - object.start <= 2
                    && clause.tokens[object.end - 1]
                        .text
                        .eq_ignore_ascii_case("shares"))
                && (organisation(subject) || clause.headline && capital(subject) && sum.is_some())
                && !holds(class::GOODS)
        }
        Need::Party => affected.is_some_and(|object| capital(object) && !person_only(object)),
        Need::Capital => {
            sum_after
                && !holds(class::RATES)
                && !authority
                && (clause.any(after, class::CAPITAL)
                    || organisation(subject) && !clause.any(after, class::RATES))
        }
        Need::Sum => {
            sum.as_ref()
                .is_some_and(|(_, first)| *first >= end && *first < end + 4)
                && clause.any(after, class::CAPITAL)
                && !clause.any(after, class::LAW)
        }
        Need::Money => sum_after,
        Need::Launch | Need::Novelty => {
            if clause
                .tokens
                .get(end)
                .is_some_and(|next| next.text.eq_ignore_ascii_case("of"))
            {
                return None;
            }
            let inquiry = affected.is_some() && holds(class::INQUIRY);
            if inquiry && authority && !court {
                return Some(EventKind::Regulation);
            }
            // `App launches in India`: the product launches itself.
            if affected.is_none() && trigger.need == Need::Launch && clause.headline {
                let next = clause.tokens.get(end).map_or("", |token| token.text);
                let numbered = |span: Span| {
                    clause.tokens[span.end - 1]
                        .text
                        .bytes()
                        .any(|byte| byte.is_ascii_digit())
                };
                let product = numbered(subject)
                    || roles.passive
                    || clause
                        .named(subject)
                        .any(|place| place.entity.kind == EntityKind::Product)
                    || clause.any(subject, class::PRODUCT)
                    || clause.is(end, class::ADVERB)
                    || clause.tokens[end - 1].text.ends_with("ing");
                return (length_is_one(at, end)
                    && product
                    && end < clause.tokens.len()
                    && !clause.is(end, class::AUXILIARY)
                    && !next.eq_ignore_ascii_case("of")
                    && !next.eq_ignore_ascii_case("into")
                    && !next.eq_ignore_ascii_case("against")
                    && !clause.any(subject, class::HOSTILE))
                .then_some(EventKind::Launch);
            }
            let object = affected?;
            if authority && holds(class::LAW) && trigger.need == Need::Novelty {
                return Some(EventKind::Regulation);
            }
            let paper = trigger.need == Need::Novelty && holds(class::PAPER | class::LAW);
            let crime = roles.passive && clause.any(object, class::CRIME);
            !paper && !crime && !holds(class::HOSTILE)
        }
        Need::Product => {
            let object = affected?;
            let numbered = (object.start..object.end).any(|at| {
                clause.tokens[at]
                    .text
                    .bytes()
                    .any(|byte| byte.is_ascii_digit())
            });
            let known = clause
                .named(object)
                .any(|place| place.entity.kind == EntityKind::Product);
            (holds(class::PRODUCT) || numbered && capital(object) || known)
                && !holds(class::PAPER | class::HOSTILE | class::GOODS)
                && !authority
        }
        Need::Stake => {
            clause.any(after, class::FIRM)
                && (end..clause.tokens.len().min(end + 5)).any(|at| {
                    matches!(
                        clause.tokens[at].text.to_ascii_lowercase().as_str(),
                        "stake" | "stakes"
                    )
                })
        }
        Need::Item => {
            let numbered = (subject.start..subject.end).any(|at| {
                clause.tokens[at]
                    .text
                    .bytes()
                    .any(|byte| byte.is_ascii_digit())
            });
            let known = clause
                .named(subject)
                .any(|place| place.entity.kind == EntityKind::Product);
            clause.headline
                && (known || numbered && capital(subject))
                && !clause.any(subject, class::HOSTILE)
        }
        Need::Facility => holds(class::FACILITY) && !holds(class::INQUIRY | class::HOSTILE),
        Need::Deal => {
            let between = Span {
                start: end,
                end: roles.object?.start,
            };
            clause.any(between, class::AGREEMENT)
                && roles
                    .object
                    .is_some_and(|object| capital(object) && !person_only(object))
        }
        Need::Authority => {
            !court
                && if roles.passive && roles.object.is_none() {
                    organisation(subject)
                } else {
                    authority
                        && roles.object.is_some_and(|object| {
                            clause.headline
                                || holds(class::LAW)
                                || clause.named(object).next().is_some()
                        })
                }
        }
        Need::Law => {
            holds(class::LAW)
                && !affected.is_some_and(|span| {
                    (span.start..span.end).any(|at| {
                        matches!(
                            clause.tokens[at].text.to_ascii_lowercase().as_str(),
                            "statement"
                                | "report"
                                | "letter"
                                | "warning"
                                | "guidance"
                                | "apology"
                                | "criticism"
                        )
                    })
                })
                && !court
                && (authority || roles.passive && roles.object.is_none() && clause.headline)
        }
        Need::Fined => {
            authority
                && !court
                && roles
                    .object
                    .is_some_and(|object| clause.named(object).next().is_some())
        }
        Need::Probe => authority && !court && roles.object.is_some_and(organisation),
        Need::Suit => {
            !clause.any(
                Span {
                    start: 0,
                    end: clause.tokens.len(),
                },
                class::CRIME,
            ) && (trigger.form != Form::Verb || roles.object.is_some())
        }
    };
    fits.then_some(trigger.kind)
}

fn length_is_one(at: usize, end: usize) -> bool {
    end == at + 1
}

/// The party that a span names. A pronoun stands for the organisation before it, or else for that of the headline.
pub(super) fn who<'e>(
    clause: &Clause<'_, '_, 'e>,
    span: Span,
    mentions: &Mentions<'e>,
) -> Option<Actor<'e>> {
    let lone = span.end - span.start == 1;
    let pronoun = lone && clause.is(span.start, class::PRONOUN)
        || clause.written(span).eq_ignore_ascii_case("company");
    if !pronoun {
        return clause.doer(span);
    }
    if clause.headline {
        return None;
    }
    let organisation = |entity: &&'e model::EntityMention| entity.kind == EntityKind::Organization;
    let before = clause
        .places
        .iter()
        .filter(|place| place.end <= span.start)
        .map(|place| place.entity)
        .rfind(organisation);
    let main = || {
        mentions
            .entities
            .iter()
            .filter(|entity| entity.role == EntityRole::Subject)
            .find(organisation)
    };
    before.or_else(main).map(|entity| Actor {
        name: entity.name.clone(),
        entity: Some(entity),
    })
}
