//! What a text claims: its individual claims, each made self-contained, and whether evidence could decide them.
//!
//! A text is split into sentences, and these into clauses that each make a statement of their own. The name behind a
//! pronoun or `the company` is put in its place. Opinions, questions, predictions and instructions are kept and marked:
//! they are not checkable, and the answer says so. Nothing that a text asks for is carried out.

mod apposition;
mod complete;
mod cues;
mod decision;
mod split;

use text::sentence;

pub use apposition::Apposition;
pub use cues::Unchecked;
pub use decision::Decision;

/// Maximum number of claims read from a text; the caller takes fewer.
const MOST: usize = 60;
/// A shorter sentence states nothing that can be looked up.
const FEWEST_WORDS: usize = 3;

/// One claim in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// In a form that can be read on its own.
    pub text: String,
    /// As it is written in the text.
    pub written: String,
    /// Why evidence cannot decide it; `None` if it can.
    pub unchecked: Option<Unchecked>,
}

impl Claim {
    /// A text that is a single claim, taken as it is.
    pub fn parse(text: &str) -> Self {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Self {
            unchecked: cues::unchecked(&text),
            written: text.clone(),
            text,
        }
    }

    /// The claims of a text in order, including those that cannot be checked.
    pub fn all(text: &str) -> Vec<Self> {
        let mut claims = Vec::new();
        let mut subjects = complete::Subjects::default();
        for block in split::blocks(text) {
            for sentence in sentence::split(&block) {
                for clause in split::clauses(sentence) {
                    if claims.len() == MOST {
                        return claims;
                    }
                    if text::token::words(clause).count() < FEWEST_WORDS {
                        continue;
                    }
                    let complete = subjects.complete(clause);
                    subjects.read(&complete);
                    let claim = Self {
                        unchecked: cues::unchecked(&complete),
                        written: clause.to_owned(),
                        text: complete,
                    };
                    if !claims
                        .iter()
                        .any(|other: &Self| other.text.eq_ignore_ascii_case(&claim.text))
                    {
                        claims.push(claim);
                    }
                }
            }
        }
        claims
    }

    /// Whether it is about a future event that may have been announced (`will end its mainframe business in 2035`), as
    /// opposed to which way something will go.
    pub fn is_plan(&self) -> bool {
        self.unchecked == Some(Unchecked::Prediction)
            && !crate::stance::names_direction(cues::to_come(&self.text))
    }

    /// Whether evidence could decide it.
    pub fn is_checkable(&self) -> bool {
        self.unchecked.is_none()
    }
}

#[cfg(test)]
mod tests;
