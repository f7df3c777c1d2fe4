//! Markdown from strangers as HTML: raw HTML is shown as text, and links lead only to web and mail addresses and are
//! not followed by search engines. Pictures become links, because a picture tells its server who is reading.
//!
//! The parser's running time grows no faster than the text, even with nested brackets and lists. The nesting of
//! elements and the length of the result have limits of their own, because a page pays for both.

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd, html};

/// The deepest nesting of elements; deeper ones are left out but their text stays.
const DEEPEST: usize = 24;
/// The largest result in bytes; the rest is cut.
const LONGEST: usize = 4 << 20;

/// A text as HTML.
pub(super) fn html_of(markdown: &str) -> String {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut out = String::with_capacity(markdown.len() * 3 / 2);
    let mut depth = 0_usize;
    let mut is_cut = false;
    let mut length = 0_usize;
    let events = Parser::new_ext(markdown, options).filter_map(|event| {
        length += size(&event);
        if length > LONGEST {
            is_cut = true;
            return None;
        }
        match event {
            Event::Start(tag) => {
                depth += 1;
                (depth <= DEEPEST).then(|| Event::Start(harmless(tag)))
            }
            Event::End(end) => {
                let shown = depth <= DEEPEST;
                depth = depth.saturating_sub(1);
                shown.then_some(Event::End(match end {
                    TagEnd::Image => TagEnd::Link,
                    other => other,
                }))
            }
            // As text: none of it is markup.
            Event::Html(raw) | Event::InlineHtml(raw) => Some(Event::Text(raw)),
            other => Some(other),
        }
    });
    html::push_html(&mut out, events);
    if is_cut {
        out.push_str("<p>The rest is too long to be shown.</p>");
    }
    // The writer does not know `rel`; nothing else that it writes begins like this, because text is escaped.
    out.replace("<a href=", "<a rel=\"nofollow noopener noreferrer\" href=")
}

/// Roughly how much an event adds to the page.
fn size(event: &Event<'_>) -> usize {
    match event {
        Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
            text.len()
        }
        Event::Start(
            Tag::Link {
                dest_url, title, ..
            }
            | Tag::Image {
                dest_url, title, ..
            },
        ) => dest_url.len() + title.len() + 40,
        _ => 20,
    }
}

/// A tag whose addresses lead only to the web or to mail; a picture becomes a link to itself.
fn harmless(tag: Tag<'_>) -> Tag<'_> {
    match tag {
        Tag::Link {
            link_type,
            dest_url,
            title,
            ..
        } => link(link_type, dest_url, title),
        Tag::Image {
            dest_url, title, ..
        } => link(LinkType::Inline, dest_url, title),
        Tag::Heading { level, .. } => Tag::Heading {
            level,
            id: None,
            classes: Vec::new(),
            attrs: Vec::new(),
        },
        Tag::HtmlBlock => Tag::Paragraph,
        other => other,
    }
}

fn link<'a>(link_type: LinkType, address: CowStr<'a>, title: CowStr<'a>) -> Tag<'a> {
    let is_mail = matches!(link_type, LinkType::Email);
    let dest_url = if is_mail || is_allowed(&address) {
        address
    } else {
        CowStr::Borrowed("#")
    };
    Tag::Link {
        link_type,
        dest_url,
        title,
        id: CowStr::Borrowed(""),
    }
}

/// Whether an address is a web or mail address.
fn is_allowed(address: &str) -> bool {
    let lower: String = address
        .trim_start()
        .chars()
        .take(8)
        .collect::<String>()
        .to_ascii_lowercase();
    let known = ["https://", "http://", "mailto:"];
    known.iter().any(|scheme| lower.starts_with(scheme)) && !address.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn nothing_of_strangers_runs_or_loads() {
        let hostile = [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "text <svg onload=alert(1)><animate/></svg>",
            "[x](javascript:alert(1))",
            "[x](  JaVaScRiPt:alert(1))",
            "[x](java&#x0A;script:alert(1))",
            "[x](data:text/html;base64,PHNjcmlwdD4=)",
            "[x](vbscript:x)",
            "![beacon](https://tracker.example/pixel.gif)",
            "![x](javascript:alert(1))",
            "<https://ok.example/\"onmouseover=alert(1)>",
            "[x](https://ok.example/ \"t\" onclick=alert(1))",
            "[x]: javascript:alert(1)\n\n[x]",
            "| a | <b>c</b> |\n| - | - |\n| <iframe src=//e> | d |",
            "# heading {#id onclick=alert(1)}",
            "```<script>\nalert(1)\n```",
            "<!-- <b> --> <style>*{display:none}</style>",
        ];
        for text in hostile {
            let html = html_of(text);
            let lower = html.to_lowercase();
            for tag in [
                "<script", "<img", "<svg", "<iframe", "<style", "<animate", "<!--",
            ] {
                assert!(!lower.contains(tag), "{text}: {html}");
            }
            assert!(
                !lower.contains("href=\"javascript")
                    && !lower.contains("href=\"data")
                    && !lower.contains("href=\"vbscript"),
                "{html}"
            );
            assert!(!has_handler(&html), "{text}: {html}");
            for link in html.split("<a ").skip(1) {
                assert!(
                    link.starts_with("rel=\"nofollow noopener noreferrer\" href=\""),
                    "{link}"
                );
            }
        }
    }

    /// Whether a tag has an attribute that runs something.
    fn has_handler(html: &str) -> bool {
        html.split('<').skip(1).any(|tag| {
            let tag = tag.split('>').next().unwrap_or_default().to_lowercase();
            let outside: String = tag.split('"').step_by(2).collect();
            outside
                .split_whitespace()
                .any(|word| word.starts_with("on"))
        })
    }

    #[test]
    fn what_is_meant_well_is_kept() {
        let html = html_of(
            "# My view\n\n**Bold** and [a link](https://ok.example/a?b=1&c=2).\n\n| a | b |\n| - | -: |\n| 1 | 2 |\n\n1. one\n2. two",
        );
        for part in [
            "<h1>My view</h1>",
            "<strong>Bold</strong>",
            "href=\"https://ok.example/a?b=1&amp;c=2\"",
            "<table>",
            "<ol>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert!(html_of("<me@mail.example>").contains("mailto:me@mail.example"));
    }

    #[test]
    fn half_a_megabyte_of_brackets_takes_bounded_time() {
        let half = 500_000;
        let texts = [
            "[".repeat(half),
            "[a](".repeat(half / 4),
            "> ".repeat(half / 2),
            (0..2_000)
                .flat_map(|depth| [" ".repeat(depth.min(240) * 2), "- x\n".to_owned()])
                .collect::<String>(),
            "* ".repeat(half / 2),
            "**a ".repeat(half / 4),
            "`".repeat(half),
            "<".repeat(half),
            "![".repeat(half / 2),
            "|a".repeat(half / 2) + "\n" + &"|-".repeat(half / 4),
            format!("[a]: /x\n{}", "[a]".repeat(half / 3)),
            "&#x0;".repeat(half / 5),
        ];
        for text in texts {
            let begun = Instant::now();
            let html = html_of(&text);
            // For a debug build on a busy machine; without a limit these take minutes.
            assert!(
                begun.elapsed().as_secs() < 20,
                "{:?} for {:?}",
                begun.elapsed(),
                &text[..20]
            );
            assert!(
                html.len() < 3 * LONGEST,
                "{} for {:?}",
                html.len(),
                &text[..20]
            );
            let deepest = html.matches("<blockquote>").count();
            assert!(deepest <= DEEPEST, "{deepest}");
        }
    }
}
