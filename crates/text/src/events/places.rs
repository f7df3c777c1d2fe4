//! Where the subject and object are relative to a trigger, depending on its form: active, passive, nominal, or two
//! parties that act together.

use model::{EntityKind, EventKind};

use super::clause::{Clause, Span};
use super::table::{Form, Need, Trigger, class};
use crate::annotate::lexed::{gap, shape};

/// The positions of the parties.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Roles {
    pub(super) subject: Option<Span>,
    pub(super) object: Option<Span>,
    pub(super) passive: bool,
}

/// Finds the phrases for the subject and object.
pub(super) fn find(
    clause: &Clause<'_, '_, '_>,
    at: usize,
    end: usize,
    group: usize,
    trigger: Trigger,
) -> Option<Roles> {
    let tokens = clause.tokens;
    let word = |at: usize| tokens.get(at).map_or("", |token| token.text);
    match trigger.form {
        Form::Verb | Form::Participle => {
            let by = word(end).eq_ignore_ascii_case("by") && !tokens[end].after(gap::BREAK);
            let being = (group..at).any(|at| {
                matches!(
                    word(at).to_ascii_lowercase().as_str(),
                    "was" | "were" | "been" | "being" | "be" | "is" | "are" | "gets" | "got"
                )
            }) && !word(at).ends_with("ing");
            let left = clause.left(group);
            if by {
                return Some(Roles {
                    subject: clause.right(end + 1),
                    object: left,
                    passive: true,
                });
            }
            // `sued for $900M by X`.
            if word(at).eq_ignore_ascii_case("sued")
                && ["for", "over"]
                    .iter()
                    .any(|why| word(end).eq_ignore_ascii_case(why))
                && let Some(subject) = by_whom(clause, end + 1)
            {
                return Some(Roles {
                    subject: Some(subject),
                    object: left,
                    passive: true,
                });
            }
            let bare = trigger.form == Form::Participle
                && clause.headline
                && (end >= tokens.len()
                    || tokens[end].after(gap::BREAK & !gap::QUOTE)
                    || clause.is(end, class::PREPOSITION)
                    || tokens[end].is(shape::NUMBER) && trigger.kind == EventKind::Regulation
                    || word(end).eq_ignore_ascii_case("today"));
            if being && trigger.form == Form::Participle || bare {
                return Some(Roles {
                    subject: left,
                    object: None,
                    passive: true,
                });
            }
            if being && word(at).ends_with("ed") {
                return Some(Roles {
                    subject: left,
                    object: None,
                    passive: true,
                });
            }
            let object = if trigger.need == Need::Deal {
                with(clause, end)
            } else if trigger.need == Need::Probe
                && matches!(word(end), "into" | "Into" | "against" | "Against")
            {
                clause.right(end + 1)
            } else if trigger.need == Need::Money {
                (end..tokens.len().min(end + 8))
                    .find(|at| matches!(word(*at), "in" | "In" | "into" | "Into"))
                    .and_then(|at| clause.right(at + 1))
            } else if tokens
                .get(end)
                .is_some_and(|token| token.after(gap::BREAK & !gap::QUOTE))
            {
                None
            } else {
                clause.right(end)
            };
            Some(Roles {
                subject: left,
                object,
                passive: false,
            })
        }
        Form::Passive => Some(Roles {
            subject: clause.right(end),
            object: clause.left(group),
            passive: true,
        }),
        Form::Noun => {
            let object = clause.right(end)?;
            let by = (object.end..tokens.len().min(object.end + 3))
                .find(|at| word(*at).eq_ignore_ascii_case("by"))
                .and_then(|at| clause.right(at + 1));
            let subject = by.or_else(|| bearer(clause, at)).or_else(|| {
                clause
                    .places
                    .iter()
                    .find(|place| {
                        place.end <= at
                            && matches!(
                                place.entity.kind,
                                EntityKind::Organization | EntityKind::Person
                            )
                    })
                    .map(|place| Span {
                        start: place.start,
                        end: place.end,
                    })
            });
            Some(Roles {
                subject,
                object: Some(object),
                passive: false,
            })
        }
        Form::State => Some(Roles {
            subject: clause.left(group),
            object: None,
            passive: false,
        }),
        Form::Target => {
            let left = clause.left(group);
            // Further along, `by` and `from` indicate the owner of something else: `over games made by Siemens`.
            let is = |at: usize, words: &[&str]| {
                words.iter().any(|one| word(at).eq_ignore_ascii_case(one))
            };
            let who = end + usize::from(is(end, &["filed", "brought"]));
            let by = is(who, &["by", "from"])
                .then(|| party(clause, who + 1))
                .flatten();
            Some(match by {
                Some(_) => Roles {
                    subject: by,
                    object: left,
                    passive: true,
                },
                None => Roles {
                    subject: left,
                    object: None,
                    passive: false,
                },
            })
        }
        Form::Pair => pair(clause, group),
        Form::Sale => sale(clause, end, group),
        Form::Offer => {
            let loose = matches!(
                word(end).to_ascii_lowercase().as_str(),
                "valuations"
                    | "market"
                    | "markets"
                    | "boom"
                    | "attempt"
                    | "investors"
                    | "rules"
                    | "frenzy"
                    | "window"
                    | "pipeline"
                    | "drought"
                    | "calendar"
                    | "stocks"
                    | "candidates"
                    | "law"
                    | "code"
                    | "reform"
            );
            if loose || trigger.kind == EventKind::Funding && !clause.headline {
                return None;
            }
            let of = word(end)
                .eq_ignore_ascii_case("of")
                .then(|| clause.right(end + 1))
                .flatten();
            Some(Roles {
                subject: of.or_else(|| bearer(clause, at)),
                object: None,
                passive: false,
            })
        }
    }
}

/// The buyer of what is sold. If the buyer is not named, there is none.
fn sale(clause: &Clause<'_, '_, '_>, end: usize, group: usize) -> Option<Roles> {
    let word = |at: usize| clause.tokens.get(at).map_or("", |token| token.text);
    let buyer = |to: usize| {
        word(to)
            .eq_ignore_ascii_case("to")
            .then(|| party(clause, to + 1))
            .flatten()
    };
    let is_done = ["sold", "offloaded", "divested"]
        .iter()
        .any(|done| word(end - 1).eq_ignore_ascii_case(done));
    if is_done && let Some(subject) = buyer(end) {
        return Some(Roles {
            subject: Some(subject),
            object: clause.left(group),
            passive: true,
        });
    }
    let object = clause.right(end)?;
    // Only the price, with the words around it, may come between the two.
    let is_price = |at: usize| {
        let token = &clause.tokens[at];
        !clause.breaks(at)
            && (token.is(shape::NUMBER | shape::DOLLAR)
                || clause.is(at, class::DETERMINER)
                || PRICE
                    .iter()
                    .any(|word| token.text.eq_ignore_ascii_case(word)))
    };
    let to = (object.end..clause.tokens.len().min(object.end + 8))
        .take_while(|at| !clause.breaks(*at))
        .find(|at| word(*at).eq_ignore_ascii_case("to"))?;
    (object.end..to).all(is_price).then_some(())?;
    Some(Roles {
        subject: Some(buyer(to)?),
        object: Some(object),
        passive: false,
    })
}

/// Words of a price between the thing sold and its buyer.
const PRICE: [&str; 14] = [
    "for", "in", "deal", "worth", "valued", "at", "about", "around", "some", "billion", "million",
    "bln", "mln", "bn",
];

/// Words before the name of a party: `to rival Siemens`. Other words are verbs or belong to somebody else.
const PARTY_WORDS: [&str; 9] = [
    "rival",
    "rivals",
    "competitor",
    "peer",
    "partner",
    "giant",
    "group",
    "firm",
    "company",
];

/// Whether a word may come before the name of a party: an article, or a word such as `rival`.
pub(super) fn may_precede_party(clause: &Clause<'_, '_, '_>, at: usize) -> bool {
    clause.is(at, class::DETERMINER)
        || PARTY_WORDS
            .iter()
            .any(|word| clause.tokens[at].text.eq_ignore_ascii_case(word))
}

/// The organisation or person named here, ignoring articles and words such as `rival`.
fn party(clause: &Clause<'_, '_, '_>, from: usize) -> Option<Span> {
    let before = (from..clause.tokens.len()).take_while(|at| may_precede_party(clause, *at));
    let start = from + before.count();
    let place = clause.places.iter().find(|place| place.start == start)?;
    matches!(
        place.entity.kind,
        EntityKind::Organization | EntityKind::Person
    )
    .then_some(Span {
        start,
        end: place.end,
    })
}

/// The party after the next `by` of the clause.
fn by_whom(clause: &Clause<'_, '_, '_>, from: usize) -> Option<Span> {
    (from..clause.tokens.len().min(from + 8))
        .take_while(|at| !clause.breaks(*at))
        .find(|at| clause.tokens[*at].text.eq_ignore_ascii_case("by"))
        .and_then(|at| party(clause, at + 1))
}

/// The phrase after the next `with`.
fn with(clause: &Clause<'_, '_, '_>, from: usize) -> Option<Span> {
    (from..clause.tokens.len().min(from + 12))
        .find(|at| clause.tokens[*at].text.eq_ignore_ascii_case("with"))
        .and_then(|at| clause.right(at + 1))
}

/// The party whose offering or takeover it is: the nearest name before it in its clause, with only sums and descriptive
/// words in between.
fn bearer(clause: &Clause<'_, '_, '_>, at: usize) -> Option<Span> {
    let mut from = at;
    while from > 0
        && at - from < 8
        && !clause.tokens[from].after(gap::OTHER | gap::COLON | gap::COMMA)
    {
        from -= 1;
    }
    let reach = Span {
        start: from,
        end: at,
    };
    if let Some(place) = clause
        .named(reach)
        .filter(|place| {
            matches!(
                place.entity.kind,
                EntityKind::Organization | EntityKind::Person
            ) && !clause
                .tokens
                .get(place.end)
                .is_some_and(|next| next.after(gap::HYPHEN))
                && !clause.any(
                    Span {
                        start: place.start,
                        end: place.end,
                    },
                    class::AUTHORITY,
                )
        })
        .last()
    {
        return Some(Span {
            start: place.start,
            end: place.end,
        });
    }
    // A run of capitalised words directly before it, or one with a possessive ending.
    let owner = (from..at)
        .rev()
        .find(|here| clause.tokens[*here].is(shape::POSSESSIVE));
    let end = owner.map_or(at, |owner| owner + 1);
    let start = (from..end)
        .rev()
        .take_while(|here| {
            clause.tokens[*here].is(shape::CAPITAL | shape::ALL_CAPS)
                && !clause.is(
                    *here,
                    class::DETERMINER
                        | class::PREPOSITION
                        | class::BOUNDARY
                        | class::ADVERB
                        | class::VERB,
                )
        })
        .last()?;
    Some(Span { start, end })
}

/// `X and Y`, `X, Y`.
fn pair(clause: &Clause<'_, '_, '_>, group: usize) -> Option<Roles> {
    let mut whole = clause.left(group)?;
    let opening = clause.tokens[whole.start].text;
    if opening.eq_ignore_ascii_case("and") && whole.end - whole.start > 1 {
        // `X, Y, and Z`: Z and the name before it.
        let first = clause.left(whole.start)?;
        whole.start += 1;
        return Some(Roles {
            subject: Some(first),
            object: Some(whole),
            passive: false,
        });
    }
    let and = (whole.start + 1..whole.end.saturating_sub(1))
        .rev()
        .find(|at| clause.tokens[*at].text.eq_ignore_ascii_case("and"));
    let (first, second) = if let Some(and) = and {
        (
            Span {
                start: whole.start,
                end: and,
            },
            Span {
                start: and + 1,
                end: whole.end,
            },
        )
    } else if clause.tokens[whole.start].after(gap::COMMA) {
        (clause.left(whole.start)?, whole)
    } else if clause.written(whole).contains(" & ") {
        let at = (whole.start + 1..whole.end).find(|at| {
            let upto = Span {
                start: whole.start,
                end: *at,
            };
            clause.written(whole)[clause.written(upto).len()..]
                .trim_start()
                .starts_with('&')
        })?;
        (
            Span {
                start: whole.start,
                end: at,
            },
            Span {
                start: at,
                end: whole.end,
            },
        )
    } else {
        // A single plural name: `rivals join forces`.
        let plural = clause.tokens[whole.end - 1].text.ends_with('s');
        return plural.then_some(Roles {
            subject: Some(whole),
            object: None,
            passive: false,
        });
    };
    Some(Roles {
        subject: Some(first),
        object: Some(second),
        passive: false,
    })
}
