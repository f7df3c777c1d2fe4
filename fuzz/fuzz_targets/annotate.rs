//! Articles from reading to brief: scores stay inside their bounds.
#![no_main]

use libfuzzer_sys::fuzz_target;
use model::{RawArticle, Timestamp, TrustLevel};
use text::clean::{Arrival, clean};
use text::compose::{Member, compose};

fuzz_target!(|parts: (&str, &str)| {
    let raw = RawArticle {
        url: String::from("https://www.example.com/story"),
        title: parts.0.to_owned(),
        body: Some(parts.1.to_owned()),
        ..RawArticle::default()
    };
    let Ok(article) = clean(&raw, Timestamp::from_ms(1_772_366_400_000), Arrival::Live) else {
        return;
    };
    let annotations = text::annotate::annotate(&article, &[]);
    assert!((0.0..=1.0).contains(&annotations.sentiment.get()));
    let member = Member {
        article: &article,
        annotations: &annotations,
        trust: TrustLevel::Unknown,
        copy_of: None,
    };
    let brief = compose(&[member, member], None);
    assert!(!brief.headline.is_empty() && (0.0..=1.0).contains(&brief.sentiment.get()));
});
