//! Near-duplicates: how much of the wording two texts share.

/// The smallest hashes of the word shingles of a text, ascending and distinct, at most 64.
pub fn sketch(text: &str) -> Vec<u32> {
    let _ = text;
    Vec::new()
}

/// Estimated Jaccard similarity of the shingle sets behind two sketches, 0 to 1.
pub fn overlap(left: &[u32], right: &[u32]) -> f64 {
    let _ = (left, right);
    0.0
}
