//! Whatever a brief says, the message stays within the limits of its service.

use model::{
    BiasDirection, Brief, BriefBias, BriefConfidence, BriefId, BriefSource, Category,
    PublicBriefId, Score, Timestamp, TrustLevel,
};
use serde_json::Value;

use super::*;

fn brief(headline: &str, summary: &str, sources: usize) -> Brief {
    let at = Timestamp::from_ms(1_770_000_000_000);
    let source = |number: usize| BriefSource {
        article_id: model::ArticleId(uuid::Uuid::from_u128(number as u128)),
        name: format!("{headline} {number}"),
        url: format!("https://daily.example/{number}"),
        domain: "daily.example".to_owned(),
        trust_level: TrustLevel::High,
        title: headline.to_owned(),
        published_at: at,
        known_at: at,
        copy_of: None,
        via: None,
    };
    Brief {
        id: BriefId(uuid::Uuid::from_u128(1)),
        public_id: PublicBriefId::new(at, 1),
        revision: 1,
        headline: headline.to_owned(),
        summary: summary.to_owned(),
        body: String::new(),
        sentences: Vec::new(),
        category: Category::Tech,
        published_at: at,
        updated_at: at,
        confidence: BriefConfidence {
            score: Score::clamped(0.8),
            corroboration: Score::NEUTRAL,
            source_trust: Score::NEUTRAL,
            agreement: Score::NEUTRAL,
            freshness: Score::NEUTRAL,
        },
        bias: BriefBias {
            score: Score::NEUTRAL,
            direction: BiasDirection::None,
            framing_notes: String::new(),
            loaded_wording: Score::NEUTRAL,
            framing: Score::NEUTRAL,
            one_sidedness: Score::NEUTRAL,
        },
        counter_argument: String::new(),
        sources: (0..sources).map(source).collect(),
        source_count: 1,
        update_count: 0,
        sentiment: Score::NEUTRAL,
        tags: Vec::new(),
        entities: Vec::new(),
        events: Vec::new(),
        data_points: Vec::new(),
        contradictions: Vec::new(),
        language: "en".to_owned(),
        simulated: false,
        split: model::Split::default(),
        merged: model::Merged::default(),
    }
}

fn length(value: &Value) -> usize {
    value.as_str().unwrap().encode_utf16().count()
}

/// The limits that api.slack.com publishes for blocks.
fn check_slack(message: &Value) {
    assert!((1..=4_000).contains(&length(&message["text"])));
    let blocks = message["blocks"].as_array().unwrap();
    assert!((1..=50).contains(&blocks.len()));
    for block in blocks {
        match block["type"].as_str().unwrap() {
            "header" => assert!((1..=150).contains(&length(&block["text"]["text"]))),
            "section" => assert!((1..=3_000).contains(&length(&block["text"]["text"]))),
            "context" => {
                let elements = block["elements"].as_array().unwrap();
                assert!((1..=10).contains(&elements.len()));
                for element in elements {
                    assert!((1..=2_000).contains(&length(&element["text"])), "{element}");
                }
            }
            other => panic!("{other}"),
        }
    }
}

/// The limits that discord.com publishes for embeds.
fn check_discord(message: &Value) {
    let embeds = message["embeds"].as_array().unwrap();
    assert!((1..=10).contains(&embeds.len()));
    let mut sum = 0;
    for embed in embeds {
        assert!((1..=256).contains(&length(&embed["title"])));
        assert!(length(&embed["description"]) <= 4_096);
        assert!((1..=2_048).contains(&length(&embed["footer"]["text"])));
        sum += length(&embed["title"]) + length(&embed["description"]);
        sum += length(&embed["footer"]["text"]);
        let fields = embed["fields"].as_array().unwrap();
        assert!(fields.len() <= 25);
        for field in fields {
            assert!((1..=256).contains(&length(&field["name"])));
            assert!((1..=1_024).contains(&length(&field["value"])));
            sum += length(&field["name"]) + length(&field["value"]);
        }
        if let Some(url) = embed["url"].as_str() {
            assert!(url.starts_with("http") && url.len() <= 2_048);
        }
    }
    assert!(sum <= 6_000, "{sum}");
    assert_eq!(message["allowed_mentions"]["parse"], serde_json::json!([]));
}

#[test]
fn every_brief_fits() {
    let texts = [
        String::new(),
        " ".to_owned(),
        "Rates fall".to_owned(),
        "&".repeat(10_000),
        "<@everyone> ".repeat(2_000),
        "\u{1F680}".repeat(5_000),
        "*_~`|>".repeat(3_000),
        "Ä\u{301}".repeat(150),
    ];
    let kinds = [
        OutboxKind::BriefPublished,
        OutboxKind::BriefTrending,
        OutboxKind::BriefCorrected,
    ];
    for headline in &texts {
        for summary in &texts {
            for sources in [0, 1, 400] {
                let brief = brief(headline, summary, sources);
                for kind in kinds {
                    check_slack(&slack(kind, &brief));
                    check_discord(&discord(kind, &brief));
                }
            }
        }
    }
}

#[test]
fn nothing_in_a_headline_has_a_meaning_of_its_own() {
    let brief = brief(
        "<!channel> A & B [x](https://y.example) @here",
        "**bold**",
        1,
    );
    let slack = slack(OutboxKind::BriefPublished, &brief);
    assert_eq!(slack["blocks"][1]["text"]["text"], "**bold**");
    let text = slack["text"].as_str().unwrap();
    assert!(text.contains("&lt;!channel&gt; A &amp; B"), "{text}");
    let discord = discord(OutboxKind::BriefPublished, &brief);
    let title = discord["embeds"][0]["title"].as_str().unwrap();
    assert!(
        title.contains("\\[x\\]\\(") && title.contains("\\@here"),
        "{title}"
    );
    assert_eq!(discord["embeds"][0]["description"], "\\*\\*bold\\*\\*");
}

#[test]
fn no_replacement_is_cut() {
    for most in 5..40 {
        let text = slack_text(&"<".repeat(100), most);
        assert!(
            text.ends_with('…') && text.chars().count() <= most,
            "{text}"
        );
        let replaced = text.trim_end_matches('…');
        assert_eq!(replaced, "&lt;".repeat(replaced.len() / 4));
    }
}

#[test]
fn one_source_is_one_source() {
    for (count, words) in [(0, "0 sources"), (1, "1 source"), (2, "2 sources")] {
        let brief = brief("Rates fall", "They do.", count);
        let said = about(OutboxKind::BriefPublished, &brief);
        assert!(said.contains(&format!(" · {words} · ")), "{said}");
    }
}
