//! What people call the eleven sectors of the Global Industry Classification Standard.

use std::sync::LazyLock;

use model::table;

/// The sectors, and the words that mean one.
static SECTORS: LazyLock<Vec<(&str, Vec<&str>)>> = LazyLock::new(|| {
    table::rows(include_str!("../../data/screener/sectors.tsv"))
        .map(|[name, words]| (name, words.split('|').collect()))
        .collect()
});

/// The sector that a word or phrase means, in any case.
pub fn find(text: &str) -> Option<&'static str> {
    let lower = text.trim().to_lowercase();
    SECTORS
        .iter()
        .find(|(name, words)| name.eq_ignore_ascii_case(&lower) || words.contains(&lower.as_str()))
        .map(|(name, _)| *name)
}

/// The sector that is meant, or the text as it is: listings may know other sectors.
pub fn canonical(text: &str) -> String {
    find(text).unwrap_or(text.trim()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        let file = include_str!("../../data/screener/sectors.tsv");
        assert_eq!(table::fault(file, 2, 1), None);
        let mut seen = std::collections::BTreeSet::new();
        for word in SECTORS.iter().flat_map(|(_, words)| words) {
            assert!(seen.insert(word), "{word}");
        }
    }

    #[test]
    fn short_forms_mean_sectors() {
        assert_eq!(find("TECH"), Some("Information Technology"));
        assert_eq!(find(" utilities"), Some("Utilities"));
        assert_eq!(find("space"), None);
        assert_eq!(canonical(" Space "), "Space");
    }
}
