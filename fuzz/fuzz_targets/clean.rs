//! Items of feeds: an article is known by now and has a headline, or is refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use model::{RawArticle, Timestamp};
use text::clean::{Arrival, clean};

fuzz_target!(|parts: (&str, &str, &str, &str, Option<i64>)| {
    let (title, description, body, url, claim) = parts;
    let now = Timestamp::from_ms(1_772_366_400_000);
    for url in [url, "https://www.example.com/story"] {
        let raw = RawArticle {
            url: url.to_owned(),
            title: title.to_owned(),
            description: Some(description.to_owned()),
            body: Some(body.to_owned()),
            published_at: claim.map(Timestamp::from_ms),
            ..RawArticle::default()
        };
        if let Ok(article) = clean(&raw, now, Arrival::Live) {
            assert!(!article.title.is_empty() && article.published_at <= now);
            assert!(!article.title.chars().any(char::is_control));
        }
    }
});
