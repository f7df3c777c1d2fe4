//! Whatever comes in: nothing panics, nothing grows, every score stays inside its bounds.

use model::{Annotations, Article, RawArticle, Timestamp, TrustLevel};
use proptest::prelude::*;
use text::clean::Arrival;
use text::compose::Member;
use text::{annotate, bias, clean, compose, language, markup, page, sentence, sentiment, token};

const NOW: Timestamp = Timestamp::from_ms(1_772_366_400_000);

/// Names, figures, quotations, markup and signs of every script, as articles and attacks have them.
fn any_text(parts: usize) -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => "[A-Z]?[a-z]{1,9} ",
        2 => "\\PC{1,4}",
        1 => Just(String::from("Angela Merkel said on Monday that ")),
        1 => Just(String::from("\u{201c}We will not pay 4.5 billion dollars,\u{201d} she said. ")),
        1 => Just(String::from(". ")),
        1 => Just(String::from("\n\n")),
        1 => Just(String::from("<p>")),
        1 => Just(String::from("</p><script>x()</script>")),
        1 => Just(String::from("&amp;lt;b&gt;")),
        1 => Just(String::from("\u{202e}\u{0}\u{7}\u{fffd}")),
        1 => Just(String::from("🎉")),
        1 => Just(String::from("المصرف المركزي ")),
        1 => Just(String::from("$1,234.5bn up 3% from 2.9% in Q3 2025 ")),
    ];
    proptest::collection::vec(part, 0..parts).prop_map(|parts| parts.concat())
}

fn is_plain(text: &str) -> bool {
    let tags = ["<p>", "</p", "<script", "&lt;b", "<b>"];
    text.chars()
        .all(|character| character == '\n' || !character.is_control())
        && !tags.iter().any(|tag| text.contains(tag))
}

fn in_bounds(found: &Annotations) -> bool {
    let bias = &found.bias;
    let shares = [
        found.sentiment.get(),
        bias.loaded_wording,
        bias.framing,
        bias.one_sidedness,
        bias.promotional,
        bias.sensational,
    ];
    shares.iter().all(|share| (0.0..=1.0).contains(share))
        && (-1.0..=1.0).contains(&bias.lean)
        && found.tags.len() <= 8
        && matches!(found.language.len(), 2 | 3)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn parts_of_text_come_from_it(text in any_text(60)) {
        let plain = markup::strip(&text);
        prop_assert!(plain.len() <= text.len() * 2 + 8);
        let sentences = sentence::split(&plain);
        prop_assert!(sentences.iter().map(|sentence| sentence.len()).sum::<usize>() <= plain.len());
        prop_assert!(sentences.iter().all(|sentence| plain.contains(sentence) && !sentence.trim().is_empty()));
        prop_assert!(token::words(&plain).map(str::len).sum::<usize>() <= plain.len());
        prop_assert!(matches!(language::detect(&plain).len(), 2 | 3));
        prop_assert!((0.0..=1.0).contains(&sentiment::sentence(&plain).get()));
        prop_assert!((-1.0..=1.0).contains(&bias::assess(&plain, &text).lean));
    }

    #[test]
    fn pages_are_read_or_refused(head in any_text(12), body in any_text(60)) {
        let html = format!("<html><head><title>{head}</title></head><body><article><h1>Harbour reopens after repair</h1><p>{body}</p></article>");
        for url in [None, Some("https://www.example.com/2026/03/01/harbour")] {
            if let Some(found) = page::extract(&html, url) {
                prop_assert!(!found.title.is_empty() && found.text.len() <= 2 * html.len());
                prop_assert!(is_plain(&found.title), "{}", found.title);
            }
        }
    }

    #[test]
    fn articles_become_plain_briefs(
        texts in proptest::collection::vec((any_text(8), any_text(16), any_text(50)), 1..5),
    ) {
        let articles: Vec<Article> = texts
            .iter()
            .enumerate()
            .filter_map(|(number, (title, description, body))| {
                let raw = RawArticle {
                    url: format!("https://news{number}.example/story"),
                    title: title.clone(),
                    description: Some(description.clone()),
                    body: Some(body.clone()),
                    ..RawArticle::default()
                };
                clean::clean(&raw, NOW, Arrival::Live).ok()
            })
            .collect();
        let read: Vec<Annotations> = articles.iter().map(|article| annotate::annotate(article, &[])).collect();
        prop_assert!(read.iter().all(in_bounds));
        for (article, found) in articles.iter().zip(&read) {
            let length = article.title.len() + article.description.len() + article.body.len();
            prop_assert!(found.entities.iter().all(|entity| entity.name.len() <= length + 64));
        }
        let members: Vec<Member<'_>> = articles
            .iter()
            .zip(&read)
            .map(|(article, annotations)| Member { article, annotations, outlet: &article.outlet, trust: TrustLevel::Unknown, copy_of: None })
            .collect();
        if !members.is_empty() {
            let brief = compose::compose(&members, None);
            prop_assert!(brief.headline.chars().any(char::is_alphanumeric));
            for part in [&brief.headline, &brief.summary, &brief.body, &brief.counter_argument] {
                prop_assert!(is_plain(part), "{}", part);
            }
            prop_assert!(!brief.headline.contains('\n'));
            let given: usize = articles.iter().map(|article| article.title.len() + article.description.len() + article.body.len()).sum();
            prop_assert!(brief.summary.len() + brief.body.len() <= 4 * given + 4_000);
            prop_assert!((0.0..=1.0).contains(&brief.sentiment.get()));
            prop_assert!(brief.sentences.iter().all(|sentence| sentence.sources.iter().all(|source| (*source as usize) < members.len())));
        }
    }
}
