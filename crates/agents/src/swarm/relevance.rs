//! What a question is about, and which reports and statements are about that.

use std::sync::Arc;

use query::How;
use serde_json::Value;

use crate::run::Outcome;
use crate::view::View;

/// Longest topic, in characters.
pub(super) const LONGEST_TOPIC: usize = 200;
/// The share of the words of a question from which a text is about it.
const HALF: f64 = 0.5;

/// What is looked into, in words that a search understands.
pub(crate) fn subject(reading: &query::Reading) -> String {
    match reading.instruments.first() {
        Some(one) => short_name(&one.name),
        None => reading.topic.chars().take(LONGEST_TOPIC).collect(),
    }
}

/// The same as the question says it: news call Alphabet Google as well.
pub(super) fn spoken(reading: &query::Reading) -> String {
    match reading.instruments.first() {
        Some(one) if one.how == How::Name => one.said.clone(),
        _ => subject(reading),
    }
}

/// A company's name as the news print it.
fn short_name(name: &str) -> String {
    const FORMS: [&str; 16] = [
        "inc",
        "inc.",
        "corp",
        "corp.",
        "corporation",
        "company",
        "co",
        "co.",
        "ltd",
        "ltd.",
        "plc",
        "holdings",
        "group",
        "n.v.",
        "s.a.",
        "platforms",
    ];
    let words: Vec<&str> = name
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .take_while(|word| !FORMS.contains(&word.to_lowercase().as_str()))
        .take(3)
        .collect();
    if words.is_empty() {
        name.to_owned()
    } else {
        words.join(" ")
    }
}

/// Leaves out what names neither the instruments of the question nor half of its words: lists of events match parts of words, and
/// contradictions are those of all stories.
pub(crate) fn keep_relevant(reading: &query::Reading, outcomes: &mut [Outcome]) {
    let topic = Words::of(reading);
    for outcome in outcomes {
        let list = match outcome.step.key {
            "vertical_events" | "vertical_lawsuits" | "events" => "events",
            "vertical_contradictions" | "contradictions" => "contradictions",
            // A search that finds nothing with all words gives what has some of them.
            "vertical_news" | "vertical_rules" | "again" if !reading.instruments.is_empty() => {
                "briefs"
            }
            _ => continue,
        };
        let Ok(result) = &mut outcome.result else {
            continue;
        };
        if let Some(Value::Array(items)) = Arc::make_mut(result).get_mut(list) {
            items.retain(|item| topic.are_in(View(item)));
        }
    }
}

/// The words of a question by which a report is known to be about it.
pub(crate) struct Words {
    names: Vec<String>,
    stems: Vec<String>,
}

impl Words {
    pub(crate) fn of(reading: &query::Reading) -> Self {
        let names = reading.instruments.iter().flat_map(|one| {
            let said = (one.how == How::Name).then(|| one.said.to_lowercase());
            [
                short_name(&one.name).to_lowercase(),
                one.symbol.as_str().to_lowercase(),
            ]
            .into_iter()
            .chain(said)
        });
        let stems = reading.topic.split(|mark: char| !mark.is_alphanumeric());
        Self {
            names: names.collect(),
            stems: stems
                .filter(|word| word.chars().count() > 2)
                .map(stem)
                .collect(),
        }
    }

    fn are_in(&self, item: View<'_>) -> bool {
        let said = ["headline", "sentence", "summary", "subject", "object"]
            .map(|name| item.text(name).unwrap_or_default())
            .join(" ");
        self.are_said(&said)
    }

    /// Whether a text is about the question: it names an instrument, or has half of its words.
    pub(crate) fn are_said(&self, text: &str) -> bool {
        self.share_in(text) >= HALF
    }

    /// How much of the question a text is about: all where it names an instrument of it, else the share of its words.
    pub(super) fn share_in(&self, text: &str) -> f64 {
        let lower = text.to_lowercase();
        let words: Vec<&str> = lower
            .split(|mark: char| !mark.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        if !self.names.is_empty() {
            let spaced = format!(" {} ", words.join(" "));
            let is_named = self
                .names
                .iter()
                .any(|name| spaced.contains(&format!(" {name} ")));
            return f64::from(u8::from(is_named));
        }
        let held = self
            .stems
            .iter()
            .filter(|stem| words.iter().any(|word| word.starts_with(stem.as_str())))
            .count();
        held as f64 / self.stems.len().max(1) as f64
    }
}

/// The beginning of a word, without the `s` of several.
fn stem(word: &str) -> String {
    let stem: String = word.to_lowercase().chars().take(6).collect();
    match stem.strip_suffix('s') {
        Some(bare) if bare.chars().count() > 2 => bare.to_owned(),
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_about_what_it_names() {
        let words = Words {
            names: vec![
                "jpmorgan chase".to_owned(),
                "jpm".to_owned(),
                "jpmorgan".to_owned(),
            ],
            stems: Vec::new(),
        };
        assert!(words.are_said("JPMorgan and Citi were sued."));
        assert!(!words.are_said("Bitcoin funds drew more money than gold."));
        let words = Words {
            names: Vec::new(),
            stems: ["tariff", "inflat"].map(str::to_owned).to_vec(),
        };
        assert!(words.are_said("Tariffs raise prices."));
        assert!(!words.are_said("Fuel gets dearer in India."));
    }
}
