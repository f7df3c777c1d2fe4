//! Which members are independent of each other.

use super::Member;

/// The members grouped into voices: copies of one text, articles from one domain, and versions of one address count as
/// one voice.
#[derive(Debug)]
pub(super) struct Voices {
    /// The voice of each member, by the index of its first member.
    of: Vec<usize>,
    /// The member that speaks for each voice, in the order of the voices' first members.
    pub(super) leaders: Vec<usize>,
}

impl Voices {
    pub(super) fn hear(members: &[Member<'_>]) -> Self {
        let mut of: Vec<usize> = (0..members.len()).collect();
        for (index, member) in members.iter().enumerate() {
            if let Some(original) = member.copy_of.filter(|original| *original < members.len()) {
                unite(&mut of, index, original);
            }
            let same_domain = members[..index].iter().position(|other| {
                !member.article.domain.is_empty() && other.article.domain == member.article.domain
            });
            // Two feeds that pass on one article are not two witnesses.
            let same_link = members[..index]
                .iter()
                .position(|other| other.article.link() == member.article.link());
            for other in [same_domain, same_link].into_iter().flatten() {
                unite(&mut of, index, other);
            }
        }
        let mut leaders: Vec<usize> = Vec::new();
        for index in 0..members.len() {
            if of[index] != index {
                continue;
            }
            let best = (index..members.len())
                .filter(|other| of[*other] == index)
                .max_by_key(|other| rank(&members[*other], *other))
                .unwrap_or(index);
            leaders.push(best);
        }
        Self { of, leaders }
    }

    /// Treats every member as a voice of its own.
    pub(super) fn each(members: usize) -> Self {
        Self {
            of: (0..members).collect(),
            leaders: (0..members).collect(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.leaders.len()
    }

    /// The voice of a member.
    pub(super) fn of(&self, member: usize) -> usize {
        self.of[member]
    }
}

/// Originals before copies, readable text before headlines, trusted outlets first, then the earliest.
fn rank(
    member: &Member<'_>,
    index: usize,
) -> (bool, bool, model::TrustLevel, std::cmp::Reverse<usize>) {
    (
        member.copy_of.is_none(),
        !member.article.body.is_empty(),
        member.trust,
        std::cmp::Reverse(index),
    )
}

/// Merges both groups under the smaller of their indices.
fn unite(of: &mut [usize], left: usize, right: usize) {
    let (kept, gone) = (of[left].min(of[right]), of[left].max(of[right]));
    if kept != gone {
        of.iter_mut()
            .filter(|voice| **voice == gone)
            .for_each(|voice| *voice = kept);
    }
}
