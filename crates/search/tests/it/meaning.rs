//! What meaning adds to words: the order, the further hits, and what is like a brief.

use model::{Brief, BriefId, Category, Score, Timestamp};
use search::{Depth, Filters, Index, RevisionDocument, SearchRequest, Similar, Sort};
use uuid::Uuid;

use crate::sample::{START, at, brief, source, written};

const CARS: u128 = 1;
const RATES: u128 = 2;
const FOOTBALL: u128 = 3;
const VACCINE: u128 = 4;

fn news() -> Vec<Brief> {
    let mut briefs = vec![
        written(
            CARS,
            "Automobile maker cuts thousands of jobs",
            "The vehicle manufacturer will close two plants.",
            "Employees protested.",
        ),
        written(
            RATES,
            "Central bank lifts borrowing costs",
            "Policymakers want to curb inflation.",
            "Mortgages become dearer.",
        ),
        written(
            FOOTBALL,
            "Striker scores twice in cup final",
            "The club wins its third title.",
            "Fans celebrated.",
        ),
        written(
            VACCINE,
            "Malaria vaccine protects infants",
            "Doctors call the trial a success.",
            "Clinics in Ghana take part.",
        ),
    ];
    for (brief, category) in briefs.iter_mut().zip([
        Category::Business,
        Category::Economy,
        Category::Sports,
        Category::Health,
    ]) {
        brief.category = category;
        brief.sources = vec![source("courier.example")];
    }
    briefs
}

fn index(briefs: &[Brief]) -> Index {
    let index = Index::in_memory().unwrap();
    put(&index, briefs, START, Timestamp::END);
    index
}

fn put(index: &Index, briefs: &[Brief], known_from: Timestamp, known_to: Timestamp) {
    let mut writer = index.writer().unwrap();
    for brief in briefs {
        writer
            .put(&RevisionDocument {
                brief,
                known_from,
                known_to,
            })
            .unwrap();
    }
    writer.commit(&at(index.position() + 1)).unwrap();
}

fn ask(query: &str) -> SearchRequest {
    SearchRequest {
        query: query.into(),
        limit: 100,
        ..SearchRequest::default()
    }
}

/// Number of the brief, and whether it was added.
fn hits(index: &Index, request: &SearchRequest) -> Vec<(u128, bool)> {
    let page = index.search(request).unwrap();
    page.hits
        .iter()
        .map(|hit| (hit.brief_id.0.as_u128(), hit.by_meaning))
        .collect()
}

#[test]
fn other_words_for_the_same_thing_are_found_and_marked() {
    let index = index(&news());
    let request = ask("carmaker layoffs");
    let page = index.search(&request).unwrap();
    assert_eq!((page.total, page.facets.len()), (0, 0));
    assert_eq!(hits(&index, &request), [(CARS, true)]);
    assert_eq!(
        page.hits[0].highlight.headline,
        "Automobile maker cuts thousands of jobs"
    );

    let both = ask("interest rate rise inflation");
    assert_eq!(hits(&index, &both)[0], (RATES, false));
    assert_eq!(index.search(&both).unwrap().total, 1);
}

#[test]
fn nothing_is_added_where_words_alone_are_asked_for() {
    let index = index(&news());
    let check = |request: SearchRequest| {
        let found = hits(&index, &request);
        assert!(
            found.iter().all(|(_, added)| !added),
            "{request:?}: {found:?}"
        );
    };
    check(SearchRequest {
        depth: Depth::Fast,
        ..ask("carmaker layoffs")
    });
    check(SearchRequest {
        sort: Sort::Newest,
        ..ask("carmaker layoffs")
    });
    for query in [
        "\"carmaker layoffs\"",
        "carmaker AND layoffs",
        "carmaker OR layoffs",
        "carmaker layoffs -plants",
        "carmaker layoffs NOT (plants)",
        "the of and",
        "?!",
        "",
    ] {
        check(ask(query));
    }
}

#[test]
fn filters_and_time_hold_for_what_is_added() {
    let mut briefs = news();
    briefs[0].confidence.score = Score::clamped(0.6);
    briefs[0].bias.score = Score::clamped(0.3);
    let index = index(&briefs);
    let with = |filters: Filters| SearchRequest {
        filters,
        ..ask("carmaker layoffs")
    };
    let later = START.plus_ms(Timestamp::HOUR_MS);
    let domains = |domain: &str| vec![domain.to_owned()];
    let none = Filters::default;
    for (kept, left_out) in [
        (
            Filters {
                categories: vec![Category::Business],
                ..none()
            },
            Filters {
                categories: vec![Category::Sports],
                ..none()
            },
        ),
        (
            Filters {
                min_confidence: Some(0.6),
                ..none()
            },
            Filters {
                min_confidence: Some(0.7),
                ..none()
            },
        ),
        (
            Filters {
                min_bias: Some(0.3),
                ..none()
            },
            Filters {
                min_bias: Some(0.4),
                ..none()
            },
        ),
        (
            Filters {
                max_bias: Some(0.3),
                ..none()
            },
            Filters {
                max_bias: Some(0.2),
                ..none()
            },
        ),
        (
            Filters {
                from: Some(START),
                ..none()
            },
            Filters {
                from: Some(later),
                ..none()
            },
        ),
        (
            Filters {
                to: Some(later),
                ..none()
            },
            Filters {
                to: Some(START),
                ..none()
            },
        ),
        (
            Filters {
                include_sources: domains("courier.example"),
                ..none()
            },
            Filters {
                include_sources: domains("tribune.example"),
                ..none()
            },
        ),
        (
            Filters {
                exclude_sources: domains("tribune.example"),
                ..none()
            },
            Filters {
                exclude_sources: domains("courier.example"),
                ..none()
            },
        ),
    ] {
        assert_eq!(
            hits(&index, &with(kept.clone())),
            [(CARS, true)],
            "{kept:?}"
        );
        assert_eq!(hits(&index, &with(left_out.clone())), [], "{left_out:?}");
    }
    let before = START.plus_ms(-1);
    let past = SearchRequest {
        as_of: Some(before),
        ..ask("carmaker layoffs")
    };
    assert_eq!(hits(&index, &past), []);
}

#[test]
fn meaning_reorders_but_changes_no_count() {
    // All match by the word; one of them is about what the query means.
    let mut briefs: Vec<Brief> = (10..60)
        .map(|number| {
            written(
                number,
                "Apple apple orchard",
                "Fruit farmers pick apples.",
                "",
            )
        })
        .collect();
    briefs.push(written(
        99,
        "Phone maker unveils new handset",
        "Apple presents a faster smartphone and a laptop.",
        "",
    ));
    let index = index(&briefs);
    let standard = ask("apple smartphone laptop");
    let standard = SearchRequest {
        query: "apple".into(),
        ..standard
    };
    let fast = SearchRequest {
        depth: Depth::Fast,
        ..standard.clone()
    };
    let (by_words, by_both) = (
        index.search(&fast).unwrap(),
        index.search(&standard).unwrap(),
    );
    assert_eq!(
        (by_words.total, &by_words.facets),
        (by_both.total, &by_both.facets)
    );
    assert!(by_both.hits.iter().all(|hit| !hit.by_meaning));
    let sorted = |hits: Vec<(u128, bool)>| {
        let mut hits = hits;
        hits.sort_unstable();
        hits
    };
    assert_eq!(sorted(hits(&index, &fast)), sorted(hits(&index, &standard)));

    let meant = SearchRequest {
        query: "apple OR iphone OR smartphones".into(),
        ..standard
    };
    assert_eq!(hits(&index, &meant)[0], (99, false));
}

#[test]
fn pages_are_parts_of_one_order() {
    let briefs: Vec<Brief> = (1..=320)
        .map(|number| {
            let words = [
                "oil prices",
                "gold mine",
                "football match",
                "bank rates",
                "new phone",
            ];
            let about = words[number as usize % 5];
            written(
                number,
                &format!("Report about {about} {number}"),
                "A report.",
                "",
            )
        })
        .collect();
    let index = index(&briefs);
    for depth in [Depth::Standard, Depth::Deep] {
        let request = SearchRequest {
            depth,
            limit: 400,
            ..ask("report market")
        };
        let whole = hits(&index, &request);
        assert_eq!(whole.len(), 320);
        let mut parts = Vec::new();
        for offset in (0..320).step_by(30) {
            parts.extend(hits(
                &index,
                &SearchRequest {
                    offset,
                    limit: 30,
                    ..request.clone()
                },
            ));
        }
        assert_eq!(parts, whole);
        let page = index.search(&request).unwrap();
        assert!(page.hits.is_sorted_by(|a, b| a.score >= b.score));
    }
}

#[test]
fn a_deep_search_reads_the_sentences() {
    let filler = "It was a long day. Many people spoke. Nothing was decided.";
    let mut briefs: Vec<Brief> = (1..=12)
        .map(|number| {
            written(
                number,
                "Minister visits battery factory",
                "A visit to the battery works.",
                &format!("{filler} The lithium deal was not discussed. Prices fell elsewhere."),
            )
        })
        .collect();
    briefs.push(written(
        77,
        "Minister visits battery factory",
        "A visit to the battery works.",
        &format!("{filler} Lithium prices fell by half this year."),
    ));
    let index = index(&briefs);
    let request = SearchRequest {
        depth: Depth::Deep,
        ..ask("lithium prices fell")
    };
    let found = hits(&index, &request);
    assert_eq!((found.len(), found[0]), (13, (77, false)));
}

fn numbers(similar: &[Similar]) -> Vec<u128> {
    similar
        .iter()
        .map(|like| like.brief_id.0.as_u128())
        .collect()
}

#[test]
fn similar_briefs_are_those_of_like_meaning() {
    let mut briefs = news();
    briefs.push(written(
        8,
        "Car manufacturer plans layoffs",
        "Workers at the vehicle plants lose their jobs.",
        "",
    ));
    briefs.push(brief(9));
    let index = index(&briefs);
    let none = Filters::default();
    let like = index.similar(&briefs[4], &none, None, 10).unwrap();
    assert_eq!(numbers(&like)[0], CARS);
    assert!(like.iter().all(|like| like.brief_id != briefs[4].id));
    assert!(
        like.iter()
            .all(|like| like.similarity > 0.0 && like.similarity <= 1.0)
    );
    assert!(like.is_sorted_by(|a, b| a.similarity >= b.similarity));
    assert!(like[0].similarity > 0.5);
    assert_eq!(index.similar(&briefs[4], &none, None, 1).unwrap().len(), 1);
    assert_eq!(index.similar(&briefs[4], &none, None, 0).unwrap(), []);
    assert_eq!(index.similar(&briefs[5], &none, None, 10).unwrap(), []);
    let sports = Filters {
        categories: vec![Category::Sports],
        ..none
    };
    let like = index.similar(&briefs[4], &sports, None, 10).unwrap();
    assert!(numbers(&like).iter().all(|number| *number == FOOTBALL));
}

#[test]
fn similar_answers_from_the_revisions_of_the_time() {
    let briefs = news();
    let index = index(&briefs);
    let changed = START.plus_ms(Timestamp::HOUR_MS);
    put(&index, &briefs[..1], START, changed);
    let mut later = briefs[0].clone();
    later.revision = 2;
    put(&index, &[later], changed, Timestamp::END);
    let mut asked = written(50, "Automobile jobs cut", "Vehicle plants close.", "");
    asked.id = BriefId(Uuid::from_u128(50));
    let first = |as_of| {
        let like = index
            .similar(&asked, &Filters::default(), as_of, 1)
            .unwrap();
        like.first()
            .map(|like| (like.brief_id.0.as_u128(), like.revision))
    };
    assert_eq!(first(None), Some((CARS, 2)));
    assert_eq!(first(Some(START)), Some((CARS, 1)));
    assert_eq!(first(Some(changed)), Some((CARS, 2)));
    assert_eq!(first(Some(START.plus_ms(-1))), None);
}

#[test]
fn vectors_stay_with_their_briefs_through_merges_and_restarts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    let briefs = news();
    let answer = |index: &Index| {
        index
            .similar(&briefs[1], &Filters::default(), None, 10)
            .unwrap()
    };
    let expected = {
        let index = Index::open(&path).unwrap();
        // Briefs without a vector lie between the others.
        for round in 0..12_u128 {
            let empty = brief(1000 + round);
            put(
                &index,
                &[empty, briefs[round as usize % 4].clone()],
                START,
                Timestamp::END,
            );
        }
        let before = answer(&index);
        index.writer().unwrap().finish().unwrap();
        assert_eq!(answer(&index), before);
        before
    };
    assert!(!expected.is_empty());
    assert_eq!(answer(&Index::open(&path).unwrap()), expected);
}
