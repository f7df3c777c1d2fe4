//! Predicted contradictions between the sources of real stories, judged by reading them.

use model::Contradiction;

use serde_json::Value;

use crate::data::{self, Data};
use crate::judged::Judged;
use crate::news::{self, shipped_outlets};
use crate::seen;
use crate::table::Table;

/// Judgements: hash of the contradiction, `right` or `wrong`.
const JUDGED: &str = include_str!("../../data/contradictions_judged.tsv");

pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let mut judged = Judged::parse(JUDGED);
    let (mut briefs, mut names, mut marks) = (0, Vec::new(), Vec::new());
    let outlets = shipped_outlets();
    // Stories are those that the search finds, or the labelled ones where a set has labels.
    let kinds = [&data::STREAMS, &data::FULL_TEXTS, &data::STORIES];
    for set in kinds.into_iter().flat_map(|kind| data.find(kind)) {
        let rows: Vec<Value> = set.rows()?;
        marks.push(seen::mark("contradictions", seen::items(&rows)));
        names.push(set.name);
        for brief in news::briefs(&rows, &outlets) {
            briefs += usize::from(brief.source_count > 1);
            for found in &brief.contradictions {
                let hash = key(found);
                if !judged.note(found.kind.as_str(), &hash) {
                    println!("unjudged {hash} {} {}", found.kind.as_str(), found.severity);
                    for claim in &found.claims {
                        println!("    {}: {}", claim.source, claim.claim);
                    }
                    println!("    {}", found.assessment);
                }
            }
        }
    }
    if names.is_empty() {
        data.note_absent("any articles (`news/*.jsonl`)");
        return Ok(Vec::new());
    }
    let mut table = judged.table(
        "Predicted contradictions between sources of one story, judged by reading each",
        seen::strongest(&marks),
    );
    table.note(format!(
        "All that are predicted in {briefs} briefs of several sources, of {}.",
        names.join(", ")
    ));
    Ok(vec![table])
}

/// What names a contradiction: its kind and its claims.
fn key(found: &Contradiction) -> String {
    let mut claims: Vec<&str> = found
        .claims
        .iter()
        .map(|claim| claim.claim.as_str())
        .collect();
    claims.sort_unstable();
    news::hash(&format!("{}\n{}", found.kind.as_str(), claims.join("\n")))
}
