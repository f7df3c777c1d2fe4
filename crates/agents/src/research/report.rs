//! The report of the research: what was found, how it fits together, how reliable it is, and what is not known.

use model::Timestamp;

use super::{Asked, Found};
use crate::figures::{count, day, quoted, sentence};
use crate::view::View;

/// Coverage older than this many days is a gap.
const OLD: i32 = 30;
/// The most lines in the course of events.
const COURSE: usize = 6;

/// The parts of a report.
pub(crate) struct Report {
    pub(crate) summary: String,
    pub(crate) key_findings: Vec<String>,
    pub(crate) analysis: String,
    pub(crate) confidence_assessment: String,
    pub(crate) information_gaps: Vec<String>,
}

impl Report {
    /// All of it as one text, for the receipt.
    pub(crate) fn text(&self) -> String {
        [
            self.summary.as_str(),
            &self.key_findings.join("\n"),
            &self.analysis,
            &self.confidence_assessment,
            &self.information_gaps.join("\n"),
        ]
        .join("\n\n")
    }
}

/// An overview of the sources.
struct Extent<'a> {
    outlets: Vec<&'a str>,
    first: &'a str,
    last: &'a str,
    categories: Vec<(&'a str, usize)>,
}

fn extent(found: &Found) -> Extent<'_> {
    let mut outlets: Vec<&str> = Vec::new();
    let mut categories: Vec<(&str, usize)> = Vec::new();
    let (mut first, mut last) = ("", "");
    for source in &found.sources {
        let brief = source.view();
        for name in brief
            .list("sources")
            .into_iter()
            .filter_map(|one| one.text("name"))
        {
            if !outlets.contains(&name) {
                outlets.push(name);
            }
        }
        if let Some(category) = brief.text("category") {
            match categories.iter_mut().find(|(known, _)| *known == category) {
                Some((_, number)) => *number += 1,
                None => categories.push((category, 1)),
            }
        }
        if let Some(at) = brief.text("published_at") {
            if first.is_empty() || at < first {
                first = at;
            }
            if at > last {
                last = at;
            }
        }
    }
    categories.sort_by_key(|one| std::cmp::Reverse(one.1));
    Extent {
        outlets,
        first,
        last,
        categories,
    }
}

/// Writes the report.
pub(crate) fn write(asked: &Asked, found: &Found, now: Timestamp) -> Report {
    if found.sources.is_empty() {
        return Report {
            summary: format!(
                "Nothing on record is about “{}”{}.",
                quoted(&asked.query),
                asked
                    .category
                    .as_deref()
                    .map(|category| format!(" in the category {category}"))
                    .unwrap_or_default()
            ),
            key_findings: Vec::new(),
            analysis: String::new(),
            confidence_assessment: "There is nothing to assess.".to_owned(),
            information_gaps: vec![
                "No brief matches the query; other words, or no category, may find some."
                    .to_owned(),
            ],
        };
    }
    let extent = extent(found);
    Report {
        summary: summary(found, &extent),
        key_findings: found.findings.iter().map(finding).collect(),
        analysis: analysis(asked, found, &extent),
        confidence_assessment: confidence(found, &extent),
        information_gaps: gaps(found, &extent, now),
    }
}

fn summary(found: &Found, extent: &Extent<'_>) -> String {
    let span = if extent.first.get(..10) == extent.last.get(..10) {
        format!("of {}", day(extent.last))
    } else {
        format!("from {} to {}", day(extent.first), day(extent.last))
    };
    let mut text = format!(
        "{} of {} {span} {} on this.",
        count(found.sources.len() as u64, "brief", "briefs"),
        count(extent.outlets.len() as u64, "outlet", "outlets"),
        if found.sources.len() == 1 {
            "bears"
        } else {
            "bear"
        },
    );
    for finding in found.findings.iter().take(2) {
        text.push(' ');
        text.push_str(&sentence(&finding.sentence));
    }
    text
}

fn finding(one: &super::Finding) -> String {
    let source = one
        .outlet
        .as_deref()
        .map(|outlet| format!("{}, ", quoted(outlet)))
        .unwrap_or_default();
    let tested = match one.verdict.as_deref() {
        Some("supported") => "; tested: supported",
        Some("partially_supported") => "; tested: supported in part",
        Some("contradicted") => "; tested: contradicted",
        Some(_) => "; tested: left open",
        None => "",
    };
    format!(
        "{} ({source}{}, {}{tested})",
        sentence(&one.sentence),
        day(&one.date),
        one.brief_id
    )
}

fn analysis(asked: &Asked, found: &Found, extent: &Extent<'_>) -> String {
    let mut parts = Vec::new();
    // How it developed, one line per day, oldest first.
    let mut days: Vec<(&str, &str)> = found
        .sources
        .iter()
        .filter(|source| source.relevance >= 0.5)
        .filter_map(|source| {
            let brief = source.view();
            Some((
                brief.text("published_at")?.get(..10)?,
                brief.text("headline")?,
            ))
        })
        .collect();
    days.sort_unstable();
    days.dedup_by(|one, other| one.0 == other.0);
    if days.len() > 1 {
        let skipped = days.len().saturating_sub(COURSE);
        let lines: Vec<String> = days
            .iter()
            .skip(skipped)
            .map(|(date, headline)| format!("{}: {}", day(date), quoted(headline)))
            .collect();
        parts.push(format!("How it went: {}.", lines.join("; ")));
    }
    if let Some(background) = &found.background {
        let view = View(background);
        for (side, words) in [("supporting", "In favour"), ("opposing", "Against it")] {
            if let Some(said) = view.text(&format!("perspectives/{side}")) {
                parts.push(format!("{words}: {}", sentence(said)));
            }
        }
        let related: Vec<String> = view
            .list("relationships")
            .into_iter()
            .take(3)
            .filter_map(|one| Some(format!("{} and {}", one.text("from")?, one.text("to")?)))
            .collect();
        if !related.is_empty() {
            parts.push(format!("Named together most: {}.", related.join("; ")));
        }
    }
    if let Some(across) = &found.across
        && let Some(causes) = View(across).text("causal_analysis")
    {
        parts.push(sentence(causes));
    }
    let moods: Vec<f64> = found
        .sources
        .iter()
        .filter_map(|source| source.view().number("sentiment"))
        .collect();
    if moods.len() > 2 {
        let of = |is: fn(f64) -> bool| moods.iter().filter(|one| is(**one)).count();
        parts.push(format!(
            "Of {} briefs, {} are positive, {} negative, the rest neutral.",
            moods.len(),
            of(|one| one > 0.55),
            of(|one| one < 0.45)
        ));
    }
    if asked.is_deep {
        let followed: Vec<&str> = {
            let mut names: Vec<&str> = found
                .sources
                .iter()
                .filter_map(|source| source.by.as_deref())
                .collect();
            names.sort_unstable();
            names.dedup();
            names
        };
        if !followed.is_empty() {
            let number = found
                .sources
                .iter()
                .filter(|source| source.by.is_some())
                .count();
            parts.push(format!(
                "{} came from following {}.",
                count(number as u64, "brief", "briefs"),
                followed.join(", ")
            ));
        }
    }
    if extent.categories.len() > 1 {
        let named: Vec<String> = extent
            .categories
            .iter()
            .take(4)
            .map(|(category, number)| format!("{} ({number})", category.replace('_', " ")))
            .collect();
        parts.push(format!("Categories: {}.", named.join(", ")));
    }
    parts.join("\n\n")
}

fn confidence(found: &Found, extent: &Extent<'_>) -> String {
    let mut parts = Vec::new();
    let scores: Vec<f64> = found
        .sources
        .iter()
        .filter_map(|source| source.view().number("confidence_score"))
        .collect();
    if let Some(mean) = crate::runs::mean(scores.iter().copied()) {
        let word = match mean {
            0.75.. => "High",
            0.55.. => "Medium",
            _ => "Low",
        };
        parts.push(format!(
            "{word}: the briefs have a mean confidence of {mean:.2} and rest on {}.",
            count(extent.outlets.len() as u64, "outlet", "outlets")
        ));
    }
    let trusted: Vec<&str> = {
        let mut names: Vec<&str> = found
            .sources
            .iter()
            .flat_map(|source| source.view().list("sources"))
            .filter(|one| one.text("trust_level") == Some("high"))
            .filter_map(|one| one.text("name"))
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    parts.push(if trusted.is_empty() {
        "None of the outlets is rated as highly trusted.".to_owned()
    } else {
        format!(
            "{} rated as highly trusted.",
            if trusted.len() == 1 {
                format!("{} is", trusted[0])
            } else {
                format!("{} of them are", trusted.len())
            }
        )
    });
    if !found.tested.is_empty() {
        let of = |verdict: &str| {
            found
                .tested
                .iter()
                .filter(|one| one.verdict == verdict)
                .count()
        };
        parts.push(format!(
            "Of {} that were tested, {} supported, {} contradicted, {} left open.",
            count(found.tested.len() as u64, "finding", "findings"),
            are(of("supported") + of("partially_supported")),
            are(of("contradicted")),
            are(of("unverifiable"))
        ));
    }
    parts.join(" ")
}

fn are(number: usize) -> String {
    format!("{number} {}", if number == 1 { "is" } else { "are" })
}

fn gaps(found: &Found, extent: &Extent<'_>, now: Timestamp) -> Vec<String> {
    let mut gaps = Vec::new();
    let today = model::Day::of(now);
    if let Some(last) = extent.last.get(..10).and_then(model::Day::parse)
        && today.since(last) > OLD
    {
        gaps.push(format!(
            "The newest brief is {} days old.",
            today.since(last)
        ));
    }
    if extent.outlets.len() == 1 {
        gaps.push(format!(
            "Everything comes from {}.",
            quoted(extent.outlets[0])
        ));
    }
    match &found.background {
        Some(background) => {
            let view = View(background);
            let has = |side: &str| view.text(&format!("perspectives/{side}")).is_some();
            // If nobody takes sides on a subject, the absence of either is not a gap.
            match (has("supporting"), has("opposing")) {
                (true, false) => gaps.push("No source speaks against it.".to_owned()),
                (false, true) => gaps.push("No source speaks in favour of it.".to_owned()),
                _ => {}
            }
        }
        None => gaps.push("No brief of the last 90 days gives a background.".to_owned()),
    }
    if found
        .findings
        .iter()
        .all(|one| !one.sentence.chars().any(|mark| mark.is_ascii_digit()))
    {
        gaps.push("No finding states a figure.".to_owned());
    }
    let alone = found.findings.iter().filter(|one| one.outlets <= 1).count();
    if alone > 0 && extent.outlets.len() > 1 {
        gaps.push(format!(
            "{} of {} rest on one outlet each.",
            alone,
            count(found.findings.len() as u64, "finding", "findings")
        ));
    }
    for one in found
        .tested
        .iter()
        .filter(|one| one.verdict == "contradicted")
    {
        gaps.push(format!(
            "Contradicted, and open which side is right: “{}”",
            quoted(&one.claim)
        ));
    }
    if found.total > found.sources.len() as u64 {
        gaps.push(format!(
            "{} have words of the query; {} were read.",
            count(found.total, "brief", "briefs"),
            found.sources.len()
        ));
    }
    for missing in &found.missing {
        gaps.push(sentence(&format!("{}: {}", missing.source, missing.reason)));
    }
    gaps
}
