//! Which concepts the tags of US GAAP, IFRS and the cover page stand for.
//!
//! If a filing reports the same period under several tags, the row with the lowest tier counts. Rows of one tier with
//! different parts, such as notes payable and the current portion of long-term debt, are added up; for each part the
//! first counts. Totals come before their parts: `Revenues` before revenue from contracts, which leaves out leases
//! and interest.

use std::sync::LazyLock;

use model::{Concept, table};

/// One meaning of one tag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    pub(super) concept: Concept,
    /// The lowest tier in a filing for a period counts.
    pub(super) tier: u8,
    /// The parts of a tier are added up.
    pub(super) part: u8,
    /// For each part the lowest counts.
    pub(super) order: usize,
}

/// Taxonomy, tag, and what it means, in order of precedence for rows of the same part.
static ROWS: LazyLock<Vec<(&str, &str, Meaning)>> = LazyLock::new(|| {
    table::rows(include_str!("../../../../data/disclosures/tags.tsv"))
        .enumerate()
        .filter_map(|(order, [taxonomy, tag, concept, tier, part])| {
            let meaning = Meaning {
                concept: serde_json::from_value(concept.into()).ok()?,
                tier: tier.parse().ok()?,
                part: part.parse().ok()?,
                order,
            };
            Some((taxonomy, tag, meaning))
        })
        .collect()
});

/// The meaning of a tag in a taxonomy; nothing for tags that are not used.
pub(super) fn meanings(taxonomy: &str, tag: &str) -> impl Iterator<Item = Meaning> {
    ROWS.iter()
        .filter(move |row| row.0 == taxonomy && row.1 == tag)
        .map(|row| row.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        let file = include_str!("../../../../data/disclosures/tags.tsv");
        assert_eq!(table::fault(file, 5, 3), None);
        assert_eq!(table::lines(file).count(), ROWS.len());
    }
}
