//! JSON as the server wrote it, indented: numbers keep every digit, and what a terminal could obey is escaped.

use std::fmt::Write;

/// Indents a valid JSON text without reading its values.
pub(crate) fn pretty(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut depth = 0_usize;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' => {
                out.push('"');
                copy_string(&mut characters, &mut out);
            }
            open @ ('{' | '[') => {
                out.push(open);
                while characters.next_if(char::is_ascii_whitespace).is_some() {}
                if let Some(close) = characters.next_if(|next| matches!(next, '}' | ']')) {
                    out.push(close);
                } else {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            }
            close @ ('}' | ']') => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push(close);
            }
            ',' => {
                out.push(',');
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            blank if blank.is_ascii_whitespace() => {}
            other => out.push(other),
        }
    }
    out
}

/// Copies the rest of a string up to its closing quote.
fn copy_string(characters: &mut impl Iterator<Item = char>, out: &mut String) {
    while let Some(character) = characters.next() {
        match character {
            '"' => {
                out.push('"');
                return;
            }
            '\\' => {
                out.push('\\');
                out.extend(characters.next());
            }
            odd if odd.is_control() || crate::plain::is_invisible(odd) => {
                for unit in odd.encode_utf16(&mut [0; 2]) {
                    // Writing to a string cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            other => out.push(other),
        }
    }
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stay_and_controls_are_escaped() {
        let text = "{\"a\":[1.10, 12345678901234567890],\"b\":{},\"c\":[ ],\"d\":\"x\u{9b}\u{e0041} \\\" {,\"}";
        let expected = "{\n  \"a\": [\n    1.10,\n    12345678901234567890\n  ],\n  \"b\": {},\n  \"c\": [],\n  \"d\": \"x\\u009b\\udb40\\udc41 \\\" {,\"\n}";
        assert_eq!(pretty(text), expected);
        let (before, after): (serde_json::Value, serde_json::Value) = (
            serde_json::from_str(text).unwrap(),
            serde_json::from_str(expected).unwrap(),
        );
        assert_eq!(before, after);
    }
}
