//! Where outlets differ, put into a sentence.

use std::collections::{BTreeMap, BTreeSet};

use model::{BiasDirection, EntityRole};

use super::{OutletCoverage, Report};

/// Sentiments further apart than this count as different.
const SENTIMENT_APART: f64 = 0.15;
/// Number of names shown as shared.
const SHOWN_NAMES: usize = 10;
/// Number of names whose absence is reported.
const SHOWN_ABSENT: usize = 3;

/// The ways in which outlets differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContrastKind {
    /// They give different figures for one thing.
    Figure,
    /// One reports it more positively than another.
    Sentiment,
    /// They lean to different sides.
    Direction,
    /// Some use loaded words, others none.
    Wording,
    /// Some leave out somebody whom most name.
    Omission,
}

impl ContrastKind {
    /// The value used in the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Figure => "figure",
            Self::Sentiment => "tone",
            Self::Direction => "direction",
            Self::Wording => "wording",
            Self::Omission => "omission",
        }
    }
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    /// The type of difference.
    pub kind: ContrastKind,
    /// The difference as a sentence.
    pub statement: String,
    /// The outlets that differ, by domain.
    pub domains: Vec<String>,
}

/// Every difference except those in figures.
pub(super) fn contrasts(outlets: &[OutletCoverage], reports: &[Report<'_>]) -> Vec<Contrast> {
    let mut found = Vec::new();
    found.extend(sentiment(outlets));
    found.extend(direction(outlets));
    found.extend(wording(outlets));
    found.extend(omissions(outlets, reports));
    found
}

fn sentiment(outlets: &[OutletCoverage]) -> Option<Contrast> {
    let by_sentiment = |left: &&OutletCoverage, right: &&OutletCoverage| {
        left.sentiment.get().total_cmp(&right.sentiment.get())
    };
    let (low, high) = (
        outlets.iter().min_by(by_sentiment)?,
        outlets.iter().max_by(by_sentiment)?,
    );
    (high.sentiment.get() - low.sentiment.get() > SENTIMENT_APART).then(|| Contrast {
        kind: ContrastKind::Sentiment,
        statement: format!(
            "{} reports it most positively (sentiment {:.2}), {} most negatively ({:.2}).",
            high.name,
            high.sentiment.get(),
            low.name,
            low.sentiment.get()
        ),
        domains: vec![high.domain.clone(), low.domain.clone()],
    })
}

fn direction(outlets: &[OutletCoverage]) -> Option<Contrast> {
    let of = |direction| {
        outlets
            .iter()
            .filter(move |outlet| outlet.direction == direction)
    };
    let (left, right) = (of(BiasDirection::Left), of(BiasDirection::Right));
    let (left, right): (Vec<_>, Vec<_>) = (left.collect(), right.collect());
    (!left.is_empty() && !right.is_empty()).then(|| Contrast {
        kind: ContrastKind::Direction,
        statement: format!(
            "The wording of {} leans left, that of {} right.",
            listed(&left),
            listed(&right)
        ),
        domains: domains(left.into_iter().chain(right)),
    })
}

fn wording(outlets: &[OutletCoverage]) -> Option<Contrast> {
    let (loaded, plain): (Vec<_>, Vec<_>) = outlets
        .iter()
        .partition(|outlet: &&OutletCoverage| !outlet.loaded_words.is_empty());
    let word = loaded.first()?.loaded_words.first()?;
    (!plain.is_empty()).then(|| Contrast {
        kind: ContrastKind::Wording,
        statement: format!(
            "Loaded wording such as “{word}” appears in {}, but not in {}.",
            listed(&loaded),
            listed(&plain)
        ),
        domains: domains(loaded.into_iter().chain(plain)),
    })
}

/// Subjects that most outlets covering a story name, and that others with a text of their own do not.
fn omissions(outlets: &[OutletCoverage], reports: &[Report<'_>]) -> Vec<Contrast> {
    let mut stories: BTreeMap<i64, BTreeSet<&str>> = BTreeMap::new();
    for report in reports {
        stories
            .entry(report.story)
            .or_default()
            .insert(&report.article.domain);
    }
    let mut found: Vec<(usize, Contrast)> = Vec::new();
    for (story, covered_by) in stories {
        // With two outlets, neither is a majority.
        if covered_by.len() < 3 {
            continue;
        }
        let mut named_by: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for report in reports.iter().filter(|report| report.story == story) {
            for entity in &report.annotations.entities {
                if entity.role != EntityRole::Mentioned {
                    named_by
                        .entry(&entity.name)
                        .or_default()
                        .insert(&report.article.domain);
                }
            }
        }
        for (name, naming) in named_by {
            let silent: Vec<&OutletCoverage> = outlets
                .iter()
                .filter(|outlet| covered_by.contains(outlet.domain.as_str()))
                .filter(|outlet| is_silent(outlet, reports, story, name))
                .collect();
            if naming.len() * 3 >= covered_by.len() * 2 && !silent.is_empty() {
                let statement = format!(
                    "{} of {} outlets name {name}; {} {} not.",
                    naming.len(),
                    covered_by.len(),
                    listed(&silent),
                    if silent.len() == 1 { "does" } else { "do" },
                );
                let contrast = Contrast {
                    kind: ContrastKind::Omission,
                    statement,
                    domains: domains(silent.into_iter()),
                };
                found.push((naming.len(), contrast));
            }
        }
    }
    found.sort_by_key(|(naming, _)| std::cmp::Reverse(*naming));
    found
        .into_iter()
        .take(SHOWN_ABSENT)
        .map(|(_, contrast)| contrast)
        .collect()
}

/// Whether an outlet has a text on a story in which a name does not occur. A bare headline leaves out everything.
fn is_silent(outlet: &OutletCoverage, reports: &[Report<'_>], story: i64, name: &str) -> bool {
    let mut own = outlet
        .reports
        .iter()
        .map(|index| &reports[*index])
        .filter(|report| report.story == story)
        .peekable();
    own.peek().is_some()
        && own.all(|report| {
            !report.article.body.is_empty()
                && !report
                    .annotations
                    .entities
                    .iter()
                    .any(|entity| entity.name == name)
                && !report.article.body.contains(name)
        })
}

/// Names that more than half of the outlets, and at least two, mention. Those mentioned by most outlets come first.
pub(super) fn shared_entities(outlets: &[OutletCoverage], reports: &[Report<'_>]) -> Vec<String> {
    let mut named_by: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for report in reports {
        for entity in &report.annotations.entities {
            named_by
                .entry(&entity.name)
                .or_default()
                .insert(&report.article.domain);
        }
    }
    let mut shared: Vec<(&str, usize)> = named_by
        .into_iter()
        .map(|(name, naming)| (name, naming.len()))
        .filter(|(_, naming)| *naming >= 2 && naming * 2 > outlets.len())
        .collect();
    shared.sort_by_key(|(name, naming)| (std::cmp::Reverse(*naming), *name));
    shared
        .into_iter()
        .take(SHOWN_NAMES)
        .map(|(name, _)| name.to_owned())
        .collect()
}

/// `A`, `A and B`, `A, B and C`. More than four are given as a count.
fn listed(outlets: &[&OutletCoverage]) -> String {
    let names: Vec<&str> = outlets.iter().map(|outlet| outlet.name.as_str()).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first, second, third, _, rest @ ..] if !rest.is_empty() => {
            format!("{first}, {second}, {third} and {} others", rest.len() + 1)
        }
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

fn domains<'a>(outlets: impl Iterator<Item = &'a OutletCoverage>) -> Vec<String> {
    outlets.map(|outlet| outlet.domain.clone()).collect()
}
