//! Which tags of US GAAP, IFRS and the cover page mean which concept.
//!
//! Where one filing reports the same period under several tags, the row with the lowest tier counts. Rows of one tier with
//! different parts are added up, such as notes payable and the current part of long-term debt; of one part the first counts.
//! Totals stand before their parts: `Revenues` before revenue from contracts, which leaves out leases and interest.

use std::sync::LazyLock;

use model::{Concept, table};

/// One meaning of one tag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    pub(super) concept: Concept,
    /// The lowest that a filing has for a period counts.
    pub(super) tier: u8,
    /// Parts of one tier are added up.
    pub(super) part: u8,
    /// Of one part the lowest counts.
    pub(super) order: usize,
}

/// Taxonomy, tag, and what it means, in the order in which rows of one part count.
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

/// What a tag of a taxonomy means; nothing for tags that are not used.
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
