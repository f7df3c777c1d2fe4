use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use model::Category;
use proptest::prelude::*;

use super::*;
use crate::kind::Kind;
use crate::testing::markets;

const DAYS: i64 = 90;

fn start() -> Timestamp {
    Timestamp::parse_date("2026-03-02").unwrap()
}

/// One quarter of news, written once for all tests.
fn quarter() -> &'static [RawArticle] {
    static QUARTER: LazyLock<Vec<RawArticle>> = LazyLock::new(|| {
        Newswire::of(markets()).between(start(), start().plus_ms(DAYS * Timestamp::DAY_MS))
    });
    &QUARTER
}

fn body(article: &RawArticle) -> &str {
    article.body.as_deref().unwrap_or_default()
}

#[test]
fn tables_can_be_read() {
    World::parse().unwrap();
}

#[test]
fn the_same_seed_reports_the_same() {
    let to = start().plus_ms(3 * Timestamp::DAY_MS);
    assert_eq!(
        Newswire::without_markets(5).between(start(), to),
        Newswire::without_markets(5).between(start(), to)
    );
    assert_ne!(
        Newswire::without_markets(5).between(start(), to),
        Newswire::without_markets(6).between(start(), to)
    );
}

#[test]
fn a_quarter_is_full_of_news() {
    let articles = quarter();
    assert!(articles.len() >= 1_500, "{}", articles.len());
    let hours: BTreeSet<i64> = articles
        .iter()
        .filter_map(|article| article.first_seen)
        .map(|seen| seen.ms() / Timestamp::HOUR_MS)
        .collect();
    assert!(hours.len() > 1_000, "{} hours with news", hours.len());
    for day in 0..DAYS {
        let date = start().plus_ms(day * Timestamp::DAY_MS).date();
        let count = articles
            .iter()
            .filter(|article| article.first_seen.unwrap().date() == date)
            .count();
        assert!((8..=80).contains(&count), "{count} articles on {date}");
    }
}

#[test]
fn every_category_and_outlet_occurs() {
    for category in Category::ALL {
        let count = quarter()
            .iter()
            .filter(|article| article.categories[0] == category.as_str())
            .count();
        assert!(count >= 30, "{category}: {count}");
    }
    for outlet in outlets() {
        assert!(outlet.domain.ends_with(".example"));
        let address = format!("https://{}/", outlet.domain);
        assert!(
            quarter()
                .iter()
                .any(|article| article.url.starts_with(&address)),
            "{} is silent",
            outlet.domain
        );
    }
    for language in ["fr", "de"] {
        assert!(
            quarter()
                .iter()
                .filter(|article| article.language.as_deref() == Some(language))
                .count()
                >= 20
        );
    }
}

#[test]
fn addresses_are_unique() {
    let addresses: BTreeSet<&str> = quarter()
        .iter()
        .map(|article| article.url.as_str())
        .collect();
    assert_eq!(addresses.len(), quarter().len());
    assert!(
        addresses
            .iter()
            .all(|address| url::Url::parse(address).is_ok() && address.is_ascii())
    );
}

#[test]
fn times_are_in_order_and_in_range() {
    let end = start().plus_ms(DAYS * Timestamp::DAY_MS);
    assert!(quarter().is_sorted_by_key(|article| article.first_seen));
    for article in quarter() {
        let seen = article.first_seen.unwrap();
        assert!((start()..end).contains(&seen));
        assert!(article.published_at.unwrap() <= seen);
    }
}

#[test]
fn everything_is_marked_as_simulated() {
    for article in quarter() {
        assert!(article.simulated);
        let note = body(article).rsplit("\n\n").next().unwrap();
        assert!(note.contains("simul") && note.contains("Assay"), "{note}");
    }
}

#[test]
fn no_gap_is_left_open() {
    for article in quarter() {
        let description = article.description.as_deref().unwrap_or_default();
        for text in [article.title.as_str(), description, body(article)] {
            for mark in [
                "{", "}", "<", ">", "(n)", "  ", "..", "the the ", " a a ", " ,",
            ] {
                let is_clean = !text.replace("...", "").contains(mark);
                assert!(is_clean, "{mark:?} in {text}");
            }
        }
        assert!(!article.title.is_empty());
        assert!(
            article
                .title
                .starts_with(|first: char| !first.is_lowercase()),
            "{}",
            article.title
        );
    }
}

#[test]
fn bodies_have_a_readable_length() {
    for article in quarter() {
        let words = body(article).split_whitespace().count();
        assert!(
            (70..=360).contains(&words),
            "{words} words in {}\n{}",
            article.title,
            body(article)
        );
    }
    let short = quarter()
        .iter()
        .filter(|article| body(article).split_whitespace().count() < 90)
        .count();
    assert!(short * 50 < quarter().len(), "{short} short bodies");
}

#[test]
fn no_real_company_is_harmed() {
    let world = World::get();
    let harmful: Vec<&Kind> = world
        .kinds
        .iter()
        .filter(|kind| kind.harmful || kind.rumour)
        .collect();
    assert!(harmful.len() >= 10);
    for day in start().day()..start().day() + DAYS {
        for story in Newswire::of(markets()).stories_on(day) {
            if !story.kind.harmful && !story.kind.rumour {
                continue;
            }
            let facts = story.facts(None);
            for company in facts.companies() {
                assert!(
                    !company.real && company.ticker.starts_with("ZZ"),
                    "{} in {}",
                    company.name,
                    story.kind.tag
                );
            }
            let assignments = story.assignments();
            let writer = Writer::new(&story, &assignments);
            for article in (0..assignments.len()).filter_map(|index| writer.write(index)) {
                let text = format!("{}\n{}", article.title, body(&article));
                for company in world.companies.iter().filter(|company| company.real) {
                    let ticker = format!("({})", company.ticker);
                    assert!(
                        !text.contains(&ticker),
                        "{} in {}",
                        company.name,
                        article.title
                    );
                }
            }
        }
    }
}

#[test]
fn outlets_disagree_correct_and_copy() {
    let articles = quarter();
    let corrections = articles
        .iter()
        .filter(|article| article.title.starts_with("CORRECTION: "))
        .count();
    let copies = articles.iter().filter(|article| {
        let text = body(article);
        text.contains("\n\n— ") || text.contains("Additional reporting: ")
    });
    assert!((8..200).contains(&corrections), "{corrections} corrections");
    assert!(copies.count() >= 40);
    let contested = (start().day()..start().day() + DAYS)
        .flat_map(|day| Newswire::of(markets()).stories_on(day))
        .filter(|story| {
            story
                .assignments()
                .iter()
                .any(|assignment| assignment.mistaken)
        });
    assert!(contested.count() >= 40);
}

#[test]
fn headlines_of_a_week_are_varied() {
    for week in 0..DAYS / 7 {
        let mut stories: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
        let first = start().day() + week * 7;
        for story in (first..first + 7).flat_map(|day| Newswire::of(markets()).stories_on(day)) {
            for assignment in story.assignments() {
                stories
                    .entry(assignment.head.to_owned())
                    .or_default()
                    .insert(story.seed);
            }
        }
        for (head, tellers) in stories {
            assert!(
                head.is_empty() || tellers.len() <= 5,
                "{head:?} heads {} stories in a week",
                tellers.len()
            );
        }
    }
}

#[test]
fn story_facts_name_the_ticker() {
    let facts = Newswire::without_markets(42).story_facts(start().day(), start().day() + 30);
    assert!(facts.len() >= 40);
    assert!(facts.iter().all(|fact| !fact.ticker.is_empty()));
    assert!(facts.iter().any(|fact| fact.direction == Direction::Down));
}

#[test]
fn a_story_breaks_with_its_first_article() {
    for story in
        (start().day()..start().day() + 30).flat_map(|day| Newswire::of(markets()).stories_on(day))
    {
        let first = story
            .assignments()
            .iter()
            .map(|assignment| assignment.first_seen)
            .min();
        assert_eq!(first, Some(story.breaks_at()), "{}", story.kind.tag);
    }
}

#[test]
fn no_argument_breaks_it() {
    let newswire = Newswire::without_markets(1);
    assert!(newswire.between(start(), start()).is_empty());
    assert!(newswire.between(start().plus_ms(1), start()).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn stretches_can_be_joined(seed: u64, begin in 0_i64..30_000, first in 0_i64..200, second in 0_i64..200) {
        let newswire = Newswire::without_markets(seed);
        let from = Timestamp::start_of_day(begin).plus_ms(first * 977_000);
        let middle = from.plus_ms(first * 1_800_000);
        let to = middle.plus_ms(second * 1_800_000);
        let mut joined = newswire.between(from, middle);
        joined.extend(newswire.between(middle, to));
        prop_assert_eq!(joined, newswire.between(from, to));
    }
}
