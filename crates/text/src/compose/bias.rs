//! How coloured a brief's sources are.
//!
//! `loaded_wording`, `framing` and `one_sidedness` are the means over the voices (independent sources).
//! `score = 0.45 · loaded_wording + 0.30 · framing + 0.25 · one_sidedness`, where one-sidedness counts only to the
//! extent that loaded wording or framing gives it something to colour. `direction` is `promotional` or `sensational` if
//! that mean reaches 0.45, `left` or `right` if the mean lean passes ±0.2, `center` if sources lean but cancel out or
//! stay near the middle, and otherwise `none`.

use model::{BiasDirection, BriefBias, Score};

use super::voices::Voices;
use super::{Member, wording};

pub(super) fn assess(members: &[Member<'_>], voices: &Voices) -> BriefBias {
    let mean = |part: fn(&model::BiasReading) -> f64| {
        let parts: Vec<f64> = voices
            .leaders
            .iter()
            .map(|leader| part(&members[*leader].annotations.bias))
            .filter(|value| value.is_finite())
            .collect();
        parts.iter().sum::<f64>() / parts.len().max(1) as f64
    };
    let loaded = mean(|bias| bias.loaded_wording).clamp(0.0, 1.0);
    let framing = mean(|bias| bias.framing).clamp(0.0, 1.0);
    let one_sided = mean(|bias| bias.one_sidedness).clamp(0.0, 1.0);
    let promotional = mean(|bias| bias.promotional);
    let sensational = mean(|bias| bias.sensational);
    let lean = mean(|bias| bias.lean);
    let leaning = mean(|bias| bias.lean.abs());

    let direction = if promotional >= 0.45 && promotional >= sensational {
        BiasDirection::Promotional
    } else if sensational >= 0.45 {
        BiasDirection::Sensational
    } else if lean >= 0.2 {
        BiasDirection::Right
    } else if lean <= -0.2 {
        BiasDirection::Left
    } else if leaning >= 0.05 {
        BiasDirection::Center
    } else {
        BiasDirection::None
    };
    let coloured = 0.3 + 0.7 * (loaded + framing).min(1.0);
    BriefBias {
        score: Score::clamped(0.45 * loaded + 0.30 * framing + 0.25 * one_sided * coloured),
        direction,
        framing_notes: notes(members, voices, direction, one_sided),
        loaded_wording: Score::clamped(loaded),
        framing: Score::clamped(framing),
        one_sidedness: Score::clamped(one_sided),
    }
}

/// What the reading is based on, in one or two sentences.
fn notes(
    members: &[Member<'_>],
    voices: &Voices,
    direction: BiasDirection,
    one_sided: f64,
) -> String {
    let mut terms: Vec<(String, usize)> = Vec::new();
    let mut users: Vec<usize> = Vec::new();
    for &leader in &voices.leaders {
        for term in &members[leader].annotations.bias.loaded_terms {
            let term = wording::line(term);
            if term.is_empty() || term.chars().count() > 60 {
                continue;
            }
            if !users.contains(&leader) {
                users.push(leader);
            }
            match terms
                .iter_mut()
                .find(|(known, _)| known.to_lowercase() == term.to_lowercase())
            {
                Some((_, count)) => *count += 1,
                None => terms.push((term, 1)),
            }
        }
    }
    // The sort is stable: equal counts keep the order of the text.
    terms.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let sources = wording::counted(voices.count(), "independent source");
    let mut notes = if terms.is_empty() {
        let plain = members_read(members, voices);
        format!("No loaded wording was found in {plain} of {sources}")
    } else {
        let quoted: Vec<String> = terms
            .iter()
            .take(4)
            .map(|(term, _)| format!("“{term}”"))
            .collect();
        let quoted: Vec<&str> = quoted.iter().map(String::as_str).collect();
        let quoted = match quoted.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => quoted.join(""),
        };
        if voices.count() == 1 {
            let outlet = wording::outlet(&members[voices.leaders[0]]);
            format!("{outlet} uses loaded wording such as {quoted}")
        } else {
            format!(
                "Loaded wording such as {quoted} appears in {} of {sources}",
                users.len()
            )
        }
    };
    notes.push_str(match direction {
        BiasDirection::Left => ". The wording leans left.",
        BiasDirection::Right => ". The wording leans right.",
        BiasDirection::Sensational => ". The presentation is sensational.",
        BiasDirection::Promotional => ". The presentation is promotional.",
        BiasDirection::Center | BiasDirection::None => ".",
    });
    let bodies = voices
        .leaders
        .iter()
        .any(|leader| !members[*leader].article.body.is_empty());
    if bodies && one_sided >= 0.65 {
        notes.push_str(" Only one side is quoted.");
    } else if bodies && one_sided <= 0.3 {
        notes.push_str(" More than one side is quoted.");
    }
    notes
}

/// The parts of the sources that could be read: `the text`, `the headline and teaser` or `the headline`.
fn members_read(members: &[Member<'_>], voices: &Voices) -> &'static str {
    let articles = || voices.leaders.iter().map(|leader| members[*leader].article);
    if articles().any(|article| !article.body.is_empty()) {
        "the text"
    } else if articles().any(|article| !article.description.is_empty()) {
        "the headline and teaser"
    } else {
        "the headline"
    }
}
