use super::*;

fn plain_at(width: usize, text: &str) -> String {
    let mut markdown = Markdown::new(width, false);
    let mut out = markdown.push(text);
    out.push_str(&markdown.finish());
    out
}

#[test]
fn marks_become_what_they_mean() {
    for (text, expected) in [
        (
            "# Apple\n\n\n**Strong** quarter.",
            "Apple\n\nStrong quarter.\n",
        ),
        ("- one\n- two\n  - three", "• one\n• two\n  • three\n"),
        ("1. first\n2) second", "1. first\n2) second\n"),
        ("> said", "│ said\n"),
        (
            "see [the brief](https://e.org/x).",
            "see [the brief] (https://e.org/x).\n",
        ),
        (
            "see [brief](https://e.org).",
            "see brief (https://e.org).\n",
        ),
        ("claim [1] stands", "claim [1] stands\n"),
        (
            "use `rsi_14 * 2` and snake_case, 3*4, *so* _it_ is",
            "use rsi_14 * 2 and snake_case, 3*4, so it is\n",
        ),
        (
            "one\n\n| a | b  |\n|---|---:|\n| 10 | 2 |\n\ntwo",
            "one\n\na   b\n10  2\n\ntwo\n",
        ),
        ("```\nlet  x = 1;\n```\ndone", "let  x = 1;\ndone\n"),
        ("a \\*star\\*", "a *star*\n"),
        ("", ""),
        ("\n\n", ""),
        ("2026. was", "2026. was\n"),
    ] {
        assert_eq!(plain_at(60, text), expected, "{text:?}");
    }
}

#[test]
fn lines_wrap_at_words_below_their_beginning() {
    let wrapped = plain_at(
        20,
        "- alpha beta gamma delta epsilon\n\nzeta eta theta iota kappa",
    );
    assert_eq!(
        wrapped,
        "• alpha beta gamma\n  delta epsilon\n\nzeta eta theta iota\nkappa\n"
    );
}

#[test]
fn pieces_give_what_the_whole_gives() {
    let text = "## Summary\n\nRates **rose by 0.25** points; see [note](https://e.org).\n\n1. one\n2. two `x`\n";
    let whole = plain_at(30, text);
    for size in [1, 2, 3, 7] {
        let mut markdown = Markdown::new(30, false);
        let mut out = String::new();
        let characters: Vec<char> = text.chars().collect();
        for piece in characters.chunks(size) {
            out.push_str(&markdown.push(&piece.iter().collect::<String>()));
        }
        out.push_str(&markdown.finish());
        assert_eq!(out, whole, "pieces of {size}");
    }
}

#[test]
fn colours_end_with_their_word_and_controls_do_not_pass() {
    let mut markdown = Markdown::new(40, true);
    let mut out = markdown.push("**bold words** and\u{1b}[31m red");
    out.push_str(&markdown.finish());
    assert_eq!(
        out,
        "\u{1b}[1mbold\u{1b}[0m \u{1b}[1mwords\u{1b}[0m and\u{fffd}[31m red\n"
    );
}
