//! What a question says in addition to its intents: a claim, a side of trades, a kind of event.

use super::Wishes;
use crate::intent::Intent;
use crate::reading::Side;

impl Wishes<'_> {
    /// The claim to check: what follows the words that ask for it.
    pub(in crate::reading) fn claim(&self, text: &str) -> String {
        let cues = self
            .cues
            .iter()
            .filter(|cue| cue.intent == Intent::Verification);
        let whole = text.trim().trim_end_matches(['?', '!', '.']).trim();
        let mut claim = whole;
        if let Some(cue) = cues.min_by_key(|cue| cue.words.start) {
            if cue.has_gap {
                // `did Apple really buy OpenAI`: without the first word and `really`.
                let rest = &text[self.words[cue.words.start].bytes.end..];
                return rest
                    .trim()
                    .trim_end_matches(['?', '!', '.'])
                    .replace(" really ", " ")
                    .replace(" actually ", " ");
            }
            let end = self.words[cue.words.end - 1].bytes.end;
            let start = self.words[cue.words.start].bytes.start;
            let rest = text[end..].trim_start_matches([' ', ':', ',', '-', '?', '"', '“']);
            let before = text[..start]
                .trim_end_matches([' ', ',', '.', '-', ':'])
                .trim();
            claim = if rest.chars().filter(|one| one.is_alphabetic()).count() >= 8 {
                rest
            } else {
                before
            };
        }
        let claim = claim
            .trim()
            .trim_end_matches(['?', '!', '.', '"', '”'])
            .trim();
        let claim = ["that ", "whether ", "if ", "the claim that ", "this: "]
            .iter()
            .fold(claim, |claim, opening| {
                let is_there = claim
                    .get(..opening.len())
                    .is_some_and(|start| start.eq_ignore_ascii_case(opening));
                if is_there {
                    &claim[opening.len()..]
                } else {
                    claim
                }
            });
        let claim = if claim.is_empty() { whole } else { claim };
        claim.to_owned()
    }

    /// Which side of trades is asked for.
    pub(in crate::reading) fn side(&self) -> Option<Side> {
        let says = |beginnings: &[&str]| {
            let mut words = self.words.iter();
            words.any(|word| beginnings.iter().any(|one| word.lower.starts_with(one)))
        };
        match (
            says(&["buy", "bought", "purchas"]),
            says(&["sell", "sold", "sale", "dump"]),
        ) {
            (true, false) => Some(Side::Buy),
            (false, true) => Some(Side::Sell),
            _ => None,
        }
    }

    /// The kind of event that is named first.
    pub(in crate::reading) fn event(&self) -> Option<&'static str> {
        const KINDS: [(&str, &[&str]); 8] = [
            (
                "acquisition",
                &["acqui", "takeover", "merge", "buyout", "m&a"],
            ),
            (
                "lawsuit",
                &[
                    "lawsuit",
                    "sued",
                    "suing",
                    "sues",
                    "litigation",
                    "antitrust",
                    "settlement",
                ],
            ),
            ("ipo", &["ipo", "debut", "public"]),
            ("bankruptcy", &["bankrupt", "chapter", "insolven"]),
            ("funding", &["funding", "raised", "venture", "series"]),
            ("partnership", &["partner", "joint"]),
            ("launch", &["launch"]),
            ("regulation", &["regulat", "fined", "fines"]),
        ];
        let cues = self.cues.iter().filter(|cue| cue.intent == Intent::Events);
        let mut words = cues.flat_map(|cue| &self.words[cue.words.clone()]);
        words.find_map(|word| {
            KINDS.iter().find_map(|(kind, beginnings)| {
                let begins = beginnings.iter().any(|one| word.lower.starts_with(one));
                begins.then_some(*kind)
            })
        })
    }
}
