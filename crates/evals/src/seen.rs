//! Which data were read while the rules were written that are measured on them.
//!
//! `data/seen.tsv` names them by their items, not by their files: a set counts as read where it holds items of one that
//! was read, whatever its name. What stands in it is taken from the documents and the history of the project.

use std::collections::{BTreeSet, HashMap};

use crate::data::{self, Data, Kind};
use crate::news::hash;
use serde_json::Value;

const SEEN: &str = include_str!("../data/seen.tsv");

/// How many items stand for a set, and how many digits of a hash for an item.
const KEPT: usize = 40;
const DIGITS: usize = 12;

/// Rules, words or numbers were written or chosen while these data, or the errors on them, were read.
pub(crate) const YES: &str = "yes";
/// Not on these items, but on others of the same source.
pub(crate) const PARTLY: &str = "partly";
/// Nothing says that they were read for it.
pub(crate) const NO: &str = "no";
/// A baseline, which has none of our rules.
pub(crate) const NO_RULES: &str = "–";

/// The mark of data for what a task measures: `yes`, `partly` or `no`. Items are addresses, or texts where there is none.
pub(crate) fn mark<T: AsRef<str>>(task: &str, items: impl IntoIterator<Item = T>) -> &'static str {
    let mut marks: HashMap<&str, &'static str> = HashMap::new();
    for line in SEEN.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        let (Some(tasks), Some(mark), Some(_), Some(digests)) = (
            columns.next(),
            columns.next(),
            columns.next(),
            columns.next(),
        ) else {
            continue;
        };
        if !tasks.split(' ').any(|known| known == task) {
            continue;
        }
        let mark = if mark == YES { YES } else { PARTLY };
        marks.extend(digests.split(' ').map(|digest| (digest, mark)));
    }
    let mut found = NO;
    for item in items {
        match marks.get(&hash(item.as_ref())[..DIGITS]) {
            Some(&YES) => return YES,
            Some(mark) => found = mark,
            None => {}
        }
    }
    found
}

/// The mark of a figure over several sets.
pub(crate) fn strongest(marks: &[&'static str]) -> &'static str {
    [YES, PARTLY]
        .into_iter()
        .find(|mark| marks.contains(mark))
        .unwrap_or(NO)
}

/// The items of rows: their addresses, or their texts where they have none.
pub(crate) fn items(rows: &[Value]) -> Vec<&str> {
    rows.iter()
        .filter_map(|row| {
            ["url", "text", "title", "domain", "gold_token"]
                .iter()
                .find_map(|name| row[*name].as_str().filter(|text| !text.is_empty()))
        })
        .collect()
}

/// The digests that stand for items: the smallest ones, so that a part of a set is likely to hold some of them.
pub(crate) fn digests<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> String {
    let all: BTreeSet<String> = items
        .into_iter()
        .map(|item| hash(item.as_ref())[..DIGITS].to_owned())
        .collect();
    let kept: Vec<String> = all.into_iter().take(KEPT).collect();
    kept.join(" ")
}

/// A line for each set of news and sentiment and each folder of pages, for `data/seen.tsv`.
pub(crate) fn lines(data: &Data) -> anyhow::Result<Vec<String>> {
    const KINDS: [&Kind; 6] = [
        &data::STREAMS,
        &data::STORIES,
        &data::FULL_TEXTS,
        &data::BIASED_SENTENCES,
        &data::SENTENCE_SENTIMENTS,
        &data::NAME_SENTIMENTS,
    ];
    let mut lines = Vec::new();
    for kind in KINDS {
        for set in data.sets(kind) {
            let rows: Vec<Value> = set.rows()?;
            lines.push(format!("{}\t{}", set.name, digests(items(&rows))));
        }
    }
    for (name, addresses) in crate::tasks::page_addresses(data)? {
        lines.push(format!("{name}\t{}", digests(addresses)));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_a_task_a_mark_and_digests() {
        for line in SEEN.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split('\t').collect();
            assert_eq!(columns.len(), 4, "{line}");
            let known = |task: &str| crate::tasks::ALL.iter().any(|(name, _)| *name == task);
            assert!(columns[0].split(' ').all(known), "{}", columns[0]);
            assert!(matches!(columns[1], "yes" | "partly"), "{}", columns[1]);
            let digests: Vec<&str> = columns[3].split(' ').collect();
            assert!(digests.len() >= 20 && digests.iter().all(|digest| digest.len() == DIGITS));
        }
    }

    #[test]
    fn a_part_of_what_was_read_is_marked_whatever_its_name() {
        let Some(data) = data::of_tests() else {
            return;
        };
        let streams = data.sets(&data::STREAMS);
        for stream in &streams {
            let rows: Vec<Value> = stream.rows().unwrap();
            let items = items(&rows);
            let part = &items[items.len() / 2..];
            assert_eq!(mark("answers", part), YES, "{}", stream.name);
            assert_eq!(mark("confidence", part), PARTLY, "{}", stream.name);
            assert_eq!(mark("trust", part), NO, "{}", stream.name);
        }
        assert!(!streams.is_empty());
    }

    #[test]
    fn data_that_nobody_read_are_not_marked() {
        assert_eq!(mark("pages", ["https://new.example/never-seen"]), "no");
    }
}
