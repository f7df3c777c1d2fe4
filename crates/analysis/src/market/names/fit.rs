//! How well typed text fits a name.

use market::screener::{industry, sector};
use text::{company, embedding, entities, token};

/// Words in names that nobody says, apart from legal forms.
const UNSAID: [&str; 7] = [
    "the", "class", "common", "stock", "shares", "ordinary", "com",
];
/// The minimum number of letters for a word to count as the beginning of another.
const SHORTEST_BEGINNING: usize = 3;
/// The minimum number of letters for sounds to be compared.
const SHORTEST_SOUND: usize = 5;

/// How well a text fits a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fit {
    /// 0 to 1.
    pub(super) score: f64,
    /// Whether the name only resembles the text, or contains it as a part that many names may share.
    pub(super) is_guess: bool,
}

impl Fit {
    const fn sure(score: f64) -> Self {
        let is_guess = false;
        Self { score, is_guess }
    }

    const fn guess(score: f64) -> Self {
        let is_guess = true;
        Self { score, is_guess }
    }
}

/// A name of an instrument, prepared for comparison.
#[derive(Debug)]
pub(super) struct Name {
    pub(super) words: Vec<String>,
    /// The words joined without spaces.
    pub(super) letters: String,
    /// Whether it is a name in everyday use, in addition to the listed name.
    pub(super) is_called: bool,
}

impl Name {
    /// `None` if it has no distinctive word.
    pub(super) fn new(text: &str, is_called: bool) -> Option<Self> {
        let words = telling(text);
        let letters = words.concat();
        (!words.is_empty()).then_some(Self {
            words,
            letters,
            is_called,
        })
    }
}

/// What somebody typed, prepared for comparison with names.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) words: Vec<String>,
    /// The words joined without spaces.
    pub(super) letters: String,
    /// Whether every word is an ordinary word of the language, so that none is a misspelling or a beginning.
    pub(super) is_ordinary: bool,
    /// Whether every word is so common that it says nothing within a name.
    is_common: bool,
}

impl Wanted {
    /// `None` if it names nothing.
    pub(super) fn new(text: &str) -> Option<Self> {
        let words = telling(text);
        if words.is_empty() || matches!(&words[..], [only] if only.chars().count() < 2) {
            return None;
        }
        let is_part = is_part_of_market(&words.join(" "));
        Some(Self {
            letters: words.concat(),
            is_ordinary: is_part || words.iter().all(|word| is_ordinary(word)),
            is_common: is_part || words.iter().all(|word| is_common(word)),
            words,
        })
    }

    /// How well it fits a name.
    pub(super) fn fit(&self, name: &Name) -> Option<Fit> {
        let (words, letters) = (&self.words, &self.letters);
        if *words == name.words {
            return Some(Fit::sure(if name.is_called { 0.97 } else { 0.95 }));
        }
        if *letters == name.letters {
            return Some(Fit::sure(0.94));
        }
        let bare = without_and(letters);
        if bare.len() >= SHORTEST_BEGINNING && bare == without_and(&name.letters) {
            return Some(Fit::sure(0.93));
        }
        let share = (letters.len() as f64 / name.letters.len().max(1) as f64).min(1.0);
        let is_run_together = words.len() > 1 && letters.len() >= SHORTEST_SOUND;
        let is_spaced_otherwise = !name.words.starts_with(words);
        if is_run_together && is_spaced_otherwise && leads(&name.words).any(|lead| lead == *letters)
        {
            return Some(Fit::sure(0.5 + 0.4 * share));
        }
        if let Some((likeness, at_start)) = self.word_by_word(name) {
            return self.of_words(&likeness, at_start, share, name);
        }
        self.with_more(name).or_else(|| self.misspelt(name))
    }

    /// How each word resembles a word of the name, in the order of the name, and whether the first resembles its
    /// first.
    fn word_by_word(&self, name: &Name) -> Option<(Vec<Likeness>, bool)> {
        let is_alone = self.words.len() == 1;
        let mut rest = name.words.iter().enumerate();
        let mut at_start = false;
        let mut found = Vec::with_capacity(self.words.len());
        for word in &self.words {
            let (at, likeness) = rest.find_map(|(at, known)| {
                let likeness = likeness(word, known, is_alone)?;
                // A misspelt word only counts in its own position.
                let counts = likeness > Likeness::Misspelt || at == found.len();
                counts.then_some((at, likeness))
            })?;
            at_start |= found.is_empty() && at == 0;
            found.push(likeness);
        }
        Some((found, at_start))
    }

    fn of_words(
        &self,
        likeness: &[Likeness],
        at_start: bool,
        share: f64,
        name: &Name,
    ) -> Option<Fit> {
        let (least, most) = (likeness.iter().min()?, likeness.iter().max()?);
        let several = self.words.len() > 1;
        let base = if at_start { 0.5 } else { 0.3 };
        // `real estate` is the beginning of many names.
        let says_little = if several {
            self.is_common
        } else {
            self.is_ordinary
        };
        match least {
            Likeness::Same if at_start && !says_little => Some(Fit::sure(base + 0.4 * share)),
            Likeness::Same if at_start || several || !self.is_common => {
                Some(Fit::guess(base + 0.4 * share))
            }
            Likeness::Begun if !self.is_ordinary || at_start && *most == Likeness::Same => {
                Some(Fit::guess(base + 0.4 * share))
            }
            Likeness::Misspelt if !self.is_ordinary || *most > Likeness::Misspelt => {
                let is_part = name.words.len() > self.words.len();
                Some(Fit::guess(if is_part { 0.5 } else { 0.6 }))
            }
            _ => None,
        }
    }

    /// The name, or its distinctive first word, followed by something else: `starbucks coffee`.
    fn with_more(&self, name: &Name) -> Option<Fit> {
        let first = name.words.first()?;
        let is_telling = |word: &str| word.len() >= 4 && !is_common(word);
        let named = (1..self.words.len()).find(|count| {
            // At most two words in addition to a name.
            self.words.len() - count <= 2 && self.words[..*count].concat() == name.letters
        });
        if named.is_some_and(|count| count > 1 || name.words.len() > 1 || is_telling(first)) {
            return Some(Fit::guess(0.7));
        }
        let shares = self.words.len() > 1 && self.words[0] == *first && is_telling(first);
        if shares && !self.is_ordinary {
            return Some(Fit::guess(0.4));
        }
        None
    }

    /// The name, or an equal number of its words, with some letters changed.
    fn misspelt(&self, name: &Name) -> Option<Fit> {
        if self.is_ordinary || self.letters.len() < 4 {
            return None;
        }
        let asked = Spelling::new(&self.letters);
        if let Some(apart) = asked.apart(&Spelling::new(&name.letters)) {
            return Some(Fit::guess(0.6 - 0.1 * apart as f64));
        }
        let begun = name.words.get(..self.words.len())?.concat();
        let apart = asked.apart(&Spelling::new(&begun))?;
        Some(Fit::guess(0.55 - 0.1 * apart as f64))
    }
}

/// How a typed word resembles a word of a name, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Misspelt,
    Begun,
    Same,
}

fn likeness(word: &str, known: &str, is_alone: bool) -> Option<Likeness> {
    if word == known {
        return Some(Likeness::Same);
    }
    let begins = |word: &str| word.len() >= SHORTEST_BEGINNING && known.starts_with(word);
    // `labs` is short for `laboratories`.
    if begins(word) || word.strip_suffix('s').is_some_and(begins) {
        return Some(Likeness::Begun);
    }
    // At most three letters may differ, whatever the sound.
    if (set(word) ^ set(known)).count_ones() > 6 {
        return None;
    }
    let (asked, known) = (Spelling::new(word), Spelling::new(known));
    let is_near = asked.apart(&known).is_some();
    // Next to other words, a short one may have one letter changed.
    let is_short = !is_alone
        && matches!(asked.length, 3 | 4)
        && asked.length == known.length
        && strsim::osa_distance(&asked.letters, &known.letters) == 1;
    (is_near || is_short).then_some(Likeness::Misspelt)
}

/// Letters as written and as they sound, with data that rules out most comparisons at once.
#[derive(Debug)]
pub(super) struct Spelling {
    pub(super) letters: String,
    sound: String,
    length: usize,
    /// Which letters occur.
    letter_set: u32,
    sound_set: u32,
}

impl Spelling {
    pub(super) fn new(letters: &str) -> Self {
        let sound = sound(letters);
        Self {
            length: letters.chars().count(),
            letter_set: set(letters),
            sound_set: set(&sound),
            letters: letters.to_owned(),
            sound,
        }
    }

    /// Whether another is close enough to be compared word by word.
    pub(super) fn may_be(&self, other: &Self) -> bool {
        let is_short = matches!(self.length, 3 | 4) && self.length == other.length;
        let is_changed = is_short && strsim::osa_distance(&self.letters, &other.letters) == 1;
        is_changed || self.apart(other).is_some()
    }

    /// How many letters a misspelt text differs by; `None` if it is too far off to be meant.
    pub(super) fn apart(&self, other: &Self) -> Option<usize> {
        if self.length.abs_diff(other.length) > 3 || self.length < 3 {
            return None;
        }
        let most: usize = if self.length < 8 { 1 } else { 2 };
        // One changed letter means at most one letter gone and one new.
        let may_be_near = (self.letter_set ^ other.letter_set).count_ones() as usize <= 2 * most;
        let may_sound_so =
            self.length >= SHORTEST_SOUND && (self.sound_set ^ other.sound_set).count_ones() <= 2;
        if !may_be_near && !may_sound_so {
            return None;
        }
        let distance = strsim::osa_distance(&self.letters, &other.letters);
        if self.length < SHORTEST_SOUND {
            // In such short text, one letter may be missing, or two may be swapped.
            let is_left_out = other.length == self.length + 1;
            let is_swapped = self.length == 4
                && other.length == self.length
                && self.letter_set == other.letter_set;
            return (distance == 1 && (is_left_out || is_swapped)).then_some(1);
        }
        if distance <= most {
            return Some(distance);
        }
        match strsim::osa_distance(&self.sound, &other.sound) {
            0 => Some(1),
            1 if self.length > SHORTEST_SOUND && distance <= 3 => Some(2),
            _ => None,
        }
    }
}

/// A bit for each letter that occurs.
fn set(letters: &str) -> u32 {
    letters
        .chars()
        .fold(0, |set, letter| set | (1 << (letter as u32 % 32)))
}

/// Letters by their sound: `netfliks` and `netflix` are the same.
fn sound(letters: &str) -> String {
    let spelt = letters
        .replace("ph", "f")
        .replace("cks", "x")
        .replace("ck", "k")
        .replace("qu", "kw")
        .replace("ks", "x");
    let mut sound = String::with_capacity(spelt.len());
    let mut last = None;
    let mut rest = spelt.chars().peekable();
    while let Some(letter) = rest.next() {
        let heard = match letter {
            'c' if matches!(rest.peek(), Some('e' | 'i' | 'y')) => 's',
            'c' | 'q' => 'k',
            'z' => 's',
            'y' => 'i',
            other => other,
        };
        if last.replace(heard) != Some(heard) {
            sound.push(heard);
        }
    }
    sound
}

/// The beginnings of a name in whole words, joined without spaces.
pub(super) fn leads(words: &[String]) -> impl Iterator<Item = String> + '_ {
    (1..=words.len()).map(|count| words[..count].concat())
}

/// `att` of `at&t`.
pub(super) fn without_and(letters: &str) -> String {
    letters.replace('&', "")
}

/// The words in a text that tell names apart.
fn telling(text: &str) -> Vec<String> {
    let mut words = company::typed_words(text);
    words.retain(|word| !UNSAID.contains(&word.as_str()) && !company::is_legal_form(word));
    while words.last().is_some_and(|last| last == "&") {
        words.pop();
    }
    words
}

/// Whether a word is so common that it says nothing about a company.
pub(super) fn is_common(word: &str) -> bool {
    token::is_stop_word(word) || entities::is_common_word(word)
}

/// Whether a text means a sector or an industry, which is not a company within it.
fn is_part_of_market(text: &str) -> bool {
    sector::find(text).is_some() || industry::find(text).is_some()
}

/// Whether a word is a known word, so that it is not a misspelt name.
fn is_ordinary(word: &str) -> bool {
    is_common(word) || embedding::word_pieces(word).len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(text: &str, name: &str) -> Option<(f64, bool)> {
        let fit = Wanted::new(text)?.fit(&Name::new(name, false)?)?;
        Some((fit.score, fit.is_guess))
    }

    #[test]
    fn a_name_is_typed_in_many_ways() {
        for (text, name, score) in [
            ("apple inc", "Apple", 0.95),
            ("loreal", "L'Oréal", 0.95),
            ("jpmorgan", "J.P. Morgan", 0.94),
            ("wal mart", "Walmart Inc.", 0.94),
            ("johnson and johnson", "Johnson & Johnson", 0.95),
            ("att", "AT&T Inc.", 0.93),
        ] {
            assert_eq!(fit(text, name), Some((score, false)), "{text}");
        }
    }

    #[test]
    fn what_is_only_like_a_name_is_a_guess() {
        for (text, name) in [
            ("aple", "Apple"),
            ("telsa", "Tesla"),
            ("faceboook", "Facebook"),
            ("netflicks", "Netflix"),
            ("phizer", "Pfizer"),
            ("exon mobil", "Exxon Mobil"),
            ("starbucks coffee", "Starbucks"),
            ("abbot laboratories", "Abbott Laboratories"),
            ("delta", "Delta Air Lines"),
            ("micros", "Microsoft"),
            ("health care", "Health Care Select Sector Fund"),
        ] {
            assert!(
                fit(text, name).is_some_and(|(_, is_guess)| is_guess),
                "{text}: {:?}",
                fit(text, name)
            );
        }
    }

    #[test]
    fn words_of_the_language_are_no_misspelt_names() {
        for (text, name) in [
            ("chasing", "Chase"),
            ("weather", "Tether"),
            ("stocks", "Stacks"),
            ("market", "Robinhood Markets"),
            ("car", "Cardano"),
            ("the", "Thermo Fisher"),
            ("class a", "Adidas"),
            ("hello", "Helo"),
            ("germany", "Germani"),
            ("target price", "Target"),
            ("zzzzzz", "Zorblatt"),
            ("semiconductors", "NXP Semiconductors"),
        ] {
            assert_eq!(fit(text, name), None, "{text}");
        }
    }
}
