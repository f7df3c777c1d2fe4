//! Briefs that belong together: stories about one subject, such as a takeover and the regulator's answer to it.
//!
//! A brief is already one story. A cluster joins stories from a period that share distinctive names and topic words.
//! Each brief is in exactly one cluster, and clusters of a single brief are left out.

use std::collections::BTreeMap;

use model::{BriefId, Category, EntityRole, Timestamp};
use rustc_hash::FxHashMap;
use store::{BriefQuery, BriefSort, Store, StoredBrief};

use crate::{Result, light};

/// How many briefs in a period are compared, newest first.
const COMPARED: u64 = 600;
/// A brief joins a cluster at this similarity or higher.
const ALIKE: f64 = 0.34;

/// Which clusters to find.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterQuery {
    /// Updated at this time or later.
    pub since: Timestamp,
    /// The maximum number.
    pub limit: usize,
    /// As known at this point in time; `None` means now.
    pub as_of: Option<Timestamp>,
    /// Only briefs in these categories; empty means all.
    pub categories: Vec<Category>,
}

/// Stories about one subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// Stable as long as its oldest brief stays, because it is that brief's id.
    pub id: BriefId,
    /// What its briefs have in common: names first, then topic words.
    pub topic: String,
    /// The categories of its briefs, most frequent first.
    pub categories: Vec<Category>,
    /// Its briefs, newest first.
    pub briefs: Vec<StoredBrief>,
    /// When the newest brief was updated.
    pub latest: Timestamp,
}

/// What distinguishes a brief: names and topic words, with weights.
type Vector = FxHashMap<String, f64>;

/// The clusters in a period, largest first, and how many briefs were compared.
pub async fn clusters(store: &Store, query: &ClusterQuery) -> Result<(Vec<Cluster>, usize)> {
    let page = BriefQuery {
        categories: query.categories.clone(),
        sort: BriefSort::Updated,
        limit: COMPARED,
        as_of: query.as_of,
        ..BriefQuery::default()
    };
    let mut briefs = store.briefs().list(&page).await?.briefs;
    briefs.retain(|stored| stored.brief.updated_at >= query.since);
    // Oldest first, so that a cluster keeps its id when new briefs join it.
    briefs.reverse();
    let compared = briefs.len();
    let mut found = light(move || group(briefs)).await?;
    found.truncate(query.limit);
    Ok((found, compared))
}

/// Each brief joins the cluster it resembles most, or starts a new one.
fn group(briefs: Vec<StoredBrief>) -> Vec<Cluster> {
    let mut seen: FxHashMap<String, f64> = FxHashMap::default();
    let raw: Vec<Vector> = briefs.iter().map(vector).collect();
    for word in raw.iter().flat_map(|vector| vector.keys()) {
        *seen.entry(word.clone()).or_default() += 1.0;
    }
    let count = briefs.len() as f64;
    let vectors: Vec<Vector> = raw
        .into_iter()
        .map(|mut vector| {
            for (word, weight) in &mut vector {
                *weight *= (1.0 + count / seen.get(word).copied().unwrap_or(1.0)).ln();
            }
            let length = vector
                .values()
                .map(|weight| weight * weight)
                .sum::<f64>()
                .sqrt();
            for weight in vector.values_mut() {
                *weight /= length.max(1e-9);
            }
            vector
        })
        .collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    // Which clusters contain a word, and with what weight: only those are compared.
    let mut holders: FxHashMap<&str, Vec<(usize, f64)>> = FxHashMap::default();
    for (place, vector) in vectors.iter().enumerate() {
        let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
        for (word, weight) in vector {
            for (group, held) in holders.get(word.as_str()).into_iter().flatten() {
                *sums.entry(*group).or_default() += weight * held;
            }
        }
        // The mean over all members, so that a cluster does not drift from one subject to the next.
        let best = sums
            .into_iter()
            .map(|(group, sum)| (group, sum / groups[group].len() as f64))
            .reduce(|best, other| if other.1 > best.1 { other } else { best });
        let group = match best {
            Some((group, likeness)) if likeness >= ALIKE => group,
            _ => {
                groups.push(Vec::new());
                groups.len() - 1
            }
        };
        groups[group].push(place);
        for (word, weight) in vector {
            holders.entry(word).or_default().push((group, *weight));
        }
    }
    let mut found: Vec<Cluster> = groups
        .into_iter()
        .filter(|members| members.len() > 1)
        .map(|members| cluster(&members, &briefs, &vectors))
        .collect();
    found.sort_by(|left, right| {
        right
            .briefs
            .len()
            .cmp(&left.briefs.len())
            .then(right.latest.cmp(&left.latest))
            .then(left.id.cmp(&right.id))
    });
    found
}

fn vector(stored: &StoredBrief) -> Vector {
    let mut vector = Vector::default();
    for entity in &stored.brief.entities {
        let weight = match entity.role {
            EntityRole::Subject => 1.0,
            EntityRole::Related => 0.5,
            EntityRole::Mentioned => 0.15,
        };
        vector.insert(entity.name.clone(), weight);
    }
    for tag in &stored.brief.tags {
        vector.entry(tag.clone()).or_insert(0.6);
    }
    vector
}

/// Whether a name already contains a word: `reserve` and `fr` add nothing to `Federal Reserve`.
fn says(name: &str, word: &str) -> bool {
    let word = word.to_lowercase();
    let initials: String = name
        .split_whitespace()
        .filter_map(|part| part.chars().next())
        .filter(|first| first.is_uppercase())
        .flat_map(char::to_lowercase)
        .collect();
    name.to_lowercase().contains(&word) || (word.len() > 1 && initials.starts_with(&word))
}

fn cluster(members: &[usize], briefs: &[StoredBrief], vectors: &[Vector]) -> Cluster {
    let mut shared: BTreeMap<&str, (usize, f64)> = BTreeMap::new();
    for member in members {
        for (word, weight) in &vectors[*member] {
            let sum = shared.entry(word).or_default();
            *sum = (sum.0 + 1, sum.1 + weight);
        }
    }
    let mut words: Vec<(&str, f64)> = shared
        .into_iter()
        .filter(|(_, (count, _))| count * 2 > members.len())
        .map(|(word, (_, weight))| (word, weight))
        .collect();
    words.sort_by(|left, right| right.1.total_cmp(&left.1));
    let mut topic: Vec<&str> = Vec::new();
    for (word, _) in words {
        if !topic.iter().any(|said| says(said, word)) {
            topic.push(word);
        }
        if topic.len() == 3 {
            break;
        }
    }
    let oldest = &briefs[members[0]].brief;
    let mut own: Vec<StoredBrief> = members
        .iter()
        .map(|member| briefs[*member].clone())
        .collect();
    own.sort_by_key(|stored| std::cmp::Reverse((stored.brief.updated_at, stored.brief.id)));
    let mut categories: Vec<(Category, usize)> = Vec::new();
    for stored in &own {
        match categories
            .iter_mut()
            .find(|(other, _)| *other == stored.brief.category)
        {
            Some((_, count)) => *count += 1,
            None => categories.push((stored.brief.category, 1)),
        }
    }
    categories.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    Cluster {
        id: oldest.id,
        topic: if topic.is_empty() {
            oldest.headline.clone()
        } else {
            topic.join(", ")
        },
        categories: categories
            .into_iter()
            .map(|(category, _)| category)
            .collect(),
        latest: own
            .first()
            .map_or(oldest.updated_at, |stored| stored.brief.updated_at),
        briefs: own,
    }
}

#[cfg(test)]
mod tests {
    use super::says;

    #[test]
    fn initials_and_parts_are_said_already() {
        assert!(says("Advanced Micro Devices, Inc.", "amd"));
        assert!(says("Federal Reserve", "reserve"));
        assert!(!says("Federal Reserve", "rates"));
    }
}
