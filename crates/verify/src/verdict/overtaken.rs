//! Which passages a later one overtakes: it corrects them, or tells the same story after them and says otherwise.
//!
//! Of a story that goes on, what was said later holds: a toll that rose, a price that was restated. A source that
//! says of itself that it corrects overtakes what stands elsewhere too. Reports of different events are not compared here;
//! whoever makes the witnesses says which of them tell one story.

use super::{Position, Witness, trust};

/// So much later at least is later: outlets that report one thing at the same time disagree.
const LATER_DAYS: f64 = 1.0 / 24.0;
/// What so many sources say takes more than one later source.
const MANY: usize = 3;

/// Of each witness, whether another one overtakes it.
pub(super) fn overtaken(witnesses: &[Witness]) -> Vec<bool> {
    witnesses
        .iter()
        .map(|earlier| {
            let later: Vec<&Witness> = witnesses
                .iter()
                .filter(|later| contradict(earlier, later) && is_later(later, earlier))
                .collect();
            if later.iter().any(|later| later.is_correction) {
                return true;
            }
            let of_story =
                |other: &&&Witness| other.story.is_some() && other.story == earlier.story;
            let against = sources(later.iter().filter(of_story).copied());
            let beside = sources(
                witnesses
                    .iter()
                    .filter(|other| of_story(&other) && other.position() == earlier.position()),
            );
            against > usize::from(beside >= MANY)
        })
        .collect()
}

fn contradict(left: &Witness, right: &Witness) -> bool {
    matches!(
        (left.position(), right.position()),
        (Position::Supports, Position::Contradicts) | (Position::Contradicts, Position::Supports)
    )
}

/// Whether it came later and from a source that is trusted no less, unless it is the same one.
fn is_later(later: &Witness, earlier: &Witness) -> bool {
    earlier.age_days - later.age_days >= LATER_DAYS
        && (later.source == earlier.source || trust(later.trust) >= trust(earlier.trust))
}

/// How many independent sources these are.
fn sources<'w>(witnesses: impl Iterator<Item = &'w Witness>) -> usize {
    let mut sources: Vec<usize> = witnesses.map(|witness| witness.source).collect();
    sources.sort_unstable();
    sources.dedup();
    sources.len()
}
