//! Headlines that deny, and what they deny.

use model::Severity;

use super::comparison::Statement;
use super::cues::Word;
use super::terms;
use crate::features;

/// How a headline denies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Denial {
    None,
    /// `did not`.
    Fact,
    /// `X denies …`.
    Said,
}

pub(crate) fn words_of(text: &str) -> Vec<String> {
    text.split(|character: char| {
        !character.is_alphanumeric() && character != '\'' && character != '’'
    })
    .map(|word| {
        word.trim_matches(['\'', '’'])
            .to_lowercase()
            .replace('’', "'")
    })
    .filter(|word| !word.is_empty())
    .collect()
}

/// How a text denies, and the stem of the denied word.
pub(crate) fn of(text: &str) -> (Denial, Option<u32>) {
    const ASIDE: [&str; 6] = ["who", "that", "which", "you", "if", "unless"];
    let words = words_of(text);
    for (at, word) in words.iter().enumerate() {
        let how = match word.as_str() {
            "not"
                if at > 0
                    && matches!(
                        words[at - 1].as_str(),
                        "did"
                            | "do"
                            | "does"
                            | "was"
                            | "is"
                            | "are"
                            | "were"
                            | "has"
                            | "have"
                            | "had"
                            | "will"
                    ) =>
            {
                Denial::Fact
            }
            "didn't" | "doesn't" | "wasn't" | "isn't" | "aren't" | "weren't" | "hasn't"
            | "haven't" | "won't" | "never" => Denial::Fact,
            "denies" | "denied" | "refutes" | "refuted" | "denying" => Denial::Said,
            _ => continue,
        };
        if words[at.saturating_sub(4)..at]
            .iter()
            .any(|word| ASIDE.contains(&word.as_str()))
        {
            continue;
        }
        // The lasting state is denied, not its duration: whoever `did not remain open` is shut, as is whoever
        // `remains shut`.
        let denied = words[at + 1..].iter().find(|word| {
            !matches!(
                word.as_str(),
                "be" | "been"
                    | "being"
                    | "have"
                    | "yet"
                    | "his"
                    | "her"
                    | "it"
                    | "its"
                    | "remain"
                    | "remained"
                    | "stay"
                    | "stayed"
            )
        });
        // `is not a protest`, `aren't enough`: an opinion rather than a denial that something happened.
        let copula = matches!(word.as_str(), "isn't" | "aren't" | "wasn't" | "weren't")
            || word == "not" && matches!(words[at - 1].as_str(), "is" | "are" | "was" | "were");
        let denied = denied.filter(|word| {
            !matches!(
                word.as_str(),
                "a" | "the"
                    | "any"
                    | "allegation"
                    | "allegations"
                    | "claims"
                    | "accusation"
                    | "accusations"
            ) && (!copula
                || word.ends_with("ed")
                || word.ends_with("ing")
                || word.ends_with("en")
                || *word == "paid")
        });
        return (how, denied.and_then(|word| features::stem_hash(word)));
    }
    (Denial::None, None)
}

/// How severe it is that one headline denies what the other affirms, if it does.
pub(crate) fn polarity(left: &Statement<'_>, right: &Statement<'_>) -> Option<Severity> {
    if !left.is_headline
        || !right.is_headline
        || left.text.ends_with('?')
        || right.text.ends_with('?')
    {
        return None;
    }
    let same = terms::common(left.terms, right.terms);
    if same < 3 || terms::shared(left.terms, right.terms) < 0.5 {
        return None;
    }
    let (here, there) = (of(left.text), of(right.text));
    let (severity, denied, affirmed) = match (here.0, there.0) {
        (Denial::None, Denial::Fact) => (Severity::Major, there.1, left),
        (Denial::Fact, Denial::None) => (Severity::Major, here.1, right),
        (Denial::None, Denial::Said) => (Severity::Moderate, there.1, left),
        (Denial::Said, Denial::None) => (Severity::Moderate, here.1, right),
        _ => return None,
    };
    if words_of(affirmed.text)
        .iter()
        .any(|word| Word::Softening.is(word) || word.ends_with("n't"))
    {
        return None;
    }
    // What one denies must be the same as what the other affirms.
    let holds = denied.is_some_and(|stem| {
        affirmed
            .terms
            .binary_search_by_key(&stem, |term| term.0)
            .is_ok()
    });
    holds.then_some(severity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_denied_is_the_state_and_not_that_it_lasts() {
        for (text, expected) in [
            ("The strait did not remain open for a day", Some("open")),
            ("The strait has not stayed open", Some("open")),
            ("Northwind did not buy Velden", Some("buy")),
            ("Northwind remains open", None),
        ] {
            assert_eq!(of(text).1, expected.and_then(features::stem_hash), "{text}");
        }
    }
}
