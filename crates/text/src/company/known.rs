//! The names that people use for listed companies and coins: those recognised in running text, plus brands, divisions
//! and former names that only lead to their owner if somebody searches for them alone.

use std::sync::LazyLock;

use model::table;
use rustc_hash::FxHashSet;

use super::folded;

const COMPANIES: &str = include_str!("../../data/entities/companies.tsv");
const COINS: &str = include_str!("../../data/entities/coins.tsv");
const BRANDS: &str = include_str!("../../data/entities/brands.tsv");

/// A name that people use for the company or coin listed under a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownName {
    /// The symbol.
    pub symbol: &'static str,
    /// The name as written.
    pub name: &'static str,
    /// Whether it names a coin.
    pub is_coin: bool,
}

static NAMES: LazyLock<Vec<KnownName>> = LazyLock::new(|| {
    let listed = [(COMPANIES, false), (COINS, true)];
    let written = listed.into_iter().flat_map(|(file, is_coin)| {
        table::lines(file).flat_map(move |line| {
            // Trailing cells may be empty.
            let mut cells = line.split('\t').chain(std::iter::repeat(""));
            let mut cell = || cells.next().unwrap_or_default();
            let (name, symbol, others) = (cell(), cell(), cell());
            std::iter::once(name)
                .chain(others.split('|'))
                .map(move |name| KnownName {
                    symbol,
                    // The marks say when a name counts in running text. Here somebody asks for it explicitly.
                    name: name.trim_start_matches(['?', '!', '~']),
                    is_coin,
                })
        })
    });
    let brands = table::rows(BRANDS).flat_map(|[symbol, names]| {
        names.split('|').map(move |name| KnownName {
            symbol,
            name,
            is_coin: false,
        })
    });
    let mut taken = FxHashSet::default();
    written
        .chain(brands)
        .filter(|known| !known.symbol.is_empty() && !known.name.is_empty())
        .filter(|known| taken.insert((folded(known.name), known.is_coin)))
        .collect()
});

/// Every name that people use for a listed company or a coin. A name that two share belongs to the first.
pub fn known_names() -> &'static [KnownName] {
    &NAMES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_call_a_company_leads_to_its_symbol() {
        let symbol_of = |name: &str| {
            let mut known = known_names().iter();
            known
                .find(|known| folded(known.name) == name)
                .map(|known| known.symbol)
        };
        for (name, symbol) in [
            ("google", "GOOGL"),
            ("alphabet", "GOOGL"),
            ("facebook", "META"),
            ("ford", "F"),
            ("johnson & johnson", "JNJ"),
            ("berkshire", "BRK.B"),
            ("microsoft", "MSFT"),
            ("bitcoins", "BTC"),
            ("waymo", "GOOGL"),
        ] {
            assert_eq!(symbol_of(name), Some(symbol), "{name}");
        }
        assert_eq!(symbol_of("no such company"), None);
    }

    #[test]
    fn every_brand_stands_once() {
        assert_eq!(table::fault(BRANDS, 2, 1), None);
        let mut seen = FxHashSet::default();
        for [_, names] in table::rows(BRANDS) {
            for name in names.split('|') {
                assert!(!name.is_empty() && name.trim() == name, "{name:?}");
                assert!(seen.insert(name.to_lowercase()), "{name}");
            }
        }
    }
}
