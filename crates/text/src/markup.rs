//! Plain text from fragments of markup, as feeds carry them.
//!
//! A scanner, not a parser. Fragments are short, many and often broken, so nothing here builds a tree, and every rule
//! has an answer for markup that never ends.

use crate::references;

/// Feeds escape text that was already escaped. Deeper nesting than this is no longer text.
const PASSES: usize = 4;

/// Elements that end a paragraph.
const BLOCKS: [&str; 37] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "center",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "li",
    "main",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "title",
    "tr",
    "ul",
];

/// Elements whose content is not part of the article text.
const SILENT: [&str; 15] = [
    "audio",
    "button",
    "canvas",
    "figcaption",
    "iframe",
    "map",
    "math",
    "nav",
    "object",
    "script",
    "select",
    "style",
    "svg",
    "template",
    "video",
];

/// Text without tags, scripts and entities; block elements become paragraph breaks (`\n\n`).
///
/// In a fragment without a single tag, line breaks stay as they are, since they are the only paragraph marks.
pub fn strip(fragment: &str) -> String {
    let mut text = strip_once(fragment);
    for _ in 1..PASSES {
        if !has_debris(&text) {
            return text;
        }
        let again = strip_once(&text);
        if again == text {
            break;
        }
        text = again;
    }
    if has_debris(&text) {
        disarm(&text)
    } else {
        text
    }
}

/// The text of a whole page as [`strip`] returns it, with its headings (`h1` to `h6`) written as Markdown headings. On
/// a page written by its author, escaped content is text, even if it looks like markup, so it stays.
pub fn strip_to_headings(page: &str) -> String {
    let output = Output {
        marks_headings: true,
        ..Output::new(page.len())
    };
    strip_into(output, page)
}

/// Removes one level of markup and of escaping.
fn strip_once(fragment: &str) -> String {
    strip_into(Output::new(fragment.len()), fragment)
}

fn strip_into(mut output: Output, fragment: &str) -> String {
    let has_tags = find_tag(fragment).is_some();
    let mut ends = Ends::of(fragment);
    let mut rest = fragment;
    while let Some(at) = rest.find(['<', '&', ']']) {
        output.text(&rest[..at], has_tags);
        rest = &rest[at..];
        let consumed = match rest.as_bytes()[0] {
            b'&' => reference(rest).map(|(decoded, length)| {
                for character in decoded.chars() {
                    output.decoded(character, has_tags);
                }
                length
            }),
            b']' => rest.starts_with("]]>").then_some(3),
            _ => consume_tag(rest, &mut output, &mut ends),
        };
        let consumed = consumed.unwrap_or_else(|| {
            output.text(&rest[..1], has_tags);
            1
        });
        rest = &rest[consumed..];
    }
    output.text(rest, has_tags);
    output.finish()
}

/// What the reference at the start of `text` stands for, and how many bytes it takes. A reference that was escaped
/// several times (`&amp;amp;lt;`) is one reference.
fn reference(text: &str) -> Option<(String, usize)> {
    let mut body = text.strip_prefix('&')?;
    while let Some(inner) = body
        .strip_prefix("amp;")
        .or_else(|| body.strip_prefix("#38;"))
    {
        body = inner;
    }
    let start = text.len() - body.len();
    match references::behind(body) {
        Some((meaning, length)) => Some((meaning, start + length)),
        None => (start > 1).then(|| ("&".to_owned(), start)),
    }
}

/// What is known about the ends of markup. Without it, a fragment made only of opening markup would be searched to its
/// end at each opening.
struct Ends<'text> {
    /// Bytes from the last `>` to the end of the fragment.
    tag: Option<usize>,
    /// Bytes from the last `-->` to the end of the fragment.
    comment: Option<usize>,
    /// Names of silent elements that were found unclosed.
    unclosed: Vec<&'text str>,
}

impl Ends<'_> {
    fn of(fragment: &str) -> Self {
        let last = |mark: &str| fragment.rfind(mark).map(|at| fragment.len() - at);
        Self {
            tag: last(">"),
            comment: last("-->"),
            unclosed: Vec::new(),
        }
    }

    fn tag_ends_in(&self, rest: &str) -> bool {
        self.tag.is_some_and(|length| length <= rest.len())
    }

    fn comment_ends_in(&self, rest: &str) -> bool {
        self.comment.is_some_and(|length| length <= rest.len())
    }
}

/// Consumes the markup at the start of `rest`. `None` if the `<` there is a plain character.
fn consume_tag<'text>(
    rest: &'text str,
    output: &mut Output,
    ends: &mut Ends<'text>,
) -> Option<usize> {
    if rest.starts_with("<![CDATA[") {
        return Some("<![CDATA[".len());
    }
    if rest.starts_with("<!--") {
        let end = if ends.comment_ends_in(rest) {
            rest.find("-->").map(|end| end + 3)
        } else {
            rest.find('>').map(|end| end + 1)
        };
        return Some(end.unwrap_or(rest.len()));
    }
    if !starts_tag(rest) {
        return None;
    }
    let closing = rest.as_bytes().get(1) == Some(&b'/');
    let name_start = if closing { 2 } else { 1 };
    let name_length = rest[name_start..]
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':'))
        .count();
    let written = &rest[name_start..name_start + name_length];
    let end = if ends.tag_ends_in(rest) {
        tag_end(rest)
    } else {
        None
    };
    let name = written.to_ascii_lowercase();
    if end.is_none() && !closing && !is_known(&name) {
        // `<b` in a formula, not a tag. Without a closing character only the sign itself is dropped.
        return Some(1);
    }
    let end = end.unwrap_or_else(|| rest[1..].find('<').map_or(rest.len(), |next| next + 1));
    if BLOCKS.binary_search(&name.as_str()).is_ok() {
        output.paragraph();
        if let Some(level) = heading_level(&name) {
            output.heading(if closing { 0 } else { level });
        }
    } else if name == "br" {
        output.line();
    } else if matches!(name.as_str(), "td" | "th" | "option") {
        output.space();
    } else if !closing
        && SILENT.binary_search(&name.as_str()).is_ok()
        && !rest[..end].ends_with("/>")
    {
        if let Some(skipped) = silent_length(rest, end, &name, &ends.unclosed) {
            output.space();
            return Some(skipped);
        }
        ends.unclosed.push(written);
        if matches!(name.as_str(), "script" | "style") {
            return Some(rest.len());
        }
    }
    Some(end)
}

/// 1 to 6 for `h1` to `h6`.
fn heading_level(name: &str) -> Option<usize> {
    let level = name.strip_prefix('h')?.parse().ok()?;
    (1..=6).contains(&level).then_some(level)
}

/// Length of a silent element up to the end of its closing tag. Names once found unclosed are not searched for again,
/// which would be quadratic.
fn silent_length(rest: &str, from: usize, name: &str, unclosed: &[&str]) -> Option<usize> {
    if unclosed
        .iter()
        .any(|earlier| earlier.eq_ignore_ascii_case(name))
    {
        return None;
    }
    let bytes = rest.as_bytes();
    let mut search = from;
    while let Some(found) = rest[search..].find("</") {
        let start = search + found + 2;
        let end = start + name.len();
        if bytes
            .get(start..end)
            .is_some_and(|written| written.eq_ignore_ascii_case(name.as_bytes()))
        {
            return Some(
                rest[end..]
                    .find('>')
                    .map_or(rest.len(), |close| end + close + 1),
            );
        }
        search = start;
    }
    None
}

/// The position after the `>` that ends the tag at the start of `rest`. One inside a quoted value does not count.
fn tag_end(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let first = bytes.iter().position(|byte| *byte == b'>')?;
    if !bytes[..first].contains(&b'=') {
        return Some(first + 1);
    }
    let mut quote = None;
    let mut previous = b' ';
    // A value whose quote is never closed must not swallow the text after it.
    for (at, &byte) in bytes.iter().enumerate().take(first + 2000) {
        match quote {
            None if byte == b'>' => return Some(at + 1),
            None if matches!(byte, b'"' | b'\'') && previous == b'=' => quote = Some(byte),
            Some(open) if byte == open => quote = None,
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            previous = byte;
        }
    }
    Some(first + 1)
}

fn find_tag(text: &str) -> Option<usize> {
    text.match_indices('<')
        .map(|(at, _)| at)
        .find(|at| starts_tag(&text[*at..]))
}

fn starts_tag(text: &str) -> bool {
    match text.as_bytes().get(1) {
        Some(b'!' | b'?') => true,
        // A fragment may be cut off inside its last tag.
        Some(b'/') => text
            .as_bytes()
            .get(2)
            .is_none_or(|byte| byte.is_ascii_alphabetic() || *byte == b'>'),
        Some(byte) => byte.is_ascii_alphabetic(),
        None => false,
    }
}

fn is_known(name: &str) -> bool {
    BLOCKS.binary_search(&name).is_ok()
        || SILENT.binary_search(&name).is_ok()
        || matches!(
            name,
            "a" | "abbr"
                | "b"
                | "br"
                | "cite"
                | "code"
                | "em"
                | "font"
                | "i"
                | "img"
                | "input"
                | "label"
                | "link"
                | "meta"
                | "source"
                | "span"
                | "strong"
                | "sub"
                | "sup"
                | "td"
                | "th"
                | "time"
                | "u"
                | "s"
        )
}

fn has_debris(text: &str) -> bool {
    find_tag(text).is_some()
        || text.contains("]]>")
        || text
            .match_indices('&')
            .any(|(at, _)| reference(&text[at..]).is_some())
}

/// The last resort for text that would keep unfolding for ever: removes the characters that make it markup.
fn disarm(text: &str) -> String {
    let harmless = text
        .chars()
        .map(|character| {
            if matches!(character, '<' | '&') {
                ' '
            } else {
                character
            }
        })
        .collect::<String>()
        .replace("]]>", " ");
    // What remains has runs of blanks. Reading it once more collapses them.
    strip_once(&harmless)
}

/// Text being built, with white space collapsed and breaks kept separate.
struct Output {
    text: String,
    pending: Gap,
    /// Whether headings are written as Markdown headings.
    marks_headings: bool,
    heading: Heading,
}

/// Where a text is in relation to a heading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heading {
    Outside,
    /// Its text, which makes it a heading of this level, is still to come.
    Before(usize),
    /// Its text ends with the next block.
    Within,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    None,
    Space,
    Line,
    Paragraph,
}

impl Output {
    fn new(capacity: usize) -> Self {
        Self {
            text: String::with_capacity(capacity),
            pending: Gap::None,
            marks_headings: false,
            heading: Heading::Outside,
        }
    }

    /// What follows is a heading of this level, or none for 0.
    fn heading(&mut self, level: usize) {
        if self.marks_headings && level > 0 {
            self.heading = Heading::Before(level);
        } else {
            self.heading = Heading::Outside;
        }
    }

    fn space(&mut self) {
        self.pending = self.pending.max(Gap::Space);
    }

    /// A second line break starts a paragraph.
    fn line(&mut self) {
        if self.heading == Heading::Within {
            return self.space();
        }
        self.pending = if self.pending >= Gap::Line {
            Gap::Paragraph
        } else {
            Gap::Line
        };
    }

    fn paragraph(&mut self) {
        self.pending = Gap::Paragraph;
        if self.heading == Heading::Within {
            self.heading = Heading::Outside;
        }
    }

    fn text(&mut self, text: &str, has_tags: bool) {
        for character in text.chars() {
            self.decoded(character, has_tags);
        }
    }

    fn decoded(&mut self, character: char, has_tags: bool) {
        match character {
            '\n' if !has_tags => self.line(),
            '\u{2029}' => self.paragraph(),
            '\u{ad}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'
            | '\u{feff}' => {}
            _ if character.is_whitespace() || character.is_control() => self.space(),
            _ => {
                if !self.text.is_empty() {
                    self.text.push_str(match self.pending {
                        Gap::None => "",
                        Gap::Space => " ",
                        Gap::Line => "\n",
                        Gap::Paragraph => "\n\n",
                    });
                }
                self.pending = Gap::None;
                if let Heading::Before(level) = self.heading {
                    self.text.extend(std::iter::repeat_n('#', level));
                    self.text.push(' ');
                    self.heading = Heading::Within;
                }
                self.text.push(character);
            }
        }
    }

    fn finish(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(fragment: &str, expected: &str) {
        assert_eq!(strip(fragment), expected, "{fragment}");
    }

    #[test]
    fn what_never_stops_unfolding_ends_as_tidy_text() {
        let signs = "<".repeat(35);
        let fragment = format!("<p>One{signs}\u{e9}{signs}D:1;window.N||(N={{}}),f;</cle");
        let plain = strip(&fragment);
        assert_eq!(plain, "One \u{e9} D:1;window.N||(N={}),f;");
        assert_eq!(strip(&plain), plain);
    }

    #[test]
    fn tags_go_and_blocks_part_paragraphs() {
        check(
            "<p>One <b>bold</b>word.</p><p>Two&nbsp;&amp; three.</p>",
            "One boldword.\n\nTwo & three.",
        );
        check("a<br>b<br/><br />c", "a\nb\n\nc");
        check("<ul><li>x</li><li>y</li></ul>", "x\n\ny");
        check("<td>1</td><td>2</td>", "1 2");
        check("<img src='a>b.png' alt=\"x > y\">Caption", "Caption");
        check("<a href=\"unclosed>text</a> more", "text more");
        check(
            "line one\nline two\n\nparagraph",
            "line one\nline two\n\nparagraph",
        );
        check("<p>line one\nline two</p>", "line one line two");
    }

    #[test]
    fn headings_of_a_page_stay_headings() {
        let check = |page: &str, expected: &str| {
            assert_eq!(strip_to_headings(page), expected, "{page}");
        };
        check(
            "<title>T</title><h1>Staff <em>handbook</em></h1><p>Text.</p><H2 class=x>\n Parental<br>leave\n</H2>16 weeks.",
            "T\n\n# Staff handbook\n\nText.\n\n## Parental leave\n\n16 weeks.",
        );
        // A heading without text is not a heading, and one that is never closed ends with the next block.
        check("<h2></h2><p>a</p>", "a");
        check("<h3><div>Title</div></h3>a", "### Title\n\na");
        check("<h6>Title<p>a", "###### Title\n\na");
        check("<h7>Title</h7>a", "Titlea");
        // Escaped content is text.
        check("<p>&lt;h1&gt; is a tag</p><p>b</p>", "<h1> is a tag\n\nb");
        assert_eq!(strip("<h1>Title</h1>a"), "Title\n\na");
    }

    #[test]
    fn scripts_comments_and_sections_go() {
        check("a<script>if (1 < 2) x();</script>b", "a b");
        check("a<STYLE>p{}</style >b<script>never closed", "a b");
        check("a<!-- <p>no</p> -->b<!-- open", "ab");
        check("<![CDATA[<p>kept</p>]]>", "kept");
        check("<?xml version=\"1.0\"?><!DOCTYPE html>x", "x");
        check(
            "<figure><img><figcaption>Photo: someone</figcaption></figure><p>Text</p>",
            "Text",
        );
    }

    #[test]
    fn escapes_are_undone_to_the_bottom() {
        check(
            "Caf&eacute; &#8220;x&#8221; &#x2019;s &#146;n",
            "Café “x” ’s ’n",
        );
        check("&lt;p&gt;Hidden &amp;amp; deep&lt;/p&gt;", "Hidden & deep");
        check(
            "&amp;lt;b&amp;gt;bold&amp;lt;/b&amp;gt; &amp;#8217;",
            "bold ’",
        );
        check(
            "AT&T and R&amp;D, Q&A; 5 < 6 & 7 > 2",
            "AT&T and R&D, Q&A; 5 < 6 & 7 > 2",
        );
        check("&unknown; &#0; &#xD800; &amp", "&unknown; &");
        check("I <3 this", "I <3 this");
        check("cut here.</", "cut here.");
        check("]]&gt; kept", "kept");
    }

    #[test]
    fn deep_nesting_takes_linear_time() {
        let nested = format!("&{}lt;b&gt;", "amp;".repeat(50_000));
        assert!(!strip(&nested).contains('<'));
        assert!(strip(&"<nav>".repeat(50_000)).is_empty());
        assert!(strip(&"<a href=\"".repeat(100_000)).is_empty());
        assert!(strip(&"<!--x>".repeat(150_000)).is_empty());
    }

    proptest! {
        #[test]
        fn nothing_is_left_to_strip(fragment in "(\\PC|<p>|<a href='|</|<!--|-->|<script>|</script>|&amp;|&lt;|&gt;|&#60;|&#x3c;|&|<|>|]]>|\n){0,40}") {
            let text = strip(&fragment);
            prop_assert!(!has_debris(&text), "{:?}", text);
            prop_assert_eq!(text.trim(), &text);
        }
    }
}
