//! Selects the sentences of the briefs that say most about the question.

use super::Source;
use super::question::{Question, stems};
use crate::attribution;
use crate::view::View;

/// Shortest and longest finding in characters.
const LENGTH: std::ops::RangeInclusive<usize> = 45..=360;
/// How many sentences of one summary are considered.
const OF_ONE: usize = 4;
/// Two sentences that share more than this share of their words say the same thing.
const ALIKE: f64 = 0.5;

/// A finding.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finding {
    pub(crate) sentence: String,
    pub(crate) brief_id: String,
    pub(crate) outlet: Option<String>,
    /// YYYY-MM-DD of the brief.
    pub(crate) date: String,
    /// The number of outlets of the brief.
    pub(crate) outlets: u64,
    /// The verdict of its test, if there was one.
    pub(crate) verdict: Option<String>,
    score: f64,
}

/// The most informative sentences, each saying something new, most informative first.
pub(crate) fn choose(query: &str, sources: &[Source], most: usize) -> Vec<Finding> {
    let asked = Question::new(query, sources);
    let mut all: Vec<(Finding, Vec<String>)> = Vec::new();
    for source in sources {
        let brief = source.view();
        let Some(summary) = brief.text("summary") else {
            continue;
        };
        let sentences = text::statement::sentence::split(summary);
        for (place, sentence) in sentences.into_iter().take(OF_ONE).enumerate() {
            let attributed = attribution::read(sentence.trim(), &brief.list("sources"));
            let sentence = attributed.as_ref().map_or(sentence.trim(), |one| one.said);
            if !is_telling(sentence)
                || !asked.is_met_by(&format!(
                    "{} {sentence}",
                    brief.text("headline").unwrap_or_default()
                ))
            {
                continue;
            }
            let words = stems(sentence);
            let finding = Finding {
                score: score(source, brief, place, sentence, asked.share_of(&words)),
                sentence: sentence.to_owned(),
                brief_id: source.id().to_owned(),
                outlet: attributed.map(|one| one.outlet).or_else(|| {
                    let sources = brief.list("sources");
                    let first = sources.first().and_then(|one| one.text("name"));
                    first.map(str::to_owned)
                }),
                date: brief
                    .text("published_at")
                    .and_then(|at| at.get(..10))
                    .unwrap_or_default()
                    .to_owned(),
                outlets: brief.whole("source_count").unwrap_or(1),
                verdict: None,
            };
            all.push((finding, words));
        }
    }
    all.sort_by(|(one, _), (other, _)| other.score.total_cmp(&one.score));
    let mut chosen: Vec<(Finding, Vec<String>)> = Vec::new();
    for (finding, words) in all {
        let repeats = chosen
            .iter()
            .any(|(_, known)| shared(known, &words) > ALIKE);
        // At most two from one brief, so that the findings come from several.
        let of_same = chosen
            .iter()
            .filter(|(known, _)| known.brief_id == finding.brief_id)
            .count();
        if !repeats && of_same < 2 {
            chosen.push((finding, words));
        }
        if chosen.len() == most {
            break;
        }
    }
    chosen.into_iter().map(|(finding, _)| finding).collect()
}

fn is_telling(sentence: &str) -> bool {
    LENGTH.contains(&sentence.chars().count())
        && !sentence.ends_with('?')
        && sentence
            .chars()
            .next()
            .is_some_and(|first| !first.is_lowercase())
}

/// How informative a sentence is: by how well it and its brief match, by figures and by outlets, and less so the later
/// it comes.
fn score(source: &Source, brief: View<'_>, place: usize, sentence: &str, own: f64) -> f64 {
    let figures = if sentence.chars().any(|mark| mark.is_ascii_digit()) {
        0.15
    } else {
        0.0
    };
    let outlets = (brief.whole("source_count").unwrap_or(1) as f64).ln_1p() / 10.0;
    let confidence = brief.number("confidence_score").unwrap_or(0.5);
    (0.5 * source.relevance + 0.5 * own) * (0.6 + 0.4 * confidence) + figures + outlets
        - 0.05 * place as f64
}

/// The share of words that two sentences have in common, relative to the shorter one.
fn shared(one: &[String], other: &[String]) -> f64 {
    let common = one.iter().filter(|word| other.contains(word)).count();
    let shorter = one.len().min(other.len());
    if shorter == 0 {
        0.0
    } else {
        common as f64 / shorter as f64
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;

    fn source(id: &str, summary: &str, relevance: f64) -> Source {
        Source {
            brief: Arc::new(json!({
                "id": id, "summary": summary, "published_at": "2026-03-01T08:00:00Z", "confidence_score": 0.7,
                "source_count": 2, "sources": [{"name": "Harbour Post"}],
            })),
            relevance,
            by: None,
        }
    }

    #[test]
    fn findings_fit_the_question_and_repeat_nothing() {
        let sources = [
            source(
                "PR-1",
                "The central bank raised its key interest rate to 4.5 percent on Thursday. Analysts were surprised by it, they said later on.",
                1.0,
            ),
            source(
                "PR-2",
                "On Thursday the central bank raised the key interest rate to 4.5 percent.",
                0.9,
            ),
            source(
                "PR-3",
                "Is this the end of cheap money for the housing market of the country?",
                0.8,
            ),
            source(
                "PR-4",
                "Mortgage lenders expect further interest rate increases before the summer.",
                0.7,
            ),
        ];
        let chosen = choose("central bank interest rate", &sources, 5);
        let sentences: Vec<&str> = chosen.iter().map(|one| one.sentence.as_str()).collect();
        assert!(sentences[0].contains("4.5 percent"), "{sentences:?}");
        let of_raise = sentences
            .iter()
            .filter(|one| one.contains("4.5 percent"))
            .count();
        assert_eq!(of_raise, 1, "{sentences:?}");
        assert!(sentences.iter().any(|one| one.starts_with("Mortgage")));
        assert!(sentences.iter().all(|one| !one.ends_with('?')));
        assert!(choose("anything", &[], 5).is_empty());
    }
}
