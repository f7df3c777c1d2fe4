//! Questions in languages other than English, and about countries other than the one on record.

use std::ops::Range;

use model::EntityKind;

use crate::cues::Cue;
use crate::facts::Fact;
use crate::words::Word;

/// Whether a question is written in a language other than English: its small words say so, and it contains no phrase of
/// an intent.
pub(super) fn is_foreign(text: &str, words: &[Word], cues: &[Cue]) -> bool {
    const LEAST_WORDS: usize = 4;
    let english = || {
        let words = words.iter().filter(|word| {
            text::token::is_stop_word(&word.lower) || text::entities::is_common_word(&word.lower)
        });
        words.count()
    };
    // Scripts that do not separate words by spaces, and marks that only Spanish questions begin with.
    if !text::language::is_mostly_latin(text) || text.contains(['¿', '¡']) {
        return true;
    }
    // The language comes last: finding it costs more than all the rest. `was` and `die` are English words, too.
    words.len() >= LEAST_WORDS
        && cues.iter().all(|cue| cue.words.len() == 1)
        && english() * 5 < words.len() * 2
        && !matches!(text::language::detect(text), "en" | "und")
}

/// Economic figures of another country, by their usual name: only those of the United States are on record.
pub(super) const FIGURES: Fact =
    Fact::Elsewhere("economic figures of countries other than the United States");
/// Rates of another central bank, by their usual name.
pub(super) const RATES: Fact =
    Fact::Elsewhere("interest rates of central banks other than the Federal Reserve");

/// The words for a central bank other than the Federal Reserve whose interest rate is asked about; none if its seat
/// stands for it.
pub(super) fn bank_of_rate(text: &str, words: &[Word]) -> Option<Range<usize>> {
    const WORDS: [&str; 12] = [
        "rate", "rates", "interest", "repo", "hike", "hikes", "hiked", "hiking", "policy", "cut",
        "cuts", "raise",
    ];
    let named = verify::central_banks::other_than_fed(text)?;
    let is_of_rate = words.iter().any(|word| word.is_any(&WORDS));
    is_of_rate.then(|| crate::subjects::covered(words, &named))
}

/// Whether a place other than the United States is named.
pub(super) fn names_other_country(text: &str, words: &[Word]) -> bool {
    const REGIONS: [&str; 12] = [
        "eurozone", "euro", "eu", "uk", "european", "german", "french", "british", "japanese",
        "chinese", "indian", "ecb",
    ];
    const OWN: [&str; 6] = [
        "United States",
        "Washington",
        "America",
        "North America",
        "USA",
        "States",
    ];
    let is_other = |name: &str| !OWN.contains(&name);
    let written = text::entities::spans("", text);
    let titled: Vec<String> = words
        .iter()
        .map(|word| {
            let mut letters = word.lower.chars();
            let first = letters.next().into_iter().flat_map(char::to_uppercase);
            first.chain(letters).collect()
        })
        .collect();
    words.iter().any(|word| word.is_any(&REGIONS))
        || written
            .iter()
            .any(|span| span.kind == EntityKind::Location && is_other(&span.name))
        || titled.iter().any(|word| {
            text::entities::listed(word)
                .is_some_and(|(kind, _)| kind == EntityKind::Location && is_other(word))
        })
}
