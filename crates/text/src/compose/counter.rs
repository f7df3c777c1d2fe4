//! The other side: what speaks against a brief.
//!
//! In this order: a source that contradicts another one; a sentence of a source that denies, doubts or qualifies what
//! the headline says; else the strongest caveat about this very brief. Always a sentence.

use model::TrustLevel;

use super::candidate::Candidate;
use super::contradiction::Found;
use super::voices::Voices;
use super::{Member, wording};
use crate::statement::cues::Cue;

pub(super) fn argue(
    members: &[Member<'_>],
    voices: &Voices,
    candidates: &[Candidate],
    contradictions: &[Found],
    headline: &str,
) -> String {
    // The gravest one comes first.
    if let Some(found) = contradictions.first() {
        return found.sentence.clone();
    }
    if let Some(dissent) = dissent(members, candidates) {
        return dissent;
    }
    caveat(members, voices, candidates, headline)
}

/// A sentence that denies or doubts, with its outlet.
fn dissent(members: &[Member<'_>], candidates: &[Candidate]) -> Option<String> {
    let best = candidates
        .iter()
        .filter(|candidate| {
            !candidate.dependent && candidate.words <= 45 && Cue::Doubt.is_in(&candidate.text)
        })
        .reduce(|best, other| {
            if other.weight > best.weight {
                other
            } else {
                best
            }
        })?;
    Some(format!(
        "{} notes: {}",
        wording::outlet(&members[best.member]),
        wording::ended(&best.text)
    ))
}

fn caveat(
    members: &[Member<'_>],
    voices: &Voices,
    candidates: &[Candidate],
    headline: &str,
) -> String {
    let first = voices.leaders.first().copied().unwrap_or(0);
    let outlet = wording::outlet(&members[first]);
    let copies = members
        .iter()
        .filter(|member| member.copy_of.is_some())
        .count();
    let headline_only = members
        .iter()
        .all(|member| member.article.body.trim().is_empty());
    let leaders = || voices.leaders.iter().map(|leader| &members[*leader]);
    let anonymous = candidates.iter().find_map(|candidate| {
        Some((
            candidate.member,
            Cue::Anonymous.find(&candidate.text)?.to_owned(),
        ))
    });

    if voices.count() == 1 && copies > 0 {
        return format!(
            "All {} articles carry one text, that of {outlet}; nobody has confirmed it independently.",
            members.len(),
        );
    }
    if let Some((member, words)) = anonymous {
        return format!(
            "{} rests on sources that it does not name (“{words}”), so this cannot be checked against a named person or document.",
            wording::outlet(&members[member]),
        );
    }
    if voices.count() == 1 && members[first].trust == TrustLevel::Low {
        return format!(
            "Only {outlet} reports this, an outlet with a poor record for accuracy; no other source confirms it."
        );
    }
    if let Some(words) = Cue::Forecast.find(headline) {
        let who = if voices.count() == 1 {
            format!("{outlet} reports")
        } else {
            format!("the {} report", wording::counted(voices.count(), "source"))
        };
        return format!(
            "What {who} here is an expectation (“{}”), not yet a fact, and may turn out otherwise.",
            words.to_lowercase(),
        );
    }
    if voices.count() == 1 {
        let date = members[first].article.published_at.date();
        return match (headline_only, members[first].trust) {
            (true, TrustLevel::Unknown) => format!(
                "Only a headline and teaser of {outlet} from {date} support this; the outlet's record is not known and no second source confirms it."
            ),
            (true, _) => format!(
                "Only a headline and teaser of {outlet} from {date} support this; details and the other side may stand in the full article."
            ),
            (false, TrustLevel::Unknown) => format!(
                "{outlet}, an outlet whose record is not known, is the only source; as of {date} nobody else has confirmed this."
            ),
            (false, _) => {
                format!(
                    "{outlet} is the only source; as of {date} no second outlet has confirmed this independently."
                )
            }
        };
    }
    if leaders().all(|member| matches!(member.trust, TrustLevel::Unknown | TrustLevel::Low)) {
        return format!(
            "None of the {} is on record as a trusted outlet, and they may rest on one common report.",
            wording::counted(voices.count(), "independent source"),
        );
    }
    if headline_only {
        return format!(
            "The {} were read by headline and teaser only, so agreement in detail between them is untested.",
            wording::counted(voices.count(), "source"),
        );
    }
    if copies > 0 {
        return format!(
            "Of {} articles {copies} repeat another one word for word; only {} are independent.",
            members.len(),
            voices.count(),
        );
    }
    let newest = leaders()
        .map(|member| member.article.published_at)
        .max()
        .unwrap_or_default();
    format!(
        "No denial or doubt was found in the openings of the {}, which does not mean that nobody disputes it; nothing \
         published after {} is taken into account.",
        wording::counted(voices.count(), "source"),
        newest.date(),
    )
}
