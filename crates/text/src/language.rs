//! The language in which a text is written.
//!
//! Headlines are too short for letter statistics, so small words decide first: they are few, and no two languages share
//! most of them. Only a text without them is left to trigrams, and a doubtful result counts as none.

use std::sync::LazyLock;

use model::table;
use rustc_hash::FxHashMap;
use whatlang::{Detector, Lang, Script};

use crate::token;

/// Text beyond this adds nothing new.
const LONGEST: usize = 600;

/// The languages distinguished within the Latin script, each with its characteristic letters.
const LATIN: [(&str, &str); 18] = [
    ("en", ""),
    ("fr", "œéêèàùçîô"),
    ("de", "ßäöü"),
    ("es", "ñ¿¡óíáú"),
    ("it", "èàòùì"),
    ("pt", "ãõçâêóíá"),
    ("nl", ""),
    ("sv", "åäö"),
    ("da", "åøæ"),
    ("no", "åøæ"),
    ("fi", "äö"),
    ("pl", "łąężźśćń"),
    ("tr", "ğşıç"),
    ("id", ""),
    ("ro", "ăâșțşţ"),
    ("cs", "řěůčžšýáí"),
    ("hu", "őű"),
    ("und", ""),
];

/// Bit set of the languages, by their index in [`LATIN`].
static WORDS: LazyLock<FxHashMap<&'static str, u32>> = LazyLock::new(|| {
    let mut table: FxHashMap<&str, u32> = FxHashMap::default();
    let mut place = LATIN.len() - 1;
    for line in table::lines(include_str!("../data/language_words.txt")) {
        let mut words = line;
        if let Some((code, rest)) = line.split_once(' ') {
            // A line continues the language of the line before it, unless it starts with the next code.
            let next = LATIN.get((place + 1) % LATIN.len()).map(|(code, _)| *code);
            if Some(code) == next {
                place = (place + 1) % LATIN.len();
                words = rest;
            }
        }
        for word in words.split_whitespace() {
            *table.entry(word).or_default() |= 1 << place;
        }
    }
    table
});

static LATIN_DETECTOR: LazyLock<Detector> = LazyLock::new(|| {
    Detector::with_allowlist(vec![
        Lang::Eng,
        Lang::Fra,
        Lang::Deu,
        Lang::Spa,
        Lang::Ita,
        Lang::Por,
        Lang::Nld,
        Lang::Swe,
        Lang::Dan,
        Lang::Nob,
        Lang::Fin,
        Lang::Pol,
        Lang::Tur,
        Lang::Ind,
        Lang::Ron,
        Lang::Ces,
        Lang::Hun,
        Lang::Vie,
        Lang::Hrv,
    ])
});

/// ISO 639-1 code, or `und` if it cannot be determined.
pub fn detect(text: &str) -> &'static str {
    let end = text
        .char_indices()
        .nth(LONGEST)
        .map_or(text.len(), |(at, _)| at);
    let text = &text[..end];
    match whatlang::detect_script(text) {
        None => "und",
        Some(Script::Latin) => other_script(text).unwrap_or_else(|| detect_latin(text)),
        Some(_) => whatlang::detect_lang(text).map_or("und", code),
    }
}

/// Whether at least half of the letters of a text are Latin.
pub fn is_mostly_latin(text: &str) -> bool {
    let (mut all, mut others) = (0_usize, 0_usize);
    for letter in text.chars().filter(|character| character.is_alphabetic()) {
        all += 1;
        others += usize::from(is_of_other_script(letter));
    }
    others * 2 <= all
}

fn is_of_other_script(letter: char) -> bool {
    letter >= '\u{370}' && !('\u{1e00}'..='\u{1fff}').contains(&letter)
}

/// The language of the other letters, if names in Latin letters make up only a little more than half of a text.
fn other_script(text: &str) -> Option<&'static str> {
    let letters = || text.chars().filter(|character| character.is_alphabetic());
    let is_other = |character: &char| is_of_other_script(*character);
    let others = letters().filter(is_other).count();
    if others == 0 || others * 4 < letters().count() {
        return None;
    }
    let rest: String = text
        .chars()
        .filter(|character| is_other(character) || character.is_whitespace())
        .collect();
    whatlang::detect_lang(&rest).map(code)
}

fn detect_latin(text: &str) -> &'static str {
    let evidence = evidence(text);
    let mut ranked: Vec<usize> = (0..LATIN.len()).collect();
    ranked.sort_by_key(|place| std::cmp::Reverse(evidence[*place]));
    let (best, second) = (ranked[0], ranked[1]);
    let clear = evidence[best] >= 4 && evidence[best] * 2 >= evidence[second] * 3;
    if clear {
        return LATIN[best].0;
    }
    let Some(found) = LATIN_DETECTOR.detect(text) else {
        return "und";
    };
    let guess = code(found.lang());
    let supported = LATIN
        .iter()
        .position(|(code, _)| *code == guess)
        .is_some_and(|place| evidence[place] > 0 && evidence[place] * 2 >= evidence[best]);
    if (found.is_reliable() && (supported || evidence[best] == 0))
        || (supported && guess == LATIN[best].0)
    {
        guess
    } else if evidence[best] > evidence[second] && (evidence[best] >= 2 || evidence[second] == 0) {
        LATIN[best].0
    } else {
        "und"
    }
}

/// Two points for a word that only one language has, one point for a shared word or a letter.
fn evidence(text: &str) -> [u32; LATIN.len()] {
    let mut points = [0; LATIN.len()];
    let mut lower = String::with_capacity(32);
    for word in token::words(text) {
        if word.len() <= 3 && word.bytes().all(|byte| byte.is_ascii_uppercase()) {
            // `US`, `AI`, `IT`: names, not the small words they look like.
            continue;
        }
        lower.clear();
        lower.extend(
            word.chars()
                .flat_map(char::to_lowercase)
                .map(|character| if character == '’' { '\'' } else { character }),
        );
        if let Some((before, after)) = lower.split_once('\'') {
            match (before, after) {
                ("qu" | "jusqu" | "lorsqu" | "c" | "j" | "n" | "s", _) => points[1] += 2,
                ("l" | "d", _) => {
                    points[1] += 1;
                    points[4] += 1;
                }
                ("dell" | "all" | "nell" | "sull" | "dall" | "un", _) => points[4] += 2,
                (_, "s" | "t" | "re" | "ve" | "ll") => points[0] += 2,
                _ => {}
            }
        }
        if let Some(languages) = WORDS.get(lower.as_str()) {
            let gain = if languages.is_power_of_two() { 2 } else { 1 };
            for (place, point) in points.iter_mut().enumerate() {
                *point += gain * (languages >> place & 1);
            }
        } else if lower.len() > 5
            && lower.is_ascii()
            && (lower.ends_with("ing") || lower.ends_with("ed"))
        {
            points[0] += 1;
        }
    }
    for character in text
        .chars()
        .filter(|character| !character.is_ascii())
        .flat_map(char::to_lowercase)
    {
        for (place, (_, letters)) in LATIN.iter().enumerate() {
            if letters.contains(character) {
                points[place] += 1;
            }
        }
    }
    points
}

/// ISO 639-1 code of a language known to the detector.
fn code(language: Lang) -> &'static str {
    match language {
        Lang::Eng => "en",
        Lang::Fra => "fr",
        Lang::Deu => "de",
        Lang::Spa => "es",
        Lang::Ita => "it",
        Lang::Por => "pt",
        Lang::Nld => "nl",
        Lang::Swe => "sv",
        Lang::Dan => "da",
        Lang::Nob => "no",
        Lang::Fin => "fi",
        Lang::Pol => "pl",
        Lang::Tur => "tr",
        Lang::Ind => "id",
        Lang::Ron => "ro",
        Lang::Ces => "cs",
        Lang::Hun => "hu",
        Lang::Vie => "vi",
        Lang::Hrv => "hr",
        Lang::Rus => "ru",
        Lang::Ukr => "uk",
        Lang::Bel => "be",
        Lang::Bul => "bg",
        Lang::Srp => "sr",
        Lang::Mkd => "mk",
        Lang::Cmn => "zh",
        Lang::Jpn => "ja",
        Lang::Kor => "ko",
        Lang::Ara => "ar",
        Lang::Pes => "fa",
        Lang::Urd => "ur",
        Lang::Heb => "he",
        Lang::Yid => "yi",
        Lang::Hin => "hi",
        Lang::Mar => "mr",
        Lang::Nep => "ne",
        Lang::Ben => "bn",
        Lang::Pan => "pa",
        Lang::Guj => "gu",
        Lang::Ori => "or",
        Lang::Tam => "ta",
        Lang::Tel => "te",
        Lang::Kan => "kn",
        Lang::Mal => "ml",
        Lang::Sin => "si",
        Lang::Tha => "th",
        Lang::Mya => "my",
        Lang::Khm => "km",
        Lang::Amh => "am",
        Lang::Ell => "el",
        Lang::Hye => "hy",
        Lang::Kat => "ka",
        _ => "und",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn headlines_are_distinguished() {
        for (text, expected) in [
            ("Oil prices rise as talks stall", "en"),
            ("Central bank raises rates again", "en"),
            ("Apple unveils new phones", "en"),
            (
                "Guerre en Iran : les marchés plongent après l’annonce",
                "fr",
            ),
            ("Hausse des prix du pétrole", "fr"),
            ("Die Zentralbank erhöht die Zinsen", "de"),
            ("El banco central sube los tipos de interés", "es"),
            ("La banca centrale alza i tassi per la terza volta", "it"),
            ("O banco central não sobe os juros em março", "pt"),
            (
                "De centrale bank verhoogt de rente met een half procent",
                "nl",
            ),
            ("Центральный банк повысил ставку до рекордного уровня", "ru"),
            ("यूक्रेन युद्ध से ठीक दो हफ्ते पहले", "hi"),
            ("中央银行上调利率", "zh"),
            ("中央銀行は金利を引き上げた", "ja"),
            ("البنك المركزي يرفع أسعار الفائدة", "ar"),
            ("", "und"),
            ("123 – 456", "und"),
            ("XRP BTC ETH", "und"),
        ] {
            assert_eq!(detect(text), expected, "{text}");
        }
    }

    #[test]
    fn a_text_is_latin_by_most_of_its_letters() {
        for (text, expected) in [
            ("Oil prices rise", true),
            ("Vượt ngưỡng lịch sử", true),
            ("NVIDIA 株価は?", true),
            ("NVDA の株価はどうなっていますか", false),
            ("Цена нефти", false),
            ("2026", true),
        ] {
            assert_eq!(is_mostly_latin(text), expected, "{text}");
        }
    }

    #[test]
    fn every_language_has_words() {
        for (place, (code, _)) in LATIN.iter().enumerate().take(LATIN.len() - 1) {
            assert!(
                WORDS
                    .values()
                    .filter(|languages| *languages >> place & 1 == 1)
                    .count()
                    > 10,
                "{code}"
            );
        }
    }

    proptest! {
        #[test]
        fn anything_has_an_answer(text in "\\PC{0,700}") {
            prop_assert!(matches!(detect(&text).len(), 2 | 3));
        }
    }
}
