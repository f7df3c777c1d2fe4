//! Predicted contradictions between the sources of real stories, judged by reading them.

use model::Contradiction;

use crate::data::Data;
use crate::judged::Judged;
use crate::news::{self, STREAMS};
use crate::table::Table;

/// Judgements: hash of the contradiction, `right` or `wrong`.
const JUDGED: &str = include_str!("../../data/contradictions_judged.tsv");
/// Sets beside the streams: a week of full texts, and two sets whose stories are given.
const SETS: [&str; 4] = [
    "news/articles_bias",
    "news/clusters_gold_basil",
    "news/clusters_gold_wikinews",
    "news/clusters_gold_uci",
];

pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let mut judged = Judged::read(JUDGED);
    let (mut briefs, mut measured) = (0, false);
    for set in STREAMS.into_iter().chain(SETS) {
        for brief in news::briefs(data, set)? {
            measured = true;
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
    if !measured {
        return Ok(Vec::new());
    }
    let mut table = judged
        .table("Predicted contradictions between sources of one story, judged by reading each");
    table.note(format!(
        "All that are predicted in {briefs} briefs of several sources: three streams, a week of full texts, and the given stories of BASIL, Wikinews and UCI. They were read while the rules were mended."
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
