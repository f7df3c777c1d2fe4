//! The brief of a story, from its articles.

use std::collections::HashMap;

use model::{Brief, BriefId, BriefSource, OutletTable, PublicBriefId};
use store::StoredArticle;
use text::compose::{Composition, Member};

use super::{Compose, counted};

/// The brief of a story from its articles, with the identity of the previous revision, and whether it corrects that.
pub(super) fn write(
    compose: Compose,
    outlets: &OutletTable,
    (id, public_id): (BriefId, PublicBriefId),
    articles: &[StoredArticle],
    previous: Option<&Brief>,
) -> (Brief, bool) {
    let counted = counted::counted(articles);
    let index_of: HashMap<_, _> = counted
        .iter()
        .enumerate()
        .map(|(at, (stored, _))| (stored.article.id, at))
        .collect();
    let members: Vec<Member<'_>> = counted
        .iter()
        .map(|(stored, copied)| Member {
            article: &stored.article,
            annotations: &stored.annotations,
            trust: outlets.trust(&stored.article.domain),
            copy_of: copied.and_then(|copied| index_of.get(&copied).copied()),
        })
        .collect();
    let Composition {
        headline,
        summary,
        body,
        sentences,
        category,
        confidence,
        bias,
        counter_argument,
        source_count,
        sentiment,
        tags,
        entities,
        events,
        data_points,
        contradictions,
        language,
        corrects_previous,
    } = compose(&members, previous);
    let sources = members
        .iter()
        .map(|member| BriefSource {
            article_id: member.article.id,
            name: outlets
                .name(&member.article.domain)
                .unwrap_or(&member.article.outlet)
                .to_owned(),
            url: member.article.link().to_owned(),
            domain: member.article.domain.clone(),
            trust_level: member.trust,
            title: member.article.title.clone(),
            published_at: member.article.published_at,
            known_at: member.article.known_at,
            copy_of: member.copy_of.map(|at| at as u32),
            via: member.article.via.clone(),
        })
        .collect();
    let first = members
        .iter()
        .map(|member| member.article.published_at)
        .min();
    let last = members.iter().map(|member| member.article.known_at).max();
    let brief = Brief {
        id,
        public_id,
        revision: articles.len() as u32,
        headline,
        summary,
        body,
        sentences,
        category,
        published_at: first.unwrap_or_default(),
        updated_at: last.unwrap_or_default(),
        confidence,
        bias,
        counter_argument,
        sources,
        source_count,
        update_count: articles.len() as u32 - 1,
        sentiment,
        tags,
        entities,
        events,
        data_points,
        contradictions,
        language,
        simulated: members.iter().all(|member| member.article.simulated),
    };
    (brief, corrects_previous)
}
