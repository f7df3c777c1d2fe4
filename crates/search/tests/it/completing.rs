//! Headlines for a text that is still being typed.

use model::{Category, Timestamp};
use search::{CompletionRequest, Index, RevisionDocument};

use crate::sample::{START, at, written};

const LATER: Timestamp = START.plus_ms(Timestamp::HOUR_MS);

fn index() -> Index {
    let index = Index::in_memory().unwrap();
    let mut writer = index.writer().unwrap();
    let mut put = |number: u128, headline: &str, category, known_from, known_to| {
        let mut brief = written(number, headline, "A summary.", "A body.");
        brief.category = category;
        brief.published_at = START.plus_ms(number as i64);
        writer
            .put(&RevisionDocument {
                brief: &brief,
                known_from,
                known_to,
            })
            .unwrap();
    };
    let end = Timestamp::END;
    put(1, "Central bank holds rates", Category::Economy, START, end);
    put(2, "Banks in São Paulo rally", Category::Markets, START, end);
    put(3, "Bankers are rallying", Category::Markets, START, LATER);
    put(4, "Harbor bridge collapses", Category::World, LATER, end);
    writer.commit(&at(1)).unwrap();
    index
}

fn complete(text: &str) -> CompletionRequest {
    CompletionRequest {
        text: text.to_owned(),
        limit: 10,
        ..CompletionRequest::default()
    }
}

fn numbers(index: &Index, request: &CompletionRequest) -> Vec<u128> {
    index
        .complete(request)
        .unwrap()
        .iter()
        .map(|found| found.brief_id.0.as_u128())
        .collect()
}

#[test]
fn the_last_word_may_go_on() {
    let index = index();
    let check = |text: &str, expected: &[u128]| {
        assert_eq!(numbers(&index, &complete(text)), expected, "{text:?}");
    };
    check("ban", &[2, 1]);
    check("BANK h", &[]);
    check("bank ho", &[1]);
    check("central banks ", &[1]);
    check("sao", &[2]);
    check("rallying", &[2]);
    check("b", &[]);
    check("nothing", &[]);
    check("", &[]);
    check("ban zzz", &[]);
}

#[test]
fn categories_times_and_limits_hold() {
    let index = index();
    let narrow = CompletionRequest {
        categories: vec![Category::Economy],
        ..complete("ban")
    };
    assert_eq!(numbers(&index, &narrow), [1]);
    let then = CompletionRequest {
        as_of: Some(START),
        ..complete("bank")
    };
    assert_eq!(numbers(&index, &then), [3, 2, 1]);
    let one = CompletionRequest {
        limit: 1,
        ..complete("ban")
    };
    assert_eq!(numbers(&index, &one), [2]);
    let none = CompletionRequest {
        limit: 0,
        ..complete("ban")
    };
    assert!(numbers(&index, &none).is_empty());
    assert_eq!(
        index.complete(&complete("harb")).unwrap()[0].headline,
        "Harbor bridge collapses"
    );
}
