//! The terms of a text, and the terms that two texts share. Lists of terms are ascending and distinct.

use crate::features;

/// The terms of a text, ascending and distinct.
pub(crate) fn distinct(text: &str) -> Vec<(u32, f32)> {
    let mut terms: Vec<(u32, f32)> = features::terms(text)
        .map(|term| (term.hash, term.rarity))
        .collect();
    terms.sort_unstable_by_key(|(hash, _)| *hash);
    terms.dedup_by_key(|(hash, _)| *hash);
    terms
}

/// The number of terms in both.
pub(crate) fn common(left: &[(u32, f32)], right: &[(u32, f32)]) -> usize {
    left.iter()
        .filter(|(hash, _)| right.binary_search_by_key(hash, |term| term.0).is_ok())
        .count()
}

/// The share, by rarity, of the smaller of two term lists that the other contains, 0 to 1.
pub(crate) fn shared(left: &[(u32, f32)], right: &[(u32, f32)]) -> f32 {
    let total = |terms: &[(u32, f32)]| terms.iter().map(|(_, rarity)| rarity).sum::<f32>();
    let common: f32 = left
        .iter()
        .filter(|(hash, _)| right.binary_search_by_key(hash, |term| term.0).is_ok())
        .map(|(_, rarity)| rarity)
        .sum();
    let least = total(left).min(total(right));
    if least > 0.0 { common / least } else { 0.0 }
}
