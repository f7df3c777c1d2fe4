//! From a sentence to words and numbers.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use model::table;

/// One word or number of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    /// As written, in lower case.
    pub(super) said: String,
    /// What it was read as.
    pub(super) means: String,
    /// Its value, if it is a number, including its unit.
    pub(super) number: Option<f64>,
    /// Whether it had a unit such as `b` or a sign such as `%`.
    pub(super) unit: Option<f64>,
    /// Whether it is a sum of money: a dollar sign comes before it, or dollars after it.
    pub(super) is_money: bool,
    /// Whether it was misspelt.
    pub(super) is_mended: bool,
}

/// Words for which a misspelt one may stand.
static VOCABULARY: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| table::lines(include_str!("../../../data/screener/vocabulary.txt")).collect());

/// Words that carry no meaning of their own here.
static FILLERS: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| table::lines(include_str!("../../../data/screener/fillers.txt")).collect());

pub(super) fn is_filler(word: &str) -> bool {
    FILLERS.contains(word)
}

/// The words of a sentence. Hyphens and slashes separate words; comparison signs are words; `10-20` and `$10-$20` are `10 to 20`.
pub(super) fn split(sentence: &str) -> Vec<Word> {
    let lower = sentence.to_lowercase().replace(['’', '‘'], "'");
    let characters: Vec<char> = lower.chars().collect();
    let mut pieces: Vec<String> = Vec::new();
    let mut piece = String::new();
    for (place, &character) in characters.iter().enumerate() {
        let digit_at = |place: Option<usize>| {
            place
                .and_then(|place| characters.get(place))
                .is_some_and(char::is_ascii_digit)
        };
        let (before, after) = (digit_at(place.checked_sub(1)), digit_at(Some(place + 1)));
        match character {
            '.' if after => piece.push('.'),
            // A minus sign belongs to its number.
            '-' if after && piece.is_empty() && !before => piece.push('-'),
            ',' if before && after => {}
            '\'' => {}
            '%' if before => piece.push('%'),
            '$' if after => {
                pieces.push(std::mem::take(&mut piece));
                piece.push('$');
            }
            '-' | '–' if before && (after || characters.get(place + 1) == Some(&'$')) => {
                pieces.push(std::mem::take(&mut piece));
                pieces.push("to".to_owned());
            }
            '<' | '>' | '=' => {
                let is_sign = piece.starts_with(['<', '>', '=']);
                if !is_sign {
                    pieces.push(std::mem::take(&mut piece));
                }
                piece.push(character);
            }
            other if other.is_alphanumeric() => {
                if piece.starts_with(['<', '>', '=']) {
                    pieces.push(std::mem::take(&mut piece));
                }
                piece.push(other);
            }
            _ => pieces.push(std::mem::take(&mut piece)),
        }
    }
    pieces.push(piece);
    pieces.retain(|piece| !piece.is_empty());
    let mut words: Vec<Word> = Vec::new();
    for piece in pieces {
        let word = word(piece);
        // "10 billion" is one number; so is "5 percent".
        if let Some(unit) = unit(&word.means)
            && let Some(last) = words.last_mut()
            && let (Some(number), None) = (last.number, last.unit)
        {
            last.number = Some(times(number, unit));
            last.unit = Some(unit);
            last.said = format!("{} {}", last.said, word.said);
            continue;
        }
        // "10 dollars" is a sum of money, as "$10" is.
        if matches!(word.means.as_str(), "dollar" | "dollars" | "usd")
            && let Some(last) = words.last_mut()
            && last.number.is_some()
        {
            last.is_money = true;
            last.said = format!("{} {}", last.said, word.said);
            continue;
        }
        words.push(word);
    }
    words
}

fn word(said: String) -> Word {
    let (said, is_money) = match said.strip_prefix('$') {
        Some(sum) => (sum.to_owned(), true),
        None => (said, false),
    };
    let (number, unit) = match number(&said) {
        Some((number, unit)) => (Some(number), unit),
        None => (None, None),
    };
    let mended = if number.is_none() {
        mended(&said)
    } else {
        None
    };
    Word {
        is_mended: mended.is_some(),
        means: mended.map_or_else(|| said.clone(), str::to_owned),
        number,
        unit,
        is_money,
        said,
    }
}

fn unit(word: &str) -> Option<f64> {
    Some(match word {
        "k" | "thousand" => 1e3,
        "m" | "mn" | "mio" | "million" | "millions" => 1e6,
        "b" | "bn" | "billion" | "billions" => 1e9,
        "t" | "tn" | "trillion" | "trillions" => 1e12,
        "%" | "percent" | "pct" => 0.01,
        _ => return None,
    })
}

/// A percentage is a division, so that 70 % is the same number as 0.7.
fn times(number: f64, unit: f64) -> f64 {
    if unit < 1.0 {
        number / 100.0
    } else {
        number * unit
    }
}

/// The value of a number with its unit, and the unit.
fn number(text: &str) -> Option<(f64, Option<f64>)> {
    if let Some(value) = model::cardinal(text) {
        return Some((value, None));
    }
    let end = text
        .find(|character: char| !(character.is_ascii_digit() || matches!(character, '.' | '-')))
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let value: f64 = digits
        .parse()
        .ok()
        .filter(|value: &f64| value.is_finite())?;
    match rest {
        "" | "x" => Some((value, None)),
        rest => unit(rest).map(|unit| (times(value, unit), Some(unit))),
    }
}

/// Longer words are not treated as misspelt.
const LONGEST_WORD: usize = 40;

/// The word to which a misspelt one is close: few letters changed, added, removed or swapped with their neighbours.
fn mended(word: &str) -> Option<&'static str> {
    let length = word.chars().count();
    let is_known = VOCABULARY.contains(word) || is_filler(word) || super::phrases::is_known(word);
    if !(5..=LONGEST_WORD).contains(&length)
        || is_known
        || super::super::sector::find(word).is_some()
        || super::super::industry::find(word).is_some()
    {
        return None;
    }
    let most = if length >= 8 { 2 } else { 1 };
    VOCABULARY
        .iter()
        .map(|&known| (strsim::osa_distance(word, known), known))
        .filter(|(distance, _)| *distance <= most)
        .min()
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sound() {
        for file in [
            include_str!("../../../data/screener/vocabulary.txt"),
            include_str!("../../../data/screener/fillers.txt"),
        ] {
            assert_eq!(table::fault(file, 1, 1), None);
            assert!(table::lines(file).is_sorted());
        }
    }
}
