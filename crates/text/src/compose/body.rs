//! The full text of a brief: what is reported, what other sources add, where they differ, and which sources it relies
//! on.

use super::candidate::Candidate;
use super::contradiction::Found;
use super::reading::Reading;
use super::summary::{self, Line};
use super::voices::Voices;
use super::{Member, wording};
use crate::statement::terms;

/// The maximum number of extracted words in a body, and the maximum that one member may contribute alongside others.
const WORDS: usize = 330;
const SENTENCES_EACH: usize = 5;
/// A sentence already covered to this degree is left out.
const COVERED: f32 = 0.5;

/// The paragraphs of the body.
pub(super) fn write(
    members: &[Member<'_>],
    readings: &[&Reading],
    headline: &str,
    voices: &Voices,
    candidates: &[Candidate<'_>],
    opening: &[usize],
    contradictions: &[Found],
) -> Vec<Vec<Line>> {
    let mut paragraphs: Vec<Vec<Line>> = Vec::new();
    let mut covered: Vec<usize> = Vec::new();
    let mut words = 0;

    // The paragraph from the story's best member opens the body.
    let mut order: Vec<usize> = opening
        .iter()
        .map(|index| candidates[*index].member)
        .collect();
    let mut by_weight: Vec<usize> = (0..candidates.len()).collect();
    by_weight.sort_by(|left, right| {
        candidates[*right]
            .weight
            .total_cmp(&candidates[*left].weight)
            .then(left.cmp(right))
    });
    order.extend(by_weight.iter().map(|index| candidates[*index].member));
    let mut seen: Vec<usize> = Vec::new();
    order.retain(|member| {
        let new = !seen.contains(member);
        if new {
            seen.push(*member);
        }
        new
    });

    let single = order.len() == 1;
    let share = if single { 12 } else { SENTENCES_EACH };
    for (rank, member) in order.iter().enumerate() {
        let mut own: Vec<usize> = by_weight
            .iter()
            .copied()
            .filter(|index| {
                candidates[*index].member == *member && !candidates[*index].sentence.dependent
            })
            .collect();
        if let Some(first) = opening
            .first()
            .filter(|index| candidates[**index].member == *member)
        {
            own.retain(|index| index != first);
            own.insert(0, *first);
        }
        let limit = if rank == 0 || single { share } else { 3 };
        let mut picked: Vec<usize> = Vec::new();
        for index in own {
            if picked.len() >= limit || words + candidates[index].sentence.words > WORDS {
                continue;
            }
            let overlap = covered
                .iter()
                .map(|other| {
                    terms::shared(
                        &candidates[index].sentence.terms,
                        &candidates[*other].sentence.terms,
                    )
                })
                .fold(0.0_f32, f32::max);
            if overlap > COVERED {
                continue;
            }
            words += candidates[index].sentence.words;
            covered.push(index);
            picked.push(index);
        }
        // A sentence that depends on a printed one and follows it directly may be printed after it.
        let followers: Vec<usize> = (0..candidates.len())
            .filter(|index| {
                let candidate = &candidates[*index];
                candidate.sentence.dependent
                    && candidate.member == *member
                    && picked.iter().any(|other| {
                        candidates[*other].sentence.position + 1 == candidate.sentence.position
                    })
            })
            .collect();
        for index in followers {
            if picked.len() < limit && words + candidates[index].sentence.words <= WORDS {
                words += candidates[index].sentence.words;
                covered.push(index);
                picked.push(index);
            }
        }
        picked.sort_by_key(|index| candidates[*index].sentence.position);
        paragraphs.extend(paragraphs_of(members, candidates, &picked, rank));
    }

    // If the texts offer little, the headlines of the other members say more.
    if words < 120 && !candidates.is_empty() {
        let title = terms::distinct(headline);
        let covered = covered.iter();
        let mut terms: Vec<&[(u32, f32)]> = covered
            .map(|index| candidates[*index].sentence.terms.as_slice())
            .collect();
        terms.push(&title);
        let lines = summary::uncovered_headlines(members, readings, &voices.leaders, &mut terms, 4);
        if !lines.is_empty() {
            paragraphs.push(lines);
        }
    }
    if !contradictions.is_empty() {
        let lines = contradictions
            .iter()
            .take(2)
            .map(|found| Line {
                text: found.sentence.clone(),
                members: found.members.to_vec(),
            })
            .collect();
        paragraphs.push(lines);
    }
    paragraphs.push(vec![attribution(members, voices)]);
    paragraphs
}

/// Paragraphs of at most three sentences. What other sources add is introduced by their name.
fn paragraphs_of(
    members: &[Member<'_>],
    candidates: &[Candidate<'_>],
    picked: &[usize],
    rank: usize,
) -> Vec<Vec<Line>> {
    picked
        .chunks(3)
        .enumerate()
        .map(|(chunk, indices)| {
            indices
                .iter()
                .enumerate()
                .map(|(position, index)| {
                    let candidate = &candidates[*index];
                    let introduced = rank > 0 && chunk == 0 && position == 0;
                    let text = if introduced {
                        let verb = ["adds", "reports", "writes"][(rank - 1) % 3];
                        format!(
                            "{} {verb}: {}",
                            wording::outlet(&members[candidate.member]),
                            candidate.sentence.text
                        )
                    } else {
                        candidate.sentence.text.clone()
                    };
                    Line {
                        text,
                        members: summary::supporters(candidates, *index),
                    }
                })
                .collect()
        })
        .collect()
}

/// The sources that the account relies on.
fn attribution(members: &[Member<'_>], voices: &Voices) -> Line {
    let names: Vec<String> = voices
        .leaders
        .iter()
        .map(|leader| wording::outlet(&members[*leader]))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let copies = members.len() - voices.count();
    let newest = voices
        .leaders
        .iter()
        .map(|leader| members[*leader].article.published_at)
        .max()
        .unwrap_or_default();
    let rest = if copies > 0 {
        let verb = if copies == 1 { "is" } else { "are" };
        format!(
            "; {} from the same outlets or with the same text {verb} not counted",
            wording::counted(copies, "further article")
        )
    } else {
        String::new()
    };
    let text = if names.len() == 1 {
        format!(
            "This brief is based on one source, {}, published on {}{rest}.",
            wording::list(&names),
            newest.date()
        )
    } else {
        format!(
            "This brief is based on {}: {}, the latest published on {}{rest}.",
            wording::counted(names.len(), "independent source"),
            wording::list(&names),
            newest.date(),
        )
    };
    Line {
        text,
        members: voices.leaders.clone(),
    }
}
