//! Whether a passage supports a claim, contradicts it or leaves it open.
//!
//! The reading has two steps. [`Features`] are measured facts about the two texts: how much of the claim the passage covers,
//! weighted by rareness, where names, quantities, years, denials and directions agree or collide. A small model, fitted on
//! public pairs of claims and evidence and stored as a table, turns them into three shares that add up to one.
//! No word of a passage is an instruction: passages are only compared.

mod features;
mod opposites;
mod overlap;
mod trees;

use std::sync::LazyLock;

pub use features::{FEATURES, Features};
use text::statement::proposition::Proposition;
use trees::Trees;

static MODEL: LazyLock<Trees> = LazyLock::new(|| Trees::parse(include_str!("../data/stance.tsv")));

/// How a passage relates to a claim: three shares that add up to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance {
    /// The passage states what the claim states.
    pub supports: f64,
    /// The passage states what the claim excludes.
    pub contradicts: f64,
    /// The passage leaves the claim open.
    pub neutral: f64,
}

impl Stance {
    /// Measures a passage, given as its sentences, by a claim.
    pub fn of(claim: &Proposition<'_>, passage: &[Proposition<'_>]) -> Self {
        Self::from_features(&Features::of(claim, passage))
    }

    /// Measures a passage that is a sentence with the headline above it, either of which may be empty.
    pub fn of_passage(claim: &Proposition<'_>, title: &str, text: &str) -> Self {
        let parsed: Vec<Proposition<'_>> = [title, text]
            .into_iter()
            .filter(|part| !part.is_empty())
            .map(Proposition::parse)
            .collect();
        Self::of(claim, &parsed)
    }

    /// What the model makes of measured features.
    pub fn from_features(features: &Features) -> Self {
        let [supports, contradicts, neutral] = MODEL.shares(features.values());
        Self {
            supports,
            contradicts,
            neutral,
        }
    }
}
