//! Company names: the legal forms they end with, and the normalised names used for comparison.

use std::sync::LazyLock;

use model::table;
use rustc_hash::FxHashSet;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

mod known;
mod spoken;

pub use known::{KnownName, known_names};
pub use spoken::spoken;

const FORMS: &str = include_str!("../data/entities/legal_forms.tsv");

static COMPARED: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| table::rows(FORMS).map(|[compared, _]| compared).collect());
static WRITTEN: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    table::rows(FORMS)
        .flat_map(|[_, written]| written.split(' '))
        .collect()
});

/// Whether a word in lower case and without dots is a legal form, or a word that acts as one: `inc`, `gmbh`,
/// `holdings`.
pub fn is_legal_form(word: &str) -> bool {
    word != "-" && COMPARED.contains(word)
}

/// Whether a word of running text is a legal form such as `Inc.`. Case matters, because `co` and `se` are also ordinary
/// words.
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

/// The words of a name as somebody types them: without accents and apostrophes, an abbreviation with dots as one word
/// (`jp` from `J.P.`), and `and` as `&`.
pub fn typed_words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name
        .to_lowercase()
        .nfd()
        .filter(|letter| !is_combining_mark(*letter) && !matches!(letter, '\'' | '’' | '‘' | 'ʼ'))
        .collect();
    let is_letter = |at: usize| {
        let letter: Option<&char> = letters.get(at);
        letter.is_some_and(|letter| letter.is_alphanumeric())
    };
    let mut plain = String::with_capacity(name.len());
    // Letters since the last other character.
    let mut run = 0;
    for (at, letter) in letters.iter().enumerate() {
        let abbreviates = *letter == '.' && run == 1 && is_letter(at + 1) && !is_letter(at + 2);
        run = if letter.is_alphanumeric() { run + 1 } else { 0 };
        match letter {
            _ if abbreviates => {}
            'ø' => plain.push('o'),
            'ł' => plain.push('l'),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            'ß' => plain.push_str("ss"),
            _ => plain.push(*letter),
        }
    }
    let mut words = words(&plain);
    for word in &mut words {
        if word == "and" {
            "&".clone_into(word);
        }
    }
    words
}

/// A name normalised for comparison: in lower case, without punctuation marks or the legal forms at its end.
pub fn folded(name: &str) -> String {
    let mut words = words(name);
    while words.len() > 1 && words.last().is_some_and(|last| is_legal_form(last)) {
        words.pop();
    }
    words.join(" ")
}

/// The words that the name of a share adds to the company name, after its class.
const OF_SHARES: [&str; 10] = [
    "new", "common", "capital", "ordinary", "stock", "share", "shares", "voting", "non", "series",
];

/// Words that open the description of a share after the company name.
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

/// Words for instruments that are not common shares but rights, debt or preferred shares in their own right. These keep
/// their description.
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

/// A name from a directory without the description of the share type: `Alibaba Group Holding Limited` from
/// `Alibaba Group Holding Limited American Depositary Shares each representing eight Ordinary share`. The names of
/// warrants, notes and preferred shares are kept whole, because they would otherwise match the company's.
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

/// The letter of the share class given by a name from a directory: `C` from `Alphabet Inc. - Class C Capital Stock`.
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

/// The name of the company whose shares a listing names, normalised for comparison, without the class and type of the
/// shares.
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
    fn one_name_is_typed_in_many_ways() {
        for (name, words) in [
            ("L'Oréal S.A.", &["loreal", "sa"][..]),
            ("J.P. Morgan", &["jp", "morgan"]),
            ("U.S. Bancorp", &["us", "bancorp"]),
            ("Johnson and Johnson", &["johnson", "&", "johnson"]),
            ("AT&T", &["at&t"]),
            ("Amazon.com", &["amazon", "com"]),
            ("Mærsk", &["maersk"]),
            ("C3.ai", &["c3", "ai"]),
            ("...", &[]),
        ] {
            assert_eq!(typed_words(name), words, "{name}");
        }
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
