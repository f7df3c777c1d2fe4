//! The feeds in the data folder, for those who have it: set `ASSAY_TEST_DATA`.

use std::collections::BTreeSet;
use std::path::Path;

use super::super::*;
use crate::test_data;

/// Files in the data folder in which no item with an address can be found: not a feed at all, a feed without items,
/// or items without link and identifier.
const WITHOUT_ITEMS: [&str; 16] = [
    "notafeed.html",
    "unrecognized.rss",
    "xml__xml_sample_1.xml",
    "xml__xml_sample_2.xml",
    "xml__xml_iso8859.xml",
    "Rss20DailyMail.xml",
    "rss2__rss_2.0_invalid_1.xml",
    "incomplete-fields.atom",
    "missing-fields.atom",
    "atom-with-tag-uri-links.xml",
    "atom__atom_example_7.xml",
    "atom__atom_pub_spec_1.xml",
    "rss0__rss_0.91_missing_id.xml",
    "rss0__rss_0.92_spec_1.xml",
    "rss2__rss_2.0_ghost_1.xml",
    "Rss092FullSample.xml",
];

/// A folder of documents that are not complete feeds: each shows one fault.
const FAULTS: &str = "feedparser_illformed";

/// The files in the feed folders, with the name of their folder, in order of their names.
fn files(root: &Path) -> Vec<(String, String, Vec<u8>)> {
    let mut paths = Vec::new();
    for group in std::fs::read_dir(root.join("wire/feeds")).unwrap() {
        let group = group.unwrap().path();
        if group.is_dir() {
            let entries = std::fs::read_dir(&group).unwrap();
            paths.extend(entries.map(|entry| entry.unwrap().path()));
        }
    }
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    paths
        .iter()
        .map(|path| {
            let group = name(path.parent().unwrap());
            (group, name(path), std::fs::read(path).unwrap())
        })
        .collect()
}

#[test]
fn the_feeds_of_the_data_folder_are_read() {
    let Some(root) = test_data::folder() else {
        return;
    };
    let files = files(&root);
    assert_eq!(files.len(), 156);
    let (mut with_items, mut without) = (0, BTreeSet::new());
    for (group, name, bytes) in &files {
        match parse(bytes, "https://feeds.test/news/feed.xml", None) {
            Ok(feed) if !feed.items.is_empty() => {
                let sound = |item: &RawArticle| {
                    item.url.starts_with("http") && !(item.title.is_empty() && item.body.is_none())
                };
                let unsound = feed.items.iter().find(|item| !sound(item));
                assert_eq!(unsound, None, "{group}/{name}");
                with_items += usize::from(group != FAULTS);
            }
            Ok(_) | Err(_) if group == FAULTS => {}
            Ok(feed) => {
                println!("{group}/{name}: skipped {:?}", feed.skipped.first());
                without.insert(name.as_str());
            }
            Err(error) => {
                println!("{group}/{name}: {error}");
                without.insert(name.as_str());
            }
        }
    }
    assert_eq!(without, BTreeSet::from(WITHOUT_ITEMS));
    assert_eq!(with_items, 122);
}

/// The two ways of reading a feed find the same items, whenever the strict one finds any.
#[test]
fn the_lenient_reading_agrees_with_the_strict_one() {
    let Some(root) = test_data::folder() else {
        return;
    };
    let base = "https://feeds.test/news/feed.xml";
    let (mut feeds, mut fields, mut equal) = (0, 0, 0);
    for (_, name, bytes) in files(&root) {
        let text = charset::decode(&charset::inflate(&bytes, SIZE_LIMIT).unwrap(), None);
        let text = text.trim_start();
        let Some(strict) = strict::parse(text, base).filter(|feed| !feed.items.is_empty()) else {
            continue;
        };
        let strict = item::finish(strict, base);
        let lenient = item::finish(lenient::parse(text).unwrap_or_default(), base);
        feeds += 1;
        let same = |field: &str, one: &dyn std::fmt::Debug, other: &dyn std::fmt::Debug| {
            let (one, other) = (format!("{one:?}"), format!("{other:?}"));
            if one != other {
                let cut = |text: &str| text.chars().take(150).collect::<String>();
                println!("{name} {field}: {} / {}", cut(&one), cut(&other));
            }
            one == other
        };
        let mut count = |agrees: bool| {
            fields += 1;
            equal += usize::from(agrees);
        };
        count(same("title", &strict.title, &lenient.title));
        count(same("ttl", &strict.ttl, &lenient.ttl));
        count(same("number", &strict.items.len(), &lenient.items.len()));
        for (one, other) in strict.items.iter().zip(&lenient.items) {
            count(same("url", &one.url, &other.url));
            count(same("title", &one.title, &other.title));
            count(same("date", &one.published_at, &other.published_at));
            count(same("author", &one.author, &other.author));
            count(same("language", &one.language, &other.language));
            count(same("categories", &one.categories, &other.categories));
            count(same("has body", &one.body.is_some(), &other.body.is_some()));
        }
    }
    assert!(feeds >= 100, "only {feeds} feeds were compared");
    assert!(equal * 100 >= fields * 95, "{equal} of {fields}");
}
