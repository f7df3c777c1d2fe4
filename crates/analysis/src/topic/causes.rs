//! What may have caused what: connected reports in chronological order, and what sources say about causes.
//!
//! Order is not cause. A cause is given only if a source states it, and then as that source's statement; otherwise the
//! order is given as an order and nothing more.

use model::{Brief, Category};
use rustc_hash::FxHashMap;
use text::statement::cues::Cue;

use super::material::{Material, Relevant, headline};
use crate::sentences::{Sentence, choose, quoted};
use crate::terms::{coverage, terms};

/// The longest chain, and how many reports are considered for it.
const LONGEST: usize = 7;
const CONSIDERED: usize = 24;
/// Reports are connected from this many shared words on, which must make up this fraction of what the shorter one
/// says.
const LEAST_SHARED: usize = 2;
const LEAST_TIE: f64 = 0.12;
const MOST_TIE: f64 = 0.7;

/// One report in a chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// `YYYY-MM-DD`, UTC.
    pub date: String,
    /// Category of the brief.
    pub category: Category,
    /// Its headline.
    pub headline: String,
    /// Public id of the brief.
    pub brief_id: String,
}

/// A report as the chain sees it.
struct Report<'a> {
    importance: f64,
    relevant: &'a Relevant,
    brief: &'a Brief,
    /// What it says beyond the topic itself.
    words: Vec<u32>,
}

/// Connected reports, oldest first: the most important chain in which each report shares distinctive words with the
/// one before. Each comes with its headline, to be quoted inside a sentence.
pub(super) fn chain(material: &Material) -> Vec<(Link, String)> {
    if material.too_little.is_some() {
        return Vec::new();
    }
    let mut reports: Vec<Report<'_>> = material
        .briefs
        .iter()
        .filter(|relevant| relevant.stored.brief.language == material.language)
        .take(CONSIDERED)
        .map(|relevant| {
            let brief = &*relevant.stored.brief;
            let names: Vec<&str> = brief
                .entities
                .iter()
                .map(|entity| entity.name.as_str())
                .collect();
            let mut words = terms(&format!(
                "{} {} {}",
                brief.headline,
                brief.summary,
                names.join(" ")
            ));
            // The topic's own words connect nothing, because every report has them.
            words.retain(|word| !material.words.contains(word));
            Report {
                importance: relevant.importance(),
                relevant,
                brief,
                words,
            }
        })
        .collect();
    reports.sort_by_key(|report| (report.brief.published_at, report.brief.id));
    let mut seen: FxHashMap<u32, f64> = FxHashMap::default();
    for word in reports.iter().flat_map(|report| &report.words) {
        *seen.entry(*word).or_default() += 1.0;
    }
    let count = reports.len() as f64;
    let telling = |word: &u32| (1.0 + count / seen.get(word).copied().unwrap_or(1.0)).ln();
    let lengths: Vec<f64> = reports
        .iter()
        .map(|report| report.words.iter().map(telling).sum())
        .collect();
    // The best chain that ends with each report: its weight and the previous report.
    let mut best: Vec<(f64, Option<usize>, usize)> = Vec::with_capacity(reports.len());
    for (place, report) in reports.iter().enumerate() {
        let mut own = (report.importance, None, 1);
        for (before, earlier) in reports[..place].iter().enumerate() {
            let (weight, _, length) = best[before];
            let common: Vec<&u32> = report
                .words
                .iter()
                .filter(|word| earlier.words.binary_search(word).is_ok())
                .collect();
            let shared: f64 = common.iter().map(|word| telling(word)).sum();
            let tie = shared / lengths[place].min(lengths[before]).max(1e-9);
            // Reports that are nearly identical are one report, not a cause and its effect.
            if common.len() < LEAST_SHARED
                || !(LEAST_TIE..MOST_TIE).contains(&tie)
                || length >= LONGEST
                || !report.relevant.is_linked_to(earlier.relevant)
            {
                continue;
            }
            let joined = weight + report.importance * (0.3 + tie);
            if joined > own.0 {
                own = (joined, Some(before), length + 1);
            }
        }
        best.push(own);
    }
    let mut at = (0..best.len()).reduce(|left, right| {
        if best[right].0 > best[left].0 {
            right
        } else {
            left
        }
    });
    let mut chain = Vec::new();
    while let Some(place) = at {
        let brief = reports[place].brief;
        let link = Link {
            date: brief.published_at.date(),
            category: brief.category,
            headline: brief.headline.clone(),
            brief_id: brief.public_id.to_string(),
        };
        chain.push((link, headline(brief)));
        at = best[place].1;
    }
    chain.reverse();
    chain
}

/// What sources say about causes, and what only the chronological order suggests. Every sentence quotes what it is
/// about.
pub(super) fn analysis<'a>(
    material: &'a Material,
    chain: &[(Link, String)],
    used: &mut Vec<Vec<u32>>,
) -> (String, Vec<&'a Sentence>) {
    if let Some(reason) = &material.too_little {
        return (reason.clone(), Vec::new());
    }
    let stated = choose(&material.sentences, 3, used, |_, sentence| {
        if material.names(sentence) && Cue::Cause.is_in(&sentence.text) {
            (0.3 + coverage(&material.words, &sentence.terms)) * material.weight(sentence)
        } else {
            0.0
        }
    });
    let mut parts: Vec<String> = stated
        .iter()
        .map(|sentence| {
            format!(
                "{} gives a reason: {} ({}).",
                material.outlet(sentence),
                quoted(&sentence.text),
                sentence.published_at.date()
            )
        })
        .collect();
    match (chain, stated.is_empty()) {
        ([(first, opening), .., (last, newest)], none_stated) => {
            let caution = if none_stated {
                "; no source states a cause, so only their order in time links them"
            } else {
                "; coming first does not by itself make it the cause"
            };
            parts.push(format!(
                "Chronologically, {opening} ({}) came before {newest} ({}){caution}.",
                first.date, last.date,
            ));
        }
        ([(_, only)], true) => parts.push(format!(
            "{only} stands alone: no other report in the period has enough in common with it to suggest a cause."
        )),
        _ => {}
    }
    if parts.is_empty() {
        parts.push(super::context::without_sentences(material));
    }
    (parts.join(" "), stated)
}
