mod gold;

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
