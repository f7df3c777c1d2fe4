//! The part of a query that is sent.

use text::token;

use super::LONGEST_QUERY;

/// A query on one line, cut at a word: control characters count as spaces.
pub(super) fn cleaned(query: &str) -> String {
    let mut cleaned = String::new();
    let mut length = 0;
    for word in query.split(|c: char| c.is_whitespace() || c.is_control()) {
        let characters = word.chars().count();
        if characters == 0 {
            continue;
        }
        if length + characters + usize::from(length > 0) > LONGEST_QUERY {
            break;
        }
        if length > 0 {
            cleaned.push(' ');
            length += 1;
        }
        cleaned.push_str(word);
        length += characters;
    }
    cleaned
}

/// Its words alone: nothing in it acts as an operator of the service.
pub(super) fn words(query: &str) -> String {
    token::words(query)
        .filter(|word| !matches!(*word, "AND" | "OR" | "NOT"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The first words of a query, if a service counts them.
pub(super) fn first_words(query: &str, most: usize) -> String {
    let words: Vec<&str> = query.split(' ').take(most).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_one_line_of_bounded_length() {
        assert_eq!(cleaned("  key\u{0}\n\trate \u{7f}cut "), "key rate cut");
        assert_eq!(cleaned("\u{1}\n "), "");
        let long = cleaned(&"word ".repeat(200));
        assert_eq!(long.chars().count(), 299);
        assert!(long.ends_with("word"));
        // Anything after a word that does not fit is left out, however short.
        let stuffed = format!("{} {} end", "word ".repeat(58), "x".repeat(20));
        assert!(cleaned(&stuffed).ends_with("word"));
        assert_eq!(cleaned(&"é".repeat(301)), "");
    }

    #[test]
    fn operators_are_left_out() {
        assert_eq!(
            words("insource:/x+/ OR \"key rate\" -cut !bang 4.25%"),
            "insource x key rate cut bang 4.25"
        );
        assert_eq!(first_words("a b c", 2), "a b");
    }
}
