//! What a brief can be found by: sources, tags and entities, each with its validity.

use std::collections::BTreeMap;

use model::{Brief, EntityMention, Timestamp};

use super::Edition;
use crate::Result;
use crate::database::values;
use crate::entities::entity_key;

/// Kind and value.
type Facet = (&'static str, String);

impl Edition {
    /// Opens what is new in a revision and closes what is gone.
    pub(super) async fn write_facets(
        &mut self,
        brief: &Brief,
        known_from: Timestamp,
    ) -> Result<()> {
        let mut wanted = facets(brief);
        let category = brief.category.as_str();
        if brief.revision > 1 {
            let sql = "SELECT kind, value, role, category FROM brief_facet \
                       WHERE brief = $1 AND known_to = 9223372036854775807";
            let open = self.tx.rows(sql, values![brief.id.0]).await?;
            let mut stale: Vec<Facet> = Vec::new();
            // Entities that stay named, but in another part: their briefs don't change in number.
            let mut changed: Vec<Facet> = Vec::new();
            for row in &open {
                let Some(kind) = known_kind(&row.text(0)?) else {
                    continue;
                };
                let facet = (kind, row.text(1)?);
                match wanted.get(&facet) {
                    Some((role, _)) if row.text(2)? == *role && row.text(3)? == category => {
                        wanted.remove(&facet);
                    }
                    Some(_) => {
                        changed.push(facet.clone());
                        stale.push(facet);
                    }
                    None => {
                        if kind == "entity" {
                            self.pending.forget_entity(&facet.1);
                        }
                        stale.push(facet);
                    }
                }
            }
            self.close_facets(brief, known_from, stale, open.len())
                .await?;
            for ((kind, value), (role, entity)) in wanted {
                let is_change = changed
                    .iter()
                    .any(|(changed_kind, changed)| *changed_kind == kind && *changed == value);
                self.open_facet(
                    brief,
                    known_from,
                    kind,
                    &value,
                    role,
                    entity,
                    i64::from(!is_change),
                );
            }
        } else {
            for ((kind, value), (role, entity)) in wanted {
                self.open_facet(brief, known_from, kind, &value, role, entity, 1);
            }
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "one row, spelled out")]
    fn open_facet(
        &mut self,
        brief: &Brief,
        known_from: Timestamp,
        kind: &'static str,
        value: &str,
        role: &'static str,
        entity: Option<&EntityMention>,
        briefs: i64,
    ) {
        self.pending.facets.extend(values![
            kind,
            value,
            brief.id.0,
            known_from,
            Timestamp::END,
            role,
            brief.category.as_str(),
        ]);
        if let Some(entity) = entity {
            self.pending
                .note_entity(value, entity, briefs, brief.published_at);
        }
    }

    async fn close_facets(
        &mut self,
        brief: &Brief,
        at: Timestamp,
        stale: Vec<Facet>,
        open: usize,
    ) -> Result<()> {
        // A change of category touches all of them; otherwise they are few.
        if stale.len() == open && open > 0 {
            let sql = "UPDATE brief_facet SET known_to = $1 WHERE brief = $2 AND known_to = 9223372036854775807";
            return self
                .tx
                .execute(sql, values![at, brief.id.0])
                .await
                .map(drop);
        }
        for (kind, value) in stale {
            let sql = "UPDATE brief_facet SET known_to = $1 \
                       WHERE brief = $2 AND kind = $3 AND value = $4 AND known_to = 9223372036854775807";
            self.tx
                .execute(sql, values![at, brief.id.0, kind, value])
                .await?;
        }
        Ok(())
    }
}

fn known_kind(word: &str) -> Option<&'static str> {
    ["source", "tag", "entity"]
        .into_iter()
        .find(|kind| *kind == word)
}

/// What a revision can be found by, with the role of entities.
fn facets(brief: &Brief) -> BTreeMap<Facet, (&'static str, Option<&EntityMention>)> {
    let mut facets = BTreeMap::new();
    for source in &brief.sources {
        facets.insert(("source", word(&source.domain)), ("", None));
    }
    for tag in &brief.tags {
        facets.insert(("tag", word(tag)), ("", None));
    }
    for entity in &brief.entities {
        // The first of a name is its most important one.
        facets
            .entry(("entity", entity_key(&entity.name)))
            .or_insert((entity.role.as_str(), Some(entity)));
    }
    facets.retain(|(_, value), _| !value.is_empty());
    facets
}

fn word(text: &str) -> String {
    text.trim().to_lowercase().replace('\0', "")
}
