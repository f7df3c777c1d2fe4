//! Which side of a contradiction the evidence favours, and why.
//!
//! The criteria, in this order: more independent voices, higher trust of the best voice (by a whole step), a later
//! report if the figure is one that keeps being recounted, and a named source in the sentence. If none of these
//! applies, the text says so.

use model::{Contradiction, Disagreement, Severity, SourceClaim, Timestamp};

use super::contradiction::Found;
use super::{Member, wording};
use crate::statement::comparison::Statement;

/// One side: its members, each with the sentence that makes the claim.
type Side = [(usize, String)];

/// A sentence that says which side is favoured.
pub(super) fn favoured(
    members: &[Member<'_>],
    left: (&Side, &str),
    right: (&Side, &str),
    counted_again: bool,
) -> String {
    let best = |side: &Side| {
        side.iter()
            .map(|(member, _)| members[*member].trust.weight())
            .fold(0.0, f64::max)
    };
    let newest = |side: &Side| {
        side.iter()
            .map(|(member, _)| members[*member].article.published_at)
            .max()
            .unwrap_or_default()
    };
    let named = |side: &Side| side.iter().any(|(_, text)| names_source(text));
    let ((one, first), (other, second)) = (left, right);
    let voices = |side: &Side| side.len();
    let choose = |first_wins: bool| {
        if first_wins {
            (one, first)
        } else {
            (other, second)
        }
    };
    if voices(one) != voices(other) {
        let (side, says) = choose(voices(one) > voices(other));
        let less = voices(one).min(voices(other));
        return format!(
            "More independent sources support {says}: {} against {less}.",
            side.len()
        );
    }
    if (best(one) - best(other)).abs() > 0.1 {
        let (side, says) = choose(best(one) > best(other));
        let outlet = side
            .iter()
            .max_by(|left, right| {
                members[left.0]
                    .trust
                    .weight()
                    .total_cmp(&members[right.0].trust.weight())
            })
            .map(|(member, _)| wording::outlet(&members[*member]))
            .unwrap_or_default();
        return format!(
            "The evidence favours {says}, because {outlet} has the better record for accuracy."
        );
    }
    let later = newest(one).since_ms(newest(other));
    if counted_again && later.abs() > 30 * Timestamp::MINUTE_MS {
        let (_, says) = choose(later > 0);
        return format!(
            "The later report gives {says}, and such counts are usually revised as reports come in."
        );
    }
    if named(one) != named(other) {
        let (_, says) = choose(named(one));
        return format!(
            "The evidence slightly favours {says}, which is attributed to a named source."
        );
    }
    "The evidence favours neither side: each has the same number of sources of similar reliability."
        .to_owned()
}

/// Whether a sentence names its source.
fn names_source(text: &str) -> bool {
    let lower = text.to_lowercase();
    ["according to", " said", "confirmed by", "told "]
        .iter()
        .any(|mark| lower.contains(mark))
        && !lower.contains("sources said")
        && !lower.contains("people familiar")
}

/// The claims of a contradiction, listing each member once, in the order of the members.
pub(super) fn claims<'a>(
    sides: impl Iterator<Item = &'a (usize, String)>,
    most: usize,
) -> Vec<SourceClaim> {
    let mut claims: Vec<SourceClaim> = Vec::new();
    for (member, text) in sides {
        if claims.iter().all(|claim| claim.source != *member as u32) {
            claims.push(SourceClaim {
                source: *member as u32,
                claim: text.clone(),
            });
        }
    }
    claims.truncate(most);
    claims
}

/// A contradiction in words: two sentences that cannot both be right.
pub(super) fn words(
    members: &[Member<'_>],
    kind: Disagreement,
    severity: Severity,
    left: &Statement<'_>,
    right: &Statement<'_>,
) -> Found {
    let differ = match kind {
        Disagreement::Date => "Reports differ on the date",
        Disagreement::Polarity => "One report denies what another states",
        _ => "Reports differ",
    };
    let names = [
        wording::outlet(&members[left.member]),
        wording::outlet(&members[right.member]),
    ];
    let sentence = format!(
        "{differ}: {} writes “{}”, while {} writes “{}”.",
        names[0],
        left.text.trim_end_matches('.'),
        names[1],
        right.text.trim_end_matches('.'),
    );
    let sides = [
        [(left.member, left.text.to_owned())],
        [(right.member, right.text.to_owned())],
    ];
    let favoured = favoured(
        members,
        (&sides[0], &format!("the report by {}", names[0])),
        (&sides[1], &format!("the report by {}", names[1])),
        false,
    );
    Found {
        members: [left.member, right.member],
        contradiction: Contradiction {
            kind,
            severity,
            claims: claims(sides.iter().flatten(), 2),
            assessment: format!("{sentence} {favoured}"),
        },
        sentence,
    }
}
