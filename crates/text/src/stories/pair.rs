//! What two articles have in common, as numbers.
//!
//! The numbers are measured here and named in [`FEATURES`]. What they mean together is fitted
//! (`scripts/fit_stories.py`) on pairs of real items labelled by reading them, and is in [`super::chance`].

use model::{Features, Timestamp};

use super::REACH_MS;
use crate::embedding::{self, Embedding};
use crate::features::{self, ALONE, TEMPLATE, names};
use crate::sketch;

/// The names of the measurements, in order.
pub const FEATURES: [&str; 27] = [
    "cosine",
    "cosine_common",
    "cosine_outlet",
    "evidence",
    "rare_first",
    "rare_second",
    "rare_third",
    "headline_least",
    "headline_most",
    "headline_both",
    "names",
    "numbers_shared",
    "numbers_missing_least",
    "numbers_missing_most",
    "opening_least",
    "opening_most",
    "gap_hours",
    "same_outlet",
    "same_pattern",
    "pattern_count",
    "wording",
    "templates",
    "meaning",
    "same_numbers",
    "supported",
    "exchanged",
    "report_least",
];

/// What two articles have in common.
pub type Measured = [f32; FEATURES.len()];

/// A number with this weight is in a headline or all over a short text.
const HEAVY_NUMBER: f32 = 0.1;
/// Below this similarity two articles are not examined further.
const LEAST_COSINE: f64 = 0.04;
/// A term is heavy if it carries more than its share of a text with 64 terms.
const HEAVY: f32 = 0.125;
/// A term found in a larger share of the stories near in time loses weight. A number of stories without it are imagined
/// in addition to the real ones, so that few prove little.
const COMMON: f64 = 0.007;
const IMAGINED: f64 = 2000.0;
/// The same for the articles of one outlet: what all of them say is boilerplate, or a series.
const COMMON_IN_OUTLET: f64 = 0.05;
const IMAGINED_IN_OUTLET: f64 = 20.0;

/// An article as stored, in as little space as possible.
#[derive(Debug)]
pub(super) struct Kept {
    terms: Box<[u32]>,
    /// In steps of 1/65535.
    weights: Box<[u16]>,
    headline: Box<[u32]>,
    sketch: Box<[u32]>,
    names: Box<[u32]>,
    meaning: Option<Box<Embedding>>,
    pattern: u32,
    outlet: u32,
    report: u8,
    is_template: bool,
    /// Whether it reports no single event.
    pub(super) is_alone: bool,
    pub(super) time: Option<Timestamp>,
}

impl Kept {
    pub(super) fn of(features: &Features, outlet: u32, time: Option<Timestamp>) -> Self {
        let step = |weight: f32| (weight.clamp(0.0, 1.0) * f32::from(u16::MAX)).round() as u16;
        let is_template = is_template(features);
        let terms = features
            .terms
            .iter()
            .filter(|term| !features::is_mark(term.0));
        Self {
            terms: terms.clone().map(|(term, _)| *term).collect(),
            weights: terms.map(|(_, weight)| step(*weight)).collect(),
            headline: features.headline.clone().into_boxed_slice(),
            sketch: features.sketch.clone().into_boxed_slice(),
            names: features.names.clone().into_boxed_slice(),
            meaning: meaning(features).map(Box::new),
            pattern: features.pattern,
            outlet,
            report: features.report,
            is_template,
            is_alone: is_alone(features),
            time,
        }
    }

    fn iter(&self) -> impl Iterator<Item = (u32, f32)> {
        let weights = self
            .weights
            .iter()
            .map(|weight| f32::from(*weight) / f32::from(u16::MAX));
        self.terms.iter().copied().zip(weights)
    }

    fn weight(&self, term: u32) -> Option<f32> {
        let at = self.terms.binary_search(&term).ok()?;
        Some(f32::from(self.weights[at]) / f32::from(u16::MAX))
    }

    /// The outlet and the pattern of the headline.
    pub(super) fn series(&self) -> (u32, u32) {
        (self.outlet, self.pattern)
    }
}

fn is_template(features: &Features) -> bool {
    let first = features.terms.first();
    first.is_some_and(|term| term.0 == TEMPLATE)
}

/// Whether the form of an article means that it reports no single event.
pub(super) fn is_alone(features: &Features) -> bool {
    features
        .terms
        .iter()
        .take_while(|term| features::is_mark(term.0))
        .any(|term| term.0 == ALONE)
}

/// How probable it is that an article reports an event. If that is unknown, the usual value.
fn report(steps: u8) -> f32 {
    const USUAL: f32 = 0.7;
    if steps == 0 {
        USUAL
    } else {
        f32::from(steps) / f32::from(u8::MAX)
    }
}

fn meaning(features: &Features) -> Option<Embedding> {
    let bytes = features.meaning.as_slice().try_into().ok()?;
    Some(Embedding::from_bytes(bytes))
}

/// A term of a new article.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own {
    pub(super) term: u32,
    pub(super) weight: f32,
    /// What remains of it after discounting for being common these days.
    pub(super) left: f32,
    /// What remains of it after discounting for what its outlet says every time.
    own: f32,
    /// How rare it is among the stories near in time.
    rarity: f32,
}

/// A new article prepared for comparison with others.
pub(super) struct Query<'a> {
    /// Ascending.
    pub(super) terms: Vec<Own>,
    lengths: [f64; 3],
    features: &'a Features,
    meaning: Option<Embedding>,
    is_template: bool,
    outlet: u32,
    time: Option<Timestamp>,
}

impl<'a> Query<'a> {
    /// `frequency` gives the number of stories near in time, out of `count`, in which a term occurs.
    pub(super) fn new(
        features: &'a Features,
        outlet: u32,
        time: Option<Timestamp>,
        count: usize,
        frequency: impl Fn(u32) -> usize,
    ) -> Self {
        let all = count as f64 + IMAGINED;
        let terms = features
            .terms
            .iter()
            .filter(|term| !features::is_mark(term.0));
        let terms = terms.map(|(term, weight)| {
            let found = frequency(*term) as f64;
            Own {
                term: *term,
                weight: *weight,
                left: left(found / all, COMMON),
                own: 1.0,
                rarity: (all / (found + 0.5)).ln() as f32,
            }
        });
        let mut query = Self {
            terms: terms.collect(),
            lengths: [0.0; 3],
            features,
            meaning: meaning(features),
            is_template: is_template(features),
            outlet,
            time,
        };
        query.measure_lengths();
        query
    }

    fn measure_lengths(&mut self) {
        let length = |left: fn(&Own) -> f32| {
            let squares = self
                .terms
                .iter()
                .map(|own| own.weight * own.weight * left(own));
            f64::from(squares.sum::<f32>()).sqrt().max(1e-6)
        };
        self.lengths = [
            length(|_| 1.0),
            length(|own| own.left),
            length(|own| own.left * own.own),
        ];
    }

    /// Reduces the weight of what the article's outlet says every time: `found` of its `count` articles contain the
    /// term at that index.
    pub(super) fn discount(&mut self, found: &[u32], count: u32) {
        for (own, found) in self.terms.iter_mut().zip(found) {
            own.own = left(
                f64::from(*found) / (f64::from(count) + IMAGINED_IN_OUTLET),
                COMMON_IN_OUTLET,
            );
        }
        self.measure_lengths();
    }

    pub(super) fn outlet(&self) -> u32 {
        self.outlet
    }

    /// The outlet and the pattern of the headline.
    pub(super) fn series(&self) -> (u32, u32) {
        (self.outlet, self.features.pattern)
    }

    /// Whether the time between both is short enough to compare them.
    pub(super) fn is_near(&self, other: &Kept) -> bool {
        match (self.time, other.time) {
            (Some(time), Some(other)) => time.since_ms(other).saturating_abs() <= REACH_MS,
            _ => true,
        }
    }

    /// What this article has in common with another one. `None` if that is too little, or if too much time lies between
    /// them. `recurring` gives the number of articles near in time with a given outlet and pattern.
    pub(super) fn measure(
        &self,
        other: &Kept,
        recurring: impl Fn((u32, u32)) -> u32,
    ) -> Option<Measured> {
        let gap = match (self.time, other.time) {
            (Some(time), Some(other)) => Some(time.since_ms(other).saturating_abs()),
            _ => None,
        };
        if gap.is_some_and(|gap| gap > REACH_MS) {
            return None;
        }
        let shared = self.shared(other);
        if shared.cosines[0] < LEAST_COSINE {
            return None;
        }
        let (headline, headlines) = self.headlines(other);
        let missing = self.missing_numbers(other);
        let opening = |ours: bool| -> f32 {
            let (front, holds): (&[u32], &dyn Fn(u32) -> bool) = if ours {
                (&self.features.headline, &|term| {
                    other.weight(term).is_some()
                })
            } else {
                (&other.headline, &|term| self.find(term).is_some())
            };
            let front = &front[..front.len().min(2)];
            if front.is_empty() {
                return -1.0;
            }
            front.iter().filter(|term| holds(**term)).count() as f32 / front.len() as f32
        };
        let openings = (opening(true), opening(false));
        let is_same_outlet = self.outlet == other.outlet && self.outlet != 0;
        let is_same_pattern =
            is_same_outlet && self.features.pattern != 0 && self.features.pattern == other.pattern;
        let count = |series: (u32, u32)| if series.1 == 0 { 0 } else { recurring(series) };
        let recurs = count(self.series()).max(count(other.series()));
        let meaning = match (&self.meaning, &other.meaning) {
            (Some(ours), Some(theirs)) => embedding::similarity(ours, theirs),
            _ => 0.0,
        };
        let flag = |is: bool| f32::from(u8::from(is));
        let [plain, common, outlet] = shared.cosines.map(|cosine| cosine as f32);
        let [first, second, third] = shared.rare;
        Some([
            plain,
            common,
            outlet,
            shared.evidence,
            first,
            second,
            third,
            headline.0.min(headline.1),
            headline.0.max(headline.1),
            headlines,
            shared.names,
            shared.numbers,
            missing.0.min(missing.1),
            missing.0.max(missing.1),
            openings.0.min(openings.1),
            openings.0.max(openings.1),
            gap.map_or(-1.0, |gap| gap as f32 / Timestamp::HOUR_MS as f32),
            flag(is_same_outlet),
            flag(is_same_pattern),
            (recurs as f32).ln_1p(),
            sketch::overlap(&self.features.sketch, &other.sketch) as f32,
            flag(self.is_template) + flag(other.is_template),
            meaning,
            if missing.0 + missing.1 > 0.0 {
                -shared.numbers
            } else {
                shared.numbers
            },
            supported(common, shared.evidence, gap),
            flag(self.is_exchanged(other)),
            report(self.features.report).min(report(other.report)),
        ])
    }

    /// Whether each gives heavy numbers that the other does not have: the next issue of a series is worded like this
    /// one, but is not a copy of it.
    pub(super) fn counts_otherwise(&self, other: &Kept) -> bool {
        let heavy = |term: u32, weight: f32| weight >= HEAVY_NUMBER && features::is_number(term);
        let missing_there = self
            .terms
            .iter()
            .any(|own| heavy(own.term, own.weight) && other.weight(own.term).is_none());
        missing_there
            && other
                .iter()
                .any(|(term, weight)| heavy(term, weight) && self.find(term).is_none())
    }

    /// Whether each is about somebody whom the other does not name: the content is similar, but the party it concerns
    /// is different.
    fn is_exchanged(&self, other: &Kept) -> bool {
        let names = &self.features.names;
        let Some((ours, theirs)) = names::subject(names).zip(names::subject(&other.names)) else {
            return false;
        };
        let (ours, theirs) = (names::word(ours), names::word(theirs));
        let named = |all: &[u32], word: u32| all.iter().any(|name| names::word(*name) == word);
        let in_terms = |terms: &[u32], word: u32| {
            let at = terms.partition_point(|term| names::word(*term) < word);
            terms.get(at).is_some_and(|term| names::word(*term) == word)
        };
        let we_say = |word: u32| {
            let at = self
                .terms
                .partition_point(|own| names::word(own.term) < word);
            let own = self.terms.get(at);
            own.is_some_and(|own| names::word(own.term) == word)
        };
        !named(&other.names, ours)
            && !named(names, theirs)
            && !in_terms(&other.terms, ours)
            && !we_say(theirs)
    }

    fn find(&self, term: u32) -> Option<&Own> {
        let at = self
            .terms
            .binary_search_by_key(&term, |own| own.term)
            .ok()?;
        self.terms.get(at)
    }

    /// The combined measurements of the terms of both.
    fn shared(&self, other: &Kept) -> Shared {
        let mut products = [0.0_f32; 3];
        let mut lost = [0.0_f32; 3];
        let mut found = Shared::default();
        let (mut names, mut all_names) = (0.0_f32, 0.0_f32);
        let mut here = self.terms.as_slice();
        for (term, theirs) in other.iter() {
            while here.first().is_some_and(|own| own.term < term) {
                here = &here[1..];
            }
            if features::is_name(term) {
                all_names += theirs;
            }
            let Some(own) = here.first().filter(|own| own.term == term) else {
                continue;
            };
            let lefts = [1.0, own.left, own.left * own.own];
            for (at, left) in lefts.into_iter().enumerate() {
                products[at] += own.weight * theirs * left;
                // The other vector gets shorter by what its common terms lose. Only shared ones are known here.
                lost[at] += theirs * theirs * (1.0 - left);
            }
            let least = own.weight.min(theirs);
            let heavy = (least / HEAVY).min(1.0) * lefts[2];
            if features::is_pair(term) {
                found.evidence -= heavy;
            } else if features::is_name(term) {
                names += least;
            } else {
                found.evidence += heavy;
                found.numbers += f32::from(u8::from(features::is_number(term)));
                found.note_rarity(own.rarity);
            }
        }
        let own_names: f32 = self
            .terms
            .iter()
            .filter(|own| features::is_name(own.term))
            .map(|own| own.weight)
            .sum();
        found.names = if own_names > 0.0 && all_names > 0.0 {
            names / own_names.min(all_names)
        } else {
            -1.0
        };
        for (at, cosine) in found.cosines.iter_mut().enumerate() {
            let theirs = f64::from(1.0 - lost[at]).max(1e-3).sqrt();
            *cosine = (f64::from(products[at]) / (self.lengths[at] * theirs)).min(1.0);
        }
        found
    }

    /// The share of each headline, by weight, that the other article contains, and the share of both headlines that is
    /// in both. It is -1 if one was stored before headlines were kept.
    fn headlines(&self, other: &Kept) -> ((f32, f32), f32) {
        let is_stored_without = |headline: &[u32], meaning: bool| headline.is_empty() && !meaning;
        if is_stored_without(&self.features.headline, self.meaning.is_some())
            || is_stored_without(&other.headline, other.meaning.is_some())
        {
            return ((-1.0, -1.0), -1.0);
        }
        let (mut ours, mut held) = (1e-6_f32, 0.0_f32);
        let mut both = 0.0;
        for term in &self.features.headline {
            let Some(own) = self.find(*term) else {
                continue;
            };
            let weight = own.weight * own.left;
            ours += weight;
            if other.weight(*term).is_some() {
                held += weight;
            }
            if other.headline.contains(term) {
                both += weight;
            }
        }
        let (mut theirs, mut found) = (1e-6_f32, 0.0_f32);
        for term in &*other.headline {
            let Some(weight) = other.weight(*term) else {
                continue;
            };
            let own = self.find(*term);
            let weight = weight * own.map_or(1.0, |own| own.left);
            theirs += weight;
            if own.is_some() {
                found += weight;
            }
        }
        (
            (held / ours, found / theirs),
            both / (ours + theirs - both).max(1e-6),
        )
    }

    /// How many numbers in each headline the other article does not have.
    fn missing_numbers(&self, other: &Kept) -> (f32, f32) {
        let numbers = |headline: &[u32], holds: &dyn Fn(u32) -> bool| {
            headline
                .iter()
                .filter(|term| features::is_number(**term) && !holds(**term))
                .count() as f32
        };
        (
            numbers(&self.features.headline, &|term| {
                other.weight(term).is_some()
            }),
            numbers(&other.headline, &|term| self.find(term).is_some()),
        )
    }
}

/// Similarity to the extent that enough heavy words support it. After a day, more of them are needed than at once,
/// because by then others write about the same people and places.
fn supported(cosine: f32, evidence: f32, gap_ms: Option<i64>) -> f32 {
    let (needed, faded) = match gap_ms {
        Some(gap) => {
            let gap = gap as f32 / REACH_MS as f32;
            let day = (gap * 3.0).min(1.0).sqrt();
            (1.0 + 5.0 * day, 1.0 - 0.2 * gap.sqrt())
        }
        None => (1.5, 1.0),
    };
    cosine * (evidence / needed).clamp(0.0, 1.0) * faded
}

/// What remains of a term contained in this share of articles.
fn left(share: f64, common: f64) -> f32 {
    if share <= common {
        1.0
    } else {
        (share.ln() / common.ln()).max(0.05) as f32
    }
}

/// The combined measurements of the terms of two articles.
#[derive(Default)]
struct Shared {
    /// For the vectors as they are, without what is common these days, and also without what the outlet says every
    /// time.
    cosines: [f64; 3],
    /// The number of heavy words that both have.
    evidence: f32,
    /// The three rarest words that both have.
    rare: [f32; 3],
    /// The share of the names that both have.
    names: f32,
    numbers: f32,
}

impl Shared {
    fn note_rarity(&mut self, mut rarity: f32) {
        for place in &mut self.rare {
            if rarity > *place {
                std::mem::swap(place, &mut rarity);
            }
        }
    }
}
