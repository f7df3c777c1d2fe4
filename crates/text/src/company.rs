//! Names of companies: the legal forms they end with, and names as they are compared.

use std::sync::LazyLock;

use model::table;
use rustc_hash::FxHashSet;

const FORMS: &str = include_str!("../data/entities/legal_forms.tsv");

static COMPARED: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| table::rows(FORMS).map(|[compared, _]| compared).collect());
static WRITTEN: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    table::rows(FORMS)
        .flat_map(|[_, written]| written.split(' '))
        .collect()
});

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

#[cfg(test)]
mod tests {
    use super::*;

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
