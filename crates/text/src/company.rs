//! Names of companies: the legal forms they end with, and names as they are compared.

use std::sync::LazyLock;

use model::table;
use rustc_hash::{FxHashMap, FxHashSet};

const FORMS: &str = include_str!("../data/entities/legal_forms.tsv");
const COMPANIES: &str = include_str!("../data/entities/companies.tsv");

static COMPARED: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| table::rows(FORMS).map(|[compared, _]| compared).collect());
static WRITTEN: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    table::rows(FORMS)
        .flat_map(|[_, written]| written.split(' '))
        .collect()
});

/// Symbols by every name that people use for their company, folded; the first company of a name has it.
static KNOWN: LazyLock<FxHashMap<String, &str>> = LazyLock::new(|| {
    let mut known = FxHashMap::default();
    for line in table::lines(COMPANIES) {
        // Cells at the end may be empty.
        let mut cells = line.split('\t').chain(std::iter::repeat(""));
        let mut cell = || cells.next().unwrap_or_default();
        let (name, symbol, others) = (cell(), cell(), cell());
        if symbol.is_empty() {
            continue;
        }
        for other in std::iter::once(name).chain(others.split('|')) {
            // The marks say when a name counts in running text; here somebody asks for it.
            let folded = folded(other.trim_start_matches(['?', '!', '~']));
            if !folded.is_empty() {
                known.entry(folded).or_insert(symbol);
            }
        }
    }
    known
});

/// The symbol of the company that people call so: `GOOGL` of `google`, `F` of `Ford`, `META` of `facebook`. Only of companies that
/// the program ships a name of.
pub fn symbol_of(name: &str) -> Option<&'static str> {
    KNOWN.get(&folded(name)).copied()
}

/// Words that stay in capitals in a name that is written in capitals throughout.
const CAPITALS: [&str; 14] = [
    "USA", "US", "UK", "II", "III", "IV", "VI", "VII", "AG", "SA", "NV", "SE", "AB", "ETF",
];

/// A name of a register as people write it: `Toyota Motor` of `TOYOTA MOTOR CORP/`, `Berkshire Hathaway` of
/// `BERKSHIRE HATHAWAY INC`. A name that is not written in capitals throughout keeps its form.
pub fn spoken(name: &str) -> String {
    let mut name = name.trim();
    // Registers append the state of the company, or what is left of it: `/DE/`, `/`.
    while let Some((front, state)) = name
        .strip_suffix('/')
        .map(|bare| bare.rsplit_once('/').unwrap_or((bare, "")))
    {
        let is_state = state.len() <= 4 && state.bytes().all(|byte| byte.is_ascii_uppercase());
        if front.trim().is_empty() || !is_state {
            break;
        }
        name = front.trim_end();
    }
    let letters = || name.chars().filter(|character| character.is_alphabetic());
    let words: Vec<&str> = name.split_whitespace().collect();
    if words.len() < 2 || letters().any(char::is_lowercase) {
        return name.to_owned();
    }
    let mut kept = words.as_slice();
    while kept.len() > 1 {
        let last = kept[kept.len() - 1].to_lowercase();
        if !is_legal_form(last.trim_matches(['.', ',', '&']).replace('.', "").as_str()) {
            break;
        }
        kept = &kept[..kept.len() - 1];
    }
    let written: Vec<String> = kept.iter().map(|word| capitalised(word)).collect();
    written
        .join(" ")
        .trim_end_matches([',', '&', ' '])
        .to_owned()
}

/// `MOTOR` as `Motor`; what is no word (`AT&T`, `3M`, `IBM`) stays.
fn capitalised(word: &str) -> String {
    let vowels = word
        .chars()
        .filter(|letter| "AEIOUY".contains(*letter))
        .count();
    let is_plain = word
        .chars()
        .all(|letter| letter.is_alphabetic() || matches!(letter, '\'' | '-' | ',' | '.'));
    let small = ["OF", "AND", "THE", "FOR", "DE", "ET", "&"];
    if small.contains(&word) {
        return word.to_lowercase();
    }
    if !is_plain || vowels == 0 || CAPITALS.contains(&word) {
        return word.to_owned();
    }
    let mut written = String::with_capacity(word.len());
    let mut starts = true;
    for letter in word.chars() {
        if starts {
            written.push(letter);
        } else {
            written.extend(letter.to_lowercase());
        }
        starts = letter == '-';
    }
    written
}

/// Whether a word in lower case and without dots is a legal form, or one of the words that stand for one: `inc`, `gmbh`,
/// `holdings`.
pub fn is_legal_form(word: &str) -> bool {
    word != "-" && COMPARED.contains(word)
}

/// Whether a word of running text is a legal form such as `Inc.`; case counts, because `co` and `se` are words too.
pub(crate) fn is_written_legal_form(word: &str) -> bool {
    let bare = word.trim_matches(['.', ',']);
    bare == "&" || bare != "-" && WRITTEN.contains(bare)
}

/// The words of a name in lower case.
pub fn words(name: &str) -> Vec<String> {
    name.split(|character: char| !character.is_alphanumeric() && character != '&')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// A name as it is compared: in lower case, without marks and without the legal forms at its end.
pub fn folded(name: &str) -> String {
    let mut words = words(name);
    while words.len() > 1 && words.last().is_some_and(|last| is_legal_form(last)) {
        words.pop();
    }
    words.join(" ")
}

/// What a name of a share says beside the company, after its class.
const OF_SHARES: [&str; 10] = [
    "new", "common", "capital", "ordinary", "stock", "share", "shares", "voting", "non", "series",
];

/// Words with which the description of a share begins behind the name of the company.
const DESCRIPTIONS: [&[&str]; 15] = [
    &["common", "stock"],
    &["common", "share"],
    &["common", "shares"],
    &["common", "unit"],
    &["common", "units"],
    &["ordinary", "share"],
    &["ordinary", "shares"],
    &["capital", "stock"],
    &["new", "common"],
    &["american", "depositary"],
    &["american", "depository"],
    &["subordinate", "voting"],
    &["subordinated", "voting"],
    &["ads"],
    &["adr"],
];

/// Words of what is no share of the company but a right, a debt or a preference of its own, which keeps its description.
const NO_COMMON_SHARE: [&str; 12] = [
    "preferred",
    "preference",
    "warrant",
    "warrants",
    "right",
    "rights",
    "note",
    "notes",
    "debentures",
    "consisting",
    "bond",
    "bonds",
];

/// A name of a directory without what it says of the kind of the share: `Alibaba Group Holding Limited` of `Alibaba Group Holding
/// Limited American Depositary Shares each representing eight Ordinary share`. The names of warrants, notes and preferred
/// shares stay, because they would else be those of the company.
pub fn without_description(name: &str) -> &str {
    let name = name.trim();
    let bare = |word: &str| {
        let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        word.to_lowercase()
    };
    let mut starts = Vec::new();
    let mut end = 0;
    for word in name.split_whitespace() {
        let start = end + name[end..].find(word).unwrap_or_default();
        end = start + word.len();
        starts.push((start, bare(word)));
    }
    let words: Vec<&str> = starts.iter().map(|(_, word)| word.as_str()).collect();
    if words.iter().any(|word| NO_COMMON_SHARE.contains(word)) {
        return name;
    }
    let begins = |rest: &[&str]| {
        let is_class = matches!(rest, ["class" | "series", letter, ..] if letter.len() == 1);
        is_class || DESCRIPTIONS.iter().any(|known| rest.starts_with(known))
    };
    let Some(at) = (1..words.len()).find(|at| begins(&words[*at..])) else {
        return name;
    };
    let kept = name[..starts[at].0].trim_end_matches([' ', ',', '-', '(', '–']);
    if kept.is_empty() { name } else { kept }
}

/// The letter of the class of shares that a name of a directory says: `C` of `Alphabet Inc. - Class C Capital Stock`.
pub fn share_class(name: &str) -> Option<char> {
    let words = words(name);
    let class = words.windows(2).find(|pair| {
        pair[0] == "class" && pair[1].len() == 1 && pair[1].bytes().all(|b| b.is_ascii_lowercase())
    })?;
    class[1]
        .chars()
        .next()
        .map(|letter| letter.to_ascii_uppercase())
}

/// The name of the company whose shares a listing names, as names are compared: without the class and the kind of the shares.
pub fn without_class(name: &str) -> String {
    let mut words = words(name);
    let class = words.windows(2).position(|pair| {
        let letter = pair[1].as_str();
        pair[0] == "class" && letter.len() == 1
    });
    if let Some(at) = class.filter(|at| *at > 0) {
        words.truncate(at);
    }
    while words.len() > 1
        && words
            .last()
            .is_some_and(|last| OF_SHARES.contains(&last.as_str()))
    {
        words.pop();
    }
    folded(&words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_of_shares_is_no_part_of_the_name() {
        for (listed, company) in [
            ("Alphabet Inc. - Class C Capital Stock", "alphabet"),
            ("Alphabet Inc. (Class A)", "alphabet"),
            (
                "Berkshire Hathaway Inc. New Common Stock",
                "berkshire hathaway",
            ),
            ("Lennar Corporation Class B", "lennar"),
            ("World Class Corp", "world class"),
            ("New", "new"),
        ] {
            assert_eq!(without_class(listed), company, "{listed}");
        }
    }

    #[test]
    fn a_description_of_a_share_is_no_part_of_the_name() {
        for (listed, company, class) in [
            (
                "Alibaba Group Holding Limited American Depositary Shares each representing eight Ordinary share",
                "Alibaba Group Holding Limited",
                None,
            ),
            (
                "Toyota Motor Corporation Common Stock",
                "Toyota Motor Corporation",
                None,
            ),
            (
                "Accenture plc Class A Ordinary Shares (Ireland)",
                "Accenture plc",
                Some('A'),
            ),
            (
                "Alphabet Inc. - Class C Capital Stock",
                "Alphabet Inc.",
                Some('C'),
            ),
            ("Alphabet Inc. (Class A)", "Alphabet Inc.", Some('A')),
            (
                "Berkshire Hathaway Inc. New Common Stock",
                "Berkshire Hathaway Inc.",
                None,
            ),
            ("World Class Corp", "World Class Corp", None),
            (
                "Archer Aviation Inc. Redeemable Warrants, each whole warrant exercisable for one Class A common stock",
                "Archer Aviation Inc. Redeemable Warrants, each whole warrant exercisable for one Class A common stock",
                Some('A'),
            ),
            ("Common Stock", "Common Stock", None),
            ("Société É Ordinary Shares", "Société É", None),
            ("", "", None),
        ] {
            assert_eq!(without_description(listed), company);
            assert_eq!(share_class(listed), class, "{listed}");
        }
    }

    #[test]
    fn every_row_is_whole_and_no_form_is_listed_twice() {
        assert_eq!(table::fault(FORMS, 2, 2), None);
        let (mut compared, mut written) = (FxHashSet::default(), FxHashSet::default());
        for [form, spellings] in table::rows(FORMS) {
            assert!(form == "-" || compared.insert(form), "{form}");
            assert_eq!(form, form.to_lowercase());
            for spelling in spellings.split(' ').filter(|spelling| *spelling != "-") {
                assert!(
                    !spelling.is_empty() && written.insert(spelling),
                    "{spelling}"
                );
            }
        }
    }

    #[test]
    fn a_name_of_a_register_is_written_for_people() {
        for (register, people) in [
            ("TOYOTA MOTOR CORP/", "Toyota Motor"),
            ("BERKSHIRE HATHAWAY INC", "Berkshire Hathaway"),
            ("BANK OF AMERICA CORP /DE/", "Bank of America"),
            ("AT&T INC.", "AT&T"),
            ("HEWLETT-PACKARD CO", "Hewlett-Packard"),
            ("NVIDIA Corporation", "NVIDIA Corporation"),
            ("IBM", "IBM"),
            ("Apple Inc.", "Apple Inc."),
            ("/", "/"),
            ("", ""),
        ] {
            assert_eq!(spoken(register), people, "{register}");
        }
    }

    #[test]
    fn what_people_call_a_company_leads_to_its_symbol() {
        for (name, symbol) in [
            ("google", "GOOGL"),
            ("Alphabet", "GOOGL"),
            ("facebook", "META"),
            ("ford", "F"),
            ("Johnson & Johnson", "JNJ"),
            ("berkshire", "BRK.B"),
            ("Microsoft Corp.", "MSFT"),
        ] {
            assert_eq!(symbol_of(name), Some(symbol), "{name}");
        }
        assert_eq!(symbol_of("no such company"), None);
        assert_eq!(symbol_of(""), None);
    }

    #[test]
    fn forms_are_known_as_written_and_as_compared() {
        for word in ["Inc.", "plc", "p.l.c.", "S.A.", "Co.,", "&"] {
            assert!(is_written_legal_form(word), "{word}");
        }
        for word in ["inc", "se", "co", "-", "LLP", ""] {
            assert!(!is_written_legal_form(word), "{word}");
        }
        for word in ["inc", "se", "llp", "gmbh"] {
            assert!(is_legal_form(word), "{word}");
        }
        for word in ["Inc", "-", "s", "the", ""] {
            assert!(!is_legal_form(word), "{word}");
        }
    }

    #[test]
    fn names_are_folded_to_what_reporters_write() {
        for (name, expected) in [
            (
                "Kestrelstone Semiconductor, Inc.",
                "kestrelstone semiconductor",
            ),
            ("Oxbow & Daughters", "oxbow & daughters"),
            ("Rheinmesser GmbH", "rheinmesser"),
            ("The Company", "the"),
            ("Group", "group"),
            ("", ""),
        ] {
            assert_eq!(folded(name), expected);
        }
    }
}
