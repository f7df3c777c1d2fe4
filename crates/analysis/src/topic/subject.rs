//! Decides which of the briefs that name a topic are about it.
//!
//! A passing mention does not make a brief about the topic. Two things together do. **Focus**: the headline names the
//! topic or the first sentence opens with it, it is a subject of the brief, or sentences come back to it. **Company**:
//! what else the brief says resembles what other briefs in focus say; a lamp that burns oil is in the company of no
//! report on oil. A subject of the brief, and a headline with several words of the topic, leave no doubt and need no
//! company. Both are measured on the briefs at hand, so no list decides which sense of a word is meant.

use std::borrow::Cow;

use model::{Brief, EntityKind, EntityRole, Section};
use text::embedding::{Embedding, embed, similarity};

use super::material::{LEAST_BRIEFS, Relevant};
use crate::terms::{coverage, terms};

/// Briefs below this are about something else.
const IN_FOCUS: f64 = 0.5;
/// A sentence opens with a topic that is named within this many words, plus as many as the topic has. What comes after
/// them is mostly an example or a place.
const OPENS: usize = 6;
/// Sentences come back to a topic if at least this many of them name it, and at least this fraction of all.
const COMES_BACK: usize = 2;
const OF_ALL: usize = 4;
/// Briefs keep each other company from this similarity on; those in the same category are judged a little more
/// leniently.
const ALIKE: f32 = 0.42;
const ALIKE_IN_CATEGORY: f32 = 0.34;
/// Reports in one chain of events are at least this similar.
const LINKED: f32 = 0.5;
/// A company has at least this fraction of the size of the largest one.
const LEAST_PART: usize = 5;

/// The language of the embedding table; briefs in other languages are not judged by their company.
const JUDGED: &str = "en";

/// Keeps the briefs that are about the topic, in order.
pub(super) fn keep(briefs: &mut Vec<Relevant>, topic: &str, words: &[u32]) {
    keep_focused(briefs, topic);
    for relevant in briefs.iter_mut() {
        relevant.meaning = beyond(&relevant.stored.brief, words);
    }
    let mut kept = in_company(briefs, words).into_iter();
    briefs.retain(|_| kept.next().unwrap_or(false));
}

/// Keeps the briefs that are about the topic on their own account, whatever the others are about.
pub(super) fn keep_focused(briefs: &mut Vec<Relevant>, topic: &str) {
    keep_form(briefs, topic);
    briefs.retain(Relevant::is_in_focus);
}

/// If enough headlines contain the topic's words exactly as asked, headlines with other words from the same stem are
/// about something else: what the House votes on is not housing.
fn keep_form(briefs: &mut Vec<Relevant>, topic: &str) {
    let forms: Vec<String> = text::token::words(topic)
        .filter(|word| text::features::stem_hash(word).is_some())
        .map(singular)
        .collect();
    let as_asked = |text: &str| {
        let held: Vec<String> = text::token::words(text).map(singular).collect();
        forms.iter().all(|form| held.contains(form))
    };
    let titled = briefs
        .iter()
        .filter(|relevant| as_asked(&relevant.stored.brief.headline))
        .count();
    if titled >= LEAST_BRIEFS {
        briefs.retain(|relevant| {
            let brief = &relevant.stored.brief;
            as_asked(&format!("{} {}", brief.headline, brief.summary))
        });
    }
}

/// A word in lower case, without a plural or possessive ending.
fn singular(word: &str) -> String {
    let lower = word.to_lowercase();
    let plain = lower.trim_end_matches("'s").trim_end_matches("’s");
    match (plain.strip_suffix("ies"), plain.strip_suffix('s')) {
        (Some(stem), _) if stem.len() > 2 => format!("{stem}y"),
        (_, Some(stem)) if stem.len() > 1 && !stem.ends_with(['s', 'u', 'i']) => stem.to_owned(),
        _ => plain.to_owned(),
    }
}

/// How much a brief is about the topic, 0 to 1: judged by its headline and opening, and by the share of its sentences
/// that name the topic.
pub(super) fn focus(brief: &Brief, words: &[u32], others: &[String]) -> f64 {
    let names = |text: &str| coverage(words, &terms(&without(text, others)));
    let sentences: Vec<&str> = brief
        .sentences
        .iter()
        .filter(|sentence| sentence.section != Section::Headline)
        .map(|sentence| sentence.text.as_str())
        .collect();
    let is_central = is_subject(brief, words, others)
        || opens_with(&sentences, words.len(), names)
        || comes_back(&sentences, names);
    let above = names(&brief.headline).max(if is_central { 0.8 } else { 0.0 });
    let named: f64 = sentences.iter().map(|sentence| names(sentence)).sum();
    let share = named / sentences.len().max(1) as f64;
    0.6 * above + 0.4 * share
}

/// Whether the first of these sentences opens with a topic of this many words: that is where a report says what it is
/// about.
fn opens_with(sentences: &[&str], words: usize, names: impl Fn(&str) -> f64) -> bool {
    sentences.first().is_some_and(|lead| {
        let opening: Vec<&str> = text::token::words(lead).take(OPENS + words).collect();
        names(&opening.join(" ")) >= 1.0
    })
}

/// Whether sentences name the topic repeatedly; a sentence that is printed twice counts once.
fn comes_back(sentences: &[&str], names: impl Fn(&str) -> f64) -> bool {
    let mut naming: Vec<&str> = sentences
        .iter()
        .copied()
        .filter(|sentence| names(sentence) >= 1.0)
        .collect();
    naming.sort_unstable();
    naming.dedup();
    naming.len() >= COMES_BACK && naming.len() * OF_ALL >= sentences.len()
}

/// Whether the topic is one of the subjects of a brief.
fn is_subject(brief: &Brief, words: &[u32], others: &[String]) -> bool {
    let mut subjects = brief
        .entities
        .iter()
        .filter(|entity| entity.role == EntityRole::Subject && !others.contains(&entity.name));
    subjects.any(|entity| {
        let names = std::iter::once(entity.name.as_str()).chain(entity.ticker.as_deref());
        names
            .into_iter()
            .any(|name| coverage(words, &terms(name)) >= 1.0)
    })
}

/// Names in a brief that contain a word of the topic after other words, as `White House` does for `housing`: such a
/// name is not the topic. If a topic begins a name (`Tesla`, `Hungary`) or is all of it, it is that name.
pub(super) fn others(brief: &Brief, words: &[u32]) -> Vec<String> {
    let is_other = |name: &str| {
        let mut parts = text::token::words(name);
        let opens = |word: &str| {
            text::features::stem_hash(word).is_some_and(|stem| words.binary_search(&stem).is_ok())
        };
        let held = terms(name);
        !parts.next().is_some_and(opens) && parts.any(opens) && coverage(&held, words) < 1.0
    };
    brief
        .entities
        .iter()
        .filter(|entity| {
            matches!(
                entity.kind,
                EntityKind::Organization | EntityKind::Location | EntityKind::Product
            )
        })
        .map(|entity| &entity.name)
        .filter(|name| is_other(name))
        .cloned()
        .collect()
}

/// A text without these names.
pub(super) fn without<'t>(text: &'t str, names: &[String]) -> Cow<'t, str> {
    names.iter().fold(Cow::Borrowed(text), |text, name| {
        if text.contains(name.as_str()) {
            Cow::Owned(text.replace(name.as_str(), " "))
        } else {
            text
        }
    })
}

impl Relevant {
    /// Whether the brief is about the topic rather than naming it in passing.
    pub(super) fn is_in_focus(&self) -> bool {
        self.focus >= IN_FOCUS
    }

    /// Whether two briefs can be links of one chain.
    pub(super) fn is_linked_to(&self, other: &Self) -> bool {
        similarity(&self.meaning, &other.meaning) >= LINKED
    }

    /// Whether two briefs say similar things apart from the topic's own words.
    fn is_like(&self, other: &Self) -> bool {
        let least = if self.stored.brief.category == other.stored.brief.category {
            ALIKE_IN_CATEGORY
        } else {
            ALIKE
        };
        similarity(&self.meaning, &other.meaning) >= least
    }
}

/// Which briefs are in company: each is linked to those that resemble it, and of the resulting groups, those count
/// that contain two briefs and are not small compared with the largest.
fn in_company(briefs: &[Relevant], words: &[u32]) -> Vec<bool> {
    let mut group: Vec<usize> = (0..briefs.len()).collect();
    for right in 0..briefs.len() {
        for left in 0..right {
            if briefs[left].is_like(&briefs[right]) {
                let (kept, gone) = (group[left].min(group[right]), group[left].max(group[right]));
                for of in group.iter_mut().filter(|of| **of == gone) {
                    *of = kept;
                }
            }
        }
    }
    let size = |of: usize| group.iter().filter(|other| **other == of).count();
    let largest = group.iter().map(|of| size(*of)).max().unwrap_or_default();
    let least = (largest / LEAST_PART).max(2);
    let is_clear = |relevant: &Relevant| {
        let brief = &relevant.stored.brief;
        brief.language != JUDGED
            || relevant.titled && words.len() > 1
            || is_subject(brief, words, &relevant.others)
    };
    group
        .iter()
        .zip(briefs)
        .map(|(of, relevant)| briefs.len() == 1 || size(*of) >= least || is_clear(relevant))
        .collect()
}

/// Whether the headline of a brief names the topic.
pub(super) fn is_titled(brief: &Brief, words: &[u32], others: &[String]) -> bool {
    coverage(words, &terms(&without(&brief.headline, others))) >= 1.0
}

/// The meaning of what a brief says apart from the topic's own words, which every brief has.
fn beyond(brief: &Brief, words: &[u32]) -> Embedding {
    let said = format!("{}. {}", brief.headline, brief.summary);
    let rest: Vec<&str> = text::token::words(&said)
        .filter(|word| {
            text::features::stem_hash(word).is_none_or(|stem| words.binary_search(&stem).is_err())
        })
        .collect();
    embed(&rest.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_in_passing_is_not_central() {
        let topic = terms("lithium");
        let names = |text: &str| coverage(&topic, &terms(text));
        let opens = |lead: &str| opens_with(&[lead, "Lithium rose too."], topic.len(), names);
        assert!(opens("The price of lithium rose by a third in May."));
        assert!(!opens(
            "Its president warned of a dependence on minerals such as lithium and cobalt."
        ));
        assert!(!opens_with(&[], topic.len(), names));

        let passing = "Among its goods are lithium and cobalt.";
        let other = "The ministry said so on Monday.";
        assert!(!comes_back(&[passing, passing, other], names));
        assert!(comes_back(
            &[passing, other, "It sells lithium to Velden."],
            names
        ));
        let few = [passing, "It sells lithium.", other, other, other];
        let many: Vec<&str> = few.iter().chain(&[other; 5]).copied().collect();
        assert!(comes_back(&few, names) && !comes_back(&many, names));
    }
}
