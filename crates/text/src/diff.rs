//! What changed from one revision of a brief to another, sentence by sentence and figure by figure.
//!
//! Sentences are equal if their words are, wherever they appear: one that moved from the body into the summary counts
//! as kept. The headline is compared by whoever displays it. Nothing here judges which revision is right.

use std::collections::BTreeMap;

use model::{Brief, BriefSource, DataPointKind, Section, SourcedSentence};
use rustc_hash::FxHashMap;

use crate::features::term;
use crate::statement::figures;

/// A new sentence rewords an old one if at least this share of their words is common to both.
const REWORDED: f64 = 0.5;

/// The changes from one revision to another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Difference<'a> {
    /// Sentences that only the later revision has, in its order.
    pub added: Vec<Added<'a>>,
    /// Sentences that only the earlier revision has, in its order.
    pub removed: Vec<&'a SourcedSentence>,
    /// How many sentences both have.
    pub kept: usize,
    /// Sources that only the later revision has.
    pub sources_added: Vec<&'a BriefSource>,
    /// Sources that only the earlier revision has.
    pub sources_removed: Vec<&'a BriefSource>,
    /// Figures that were added, removed or changed.
    pub figures: Vec<FigureChange>,
}

/// A new sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Added<'a> {
    /// The sentence.
    pub sentence: &'a SourcedSentence,
    /// The removed sentence that it rewords, if one has at least half of its words.
    pub replaces: Option<&'a str>,
}

/// A figure that changed.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureChange {
    /// What it measures: `killed`, `revenue`, `money`, `percent`.
    pub measure: String,
    /// The entity it belongs to, if stated.
    pub entity: Option<String>,
    /// As printed before, or `None` if it is new.
    pub before: Option<String>,
    /// As printed after, or `None` if it is gone.
    pub after: Option<String>,
    /// Its value before.
    pub before_value: Option<f64>,
    /// Its value after.
    pub after_value: Option<f64>,
}

/// Compares two revisions of one brief.
pub fn compare<'a>(before: &'a Brief, after: &'a Brief) -> Difference<'a> {
    let old: Vec<&SourcedSentence> = summary_and_body(before).collect();
    let mut open: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (place, sentence) in old.iter().enumerate().rev() {
        open.entry(spelled(&sentence.text)).or_default().push(place);
    }
    let mut is_kept = vec![false; old.len()];
    let mut fresh = Vec::new();
    for sentence in summary_and_body(after) {
        match open.get_mut(&spelled(&sentence.text)).and_then(Vec::pop) {
            Some(place) => is_kept[place] = true,
            None => fresh.push(sentence),
        }
    }
    let removed: Vec<&SourcedSentence> = old
        .iter()
        .zip(&is_kept)
        .filter(|(_, kept)| !**kept)
        .map(|(sentence, _)| *sentence)
        .collect();
    Difference {
        kept: is_kept.iter().filter(|kept| **kept).count(),
        added: replacing(fresh, &removed),
        removed,
        sources_added: missing(after, before),
        sources_removed: missing(before, after),
        figures: figures(before, after),
    }
}

/// The summary and the body.
fn summary_and_body(brief: &Brief) -> impl Iterator<Item = &SourcedSentence> {
    brief
        .sentences
        .iter()
        .filter(|sentence| sentence.section != Section::Headline)
}

/// A normalised spelling of a sentence: repeated spaces count once.
fn spelled(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// For each new sentence, the removed one that it rewords. Each removed one is used once, the most alike first.
fn replacing<'a>(
    fresh: Vec<&'a SourcedSentence>,
    removed: &[&'a SourcedSentence],
) -> Vec<Added<'a>> {
    let new_terms: Vec<Vec<u32>> = fresh.iter().map(|new| words(&new.text)).collect();
    let old_terms: Vec<Vec<u32>> = removed.iter().map(|old| words(&old.text)).collect();
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (new, new_terms) in new_terms.iter().enumerate() {
        for (old, old_terms) in old_terms.iter().enumerate() {
            let likeness = share(new_terms, old_terms);
            if likeness >= REWORDED {
                pairs.push((likeness, new, old));
            }
        }
    }
    pairs.sort_by(|left, right| {
        right
            .0
            .total_cmp(&left.0)
            .then_with(|| (left.1, left.2).cmp(&(right.1, right.2)))
    });
    let mut replaced: Vec<Option<usize>> = vec![None; fresh.len()];
    for (_, new, old) in pairs {
        if replaced[new].is_none() && !replaced.contains(&Some(old)) {
            replaced[new] = Some(old);
        }
    }
    fresh
        .into_iter()
        .zip(replaced)
        .map(|(sentence, old)| Added {
            sentence,
            replaces: old.map(|old| removed[old].text.as_str()),
        })
        .collect()
}

/// The stems of a text, ascending and distinct.
pub(crate) fn words(text: &str) -> Vec<u32> {
    let mut words: Vec<u32> = term::terms(text).map(|term| term.hash).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// The share of common words in all words of two texts.
fn share(left: &[u32], right: &[u32]) -> f64 {
    let common = left
        .iter()
        .filter(|word| right.binary_search(word).is_ok())
        .count();
    let all = left.len() + right.len() - common;
    if all == 0 {
        0.0
    } else {
        common as f64 / all as f64
    }
}

/// The sources of one revision that the other lacks.
fn missing<'a>(of: &'a Brief, from: &Brief) -> Vec<&'a BriefSource> {
    of.sources
        .iter()
        .filter(|source| {
            !from
                .sources
                .iter()
                .any(|known| known.article_id == source.article_id)
        })
        .collect()
}

/// What a figure measures, and for which entity.
type Measured = (String, Option<String>);

fn figures(before: &Brief, after: &Brief) -> Vec<FigureChange> {
    // If either revision was written without data points, both are read from their sentences, so that like is compared
    // with like.
    let (old, new) = if before.data_points.is_empty() || after.data_points.is_empty() {
        (from_sentences(before), from_sentences(after))
    } else {
        (from_points(before), from_points(after))
    };
    let mut changes = Vec::new();
    for (measured, now) in &new {
        let then = old.get(measured).map_or(&[][..], Vec::as_slice);
        let (mut came, mut went) = (lacking(now, then), lacking(then, now));
        // Only a single figure of a named measure can have turned into another. Two sums of money are two different
        // things.
        if came.len() == 1 && went.len() == 1 && is_named(&measured.0) {
            changes.push(change(measured, went.pop(), came.pop()));
        }
        let went = went.into_iter().map(|printed| (Some(printed), None));
        let came = came.into_iter().map(|printed| (None, Some(printed)));
        changes.extend(
            went.chain(came)
                .map(|(before, after)| change(measured, before, after)),
        );
    }
    for (measured, then) in &old {
        if !new.contains_key(measured) {
            let printed = lacking(then, &[]);
            changes.extend(
                printed
                    .into_iter()
                    .map(|printed| change(measured, Some(printed), None)),
            );
        }
    }
    changes
}

fn change(measured: &Measured, before: Option<Printed>, after: Option<Printed>) -> FigureChange {
    let (before_value, before) = before.unzip();
    let (after_value, after) = after.unzip();
    FigureChange {
        measure: measured.0.clone(),
        entity: measured.1.clone(),
        before,
        after,
        before_value,
        after_value,
    }
}

/// Whether a measure says more than the kind of its figures.
fn is_named(measure: &str) -> bool {
    !DataPointKind::ALL
        .iter()
        .any(|kind| kind.as_str() == measure)
}

/// The value of a figure, and how it is printed.
type Printed = (f64, String);

/// The figures of a revision, keyed by what they measure.
type Figures = BTreeMap<Measured, Vec<Printed>>;

fn from_points(brief: &Brief) -> Figures {
    let mut found = Figures::new();
    for point in &brief.data_points {
        let measure = point.measure.as_deref().unwrap_or(point.kind.as_str());
        found
            .entry((measure.to_lowercase(), point.entity.clone()))
            .or_default()
            .push((point.value, point.printed.clone()));
    }
    found
}

fn from_sentences(brief: &Brief) -> Figures {
    let mut found = Figures::new();
    for sentence in &brief.sentences {
        for figure in figures::of_text(&sentence.text) {
            found
                .entry((
                    figure.measure.unwrap_or(figure.kind.as_str()).to_owned(),
                    None,
                ))
                .or_default()
                .push((figure.value, figure.printed.to_owned()));
        }
    }
    found
}

/// The values that the others lack, each once.
fn lacking(figures: &[Printed], others: &[Printed]) -> Vec<Printed> {
    let mut found: Vec<Printed> = Vec::new();
    for (value, printed) in figures {
        let is_among = |many: &[Printed]| many.iter().any(|(other, _)| other == value);
        if !is_among(others) && !is_among(&found) {
            found.push((*value, printed.clone()));
        }
    }
    found
}

#[cfg(test)]
mod tests;
