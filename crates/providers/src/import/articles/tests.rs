use std::io::Cursor;

use super::*;
use proptest::prelude::*;

type Line = (u64, Result<RawArticle, LineError>);

fn read(text: impl AsRef<[u8]>) -> (Vec<Line>, MappingReport) {
    let mut reader = Reader::new(Cursor::new(text.as_ref().to_vec()));
    let lines = reader.by_ref().collect();
    (lines, reader.report().clone())
}

fn read_one(text: &str) -> RawArticle {
    let (mut lines, _) = read(text);
    assert_eq!(lines.len(), 1);
    lines.remove(0).1.unwrap()
}

#[test]
fn common_names_are_understood() {
    let article = read_one(
        r#"{"source": {"id": null, "name": "Harbour Post"}, "headline": "Ferries return", "teaser": "After a year.",
            "content": "The ferries are back… [+210 chars]", "link": "https://post.test/ferries", "authors": ["A. One", "B. Two"],
            "publishedAt": "2025-06-10T16:00:00Z", "crawled": 1749600000, "lang": "en", "section": "Transport",
            "tags": ["harbour", "Transport"], "simulated": false}"#
            .replace('\n', " ")
            .as_str(),
    );
    assert_eq!(article.url, "https://post.test/ferries");
    assert_eq!(article.title, "Ferries return");
    assert_eq!(article.description.as_deref(), Some("After a year."));
    assert_eq!(article.body.as_deref(), Some("The ferries are back…"));
    assert_eq!(article.outlet.as_deref(), Some("Harbour Post"));
    assert_eq!(article.author.as_deref(), Some("A. One, B. Two"));
    assert_eq!(
        article.published_at.unwrap().to_string(),
        "2025-06-10T16:00:00Z"
    );
    assert_eq!(article.first_seen.unwrap().ms(), 1_749_600_000_000);
    assert_eq!(article.language.as_deref(), Some("en"));
    assert_eq!(article.categories, ["Transport", "harbour"]);
}

#[test]
fn the_better_name_wins_whatever_the_order() {
    let article = read_one(
        r#"{"text": "short", "body": "long", "date": "2020-01-01", "published_at": "2025-01-01", "source_url": "https://feed.test/list/all", "url": "https://a.test/x", "title": "t", "description": null, "summary": "s"}"#,
    );
    assert_eq!(article.body.as_deref(), Some("long"));
    assert_eq!(article.published_at.unwrap().date(), "2025-01-01");
    assert_eq!(article.url, "https://a.test/x");
    assert_eq!(article.description.as_deref(), Some("s"));
}

#[test]
fn the_address_of_a_source_is_an_article_or_an_outlet() {
    let article = read_one(r#"{"title": "t", "source_url": "https://www.post.test/2025/ferries"}"#);
    assert_eq!(article.url, "https://www.post.test/2025/ferries");
    let article = read_one(
        r#"{"title": "t", "url": "www.post.test/1", "source_url": "https://www.post.test/"}"#,
    );
    assert_eq!(
        (article.url.as_str(), article.outlet.as_deref()),
        ("https://www.post.test/1", Some("post.test"))
    );
}

#[test]
fn one_bad_line_is_one_error_that_names_its_line() {
    let mut file =
        b"\xef\xbb\xbf{\"url\": \"https://a.test/1\", \"title\": \"one\"}\r\n\r\nnot json\n"
            .to_vec();
    file.extend_from_slice(b"{\"url\": \"https://a.test/2\", \"title\": \"caf\xe9\"}\n");
    file.extend_from_slice(b"{\"id\": 5, \"outlet\": \"Post\", \"title\": \"no address\"}\n[1]\n{\"url\": \"/x\", \"title\": \"t\"}\n");
    file.extend_from_slice(
        b"{\"url\": \"https://a.test/3\"}\n{\"url\": \"https://a.test/4\", \"title\": \"four\"}",
    );
    let (lines, _) = read(file);
    let messages: Vec<String> = lines
        .iter()
        .map(|(line, result)| {
            result
                .as_ref()
                .map_or_else(ToString::to_string, |a| format!("{line} {}", a.title))
        })
        .collect();
    assert_eq!(messages[0], "1 one");
    assert!(
        messages[1].starts_with("line 3: malformed json"),
        "{}",
        messages[1]
    );
    assert_eq!(messages[2], "line 4: not valid utf-8");
    assert_eq!(messages[3], "line 5: no address");
    assert_eq!(messages[4], "line 6: not a json object");
    assert_eq!(messages[5], "line 7: \"/x\" is not an address");
    assert_eq!(messages[6], "line 8: no title");
    assert_eq!(messages[7], "9 four");
    assert_eq!(messages.len(), 8);
}

#[test]
fn a_line_that_is_too_long_costs_no_memory_and_no_other_line() {
    let long = format!(
        "{{\"url\": \"https://a.test/1\", \"title\": \"{}\"}}",
        "x".repeat(LONGEST_RECORD)
    );
    let (lines, _) = read(format!(
        "{long}\n{{\"url\": \"https://a.test/2\", \"title\": \"two\"}}\n"
    ));
    assert!(matches!(
        lines[0].1,
        Err(LineError {
            line: 1,
            fault: LineFault::TooLong
        })
    ));
    assert_eq!(lines[1].1.as_ref().unwrap().title, "two");
}

#[test]
fn an_array_is_read_element_by_element() {
    let (lines, _) = read(
        "\u{feff}\n[\n  {\"url\": \"https://a.test/1\", \"title\": \"a, ] \\\" [\"},\n  {\"url\": \"https://a.test/2\",\n   \"title\": \"two\", \"tags\": [\"x\", \"y\"]}\n , 7,\n]\n",
    );
    assert_eq!(lines.len(), 3);
    assert_eq!(
        (lines[0].0, lines[0].1.as_ref().unwrap().title.as_str()),
        (3, "a, ] \" [")
    );
    assert_eq!(
        (lines[1].0, lines[1].1.as_ref().unwrap().categories.len()),
        (4, 2)
    );
    assert!(matches!(
        lines[2].1,
        Err(LineError {
            line: 6,
            fault: LineFault::NotAnObject
        })
    ));
    assert!(read("[]").0.is_empty());
    assert!(read("").0.is_empty());
}

#[test]
fn an_array_that_breaks_off_says_so_once() {
    let (lines, _) =
        read("[{\"url\": \"https://a.test/1\", \"title\": \"one\"}, {\"url\": \"https://a.te");
    assert!(lines[0].1.is_ok());
    assert!(lines[1].1.as_ref().unwrap_err().is_final());
    assert_eq!(lines.len(), 2);
}

#[test]
fn the_report_says_what_became_of_each_field() {
    let (_, report) = read(
        "{\"url\": \"https://a.test/1\", \"title\": \"one\", \"mood\": 3, \"date\": \"soon\"}\n{\"link\": \"https://a.test/2\", \"title\": \"two\", \"mood\": 4, \"date\": \"2025-01-01\"}\n",
    );
    assert_eq!(report.mapped["title"]["title"], 2);
    assert_eq!(report.mapped["url"]["url"], 1);
    assert_eq!(report.mapped["link"]["url"], 1);
    assert_eq!(report.mapped["date"]["published_at"], 1);
    assert_eq!(report.unmapped["mood"], 2);
    assert_eq!(report.unreadable["date"], 1);
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let (lines, _) = read(&bytes);
        prop_assert!(lines.len() <= bytes.len());
    }

    #[test]
    fn small_buffers_read_the_same(size in 1_usize..9, titles in prop::collection::vec("[a-z\\[\\]{}\", \\\\]{1,12}", 1..6)) {
        let records: Vec<_> = titles.iter().map(|title| serde_json::json!({"url": "https://a.test/1", "title": format!("x{title}")})).collect();
        let array = serde_json::to_vec_pretty(&records).unwrap();
        let source = std::io::BufReader::with_capacity(size, Cursor::new(array));
        let read: Vec<_> = Reader::new(source).map(|(_, article)| article.unwrap().title).collect();
        let expected: Vec<_> = titles.iter().map(|title| format!("x{title}").trim().to_owned()).collect();
        prop_assert_eq!(read, expected);
    }
}

/// Reads the article files in the data folder, if there is one, and says how their fields were read.
#[test]
fn the_articles_of_the_data_folder_are_read() {
    let Some(folder) = crate::test_data::folder() else {
        return;
    };
    let mut paths: Vec<_> = std::fs::read_dir(folder.join("news"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.starts_with("stream_") || name.starts_with("articles_")
        })
        .collect();
    paths.sort();
    assert!(paths.len() >= 4, "{paths:?}");
    for path in paths {
        let name = path.display();
        let input = crate::import::open(&path).unwrap();
        let mut reader = Reader::new(input.reader);
        let (mut articles, mut dated, mut failures) = (0, 0, Vec::new());
        for (_, result) in reader.by_ref() {
            match result {
                Ok(article) => {
                    articles += 1;
                    dated += usize::from(article.published_at.is_some());
                }
                Err(error) => failures.push(error.to_string()),
            }
        }
        println!(
            "{name}: {articles} articles, {dated} dated, {} failures {:?}",
            failures.len(),
            failures.first()
        );
        println!("{:?}", reader.report());
        assert_eq!(input.progress.bytes(), input.total_bytes.unwrap());
        assert!(failures.len() * 100 <= articles && dated * 100 >= articles * 99);
    }
}
