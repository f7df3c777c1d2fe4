//! Names from registers, written the way people write them.

use std::sync::LazyLock;

use model::table;
use rustc_hash::FxHashMap;

use super::is_legal_form;
use crate::entities::is_common_word;
use crate::token::is_stop_word;

const COMPANIES: &str = include_str!("../../data/entities/companies.tsv");
const LISTED: &str = include_str!("../../data/entities/listed.tsv");

/// Words that stay in capitals in a name written entirely in capitals.
const CAPITALS: [&str; 14] = [
    "USA", "US", "UK", "II", "III", "IV", "VI", "VII", "AG", "SA", "NV", "SE", "AB", "ETF",
];
/// What surrounds a state code.
const SLASHES: [char; 2] = ['/', '\\'];
/// Words inside a name that are written in lower case.
const SMALL: [&str; 6] = ["OF", "AND", "THE", "FOR", "DE", "ET"];
/// A word of up to this many letters is an abbreviation, unless it is known to be a word.
const ABBREVIATED: usize = 3;
/// Legal forms made of several words.
const LONG_FORMS: [&[&str]; 4] = [
    &["SAB", "DE", "CV"],
    &["SA", "DE", "CV"],
    &["PUBLIC", "LTD"],
    &["PUBLIC", "LIMITED"],
];

/// Forms that a name keeps if it would be an ordinary word without them: `Coffee Holding`.
const TELLING_FORMS: [&str; 4] = ["GROUP", "HOLDING", "HOLDINGS", "COMPANY"];

/// How people write a word of a name, keyed by the word in capitals: `CME`, `BlackRock`. If there are several ways, the
/// most usual one. The list of filers is trusted only for capitals inside a word, because it knows no abbreviations.
static WRITTEN: LazyLock<FxHashMap<String, &str>> = LazyLock::new(|| {
    let words = |file: &'static str| {
        table::lines(file)
            .filter_map(|line| line.split('\t').next())
            .flat_map(str::split_whitespace)
            .map(bare)
    };
    let has_inner_capital = |word: &&str| {
        let mut letters = word.chars();
        letters.any(char::is_lowercase) && letters.any(char::is_uppercase)
    };
    let listed = words(LISTED).filter(has_inner_capital);
    let mut ways: FxHashMap<&str, usize> = FxHashMap::default();
    for word in words(COMPANIES).chain(listed) {
        *ways.entry(word).or_default() += 1;
    }
    let mut usual: FxHashMap<String, (usize, &str)> = FxHashMap::default();
    for (way, count) in ways {
        let best = usual.entry(way.to_uppercase()).or_default();
        // The iteration order of a hash table is not guaranteed.
        *best = (*best).max((count, way));
    }
    let written = usual.into_iter().map(|(word, (_, way))| (word, way));
    written.collect()
});

/// A name from a register as people write it: `Toyota Motor` for `TOYOTA MOTOR CORP/`, `Berkshire Hathaway` for
/// `BERKSHIRE HATHAWAY INC`. A name that is not in capitals, its legal form aside, stays as it is.
pub fn spoken(name: &str) -> String {
    let name = without_state(name.trim());
    let words: Vec<&str> = name.split_whitespace().collect();
    let mut telling = without_form(&words);
    if let ([only], [_, form, ..]) = (telling, &words[..])
        && TELLING_FORMS.contains(&bare(form))
        && is_common_word(&bare(only).to_lowercase())
    {
        telling = &words[..2];
    }
    let is_small = |word: &&str| word.chars().any(char::is_lowercase);
    // A single word next to a form in lower case may be one that everybody writes in capitals.
    let is_kept = telling.iter().any(is_small) || telling.len() < 2 && words.iter().any(is_small);
    if words.len() < 2 || is_kept {
        return name.to_owned();
    }
    let last = telling.len() - 1;
    let written: Vec<String> = telling
        .iter()
        .enumerate()
        .map(|(at, word)| match *word {
            word if at > 0 && at < last && SMALL.contains(&word) => word.to_lowercase(),
            word => capitalised(word),
        })
        .collect();
    written
        .join(" ")
        .trim_end_matches([',', '&', ' '])
        .to_owned()
}

/// A name without what registers append: the state of the company, the type of its shares, or remnants of these
/// (`/DE/`, `/NY`, `/ADR`, `/`).
fn without_state(mut name: &str) -> &str {
    while let Some((front, state)) = name
        .strip_suffix(SLASHES)
        .map(|bare| bare.rsplit_once(SLASHES).unwrap_or((bare, "")))
    {
        let is_state = state.len() <= 4 && state.bytes().all(|byte| byte.is_ascii_uppercase());
        if front.trim().is_empty() || !is_state {
            break;
        }
        name = front.trim_end();
    }
    let Some((front, state)) = name.rsplit_once('/') else {
        return name;
    };
    let state = state.trim();
    let is_state =
        (2..=4).contains(&state.len()) && state.bytes().all(|byte| byte.is_ascii_uppercase());
    // `A/S` is a legal form, and `M/I` is a name.
    let is_apart = front.ends_with(char::is_whitespace)
        || front.split_whitespace().next_back().is_some_and(is_form);
    if is_state && is_apart && !front.trim().is_empty() {
        front.trim_end()
    } else {
        name
    }
}

/// The words of a name without the legal forms at its end. At least one word stays.
fn without_form<'a, 'w>(words: &'a [&'w str]) -> &'a [&'w str] {
    let mut kept = words;
    loop {
        let long = LONG_FORMS.iter().find(|form| ends_with(kept, form));
        let cut = if let Some(form) = long {
            form.len()
        } else if kept.last().is_some_and(|last| is_form(last)) {
            1
        } else if let [.., first, second] = kept
            && is_initial(first)
            && is_initial(second)
            && is_legal_form(&format!("{first}{second}").to_lowercase())
        {
            // `S A`.
            2
        } else if let [.., form, state] = kept
            && is_form(form)
            && state.len() == 2
            && !CAPITALS.contains(state)
            && state.bytes().all(|byte| byte.is_ascii_uppercase())
        {
            // `INC. DE`.
            1
        } else {
            return kept;
        };
        if cut >= kept.len() {
            return kept;
        }
        kept = &kept[..kept.len() - cut];
    }
}

fn ends_with(words: &[&str], form: &[&str]) -> bool {
    words.len() > form.len()
        && words[words.len() - form.len()..]
            .iter()
            .zip(form)
            .all(|(word, part)| bare(word) == *part)
}

fn is_initial(word: &str) -> bool {
    word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Whether a word of a name is a legal form, however it is written.
fn is_form(word: &str) -> bool {
    let word = word.to_lowercase();
    is_legal_form(word.trim_matches(['.', ',', '&']).replace('.', "").as_str())
}

/// A word without the marks around it.
fn bare(word: &str) -> &str {
    word.trim_matches(['.', ',', '(', ')'])
}

/// `MOTOR` as `Motor`. Anything that is not a word (`AT&T`, `3M`, `IBM`) stays as it is.
fn capitalised(word: &str) -> String {
    let letters = bare(word);
    if CAPITALS.contains(&letters) {
        return word.to_owned();
    }
    if let Some(written) = WRITTEN.get(letters) {
        return word.replacen(letters, written, 1);
    }
    let vowels = letters
        .chars()
        .filter(|letter| "AEIOUY".contains(*letter))
        .count();
    let is_plain = word
        .chars()
        .all(|letter| letter.is_alphabetic() || matches!(letter, '\'' | '-' | ',' | '.'));
    let lower = letters.to_lowercase();
    let is_abbreviated =
        letters.chars().count() <= ABBREVIATED && !is_common_word(&lower) && !is_stop_word(&lower);
    if !is_plain || vowels == 0 || is_abbreviated {
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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn states_and_forms_are_left_out_however_they_are_appended() {
        for (register, people) in [
            ("CORNING INC /NY", "Corning"),
            ("VERTEX PHARMACEUTICALS INC / MA", "Vertex Pharmaceuticals"),
            ("LIFECORE BIOMEDICAL, INC. DE", "Lifecore Biomedical"),
            ("Lenzing AG/ADR", "Lenzing AG"),
            ("Ascendis Pharma A/S", "Ascendis Pharma A/S"),
            ("M/I HOMES, INC.", "M/I Homes"),
            ("CEMEX SAB DE CV", "Cemex"),
            ("SOLVAY S A /ADR/", "Solvay"),
            ("PROTHENA CORP PUBLIC LTD CO", "Prothena"),
            ("ARES ACQUISITION CORP II", "Ares Acquisition Corp II"),
            ("INC", "INC"),
        ] {
            assert_eq!(
                spoken(register).to_lowercase(),
                people.to_lowercase(),
                "{register}"
            );
        }
    }

    #[test]
    fn a_word_is_written_as_other_names_write_it() {
        for (register, people) in [
            ("CME GROUP INC.", "CME"),
            ("GSI TECHNOLOGY INC", "GSI Technology"),
            ("BLACKROCK CORE BOND TRUST", "BlackRock Core Bond Trust"),
            ("ELI LILLY & Co", "Eli Lilly"),
            ("KURA SUSHI USA, INC.", "Kura Sushi USA"),
            ("BIG 5 SPORTING GOODS Corp", "Big 5 Sporting Goods"),
            ("COFFEE HOLDING CO INC", "Coffee Holding"),
            ("RUSH ENTERPRISES INC \\TX\\", "Rush Enterprises"),
        ] {
            assert_eq!(spoken(register), people, "{register}");
        }
    }
}
