//! The brief of a story, from its articles.

use std::collections::HashMap;

use model::{Brief, BriefId, OutletTable, PublicBriefId};
use text::compose::{Member, Reading};

use super::part::Told;
use super::{Compose, counted};

/// The brief of a story from its articles, with the identity of the previous revision, and whether it corrects that
/// revision.
pub(super) fn write(
    compose: Compose,
    outlets: &OutletTable,
    identity: (BriefId, PublicBriefId),
    articles: &[Told],
    previous: Option<&Brief>,
) -> (Brief, bool) {
    let counted = counted::counted(articles);
    let index_of: HashMap<_, _> = counted
        .iter()
        .enumerate()
        .map(|(at, (told, _))| (told.stored.article.id, at))
        .collect();
    let members: Vec<Member<'_>> = counted
        .iter()
        .map(|(Told { stored, .. }, copied)| Member {
            article: &stored.article,
            annotations: &stored.annotations,
            outlet: outlets
                .name(&stored.article.domain)
                .unwrap_or(&stored.article.outlet),
            trust: outlets.trust(&stored.article.domain),
            copy_of: copied.and_then(|copied| index_of.get(&copied).copied()),
        })
        .collect();
    let readings: Vec<&Reading> = counted.iter().map(|(told, _)| &*told.reading).collect();
    let composition = compose(&members, &readings, previous);
    let corrects_previous = composition.corrects_previous;
    let revision = previous.map_or(0, |previous| previous.revision) + 1;
    let mut brief = composition.into_brief(identity, revision, &members, outlets);
    if let Some(previous) = previous {
        brief.split.clone_from(&previous.split);
        brief.merged.clone_from(&previous.merged);
    }
    (brief, corrects_previous)
}
