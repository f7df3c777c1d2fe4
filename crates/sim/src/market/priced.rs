//! The series that always have a price: indices, currency pairs, commodities.

use std::sync::LazyLock;

use model::table;

/// Identity, name, unit, level at the reference, decimal places.
pub(super) type Priced = (&'static str, &'static str, &'static str, f64, i32);

/// The series, in the order in which their prices are drawn.
pub(super) static PRICED: LazyLock<Vec<Priced>> = LazyLock::new(|| {
    table::rows(include_str!("../../data/priced.tsv"))
        .filter_map(|[id, name, unit, level, digits]| {
            Some((id, name, unit, level.parse().ok()?, digits.parse().ok()?))
        })
        .collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        let file = include_str!("../../data/priced.tsv");
        assert_eq!(table::fault(file, 5, 1), None);
        assert_eq!(table::lines(file).count(), PRICED.len());
    }
}
