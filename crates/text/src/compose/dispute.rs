//! Where members contradict each other.
//!
//! Compared are the headlines and first sentences of independent members. A dispute is a figure that two of them give
//! differently, or an outcome that one denies of the other: their headlines share most of their words but stand on
//! different sides of a pair such as `approves | rejects`. Figures published more than a day apart are no dispute.

use std::sync::LazyLock;

use model::Timestamp;
use rustc_hash::FxHashMap;

use super::candidate::{self, Candidate};
use super::figure::{self, Figure, Measure};
use super::voices::Voices;
use super::{Member, headline, wording};
use crate::features;

/// Two members that cannot both be right.
#[derive(Clone, Debug)]
pub(super) enum Dispute {
    /// They give different figures for the same thing.
    Figures {
        measure: Measure,
        left: (usize, String),
        right: (usize, String),
    },
    /// They tell opposite outcomes.
    Outcome { left: usize, right: usize },
}

/// What a member says in its most prominent sentences.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) member: usize,
    pub(super) figures: Vec<Figure>,
    published_at: Timestamp,
    title: Vec<(u32, f32)>,
    sides: Vec<(usize, bool)>,
}

static OUTCOMES: LazyLock<FxHashMap<u32, Vec<(usize, bool)>>> = LazyLock::new(|| {
    let mut table: FxHashMap<u32, Vec<(usize, bool)>> = FxHashMap::default();
    for (pair, line) in
        wording::phrases(include_str!("../../data/compose/outcomes.txt")).enumerate()
    {
        for (side, words) in line.split('|').enumerate() {
            for stem in words.split_whitespace().filter_map(features::stem_hash) {
                let sides = table.entry(stem).or_default();
                if !sides.contains(&(pair, side == 0)) {
                    sides.push((pair, side == 0));
                }
            }
        }
    }
    table
});

/// The pairs of outcomes on which a headline takes a side; none where it denies something.
pub(super) fn sides_of(title: &str, terms: &[(u32, f32)]) -> Vec<(usize, bool)> {
    const DENIALS: [&str; 8] = [
        "not", "no", "never", "without", "fails", "failed", "cannot", "nor",
    ];
    let denies = title
        .split(|character: char| {
            !character.is_alphanumeric() && character != '\'' && character != '’'
        })
        .any(|word| {
            DENIALS.contains(&word.to_lowercase().as_str())
                || word.ends_with("n't")
                || word.ends_with("n’t")
        });
    if denies { Vec::new() } else { sides(terms) }
}

/// The pairs of outcomes on which words take a side, only where they take one side.
fn sides(terms: &[(u32, f32)]) -> Vec<(usize, bool)> {
    let mut sides: Vec<(usize, bool)> = terms
        .iter()
        .filter_map(|(hash, _)| OUTCOMES.get(hash))
        .flatten()
        .copied()
        .collect();
    sides.sort_unstable();
    sides.dedup();
    let both: Vec<usize> = sides
        .windows(2)
        .filter(|pair| pair[0].0 == pair[1].0)
        .map(|pair| pair[0].0)
        .collect();
    sides.retain(|(pair, _)| !both.contains(pair));
    sides
}

/// Whether two texts tell opposite outcomes of the same thing.
pub(super) fn is_opposite(
    left: &[(u32, f32)],
    right: &[(u32, f32)],
    left_sides: &[(usize, bool)],
    right_sides: &[(usize, bool)],
) -> bool {
    let opposed = left_sides
        .iter()
        .any(|(pair, side)| right_sides.contains(&(*pair, !side)));
    if !opposed {
        return false;
    }
    let plain = |terms: &[(u32, f32)]| -> Vec<(u32, f32)> {
        terms
            .iter()
            .filter(|(hash, _)| !OUTCOMES.contains_key(hash))
            .copied()
            .collect()
    };
    let (left, right) = (plain(left), plain(right));
    let common = left
        .iter()
        .filter(|(hash, _)| right.binary_search_by_key(hash, |term| term.0).is_ok())
        .count();
    common >= 3 && candidate::shared(&left, &right) >= 0.7
}

/// What the leaders say.
pub(super) fn statements(
    members: &[Member<'_>],
    voices: &Voices,
    candidates: &[Candidate],
) -> Vec<Statement> {
    voices
        .leaders
        .iter()
        .map(|&member| {
            let clean = headline::clean(&members[member].article.title);
            let mut figures = figure::figures(&clean);
            for candidate in candidates
                .iter()
                .filter(|candidate| candidate.member == member && candidate.position < 3)
            {
                figures.extend(figure::figures(&candidate.text));
            }
            let title = candidate::distinct_terms(&clean);
            Statement {
                member,
                figures,
                published_at: members[member].article.published_at,
                sides: sides_of(&clean, &title),
                title,
            }
        })
        .collect()
}

/// The disputes between statements, at most one for each measure and one about the outcome.
pub(super) fn find(statements: &[Statement]) -> Vec<Dispute> {
    let mut found: Vec<Dispute> = Vec::new();
    for (index, right) in statements.iter().enumerate() {
        for left in &statements[..index] {
            if is_opposite(&left.title, &right.title, &left.sides, &right.sides)
                && !found
                    .iter()
                    .any(|dispute| matches!(dispute, Dispute::Outcome { .. }))
            {
                found.push(Dispute::Outcome {
                    left: left.member,
                    right: right.member,
                });
            }
            // Later figures are news, not contradiction.
            let apart = left
                .published_at
                .since_ms(right.published_at)
                .saturating_abs();
            let differing = if apart <= Timestamp::DAY_MS {
                differing(left, right)
            } else {
                None
            };
            if let Some((here, there)) = differing {
                let known = found
                    .iter()
                    .any(|dispute| matches!(dispute, Dispute::Figures { measure, .. } if *measure == here.measure));
                if !known {
                    found.push(Dispute::Figures {
                        measure: here.measure,
                        left: (left.member, here.printed.clone()),
                        right: (right.member, there.printed.clone()),
                    });
                }
            }
        }
    }
    found
}

/// Comparable figures that differ, where neither statement also gives the other's figure.
fn differing<'a>(left: &'a Statement, right: &'a Statement) -> Option<(&'a Figure, &'a Figure)> {
    left.figures.iter().find_map(|here| {
        let there = right
            .figures
            .iter()
            .find(|there| here.is_comparable(there) && !here.agrees(there))?;
        let settled = right
            .figures
            .iter()
            .any(|other| here.measure == other.measure && here.agrees(other))
            || left
                .figures
                .iter()
                .any(|other| there.measure == other.measure && there.agrees(other));
        (!settled).then_some((here, there))
    })
}

/// How many pairs of leaders give the same figure.
pub(super) fn confirmations(statements: &[Statement]) -> usize {
    statements
        .iter()
        .enumerate()
        .flat_map(|(index, right)| statements[..index].iter().map(move |left| (left, right)))
        .filter(|(left, right)| {
            left.figures.iter().any(|here| {
                right
                    .figures
                    .iter()
                    .any(|there| here.is_comparable(there) && here.agrees(there))
            })
        })
        .count()
}

impl Measure {
    /// What the figure counts, for readers.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Killed => "the number of people killed",
            Self::Injured => "the number of people injured",
            Self::Missing => "the number of people missing",
            Self::Arrested => "the number of arrests",
            Self::JobsCut => "the number of jobs cut",
            Self::Money => "the amount",
            Self::Percent => "the percentage",
        }
    }
}

impl Dispute {
    /// The sentence that states the dispute.
    pub(super) fn sentence(&self, members: &[Member<'_>]) -> String {
        match self {
            Self::Figures {
                measure,
                left,
                right,
            } => format!(
                "Figures differ on {}: {} reports {}, while {} puts it at {}.",
                measure.noun(),
                wording::outlet(&members[left.0]),
                left.1,
                wording::outlet(&members[right.0]),
                right.1,
            ),
            Self::Outcome { left, right } => format!(
                "Accounts differ: {} has “{}”, while {} has “{}”.",
                wording::outlet(&members[*left]),
                headline::clean(&members[*left].article.title),
                wording::outlet(&members[*right]),
                headline::clean(&members[*right].article.title),
            ),
        }
    }

    /// Both members.
    pub(super) fn members(&self) -> [usize; 2] {
        match self {
            Self::Figures { left, right, .. } => [left.0, right.0],
            Self::Outcome { left, right } => [*left, *right],
        }
    }
}
