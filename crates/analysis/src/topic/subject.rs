//! Which of the briefs that name a topic are about it.
//!
//! A word in passing makes no brief about it. Two things do together. **Focus**: the headline or the first sentence names the
//! topic, or it is a subject or tag of the brief, or most sentences name it. **Company**: what else the brief says is like what other briefs in
//! focus say; a lamp that burns oil is in the company of no report on oil. A subject of the brief, and a headline with several
//! words of the topic, leave no doubt and need no company. Both are measured on the briefs at hand, so no list says which sense
//! of a word is meant.

use std::borrow::Cow;

use model::{Brief, EntityKind, EntityRole, Section};
use text::embedding::{Embedding, embed, similarity};

use super::material::{LEAST_BRIEFS, Relevant};
use crate::terms::{coverage, terms};

/// Briefs below this are about something else.
const IN_FOCUS: f64 = 0.5;
/// Briefs are in company from this similarity on; those of one category are judged a little more kindly.
const ALIKE: f32 = 0.42;
const ALIKE_IN_CATEGORY: f32 = 0.34;
/// Reports of one chain of events are as similar as that.
const LINKED: f32 = 0.5;
/// A company is this part of the largest one at least.
const LEAST_PART: usize = 5;

/// The language of the table of meanings; briefs in another one are not judged by their company.
const JUDGED: &str = "en";

/// Keeps the briefs that are about the topic, in their order.
pub(super) fn keep(briefs: &mut Vec<Relevant>, topic: &str, words: &[u32]) {
    keep_form(briefs, topic);
    briefs.retain(|relevant| relevant.focus >= IN_FOCUS);
    for relevant in briefs.iter_mut() {
        relevant.meaning = beyond(&relevant.stored.brief, words);
    }
    let mut kept = in_company(briefs, words).into_iter();
    briefs.retain(|_| kept.next().unwrap_or(false));
}

/// Where enough headlines hold the topic's words as asked, those with other words of one stem are about something else: what
/// the House votes on is no housing.
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

/// A word in small letters without the ending of a plural or of a possessor.
fn singular(word: &str) -> String {
    let lower = word.to_lowercase();
    let plain = lower.trim_end_matches("'s").trim_end_matches("’s");
    match (plain.strip_suffix("ies"), plain.strip_suffix('s')) {
        (Some(stem), _) if stem.len() > 2 => format!("{stem}y"),
        (_, Some(stem)) if stem.len() > 1 && !stem.ends_with(['s', 'u', 'i']) => stem.to_owned(),
        _ => plain.to_owned(),
    }
}

/// How much a brief is about the topic, 0 to 1: by what stands above and first in it, and by the share of its sentences that name it.
pub(super) fn focus(brief: &Brief, words: &[u32], others: &[String]) -> f64 {
    let names = |text: &str| coverage(words, &terms(&without(text, others)));
    let tagged = brief.tags.iter().any(|tag| names(tag) >= 1.0);
    let mut body = brief
        .sentences
        .iter()
        .filter(|sentence| sentence.section != Section::Headline);
    // A report says in its first sentence what it is about.
    let leads = body.next().is_some_and(|lead| names(&lead.text) >= 1.0);
    let above = names(&brief.headline)
        .max(if is_subject(brief, words, others) || leads {
            0.8
        } else {
            0.0
        })
        .max(if tagged { 0.65 } else { 0.0 });
    let sentences: Vec<f64> = brief
        .sentences
        .iter()
        .filter(|sentence| sentence.section != Section::Headline)
        .map(|sentence| names(&sentence.text))
        .collect();
    let share = sentences.iter().sum::<f64>() / sentences.len().max(1) as f64;
    0.6 * above + 0.4 * share
}

/// Whether one of the subjects of a brief is the topic.
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

/// Names in a brief that hold a word of the topic behind others, as `White House` does for `housing`: who is named there is
/// not the topic. A topic that begins a name (`Tesla`, `Hungary`) or is all of it is that name.
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
    /// Whether two briefs can be links of one chain.
    pub(super) fn is_linked_to(&self, other: &Self) -> bool {
        similarity(&self.meaning, &other.meaning) >= LINKED
    }

    /// Whether two briefs say similar things beside the topic's own words.
    fn is_like(&self, other: &Self) -> bool {
        let least = if self.stored.brief.category == other.stored.brief.category {
            ALIKE_IN_CATEGORY
        } else {
            ALIKE
        };
        similarity(&self.meaning, &other.meaning) >= least
    }
}

/// Which briefs are in company: each is tied to those that are like it, and of the groups that come of it, those count that
/// hold two briefs and are not small beside the largest.
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

/// The meaning of what a brief says beside the topic's own words, which every brief has.
fn beyond(brief: &Brief, words: &[u32]) -> Embedding {
    let said = format!("{}. {}", brief.headline, brief.summary);
    let rest: Vec<&str> = text::token::words(&said)
        .filter(|word| {
            text::features::stem_hash(word).is_none_or(|stem| words.binary_search(&stem).is_err())
        })
        .collect();
    embed(&rest.join(" "))
}
