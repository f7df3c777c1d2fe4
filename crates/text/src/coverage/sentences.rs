//! What only one outlet covering a story says.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::Report;
use crate::diff::words;
use crate::sentence;

/// Number of sentences per article that are examined.
const READ: usize = 40;
/// Number of sentences shown per outlet.
const SHOWN: usize = 3;
/// A sentence with fewer words of its own says too little.
const FEWEST_WORDS: usize = 6;
/// Longer ones are tables or lists that have lost their line breaks.
const MOST_CHARS: usize = 500;
/// If one sentence of another outlet contains this share of its words or more, that outlet says it too.
const SAID_ELSEWHERE: f64 = 0.4;

/// A sentence of an article.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedSentence {
    /// The article, as an index into the input.
    pub report: usize,
    /// The sentence as it appears there.
    pub text: String,
}

/// A sentence with its words.
struct Line<'a> {
    report: usize,
    text: &'a str,
    words: Vec<u32>,
}

/// For each domain, the sentences with no counterpart at another outlet covering the same story. Those with figures
/// come first.
pub(super) fn alone<'a>(reports: &[Report<'a>]) -> BTreeMap<&'a str, Vec<ReportedSentence>> {
    let mut stories: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (index, report) in reports.iter().enumerate() {
        stories.entry(report.story).or_default().push(index);
    }
    let mut found: BTreeMap<&str, Vec<(bool, ReportedSentence)>> = BTreeMap::new();
    for members in stories.into_values() {
        let has_several_outlets = members
            .iter()
            .any(|index| reports[*index].article.domain != reports[members[0]].article.domain);
        if has_several_outlets {
            for (domain, has_figure, said) in alone_in_story(reports, &members) {
                let own = found.entry(domain).or_default();
                // A sentence that an outlet repeats counts once.
                if own.iter().all(|(_, known)| known.text != said.text) {
                    own.push((has_figure, said));
                }
            }
        }
    }
    found
        .into_iter()
        .map(|(domain, mut sentences)| {
            sentences.sort_by_key(|(has_figure, _)| !has_figure);
            sentences.truncate(SHOWN);
            let said = sentences.into_iter().map(|(_, said)| said).collect();
            (domain, said)
        })
        .collect()
}

fn alone_in_story<'a>(
    reports: &[Report<'a>],
    members: &[usize],
) -> Vec<(&'a str, bool, ReportedSentence)> {
    let lines: Vec<Line<'a>> = members
        .iter()
        .flat_map(|index| lines(*index, &reports[*index]))
        .collect();
    let mut places: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (place, line) in lines.iter().enumerate() {
        for word in &line.words {
            places.entry(*word).or_default().push(place);
        }
    }
    let domain = |line: &Line<'_>| reports[line.report].article.domain.as_str();
    let mut common: FxHashMap<usize, usize> = FxHashMap::default();
    let mut found = Vec::new();
    for line in &lines {
        let report = &reports[line.report];
        if report.is_copy
            || line.text.is_empty()
            || line.words.len() < FEWEST_WORDS
            || line.text.chars().count() > MOST_CHARS
        {
            continue;
        }
        common.clear();
        for place in line
            .words
            .iter()
            .filter_map(|word| places.get(word))
            .flatten()
        {
            if domain(&lines[*place]) != domain(line) {
                *common.entry(*place).or_default() += 1;
            }
        }
        let most = common.values().copied().max().unwrap_or(0);
        if (most as f64) < SAID_ELSEWHERE * line.words.len() as f64 {
            let has_figure = line.text.bytes().any(|byte| byte.is_ascii_digit());
            let said = ReportedSentence {
                report: line.report,
                text: line.text.to_owned(),
            };
            found.push((report.article.domain.as_str(), has_figure, said));
        }
    }
    found
}

/// The headline, and the teaser or text.
fn lines<'a>(index: usize, report: &Report<'a>) -> Vec<Line<'a>> {
    let article: &'a model::Article = report.article;
    let text = if article.body.is_empty() {
        &article.description
    } else {
        &article.body
    };
    // The headline is shown in any case. Here it only serves to show what others say.
    std::iter::once(article.title.as_str())
        .chain(sentence::split(text).into_iter().take(READ))
        .enumerate()
        .map(|(place, text)| Line {
            report: index,
            text: if place == 0 { "" } else { text },
            words: words(text),
        })
        .filter(|line| !line.words.is_empty())
        .collect()
}
