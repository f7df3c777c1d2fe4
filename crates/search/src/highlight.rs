//! Text as HTML with its matches marked.

use crate::query::Wanted;
use crate::texts::Lexed;

/// Escapes a text and wraps every run of terms that the query wants in `<mark>`.
pub(crate) fn highlight(lexed: &Lexed, wanted: &Wanted) -> String {
    let text = lexed.text.as_str();
    let mut html = String::with_capacity(text.len() + 64);
    let mut written = 0;
    let mut at = 0;
    while at < lexed.len() {
        let term = lexed.term(at);
        let longest = wanted
            .iter()
            .filter(|run| run.first().is_some_and(|first| first == term))
            .filter(|run| lexed.len() - at >= run.len())
            .filter(|run| {
                (at..)
                    .zip(run.iter())
                    .skip(1)
                    .all(|(at, wanted)| lexed.term(at) == wanted)
            })
            .map(Vec::len)
            .max()
            .unwrap_or_default();
        if longest == 0 {
            at += 1;
            continue;
        }
        let (from, to) = lexed.span(at, at + longest - 1);
        escape(&text[written..from], &mut html);
        html.push_str("<mark>");
        escape(&text[from..to], &mut html);
        html.push_str("</mark>");
        written = to;
        at += longest;
    }
    escape(&text[written..], &mut html);
    html
}

fn escape(text: &str, html: &mut String) {
    let mut rest = text;
    while let Some(place) = rest.find(['&', '<', '>', '"', '\'']) {
        html.push_str(&rest[..place]);
        html.push_str(match rest.as_bytes()[place] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => "&#39;",
        });
        rest = &rest[place + 1..];
    }
    html.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis;
    use crate::query::Query;
    use proptest::prelude::*;

    fn marked(text: &str, query: &str) -> String {
        let wanted = Query::parse(query).wanted();
        let lexed = Lexed::new(text.to_owned(), &mut analysis::analyzer());
        highlight(&lexed, &wanted)
    }

    fn check(query: &str, text: &str, expected: &str) {
        assert_eq!(marked(text, query), expected, "{query:?} in {text:?}");
    }

    #[test]
    fn marks_matches_and_escapes_the_rest() {
        check(
            "rally",
            "Stocks rallied <b>hard</b>",
            "Stocks <mark>rallied</mark> &lt;b&gt;hard&lt;/b&gt;",
        );
        check(
            "nvidia",
            "Nvidia's \"best\" year",
            "<mark>Nvidia</mark>&#39;s &quot;best&quot; year",
        );
        check("AT&T", "AT&T gains", "<mark>AT&amp;T</mark> gains");
        check(
            "\"bank of japan\"",
            "Bank of Japan, of course",
            "<mark>Bank of Japan</mark>, of course",
        );
        check(
            "\"interest rates\"",
            "Rates of interest",
            "Rates of interest",
        );
        check(
            "gold -silver",
            "Silver and gold",
            "Silver and <mark>gold</mark>",
        );
        check("sao", "São", "<mark>São</mark>");
        check("東京", "東京で", "<mark>東京</mark>で");
        check("nothing", "", "");
        check(
            "the fed",
            "The Fed and the rest",
            "The <mark>Fed</mark> and the rest",
        );
    }

    fn unmark(html: &str) -> String {
        let plain = html.replace("<mark>", "").replace("</mark>", "");
        assert!(!plain.contains(['<', '>', '"', '\'']), "{plain:?}");
        let plain = plain
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&#39;", "'");
        plain.replace("&amp;", "&")
    }

    proptest! {
        #[test]
        fn only_marks_are_added(text in "[a-c<>&\"' \u{e9}é.;/mark]{0,60}", query in "[a-c<>&\"' -]{0,12}") {
            let html = marked(&text, &query);
            prop_assert_eq!(html.matches("<mark>").count(), html.matches("</mark>").count());
            prop_assert_eq!(unmark(&html), text);
        }

        #[test]
        fn any_text_survives(text in any::<String>(), query in any::<String>()) {
            let html = marked(&text, &query);
            prop_assert_eq!(unmark(&html), text);
        }
    }
}
