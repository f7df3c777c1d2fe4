//! The outlook: what sources expect, whether the topic is gaining or losing attention, and what speaks against it.
//!
//! Nothing is predicted. Expectations are quoted together with who holds them; the rest is the direction of counts
//! that can be checked.

use model::Timestamp;
use text::statement::cues::Cue;

use super::material::{Halves, Material, Relevant, counted};
use crate::sentences::{Sentence, choose, quoted};
use crate::terms::coverage;

/// The outlook, in sentences that quote what they rest on, and the quoted sentences.
pub(super) fn read<'a>(
    material: &'a Material,
    halves: Halves,
    used: &mut Vec<Vec<u32>>,
) -> (String, Vec<&'a Sentence>) {
    if let Some(reason) = &material.too_little {
        return (reason.clone(), Vec::new());
    }
    let expected = choose(&material.sentences, 2, used, |_, sentence| {
        if material.names(sentence) && looks_ahead(&sentence.text) {
            let age = material.end.since_ms(sentence.published_at).max(0) as f64;
            let span = material.end.since_ms(material.start).max(1) as f64;
            (0.3 + coverage(&material.words, &sentence.terms))
                * material.weight(sentence)
                * (1.0 - 0.6 * (age / span).min(1.0))
        } else {
            0.0
        }
    });
    let mut parts: Vec<String> = expected
        .iter()
        .map(|sentence| {
            format!(
                "Looking ahead, {} writes {} ({}); this is an expectation, not a fact.",
                material.outlet(sentence),
                quoted(&sentence.text),
                sentence.published_at.date()
            )
        })
        .collect();
    parts.extend(momentum(material, halves));
    parts.extend(doubt(material, &expected));
    if parts.is_empty() {
        parts.push(super::context::without_sentences(material));
    }
    (parts.join(" "), expected)
}

/// Whether a sentence states an expectation: neither a question nor something that was expected in the past.
fn looks_ahead(text: &str) -> bool {
    let past = |before: &str| {
        let word = text::token::words(before).last().unwrap_or_default();
        matches!(word, "was" | "were" | "had")
    };
    !text.contains('?')
        && Cue::Expectation
            .places(text)
            .any(|place| !past(&text[..place.start]))
}

/// Whether the topic is gaining attention, and how its sentiment is moving: the second half of the period compared
/// with the first, as far as stored news goes back. All briefs that contain its words count, not only those that were
/// read.
fn momentum(material: &Material, halves: Halves) -> Option<String> {
    let Halves {
        early, late, since, ..
    } = halves;
    let newest = material
        .briefs
        .iter()
        .max_by_key(|relevant| (relevant.stored.brief.published_at, relevant.stored.brief.id))?;
    let latest = newest.headline();
    if early + late < 4 {
        return Some(format!(
            "With only {} in the period, the latest being {latest}, no trend can be established.",
            counted((early + late) as usize, "report")
        ));
    }
    if let Some(since) = since.filter(|_| halves.is_short) {
        return Some(format!(
            "Stored news begins on {}, too late in the period for a trend; the latest report is {latest}.",
            since.date()
        ));
    }
    let direction = if late * 4 > early * 5 {
        "is gaining attention"
    } else if late * 5 < early * 4 {
        "is losing attention"
    } else {
        "is holding steady"
    };
    Some(format!(
        "The topic {direction}, with {} in the second half of the {} compared with {early} in the first{}; if that continues, more reports like the latest, {latest}, are likely.",
        counted(late as usize, "report"),
        since.map_or_else(
            || "period".to_owned(),
            |since| format!(
                "period since {}, the date of the oldest stored report in it,",
                since.date()
            ),
        ),
        sentiment(material, since),
    ))
}

/// How the sentiment of the briefs that were read is moving.
fn sentiment(material: &Material, since: Option<Timestamp>) -> &'static str {
    let start = since.unwrap_or(material.start);
    let middle = start.ms() + material.end.since_ms(start) / 2;
    let (late, early): (Vec<_>, Vec<_>) = material
        .briefs
        .iter()
        .partition(|relevant| relevant.stored.brief.published_at.ms() >= middle);
    if late.is_empty() || early.is_empty() {
        return "";
    }
    let mean = |briefs: &[&Relevant]| {
        briefs
            .iter()
            .map(|relevant| relevant.sentiment)
            .sum::<f64>()
            / briefs.len() as f64
    };
    match mean(&late) - mean(&early) {
        change if change > 0.04 => " and more positive sentiment",
        change if change < -0.04 => " and more negative sentiment",
        _ => " and unchanged sentiment",
    }
}

/// What speaks against it: sources that contradict each other.
fn doubt(material: &Material, expected: &[&Sentence]) -> Option<String> {
    let first = expected.first().map(|sentence| sentence.brief);
    let disputed = material
        .briefs
        .iter()
        .enumerate()
        .filter(|(_, relevant)| !relevant.stored.brief.contradictions.is_empty())
        .min_by_key(|(place, _)| (Some(*place) != first, *place))?;
    let brief = &disputed.1.stored.brief;
    let [left, right, ..] = brief.contradictions.first()?.claims.as_slice() else {
        return None;
    };
    let name = |source: u32| {
        brief
            .sources
            .get(source as usize)
            .map_or("a source", |source| source.name.as_str())
    };
    Some(format!(
        "The facts are disputed: {} has {}, {} has {}.",
        name(left.source),
        quoted(&left.claim),
        name(right.source),
        quoted(&right.claim)
    ))
}
