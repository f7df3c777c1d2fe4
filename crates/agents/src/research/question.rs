//! What a question is about, as far as a text can be compared with it word by word.

use text::token::is_stop_word;

use super::Source;

/// The share of its words that a text must have.
const HALF: f64 = 0.5;

/// The words of a question.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    stems: Vec<String>,
    /// The words of names: what is asked about one company does not concern another.
    names: Vec<String>,
}

impl Question {
    /// The question of a query, with the names found in its briefs.
    pub(crate) fn new(query: &str, sources: &[Source]) -> Self {
        let known: Vec<String> = sources
            .iter()
            .flat_map(|source| source.view().list("entities"))
            .filter_map(|name| name.0.as_str())
            .flat_map(stems)
            .collect();
        let names = query
            .split(|mark: char| !mark.is_alphanumeric())
            .filter(|word| word.starts_with(char::is_uppercase))
            .flat_map(stems)
            .filter(|stem| known.contains(stem))
            .collect();
        Self {
            stems: stems(query),
            names,
        }
    }

    /// The share of its words that are among these.
    pub(crate) fn share_of(&self, words: &[String]) -> f64 {
        if self.stems.is_empty() {
            return 0.0;
        }
        let held = self
            .stems
            .iter()
            .filter(|stem| words.contains(stem))
            .count();
        held as f64 / self.stems.len() as f64
    }

    /// Whether a text is about it: it contains one of its names, if it has any, and half of its other words.
    pub(crate) fn is_met_by(&self, text: &str) -> bool {
        let words = stems(text);
        let has_name = self.names.is_empty() || self.names.iter().any(|name| words.contains(name));
        let others = || self.stems.iter().filter(|stem| !self.names.contains(stem));
        let held = others().filter(|stem| words.contains(stem)).count();
        has_name && held as f64 >= HALF * others().count() as f64
    }
}

/// The meaningful words, without endings.
pub(crate) fn stems(text: &str) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    for word in text.split(|mark: char| !mark.is_alphanumeric()) {
        let lower = word.to_lowercase();
        // `US` is a name, but `us` is not.
        let is_short_name = word.len() == 2 && word.chars().all(char::is_uppercase);
        let is_number = word.chars().any(|mark| mark.is_ascii_digit());
        if !is_short_name && !is_number && (word.chars().count() < 3 || is_stop_word(&lower)) {
            continue;
        }
        let stem: String = lower.chars().take(6).collect();
        let stem = match stem.strip_suffix('s') {
            Some(bare) if bare.chars().count() > 2 => bare.to_owned(),
            _ => stem,
        };
        if !stems.contains(&stem) {
            stems.push(stem);
        }
    }
    stems
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;

    fn source(entities: &[&str]) -> Source {
        Source {
            brief: Arc::new(json!({ "entities": entities })),
            relevance: 1.0,
            by: None,
        }
    }

    #[test]
    fn what_is_asked_of_one_name_is_not_answered_by_another() {
        let question = Question::new("Nvidia data center demand", &[source(&["Nvidia"])]);
        assert!(question.is_met_by("Nvidia sees demand for data centers grow"));
        assert!(!question.is_met_by("Data centers drove electricity demand"));
        assert!(!question.is_met_by("Nvidia sponsors a race"));
        assert!(!question.is_met_by("Nvidia confirms that data of users were exposed"));
        let question = Question::new("US tariffs and consumer prices", &[]);
        assert!(question.is_met_by("Consumer prices rose in the US"));
        assert!(!question.is_met_by("Joint statement on health with Brazil"));
        let question = Question::new("Will the Fed cut interest rates in 2026?", &[]);
        assert!(question.is_met_by("The Fed cut interest rates"));
    }
}
