use model::{Features, Timestamp};

use super::StoryIndex;
use crate::features::features;

fn headline(title: &str) -> Features {
    features(title, "", "", &[])
}

const NOON: Option<Timestamp> = Some(Timestamp::from_ms(1_700_000_000_000));

fn later(hours: i64) -> Option<Timestamp> {
    NOON.map(|noon| noon.plus_ms(hours * Timestamp::HOUR_MS))
}

#[test]
fn an_empty_index_founds_a_story() {
    let placement = StoryIndex::new().place(&headline("Central bank raises rates"), NOON);
    assert_eq!((placement.story, placement.copy_of), (None, None));
}

#[test]
fn the_same_event_joins_and_a_stale_one_does_not() {
    let mut index = StoryIndex::new();
    index.insert(
        1,
        1,
        &headline("Chile earthquake destroys villages near Antofagasta"),
        NOON,
    );
    let again = headline("Antofagasta villages destroyed by earthquake in Chile");
    assert_eq!(index.place(&again, later(5)).story, Some(1));
    assert_eq!(index.place(&again, None).story, Some(1));
    assert_eq!(index.place(&again, later(80)).story, None);
}

#[test]
fn the_earliest_original_is_named() {
    let mut index = StoryIndex::new();
    let text =
        headline("Nordic grid operator agrees to buy rival Baltic network for four billion euros");
    index.insert(7, 7, &text, later(2));
    index.insert(8, 7, &text, later(1));
    let placement = index.place(&text, later(3));
    assert_eq!((placement.story, placement.copy_of), (Some(7), Some(8)));
}

#[test]
fn a_forgotten_day_is_gone() {
    let mut index = StoryIndex::new();
    let text = headline("Lighthouse keeper rescues crew of sinking trawler");
    index.insert(1, 1, &text, NOON);
    index.insert(2, 2, &headline("Lighthouse museum opens"), None);
    index.forget_day(NOON.unwrap().day());
    assert_eq!(index.len(), 1);
    assert_eq!(index.place(&text, NOON).copy_of, None);
    index.insert(3, 3, &text, NOON);
    assert_eq!(index.len(), 2);
}

#[test]
fn templates_do_not_chain() {
    let mut index = StoryIndex::new();
    index.insert(
        1,
        1,
        &headline("Stock market today: chip makers slide"),
        NOON,
    );
    assert_eq!(
        index
            .place(&headline("Stock market today: oil majors rally"), NOON)
            .story,
        None
    );
}

#[test]
fn french_function_words_hold_nothing_together() {
    let mut index = StoryIndex::new();
    index.insert(
        1,
        1,
        &headline(
            "Les éleveurs bretons demandent une aide après la sécheresse dans les Côtes-d'Armor",
        ),
        NOON,
    );
    let other =
        headline("La crainte des pilotes après les essais dans les Alpes et une panne des radars");
    assert_eq!(index.place(&other, NOON).story, None);
    let same = headline("Sécheresse : l'aide demandée par les éleveurs bretons des Côtes-d'Armor");
    assert_eq!(index.place(&same, NOON).story, Some(1));
}

#[test]
fn an_old_story_takes_in_only_what_is_close_to_it() {
    let placement = |similarity| super::Placement {
        story: Some(1),
        similarity,
        copy_of: None,
    };
    let joined = |similarity, hours| {
        placement(similarity)
            .for_story_since(NOON, later(hours))
            .story
    };
    assert_eq!(joined(0.4, 90), Some(1));
    assert_eq!(joined(0.4, 100), None);
    assert_eq!(joined(0.6, 100), Some(1));
    assert_eq!(
        placement(0.4).for_story_since(NOON, None).story,
        Some(1),
        "without a time there is no age"
    );
}

#[test]
fn the_next_issue_of_a_series_is_no_copy() {
    let mut index = StoryIndex::new();
    let today = headline("Coronavirus live updates: 6,561 new cases and 142 deaths in a day");
    index.insert(1, 1, &today, NOON);
    let tomorrow = headline("Coronavirus live updates: 6,396 new cases and 201 deaths in a day");
    assert_eq!(index.place(&tomorrow, later(24)).copy_of, None);
    assert_eq!(index.place(&today, later(24)).copy_of, Some(1));
}

#[test]
fn what_resembles_many_stories_alike_fits_none_well() {
    let mut index = StoryIndex::new();
    let titles = [
        "Iran and United States envoys meet in Geneva",
        "Iran says United States envoys broke promises",
        "United States envoys leave Iran talks in Oman",
        "Iran talks: United States envoys demand inspections",
        "Iran envoys tell United States to lift sanctions",
        "United States envoys brief allies on Iran",
        "Iran parliament debates United States envoys",
    ];
    for (number, title) in titles.into_iter().enumerate() {
        index.insert(number as u64, number as u64, &headline(title), NOON);
    }
    let general = headline("What United States envoys want from Iran");
    let crowded = index.place(&general, NOON).similarity;
    let mut alone = StoryIndex::new();
    alone.insert(6, 6, &headline(titles[6]), NOON);
    let alone = alone.place(&general, NOON).similarity;
    assert!(
        crowded < alone - 0.1,
        "rivals take from the best story: {crowded} of {alone}"
    );
}
