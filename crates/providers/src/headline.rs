//! A headline for items that have none: the beginning of the text.

use text::references;

/// Longest headline that is produced, in characters.
const LONGEST_HEADLINE: usize = 110;

/// The first words of a text that may contain markup; `None` if it contains no words.
pub(crate) fn from_text(markup: &str) -> Option<String> {
    // Enough to fill a headline even if most of it is markup.
    let start = match markup.char_indices().nth(20_000) {
        Some((end, _)) => &markup[..end],
        None => markup,
    };
    let text = visible_text(start);
    if text.chars().count() <= LONGEST_HEADLINE {
        return (!text.is_empty()).then_some(text);
    }
    let mut headline = String::new();
    for word in text.split(' ') {
        if headline.chars().count() + word.chars().count() >= LONGEST_HEADLINE {
            break;
        }
        if !headline.is_empty() {
            headline.push(' ');
        }
        headline.push_str(word);
    }
    if headline.is_empty() {
        headline = text.chars().take(LONGEST_HEADLINE - 1).collect();
    }
    headline.push('…');
    Some(headline)
}

/// How many characters a reader would see of a text that may contain markup.
pub(crate) fn visible_length(markup: &str) -> usize {
    visible_text(markup).chars().count()
}

/// A rough reading, good enough for measuring and for headlines: tags dropped, references decoded, whitespace
/// collapsed.
fn visible_text(markup: &str) -> String {
    let mut text = String::with_capacity(markup.len() / 2);
    let mut rest = markup;
    while let Some(open) = rest.find('<') {
        text.push_str(&rest[..open]);
        let tag = &rest[open..];
        let is_tag =
            tag[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
        match tag.find('>') {
            Some(close) if is_tag => {
                text.push(' ');
                rest = &tag[close + 1..];
            }
            // A tag that never ends is the end of a truncated text.
            None if is_tag => rest = "",
            _ => {
                text.push('<');
                rest = &tag[1..];
            }
        }
    }
    text.push_str(rest);
    let decoded = references::decode(&text);
    let mut joined = String::with_capacity(decoded.len());
    for word in decoded.split_whitespace() {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headlines_are_the_first_words() {
        assert_eq!(
            from_text("<p>Rates <b>held</b> &amp; guidance cut</p>").as_deref(),
            Some("Rates held & guidance cut")
        );
        assert_eq!(from_text("<img src='x'/> <br>"), None);
        assert_eq!(
            from_text("if a < b then <cut"),
            Some("if a < b then".to_owned())
        );
        let long = from_text(&"harbour ".repeat(60)).unwrap();
        assert!(long.ends_with("harbour…") && long.chars().count() <= LONGEST_HEADLINE);
        assert!(from_text(&"湾".repeat(500)).unwrap().chars().count() == LONGEST_HEADLINE);
    }
}
