//! Splits a text into clauses that each make a statement of their own.

use text::token;

/// A clause with fewer words stays with its neighbour.
const FEWEST_WORDS: usize = 4;

/// The paragraphs and list items of a text, without their Markdown marks: headings, bullets, quotes and emphasis.
pub(super) fn blocks(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let line = line.trim();
        if line.is_empty()
            || line
                .chars()
                .all(|character| "-=_*#|:. ".contains(character))
        {
            open = false;
            continue;
        }
        let bare = without_mark(line);
        let starts = bare.len() != line.len() || line.starts_with('|');
        // A heading states nothing.
        if line.starts_with('#') {
            open = false;
            continue;
        }
        let plain = plain(bare);
        match blocks.last_mut() {
            Some(last) if open && !starts => {
                last.push(' ');
                last.push_str(&plain);
            }
            _ => blocks.push(plain),
        }
        open = true;
    }
    blocks
}

/// A line without a leading bullet, number or quotation mark.
fn without_mark(line: &str) -> &str {
    let rest = line.trim_start_matches(['-', '*', '•', '>', '–', '+', ' ']);
    let digits = rest.len()
        - rest
            .trim_start_matches(|next: char| next.is_ascii_digit())
            .len();
    match rest.get(digits..) {
        Some(after) if (1..=2).contains(&digits) && after.starts_with([')', '.']) => {
            let after = &after[1..];
            if after.starts_with(' ') {
                after.trim_start()
            } else {
                rest
            }
        }
        _ if rest.len() < line.len()
            && !line.starts_with("**")
            && line[..line.len() - rest.len()].ends_with(' ') =>
        {
            rest
        }
        _ => line,
    }
}

/// Without emphasis and code marks.
fn plain(line: &str) -> String {
    line.replace("**", "").replace("__", "").replace('`', "")
}

/// The clauses of a sentence that can stand alone. Most sentences are a single clause.
pub(super) fn clauses(sentence: &str) -> Vec<&str> {
    let mut clauses = Vec::new();
    let mut rest = sentence;
    while let Some((left, right)) = cut(rest) {
        clauses.push(left);
        rest = right;
    }
    clauses.push(rest.trim());
    clauses
}

/// Splits where a second statement with its own subject begins.
fn cut(sentence: &str) -> Option<(&str, &str)> {
    const JOINTS: [&str; 9] = [
        "; ",
        ", and ",
        ", but ",
        ", while ",
        ", whereas ",
        " while ",
        ", although ",
        ", yet ",
        " and ",
    ];
    JOINTS
        .iter()
        .flat_map(|joint| {
            sentence
                .match_indices(joint)
                .map(move |(at, _)| (at, *joint))
        })
        .filter_map(|(at, joint)| {
            let (left, right) = (sentence[..at].trim(), sentence[at + joint.len()..].trim());
            (stands_alone(left, false)
                && stands_alone(right, joint != "; ")
                && !is_inside_quotes(left))
            .then_some((at, left, right))
        })
        .min_by_key(|(at, ..)| *at)
        .map(|(_, left, right)| (left, right))
}

fn is_inside_quotes(left: &str) -> bool {
    let opened = left.matches('“').count() > left.matches('”').count();
    opened
        || left.matches('"').count() % 2 == 1
        || left.matches('(').count() > left.matches(')').count()
}

/// Whether words have their own subject and verb; `strict` also requires that they begin with a name or a pronoun.
fn stands_alone(clause: &str, strict: bool) -> bool {
    let words: Vec<&str> = token::words(clause).collect();
    if words.len() < FEWEST_WORDS {
        return false;
    }
    let begins = words.first().is_some_and(|first| {
        let lower = first.to_lowercase();
        first.chars().next().is_some_and(char::is_uppercase)
            || matches!(
                lower.as_str(),
                "it" | "he" | "she" | "they" | "its" | "his" | "her" | "their" | "the"
            )
    });
    let verb = words.iter().skip(1).take(8).any(|word| is_verb(word));
    verb && (!strict || begins)
}

/// Whether a word is one of the verbs that carry most statements, or looks like a past-tense verb.
pub(super) fn is_verb(word: &str) -> bool {
    let lower = word.to_lowercase();
    matches!(
        lower.as_str(),
        "is" | "are"
            | "was"
            | "were"
            | "has"
            | "have"
            | "had"
            | "did"
            | "does"
            | "will"
            | "would"
            | "rose"
            | "fell"
            | "grew"
            | "won"
            | "lost"
            | "said"
            | "says"
            | "made"
            | "took"
            | "became"
            | "sold"
            | "bought"
            | "paid"
            | "cut"
            | "hit"
            | "set"
            | "beat"
            | "met"
            | "led"
            | "held"
            | "gave"
            | "began"
            | "left"
            | "ran"
            | "saw"
            | "shut"
            | "put"
            | "spent"
            | "went"
            | "came"
            | "rises"
            | "falls"
            | "wins"
            | "stands"
            | "remains"
            | "shows"
            | "plans"
            | "agreed"
    ) || lower.len() > 4 && lower.ends_with("ed") && lower == *word && !lower.ends_with("eed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_of_their_own_are_taken_apart_and_lists_are_not() {
        let check = |sentence: &str, expected: &[&str]| assert_eq!(clauses(sentence), expected);
        check(
            "Northwind shares rose 5% on Monday, and Acme fell to a record low.",
            &[
                "Northwind shares rose 5% on Monday",
                "Acme fell to a record low.",
            ],
        );
        check(
            "Northwind bought Acme and Quill for $3 billion.",
            &["Northwind bought Acme and Quill for $3 billion."],
        );
        check(
            "Profit rose by a fifth; the dividend was doubled to 40 cents.",
            &[
                "Profit rose by a fifth",
                "the dividend was doubled to 40 cents.",
            ],
        );
    }

    #[test]
    fn marks_of_lists_and_headings_are_no_words() {
        let text =
            "# Findings\n\n- Rates **rose** to 5%.\n- Oil fell.\n1. Gold\nrose too.\n\nA last one.";
        assert_eq!(
            blocks(text),
            [
                "Rates rose to 5%.",
                "Oil fell.",
                "Gold rose too.",
                "A last one."
            ]
        );
    }
}
