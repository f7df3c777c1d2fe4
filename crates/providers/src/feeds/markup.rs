//! Cutting markup into tags and text without ever giving up.
//!
//! Follows what authors mean rather than a grammar: a `<` that does not begin a tag is text, a tag that is not closed
//! ends where the next begins, and an attribute may lack its quotes. Runs in linear time on any input.

use text::references;

/// A piece of markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `<name …>` or `<name …/>`.
    Start(Tag<'a>),
    /// `</name>`.
    End(&'a str),
    /// Text between tags, references not decoded.
    Text(&'a str),
    /// The inside of a CDATA section.
    Literal(&'a str),
}

/// An opening tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    /// Its name, including the prefix.
    pub(super) name: &'a str,
    /// The whole tag as written.
    pub(super) source: &'a str,
    /// Everything after the name.
    attributes: &'a str,
    /// Whether it is self-closing.
    pub(super) is_empty: bool,
}

impl Tag<'_> {
    /// The decoded value of an attribute; the name is compared case-insensitively.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        let mut rest = self.attributes;
        while let Some((found, value, after)) = next_attribute(rest) {
            if found.eq_ignore_ascii_case(name) {
                return Some(references::decode(value).into_owned());
            }
            rest = after;
        }
        None
    }
}

/// The first attribute in a text, its value without quotes, and what follows.
fn next_attribute(text: &str) -> Option<(&str, &str, &str)> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
    if text.is_empty() {
        return None;
    }
    let name_end = text
        .find(|c: char| c.is_whitespace() || c == '=')
        .unwrap_or(text.len());
    let (name, rest) = text.split_at(name_end);
    let Some(value) = rest.trim_start().strip_prefix('=') else {
        return Some((name, "", rest));
    };
    let value = value.trim_start();
    if let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let inside = &value[1..];
        let end = inside.find(quote).unwrap_or(inside.len());
        return Some((
            name,
            &inside[..end],
            inside.get(end + 1..).unwrap_or_default(),
        ));
    }
    let end = value.find(char::is_whitespace).unwrap_or(value.len());
    Some((name, &value[..end], &value[end..]))
}

/// The tokens in a text.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    absent: Absent,
}

/// Marks that are known not to occur any more, so that each is searched for in vain only once.
#[expect(
    clippy::struct_excessive_bools,
    reason = "four facts that do not depend on each other"
)]
#[derive(Clone, Copy, Debug, Default)]
struct Absent {
    section_end: bool,
    comment_end: bool,
    double_quote: bool,
    single_quote: bool,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            absent: Absent::default(),
        }
    }

    /// Where the next token begins, so that the caller can return to it.
    pub(super) const fn position(&self) -> usize {
        self.at
    }

    /// Goes back to a position obtained earlier.
    pub(super) fn rewind(&mut self, position: usize) {
        self.at = position.min(self.at);
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn text_until(&mut self, length: usize) -> Token<'a> {
        let text = &self.rest()[..length];
        self.at += length;
        Token::Text(text)
    }

    /// `<![CDATA[ … ]]>`; one without an end extends to the end of its item.
    fn section(&mut self, inside: &'a str) -> Token<'a> {
        let end = if self.absent.section_end {
            None
        } else {
            inside.find("]]>")
        };
        self.absent.section_end |= end.is_none();
        let (length, mark) = match end {
            Some(end) => (end, 3),
            None => (
                inside
                    .find("</item")
                    .or_else(|| inside.find("</entry"))
                    .unwrap_or(inside.len()),
                0,
            ),
        };
        self.at = self.text.len() - inside.len() + length + mark;
        Token::Literal(&inside[..length])
    }

    /// Skips comments, declarations and instructions.
    fn skip_special(&mut self) {
        let rest = self.rest();
        let length = if rest.starts_with("<!--") {
            let end = if self.absent.comment_end {
                None
            } else {
                rest.find("-->")
            };
            self.absent.comment_end |= end.is_none();
            end.map_or(4, |end| end + 3)
        } else if rest.starts_with("<?") {
            rest.find('>').map_or(rest.len(), |end| end + 1)
        } else {
            declaration_length(rest)
        };
        self.at += length;
    }

    /// The length of a tag, from `<` to just after `>`. Quotes may contain `>`; if there is no end, the next `<` is
    /// the end.
    fn tag_length(&mut self) -> usize {
        let rest = self.rest().as_bytes();
        let mut index = 1;
        let mut after_equals = false;
        while let Some(&byte) = rest.get(index) {
            match byte {
                b'>' => return index + 1,
                b'<' => return index,
                b'"' | b'\'' if after_equals => {
                    let absent = if byte == b'"' {
                        &mut self.absent.double_quote
                    } else {
                        &mut self.absent.single_quote
                    };
                    let end = if *absent {
                        None
                    } else {
                        rest[index + 1..].iter().position(|other| *other == byte)
                    };
                    match end {
                        Some(end) => index += end + 1,
                        None => *absent = true,
                    }
                    after_equals = false;
                }
                b'=' => after_equals = true,
                byte if byte.is_ascii_whitespace() => {}
                _ => after_equals = false,
            }
            index += 1;
        }
        rest.len()
    }

    fn tag(&mut self) -> Token<'a> {
        let length = self.tag_length();
        let source = &self.rest()[..length];
        self.at += length;
        let inside = source[1..].trim_end_matches('>');
        if let Some(name) = inside.strip_prefix('/') {
            return Token::End(
                name.split(|c: char| c.is_whitespace() || c == '/')
                    .next()
                    .unwrap_or_default(),
            );
        }
        let name_end = inside
            .find(|c: char| c.is_whitespace() || c == '/')
            .unwrap_or(inside.len());
        let (name, attributes) = inside.split_at(name_end);
        Token::Start(Tag {
            name,
            source,
            attributes,
            is_empty: inside.ends_with('/'),
        })
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let rest = self.rest();
            let open = match rest.find('<') {
                _ if rest.is_empty() => return None,
                None => return Some(self.text_until(rest.len())),
                Some(0) => rest[1..].chars().next(),
                Some(length) => return Some(self.text_until(length)),
            };
            match open {
                Some('!') => match strip_section_start(rest) {
                    Some(inside) => return Some(self.section(inside)),
                    None => self.skip_special(),
                },
                Some('?') => self.skip_special(),
                Some('/') => return Some(self.tag()),
                Some(first) if first.is_alphabetic() || first == '_' => return Some(self.tag()),
                _ => return Some(self.text_until(1)),
            }
        }
    }
}

fn strip_section_start(text: &str) -> Option<&str> {
    const START: &str = "<![CDATA[";
    let start = text.get(..START.len())?;
    start
        .eq_ignore_ascii_case(START)
        .then(|| &text[START.len()..])
}

/// `<!DOCTYPE …>`, possibly with declarations of its own in brackets; anything else up to the next `>`.
fn declaration_length(text: &str) -> usize {
    let end = text.find('>').map_or(text.len(), |end| end + 1);
    match text[..end].find('[') {
        Some(_)
            if text
                .get(..9)
                .is_some_and(|start| start.eq_ignore_ascii_case("<!doctype")) =>
        {
            text.find("]>").map_or(end, |end| end + 2)
        }
        _ => end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn show(text: &str) -> String {
        let show = |token: Token<'_>| match token {
            Token::Start(tag) if tag.is_empty => format!("[{}/]", tag.name),
            Token::Start(tag) => format!("[{}]", tag.name),
            Token::End(name) => format!("[/{name}]"),
            Token::Text(text) => text.to_owned(),
            Token::Literal(text) => format!("{{{text}}}"),
        };
        Tokens::new(text).map(show).collect()
    }

    #[test]
    fn broken_markup_is_cut_as_meant() {
        for (text, expected) in [
            ("<a>b</a>", "[a]b[/a]"),
            ("<a x='>' y=\">\"/>c", "[a/]c"),
            ("1 < 2 <b>", "1 < 2 [b]"),
            ("<a <b>", "[a][b]"),
            ("<a", "[a]"),
            ("</a", "[/a]"),
            ("<![CDATA[x<y]]>z", "{x<y}z"),
            ("<![cdata[cut", "{cut}"),
            ("<![CDATA[cut</item>x", "{cut}[/item]x"),
            ("<!-- <a> -->b<!--c", "bc"),
            (
                "<?xml version='1.0'?><!DOCTYPE rss [<!ENTITY x \"y\">]>r",
                "r",
            ),
            ("<![CD", ""),
            ("<a x=\"unclosed>b</a>", "[a]b[/a]"),
            ("<é>ü</é>", "[é]ü[/é]"),
            ("<", "<"),
        ] {
            assert_eq!(show(text), expected, "{text}");
        }
    }

    #[test]
    fn attributes_are_read_with_and_without_quotes() {
        let Some(Token::Start(tag)) =
            Tokens::new("<link HREF = 'a&amp;b' rel=self checked type=\"x y\"/>").next()
        else {
            panic!("no tag")
        };
        assert_eq!(tag.attribute("href").as_deref(), Some("a&b"));
        assert_eq!(tag.attribute("rel").as_deref(), Some("self"));
        assert_eq!(tag.attribute("checked").as_deref(), Some(""));
        assert_eq!(tag.attribute("type").as_deref(), Some("x y"));
        assert_eq!(tag.attribute("title"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_cut_to_its_end(text in "[a<>/!\\[\\]CDAT\"'=?é -]{0,60}") {
            prop_assert!(Tokens::new(&text).count() <= text.len());
        }
    }
}
