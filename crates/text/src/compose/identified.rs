//! The brief built from a composition: its content, with an identity and the sources that it draws on.

use model::{Brief, BriefId, BriefSource, Merged, OutletTable, PublicBriefId, Split};

use super::{Composition, Member};

impl Composition {
    /// The brief with this identity, built from these members. Every revision except the first is an update.
    pub fn into_brief(
        self,
        (id, public_id): (BriefId, PublicBriefId),
        revision: u32,
        members: &[Member<'_>],
        outlets: &OutletTable,
    ) -> Brief {
        let articles = || members.iter().map(|member| member.article);
        let published_at = articles().map(|article| article.published_at).min();
        let updated_at = articles().map(|article| article.known_at).max();
        Brief {
            id,
            public_id,
            revision,
            headline: self.headline,
            summary: self.summary,
            body: self.body,
            sentences: self.sentences,
            category: self.category,
            published_at: published_at.unwrap_or_default(),
            updated_at: updated_at.unwrap_or_default(),
            confidence: self.confidence,
            bias: self.bias,
            counter_argument: self.counter_argument,
            sources: members
                .iter()
                .map(|member| source(member, outlets))
                .collect(),
            source_count: self.source_count,
            update_count: revision.saturating_sub(1),
            sentiment: self.sentiment,
            tags: self.tags,
            entities: self.entities,
            events: self.events,
            data_points: self.data_points,
            contradictions: self.contradictions,
            language: self.language,
            simulated: articles().all(|article| article.simulated),
            split: Split::default(),
            merged: Merged::default(),
        }
    }
}

fn source(member: &Member<'_>, outlets: &OutletTable) -> BriefSource {
    let article = member.article;
    BriefSource {
        article_id: article.id,
        name: outlets
            .name(&article.domain)
            .unwrap_or(&article.outlet)
            .to_owned(),
        url: article.link().to_owned(),
        domain: article.domain.clone(),
        trust_level: member.trust,
        title: article.title.clone(),
        published_at: article.published_at,
        known_at: article.known_at,
        copy_of: member.copy_of.and_then(|place| u32::try_from(place).ok()),
        via: article.via.clone(),
    }
}
