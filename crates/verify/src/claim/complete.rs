//! Replaces words that stand for names with the names, so that a claim can be read on its own.

use model::EntityKind;
use text::statement::proposition::Proposition;
use text::{entities, token};

/// Who and what the preceding sentences were about.
#[derive(Debug, Default)]
pub(super) struct Subjects {
    person: Option<String>,
    organization: Option<String>,
    other: Option<String>,
    /// The subject of the last sentence, whatever it is.
    last: Option<String>,
}

/// What an opening word stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Antecedent {
    Person,
    Organization,
    Any,
}

impl Subjects {
    /// The sentence with a name in place of its first word, if that word stands for one.
    pub(super) fn complete(&self, sentence: &str) -> String {
        let sentence = sentence.trim();
        let Some((length, stands, owner)) = opening(sentence) else {
            return sentence.to_owned();
        };
        let name = match stands {
            Antecedent::Person => self.person.as_ref(),
            Antecedent::Organization => self.organization.as_ref().or(self.last.as_ref()),
            Antecedent::Any => self
                .last
                .as_ref()
                .or(self.organization.as_ref())
                .or(self.other.as_ref()),
        };
        let Some(name) = name else {
            return sentence.to_owned();
        };
        let rest = &sentence[length..];
        let ending = match (owner, name.ends_with('s')) {
            (false, _) => "",
            (true, true) => "'",
            (true, false) => "'s",
        };
        format!("{name}{ending}{rest}")
    }

    /// Records whom a sentence is about.
    pub(super) fn name(&mut self, name: String) {
        self.organization = Some(name.clone());
        self.last = Some(name);
    }

    /// Records whom a sentence names.
    pub(super) fn read(&mut self, sentence: &str) {
        let spans = entities::spans("", sentence);
        let begins = spans.first().map(|span| span.bytes.start);
        // A name that is in no table is still the opening name: the sentence is not about whoever is named later.
        let mut first = match name_in_front(sentence) {
            Some(name) if begins.is_none_or(|begins| begins >= name.len()) => {
                self.name(name.to_owned());
                false
            }
            _ => true,
        };
        for span in spans {
            let slot = match span.kind {
                EntityKind::Person => &mut self.person,
                EntityKind::Organization => &mut self.organization,
                _ => &mut self.other,
            };
            // The subject comes first; later names only fill what is still open.
            if first {
                *slot = Some(span.name.clone());
                self.last = Some(span.name);
                first = false;
            } else if slot.is_none() {
                *slot = Some(span.name);
            }
        }
    }
}

/// The words at the beginning of a sentence, if they are a name.
fn name_in_front(sentence: &str) -> Option<&str> {
    let read = Proposition::parse(sentence);
    let last = read.words.iter().take_while(|word| word.is_name).last()?;
    let end = last.text.as_ptr() as usize - sentence.as_ptr() as usize + last.text.len();
    sentence.get(..end)
}

/// The opening word or words that stand for a name: their length, whom they stand for, and whether they own what
/// follows.
fn opening(sentence: &str) -> Option<(usize, Antecedent, bool)> {
    const NOUNS: [&str; 14] = [
        "company",
        "firm",
        "group",
        "bank",
        "retailer",
        "carmaker",
        "chipmaker",
        "airline",
        "maker",
        "startup",
        "business",
        "manufacturer",
        "insurer",
        "stock",
    ];
    let mut words = token::words(sentence);
    let first = words.next()?;
    let end = |word: &str| (word.as_ptr() as usize) - (sentence.as_ptr() as usize) + word.len();
    let found = |stands, owner| Some((end(first), stands, owner));
    match first.to_lowercase().as_str() {
        "he" | "she" => found(Antecedent::Person, false),
        "his" | "her" => found(Antecedent::Person, true),
        "it" | "they" => found(Antecedent::Any, false),
        "its" | "their" => found(Antecedent::Any, true),
        "the" | "this" | "that" => {
            let second = words.next()?;
            let lower = second.to_lowercase();
            let (noun, owner) = match lower
                .strip_suffix("'s")
                .or_else(|| lower.strip_suffix("’s"))
            {
                Some(noun) => (noun, true),
                None => (lower.as_str(), false),
            };
            NOUNS
                .contains(&noun)
                .then(|| (end(second), Antecedent::Organization, owner))
        }
        _ => None,
    }
}
