//! How probable it is that two articles report one event, given what they have in common, and how strongly they hold
//! together.
//!
//! Two fitted parts (`scripts/fit_stories.py`) are used: small trees and a weighted sum. The mean of both on the logit
//! scale decides. Trees find combinations that matter only together, and the sum extrapolates to pairs that the trees
//! have not seen. In both, evidence for one event can only raise the probability. It is then adjusted for how often
//! articles of these days report one event at all.

use std::sync::LazyLock;

use model::table;

use super::Tuning;
use super::pair::{FEATURES, Measured};
use crate::trees::Trees;

const TREES: &str = include_str!("../../data/stories/pairs.tsv");
const LINE: &str = include_str!("../../data/stories/line.tsv");

static MODEL: LazyLock<Trees<1>> = LazyLock::new(|| Trees::parse(TREES));
static SUM: LazyLock<Line> = LazyLock::new(|| Line::parse(LINE));

/// Indices in [`FEATURES`].
const EVIDENCE: usize = 3;
const HEADLINE_LEAST: usize = 7;
const NAMES: usize = 10;
const GAP_HOURS: usize = 16;
const SAME_OUTLET: usize = 17;
const WORDING: usize = 20;
const TEMPLATES: usize = 21;
const SUPPORTED: usize = 24;
const EXCHANGED: usize = 25;

/// The maximum probability of one event if each article is about somebody whom the other does not name: the next
/// company, country or match in a series, which has everything else in common. Of 235 such pairs of items with teasers,
/// labelled by reading, 8 are one event. Of 244 pairs of bare headlines, in which the same party more easily has
/// another name, 29 are.
const MOST_EXCHANGED: f64 = 0.1;

/// Inputs to the sum in addition to the measured ones: the same values on another scale.
const DERIVED: [&str; 5] = [
    "log_gap_hours",
    "timeless",
    "log_evidence",
    "root_supported",
    "nameless",
];
/// The maximum certainty of one part.
const MOST_LOGIT: f64 = 9.0;
/// The share of similarity that remains for a headline made from a template.
const TEMPLATE_LEAVES: f64 = 0.5;
/// The minimum that a copy has in common with its original.
const COPY_COSINE: f32 = 0.6;
const COPY_WORDING: f32 = 0.5;
/// How many articles a story has in the data that the model was fitted on, and how many articles and stories are
/// imagined in addition to the real ones, so that few prove little.
const USUAL_SIZE: f64 = 1.6;
const IMAGINED_ARTICLES: f64 = 150.0;
const IMAGINED_STORIES: f64 = 100.0;

/// A weight for each of [`FEATURES`] and [`DERIVED`], plus a constant.
#[derive(Debug)]
struct Line {
    weights: [f64; FEATURES.len() + DERIVED.len()],
    constant: f64,
}

impl Line {
    fn parse(file: &'static str) -> Self {
        let mut line = Self {
            weights: [0.0; FEATURES.len() + DERIVED.len()],
            constant: 0.0,
        };
        for [name, weight] in table::rows::<2>(file) {
            let weight = weight.parse().unwrap_or(0.0);
            let place = FEATURES
                .iter()
                .chain(&DERIVED)
                .position(|known| *known == name);
            match place {
                Some(place) => line.weights[place] = weight,
                None => line.constant = weight,
            }
        }
        line
    }

    fn logit(&self, measured: &Measured) -> f64 {
        let (weights, of_derived) = self.weights.split_at(FEATURES.len());
        let plain = weights
            .iter()
            .zip(measured)
            .map(|(weight, value)| weight * f64::from(*value));
        let further = of_derived
            .iter()
            .zip(derived(measured))
            .map(|(weight, value)| weight * value);
        self.constant + plain.sum::<f64>() + further.sum::<f64>()
    }
}

/// The values of [`DERIVED`].
fn derived(measured: &Measured) -> [f64; DERIVED.len()] {
    let [gap, evidence, supported, names] =
        [GAP_HOURS, EVIDENCE, SUPPORTED, NAMES].map(|place| f64::from(measured[place]));
    let flag = |is: bool| f64::from(u8::from(is));
    [
        gap.max(0.0).ln_1p(),
        flag(gap < 0.0),
        evidence.max(0.0).ln_1p(),
        supported.max(0.0).sqrt(),
        flag(names < 0.0),
    ]
}

/// The adjustment to the logits of all pairs for how often articles of these days report one event. If the `articles`
/// near in time are spread over few stories, as in a collection of headlines about major events, a doubtful pair is one
/// event more often than in a stream of single reports.
pub(super) fn density(tuning: &Tuning, articles: usize, stories: usize) -> f64 {
    let size = (articles as f64 + IMAGINED_ARTICLES) / (stories as f64 + IMAGINED_STORIES);
    tuning.density * (size / USUAL_SIZE).max(1.0).ln()
}

/// How probable it is that two articles report one event, 0 to 1. `density` is added to the logit.
pub(super) fn probability(measured: &Measured, density: f64) -> f64 {
    let parts = [MODEL.logit(measured), SUM.logit(measured)];
    let parts = parts.map(|logit| logit.clamp(-MOST_LOGIT, MOST_LOGIT));
    let mut logit = f64::midpoint(parts[0], parts[1]);
    if measured[EXCHANGED] > 0.0 {
        logit = logit.min((MOST_EXCHANGED / (1.0 - MOST_EXCHANGED)).ln());
    }
    1.0 / (1.0 + (-logit - density).exp())
}

/// Whether both come from one outlet and enough is known about them to say so.
fn is_of_one_outlet(measured: &Measured) -> bool {
    measured[SAME_OUTLET] > 0.0 && measured[HEADLINE_LEAST] >= 0.0
}

/// Whether two articles with this probability may belong to one story at all. Of two from the same outlet, neither is a
/// second source for the other, so a doubtful join gains nothing.
pub(super) fn may_join(tuning: &Tuning, measured: &Measured, probability: f64) -> bool {
    !is_of_one_outlet(measured) || probability >= tuning.one_outlet
}

/// Whether the outlet of a story's member reports something else with the new article. An outlet seldom reports one
/// event twice in different words.
pub(super) fn tells_another(tuning: &Tuning, measured: &Measured, probability: f64) -> bool {
    is_of_one_outlet(measured) && probability < tuning.another
}

/// How strongly two articles with this probability hold together, 0 to 1. It is the geometric mean of the probability,
/// which separates an event from its neighbours, and of the similarity that enough words support, which is valid for
/// news of any kind. A pair below the minimum probability does not hold together, however similar. If no time is known,
/// similarity alone counts, because neighbouring events are told apart by their days. The same applies to an article
/// stored before headlines were kept.
pub(super) fn strength(tuning: &Tuning, measured: &Measured, probability: f64) -> f64 {
    if !may_join(tuning, measured, probability) {
        return 0.0;
    }
    let supported = f64::from(measured[SUPPORTED]);
    let supported = if measured[TEMPLATES] > 0.0 {
        supported * TEMPLATE_LEAVES
    } else {
        supported
    };
    if measured[GAP_HOURS] < 0.0 || measured[HEADLINE_LEAST] < 0.0 {
        return supported;
    }
    if probability < tuning.possible {
        return 0.0;
    }
    (probability * supported).max(0.0).sqrt()
}

/// Whether enough of the wording is the same that one may be a copy of the other.
pub(super) fn is_worded_alike(measured: &Measured) -> bool {
    measured[0] >= COPY_COSINE && measured[WORDING] >= COPY_WORDING
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_tables_are_sound() {
        assert_eq!(Trees::<1>::fault(TREES, FEATURES.len()), None);
        assert_eq!(table::fault(LINE, 2, 1), None);
        let names: Vec<&str> = table::rows::<2>(LINE).map(|[name, _]| name).collect();
        let known = ["constant"].iter().chain(&FEATURES).chain(&DERIVED);
        assert!(names.iter().eq(known), "{names:?}");
        assert!(table::rows::<2>(LINE).all(|[_, weight]| weight.parse::<f64>().is_ok()));
        for (place, name) in [
            (EVIDENCE, "evidence"),
            (HEADLINE_LEAST, "headline_least"),
            (NAMES, "names"),
            (GAP_HOURS, "gap_hours"),
            (SAME_OUTLET, "same_outlet"),
            (WORDING, "wording"),
            (TEMPLATES, "templates"),
            (SUPPORTED, "supported"),
            (EXCHANGED, "exchanged"),
        ] {
            assert_eq!(FEATURES[place], name);
        }
    }

    /// What two articles about one event have in common, one after the other.
    fn alike() -> Measured {
        let mut measured = [0.5; FEATURES.len()];
        measured[GAP_HOURS] = 2.0;
        measured[SAME_OUTLET] = 0.0;
        measured[EXCHANGED] = 0.0;
        measured[TEMPLATES] = 0.0;
        measured
    }

    #[test]
    fn what_speaks_for_one_event_never_lowers_the_probability() {
        let report = FEATURES.len() - 1;
        assert_eq!(FEATURES[report], "report_least");
        for place in [EVIDENCE, HEADLINE_LEAST, NAMES, WORDING, SUPPORTED, report] {
            let mut measured = alike();
            let mut before = 0.0;
            for step in 0..20 {
                measured[place] = step as f32 * 0.2;
                let now = probability(&measured, 0.0);
                assert!(now >= before - 1e-12, "{}", FEATURES[place]);
                before = now;
            }
        }
        let of_report = |least: f32| {
            let mut measured = alike();
            measured[report] = least;
            probability(&measured, 0.0)
        };
        assert!(of_report(0.1) + 0.05 < of_report(0.9));
        let mut one_outlet = alike();
        one_outlet[SAME_OUTLET] = 1.0;
        assert!(probability(&one_outlet, 0.0) < probability(&alike(), 0.0));
    }

    #[test]
    fn a_series_with_another_subject_is_hardly_one_event_however_alike_it_is() {
        let mut measured = alike();
        for place in [EVIDENCE, HEADLINE_LEAST, NAMES, WORDING, SUPPORTED] {
            measured[place] = 4.0;
        }
        assert!(probability(&measured, 0.0) > 0.5);
        measured[EXCHANGED] = 1.0;
        let exchanged = probability(&measured, 0.0);
        assert!(exchanged <= MOST_EXCHANGED + 1e-12, "{exchanged}");
        assert!(strength(&Tuning::default(), &measured, exchanged).abs() < 1e-12);
        assert!(
            probability(&measured, 3.0) > exchanged,
            "large stories are wider"
        );
    }

    #[test]
    fn few_stories_of_many_articles_make_a_doubtful_pair_more_probable() {
        let tuning = Tuning::default();
        assert!(density(&tuning, 0, 0).abs() < 1e-12);
        assert!(
            density(&tuning, 7_000, 4_500).abs() < 1e-12,
            "a usual stream"
        );
        let dense = density(&tuning, 3_000, 60);
        assert!(dense > density(&tuning, 300, 60) && dense > 1.0);
        assert!(probability(&alike(), dense) > probability(&alike(), 0.0));
    }

    #[test]
    fn two_of_one_outlet_hold_together_only_where_that_is_probable() {
        let tuning = Tuning::default();
        let mut measured = alike();
        assert!(strength(&tuning, &measured, 0.5) > 0.0);
        assert!(strength(&tuning, &measured, tuning.possible - 0.01).abs() < 1e-12);
        measured[SAME_OUTLET] = 1.0;
        assert!(strength(&tuning, &measured, 0.5).abs() < 1e-12);
        assert!(strength(&tuning, &measured, 0.9) > 0.0);
        assert!(tells_another(&tuning, &measured, 0.1) && !tells_another(&tuning, &measured, 0.5));
        measured[GAP_HOURS] = -1.0;
        assert!(strength(&tuning, &measured, 0.9) > 0.0);
    }
}
