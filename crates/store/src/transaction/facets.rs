//! The facets a brief can be found by: sources, tags and entities, each with its validity.

use std::collections::BTreeMap;

use model::{Brief, EntityMention, Timestamp};

use super::NewsTransaction;
use crate::Result;
use crate::database::{Value, parameters, values};
use crate::entities::entity_key;

/// Kind and value.
type Facet = (&'static str, String);

impl NewsTransaction {
    /// Opens what is new in a revision and closes what is gone. What was open is in the previous revision.
    pub(super) async fn write_facets(
        &mut self,
        brief: &Brief,
        known_from: Timestamp,
        previous: Option<&Brief>,
    ) -> Result<()> {
        let mut wanted = facets(brief);
        let Some(previous) = previous else {
            for ((kind, value), (role, entity)) in wanted {
                self.open_facet(brief, known_from, kind, &value, role, entity, 1);
            }
            return Ok(());
        };
        let same_category = previous.category == brief.category;
        let mut stale: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
        // Entities that are still named, but in a different role: their number of briefs doesn't change.
        let mut changed: Vec<Facet> = Vec::new();
        for (facet, (role_before, _)) in facets(previous) {
            match wanted.get(&facet) {
                Some((role, _)) if *role == role_before && same_category => {
                    wanted.remove(&facet);
                }
                Some(_) => {
                    stale.entry(facet.0).or_default().push(facet.1.clone());
                    changed.push(facet);
                }
                None => {
                    if facet.0 == "entity" {
                        self.pending.forget_entity(&facet.1);
                    }
                    stale.entry(facet.0).or_default().push(facet.1);
                }
            }
        }
        for (kind, values) in stale {
            self.close_facets(brief, known_from, kind, values).await?;
        }
        for ((kind, value), (role, entity)) in wanted {
            let is_change = changed
                .iter()
                .any(|(before, changed)| *before == kind && *changed == value);
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
        kind: &'static str,
        stale: Vec<String>,
    ) -> Result<()> {
        // A few statement sizes serve every number; the last value pads them.
        let size = stale.len().next_power_of_two();
        let sql = format!(
            "UPDATE brief_facet SET known_to = $1 WHERE brief = $2 AND kind = $3 \
             AND known_to = 9223372036854775807 AND value IN ({})",
            parameters(4, size)
        );
        let mut values = values![at, brief.id.0, kind];
        let last = stale.last().cloned().unwrap_or_default();
        values.extend(
            stale
                .into_iter()
                .chain(std::iter::repeat(last))
                .take(size)
                .map(Value::from),
        );
        self.tx.queue(sql, values).await
    }
}

/// The facets a revision can be found by, with the roles of entities.
fn facets(brief: &Brief) -> BTreeMap<Facet, (&'static str, Option<&EntityMention>)> {
    let mut facets = BTreeMap::new();
    for source in &brief.sources {
        facets.insert(("source", word(&source.domain)), ("", None));
    }
    for tag in &brief.tags {
        facets.insert(("tag", word(tag)), ("", None));
    }
    for entity in &brief.entities {
        // The first mention of a name is its most important one.
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
