//! Predicted contradictions between the sources of real stories, judged by reading them.

use std::collections::BTreeMap;

use model::Contradiction;

use crate::data::Data;
use crate::news::{self, STREAMS};
use crate::score::{interval, ratio};
use crate::table::{Table, figure};

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
    let judged: BTreeMap<&str, bool> = JUDGED
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let (hash, verdict) = line.split_once('\t')?;
            Some((hash, verdict == "right"))
        })
        .collect();
    let mut counts: BTreeMap<&'static str, [f64; 3]> = BTreeMap::new();
    let (mut briefs, mut measured) = (0, false);
    for set in STREAMS.into_iter().chain(SETS) {
        for brief in news::briefs(data, set)? {
            measured = true;
            briefs += usize::from(brief.source_count > 1);
            for found in &brief.contradictions {
                let hash = key(found);
                let slot = counts.entry(found.kind.as_str()).or_default();
                match judged.get(hash.as_str()) {
                    Some(true) => slot[0] += 1.0,
                    Some(false) => slot[1] += 1.0,
                    None => {
                        slot[2] += 1.0;
                        println!("unjudged {hash} {} {}", found.kind.as_str(), found.severity);
                        for claim in &found.claims {
                            println!("    {}: {}", claim.source, claim.claim);
                        }
                        println!("    {}", found.assessment);
                    }
                }
            }
        }
    }
    if !measured {
        return Ok(Vec::new());
    }
    let mut table = Table::new(
        "Predicted contradictions between sources of one story, judged by reading each",
        &[
            "kind",
            "predicted",
            "judged",
            "right",
            "precision",
            "95 % interval",
            "unjudged",
        ],
    );
    let total = counts.values().fold([0.0; 3], |sum, slot| {
        [sum[0] + slot[0], sum[1] + slot[1], sum[2] + slot[2]]
    });
    for (name, [right, wrong, unjudged]) in counts.into_iter().chain([("all", total)]) {
        let (low, high) = interval(right, right + wrong);
        table.row([
            name.to_owned(),
            (right + wrong + unjudged).to_string(),
            (right + wrong).to_string(),
            right.to_string(),
            figure(ratio(right, right + wrong)),
            format!("{} to {}", figure(low), figure(high)),
            unjudged.to_string(),
        ]);
    }
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
