//! What simpler methods score: comparing with the item before, and one pass over plain TF-IDF vectors.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::bcubed::BCubed;
use crate::articles::{Labelled, LabelledSet};

/// Steps of a threshold from 0.04 to 0.68.
const STEPS: usize = 17;

fn threshold(step: usize) -> f64 {
    (step + 1) as f64 * 0.04
}

/// Each method with its mean F1 on each set.
pub(super) fn compare<'a>(
    sets: &'a [LabelledSet],
    orders: impl Fn(&'a LabelledSet) -> Vec<Vec<&'a Labelled>>,
) -> Vec<(String, Vec<f64>)> {
    let as_they_lie = sets.iter().map(|set| {
        let order: Vec<&Labelled> = set.articles.iter().collect();
        if set.in_order {
            // The file of a set that is read by time is sorted by story too.
            let mut sorted = order;
            sorted.sort_by(|left, right| left.story.cmp(&right.story));
            return vec![sorted];
        }
        vec![order]
    });
    let before: Vec<[f64; STEPS]> = as_they_lie.map(|orders| scores(&orders, before)).collect();
    let pass: Vec<[f64; STEPS]> = sets
        .iter()
        .map(|set| scores(&orders(set), one_pass))
        .collect();
    let (for_before, for_pass) = (best_for_all(&before), best_for_all(&pass));
    let own = |curves: &[[f64; STEPS]]| curves.iter().map(best).collect::<Vec<f64>>();
    let common = |curves: &[[f64; STEPS]], step: usize| {
        curves.iter().map(|curve| curve[step]).collect::<Vec<f64>>()
    };
    let at = |step: usize| format!("one threshold for all ({:.2})", threshold(step));
    vec![
        (
            format!("file order, item before, {}", at(for_before)),
            common(&before, for_before),
        ),
        (
            "file order, item before, best threshold of each set".to_owned(),
            own(&before),
        ),
        (
            format!("single-pass TF-IDF, {}", at(for_pass)),
            common(&pass, for_pass),
        ),
        (
            "single-pass TF-IDF, best threshold of each set".to_owned(),
            own(&pass),
        ),
    ]
}

fn best(curve: &[f64; STEPS]) -> f64 {
    curve.iter().copied().fold(0.0, f64::max)
}

/// The step with the best mean over all sets.
fn best_for_all(curves: &[[f64; STEPS]]) -> usize {
    let sum = |step: usize| curves.iter().map(|curve| curve[step]).sum::<f64>();
    (0..STEPS)
        .max_by(|left, right| sum(*left).total_cmp(&sum(*right)))
        .unwrap_or(0)
}

/// Groups vectors at a threshold: the group of each.
type Grouping = fn(&[Vec<(u32, f64)>], f64) -> Vec<usize>;

/// Mean F1 at each threshold of a way to group vectors.
fn scores(orders: &[Vec<&Labelled>], group: Grouping) -> [f64; STEPS] {
    let mut sums = [0.0; STEPS];
    for order in orders {
        let vectors = vectors(order);
        for (step, sum) in sums.iter_mut().enumerate() {
            *sum += BCubed::of(order, &group(&vectors, threshold(step))).f1();
        }
    }
    sums.map(|sum| sum / orders.len() as f64)
}

/// Joins the article before where that is like enough.
fn before(vectors: &[Vec<(u32, f64)>], threshold: f64) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::with_capacity(vectors.len());
    for at in 0..vectors.len() {
        let joined = at
            .checked_sub(1)
            .filter(|before| cosine(&vectors[*before], &vectors[at]) >= threshold);
        found.push(joined.map_or(at, |before| found[before]));
    }
    found
}

/// Joins the group whose sum of vectors is most like the article, where that is like enough.
fn one_pass(vectors: &[Vec<(u32, f64)>], threshold: f64) -> Vec<usize> {
    let mut weights: FxHashMap<u32, BTreeMap<usize, f64>> = FxHashMap::default();
    let mut squares: Vec<f64> = vec![0.0; vectors.len()];
    let mut found = Vec::with_capacity(vectors.len());
    let mut products: Vec<f64> = vec![0.0; vectors.len()];
    for (at, vector) in vectors.iter().enumerate() {
        products.fill(0.0);
        for (term, weight) in vector {
            for (group, other) in weights.get(term).into_iter().flatten() {
                products[*group] += weight * other;
            }
        }
        let likeness = |group: usize| products[group] / squares[group].sqrt().max(1e-9);
        let best = (0..at).max_by(|left, right| likeness(*left).total_cmp(&likeness(*right)));
        let group = best
            .filter(|group| likeness(*group) >= threshold)
            .unwrap_or(at);
        let length: f64 = vector.iter().map(|(_, weight)| weight * weight).sum();
        squares[group] += 2.0 * products[group] + length;
        for (term, weight) in vector {
            *weights.entry(*term).or_default().entry(group).or_default() += weight;
        }
        found.push(group);
    }
    found
}

/// TF-IDF vectors of unit length, their terms ascending; the frequencies are those of the set itself.
fn vectors(order: &[&Labelled]) -> Vec<Vec<(u32, f64)>> {
    let counts: Vec<BTreeMap<u32, f64>> = order
        .iter()
        .map(|article| {
            let mut counts = BTreeMap::new();
            let words = text::token::words(&article.title).chain(text::token::words(&article.body));
            for term in words.filter_map(text::features::stem_hash) {
                *counts.entry(term).or_insert(0.0) += 1.0;
            }
            counts
        })
        .collect();
    let mut frequency: BTreeMap<u32, f64> = BTreeMap::new();
    for term in counts.iter().flat_map(BTreeMap::keys) {
        *frequency.entry(*term).or_default() += 1.0;
    }
    let all = order.len() as f64;
    counts
        .into_iter()
        .map(|counts| {
            let mut vector: Vec<(u32, f64)> = counts
                .into_iter()
                .map(|(term, count)| (term, (1.0 + f64::ln(count)) * (all / frequency[&term]).ln()))
                .collect();
            let length = vector
                .iter()
                .map(|(_, weight)| weight * weight)
                .sum::<f64>()
                .sqrt();
            for (_, weight) in &mut vector {
                *weight /= length.max(1e-9);
            }
            vector
        })
        .collect()
}

fn cosine(left: &[(u32, f64)], right: &[(u32, f64)]) -> f64 {
    let (mut one, mut other, mut sum) = (0, 0, 0.0);
    while let (Some(here), Some(there)) = (left.get(one), right.get(other)) {
        match here.0.cmp(&there.0) {
            std::cmp::Ordering::Less => one += 1,
            std::cmp::Ordering::Greater => other += 1,
            std::cmp::Ordering::Equal => {
                sum += here.1 * there.1;
                one += 1;
                other += 1;
            }
        }
    }
    sum
}
