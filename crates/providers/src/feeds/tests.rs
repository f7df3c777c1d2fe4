mod data_folder;

use std::io::Write;

use super::*;
use crate::error::Outage;
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;

const BASE: &str = "https://post.test/news/feed.xml";

fn read(text: &str) -> FetchedFeed {
    parse(text.as_bytes(), BASE, None).unwrap()
}

/// A feed around a few items.
fn rss(items: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel><title>Post</title><link>https://post.test/</link>\
         <description>All of it</description><language>en-gb</language><ttl>15</ttl>{items}</channel></rss>"
    )
}

const FERRY: &str = "<item><title>Ferries return</title><link>/ferries?a=1&amp;b=2</link><guid isPermaLink=\"false\">p1</guid>\
    <description>After &lt;b&gt;a year&lt;/b&gt;.</description><dc:creator>A. One</dc:creator>\
    <pubDate>10 June 2025 4:00 PM</pubDate><category>Transport</category></item>";

#[test]
fn a_declaration_within_a_feed_is_skipped() {
    // The library panics on it, so the strict parser must not see it.
    let late = format!("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>{FERRY}");
    let feed = rss(&late);
    assert!(strict::parse(&feed, BASE).is_none());
    assert_eq!(read(&feed).items.len(), 1);
    // Inside an item's text it is text, and not a style sheet.
    let style = rss(FERRY).replacen("?>", "?><?xml-stylesheet href=\"/encoding.xsl\"?>", 1);
    assert!(strict::parse(&style, BASE).is_some());
}

#[test]
fn rss_is_read_whole() {
    let feed = read(&rss(FERRY));
    assert_eq!(feed.title, "Post");
    assert_eq!(feed.ttl, Some(Duration::from_mins(15)));
    assert!(feed.skipped.is_empty());
    let [article] = feed.items.as_slice() else {
        panic!("{feed:?}")
    };
    assert_eq!(article.url, "https://post.test/ferries?a=1&b=2");
    assert_eq!(article.title, "Ferries return");
    assert_eq!(article.description.as_deref(), Some("After <b>a year</b>."));
    assert_eq!(article.body, None);
    assert_eq!(article.author.as_deref(), Some("A. One"));
    assert_eq!(article.language.as_deref(), Some("en-gb"));
    assert_eq!(
        article.published_at.unwrap().to_string(),
        "2025-06-10T16:00:00Z"
    );
    assert_eq!(article.categories, ["Transport"]);
}

#[test]
fn a_malformed_feed_reads_like_the_mended_one() {
    let whole = read(&rss(FERRY));
    let broken = [
        rss(FERRY).replace("&amp;b", "&b"),
        rss(FERRY).replace("</pubDate>", ""),
        rss(FERRY).replace("</channel></rss>", ""),
        rss(FERRY).replace("</item></channel></rss>", ""),
        rss(FERRY).replace(
            "<?xml version=\"1.0\"?>",
            "\n  <!-- made by hand --><?xml version=\"1.0\" encoding=\"utf-16\"?>",
        ),
        rss(FERRY).replace("Ferries return", "\u{1}Ferries\u{c} return"),
        rss(FERRY).replace("version=\"2.0\"", ""),
        rss(FERRY).replace("version=\"2.0\"", "version=2.0"),
        rss(FERRY)
            .replace("dc:creator", "DC:Creator")
            .replace("&amp;b", "&b"),
        rss(FERRY).replace("<item>", "</image><item>"),
        rss(FERRY)
            .replace("</item>", "</b></item>")
            .replace("isPermaLink=\"false\"", "isPermaLink=false"),
        rss(FERRY)
            .replace("&lt;b&gt;a year&lt;/b&gt;.", "<![CDATA[<b>a year</b>.]]>")
            .replace("&amp;b", "&b"),
    ];
    for text in broken {
        let feed = read(&text);
        assert_eq!(feed.items, whole.items, "{text}");
    }
}

#[test]
fn undeclared_references_are_kept_as_characters() {
    for end in ["", "<br>"] {
        let feed = read(&rss(&format!(
            "<item><title>Caf&eacute; &amp; th&eacute;&hellip;</title><link>https://post.test/1</link>\
             <description>R &amp; D&nbsp;up{end}</description></item>"
        )));
        // The strict parser leaves them for the markup reader; the lenient one decodes them.
        assert_eq!(
            text::references::decode(&feed.items[0].title),
            "Café & thé…",
            "{end}"
        );
        assert!(
            feed.items[0]
                .description
                .as_deref()
                .unwrap()
                .starts_with("R &"),
            "{feed:?}"
        );
    }
}

#[test]
fn unescaped_markup_in_a_text_is_kept() {
    let feed = read(&rss(
        "<item><title>One <i>and</i> only</title><link>https://post.test/1</link><description><p>First & <b>second</b></p> third</description></item>\
         <item><title>Two</title><link>https://post.test/2</link></item>",
    ));
    assert_eq!(feed.items.len(), 2);
    assert!(
        feed.items[0].title.contains("only"),
        "{:?}",
        feed.items[0].title
    );
    let description = feed.items[0].description.as_deref().unwrap();
    assert!(
        description.contains("second") && description.contains("third"),
        "{description}"
    );
}

#[test]
fn a_second_long_text_is_the_body() {
    let body = "The ferry crossed the harbour again. ".repeat(40);
    let both = rss(&format!(
        "<item><title>t</title><link>https://post.test/1</link><description>Short.</description>\
         <content:encoded><![CDATA[<p>{body}</p>]]></content:encoded></item>"
    ));
    let item = read(&both).items.remove(0);
    assert_eq!(item.description.as_deref(), Some("Short."));
    assert!(item.body.unwrap().contains("harbour"));

    let long = rss(&format!(
        "<item><title>t</title><link>https://post.test/1</link><description>{body}</description></item>"
    ));
    let item = read(&long).items.remove(0);
    assert!(item.description.is_none() && item.body.is_some());

    let same = rss(
        "<item><title>t</title><link>https://post.test/1</link><description>Short.</description>\
         <content:encoded>&lt;p&gt;Short.&lt;/p&gt;</content:encoded></item>",
    );
    let item = read(&same).items.remove(0);
    assert_eq!(
        (item.description.as_deref(), item.body),
        (Some("Short."), None)
    );
}

#[test]
fn atom_links_and_bases_are_resolved() {
    let feed = read(
        "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='https://post.test/world/' xml:lang='fr'><title>World</title>\
         <entry xml:base='today/'><id>urn:1</id><title type='html'>Un &lt;b>titre&lt;/b></title>\
         <link rel='self' href='https://post.test/self.atom'/><link rel='edit' href='edit/1'/>\
         <link rel='alternate' type='application/pdf' href='1.pdf'/><link type='text/html' href='1.html'/>\
         <author><name>B. Two</name><uri>https://two.test</uri></author><updated>2025-06-10T16:00:00+02:00</updated>\
         <summary>Court.</summary></entry>\
         <entry><id>https://post.test/by-id</id><title>By id</title></entry>\
         <entry><id>tag:post.test,2025:2</id><title>Nowhere</title><link href='tag:post.test,2025:2'/></entry></feed>",
    );
    assert_eq!(feed.items.len(), 2, "{feed:?}");
    assert_eq!(feed.items[0].url, "https://post.test/world/today/1.html");
    assert_eq!(feed.items[0].title, "Un <b>titre</b>");
    assert_eq!(feed.items[0].author.as_deref(), Some("B. Two"));
    assert_eq!(feed.items[0].language.as_deref(), Some("fr"));
    assert_eq!(
        feed.items[0].published_at.unwrap().to_string(),
        "2025-06-10T14:00:00Z"
    );
    assert_eq!(feed.items[1].url, "https://post.test/by-id");
    assert_eq!(feed.skipped, ["item 3 (\"Nowhere\"): no address"]);
}

#[test]
fn a_malformed_atom_feed_is_read_by_its_names() {
    let feed = read(
        "<feed xmlns='http://www.w3.org/2005/Atom' xml:lang='fr'><title>World</title><entry><id>urn:1</id>\
         <title>R&D up</title><link rel='self' href='/self.atom'><link href='/1.html'><author><name>B. Two</name></author>\
         <category term='t1' label='Science'/><published>2025-06-10T16:00:00Z</published><content type='xhtml'><div>Much <p>to say\
         </content></entry><entry><title>Second</title><link href='/2.html'/>",
    );
    assert_eq!(feed.items.len(), 2, "{feed:?}");
    let first = &feed.items[0];
    assert_eq!(
        (first.url.as_str(), first.title.as_str()),
        ("https://post.test/1.html", "R&D up")
    );
    assert_eq!(
        (first.author.as_deref(), first.language.as_deref()),
        (Some("B. Two"), Some("fr"))
    );
    assert_eq!(first.categories, ["Science"]);
    assert!(first.description.as_deref().unwrap().contains("to say"));
}

#[test]
fn older_rss_is_read() {
    let feed = read(
        "<?xml version='1.0'?><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/' \
         xmlns:dc='http://purl.org/dc/elements/1.1/'><channel rdf:about='https://post.test/'><title>Post</title>\
         <link>https://post.test/</link><description>x</description><items><rdf:Seq><rdf:li resource='https://post.test/1'/></rdf:Seq></items>\
         </channel><item rdf:about='https://post.test/1'><title>One</title><link>https://post.test/1</link>\
         <dc:date>2025-06-10T16:00:00Z</dc:date></item></rdf:RDF>",
    );
    assert_eq!(
        (feed.items.len(), feed.items[0].url.as_str()),
        (1, "https://post.test/1")
    );
    assert!(feed.items[0].published_at.is_some());
    let feed = read(
        "<rss version='0.90'><channel><title>Old</title><item><title>One</title><link>https://post.test/1</link></item></channel></rss>",
    );
    assert_eq!(feed.items.len(), 1);
}

#[test]
fn json_feeds_of_both_versions_are_read() {
    let feed = read(
        r#"{"version": "https://jsonfeed.org/version/1.1", "title": "Post", "language": "en", "items": [
            {"id": 7, "url": "/7", "content_html": "<p>Ferries return to the harbour</p>", "date_published": "2025-06-10T16:00:00Z",
             "authors": [{"name": "A. One"}], "tags": ["harbour"]},
            {"id": "https://post.test/8", "title": "Eight", "summary": "Short.", "author": {"name": "B. Two"}},
            {"id": "9", "title": "Nine"}, "ten", {"id": "11", "url": 5}]}"#,
    );
    assert_eq!(feed.items.len(), 2);
    assert_eq!(feed.items[0].url, "https://post.test/7");
    assert_eq!(feed.items[0].title, "Ferries return to the harbour");
    assert_eq!(feed.items[0].author.as_deref(), Some("A. One"));
    assert_eq!(feed.items[1].url, "https://post.test/8");
    assert_eq!(feed.skipped.len(), 3);
}

#[test]
fn repetitions_are_kept_once() {
    let item = |id: &str, link: &str, title: &str| {
        format!(
            "<item><guid isPermaLink='false'>{id}</guid><link>{link}</link><title>{title}</title></item>"
        )
    };
    let feed = read(&rss(&[
        item("1", "/a", "A"),
        item("1", "/a?x", "A"),
        item("2", "/a", "B"),
        item("1", "/c", "C"),
    ]
    .concat()));
    let links: Vec<_> = feed.items.iter().map(|item| item.url.as_str()).collect();
    assert_eq!(links, ["https://post.test/a", "https://post.test/c"]);
    assert_eq!(feed.skipped.len(), 2);
}

#[test]
fn an_identifier_that_leads_further_than_a_front_page_is_the_address() {
    let item = |n: u8| {
        format!(
            "<item><title>Show {n}</title><link>https://post.test/</link><guid>https://post.test/show/{n}</guid></item>"
        )
    };
    let feed = read(&rss(&[item(1), item(2)].concat()));
    let links: Vec<_> = feed.items.iter().map(|item| item.url.as_str()).collect();
    assert_eq!(
        links,
        ["https://post.test/show/1", "https://post.test/show/2"]
    );
}

#[test]
fn bylines_are_names() {
    let item = |author: &str| {
        let feed = read(&rss(&format!(
            "<item><title>t</title><link>/1</link><author>{author}</author></item>"
        )));
        feed.items[0].author.clone()
    };
    for (author, expected) in [
        ("desk@post.test (A. One)", Some("A. One")),
        ("A. One (mailto:desk@post.test)", Some("A. One")),
        ("A. One (Harbour)", Some("A. One (Harbour)")),
        ("A. One", Some("A. One")),
        ("desk@post.test", Some("desk@post.test")),
        (" ", None),
    ] {
        assert_eq!(item(author).as_deref(), expected, "{author}");
    }
}

#[test]
fn a_page_is_an_outage_and_other_things_are_no_feed() {
    for (body, challenge) in [
        (
            "<!DOCTYPE html><html><title>Maintenance</title><item><title>x</title></item>",
            false,
        ),
        ("<html><head><title>Just a moment...</title>", true),
    ] {
        let expected = if challenge {
            Outage::Challenge
        } else {
            Outage::Page
        };
        assert!(
            matches!(parse(body.as_bytes(), BASE, None), Err(ParseError::Outage(outage)) if outage == expected)
        );
    }
    assert!(matches!(parse(b"", BASE, None), Err(ParseError::Empty)));
    assert!(matches!(parse(b" \n", BASE, None), Err(ParseError::Empty)));
    for body in [
        "plain words",
        "<svg><title>x</title></svg>",
        "{\"items\": 5}",
        "{\"error\": \"no\"}",
        "{",
        "[]",
    ] {
        let result = parse(body.as_bytes(), BASE, None);
        assert!(
            matches!(result, Err(ParseError::NotAFeed | ParseError::Json(_))),
            "{body}: {result:?}"
        );
    }
    assert!(
        read("<rss version='2.0'><channel><title>Empty</title></channel></rss>")
            .items
            .is_empty()
    );
}

#[test]
fn packed_and_foreign_bytes_are_read() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(rss(FERRY).as_bytes()).unwrap();
    assert_eq!(
        parse(&encoder.finish().unwrap(), BASE, None)
            .unwrap()
            .items
            .len(),
        1
    );

    let latin = rss(FERRY)
        .replace("Ferries", "F\u{e9}rries")
        .replace("version=\"1.0\"", "version=\"1.0\" encoding=\"iso-8859-1\"");
    let (latin, _, _) = encoding_rs::WINDOWS_1252.encode(&latin);
    assert_eq!(
        parse(&latin, BASE, None).unwrap().items[0].title,
        "Férries return"
    );
    let unlabelled = [
        b"<rss><channel><item><title>caf\xe9 \xe2\x82\xac</title><link>http://a.test/1</link>"
            .as_slice(),
    ]
    .concat();
    assert_eq!(
        parse(&unlabelled, BASE, None).unwrap().items[0].title,
        "café €"
    );

    let wide: Vec<u8> = rss(FERRY)
        .encode_utf16()
        .flat_map(u16::to_be_bytes)
        .collect();
    assert_eq!(parse(&wide, BASE, None).unwrap().items.len(), 1);
}

/// Processor time of this thread so far, which does not depend on what else the machine is doing; 0 if it is not
/// reported.
fn processor_seconds() -> f64 {
    let Ok(stat) = std::fs::read_to_string("/proc/thread-self/stat") else {
        return 0.0;
    };
    // User and system time in hundredths, the twelfth and thirteenth field after the name in brackets.
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let fields = fields.split_whitespace().skip(11).take(2);
    fields
        .map(|hundredths| hundredths.parse::<f64>().unwrap() / 100.0)
        .sum()
}

#[test]
fn monstrous_input_is_read_in_linear_time() {
    let deep = "<a>".repeat(300_000);
    for text in [
        rss(&format!("<item><description>{deep}")),
        rss(&"<![CDATA[".repeat(100_000)),
        rss(&"<!--".repeat(100_000)),
        rss(&"<a x=\"".repeat(100_000)),
        rss(&"<item>".repeat(100_000)),
        "&".repeat(500_000),
        "<".repeat(500_000),
        rss(&"<title><link>".repeat(50_000)),
    ] {
        let before = processor_seconds();
        let _ = parse(text.as_bytes(), BASE, None);
        let took = processor_seconds() - before;
        assert!(took < 10.0, "{took} s: {}…", &text[..300.min(text.len())]);
    }
    assert_eq!(
        read(&rss(
            &"<item><title>t</title><link>/x</link></item>".repeat(2000)
        ))
        .items
        .len(),
        1
    );
    let many: Vec<_> = (0..MAX_ITEMS + 50)
        .map(|n| format!("<item><title>t{n}</title><link>/{n}</link></item>"))
        .collect();
    let many = many.concat();
    assert_eq!(read(&rss(&many)).items.len(), MAX_ITEMS);
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = parse(&bytes, BASE, None);
    }

    #[test]
    fn a_feed_cut_anywhere_is_survived_and_keeps_whole_items(cut in 0_usize..1200, flip in 0_usize..1200) {
        let mut bytes = rss(&FERRY.repeat(2)).into_bytes();
        let length = bytes.len();
        bytes[flip.min(length - 1)] ^= 0x20;
        bytes.truncate(cut);
        let _ = parse(&bytes, BASE, None);
    }
}
