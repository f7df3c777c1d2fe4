//! Which briefs are found, in which order, and how they are shown.

use model::{Category, Score, Timestamp};
use proptest::prelude::*;
use search::{Depth, Filters, Index, RevisionDocument, SearchPage, SearchRequest, Sort};

use crate::sample::{START, at, brief, entity, source, written};

fn index(briefs: &[model::Brief]) -> Index {
    let index = Index::in_memory().unwrap();
    let mut writer = index.writer().unwrap();
    for brief in briefs {
        writer
            .put(&RevisionDocument {
                brief,
                known_from: START,
                known_to: Timestamp::END,
            })
            .unwrap();
    }
    writer.commit(&at(1)).unwrap();
    index
}

fn ask(query: &str) -> SearchRequest {
    SearchRequest {
        query: query.into(),
        depth: Depth::Fast,
        limit: 20,
        ..SearchRequest::default()
    }
}

fn numbers(page: &SearchPage) -> Vec<u128> {
    page.hits
        .iter()
        .map(|hit| hit.brief_id.0.as_u128())
        .collect()
}

fn news() -> Vec<model::Brief> {
    let mut chips = written(
        1,
        "Nvidia's shares rally",
        "The chip maker gains 3.5% in New York.",
        "Analysts were surprised.",
    );
    chips.entities = vec![
        entity("NVIDIA Corporation", Some("NVDA")),
        entity("Advanced Micro Devices", Some("AMD")),
    ];
    chips.tags = vec!["semiconductors".into()];
    let mut cars = written(
        2,
        "Carmaker recalls vehicles",
        "Brakes <may> fail & squeal.",
        "The U.S. regulator said nvidia chips were not to blame.",
    );
    cars.entities = vec![entity("Tesla", Some("TSLA"))];
    cars.tags = vec!["recall".into(), "semiconductors".into()];
    let bank = written(
        3,
        "Bank of Japan holds rates",
        "São Paulo traders cheer.",
        "東京市場 closed higher, covid-19 notwithstanding.",
    );
    vec![chips, cars, bank]
}

#[test]
fn words_are_found_in_every_part_and_form() {
    let index = index(&news());
    let check = |query: &str, expected: &[u128]| {
        let page = index.search(&ask(query)).unwrap();
        let mut found = numbers(&page);
        found.sort_unstable();
        assert_eq!(found, expected, "{query:?}");
        assert_eq!(page.total, expected.len() as u64, "{query:?}");
    };
    check("rallied", &[1]);
    check("NVIDIA", &[1, 2]);
    check("nvda", &[1]);
    check("$TSLA", &[2]);
    check("3.5%", &[1]);
    check("US regulators", &[2]);
    check("sao paulo", &[3]);
    check("\"bank of japan\"", &[3]);
    check("\"japan of bank\"", &[]);
    check("東京", &[3]);
    check("京東", &[]);
    check("covid-19", &[3]);
    check("COVID 19", &[3]);
    check("semiconductor", &[1, 2]);
    check("semiconductor -recall", &[1]);
    check("semiconductor NOT (recall OR tesla)", &[1]);
    check("recall OR japan", &[2, 3]);
    check("(recall OR japan) AND traders", &[3]);
    check("headline:japan", &[3]);
    check("the", &[1, 2]);
    check("?", &[]);
    check("-nvidia", &[]);
}

#[test]
fn any_word_will_do_when_no_brief_has_all() {
    let index = index(&news());
    let both = index.search(&ask("nvidia regulator")).unwrap();
    assert_eq!(numbers(&both), [2]);
    let either = index.search(&ask("rally recall zebra")).unwrap();
    assert_eq!(either.total, 2);
    let must = index.search(&ask("rally AND recall")).unwrap();
    assert_eq!(must.total, 0);
    let exact = index.search(&ask("\"bank of japan\" zebra")).unwrap();
    assert_eq!(numbers(&exact), [3]);
}

#[test]
fn the_headline_weighs_more_than_the_body() {
    let index = index(&news());
    let page = index.search(&ask("nvidia")).unwrap();
    assert_eq!(numbers(&page), [1, 2]);
    assert!(page.hits[0].score > page.hits[1].score && page.hits[1].score > 0.0);
}

#[test]
fn what_is_new_and_well_supported_comes_first_among_equals() {
    let mut old = written(1, "Oil falls", "", "");
    old.published_at = START.plus_ms(-30 * Timestamp::DAY_MS);
    let new = written(2, "Oil falls", "", "");
    let mut sure = written(3, "Oil falls", "", "");
    sure.confidence.score = Score::ONE;
    let page = index(&[old, new, sure]).search(&ask("oil")).unwrap();
    assert_eq!(numbers(&page), [3, 2, 1]);
}

#[test]
fn hits_are_marked_and_escaped() {
    let index = index(&news());
    let page = index.search(&ask("recalling squeals")).unwrap();
    let highlight = &page.hits[0].highlight;
    assert_eq!(highlight.headline, "Carmaker <mark>recalls</mark> vehicles");
    assert_eq!(
        highlight.summary,
        "Brakes &lt;may&gt; fail &amp; <mark>squeal</mark>."
    );
}

#[test]
fn related_queries_are_shared_topics() {
    let index = index(&news());
    let page = index.search(&ask("nvidia")).unwrap();
    assert_eq!(
        page.related_queries.first().map(String::as_str),
        Some("semiconductors")
    );
    assert!(page.related_queries.contains(&"Tesla".to_owned()));
    assert!(page.related_queries.len() <= 6);
    let one = index
        .search(&SearchRequest {
            limit: 1,
            offset: 1,
            ..ask("nvidia")
        })
        .unwrap();
    assert_eq!(one.related_queries, page.related_queries);
}

#[test]
fn facets_count_all_matches_and_pages_join() {
    let mut briefs = Vec::new();
    for number in 0..57 {
        let mut brief = written(number, "Oil again", "", "");
        brief.category = if number % 3 == 0 {
            Category::Energy
        } else {
            Category::Markets
        };
        brief.sources = vec![source("example.com")];
        briefs.push(brief);
    }
    let index = index(&briefs);
    for sort in [
        Sort::Relevance,
        Sort::Newest,
        Sort::Oldest,
        Sort::Confidence,
        Sort::MostSources,
    ] {
        let mut joined = Vec::new();
        for offset in (0..70).step_by(10) {
            let page = index
                .search(&SearchRequest {
                    sort,
                    offset,
                    limit: 10,
                    ..ask("oil")
                })
                .unwrap();
            assert_eq!(page.total, 57);
            assert_eq!(
                page.facets,
                [(Category::Markets, 38), (Category::Energy, 19)]
            );
            assert!(
                page.hits
                    .iter()
                    .all(|hit| hit.score.is_finite() && hit.score > 0.0)
            );
            joined.extend(numbers(&page));
        }
        // All are alike, so the greater id comes first.
        assert_eq!(joined, (0..57).rev().collect::<Vec<u128>>(), "{sort:?}");
    }
    let none = index
        .search(&SearchRequest {
            limit: 0,
            ..ask("oil")
        })
        .unwrap();
    assert_eq!((none.total, none.hits.len()), (57, 0));
    let beyond = index
        .search(&SearchRequest {
            offset: usize::MAX,
            ..ask("oil")
        })
        .unwrap();
    assert_eq!((beyond.total, beyond.hits.len()), (57, 0));
}

#[test]
fn an_empty_index_finds_nothing() {
    let index = Index::in_memory().unwrap();
    assert_eq!(index.search(&ask("oil")).unwrap(), SearchPage::default());
    assert_eq!((index.position(), index.documents()), (0, 0));
    let filters = Filters {
        include_sources: vec!["example.com".into()],
        ..Filters::default()
    };
    let bare = self::index(&[brief(1)]);
    assert_eq!(
        bare.search(&SearchRequest {
            filters,
            ..ask("oil")
        })
        .unwrap()
        .total,
        0
    );
}

#[test]
fn any_query_is_answered() {
    let index = index(&news());
    let parts = prop::sample::select(vec![
        "nvidia", "the", "\"", "(", ")", "-", " AND ", " OR ", " NOT ", " ", ":", "*", "é", "東京",
        "3.5%", "/", "~", "^",
    ]);
    let syntax = prop::collection::vec(parts, 0..24).prop_map(|parts| parts.concat());
    let mut runner = proptest::test_runner::TestRunner::default();
    runner
        .run(&prop_oneof![syntax, any::<String>()], |query| {
            let page = index
                .search(&ask(&query))
                .map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert!(page.total <= 3 && page.hits.len() as u64 == page.total);
            prop_assert_eq!(
                page.facets.iter().map(|(_, count)| count).sum::<u64>(),
                page.total
            );
            prop_assert!(
                page.hits
                    .iter()
                    .all(|hit| hit.score.is_finite() && hit.score >= 0.0)
            );
            Ok(())
        })
        .unwrap();
}
