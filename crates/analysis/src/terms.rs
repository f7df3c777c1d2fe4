//! The words of a text as analyses compare them: stems, without function words.

/// The distinct stems of a text, in ascending order.
pub(crate) fn terms(text: &str) -> Vec<u32> {
    let mut terms: Vec<u32> = text::token::words(text)
        .filter(|word| !text::token::is_stop_word(&word.to_lowercase()))
        .filter_map(text::features::stem_hash)
        .collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// How many terms two texts share.
pub(crate) fn shared(left: &[u32], right: &[u32]) -> usize {
    left.iter()
        .filter(|term| right.binary_search(term).is_ok())
        .count()
}

/// The number of shared terms divided by the number of terms in the shorter text, 0 to 1.
pub(crate) fn overlap(left: &[u32], right: &[u32]) -> f64 {
    let shorter = left.len().min(right.len());
    if shorter == 0 {
        0.0
    } else {
        shared(left, right) as f64 / shorter as f64
    }
}

/// The share of `wanted` that a text contains, 0 to 1.
pub(crate) fn coverage(wanted: &[u32], held: &[u32]) -> f64 {
    if wanted.is_empty() {
        0.0
    } else {
        shared(wanted, held) as f64 / wanted.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_and_shares() {
        let left = terms("The central banks raised their rates");
        let right = terms("A central bank raises rates again");
        assert!(overlap(&left, &right) > 0.9, "{left:?} {right:?}");
        assert_eq!(overlap(&terms("the of and"), &right), 0.0);
        assert_eq!(coverage(&terms("rates"), &right), 1.0);
        assert_eq!(coverage(&[], &right), 0.0);
    }
}
