//! The form in which names of issuers are compared, and the words that it is made of.

use text::company;

/// Longer names are cut: none that is real is longer.
const LONGEST_NAME: usize = 200;

/// Dropped wherever they stand, beside legal forms.
const DROPPED: &[&str] = &[
    "THE",
    "OF",
    "COMPANIES",
    "COS",
    "V",
    "G",
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
    "HLDGS",
    "HLDG",
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
    // Kept: a sponsor of funds and the trust of its funds are two issuers.
    ("TR", "TRUST"),
    ("UTD", "UNITED"),
    ("WESTN", "WESTERN"),
    ("WHSL", "WHOLESALE"),
    ("WTR", "WATER"),
];

/// The letter of a share class: `CL A`, `CLASS A`, `CAP STK CL C`, `COMMON STOCK A`.
pub(super) fn letter_of(class: &str) -> Option<char> {
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
    let text: String = text.chars().take(LONGEST_NAME).collect();
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

/// A name as it is compared.
pub(super) struct NormalForm {
    /// Its words without gaps, as filers differ in where they put them.
    pub(super) key: String,
    /// Its words in alphabetical order.
    pub(super) sorted: String,
    /// The letter of a class that stands in it.
    pub(super) letter: Option<char>,
}

pub(super) fn normal_form(name: &str) -> NormalForm {
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
        .filter(|word| !DROPPED.contains(word) && !company::is_legal_form(&word.to_lowercase()))
        .collect();
    // A name of nothing but such words, such as `THE TRUST CO`, is compared as it is.
    let mut kept: Vec<&str> = if kept.is_empty() {
        words.iter().map(String::as_str).collect()
    } else {
        kept
    };
    let key = kept.concat();
    kept.sort_unstable();
    NormalForm {
        key,
        sorted: kept.join(" "),
        letter,
    }
}
