use model::Category;
use text::embedding::embed;

use super::*;
use crate::Index;
use crate::vectors::tests::{indexed, sentence};

/// What is found, with its likeness.
fn ask(index: &Index, query: &Embedding, filters: &Filters) -> Vec<(f32, BriefId)> {
    let found = nearest(
        &index.view(),
        &Likeness {
            vector: query,
            filters,
            as_of: None,
            least: 0.2,
            keep: 20,
            leave_out: &[],
        },
    );
    let found = found.unwrap().into_iter();
    found.map(|hit| (hit.key as f32, hit.brief_id)).collect()
}

/// The same by comparing the text of everything, without an index.
fn compare_all(count: u64, query: &Embedding, category: Option<usize>) -> Vec<f32> {
    let categories = Category::ALL.len() as u64;
    let mut all: Vec<f32> = (0..count)
        .filter(|number| category.is_none_or(|wanted| number % categories == wanted as u64))
        .map(|number| similarity(query, &embed(&sentence(number))))
        .filter(|likeness| *likeness >= 0.2)
        .collect();
    all.sort_unstable_by(|a, b| b.total_cmp(a));
    all.truncate(20);
    all
}

#[test]
fn none_of_the_nearest_is_missed() {
    const COUNT: u64 = 12_000;
    let index = indexed(COUNT);
    let one_category = Filters {
        categories: vec![Category::ALL[3]],
        ..Filters::default()
    };
    for number in (0..20).map(|number| number * 7_001 + 3) {
        let query = embed(&sentence(number));
        for (filters, category) in [(&Filters::default(), None), (&one_category, Some(3))] {
            let found = ask(&index, &query, filters);
            let likeness: Vec<f32> = found.iter().map(|(likeness, _)| *likeness).collect();
            assert_eq!(likeness, compare_all(COUNT, &query, category));
        }
    }
}
