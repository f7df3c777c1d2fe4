//! How far outlets are trusted, beside the factuality that Media Bias/Fact Check gives them.
//!
//! The shipped table was written without it. Its words `high`, `mixed` and `low` are compared with `high`, `medium` and
//! `low`.

use model::{OutletTable, TrustLevel};
use serde::Deserialize;

use crate::data::{self, Data};
use crate::news::shipped_outlets;
use crate::score::ratio;
use crate::seen;
use crate::table::{Table, figure};

#[derive(Deserialize)]
struct Row {
    domain: String,
    factuality: String,
}

pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let sets = data.sets(&data::RELIABILITY);
    if sets.is_empty() {
        return Ok(Vec::new());
    }
    let mut table = Table::new(
        "Trust of outlets beside Media Bias/Fact Check",
        &[
            "set",
            "seen",
            "outlets in both",
            "of",
            "same level",
            "two levels apart",
            "rank correlation",
            "always high",
        ],
    );
    let shipped = shipped_outlets();
    for set in sets {
        measure(&set.name, &set.rows()?, &shipped, &mut table);
    }
    Ok(vec![table])
}

fn measure(set: &str, rows: &[Row], shipped: &OutletTable, table: &mut Table) {
    let pairs: Vec<(usize, usize)> = rows
        .iter()
        .filter_map(|row| {
            let gold = ["low", "mixed", "high"]
                .iter()
                .position(|word| *word == row.factuality.to_ascii_lowercase())?;
            let ours = match shipped.trust(row.domain.trim_start_matches("www.")) {
                TrustLevel::Low => 0,
                TrustLevel::Medium => 1,
                TrustLevel::High => 2,
                TrustLevel::Unknown => return None,
            };
            Some((gold, ours))
        })
        .collect();
    let share = |holds: fn(&(usize, usize)) -> bool| {
        let count = pairs.iter().filter(|pair| holds(pair)).count();
        ratio(count as f64, pairs.len() as f64)
    };
    let always_high = share(|(gold, _)| *gold == 2);
    table.row([
        set.to_owned(),
        seen::mark("trust", rows.iter().map(|row| &row.domain)).to_owned(),
        pairs.len().to_string(),
        rows.len().to_string(),
        figure(share(|(gold, ours)| gold == ours)),
        figure(share(|(gold, ours)| gold.abs_diff(*ours) == 2)),
        figure(rank_correlation(&pairs)),
        figure(always_high),
    ]);
}

/// Kendall's tau-b: pairs of outlets in the same order less pairs in the opposite order, ties left out on each side.
fn rank_correlation(pairs: &[(usize, usize)]) -> f64 {
    let (mut order, mut first, mut second) = (0.0, 0.0, 0.0);
    for (at, (gold, ours)) in pairs.iter().enumerate() {
        for (other_gold, other_ours) in &pairs[..at] {
            let sign = |left: usize, right: usize| {
                f64::from(u8::from(left > right)) - f64::from(u8::from(left < right))
            };
            let (one, other) = (sign(*gold, *other_gold), sign(*ours, *other_ours));
            order += one * other;
            first += one * one;
            second += other * other;
        }
    }
    ratio(order, f64::sqrt(first * second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_correlation_follows_the_order() {
        assert_eq!(rank_correlation(&[(0, 0), (1, 1), (2, 2)]), 1.0);
        assert_eq!(rank_correlation(&[(0, 2), (1, 1), (2, 0)]), -1.0);
    }
}
