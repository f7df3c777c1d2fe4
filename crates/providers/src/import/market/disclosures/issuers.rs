//! Issuers by name: a Form 13F names a security by CUSIP, the list of which is not free, and by the issuer's name as
//! the filer writes it.
//!
//! Names match if they are equal once capitals, legal forms, places of incorporation and the usual abbreviations have
//! been normalised, in the same or, as for `DISNEY WALT CO`, in another order of words; there is no fuzzy matching.
//! If an issuer has several symbols, the letter of the class decides, and without a letter the symbol that the caller
//! named first. Different issuers whose names become equal match nobody.

mod normal;

use model::Symbol;
use rustc_hash::FxHashMap;

use normal::{NormalForm, letter_of, normal_form};

/// Share classes whose symbols follow no rule.
const SPECIAL: &[(&str, char, &str)] = &[("ALPHABET", 'A', "GOOGL"), ("ALPHABET", 'C', "GOOG")];

/// Issuer names and their symbols.
#[derive(Debug, Default)]
pub struct IssuerNames {
    issuers: FxHashMap<String, Issuer>,
    /// Sorted words → key of the issuer; `None` if several have the same words.
    by_words: FxHashMap<String, Option<String>>,
}

#[derive(Debug)]
struct Issuer {
    /// The name as given, in capitals; another with the same normal form makes it ambiguous.
    name: String,
    symbols: Vec<Symbol>,
    ambiguous: bool,
}

/// The result of looking up a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IssuerMatch {
    /// One symbol.
    Found(Symbol),
    /// Several symbols or issuers, and nothing to decide between them.
    Ambiguous,
    /// No issuer with that name.
    Unknown,
}

impl IssuerNames {
    /// From names and symbols; if an issuer has several symbols, the main listing comes first.
    pub fn new<'a>(pairs: impl IntoIterator<Item = (&'a str, Symbol)>) -> Self {
        let mut issuers: FxHashMap<String, Issuer> = FxHashMap::default();
        let mut by_words: FxHashMap<String, Option<String>> = FxHashMap::default();
        for (name, symbol) in pairs {
            let NormalForm { key, sorted, .. } = normal_form(name);
            if key.is_empty() {
                continue;
            }
            by_words
                .entry(sorted)
                .and_modify(|known| {
                    if known.as_ref() != Some(&key) {
                        *known = None;
                    }
                })
                .or_insert_with(|| Some(key.clone()));
            let name = name.trim().to_uppercase();
            let issuer = issuers.entry(key).or_insert_with(|| Issuer {
                name: name.clone(),
                symbols: Vec::new(),
                ambiguous: false,
            });
            issuer.ambiguous |= issuer.name != name;
            if !issuer.symbols.contains(&symbol) {
                issuer.symbols.push(symbol);
            }
        }
        Self { issuers, by_words }
    }

    /// The symbol for an issuer and a title of class, as Form 13F writes them (`ALPHABET INC`, `CAP STK CL C`); the
    /// class may be empty or part of the name.
    pub fn find(&self, issuer: &str, class: &str) -> Option<Symbol> {
        match self.look_up(issuer, class) {
            IssuerMatch::Found(symbol) => Some(symbol),
            IssuerMatch::Ambiguous | IssuerMatch::Unknown => None,
        }
    }

    /// Like [`Self::find`], but says why there is none.
    pub fn look_up(&self, issuer: &str, class: &str) -> IssuerMatch {
        let NormalForm {
            key,
            sorted,
            letter: letter_in_name,
        } = normal_form(issuer);
        let known = self.issuers.get(&key).or_else(|| {
            let other = self.by_words.get(&sorted)?.as_ref()?;
            self.issuers.get(other)
        });
        let Some(known) = known else {
            return IssuerMatch::Unknown;
        };
        if known.ambiguous {
            return IssuerMatch::Ambiguous;
        }
        let letter = letter_of(class).or(letter_in_name);
        known
            .choose(&key, letter)
            .map_or(IssuerMatch::Ambiguous, IssuerMatch::Found)
    }
}

impl Issuer {
    fn choose(&self, key: &str, letter: Option<char>) -> Option<Symbol> {
        let is_plain =
            |symbol: &&Symbol| symbol.as_str().bytes().all(|b| b.is_ascii_alphanumeric());
        let plain: Vec<&Symbol> = self.symbols.iter().filter(is_plain).collect();
        let Some(letter) = letter else {
            return plain
                .first()
                .copied()
                .or_else(|| match &self.symbols[..] {
                    [only] => Some(only),
                    _ => None,
                })
                .cloned();
        };
        let special = SPECIAL
            .iter()
            .find(|(name, class, _)| *name == key && *class == letter)
            .map(|(_, _, symbol)| *symbol);
        let one = |mut found: Vec<&Symbol>| (found.len() == 1).then(|| found.remove(0).clone());
        let having = |test: &dyn Fn(&str) -> bool| -> Vec<&Symbol> {
            self.symbols
                .iter()
                .filter(|symbol| test(symbol.as_str()))
                .collect()
        };
        let ending = format!(".{letter}");
        one(having(&|symbol| Some(symbol) == special))
            .or_else(|| one(having(&|symbol| symbol.ends_with(&ending))))
            .or_else(|| {
                // `FOX` and `FOXA`: the class is the extra letter in one of the symbols.
                one(having(&|symbol| {
                    symbol
                        .strip_suffix(letter)
                        .is_some_and(|root| plain.iter().any(|other| other.as_str() == root))
                }))
            })
            .or_else(|| match &plain[..] {
                [only] => Some((*only).clone()),
                several => one(several
                    .iter()
                    .copied()
                    .filter(|symbol| symbol.as_str().len() > 2 && symbol.as_str().ends_with(letter))
                    .collect()),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> IssuerNames {
        let pairs = [
            ("Alphabet Inc.", "GOOGL"),
            ("Alphabet Inc.", "GOOG"),
            ("Alphabet Inc.", "GOOGM"),
            ("BERKSHIRE HATHAWAY INC", "BRK-B"),
            ("BERKSHIRE HATHAWAY INC", "BRK-A"),
            ("Fox Corp", "FOXA"),
            ("Fox Corp", "FOX"),
            ("JPMORGAN CHASE & CO", "JPM"),
            ("JPMORGAN CHASE & CO", "JPM-PC"),
            ("Visa Inc.", "V"),
            ("Walt Disney Co", "DIS"),
            ("BANK OF AMERICA CORP /DE/", "BAC"),
            ("Accenture plc", "ACN"),
            ("INTERNATIONAL BUSINESS MACHINES CORP", "IBM"),
            ("Acme Inc", "ACME"),
            ("Acme Ltd", "ACM"),
        ];
        IssuerNames::new(pairs.map(|(name, symbol)| (name, Symbol::parse(symbol).unwrap())))
    }

    #[test]
    fn the_class_decides_and_spellings_meet() {
        let names = names();
        for (issuer, class, expected) in [
            ("ALPHABET INC", "CAP STK CL C", Some("GOOG")),
            ("ALPHABET INC", "Common stock A", Some("GOOGL")),
            ("Alphabet Inc. Class C", "COM", Some("GOOG")),
            ("BERKSHIRE HATHAWAY INC DEL", "CL B NEW", Some("BRK.B")),
            ("BERKSHIRE HATHAWAY INC DEL", "CL A", Some("BRK.A")),
            ("BERKSHIRE HATHAWAY INC DEL", "COM", None),
            ("FOX CORP", "CL A COM", Some("FOXA")),
            ("JPMORGAN CHASE & CO.", "COM", Some("JPM")),
            ("VISA INC", "COM CL A", Some("V")),
            ("BANK AMER CORP", "COM", Some("BAC")),
            ("BANK OF AMERICA CORP", "COM", Some("BAC")),
            ("ACCENTURE PLC IRELAND", "SHS CLASS A", Some("ACN")),
            ("INTERNATIONAL BUSINESS MACHS", "COM", Some("IBM")),
            ("ACME CO", "COM", None),
            ("DISNEY WALT CO", "COM DISNEY", Some("DIS")),
            ("VISA TR", "COM", None),
            ("NOBODY INC", "COM", None),
        ] {
            let found = names.find(issuer, class);
            assert_eq!(
                found.as_ref().map(Symbol::as_str),
                expected,
                "{issuer} {class}"
            );
        }
        assert_eq!(names.look_up("ACME CO", ""), IssuerMatch::Ambiguous);
        assert_eq!(names.look_up("NOBODY", ""), IssuerMatch::Unknown);
    }

    #[test]
    fn odd_names_do_no_harm() {
        let names = names();
        for text in ["", "/", "//", "/é/ü", "The Trust Co", "\\", "CL A", "ß/"] {
            assert_eq!(names.find(text, text), None);
        }
    }
}
