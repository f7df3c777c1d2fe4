//! What the headlines of a series have in common: the headline with its numbers, dates, names and rare words left out.

use model::EntityMention;

use super::term;
use crate::token;

/// A rarer word is what an item in the series is about, not part of its pattern.
const COMMON: f32 = 6.0;
/// A headline with fewer common words has no pattern.
const LEAST_WORDS: usize = 2;

/// The pattern of a headline as a hash, or 0 if it has none.
pub(super) fn of(title: &str, entities: &[EntityMention]) -> u32 {
    let names: Vec<String> = entities
        .iter()
        .flat_map(|entity| token::words(&entity.name))
        .map(str::to_lowercase)
        .collect();
    let mut kept = String::new();
    let mut words = 0;
    let mut is_gap = false;
    for word in token::words(title) {
        let lower = word.to_lowercase();
        let number = lower.bytes().any(|byte| byte.is_ascii_digit());
        let is_common = token::is_stop_word(&lower)
            || term::first_term(word).is_some_and(|(_, rarity)| rarity < COMMON);
        if number || !is_common || names.contains(&lower) || crate::date::is_calendar_word(&lower) {
            if !is_gap {
                kept.push('#');
            }
            is_gap = true;
            continue;
        }
        is_gap = false;
        words += 1;
        kept.push(' ');
        kept.push_str(&lower);
    }
    if words < LEAST_WORDS {
        return 0;
    }
    term::term_hash(&kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_a_series_have_one_pattern() {
        let of = |title: &str| of(title, &[]);
        let first = of("Gold price today: rate falls to 4,512 dollars on 14 March");
        assert_ne!(first, 0);
        assert_eq!(
            first,
            of("Gold price today: rate falls to 4,490 dollars on 2 June")
        );
        assert_ne!(
            first,
            of("Gold price today: rate rises to 4,490 dollars on 2 June")
        );
        assert_eq!(of("Zyxwvu 12"), 0);
        assert_eq!(of(""), 0);
    }
}
