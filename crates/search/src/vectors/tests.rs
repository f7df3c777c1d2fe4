use std::collections::HashSet;

use model::{Category, Timestamp};
use text::embedding::similarity;

use super::*;
use crate::{Checkpoint, Index, RevisionDocument};

/// Sentences made from some sixty words, so that some are similar and most are not.
pub(crate) fn sentence(number: u64) -> String {
    let who = "bank government airline farmers court team museum police hospital startup miners union company senate army";
    let does = "raises cuts opens closes sues praises delays approves rejects launches wins loses buys sells plans";
    let what = "rates taxes flights harvest ruling title exhibition arrests vaccine funding copper wages shares budget troops";
    let place = "london tokyo berlin lagos lima delhi sydney cairo toronto madrid oslo warsaw seoul dublin nairobi";
    let words = |list: &'static str| list.split(' ').collect::<Vec<_>>();
    let lists = [words(who), words(does), words(what), words(place)];
    // A multiplier without common factors spreads the combinations.
    let mut rest = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    let chosen = (0..2).flat_map(|_| &lists).map(|list| {
        let word = list[(rest % list.len() as u64) as usize];
        rest /= list.len() as u64;
        word
    });
    chosen.collect::<Vec<_>>().join(" ")
}

fn sentences(count: u64) -> Vec<Embedding> {
    (0..count).map(|number| embed(&sentence(number))).collect()
}

/// An index of this number of sentences, with categories in turn.
pub(crate) fn indexed(count: u64) -> Index {
    let index = Index::in_memory().unwrap();
    let mut writer = index.writer().unwrap();
    for number in 0..count {
        let category = Category::ALL[(number % Category::ALL.len() as u64) as usize];
        let brief = brief(number, &sentence(number), category);
        let document = RevisionDocument {
            brief: &brief,
            known_from: brief.published_at,
            known_to: Timestamp::END,
        };
        writer.put(&document).unwrap();
    }
    writer.commit(&Checkpoint::default()).unwrap();
    index
}

fn brief(number: u64, headline: &str, category: Category) -> Brief {
    let score = 0.5;
    let id = format!("00000000-0000-7000-8000-{number:012x}");
    let at = "2026-03-01T00:00:00Z";
    let brief = serde_json::json!({
        "id": id, "public_id": format!("PR-2026-0301-{number}"), "revision": 1, "headline": headline, "summary": "",
        "body": "", "sentences": [], "category": category, "published_at": at, "updated_at": at,
        "confidence": {"score": score, "corroboration": score, "source_trust": score, "agreement": score, "freshness": score},
        "bias": {"score": score, "direction": "none", "framing_notes": "", "loaded_wording": score, "framing": score,
                 "one_sidedness": score},
        "counter_argument": "", "sources": [], "source_count": 1, "update_count": 0, "sentiment": score, "tags": [],
        "entities": [], "language": "en", "simulated": false,
    });
    serde_json::from_value(brief).unwrap()
}

#[test]
fn every_document_lies_in_one_cell_with_its_vector() {
    let vectors = sentences(20_000);
    let arranged = Vectors::arrange(vectors.clone());
    assert!(arranged.cells().len() > 20, "{}", arranged.cells().len());
    let mut seen = HashSet::new();
    for place in arranged.cells().iter().flat_map(|cell| cell.places.clone()) {
        let document = arranged.document(place);
        assert!(seen.insert(document));
        assert_eq!(arranged.get(document), vectors[document as usize]);
    }
    assert_eq!(seen.len(), vectors.len());
}

#[test]
fn few_documents_are_one_cell_in_their_order() {
    let vectors = sentences(100);
    let arranged = Vectors::arrange(vectors.clone());
    assert_eq!(arranged.cells().len(), 1);
    assert_eq!(arranged.cells()[0].places, 0..100);
    assert_eq!(arranged.document(7), 7);
    assert_eq!(arranged.get(7), vectors[7]);
    assert!(arranged.get(100).is_zero());
}

#[test]
fn equal_vectors_and_none_at_all_are_parted_without_end() {
    let same = vec![embed("rates rise"); 10_000];
    assert_eq!(Vectors::arrange(same).cells().len(), 1);
    let nothing = vec![Embedding::ZERO; 10_000];
    assert_eq!(Vectors::arrange(nothing).cells().len(), 1);
    assert!(Vectors::arrange(Vec::new()).get(0).is_zero());
}

#[test]
fn what_is_alike_lies_in_the_first_cells() {
    let vectors = sentences(20_000);
    let arranged = Vectors::arrange(vectors.clone());
    let (mut found, mut all) = (0, 0);
    for query in vectors.iter().step_by(1_000) {
        let mut cells: Vec<&Cell> = arranged.cells().iter().collect();
        cells.sort_by(|a, b| similarity(query, &b.centre).total_cmp(&similarity(query, &a.centre)));
        let near = cells[..cells.len() / 5]
            .iter()
            .flat_map(|cell| cell.places.clone())
            .map(|place| similarity(query, &arranged.get(arranged.document(place))));
        let mut likeness: Vec<f32> = vectors.iter().map(|one| similarity(query, one)).collect();
        likeness.sort_by(|a, b| b.total_cmp(a));
        let bar = likeness[19];
        found += near.filter(|one| *one >= bar).count().min(20);
        all += 20;
    }
    // A fifth of the cells, and more than half of the nearest vectors.
    assert!(2 * found > all, "{found} of {all}");
}
