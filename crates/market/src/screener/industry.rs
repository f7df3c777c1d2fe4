//! Common names of industries. An industry is narrower than a sector: banks are financials, but not all financials
//! are banks.
//!
//! Listings name the sub-industries of the Global Industry Classification Standard; a word such as `banks` means
//! those whose names contain certain parts. A share for which no listing gives a sub-industry is in no industry.

use std::sync::LazyLock;

use model::table;

const FILE: &str = include_str!("../../data/screener/industries.tsv");

static INDUSTRIES: LazyLock<Vec<Industry>> = LazyLock::new(|| {
    let split = |cell: &'static str| cell.split('|').collect();
    table::rows(FILE)
        .map(|[name, sectors, words, parts]| Industry {
            name,
            sectors: split(sectors),
            words: split(words),
            parts: split(parts),
        })
        .collect()
});

/// An industry with a common name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Industry {
    /// For example `Banks`.
    pub name: &'static str,
    sectors: Vec<&'static str>,
    words: Vec<&'static str>,
    /// In lower case; after `=`, a complete name.
    parts: Vec<&'static str>,
}

/// The industry that a word or phrase means, case-insensitive.
pub fn find(text: &str) -> Option<&'static Industry> {
    let lower = text.trim().to_lowercase();
    INDUSTRIES
        .iter()
        .find(|industry| industry.words.contains(&lower.as_str()))
}

impl Industry {
    /// Whether it lies in a sector.
    pub fn is_in(&self, sector: &str) -> bool {
        self.sectors
            .iter()
            .any(|own| own.eq_ignore_ascii_case(sector))
    }

    /// Whether a share of this sector and sub-industry belongs to it.
    pub fn holds(&self, sector: &str, industry: &str) -> bool {
        let industry = industry.to_lowercase();
        let is_part = |part: &&str| match part.strip_prefix('=') {
            Some(whole) => industry == whole,
            None => industry.contains(*part),
        };
        self.is_in(sector) && self.parts.iter().any(is_part)
    }
}

#[cfg(test)]
mod tests {
    use super::super::sector;
    use super::*;

    #[test]
    fn the_table_is_sound() {
        assert_eq!(table::fault(FILE, 4, 1), None);
        let mut seen = std::collections::BTreeSet::new();
        for industry in INDUSTRIES.iter() {
            for word in &industry.words {
                assert!(seen.insert(*word), "{word}");
            }
            for own in &industry.sectors {
                assert_eq!(sector::find(own), Some(*own), "{own}");
            }
            for part in &industry.parts {
                assert_eq!(*part, part.to_lowercase());
            }
        }
    }

    #[test]
    fn banks_are_no_insurers_and_no_custodians() {
        let banks = find("Banks").unwrap();
        let is_bank = |industry| banks.holds("Financials", industry);
        assert!(is_bank("Regional Banks") && is_bank("Diversified Banks") && is_bank("Banks"));
        assert!(!is_bank("Life & Health Insurance") && !is_bank(""));
        assert!(!is_bank("Asset Management & Custody Banks"));
        let retail = find("retailers").unwrap();
        assert!(retail.holds("Consumer Staples", "Food Retail"));
        assert!(!retail.holds("Real Estate", "Retail REITs"));
        assert_eq!(find("tech"), None);
    }
}
