use proptest::prelude::*;

use super::*;

const SENTENCE: &str = "The council voted on Tuesday to widen the old bridge after years of complaints from drivers and cyclists alike.";

fn page(head: &str, body: &str) -> String {
    format!("<!DOCTYPE html><html lang=\"en-GB\"><head>{head}</head><body>{body}</body></html>")
}

fn article() -> String {
    let paragraphs = [1, 2, 3, 4, 5]
        .map(|number| format!("<p>Part {number}. {SENTENCE}</p>"))
        .concat();
    format!(
        "<nav><a href=/>Home</a></nav><article><h1>Bridge to be widened</h1>{paragraphs}<p>Advertisement</p></article>"
    )
}

#[test]
fn an_article_is_read_whole() {
    let head = r#"<title>Bridge to be widened - Example News</title>
        <meta property="og:site_name" content="Example News"><meta property="og:title" content="Bridge to be widened - Example News">
        <link rel="canonical" href="/news/bridge?utm_source=x"><meta name="description" content="Drivers &amp; cyclists had complained.">
        <script type="application/ld+json">{"@graph": [{"@type": "NewsArticle", "headline": "Bridge to be widened",
        "datePublished": "2026-03-01T08:00:00+01:00", "author": [{"@type": "Person", "name": "Jane Doe"}]}]}</script>"#;
    let found = extract(
        &page(head, &article()),
        Some("https://www.example.com/news/bridge"),
    )
    .unwrap();
    assert_eq!(found.title, "Bridge to be widened");
    assert_eq!(found.author.as_deref(), Some("Jane Doe"));
    assert_eq!(
        found.published_at.unwrap().to_string(),
        "2026-03-01T07:00:00Z"
    );
    assert_eq!(
        found.canonical_url.as_deref(),
        Some("https://www.example.com/news/bridge")
    );
    assert_eq!(found.site_name.as_deref(), Some("Example News"));
    assert_eq!(
        found.description.as_deref(),
        Some("Drivers & cyclists had complained.")
    );
    assert_eq!(found.language.as_deref(), Some("en-GB"));
    assert_eq!(found.text.split("\n\n").count(), 5, "{}", found.text);
    assert!(found.text.starts_with("Part 1. The council") && !found.text.contains("Advertisement"));
}

#[test]
fn dates_are_found_without_structured_data() {
    let check = |head: &str, extra: &str, url: &str, expected: &str| {
        let found = extract(
            &page(
                &format!("<title>Bridge to be widened</title>{head}"),
                &format!("{extra}{}", article()),
            ),
            Some(url),
        );
        assert_eq!(
            found
                .unwrap()
                .published_at
                .map(model::Timestamp::date)
                .as_deref(),
            Some(expected),
            "{head}{extra}{url}"
        );
    };
    let url = "https://example.com/bridge";
    check(
        "<meta itemprop=datePublished content='2026-03-02T10:00Z'>",
        "",
        url,
        "2026-03-02",
    );
    check(
        "<meta name=\"sailthru.date\" content=\"2026-03-03 10:00:00\">",
        "",
        url,
        "2026-03-03",
    );
    check(
        "",
        "<time datetime='2026-03-04T10:00:00Z'>Wednesday</time>",
        url,
        "2026-03-04",
    );
    check(
        "",
        "<span class='post-date'>March 5, 2026</span>",
        url,
        "2026-03-05",
    );
    check(
        "",
        "",
        "https://example.com/2026/03/06/bridge",
        "2026-03-06",
    );
    check(
        "",
        "",
        "https://example.com/2026/mar/06/bridge",
        "2026-03-06",
    );
    check(
        "",
        "<p><b>07/03/2026</b> - Published by the town hall</p>",
        url,
        "2026-03-07",
    );
}

#[test]
fn what_is_no_article_is_refused() {
    let wall = "<p>We value your privacy. We and our partners use cookies to store and access information on a device, such as unique identifiers, for the purposes described below and in our policy.</p>";
    for (head, body) in [
        ("<title>Just a moment...</title>", article()),
        ("<title>404 Not Found</title>", article()),
        (
            "<title>Example News</title>",
            format!("<div>{wall}{wall}</div>"),
        ),
        (
            "<title>Video of the day</title>",
            "<div><p>Watch the video now.</p></div>".to_owned(),
        ),
        (
            "<title>Front page</title>",
            "<ul><li><a href=/1>One story</a></li><li><a href=/2>Another story</a></li></ul>"
                .to_owned(),
        ),
        ("", String::new()),
    ] {
        assert_eq!(
            extract(&page(head, &body), Some("https://example.com/x")),
            None,
            "{head}"
        );
    }
    assert_eq!(extract("", None), None);
    assert_eq!(extract(&"<div>".repeat(100_000), None), None);
}

#[test]
fn trees_that_no_article_has_are_refused_before_anything_recurses() {
    let flood = |bytes: usize| {
        let many: Vec<String> = (0..bytes / 9)
            .map(|number| format!("<b id={number}>"))
            .collect();
        format!("{}<p>x", many.concat())
    };
    for html in [
        "<div></x>".repeat(20_000),
        "<div></x>".repeat(49_000),
        flood(6_000),
        flood(16_000),
    ] {
        assert_eq!(extract(&html, Some("https://example.com/x")), None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_page_may_be_read(html in "(\\PC|<p>|</p>|<div>|<h1>|<title>|</title>|<meta name=|<script type=\"application/ld\\+json\">|</script>|\\{\"@type\":|The council voted on it\\. ){0,80}") {
        if let Some(found) = extract(&html, Some("https://example.com/x")) {
            prop_assert!(!found.title.is_empty() && !found.text.is_empty());
        }
    }
}
