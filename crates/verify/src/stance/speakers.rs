//! Who is said to have said something.

use text::statement::proposition::Proposition;

use super::names::{Name, Names, Sort};
use super::reading::Reading;
use super::turned::{is, place};

const SAYING: [&str; 24] = [
    "said",
    "says",
    "told",
    "tells",
    "warned",
    "warns",
    "argued",
    "argues",
    "added",
    "insisted",
    "insists",
    "claimed",
    "claims",
    "stated",
    "declared",
    "announced",
    "wrote",
    "tweeted",
    "predicted",
    "predicts",
    "called",
    "described",
    "acknowledged",
    "admitted",
];

impl Reading<'_> {
    /// Whether this claim says who said something, while a passage does not name them and has somebody else say something
    /// in words of the claim.
    pub fn is_said_by_another(&self, passage: &Reading<'_>) -> bool {
        let (Some(claim), Some(names)) = (self.sentences.first(), self.of_sentences.first()) else {
            return false;
        };
        let Some(speaker) = speaker(claim, names) else {
            return false;
        };
        let mut told = passage.sentences.iter().zip(&passage.of_sentences);
        !passage.names.tells(speaker)
            && told.any(|(sentence, names)| {
                shared(claim, sentence) >= SHARED && self::speaker(sentence, names).is_some()
            })
    }
}

/// The words that a claim has in common with what somebody says, for that to be what the claim reports.
const SHARED: usize = 3;

/// The number of words, other than names, that a claim shares with a sentence.
fn shared(claim: &Proposition<'_>, sentence: &Proposition<'_>) -> usize {
    let words = claim
        .words
        .iter()
        .filter(|word| !word.is_name && !is(word, &SAYING));
    words
        .filter_map(|word| word.stem)
        .filter(|stem| {
            let mut there = sentence.words.iter();
            there.any(|word| word.stem == Some(*stem))
        })
        .count()
}

/// The person or body next to a word for saying: `Powell said`, `said Jerome Powell`, `according to Powell`.
fn speaker<'n>(sentence: &Proposition<'_>, names: &'n Names) -> Option<&'n Name> {
    let words = &sentence.words;
    names.names.iter().find(|name| {
        let can_speak = matches!(name.sort, Sort::Person | Sort::Body | Sort::Unknown);
        let Some(at) = place(name, sentence).filter(|_| can_speak) else {
            return false;
        };
        let before = at.start.checked_sub(1).map(|before| &words[before]);
        let is_according = at.start >= 2
            && is(&words[at.start - 1], &["to"])
            && is(&words[at.start - 2], &["according"]);
        let next = words.get(at.end);
        is_according
            || before.is_some_and(|before| is(before, &SAYING))
            || next.is_some_and(|next| is(next, &SAYING))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_else_said_is_not_what_the_claim_reports() {
        let passage = "Christine Lagarde said on Thursday that inflation would fall next year.";
        for (claim, expected) in [
            (
                "Jerome Powell said that inflation would fall next year.",
                true,
            ),
            (
                "Christine Lagarde said that inflation would fall next year.",
                false,
            ),
            ("Lagarde warned that inflation would fall next year.", false),
            ("Inflation will fall next year.", false),
        ] {
            let claim = Reading::of_claim(claim);
            let passage = Reading::of_passage(passage, "", None);
            assert_eq!(claim.is_said_by_another(&passage), expected);
        }
        let passage =
            "American Airlines said it is not interested in a hostile merger with United.";
        let claim = "Nordlys said it is not interested in a hostile merger with United.";
        let passage = Reading::of_passage(passage, "", None);
        assert!(Reading::of_claim(claim).is_said_by_another(&passage));
    }
}
