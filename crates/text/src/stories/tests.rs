use model::{Features, Timestamp};

use super::{Compared, StoryIndex};
use crate::features::features;

fn headline(title: &str) -> Features {
    features(title, "", "", &[])
}

fn at(features: &Features, time: Option<Timestamp>) -> Compared<'_> {
    Compared {
        features,
        domain: "",
        time,
    }
}

const NOON: Option<Timestamp> = Some(Timestamp::from_ms(1_700_000_000_000));

fn later(hours: i64) -> Option<Timestamp> {
    NOON.map(|noon| noon.plus_ms(hours * Timestamp::HOUR_MS))
}

#[test]
fn an_empty_index_founds_a_story() {
    let placement = StoryIndex::new().place(at(&headline("Central bank raises rates"), NOON));
    assert_eq!((placement.story, placement.copy_of), (None, None));
}

#[test]
fn the_same_event_joins_and_a_stale_one_does_not() {
    let mut index = StoryIndex::new();
    index.insert(
        1,
        1,
        at(
            &headline("Chile earthquake destroys villages near Antofagasta"),
            NOON,
        ),
    );
    let again = headline("Antofagasta villages destroyed by earthquake in Chile");
    assert_eq!(index.place(at(&again, later(5))).story, Some(1));
    assert_eq!(index.place(at(&again, None)).story, Some(1));
    assert_eq!(index.place(at(&again, later(80))).story, None);
}

#[test]
fn the_earliest_original_is_named() {
    let mut index = StoryIndex::new();
    let text =
        headline("Nordic grid operator agrees to buy rival Baltic network for four billion euros");
    index.insert(7, 7, at(&text, later(2)));
    index.insert(8, 7, at(&text, later(1)));
    let placement = index.place(at(&text, later(3)));
    assert_eq!((placement.story, placement.copy_of), (Some(7), Some(8)));
}

#[test]
fn a_forgotten_day_is_gone() {
    let mut index = StoryIndex::new();
    let text = headline("Lighthouse keeper rescues crew of sinking trawler");
    index.insert(1, 1, at(&text, NOON));
    index.insert(2, 2, at(&headline("Lighthouse museum opens"), None));
    index.forget_day(NOON.unwrap().day());
    assert_eq!(index.len(), 1);
    assert_eq!(index.place(at(&text, NOON)).copy_of, None);
    index.insert(3, 3, at(&text, NOON));
    assert_eq!(index.len(), 2);
}

#[test]
fn templates_do_not_chain() {
    let mut index = StoryIndex::new();
    index.insert(
        1,
        1,
        at(&headline("Stock market today: chip makers slide"), NOON),
    );
    assert_eq!(
        index
            .place(at(&headline("Stock market today: oil majors rally"), NOON))
            .story,
        None
    );
}

#[test]
fn french_function_words_hold_nothing_together() {
    let mut index = StoryIndex::new();
    index.insert(1, 1, at(&headline(
            "Les éleveurs bretons demandent une aide après la sécheresse dans les Côtes-d'Armor",
        ), NOON));
    let other =
        headline("La crainte des pilotes après les essais dans les Alpes et une panne des radars");
    assert_eq!(index.place(at(&other, NOON)).story, None);
    let same = headline("Sécheresse : l'aide demandée par les éleveurs bretons des Côtes-d'Armor");
    assert_eq!(index.place(at(&same, NOON)).story, Some(1));
}

#[test]
fn an_old_story_takes_in_only_what_is_close_to_it() {
    let placement = |similarity| super::Placement {
        story: Some(1),
        similarity,
        threshold: 0.12,
        copy_of: None,
        alike: None,
        is_doubtful: false,
        rival: None,
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
    index.insert(1, 1, at(&today, NOON));
    let tomorrow = headline("Coronavirus live updates: 6,396 new cases and 201 deaths in a day");
    assert_eq!(index.place(at(&tomorrow, later(24))).copy_of, None);
    assert_eq!(index.place(at(&today, later(24))).copy_of, Some(1));
}

#[test]
fn an_outlet_does_not_tell_two_events_as_one() {
    let told = |domain: &'static str, index: &StoryIndex, features: &Features| {
        let article = Compared {
            features,
            domain,
            time: later(20),
        };
        index.place(article).story
    };
    let issue = |title: &str, body: &str| features(title, "", body, &[]);
    let mut index = StoryIndex::new();
    // What an outlet publishes every day with different names and numbers is not a story, however similar it is.
    for day in 0..6 {
        let item = issue(
            &format!(
                "Velden Steel Q{day} results: net profit at 4{day}2 million, up {day} percent"
            ),
            "See the rest of the story here. Subscribe to our market newsletter.",
        );
        let article = Compared {
            features: &item,
            domain: "wire.example",
            time: later(day),
        };
        index.insert(day as u64, day as u64, article);
    }
    let next = issue(
        "Orbital Foods Q2 results: net profit at 77 million, up 9 percent",
        "See the rest of the story here. Subscribe to our market newsletter.",
    );
    assert_eq!(told("wire.example", &index, &next), None);
}

#[test]
fn articles_stored_without_their_headline_are_compared_by_what_is_known() {
    let old = Features {
        headline: Vec::new(),
        pattern: 0,
        meaning: Vec::new(),
        ..headline("Chile earthquake destroys villages near Antofagasta")
    };
    let mut index = StoryIndex::new();
    let outlet = |features, time| Compared {
        features,
        domain: "courier.example",
        time,
    };
    index.insert(1, 1, outlet(&old, NOON));
    let again = headline("Antofagasta villages destroyed by earthquake in Chile");
    assert_eq!(index.place(outlet(&again, later(5))).story, Some(1));
}

#[test]
fn what_reports_no_single_event_joins_nothing_and_attracts_nothing() {
    let quake = headline("Chile earthquake destroys villages near Antofagasta");
    let again = headline("Antofagasta villages destroyed by earthquake in Chile");
    let mut live = again.clone();
    live.terms.insert(0, (crate::features::ALONE, 0.0));
    let mut index = StoryIndex::new();
    index.insert(1, 1, at(&quake, NOON));
    assert_eq!(index.place(at(&again, later(1))).story, Some(1));
    assert_eq!(index.place(at(&live, later(1))).story, None);
    index.insert(2, 2, at(&live, later(1)));
    let third =
        headline("Many villages near Antofagasta lie destroyed after earthquake shakes Chile");
    assert_eq!(index.place(at(&third, later(2))).story, Some(1));
    let mut alone = StoryIndex::new();
    alone.insert(2, 2, at(&live, later(1)));
    assert_eq!(alone.place(at(&quake, later(2))).story, None);
}

#[test]
fn a_story_of_two_events_is_divided() {
    let quake = headline("Chile earthquake destroys villages near Antofagasta");
    let again = headline("Antofagasta villages destroyed by earthquake in Chile");
    let lamp = headline("Lighthouse keeper rescues crew of sinking trawler");
    let mut index = StoryIndex::new();
    index.insert(1, 1, at(&quake, NOON));
    index.insert(2, 1, at(&lamp, later(1)));
    let members = [at(&quake, NOON), at(&lamp, later(1)), at(&again, later(2))];
    let placement = index.place(members[2]);
    assert!(placement.story == Some(1) && placement.is_doubtful);
    assert_eq!(index.divide(&members, &[]), Some(vec![1]));
    assert_eq!(index.divide(&members, &[(0, 1)]), None, "a copy stays");
    assert_eq!(index.divide(&[members[0], members[2]], &[]), None);
    index.reassign(2, later(1), 9);
    let keeper = headline("Crew of sinking trawler rescued by lighthouse keeper");
    assert_eq!(index.place(at(&keeper, later(3))).story, Some(9));
    let placement = index.place(members[2]);
    assert!(placement.story == Some(1) && !placement.is_doubtful);
}

/// A report with the entities it names, as the pipeline reads it.
fn report(title: &str, body: &str) -> Features {
    features(title, "", body, &crate::entities::find(title, body))
}

fn results(company: &str, sales: &str, executive: &str) -> Features {
    let body = format!(
        "{company} reported sales of {sales} billion dollars for the third quarter on Thursday, more than analysts had expected. \
         {company} earned a profit on higher sales in services and named its largest division as the part of the business that \
         decides the year. Analysts had expected less. “Sales matter more than cents this time,” finance executive {executive} \
         said on a call with shareholders. The board of {company} will meet again at the end of the quarter."
    );
    report(
        &format!("{company} beats forecasts as quarterly sales rise"),
        &body,
    )
}

#[test]
fn the_same_told_of_another_company_is_another_story() {
    let mut index = StoryIndex::new();
    let first = results("Intel", "13.2", "Ada Quill");
    index.insert(1, 1, at(&first, NOON));
    let again = results("Intel", "13.2", "Ada Quill");
    assert_eq!(index.place(at(&again, later(2))).story, Some(1));
    let other = results("Oracle", "14.9", "Jon Reed");
    assert_eq!(index.place(at(&other, later(2))).story, None);
}

#[test]
fn a_name_that_the_other_text_has_is_not_exchanged() {
    let place = super::pair::FEATURES
        .iter()
        .position(|name| *name == "exchanged")
        .unwrap();
    let exchanged = |left: (&str, &str), right: (&str, &str)| {
        let mut index = StoryIndex::new();
        let (left, right) = (report(left.0, left.1), report(right.0, right.1));
        index.insert(1, 1, at(&left, NOON));
        let measured = index.measure(at(&right, later(1)));
        measured[0].1[place] > 0.0
    };
    let body = "Prices in Sweden rose less in August, an office in Stockholm said.";
    let other = "Prices in Norway rose less in August, an office in Oslo said.";
    assert!(exchanged(
        ("Price rises ease in Sweden", body),
        ("Price rises ease in Norway", other)
    ));
    let both = "Prices in Norway rose less in August, as in Sweden, an office in Oslo said.";
    assert!(!exchanged(
        ("Price rises ease in Sweden", body),
        ("Price rises ease in Norway", both)
    ));
    assert!(!exchanged(
        ("Price rises ease at last", ""),
        ("Price rises ease in Norway", other)
    ));
}

#[test]
fn stories_that_began_in_pieces_are_one() {
    let quake = headline("Chile earthquake destroys villages near Antofagasta");
    let again = headline("Antofagasta villages destroyed by earthquake in Chile");
    let lamp = headline("Lighthouse keeper rescues crew of sinking trawler");
    let third = headline("Earthquake in Chile: villages near Antofagasta destroyed");
    let mut index = StoryIndex::new();
    index.insert(1, 1, at(&quake, NOON));
    index.insert(2, 2, at(&again, later(1)));
    index.insert(3, 3, at(&lamp, later(1)));
    let newest = at(&third, later(2));
    let placement = index.place(newest);
    let pieces = [placement.story, placement.rival.map(|rival| rival.story)];
    assert!(
        pieces == [Some(1), Some(2)] || pieces == [Some(2), Some(1)],
        "{placement:?}"
    );
    let one = [at(&quake, NOON), newest];
    assert!(index.are_one(&one, &[at(&again, later(1))]));
    assert!(!index.are_one(&one, &[at(&lamp, later(1))]));
    assert!(!index.are_one(&one, &[at(&again, later(90))]), "too late");
    assert!(!index.are_one(&[], &one));
    let bridged = [at(&lamp, later(1)), newest];
    assert!(
        !index.are_one(&bridged, &[at(&again, later(1))]),
        "only the new article resembles both"
    );
    let never = super::Tuning {
        merged: 1.1,
        ..super::Tuning::default()
    };
    assert!(!StoryIndex::tuned(never).are_one(&one, &[at(&again, later(1))]));
}

#[test]
fn an_old_story_is_no_rival_unless_the_article_is_close_to_it() {
    let rival = |similarity| super::Rival {
        story: 2,
        similarity,
    };
    assert!(rival(0.4).takes_since(NOON, later(90)));
    assert!(!rival(0.4).takes_since(NOON, later(100)));
    assert!(rival(0.6).takes_since(NOON, later(100)));
}

#[test]
fn two_stories_that_one_outlet_told_have_to_be_more_alike() {
    let quake = headline("Chile earthquake destroys villages near Antofagasta");
    let again = headline("Antofagasta villages destroyed by earthquake in Chile");
    let aid = headline("Aid reaches villages near Antofagasta after Chile earthquake");
    let index = StoryIndex::tuned(super::Tuning {
        one_outlet_merged: 1.0,
        ..super::Tuning::default()
    });
    let told = |features, domain, hours| Compared {
        features,
        domain,
        time: later(hours),
    };
    let are_one = |domain| {
        let one = [
            told(&quake, "courier.example", 0),
            told(&again, "echo.example", 4),
        ];
        index.are_one(&one, &[told(&aid, domain, 3)])
    };
    assert!(are_one("herald.example"));
    assert!(!are_one("courier.example"));
}
