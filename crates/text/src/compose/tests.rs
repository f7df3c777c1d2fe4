use model::{
    Annotations, Article, ArticleId, BiasReading, Category, EntityKind, EntityMention, EntityRole,
    Event, EventKind, Score,
};
use model::{Section, Timestamp, TrustLevel};
use proptest::prelude::*;

use model::{Brief, BriefId, BriefSource, PublicBriefId};

use super::{Composition, Member, compose};
use crate::features;

fn article(number: u8, outlet: &str, title: &str, description: &str, body: &str) -> Article {
    let domain = format!("{}.example", outlet.to_lowercase().replace(' ', "-"));
    let time = Timestamp::from_ms(1_700_000_000_000 + i64::from(number) * Timestamp::HOUR_MS);
    Article {
        id: identity(number),
        url: format!("https://{domain}/{number}"),
        domain,
        outlet: outlet.to_owned(),
        title: title.to_owned(),
        description: description.to_owned(),
        body: body.to_owned(),
        author: None,
        published_at: time,
        known_at: time.plus_ms(10 * Timestamp::MINUTE_MS),
        simulated: false,
        via: None,
    }
}

fn identity(number: u8) -> ArticleId {
    serde_json::from_value(format!("00000000-0000-0000-0000-0000000000{number:02x}").into())
        .unwrap()
}

fn annotations(article: &Article) -> Annotations {
    Annotations {
        language: "en".to_owned(),
        category: Category::World,
        sentiment: Score::NEUTRAL,
        entities: vec![EntityMention {
            name: "Harbour Authority".to_owned(),
            kind: EntityKind::Organization,
            ticker: None,
            role: EntityRole::Subject,
            mentions: 2,
            sentiment: Score::NEUTRAL,
        }],
        tags: vec!["harbour".to_owned()],
        bias: BiasReading::default(),
        events: Vec::new(),
        data_points: Vec::new(),
        features: features::features(&article.title, &article.description, &article.body, &[]),
    }
}

fn composed(articles: &[(Article, TrustLevel, Option<usize>)]) -> Composition {
    let read: Vec<Annotations> = articles
        .iter()
        .map(|(article, ..)| annotations(article))
        .collect();
    let members: Vec<Member<'_>> = articles
        .iter()
        .zip(&read)
        .map(|((article, trust, copy_of), annotations)| Member {
            article,
            annotations,
            outlet: &article.outlet,
            trust: *trust,
            copy_of: *copy_of,
        })
        .collect();
    compose(&members, None)
}

/// An article from a reliable outlet, in its own words.
fn member<'a>(article: &'a Article, annotations: &'a Annotations) -> Member<'a> {
    Member {
        article,
        annotations,
        outlet: &article.outlet,
        trust: TrustLevel::High,
        copy_of: None,
    }
}

/// The published revision of a composition of one article.
fn published(composition: Composition, article: &Article) -> Brief {
    Brief {
        id: BriefId(article.id.0),
        public_id: PublicBriefId::new(article.known_at, 1),
        revision: 1,
        headline: composition.headline,
        summary: composition.summary,
        body: composition.body,
        sentences: composition.sentences,
        category: composition.category,
        published_at: article.published_at,
        updated_at: article.known_at,
        confidence: composition.confidence,
        bias: composition.bias,
        counter_argument: composition.counter_argument,
        sources: vec![BriefSource {
            article_id: article.id,
            name: article.outlet.clone(),
            url: article.url.clone(),
            domain: article.domain.clone(),
            trust_level: TrustLevel::High,
            title: article.title.clone(),
            published_at: article.published_at,
            known_at: article.known_at,
            copy_of: None,
            via: None,
        }],
        source_count: composition.source_count,
        update_count: 0,
        sentiment: composition.sentiment,
        tags: composition.tags,
        entities: composition.entities,
        events: composition.events,
        data_points: composition.data_points,
        contradictions: composition.contradictions,
        language: composition.language,
        simulated: false,
        split: model::Split::default(),
        merged: model::Merged::default(),
    }
}

/// Whether a second headline retracts what a brief about the first one said.
fn corrects(first: &str, second: &str) -> bool {
    let first = article(1, "Coast Wire", first, "", "");
    let second = article(2, "Daily North", second, "", "");
    let previous = published(composed(&[(first.clone(), TrustLevel::High, None)]), &first);
    let read = [annotations(&first), annotations(&second)];
    let members = [(&first, &read[0]), (&second, &read[1])]
        .map(|(article, annotations)| member(article, annotations));
    compose(&members, Some(&previous)).corrects_previous
}

#[test]
fn a_key_fact_that_no_longer_holds_is_a_correction() {
    assert!(corrects(
        "Ferry grounding near Nordvik kills 12",
        "Nordvik ferry grounding kills 15"
    ));
    assert!(!corrects(
        "Ferry grounding near Nordvik kills 12",
        "Twelve dead after ferry runs aground, 12 killed"
    ));
    assert!(corrects(
        "Nordvik council approves new harbour bridge",
        "Nordvik council rejects new harbour bridge"
    ));
    assert!(!corrects(
        "Nordvik council approves new harbour bridge",
        "Harbour bridge to open in Nordvik next year"
    ));
    assert!(corrects(
        "Ferry runs aground near Nordvik",
        "Correction: ferry ran aground near Sudvik"
    ));
}

#[test]
fn the_same_seen_from_the_other_side_is_no_contradiction() {
    let check = |first: &str, second: &str| {
        composed(&[
            (article(1, "One", first, "", ""), TrustLevel::High, None),
            (article(2, "Two", second, "", ""), TrustLevel::High, None),
        ])
        .contradictions
        .len()
    };
    assert_eq!(
        check(
            "Ironvale United climb after 2-1 win over Candlewick Bay",
            "Candlewick Bay lose 1-2 at Ironvale United",
        ),
        0
    );
    assert_eq!(
        check(
            "Ironvale United's victory over Candlewick Bay ends a long wait",
            "Ironvale United defeated Candlewick Bay and end a long wait",
        ),
        0
    );
    assert_eq!(
        check(
            "Ironvale United win cup final against Candlewick Bay",
            "Ironvale United lose cup final against Candlewick Bay",
        ),
        1
    );
}

#[test]
fn who_denies_that_a_state_lasts_agrees_with_who_states_its_end() {
    let check = |second: &str| {
        let first = "Strait of Nordvik did not remain open for a day";
        composed(&[
            (article(1, "One", first, "", ""), TrustLevel::High, None),
            (article(2, "Two", second, "", ""), TrustLevel::High, None),
        ])
        .contradictions
        .len()
    };
    assert_eq!(check("Strait of Nordvik to remain shut for a day"), 0);
    assert_eq!(check("Strait of Nordvik remains open for a day"), 1);
}

#[test]
fn a_summary_says_which_company_it_speaks_of() {
    let headline = "Northwind wins contract for ferries in Velden";
    let summary = |description: &str| {
        let one = article(1, "Coast Wire", headline, description, "");
        composed(&[(one, TrustLevel::High, None)]).summary
    };
    let leaning = "The company also announced a contract to build docks at the harbour.";
    assert_eq!(
        summary(leaning),
        format!("Coast Wire says: {headline}. {leaning}")
    );
    let complete = "Northwind also announced a contract to build docks at the harbour.";
    assert_eq!(summary(complete), complete);
    // Also if there is more text.
    let further = "Forty ships wait off the coast for their cargo to be handled.";
    assert_eq!(
        summary(&format!("{leaning} {further}")),
        format!("Coast Wire says: {headline}. {leaning} {further}")
    );
    // In second place it refers to what comes before it in its own text, not in the text of another source.
    let lead = "Ferries for the port of Velden will be built at the Northwind yard from May on.";
    let two = [
        (
            article(1, "Coast Wire", headline, lead, ""),
            TrustLevel::High,
            None,
        ),
        (
            article(
                2,
                "Daily North",
                headline,
                "Velden had asked five yards for ferries and for a bid by the end of March. The company said that work begins at once.",
                "",
            ),
            TrustLevel::High,
            None,
        ),
    ];
    let summary = composed(&two).summary;
    assert!(
        !summary.contains("The company") || summary.contains("March. The company"),
        "{summary}"
    );
}

/// A report of a central bank's decision, with this rate.
fn rate(number: u8, outlet: &str, rate: &str) -> Article {
    article(
        number,
        outlet,
        "Velden central bank cuts key interest rate",
        "",
        &format!(
            "The Velden central bank cut its key interest rate to {rate} on Thursday, its third cut this spring."
        ),
    )
}

#[test]
fn a_rate_that_two_sources_give_differently_is_disputed_everywhere() {
    let composition = composed(&[
        (rate(1, "Coast Wire", "2.00%"), TrustLevel::High, None),
        (rate(2, "Daily North", "3.00%"), TrustLevel::High, None),
    ]);
    assert_eq!(composition.contradictions.len(), 1, "{composition:?}");
    let contradiction = &composition.contradictions[0];
    assert_eq!(contradiction.claims.len(), 2);
    assert!(composition.confidence.agreement.get() < 0.85);
    for said in [&composition.counter_argument, &contradiction.assessment] {
        for part in ["Coast Wire", "2.00%", "Daily North", "3.00%"] {
            assert!(said.contains(part), "{said}");
        }
    }
}

#[test]
fn rounding_updates_and_copies_are_no_dispute() {
    let disputes =
        |articles: &[(Article, TrustLevel, Option<usize>)]| composed(articles).contradictions;
    let high = TrustLevel::High;
    // One is printed more precisely than the other.
    let rounded = [
        (rate(1, "Coast Wire", "2.1%"), high, None),
        (rate(2, "Daily North", "2.12%"), high, None),
    ];
    assert_eq!(disputes(&rounded), []);
    // The outlet corrects itself, alone or to match what another says.
    let first = (rate(1, "Coast Wire", "2.00%"), high, None);
    let corrected = (rate(2, "Coast Wire", "3.00%"), high, None);
    assert_eq!(disputes(&[first.clone(), corrected.clone()]), []);
    let other = (rate(3, "Daily North", "3.00%"), high, None);
    assert_eq!(disputes(&[first.clone(), corrected, other.clone()]), []);
    // A copy is not a second witness.
    let copy = (rate(2, "Evening Post", "2.00%"), high, Some(0));
    let found = disputes(&[first, copy, other]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].claims.len(), 2, "{found:?}");
    assert!(found[0].assessment.contains("neither side"), "{found:?}");
}

fn check_shape(composition: &Composition, members: usize) {
    assert!(!composition.headline.trim().is_empty());
    assert!(!composition.summary.trim().is_empty());
    assert!(!composition.body.trim().is_empty());
    assert!(
        composition
            .counter_argument
            .ends_with(['.', '!', '?', '”', '"', ')']),
        "{}",
        composition.counter_argument
    );
    assert!(composition.bias.framing_notes.ends_with('.'));
    for sentence in &composition.sentences {
        let whole = match sentence.section {
            Section::Headline => &composition.headline,
            Section::Summary => &composition.summary,
            Section::Body => &composition.body,
        };
        assert!(whole.contains(&sentence.text), "{}", sentence.text);
        assert!(!sentence.sources.is_empty());
        assert!(
            sentence
                .sources
                .iter()
                .all(|source| (*source as usize) < members)
        );
    }
}

const FERRY: &str = "A ferry ran aground outside the harbour of Nordvik on Monday, killing 12 people, the harbour \
    authority said. Rescue boats took 140 passengers ashore during the night. The captain had reported engine trouble an \
    hour earlier, according to the coast guard.\n\nThe ferry line suspended all departures until Wednesday. Subscribe to \
    our newsletter for more. We spoke to passengers on the quay.";
const FERRY_TOO: &str = "At least 15 people were killed when a ferry ran aground near Nordvik, officials said. The \
    transport minister ordered an inquiry into the age of the fleet. The ferry was built in 1974 and had failed an \
    inspection in March, public records show.";

#[test]
fn one_unknown_headline_is_presented_honestly() {
    let composition = composed(&[(
        article(
            1,
            "Fjord Post",
            "Ferry runs aground outside Nordvik",
            "",
            "",
        ),
        TrustLevel::Unknown,
        None,
    )]);
    check_shape(&composition, 1);
    assert_eq!(composition.headline, "Ferry runs aground outside Nordvik");
    assert!(
        composition.summary.contains("Fjord Post"),
        "{}",
        composition.summary
    );
    assert!(
        (0.33..=0.46).contains(&composition.confidence.score.get()),
        "{:?}",
        composition.confidence
    );
    assert_eq!(composition.source_count, 1);
    assert!(composition.counter_argument.contains("Fjord Post"));
}

#[test]
fn three_trusted_sources_are_presented_together() {
    let third = "The ferry Solveig grounded on a reef outside Nordvik shortly before midnight on Monday. Divers will \
        search the hull at daybreak, the navy said.";
    let composition = composed(&[
        (
            article(
                1,
                "Fjord Post",
                "Ferry runs aground outside Nordvik harbour",
                "",
                third,
            ),
            TrustLevel::High,
            None,
        ),
        (
            article(
                2,
                "Coast Wire",
                "Ferry runs aground near Nordvik",
                "",
                FERRY,
            ),
            TrustLevel::High,
            None,
        ),
        (
            article(
                3,
                "Daily North",
                "Inquiry ordered after Nordvik ferry grounding",
                "",
                third,
            ),
            TrustLevel::High,
            None,
        ),
    ]);
    check_shape(&composition, 3);
    assert!(
        composition.confidence.score.get() >= 0.85,
        "{:?}",
        composition.confidence
    );
    assert!(!composition.body.contains("newsletter") && !composition.body.contains("We spoke"));
}

#[test]
fn a_figure_that_one_source_alone_gives_is_what_speaks_against_a_brief() {
    let ferry = |id, outlet, title| {
        let trust = if id == 1 {
            TrustLevel::High
        } else {
            TrustLevel::Low
        };
        (article(id, outlet, title, "", ""), trust, None)
    };
    let figure = "Owner of grounded Nordvik ferry sued for $70 million";
    let composition = composed(&[
        ferry(1, "Coast Wire", figure),
        ferry(2, "Daily North", "Owner of grounded ferry sued"),
        ferry(3, "Harbour Post", "Nordvik ferry owner sued"),
    ]);
    assert_eq!(composition.headline, figure);
    assert_eq!(
        composition.counter_argument,
        "Only Coast Wire gives $70 million; the headlines and teasers of the other 2 sources do not."
    );
    let both = composed(&[
        ferry(1, "Coast Wire", figure),
        ferry(
            2,
            "Daily North",
            "Owner of grounded Nordvik ferry sued for $70m",
        ),
    ]);
    assert!(
        !both.counter_argument.contains("gives"),
        "{}",
        both.counter_argument
    );
}

#[test]
fn differing_figures_are_stated_as_such() {
    let composition = composed(&[
        (
            article(
                1,
                "Coast Wire",
                "Ferry runs aground near Nordvik",
                "",
                FERRY,
            ),
            TrustLevel::High,
            None,
        ),
        (
            article(
                2,
                "Daily North",
                "Nordvik ferry grounding leaves many dead",
                "",
                FERRY_TOO,
            ),
            TrustLevel::Medium,
            None,
        ),
    ]);
    check_shape(&composition, 2);
    assert!(
        composition
            .body
            .contains("Figures differ on the number of people killed"),
        "{}",
        composition.body
    );
    assert!(
        composition.counter_argument.contains("12") && composition.counter_argument.contains("15")
    );
    assert!(composition.confidence.agreement.get() < 0.7);
}

#[test]
fn copies_and_same_domains_are_one_voice() {
    let mut again = article(
        3,
        "Coast Wire",
        "Ferry aground: what happened next",
        "",
        FERRY_TOO,
    );
    again.url = "https://coast-wire.example/again".to_owned();
    let composition = composed(&[
        (
            article(
                1,
                "Coast Wire",
                "Ferry runs aground near Nordvik",
                "",
                FERRY,
            ),
            TrustLevel::High,
            None,
        ),
        (
            article(
                2,
                "Daily North",
                "Ferry runs aground near Nordvik",
                "",
                FERRY,
            ),
            TrustLevel::High,
            Some(0),
        ),
        (again, TrustLevel::High, None),
    ]);
    check_shape(&composition, 3);
    assert_eq!(composition.source_count, 1);
    assert!(
        composition.counter_argument.contains("carry the same text"),
        "{}",
        composition.counter_argument
    );
}

#[test]
fn the_plain_headline_is_preferred() {
    let composition = composed(&[
        (
            article(1, "A", "You won't believe what this ferry did!", "", FERRY),
            TrustLevel::Medium,
            None,
        ),
        (
            article(
                2,
                "B",
                "BREAKING: Ferry runs aground near Nordvik, killing 12",
                "",
                FERRY_TOO,
            ),
            TrustLevel::Medium,
            None,
        ),
    ]);
    assert_eq!(
        composition.headline,
        "Ferry runs aground near Nordvik, killing 12"
    );
}

proptest! {
    #[test]
    fn arbitrary_texts_are_composed(
        texts in proptest::collection::vec((".{0,60}", ".{0,120}", "(?s).{0,300}", 0_usize..6), 1..6),
    ) {
        let articles: Vec<(Article, TrustLevel, Option<usize>)> = texts
            .iter()
            .enumerate()
            .map(|(number, (title, description, body, copy))| {
                let outlet = if number % 2 == 0 { "Somewhere" } else { "Elsewhere" };
                (article(number as u8, outlet, title, description, body), TrustLevel::Unknown, (*copy < 4).then_some(*copy))
            })
            .collect();
        let composition = composed(&articles);
        check_shape(&composition, articles.len());
        prop_assert_eq!(&composition, &composed(&articles));
    }
}

/// The summary of one article.
fn summary_of(article: &Article, annotations: &Annotations) -> String {
    let member = member(article, annotations);
    compose(&[member], None).summary
}

#[test]
fn a_summary_keeps_to_the_company_of_its_headline() {
    let article = article(
        1,
        "Courier",
        "Siemens lifts its outlook after strong orders",
        "",
        "Siemens reported revenue of 19 billion euros for the quarter that ended in March, helped by orders for trains. \
         Sales at Microsoft rose 18 percent to 82 billion dollars in the same quarter, driven by orders for its cloud. \
         Siemens expects growth of seven percent for the year, its finance chief told reporters in Munich.",
    );
    let company = |name: &str, ticker: &str| EntityMention {
        name: name.to_owned(),
        kind: EntityKind::Organization,
        ticker: Some(ticker.to_owned()),
        role: EntityRole::Subject,
        mentions: 2,
        sentiment: Score::NEUTRAL,
    };
    let mut read = annotations(&article);
    read.entities = vec![company("Siemens", "SIE"), company("Microsoft", "MSFT")];
    let summary = summary_of(&article, &read);
    assert!(summary.contains("Siemens reported revenue"), "{summary}");
    assert!(summary.contains("seven percent"), "{summary}");
    assert!(!summary.contains("Microsoft"), "{summary}");
}

#[test]
fn a_company_is_the_same_under_each_of_its_names() {
    let article = article(
        1,
        "Courier",
        "Third-quarter revenue at Alphabet climbs to $519.39 billion",
        "",
        "Alphabet reported revenue of $519.39 billion for the third quarter on Tuesday, 17.5% more than a year earlier. \
         Sales at Exxon Mobil rose 0.4% to $131.86 billion in the third quarter, the company said on Tuesday. \
         Google's cloud grew by 30% in the same quarter, more than analysts had expected of it.",
    );
    let read = annotations(&article);
    let summary = summary_of(&article, &read);
    assert!(summary.contains("Alphabet reported"), "{summary}");
    assert!(summary.contains("cloud grew by 30%"), "{summary}");
    assert!(!summary.contains("Exxon"), "{summary}");
}

#[test]
fn a_summary_is_not_the_headline_again_where_there_is_another_sentence() {
    let article = article(
        1,
        "Courier",
        "Harbour workers end their strike after eleven days",
        "Harbour workers end their strike after eleven days.",
        "The union accepted a pay rise of four percent late on Sunday, after talks to which the mayor had invited both sides. \
         Forty ships had waited off the coast for their cargo to be handled.",
    );
    let composition = composed(&[(article, TrustLevel::High, None)]);
    // `The union` is that of the harbour workers, which the sentence does not say.
    assert!(
        composition.summary.starts_with(
            "Courier says: Harbour workers end their strike after eleven days. The union accepted"
        ),
        "{}",
        composition.summary
    );
}

/// 1 − (1 − 0.45) is not 0.45 in floating point.
#[test]
fn an_event_of_one_voice_is_as_sure_as_that_voice() {
    let article = article(1, "Coast Wire", "Nordlys may buy Siemens unit", "", "");
    for confidence in [0.45, 0.997, 0.841] {
        let mut read = annotations(&article);
        read.events.push(Event {
            kind: EventKind::Acquisition,
            subject: "Nordlys".to_owned(),
            object: None,
            value: None,
            date: article.published_at,
            confidence: Score::clamped(confidence),
            sentence: article.title.clone(),
        });
        let member = member(&article, &read);
        let events = compose(&[member], None).events;
        assert_eq!(events[0].confidence, Score::clamped(confidence));
    }
}

#[test]
fn an_entity_has_one_name_in_a_brief_and_in_its_findings() {
    let first = article(1, "Coast Wire", "Tillis backs the bill", "", "");
    let second = article(2, "Daily North", "Thom Tillis backs the bill", "", "");
    let mut read = [annotations(&first), annotations(&second)];
    for (annotations, name) in read.iter_mut().zip(["Tillis", "Thom Tillis"]) {
        annotations.entities[0].name = name.to_owned();
        annotations.entities[0].kind = EntityKind::Person;
    }
    read[0].events.push(Event {
        kind: EventKind::Regulation,
        subject: "Tillis".to_owned(),
        object: Some("bill".to_owned()),
        value: None,
        date: Timestamp::from_ms(1_700_000_000_000),
        confidence: Score::clamped(0.8),
        sentence: first.title.clone(),
    });
    let event = Event {
        subject: "Thom Tillis".to_owned(),
        ..read[0].events[0].clone()
    };
    read[1].events.push(event);
    let members = [(&first, &read[0]), (&second, &read[1])]
        .map(|(article, annotations)| member(article, annotations));
    let composition = compose(&members, None);
    let [entity] = &composition.entities[..] else {
        panic!("{:?}", composition.entities);
    };
    assert_eq!((entity.name.as_str(), entity.mentions), ("Thom Tillis", 4));
    let [event] = &composition.events[..] else {
        panic!("{:?}", composition.events);
    };
    assert_eq!(event.subject, "Thom Tillis");
}

#[test]
fn who_sells_its_own_part_is_not_that_part() {
    let article = article(
        1,
        "Coast Wire",
        "Softwind sells Softwind Energy to Quill",
        "",
        "",
    );
    let mut read = annotations(&article);
    let of = |name: &str| EntityMention {
        name: name.to_owned(),
        ..read.entities[0].clone()
    };
    let entities = ["Softwind", "Softwind Energy"].map(of);
    read.entities = entities.to_vec();
    let member = member(&article, &read);
    assert_eq!(compose(&[member], None).entities.len(), 2);
}

#[test]
fn tags_are_in_the_language_of_the_brief() {
    let first = article(1, "Coast Wire", "Harbour closes after storm", "", "");
    let second = article(2, "Journal du Port", "Le port ferme", "", "");
    let third = article(3, "Daily North", "Storm closes harbour", "", "");
    let mut read = [&first, &second, &third].map(annotations);
    read[1].language = "fr".to_owned();
    read[1].tags = vec!["port ferme".to_owned()];
    let members = [&first, &second, &third]
        .iter()
        .zip(&read)
        .map(|(article, annotations)| member(article, annotations))
        .collect::<Vec<_>>();
    assert_eq!(compose(&members, None).tags, ["harbour"]);
}

#[test]
fn an_outlet_goes_by_its_name_and_not_by_that_of_its_feed() {
    let article = article(1, "Feed of many", "Ferry runs aground off Nordvik", "", "");
    let read = annotations(&article);
    let member = Member {
        article: &article,
        annotations: &read,
        outlet: "Coast Wire",
        trust: TrustLevel::High,
        copy_of: None,
    };
    let composition = compose(&[member], None);
    assert!(
        composition.summary.starts_with("Coast Wire"),
        "{}",
        composition.summary
    );
    assert!(
        !composition.body.contains("Feed of many"),
        "{}",
        composition.body
    );
}
