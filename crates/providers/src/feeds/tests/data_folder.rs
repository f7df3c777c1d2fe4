//! The feeds of the data folder, for those who have it: set `ASSAY_TEST_DATA`.

use std::path::Path;

use super::super::*;

/// Files of the data folder in which nobody can find an item with an address: no feed at all, a feed without items, or
/// items without link and identifier.
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

/// Reads the feeds of the data folder, where there is one, and says how many items each gave.
#[test]
fn the_feeds_of_the_data_folder_are_read() {
    let Ok(folder) = std::env::var("ASSAY_TEST_DATA") else {
        println!("skipped: ASSAY_TEST_DATA is not set");
        return;
    };
    let expected_empty = |folder: &str, file: &str| {
        folder == "feedparser_illformed" || WITHOUT_ITEMS.contains(&file)
    };
    let root = Path::new(&folder).join("wire/feeds");
    let (mut sound, mut read) = (0, 0);
    let mut folders: Vec<_> = std::fs::read_dir(&root)
        .unwrap()
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .collect();
    folders.sort_by_key(std::fs::DirEntry::path);
    for group in folders {
        let mut files: Vec<_> = std::fs::read_dir(group.path()).unwrap().flatten().collect();
        files.sort_by_key(std::fs::DirEntry::path);
        let group = group.file_name().to_string_lossy().into_owned();
        for file in files {
            let bytes = std::fs::read(file.path()).unwrap();
            let name = file.file_name().to_string_lossy().into_owned();
            let result = parse(&bytes, "https://feeds.test/news/feed.xml", None);
            let counted = !expected_empty(&group, &name);
            sound += usize::from(counted);
            read +=
                usize::from(counted && result.as_ref().is_ok_and(|feed| !feed.items.is_empty()));
            match result {
                Ok(feed) => {
                    let dated = feed
                        .items
                        .iter()
                        .filter(|item| item.published_at.is_some())
                        .count();
                    let bodies = feed.items.iter().filter(|item| item.body.is_some()).count();
                    println!(
                        "{group}/{name}: {} items, {dated} dated, {bodies} with body, {} skipped {:?}, first {:?}",
                        feed.items.len(),
                        feed.skipped.len(),
                        feed.skipped.first(),
                        feed.items.first().map(|item| (&item.title, &item.url))
                    );
                }
                Err(error) => println!("{group}/{name}: {error}"),
            }
        }
    }
    println!("{read} of {sound} feeds gave items");
    assert!(read * 100 >= sound * 95, "{read} of {sound}");
}

/// The two readings of one feed find the same items, wherever the strict one finds any.
#[test]
fn the_lenient_reading_agrees_with_the_strict_one() {
    let Ok(folder) = std::env::var("ASSAY_TEST_DATA") else {
        println!("skipped: ASSAY_TEST_DATA is not set");
        return;
    };
    let base = "https://feeds.test/news/feed.xml";
    let (mut feeds, mut fields, mut equal) = (0, 0, 0);
    for group in std::fs::read_dir(Path::new(&folder).join("wire/feeds"))
        .unwrap()
        .flatten()
    {
        for file in std::fs::read_dir(group.path())
            .into_iter()
            .flatten()
            .flatten()
        {
            let bytes = std::fs::read(file.path()).unwrap();
            let text = charset::decode(&charset::inflate(&bytes, SIZE_LIMIT).unwrap(), None);
            let text = text.trim_start();
            let Some(strict) = strict::parse(text, base).filter(|feed| !feed.items.is_empty())
            else {
                continue;
            };
            let strict = item::finish(strict, base);
            let lenient = item::finish(lenient::parse(text).unwrap_or_default(), base);
            let name = file.file_name().to_string_lossy().into_owned();
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
    }
    println!("{feeds} feeds: {equal} of {fields} values are equal");
    assert!(equal * 100 >= fields * 95, "{equal} of {fields}");
}
