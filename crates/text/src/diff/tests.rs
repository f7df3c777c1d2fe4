use model::{
    ArticleId, BiasDirection, BriefBias, BriefConfidence, BriefId, Category, DataPoint,
    PublicBriefId, Score, Timestamp, TrustLevel,
};
use proptest::prelude::*;
use uuid::Uuid;

use super::*;

/// A revision with these sentences, from this many sources.
fn revision(number: u32, sentences: &[&str], sources: u8) -> Brief {
    let half = Score::NEUTRAL;
    let time = Timestamp::from_ms(1_700_000_000_000);
    Brief {
        id: BriefId(Uuid::nil()),
        public_id: PublicBriefId::new(time, 1),
        revision: number,
        headline: String::new(),
        summary: sentences.join(" "),
        body: String::new(),
        sentences: sentences
            .iter()
            .map(|text| SourcedSentence {
                section: Section::Summary,
                text: (*text).to_owned(),
                sources: vec![0],
            })
            .collect(),
        category: Category::World,
        published_at: time,
        updated_at: time,
        confidence: BriefConfidence {
            score: half,
            corroboration: half,
            source_trust: half,
            agreement: half,
            freshness: half,
        },
        bias: BriefBias {
            score: half,
            direction: BiasDirection::None,
            framing_notes: String::new(),
            loaded_wording: half,
            framing: half,
            one_sidedness: half,
        },
        counter_argument: String::new(),
        sources: (0..sources)
            .map(|number| BriefSource {
                article_id: ArticleId(Uuid::from_u128(u128::from(number))),
                name: format!("Outlet {number}"),
                url: format!("https://outlet{number}.example/"),
                domain: format!("outlet{number}.example"),
                trust_level: TrustLevel::Medium,
                title: String::new(),
                published_at: time,
                known_at: time,
                copy_of: None,
                via: None,
            })
            .collect(),
        source_count: u32::from(sources),
        update_count: 0,
        sentiment: half,
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

fn point(measure: &str, entity: &str, value: f64, printed: &str) -> DataPoint {
    DataPoint {
        kind: DataPointKind::Money,
        value,
        unit: "USD".to_owned(),
        printed: printed.to_owned(),
        context: String::new(),
        measure: Some(measure.to_owned()),
        entity: Some(entity.to_owned()),
    }
}

fn change(before: Option<&str>, after: Option<&str>) -> (Option<String>, Option<String>) {
    (before.map(str::to_owned), after.map(str::to_owned))
}

#[test]
fn sentences_come_go_and_stay() {
    let before = revision(
        1,
        &[
            "The ferry ran aground off Marn on Sunday.",
            "At least 12 people were killed.",
            "The cause is not known.",
        ],
        1,
    );
    let mut after = revision(
        2,
        &[
            "At least 14 people were killed, the coast guard said.",
            "The ferry ran  aground off Marn on Sunday.",
            "Divers reached the wreck by noon.",
        ],
        3,
    );
    after.sentences[1].section = Section::Body;
    let difference = compare(&before, &after);
    assert_eq!(difference.kept, 1, "it only moved, and lost a space");
    let added: Vec<(&str, Option<&str>)> = difference
        .added
        .iter()
        .map(|added| (added.sentence.text.as_str(), added.replaces))
        .collect();
    assert_eq!(
        added,
        [
            (
                "At least 14 people were killed, the coast guard said.",
                None
            ),
            ("Divers reached the wreck by noon.", None)
        ]
    );
    assert_eq!(difference.removed.len(), 2);
    assert_eq!(difference.sources_added.len(), 2);
    assert!(difference.sources_removed.is_empty());
    let figures: Vec<_> = difference.figures;
    assert_eq!(figures.len(), 1, "{figures:?}");
    assert_eq!(figures[0].measure, "killed");
    assert_eq!(
        (figures[0].before.clone(), figures[0].after.clone()),
        change(Some("12 people"), Some("14 people"))
    );
}

#[test]
fn a_reworded_sentence_names_the_one_it_replaces() {
    let before = revision(1, &["Nimbus will open a plant in Harborview in May."], 1);
    let after = revision(2, &["Nimbus will open a plant in Harborview in June."], 1);
    let difference = compare(&before, &after);
    assert_eq!(
        difference.added[0].replaces,
        Some("Nimbus will open a plant in Harborview in May.")
    );
}

#[test]
fn a_repeated_sentence_is_matched_as_often_as_it_stands() {
    let once = revision(1, &["It rained."], 1);
    let twice = revision(2, &["It rained.", "It rained."], 1);
    assert_eq!(compare(&once, &twice).added.len(), 1);
    assert_eq!(compare(&twice, &once).removed.len(), 1);
}

#[test]
fn figures_of_one_measure_and_entity_change_and_others_come() {
    let mut before = revision(1, &[], 1);
    before.data_points = vec![
        point("revenue", "Nimbus", 3e9, "$3 billion"),
        point("profit", "Nimbus", 1e9, "$1 billion"),
    ];
    let mut after = revision(2, &[], 1);
    after.data_points = vec![
        point("revenue", "Nimbus", 3.2e9, "$3.2 billion"),
        point("revenue", "Quill", 3e9, "$3bn"),
    ];
    let found: Vec<_> = compare(&before, &after)
        .figures
        .into_iter()
        .map(|figure| {
            (
                figure.measure,
                figure.entity.unwrap_or_default(),
                figure.before,
                figure.after,
            )
        })
        .collect();
    let row = |measure: &str, entity: &str, before: Option<&str>, after: Option<&str>| {
        let (before, after) = change(before, after);
        (measure.to_owned(), entity.to_owned(), before, after)
    };
    assert_eq!(
        found,
        [
            row(
                "revenue",
                "Nimbus",
                Some("$3 billion"),
                Some("$3.2 billion")
            ),
            row("revenue", "Quill", None, Some("$3bn")),
            row("profit", "Nimbus", Some("$1 billion"), None),
        ]
    );
}

#[test]
fn sums_of_money_without_a_name_are_not_taken_for_each_other() {
    let before = revision(1, &["The bridge cost $5 million."], 1);
    let after = revision(2, &["The bank lost $9 billion."], 1);
    let figures = compare(&before, &after).figures;
    assert_eq!(figures.len(), 2);
    assert!(
        figures
            .iter()
            .all(|figure| figure.before.is_none() != figure.after.is_none())
    );
}

proptest! {
    #[test]
    fn every_sentence_is_kept_added_or_removed(
        old in proptest::collection::vec("[ab]{1,2} [ab]{1,2}", 0..8),
        new in proptest::collection::vec("[ab]{1,2} [ab]{1,2}", 0..8),
    ) {
        let old: Vec<&str> = old.iter().map(String::as_str).collect();
        let new: Vec<&str> = new.iter().map(String::as_str).collect();
        let (before, after) = (revision(1, &old, 1), revision(2, &new, 2));
        let difference = compare(&before, &after);
        prop_assert_eq!(difference.kept + difference.removed.len(), old.len());
        prop_assert_eq!(difference.kept + difference.added.len(), new.len());
        let back = compare(&after, &before);
        prop_assert_eq!(back.kept, difference.kept);
    }

    #[test]
    fn a_revision_does_not_differ_from_itself(sentences in proptest::collection::vec("\\PC{0,40}", 0..8)) {
        let sentences: Vec<&str> = sentences.iter().map(String::as_str).collect();
        let revision = revision(1, &sentences, 2);
        let difference = compare(&revision, &revision);
        prop_assert!(difference.added.is_empty() && difference.removed.is_empty() && difference.figures.is_empty());
        prop_assert!(difference.sources_added.is_empty());
    }
}
