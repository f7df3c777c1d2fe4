//! Names of filers: the SEC writes people's last names first, and companies as they are.

use std::sync::LazyLock;

use model::table;
use rustc_hash::FxHashSet;
use text::company;

/// Words that occur only in names of companies, funds and trusts, in addition to legal forms.
static COMPANY_WORDS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    table::lines(include_str!("../../../../data/disclosures/filer_words.txt")).collect()
});

/// Surnames that begin with one of these have more than one word; how many is not known.
const PARTICLES: &[&str] = &[
    "AL", "BIN", "D'", "DA", "DAL", "DE", "DEL", "DELLA", "DEN", "DER", "DI", "DOS", "DU", "EL",
    "LA", "LE", "LOS", "ST", "ST.", "TEN", "TER", "VAN", "VANDEN", "VANDER", "VON",
];

const SUFFIXES: &[&str] = &["JR", "SR", "II", "III", "IV", "V", "MD", "PHD", "ESQ"];

/// A filer's name, first name first. Names that do not belong to a person, or cannot be split into first and last,
/// stay as they are; names in capitals become title case.
pub(super) fn first_name_first(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    let bare = |word: &str| -> String {
        let kept = word
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, '\'' | '-'));
        kept.collect::<String>().to_uppercase()
    };
    let is_company = words.iter().any(|word| {
        let bare = bare(word);
        COMPANY_WORDS.contains(bare.as_str())
            || company::is_legal_form(&bare.to_lowercase())
            || word
                .chars()
                .any(|c| c.is_ascii_digit() || matches!(c, '&' | '/'))
    });
    if is_company {
        return words.join(" ");
    }
    let cased = || {
        words
            .iter()
            .map(|word| title_case(word))
            .collect::<Vec<_>>()
    };
    let has_particle = words
        .first()
        .is_some_and(|word| PARTICLES.contains(&word.to_uppercase().as_str()));
    if !(2..=5).contains(&words.len()) || has_particle {
        return cased().join(" ");
    }
    let mut words = cased();
    let last = words.remove(0);
    let last = last.trim_end_matches(',').to_owned();
    // A suffix comes after the surname or at the very end; in both cases it ends the name.
    let suffix = words.iter().position(|word| {
        SUFFIXES.contains(&bare(word).as_str())
            && bare(word).len() == word.trim_end_matches(['.', ',']).len()
    });
    match suffix {
        Some(place) if words.len() > 1 => {
            let suffix = words.remove(place);
            words.push(last);
            words.push(suffix);
        }
        _ => words.push(last),
    }
    words.join(" ")
}

/// A word in capitals, written as a name; other words stay as they are.
fn title_case(word: &str) -> String {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let is_suffix = SUFFIXES.contains(&word.trim_end_matches('.'))
        && !matches!(word.trim_end_matches('.'), "JR" | "SR" | "ESQ" | "PHD");
    if letters < 2 || is_suffix || word.chars().any(char::is_lowercase) {
        return word.to_owned();
    }
    let mut cased = String::with_capacity(word.len());
    let mut begins = true;
    for c in word.chars() {
        if begins {
            cased.push(c);
        } else {
            cased.extend(c.to_lowercase());
        }
        begins = matches!(c, '-' | '\'' | '.') || (cased == "Mc");
    }
    cased
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sound() {
        let file = include_str!("../../../../data/disclosures/filer_words.txt");
        assert_eq!(table::fault(file, 1, 1), None);
        assert!(table::lines(file).all(|word| !company::is_legal_form(&word.to_lowercase())));
    }

    #[test]
    fn people_are_turned_round_and_companies_are_not() {
        for (name, expected) in [
            ("GARRETT MARK", "Mark Garrett"),
            ("Garascia Jessica A.", "Jessica A. Garascia"),
            ("Melkote Rajesh Ramaswamy", "Rajesh Ramaswamy Melkote"),
            ("MCDONALD RONALD JR", "Ronald McDonald JR"),
            ("O'BRIEN ANNE-MARIE", "Anne-Marie O'Brien"),
            ("SMITH JOHN III", "John Smith III"),
            ("VAN DER BERG JAN", "Van Der Berg Jan"),
            (
                "Example Capital Partners, L.P.",
                "Example Capital Partners, L.P.",
            ),
            ("BERKSHIRE EXAMPLE INC", "BERKSHIRE EXAMPLE INC"),
            ("Madonna", "Madonna"),
            ("", ""),
        ] {
            let expected = expected.replace(" JR", " Jr");
            assert_eq!(first_name_first(name), expected, "{name}");
        }
    }
}
