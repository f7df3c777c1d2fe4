//! What a question is about, and which reports and statements are about that.

use std::sync::Arc;

use query::How;
use serde_json::Value;
use text::language::is_mostly_latin;

use crate::run::Outcome;
use crate::view::View;

/// Longest topic, in characters.
pub(super) const LONGEST_TOPIC: usize = 200;
/// The share of a question's words from which a text counts as being about it.
const HALF: f64 = 0.5;

/// The subject, in words that a search understands.
pub(crate) fn subject(reading: &query::Reading) -> String {
    match reading.instruments.first() {
        Some(one) => short_name(&one.name),
        None => reading.topic.chars().take(LONGEST_TOPIC).collect(),
    }
}

/// The same in the words of the question: news also call Alphabet Google.
pub(super) fn spoken(reading: &query::Reading) -> String {
    match reading.instruments.first() {
        Some(one) if one.how == How::Name => one.said.clone(),
        _ => subject(reading),
    }
}

/// A company's name as it appears in the news.
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

/// Leaves out what names neither the instruments in the question nor half of its words: lists of events also match
/// parts of words, and contradictions are those of all stories.
pub(crate) fn keep_relevant(reading: &query::Reading, outcomes: &mut [Outcome]) {
    let topic = Words::of(reading);
    for outcome in outcomes {
        let list = match outcome.step.key {
            "vertical_events" | "vertical_lawsuits" | "events" => "events",
            "vertical_contradictions" | "contradictions" => "contradictions",
            // If a search for all words finds nothing, it returns items with some of them.
            "vertical_news" | "vertical_rules" | "again" | "search"
                if !reading.instruments.is_empty() =>
            {
                "briefs"
            }
            _ => continue,
        };
        let Ok(result) = &mut outcome.result else {
            continue;
        };
        if let Some(Value::Array(items)) = Arc::make_mut(result).get_mut(list) {
            let is_on_matter = outcome.step.key == "search";
            items.retain(|item| {
                topic.are_in(View(item)) && (!is_on_matter || topic.say_matter(View(item)))
            });
            if is_on_matter {
                // Items that the person asking can read come first; otherwise the sort keeps the order.
                let is_latin_asked = is_mostly_latin(&reading.question);
                items.sort_by_key(|item| {
                    let headline = View(item).text("headline").unwrap_or_default();
                    is_mostly_latin(headline) != is_latin_asked
                });
            }
        }
    }
}

/// What is asked about the instruments in a question, besides their names: at least two words that are not everyday
/// English.
pub(super) fn matter(reading: &query::Reading) -> Option<Vec<String>> {
    const SHORTEST: usize = 4;
    if !(1..=2).contains(&reading.instruments.len()) {
        return None;
    }
    let names: Vec<String> = reading
        .instruments
        .iter()
        .flat_map(|one| [one.name.as_str(), one.symbol.as_str(), one.said.as_str()])
        .flat_map(|name| name.split(|mark: char| !mark.is_alphanumeric()))
        .map(str::to_lowercase)
        .collect();
    let words: Vec<String> = reading
        .topic
        .split(|mark: char| !mark.is_alphanumeric())
        .filter(|word| {
            word.chars().count() >= SHORTEST
                && word.chars().all(char::is_alphabetic)
                && !names.contains(&word.to_lowercase())
        })
        .map(str::to_owned)
        .collect();
    (words.len() >= 2).then_some(words)
}

/// Names in a question besides listed ones: capitalised words inside its sentences. Places are left out, since reports
/// name them in many ways, and so is everything in a question that capitalises most words.
pub(super) fn names(reading: &query::Reading) -> Vec<String> {
    const SHORTEST: usize = 4;
    let is_capital = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
    let words: Vec<&str> = reading.question.split_whitespace().collect();
    let capitals = words.iter().filter(|word| is_capital(word)).count();
    if 2 * capitals > words.len() {
        return Vec::new();
    }
    let mut names: Vec<String> = Vec::new();
    for pair in words.windows(2) {
        let begins = pair[0].ends_with(['.', '?', '!', ':']);
        let bare = pair[1].trim_matches(|mark: char| !mark.is_alphanumeric());
        let bare = bare.trim_end_matches("'s").trim_end_matches("’s");
        let is_name = !begins
            && is_capital(bare)
            && bare.chars().count() >= SHORTEST
            && bare.chars().all(char::is_alphabetic)
            && reading.topic.contains(bare)
            && text::entities::listed(bare)
                .is_none_or(|(kind, _)| kind != model::EntityKind::Location)
            && verify::places::named(bare).is_empty();
        if is_name && !names.iter().any(|known| known == bare) {
            names.push(bare.to_owned());
        }
    }
    names
}

/// Whether a text contains a name, in any case and with any ending.
pub(super) fn is_named(name: &str, text: &str) -> bool {
    let stem = stem(name);
    let lower = text.to_lowercase();
    lower
        .split(|mark: char| !mark.is_alphanumeric())
        .any(|word| word.starts_with(&stem))
}

/// The words of a question by which a report is recognised as being about it.
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
        let stems: Vec<String> = if reading.instruments.is_empty() {
            let words = reading.topic.split(|mark: char| !mark.is_alphanumeric());
            let words = words.filter(|word| word.chars().count() > 2);
            words.map(stem).collect()
        } else {
            let words = matter(reading).unwrap_or_default();
            words.iter().map(|word| stem(word)).collect()
        };
        Self {
            names: names.collect(),
            stems,
        }
    }

    /// Whether a report contains a word of what is asked besides the instruments.
    fn say_matter(&self, item: View<'_>) -> bool {
        let said = ["headline", "summary"].map(|name| item.text(name).unwrap_or_default());
        self.held(&said.join(" ").to_lowercase()) > 0
    }

    /// How many of its words a text in lower case contains.
    fn held(&self, lower: &str) -> usize {
        let words: Vec<&str> = lower
            .split(|mark: char| !mark.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        self.stems
            .iter()
            .filter(|stem| words.iter().any(|word| word.starts_with(stem.as_str())))
            .count()
    }

    fn are_in(&self, item: View<'_>) -> bool {
        let said = ["headline", "sentence", "summary", "subject", "object"]
            .map(|name| item.text(name).unwrap_or_default())
            .join(" ");
        self.are_said(&said)
    }

    /// Whether a text is about the question: it names an instrument, or contains half of its words.
    pub(crate) fn are_said(&self, text: &str) -> bool {
        self.share_in(text) >= HALF
    }

    /// How much of the question a text is about, among others that name the instrument as well: its share of what is
    /// asked about it.
    pub(super) fn share_of_matter(&self, text: &str) -> f64 {
        /// The value of the name alone.
        const NAME: f64 = 0.15;
        let share = self.share_in(text);
        if self.names.is_empty() || self.stems.is_empty() {
            return share;
        }
        let held = self.held(&text.to_lowercase()) as f64 / self.stems.len() as f64;
        share * (NAME + (1.0 - NAME) * held)
    }

    /// How much of the question a text is about: all of it if it names one of its instruments, otherwise the share of
    /// its words.
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
        self.held(&lower) as f64 / self.stems.len().max(1) as f64
    }
}

/// The beginning of a word, without a plural `s`.
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

    fn read(question: &str) -> query::Reading {
        let listed = [("AAPL", "Apple Inc."), ("NVDA", "NVIDIA Corporation")];
        let names = query::Names::new(listed.map(|(symbol, name)| query::Listed {
            symbol: model::Symbol::parse(symbol).unwrap(),
            name: name.to_owned(),
            kind: query::Kind::Share,
            currency: "USD".to_owned(),
            size: 1.0,
        }));
        query::read(question, model::Day::parse("2022-03-14").unwrap(), &names)
    }

    #[test]
    fn what_is_asked_of_a_company_is_more_than_its_name() {
        let of = |question: &str| matter(&read(question)).unwrap_or_default().join(" ");
        assert_eq!(
            of("Is Apple stock affected by the halt of sales in Russia?"),
            "halt sales Russia"
        );
        assert_eq!(of("How is NVDA doing?"), "");
        assert_eq!(of("Why did Apple move?"), "");
        assert_eq!(
            of("What do sanctions mean for trade with Russia?"),
            "",
            "no company"
        );
    }

    #[test]
    fn of_reports_that_name_the_company_those_on_the_question_count_more() {
        let words = Words::of(&read(
            "Is Apple stock affected by the halt of sales in Russia?",
        ));
        let (on, off) = (
            "Apple halted all sales in Russia on Tuesday.",
            "Apple showed a new phone on Tuesday.",
        );
        assert!(words.are_said(on) && words.are_said(off));
        assert!(words.share_of_matter(off) < 0.6 * words.share_of_matter(on));
        assert!(!words.are_said("Russia halted the sale of grain."));
        let report = |text: &str| serde_json::json!({"headline": text, "summary": ""});
        assert!(words.say_matter(View(&report(on))));
        assert!(!words.say_matter(View(&report(off))));
    }

    #[test]
    fn names_of_a_question_are_written_as_such_and_are_no_places() {
        let of = |question: &str| names(&read(question));
        assert_eq!(
            of("How exposed is Volkswagen to the war in Ukraine?"),
            ["Volkswagen"]
        );
        assert_eq!(
            of("What do sanctions on semiconductors mean for chip makers?"),
            [""; 0]
        );
        assert_eq!(
            of("How Exposed Is Volkswagen To The War?"),
            [""; 0],
            "a title"
        );
        assert!(is_named("Volkswagen", "VOLKSWAGEN's plants stand still"));
        assert!(!is_named("Volkswagen", "Plants stand still"));
    }

    #[test]
    fn what_was_found_on_the_question_is_about_it_and_in_its_script_first() {
        let briefs = serde_json::json!({"briefs": [
            {"id": "PR-1", "headline": "Apple ने रूस में अपने प्रोडक्ट की बिक्री पर लगाई रोक, Russia", "summary": ""},
            {"id": "PR-2", "headline": "Apple shows a phone", "summary": ""},
            {"id": "PR-3", "headline": "Apple leaves Russia", "summary": ""},
        ]});
        let mut outcomes = [Outcome {
            step: crate::plan::Step {
                key: "search",
                subject: None,
                operation: "search_briefs",
                endpoint: String::new(),
                arguments: serde_json::Map::new(),
                is_needed: true,
            },
            result: Ok(Arc::new(briefs)),
        }];
        let reading = read("Is Apple stock affected by the halt of sales in Russia?");
        keep_relevant(&reading, &mut outcomes);
        let kept = outcomes[0].result.as_ref().unwrap();
        let ids: Vec<&str> = View(kept)
            .list("briefs")
            .iter()
            .filter_map(|one| one.text("id"))
            .collect();
        assert_eq!(ids, ["PR-3", "PR-1"]);
    }
}
