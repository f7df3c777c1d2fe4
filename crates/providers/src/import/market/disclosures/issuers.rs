//! Issuers by name: a Form 13F names a security by CUSIP, whose list is not free, and by the issuer's name as the filer writes
//! it.
//!
//! Names meet when they are equal after capitals, legal forms, places of incorporation and the usual abbreviations are made
//! alike; nothing is matched by likeness. Where an issuer has several symbols the letter of the class decides, and without a
//! letter the symbol that the caller named first. Different issuers whose names become equal match nobody.

use model::Symbol;
use rustc_hash::FxHashMap;

/// Dropped wherever they stand: legal forms and fillers.
const DROPPED: &[&str] = &[
    "THE",
    "OF",
    "INC",
    "INCORPORATED",
    "CORP",
    "CORPORATION",
    "CO",
    "COMPANY",
    "COMPANIES",
    "COS",
    "LTD",
    "LIMITED",
    "PLC",
    "LLC",
    "LP",
    "SA",
    "NV",
    "AG",
    "SE",
    "AB",
    "ASA",
    "SPA",
    "AND",
    "COM",
    "NEW",
    "DEL",
    "ADR",
    "ADS",
    "REIT",
    "SPONSORED",
    "SPON",
    "CDA",
    "N",
    "S",
    "A",
    "P",
    "L",
    "CLASS",
    "CL",
    "SHS",
    "ORD",
    "PUBLIC",
    "GRP",
    "GROUP",
    "HOLDINGS",
    "HOLDING",
    "HLDGS",
    "HLDG",
    "TR",
    "TRUST",
];

/// Dropped at the end: where an issuer is incorporated.
const PLACES: &[&str] = &[
    "IRELAND",
    "BERMUDA",
    "SWITZERLAND",
    "NETHERLANDS",
    "ENGLAND",
    "UK",
    "CANADA",
    "CAYMAN",
    "ISRAEL",
    "DE",
    "MD",
    "PA",
    "NY",
    "NJ",
    "MA",
    "MN",
    "OH",
    "TX",
    "CA",
    "WA",
    "VA",
    "GA",
    "IN",
    "WI",
    "NC",
    "FL",
    "MI",
    "OK",
    "CT",
    "IL",
    "MO",
    "UT",
    "NEV",
    "CALIF",
    "TEXAS",
    "DELAWARE",
    "FI",
    "CN",
    "CAN",
    "BRAZIL",
];

/// The usual abbreviations of the official list of 13F securities, and what they stand for.
const ABBREVIATIONS: &[(&str, &str)] = &[
    ("AMERICA", "AMERICAN"),
    ("AMER", "AMERICAN"),
    ("CAP", "CAPITAL"),
    ("PART", "PARTNERS"),
    ("AMERN", "AMERICAN"),
    ("ASSD", "ASSOCIATED"),
    ("BANCORP", "BANCORPORATION"),
    ("BK", "BANK"),
    ("BRANDS", "BRAND"),
    ("CHEM", "CHEMICAL"),
    ("CHEMS", "CHEMICALS"),
    ("COMMUNICATIONS", "COMMUNICATION"),
    ("COMMUNS", "COMMUNICATION"),
    ("CTLS", "CONTROLS"),
    ("CTRLS", "CONTROLS"),
    ("CTR", "CENTER"),
    ("DEPT", "DEPARTMENT"),
    ("DEV", "DEVELOPMENT"),
    ("DISTR", "DISTRIBUTORS"),
    ("ELEC", "ELECTRIC"),
    ("ELECTRS", "ELECTRONICS"),
    ("ENGR", "ENGINEERING"),
    ("ENTMT", "ENTERTAINMENT"),
    ("EXPL", "EXPLORATION"),
    ("FINL", "FINANCIAL"),
    ("GEN", "GENERAL"),
    ("GENL", "GENERAL"),
    ("GLBL", "GLOBAL"),
    ("GTY", "GUARANTY"),
    ("HLTH", "HEALTH"),
    ("HLTHCARE", "HEALTHCARE"),
    ("INDS", "INDUSTRIES"),
    ("INDL", "INDUSTRIAL"),
    ("INFO", "INFORMATION"),
    ("INS", "INSURANCE"),
    ("INSTRS", "INSTRUMENTS"),
    ("INTL", "INTERNATIONAL"),
    ("INVS", "INVESTORS"),
    ("INVT", "INVESTMENT"),
    ("LABS", "LABORATORIES"),
    ("LABORATORY", "LABORATORIES"),
    ("MACHS", "MACHINES"),
    ("MATLS", "MATERIALS"),
    ("MED", "MEDICAL"),
    ("MGMT", "MANAGEMENT"),
    ("MTN", "MOUNTAIN"),
    ("MTRS", "MOTORS"),
    ("MTR", "MOTOR"),
    ("NATL", "NATIONAL"),
    ("NORTHN", "NORTHERN"),
    ("PAC", "PACIFIC"),
    ("PETE", "PETROLEUM"),
    ("PHARMA", "PHARMACEUTICALS"),
    ("PHARMACEUTICAL", "PHARMACEUTICALS"),
    ("PPTY", "PROPERTY"),
    ("PPTYS", "PROPERTIES"),
    ("PRODS", "PRODUCTS"),
    ("PWR", "POWER"),
    ("RES", "RESOURCES"),
    ("RLTY", "REALTY"),
    ("RY", "RAILWAY"),
    ("SOUTHN", "SOUTHERN"),
    ("SOLUTNS", "SOLUTIONS"),
    ("STL", "STEEL"),
    ("STS", "STATES"),
    ("SVC", "SERVICES"),
    ("SVCS", "SERVICES"),
    ("SERVICE", "SERVICES"),
    ("SYS", "SYSTEMS"),
    ("SYSTEM", "SYSTEMS"),
    ("TECH", "TECHNOLOGIES"),
    ("TECHNOLOGY", "TECHNOLOGIES"),
    ("TEL", "TELEPHONE"),
    ("TELECOM", "TELECOMMUNICATIONS"),
    ("TRANSN", "TRANSPORTATION"),
    ("UTD", "UNITED"),
    ("WESTN", "WESTERN"),
    ("WHSL", "WHOLESALE"),
    ("WTR", "WATER"),
];

/// Classes whose symbols follow no rule.
const SPECIAL: &[(&str, char, &str)] = &[("ALPHABET", 'A', "GOOGL"), ("ALPHABET", 'C', "GOOG")];

/// Names of issuers and their symbols.
#[derive(Debug, Default)]
pub struct IssuerNames {
    issuers: FxHashMap<String, Issuer>,
}

#[derive(Debug)]
struct Issuer {
    /// The name as given, in capitals; another one of the same normal form makes it ambiguous.
    name: String,
    symbols: Vec<Symbol>,
    ambiguous: bool,
}

/// What became of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IssuerMatch {
    /// One symbol.
    Found(Symbol),
    /// Several symbols or issuers, and nothing that decides.
    Ambiguous,
    /// Nobody of that name.
    Unknown,
}

impl IssuerNames {
    /// From names and symbols; of several symbols of one issuer the main listing comes first.
    pub fn new<'a>(pairs: impl IntoIterator<Item = (&'a str, Symbol)>) -> Self {
        let mut issuers: FxHashMap<String, Issuer> = FxHashMap::default();
        for (name, symbol) in pairs {
            let key = normal_form(name).0;
            if key.is_empty() {
                continue;
            }
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
        Self { issuers }
    }

    /// The symbol of an issuer and a title of class, as Form 13F writes them (`ALPHABET INC`, `CAP STK CL C`); the class may
    /// be empty or stand in the name.
    pub fn find(&self, issuer: &str, class: &str) -> Option<Symbol> {
        match self.look_up(issuer, class) {
            IssuerMatch::Found(symbol) => Some(symbol),
            IssuerMatch::Ambiguous | IssuerMatch::Unknown => None,
        }
    }

    /// [`Self::find`] that tells why there is none.
    pub fn look_up(&self, issuer: &str, class: &str) -> IssuerMatch {
        let (key, letter_in_name) = normal_form(issuer);
        let Some(known) = self.issuers.get(&key) else {
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
                // `FOX` and `FOXA`: the class is the letter that one symbol has more.
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

/// The letter of a share class: `CL A`, `CLASS A`, `CAP STK CL C`, `COMMON STOCK A`.
fn letter_of(class: &str) -> Option<char> {
    let words: Vec<String> = words(class);
    let is_mark = |word: &str| {
        matches!(
            word,
            "CL" | "CLASS" | "SERIES" | "SER" | "STOCK" | "SHS" | "COM"
        )
    };
    words.windows(2).find_map(|pair| {
        let mut letters = pair[1].chars();
        let letter = letters.next().filter(char::is_ascii_alphabetic)?;
        (is_mark(&pair[0]) && letters.next().is_none()).then_some(letter)
    })
}

fn words(text: &str) -> Vec<String> {
    // `/DE/`, `/NEW/` and `\DE\` say where an issuer is incorporated.
    let mut text = text.to_uppercase();
    while let Some(start) = text.find(['/', '\\']) {
        let rest = &text[start + 1..];
        let length = rest.find(['/', '\\']).unwrap_or(rest.len());
        if length > 4 {
            text.replace_range(start..=start, " ");
        } else {
            let end = (start + 1 + length + 1).min(text.len());
            text.replace_range(start..end, " ");
        }
    }
    text.replace(".COM", " COM")
        .replace(['\'', '.', '’'], "")
        .replace("&AMP;", "&")
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(ToOwned::to_owned)
        .collect()
}

/// A name as it is compared, and the letter of a class that stands in it.
fn normal_form(name: &str) -> (String, Option<char>) {
    let letter = letter_of(name);
    let mut words = words(name);
    if letter.is_some()
        && let Some(mark) = words
            .iter()
            .position(|word| matches!(word.as_str(), "CL" | "CLASS"))
    {
        words.truncate(mark);
    }
    while words.len() > 1
        && words
            .last()
            .is_some_and(|word| PLACES.contains(&word.as_str()))
    {
        words.pop();
    }
    let kept: Vec<&str> = words
        .iter()
        .map(|word| {
            ABBREVIATIONS
                .iter()
                .find(|(short, _)| short == word)
                .map_or(word.as_str(), |(_, long)| *long)
        })
        .filter(|word| !DROPPED.contains(word))
        .collect();
    // A name of nothing but such words, such as `THE TRUST CO`, is compared as it is.
    let joined = if kept.is_empty() {
        words.concat()
    } else {
        kept.concat()
    };
    (joined, letter)
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
