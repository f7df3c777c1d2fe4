//! Two or three sentences that sum up the story.

use model::EntityKind;

use super::candidate::Candidate;
use super::reading::Reading;
use super::{Member, wording};
use crate::entities;
use crate::statement::terms;

/// The maximum number of sentences and words in a summary.
const SENTENCES: usize = 3;
const WORDS: usize = 85;

/// A selected or composed sentence, with the members that support it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) members: Vec<usize>,
}

/// If the headline covers this share of a sentence, the sentence adds nothing to it.
const REPEATS: f32 = 0.8;

/// What the headline says, and which listed company it is about.
pub(super) struct Subject<'a> {
    terms: Vec<(u32, f32)>,
    /// Its symbol, if the headline names one.
    company: Option<String>,
    members: &'a [Member<'a>],
}

impl<'a> Subject<'a> {
    pub(super) fn of(members: &'a [Member<'a>], headline: &str) -> Self {
        let mut named: Vec<String> = members
            .iter()
            .flat_map(|member| companies(member, headline))
            .collect();
        if named.is_empty() {
            named.extend(written_companies(headline));
        }
        named.sort_unstable();
        named.dedup();
        Self {
            terms: terms::distinct(headline),
            company: named.pop().filter(|_| named.is_empty()),
            members,
        }
    }

    /// Whether a sentence repeats the headline.
    fn is_repeated_by(&self, candidate: &Candidate<'_>) -> bool {
        let total: f32 = candidate
            .sentence
            .terms
            .iter()
            .map(|(_, rarity)| rarity)
            .sum();
        let held: f32 = candidate
            .sentence
            .terms
            .iter()
            .filter(|(term, _)| self.terms.binary_search_by_key(term, |own| own.0).is_ok())
            .map(|(_, rarity)| rarity)
            .sum();
        held >= REPEATS * total
    }

    /// Whether a sentence gives figures about a company other than the one in the headline.
    fn is_of_another(&self, candidate: &Candidate<'_>) -> bool {
        let Some(company) = &self.company else {
            return false;
        };
        if !candidate
            .sentence
            .text
            .contains(|sign: char| sign.is_ascii_digit())
        {
            return false;
        }
        let known = companies(&self.members[candidate.member], &candidate.sentence.text);
        let named: Vec<String> = known
            .chain(written_companies(&candidate.sentence.text))
            .collect();
        !named.is_empty() && !named.contains(company)
    }
}

/// Symbols of a member's listed companies whose names appear in a text.
fn companies<'t>(member: &'t Member<'_>, text: &'t str) -> impl Iterator<Item = String> + 't {
    let entities = member.annotations.entities.iter();
    entities
        .filter(|entity| entity.kind == EntityKind::Organization && text.contains(&entity.name))
        .filter_map(|entity| entity.ticker.clone())
}

/// Symbols of the listed companies that a text names, under any of their names: `Alphabet` is `Google`.
fn written_companies(text: &str) -> impl Iterator<Item = String> {
    let spans = entities::spans("", text).into_iter();
    spans
        .filter(|span| span.kind == EntityKind::Organization)
        .filter_map(|span| span.ticker)
}

/// Picks the summary from the candidates and returns their indices in printing order. The headline is not repeated if
/// there is something else to say.
pub(super) fn pick(
    candidates: &[Candidate<'_>],
    subject: &Subject<'_>,
    voice_of: impl Fn(usize) -> usize,
) -> Vec<usize> {
    // The names in a sentence are read only if it would be printed.
    let mut is_of_another: Vec<Option<bool>> = vec![None; candidates.len()];
    let mut is_fitting = |index: usize| {
        !*is_of_another[index].get_or_insert_with(|| subject.is_of_another(&candidates[index]))
    };
    let chosen = choose(candidates, &voice_of, |index| {
        !subject.is_repeated_by(&candidates[index]) && is_fitting(index)
    });
    if chosen.is_empty() {
        choose(candidates, &voice_of, is_fitting)
    } else {
        chosen
    }
}

fn choose(
    candidates: &[Candidate<'_>],
    voice_of: impl Fn(usize) -> usize,
    mut fits: impl FnMut(usize) -> bool,
) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut refused: Vec<usize> = Vec::new();
    let mut words = 0;
    while chosen.len() < SENTENCES {
        let best = candidates
            .iter()
            .enumerate()
            .filter(|(index, candidate)| {
                !chosen.contains(index)
                    && !refused.contains(index)
                    && !candidate.sentence.dependent
                    && !(chosen.is_empty()
                        && (candidate.sentence.speech || candidate.sentence.position > 3))
                    && (chosen.is_empty() || words + candidate.sentence.words <= WORDS)
                    && !(candidate.sentence.definite
                        && !chosen.is_empty()
                        && !is_led_up_to(candidates, &chosen, *index))
            })
            .filter_map(|(index, candidate)| {
                let overlap = chosen
                    .iter()
                    .map(|other| {
                        terms::shared(
                            &candidate.sentence.terms,
                            &candidates[*other].sentence.terms,
                        )
                    })
                    .fold(0.0_f32, f32::max);
                if overlap > 0.5 {
                    return None;
                }
                let new_voice = !chosen
                    .iter()
                    .any(|other| voice_of(candidates[*other].member) == voice_of(candidate.member));
                let bonus = if new_voice { 1.15 } else { 1.0 };
                Some((index, candidate.weight * (1.0 - overlap) * bonus))
            })
            .reduce(|best, other| if other.1 > best.1 { other } else { best });
        let Some((index, _)) = best else { break };
        if !fits(index) {
            refused.push(index);
            continue;
        }
        words += candidates[index].sentence.words;
        chosen.push(index);
        if words >= 60 && chosen.len() >= 2 {
            break;
        }
    }
    // The opening stays, followed by any other sentences from its source. The rest follows the order of its sources, so
    // that no text is read backwards.
    if let Some((opening, rest)) = chosen.split_first_mut() {
        let first = candidates[*opening].member;
        rest.sort_by_key(|index| {
            let candidate = &candidates[*index];
            (
                candidate.member != first,
                candidate.member,
                candidate.sentence.position,
            )
        });
    }
    chosen
}

/// Whether an earlier sentence of the same text is printed, so that readers know which company `the company` is.
fn is_led_up_to(candidates: &[Candidate<'_>], chosen: &[usize], index: usize) -> bool {
    let own = &candidates[index];
    chosen.iter().any(|other| {
        let other = &candidates[*other];
        other.member == own.member && other.sentence.position < own.sentence.position
    })
}

/// The members of other voices that say the same as a candidate.
pub(super) fn supporters(candidates: &[Candidate<'_>], index: usize) -> Vec<usize> {
    let own = &candidates[index];
    let mut members = vec![own.member];
    for other in candidates {
        if !members.contains(&other.member)
            && terms::shared(&own.sentence.terms, &other.sentence.terms) > 0.6
        {
            members.push(other.member);
        }
    }
    members.sort_unstable();
    members
}

/// The headline, if a summary opens with a sentence that refers to `the company` or `the move` as already known. Anyone
/// who reads the summary alone has to learn which one is meant.
pub(super) fn introduction(
    members: &[Member<'_>],
    candidates: &[Candidate<'_>],
    opening: &[usize],
    (titled, headline): (usize, &str),
) -> Option<Line> {
    let is_needed = opening
        .first()
        .is_some_and(|first| candidates[*first].sentence.definite);
    is_needed.then(|| attributed(members, titled, headline))
}

/// A headline in the words of its outlet.
pub(super) fn attributed(members: &[Member<'_>], member: usize, title: &str) -> Line {
    let outlet = wording::outlet(&members[member]);
    let verb = if title.ends_with('?') { "asks" } else { "says" };
    Line {
        text: wording::ended(&format!("{outlet} {verb}: {title}")),
        members: vec![member],
    }
}

/// At most `most` headlines that say something the sentences so far do not.
pub(super) fn uncovered_headlines<'a>(
    members: &[Member<'_>],
    readings: &[&'a Reading],
    leaders: &[usize],
    covered: &mut Vec<&'a [(u32, f32)]>,
    most: usize,
) -> Vec<Line> {
    let mut lines = Vec::new();
    for &leader in leaders {
        let headline = &readings[leader].headline;
        if lines.len() >= most || headline.text.is_empty() {
            continue;
        }
        let terms = headline.terms.as_slice();
        if terms.len() >= 3
            && covered
                .iter()
                .all(|other| terms::shared(terms, other) < 0.5)
        {
            lines.push(attributed(members, leader, &headline.text));
            covered.push(terms);
        }
    }
    lines
}

/// What can honestly be said if there are only headlines.
pub(super) fn from_headlines(
    members: &[Member<'_>],
    readings: &[&Reading],
    leaders: &[usize],
    chosen: usize,
    title: &str,
) -> Vec<Line> {
    let outlet = wording::outlet(&members[chosen]);
    let others: Vec<usize> = leaders
        .iter()
        .copied()
        .filter(|leader| *leader != chosen)
        .collect();
    let mut lines = Vec::new();
    if title.ends_with('?') {
        lines.push(Line {
            text: format!("{outlet} asks: {title}"),
            members: vec![chosen],
        });
    } else {
        let verb = match title.bytes().map(u32::from).sum::<u32>() % 3 {
            0 => "reports",
            1 => "writes",
            _ => "runs the headline",
        };
        lines.push(Line {
            text: wording::ended(&format!("{outlet} {verb}: {title}")),
            members: vec![chosen],
        });
    }
    let own = terms::distinct(title);
    for &other in others.iter().take(6) {
        let headline = &readings[other].headline;
        if headline.text.is_empty() || lines.len() >= 3 {
            continue;
        }
        if terms::shared(&own, &headline.terms) < 0.75 {
            lines.push(attributed(members, other, &headline.text));
        }
    }
    if lines.len() == 1 && !others.is_empty() {
        // Anyone with the same headline says the same sentence.
        let all: Vec<usize> = std::iter::once(chosen).chain(others).collect();
        let names: Vec<String> = all
            .iter()
            .map(|member| wording::outlet(&members[*member]))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let verb = if title.ends_with('?') {
            "ask"
        } else {
            "report"
        };
        lines[0] = Line {
            text: wording::ended(&format!("{} {verb}: {title}", wording::list(&names))),
            members: all,
        };
    }
    lines
}
