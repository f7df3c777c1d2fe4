//! Which symbols are shares of one company: its classes (`GOOG` and `GOOGL`, `BRK.A` and `BRK.B`). Each class has its
//! own price and split history; what is said about the company, and what it files, applies to all of them.
//!
//! Two symbols belong to one company if the register gives them the same number (CIK), or if they have the same name
//! except for the class and no differing numbers.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use model::{AssetType, InstrumentKey, Symbol};
use store::BriefSentiment;
use text::company;

use super::{DataIssue, Listing};

/// More symbols than this are not classes of one company but share a name that says nothing.
const MOST: usize = 32;

/// Which company a symbol belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Company {
    Numbered(u64),
    Named(String),
}

/// The other symbols of each listing's company, if it has any, in ascending order.
pub(super) fn classes(
    listings: &HashMap<InstrumentKey, Arc<Listing>>,
) -> HashMap<InstrumentKey, Arc<[Symbol]>> {
    let shares = || {
        let all = listings.values().map(|listing| &listing.instrument);
        all.filter(|one| one.asset_type == AssetType::Equity)
    };
    let mut numbers: HashMap<String, BTreeSet<u64>> = HashMap::new();
    let mut names: HashMap<&Symbol, String> = HashMap::new();
    for one in shares() {
        if let Some(name) = &one.name {
            let name = company::without_class(name);
            let known = numbers.entry(name.clone()).or_default();
            known.extend(one.cik);
            names.insert(&one.symbol, name);
        }
    }
    let mut companies: HashMap<Company, BTreeSet<&Symbol>> = HashMap::new();
    for one in shares() {
        let named = names.get(&one.symbol);
        let known = named.and_then(|name| numbers.get(name));
        let of_name = || known.map(|known| (known.len(), known.first()));
        let company = match (one.cik, of_name()) {
            (Some(number), _) | (None, Some((1, Some(&number)))) => Company::Numbered(number),
            (None, Some((0, _))) => Company::Named(named.cloned().unwrap_or_default()),
            _ => continue,
        };
        companies.entry(company).or_default().insert(&one.symbol);
    }
    let mut found = HashMap::new();
    for symbols in companies.into_values() {
        if !(2..=MOST).contains(&symbols.len()) {
            continue;
        }
        for symbol in &symbols {
            let others = symbols.iter().filter(|other| *other != symbol);
            let others: Vec<Symbol> = others.map(|&other| other.clone()).collect();
            found.insert(InstrumentKey::stock((*symbol).clone()), others.into());
        }
    }
    found
}

impl Listing {
    /// The other symbols of its company.
    pub(crate) fn other_classes(&self) -> &[Symbol] {
        &self.classes
    }

    /// The symbols under which its company is covered, its own first.
    pub fn company_tickers(&self) -> Vec<String> {
        let others = self.former.iter().chain(self.classes.iter());
        let mut all = vec![self.ticker().to_owned()];
        for other in others.map(Symbol::to_string) {
            if !all.contains(&other) {
                all.push(other);
            }
        }
        all
    }

    /// Notes that some of what is shown names another class of the company.
    pub fn of_other_classes(&self, field: &'static str, named: &[String]) -> Option<DataIssue> {
        let mut others: Vec<&str> = named
            .iter()
            .map(String::as_str)
            .filter(|ticker| *ticker != self.ticker())
            .filter(|ticker| !self.former.iter().any(|former| former.as_str() == *ticker))
            .collect();
        others.sort_unstable();
        others.dedup();
        if others.is_empty() {
            return None;
        }
        let reason = format!(
            "{} is one class of shares of its company; what is shown is of the company and also names {}",
            self.ticker(),
            others.join(", ")
        );
        Some(DataIssue::note(field, reason, "listings"))
    }
}

/// What briefs say about a company, attributed to one of its classes: each brief counts once, with what it says about
/// that class itself if it names it.
pub(super) fn of_class(listing: &Listing, opinions: Vec<BriefSentiment>) -> Vec<BriefSentiment> {
    if listing.classes.is_empty() && listing.former.is_empty() {
        return opinions;
    }
    let own: BTreeSet<String> = opinions
        .iter()
        .filter(|one| one.ticker == listing.ticker())
        .map(|one| one.brief_id.clone())
        .collect();
    let mut seen = BTreeSet::new();
    opinions
        .into_iter()
        .filter(|one| one.ticker == listing.ticker() || !own.contains(&one.brief_id))
        .filter(|one| seen.insert(one.brief_id.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use model::Instrument;

    use super::*;

    fn listing(symbol: &str, name: &str, cik: Option<u64>) -> (InstrumentKey, Arc<Listing>) {
        let symbol = Symbol::parse(symbol).unwrap();
        let instrument = Instrument {
            name: Some(name.to_owned()),
            cik,
            ..Instrument::bare(symbol, AssetType::Equity)
        };
        (instrument.key(), Arc::new(Listing::bare(instrument)))
    }

    #[test]
    fn classes_have_one_number_or_one_name() {
        let listings = HashMap::from([
            listing("GOOGL", "Alphabet Inc. (Class A)", Some(1_652_044)),
            listing("GOOG", "Alphabet Inc. - Class C Capital Stock", None),
            listing("BRK.A", "Berkshire Hathaway Inc.", None),
            listing("BRK.B", "Berkshire Hathaway Inc. New", Some(1_067_983)),
            listing("FOX", "Fox Corporation Class B Common Stock", None),
            listing("FOXA", "Fox Corporation (Class A)", None),
            // The same name does not mean the same company if the numbers differ.
            listing("AAA", "Acme Corp", Some(1)),
            listing("BBB", "Acme Inc.", Some(2)),
            listing("CCC", "Acme", None),
        ]);
        let found = classes(&listings);
        let others = |symbol: &str| {
            let key = InstrumentKey::stock(Symbol::parse(symbol).unwrap());
            let others = found.get(&key).map(|others| others.to_vec());
            let others = others.unwrap_or_default();
            others.iter().map(Symbol::to_string).collect::<Vec<_>>()
        };
        assert_eq!(others("GOOG"), ["GOOGL"]);
        assert_eq!(others("GOOGL"), ["GOOG"]);
        assert_eq!(others("BRK.A"), ["BRK.B"]);
        assert_eq!(others("BRK.B"), ["BRK.A"]);
        assert_eq!(others("FOX"), ["FOXA"]);
        for symbol in ["AAA", "BBB", "CCC"] {
            assert_eq!(others(symbol), [""; 0], "{symbol}");
        }
    }
}
