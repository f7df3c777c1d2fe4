//! Figures of outlets compared with one another.

use std::collections::{BTreeMap, BTreeSet};

use model::DataPoint;

use super::Report;
use super::statements::{Contrast, ContrastKind};
use crate::sentence;
use crate::statement::figures;

/// Number of figures shown per outlet.
const SHOWN: usize = 5;
/// Number of figures shown as common to several outlets.
const SHOWN_SHARED: usize = 10;
/// Number of disputes shown.
const SHOWN_DISPUTES: usize = 10;
/// Number of sentences per article that are read for figures.
const READ: usize = 40;
/// Two sums or rates that differ by no more than this share are the same, rounded differently.
const ROUNDING: f64 = 0.01;

/// A figure that an article gives.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportedFigure {
    /// The article, as an index into the input.
    pub report: usize,
    /// What it measures: `killed`, `revenue`, `money`, `percent`.
    pub measure: String,
    /// The entity it belongs to, if stated.
    pub entity: Option<String>,
    /// As printed.
    pub printed: String,
    /// The clause or sentence in which it appears.
    pub context: String,
    value: f64,
    unit: String,
}

/// The result of the comparison.
#[derive(Debug, Default)]
pub(super) struct Compared {
    pub(super) pairs: usize,
    pub(super) agreeing: usize,
    pub(super) shared: Vec<String>,
    pub(super) disputes: Vec<Contrast>,
    pub(super) alone: BTreeMap<String, Vec<ReportedFigure>>,
}

/// The figures of all articles: their data points or, if there are none, what can be read from their sentences.
pub(super) fn gather(reports: &[Report<'_>]) -> Vec<ReportedFigure> {
    let has_points = reports
        .iter()
        .any(|report| !report.annotations.data_points.is_empty());
    reports
        .iter()
        .enumerate()
        .flat_map(|(index, report)| {
            if has_points {
                let points = report.annotations.data_points.iter();
                points
                    .map(|point| ReportedFigure::of_point(index, point))
                    .collect()
            } else {
                from_text(index, report)
            }
        })
        .collect()
}

fn from_text(index: usize, report: &Report<'_>) -> Vec<ReportedFigure> {
    let article = report.article;
    let text = if article.body.is_empty() {
        &article.description
    } else {
        &article.body
    };
    std::iter::once(article.title.as_str())
        .chain(sentence::split(text).into_iter().take(READ))
        .flat_map(|sentence| {
            figures::of_text(sentence)
                .into_iter()
                .map(move |figure| ReportedFigure {
                    report: index,
                    measure: figure.measure.unwrap_or(figure.kind.as_str()).to_owned(),
                    entity: None,
                    printed: figure.printed.to_owned(),
                    context: sentence.to_owned(),
                    value: figure.value,
                    unit: figure.unit.to_owned(),
                })
        })
        .collect()
}

impl ReportedFigure {
    fn of_point(report: usize, point: &DataPoint) -> Self {
        Self {
            report,
            measure: point
                .measure
                .clone()
                .unwrap_or_else(|| point.kind.as_str().to_owned()),
            entity: point.entity.clone(),
            printed: point.printed.clone(),
            context: point.context.clone(),
            value: point.value,
            unit: point.unit.clone(),
        }
    }

    /// Whether both mean the same thing, so that they can contradict each other: the same named measure for the same
    /// entity.
    fn is_comparable(&self, other: &Self) -> bool {
        self.entity == other.entity
            && self.measure == other.measure
            && self.unit == other.unit
            && !model::DataPointKind::ALL
                .iter()
                .any(|kind| kind.as_str() == self.measure)
    }

    /// Whether both are the same number of the same kind, wherever they appear.
    fn is_same(&self, other: &Self) -> bool {
        let larger = self.value.abs().max(other.value.abs());
        let tolerance = if self.value.fract() == 0.0 && larger < 1_000.0 {
            0.0
        } else {
            ROUNDING
        };
        self.unit == other.unit && (self.value - other.value).abs() <= tolerance * larger
    }
}

/// Compares the figures of the outlets within each story.
pub(super) fn compare(reports: &[Report<'_>], figures: &[ReportedFigure]) -> Compared {
    let mut compared = Compared::default();
    let domain = |figure: &ReportedFigure| reports[figure.report].article.domain.as_str();
    let story = |figure: &ReportedFigure| reports[figure.report].story;
    let mut counted: BTreeSet<(&str, &str, String, i64)> = BTreeSet::new();
    let mut shared: Vec<&ReportedFigure> = Vec::new();
    for (place, figure) in figures.iter().enumerate() {
        let others = || {
            figures
                .iter()
                .filter(|other| story(other) == story(figure) && domain(other) != domain(figure))
        };
        let is_repeated = others().any(|other| figure.is_same(other));
        if is_repeated && !shared.iter().any(|known| known.is_same(figure)) {
            shared.push(figure);
        }
        if !is_repeated && others().next().is_none() {
            // Nobody else covers the story at all, or nobody else gives any figures.
            if !has_several_outlets(reports, story(figure)) {
                continue;
            }
        }
        if !is_repeated && !reports[figure.report].is_copy {
            let own = compared.alone.entry(domain(figure).to_owned()).or_default();
            if own.len() < SHOWN && !own.iter().any(|known| known.is_same(figure)) {
                own.push(figure.clone());
            }
        }
        for other in &figures[place + 1..] {
            if story(other) != story(figure)
                || domain(other) == domain(figure)
                || !figure.is_comparable(other)
            {
                continue;
            }
            let (left, right) = ordered(domain(figure), domain(other));
            let measured = format!("{}\0{:?}", figure.measure, figure.entity);
            if !counted.insert((left, right, measured, story(figure))) {
                // An outlet that gives a figure twice is counted once.
                continue;
            }
            compared.pairs += 1;
            // An outlet that also gives a range or an earlier figure agrees with both.
            let agrees = figures.iter().any(|third| {
                domain(third) == domain(other)
                    && story(third) == story(figure)
                    && figure.is_comparable(third)
                    && figure.is_same(third)
            });
            if agrees {
                compared.agreeing += 1;
            } else if compared.disputes.len() < SHOWN_DISPUTES {
                compared.disputes.push(dispute(reports, figure, other));
            }
        }
    }
    compared.shared = shared
        .into_iter()
        .take(SHOWN_SHARED)
        .map(|figure| figure.printed.clone())
        .collect();
    compared
}

fn has_several_outlets(reports: &[Report<'_>], story: i64) -> bool {
    let mut domains = reports
        .iter()
        .filter(|report| report.story == story)
        .map(|report| report.article.domain.as_str());
    let first = domains.next();
    domains.any(|domain| Some(domain) != first)
}

fn ordered<'a>(left: &'a str, right: &'a str) -> (&'a str, &'a str) {
    if left <= right {
        (left, right)
    } else {
        (right, left)
    }
}

fn dispute(reports: &[Report<'_>], one: &ReportedFigure, other: &ReportedFigure) -> Contrast {
    let (first, second) = (reports[one.report].article, reports[other.report].article);
    let of = one
        .entity
        .as_deref()
        .map(|entity| format!(" of {entity}"))
        .unwrap_or_default();
    Contrast {
        kind: ContrastKind::Figure,
        statement: format!(
            "{}{of}: {} in {}, {} in {}.",
            one.measure, one.printed, first.outlet, other.printed, second.outlet
        ),
        domains: vec![first.domain.clone(), second.domain.clone()],
    }
}
