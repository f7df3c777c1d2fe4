//! A walk over the tags of a page, for the content of its head and of attributes.

use crate::markup;

/// An opening tag.
pub(super) struct Tag<'html> {
    /// Name as written.
    pub(super) name: &'html str,
    /// The text between the name and the `>`.
    attributes: &'html str,
    /// Offset of the first byte after the `>`.
    pub(super) end: usize,
}

impl<'html> Tag<'html> {
    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The value of an attribute, as plain text.
    pub(super) fn attribute(&self, wanted: &str) -> Option<String> {
        attributes(self.attributes)
            .find(|(name, _)| name.eq_ignore_ascii_case(wanted))
            .map(|(_, value)| plain(value))
    }

    /// Everything between this tag and its closing tag, including markup. Elements of the same name do not nest here.
    pub(super) fn content(&self, html: &'html str) -> &'html str {
        const LONGEST: usize = 400_000;
        let mut end = html.len().min(self.end + LONGEST);
        while !html.is_char_boundary(end) {
            end -= 1;
        }
        let rest = &html[self.end..end];
        let mut search = 0;
        while let Some(found) = rest[search..].find("</") {
            let at = search + found;
            let name = rest.as_bytes().get(at + 2..at + 2 + self.name.len());
            if name.is_some_and(|name| name.eq_ignore_ascii_case(self.name.as_bytes())) {
                return &rest[..at];
            }
            search = at + 2;
        }
        ""
    }
}

/// The opening tags of a page in order. Scripts and comments are skipped, but the `script` tag itself is not.
pub(super) fn tags(html: &str) -> impl Iterator<Item = Tag<'_>> {
    let mut position = 0;
    std::iter::from_fn(move || {
        loop {
            let start = position + html[position..].find('<')?;
            let rest = &html[start..];
            if rest.starts_with("<!--") {
                position = start + rest.find("-->").map_or(rest.len(), |end| end + 3);
                continue;
            }
            if !rest.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic) {
                position = start + 1;
                continue;
            }
            let name_length = rest[1..]
                .bytes()
                .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
                .count();
            let length = tag_length(rest);
            let tag = Tag {
                name: &rest[1..=name_length],
                attributes: rest[1 + name_length..length].trim_end_matches('>'),
                end: start + length,
            };
            position = tag.end;
            if tag.is("script") || tag.is("style") {
                position += tag.content(html).len();
            }
            return Some(tag);
        }
    })
}

/// The position after the `>` of the tag at the start. One inside quotes does not count, unless the quote never closes.
fn tag_length(rest: &str) -> usize {
    const LONGEST: usize = 20_000;
    let mut quote = None;
    let mut first = None;
    for (at, byte) in rest.bytes().enumerate().take(LONGEST) {
        match (quote, byte) {
            (None, b'>') => return at + 1,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            (Some(_), b'>') if first.is_none() => first = Some(at + 1),
            _ => {}
        }
    }
    first
        .or_else(|| rest.find('>').map(|at| at + 1))
        .unwrap_or(rest.len())
}

fn attributes(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest
            .trim_start_matches(|character: char| character.is_whitespace() || character == '/');
        if rest.is_empty() {
            return None;
        }
        let end = rest
            .find(|character: char| character.is_whitespace() || character == '=')
            .unwrap_or(rest.len());
        // A stray `=` would otherwise loop for ever.
        let end = if end == 0 {
            rest.chars().next().map_or(rest.len(), char::len_utf8)
        } else {
            end
        };
        let name = &rest[..end];
        let after = rest[end..].trim_start();
        let Some(value) = after.strip_prefix('=').map(str::trim_start) else {
            rest = after;
            return Some((name, ""));
        };
        let (value, remainder) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
            _ => value.split_once(char::is_whitespace).unwrap_or((value, "")),
        };
        rest = remainder;
        Some((name, value))
    })
}

/// One line of plain text.
pub(super) fn plain(text: &str) -> String {
    markup::strip(text)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn attributes_are_read() {
        let html = "<!-- <meta name=no> --><META name='a b' content=\"x > &amp; y\" hidden><script>'<meta>'</script><time datetime=2020>t</time>";
        let found: Vec<_> = tags(html).collect();
        assert_eq!(
            found.iter().map(|tag| tag.name).collect::<Vec<_>>(),
            ["META", "script", "time"]
        );
        assert_eq!(found[0].attribute("Name").as_deref(), Some("a b"));
        assert_eq!(found[0].attribute("content").as_deref(), Some("x > & y"));
        assert_eq!(found[0].attribute("hidden").as_deref(), Some(""));
        assert_eq!(found[2].attribute("datetime").as_deref(), Some("2020"));
        assert_eq!(found[2].content(html), "t");
    }

    proptest! {
        #[test]
        fn any_page_may_be_walked(html in "(\\PC|<meta |<!--|-->|<script>|</script>|='|=\"|>|=|/| ){0,60}") {
            for tag in tags(&html) {
                let _ = (tag.attribute("content"), tag.content(&html));
            }
        }
    }
}
