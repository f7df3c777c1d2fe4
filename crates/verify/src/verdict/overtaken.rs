//! Which passages are overtaken by a later one: it corrects them, or reports the same story after them and says
//! otherwise.
//!
//! In a developing story the later report holds: a death toll that rose, a price that was restated. A source that says
//! it is making a correction also overtakes what is reported elsewhere. Reports of different events are not compared
//! here; whoever creates the witnesses says which of them report one story.

use super::{Position, Witness, trust};

/// The minimum time difference that counts as later: outlets that report one thing at the same time disagree.
const LATER_DAYS: f64 = 1.0 / 24.0;
/// What this many sources say takes more than one later source to overtake.
const MANY: usize = 3;

/// For each witness, whether another one overtakes it.
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

/// Whether it came later and from a source that is trusted no less, unless the source is the same.
fn is_later(later: &Witness, earlier: &Witness) -> bool {
    earlier.age_days - later.age_days >= LATER_DAYS
        && (later.source == earlier.source || trust(later.trust) >= trust(earlier.trust))
}

/// The number of independent sources.
fn sources<'w>(witnesses: impl Iterator<Item = &'w Witness>) -> usize {
    let mut sources: Vec<usize> = witnesses.map(|witness| witness.source).collect();
    sources.sort_unstable();
    sources.dedup();
    sources.len()
}
