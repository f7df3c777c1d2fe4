//! Common names of the eleven sectors of the Global Industry Classification Standard.

use std::sync::LazyLock;

use model::table;
use rustc_hash::FxHashMap;

const FILE: &str = include_str!("../../data/screener/sectors.tsv");

/// The sectors by the words that mean them, in lower case.
static SECTORS: LazyLock<FxHashMap<String, &str>> = LazyLock::new(|| {
    table::rows(FILE)
        .flat_map(|[name, words]| {
            let words = words.split('|').map(str::to_owned);
            words
                .chain([name.to_lowercase()])
                .map(move |word| (word, name))
        })
        .collect()
});

/// The sector that a word or phrase means, case-insensitive.
pub fn find(text: &str) -> Option<&'static str> {
    let lower = text.trim().to_lowercase();
    SECTORS.get(&lower).copied()
}

/// The names of the sectors.
pub fn names() -> impl Iterator<Item = &'static str> {
    table::rows(FILE).map(|[name, _]| name)
}

/// The sector that is meant, or the text unchanged: listings may know other sectors.
pub fn canonical(text: &str) -> String {
    find(text).unwrap_or(text.trim()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        assert_eq!(table::fault(FILE, 2, 1), None);
        assert_eq!(names().count(), 11);
        let mut seen = std::collections::BTreeSet::new();
        let rows = table::rows(FILE);
        for word in rows.flat_map(|[_, words]| words.split('|')) {
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
