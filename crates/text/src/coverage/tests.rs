use model::{ArticleId, BiasReading, Category, EntityKind, EntityMention, EntityRole, Features};
use proptest::prelude::*;
use uuid::Uuid;

use super::*;

struct Piece {
    article: Article,
    annotations: Annotations,
    story: i64,
    is_copy: bool,
}

/// An article that an outlet publishes at a given hour.
fn piece(outlet: &str, hour: i64, title: &str, body: &str) -> Piece {
    let time = Timestamp::from_ms(1_700_000_000_000 + hour * Timestamp::HOUR_MS);
    let domain = format!("{}.example", outlet.to_lowercase());
    Piece {
        article: Article {
            id: ArticleId(Uuid::nil()),
            url: format!("https://{domain}/{hour}"),
            domain,
            outlet: outlet.to_owned(),
            title: title.to_owned(),
            description: String::new(),
            body: body.to_owned(),
            author: None,
            published_at: time,
            known_at: time,
            simulated: false,
            via: None,
        },
        annotations: Annotations {
            language: "en".to_owned(),
            category: Category::World,
            sentiment: Score::NEUTRAL,
            entities: Vec::new(),
            tags: Vec::new(),
            bias: BiasReading::default(),
            events: Vec::new(),
            data_points: Vec::new(),
            features: Features::default(),
        },
        story: 1,
        is_copy: false,
    }
}

impl Piece {
    fn sentiment(mut self, sentiment: f64) -> Self {
        self.annotations.sentiment = Score::clamped(sentiment);
        self
    }

    fn story(mut self, story: i64) -> Self {
        self.story = story;
        self
    }

    fn copied(mut self) -> Self {
        self.is_copy = true;
        self
    }

    fn names(mut self, name: &str) -> Self {
        self.annotations.entities.push(EntityMention {
            name: name.to_owned(),
            kind: EntityKind::Organization,
            ticker: None,
            role: EntityRole::Subject,
            mentions: 1,
            sentiment: Score::NEUTRAL,
        });
        self
    }

    fn loaded(mut self, word: &str) -> Self {
        self.annotations.bias.loaded_terms.push(word.to_owned());
        self.annotations.bias.loaded_wording = 0.8;
        self
    }
}

fn compared(pieces: &[Piece]) -> Coverage {
    let reports: Vec<Report<'_>> = pieces
        .iter()
        .map(|piece| Report {
            article: &piece.article,
            annotations: &piece.annotations,
            trust: TrustLevel::Medium,
            story: piece.story,
            is_copy: piece.is_copy,
        })
        .collect();
    compare(&reports)
}

fn outlet<'a>(coverage: &'a Coverage, name: &str) -> &'a OutletCoverage {
    coverage
        .outlets
        .iter()
        .find(|outlet| outlet.name == name)
        .unwrap()
}

fn kinds(coverage: &Coverage) -> Vec<ContrastKind> {
    coverage
        .differences
        .iter()
        .map(|difference| difference.kind)
        .collect()
}

const COLLAPSE: &str = "The bridge over the Marn collapsed on Monday morning.";

#[test]
fn outlets_differ_in_figures_sentiment_and_words() {
    let coverage = compared(&[
        piece(
            "Courier",
            1,
            "Bridge collapse kills 12",
            &format!("{COLLAPSE} At least 12 people were killed. Inspectors had warned of rusted bearings two years ago."),
        )
        .sentiment(0.2)
        .loaded("disgraceful"),
        piece(
            "Ledger",
            0,
            "Bridge collapse kills 15",
            &format!("{COLLAPSE} At least 15 people were killed."),
        )
        .sentiment(0.5),
    ]);
    let names: Vec<&str> = coverage
        .outlets
        .iter()
        .map(|outlet| outlet.name.as_str())
        .collect();
    assert_eq!(names, ["Ledger", "Courier"], "whoever was first");
    let courier = outlet(&coverage, "Courier");
    let said: Vec<&str> = courier
        .only_sentences
        .iter()
        .map(|said| said.text.as_str())
        .collect();
    assert_eq!(
        said,
        ["Inspectors had warned of rusted bearings two years ago."]
    );
    assert_eq!(courier.only_figures[0].printed, "12");
    assert_eq!(courier.loaded_words, ["disgraceful"]);
    assert!(courier.bias_score > outlet(&coverage, "Ledger").bias_score);
    assert_eq!(
        kinds(&coverage),
        [
            ContrastKind::Figure,
            ContrastKind::Sentiment,
            ContrastKind::Wording
        ]
    );
    assert_eq!(
        coverage.differences[0].statement,
        "killed: 12 in Courier, 15 in Ledger."
    );
    assert_eq!(coverage.agreement.score(), Some(Score::ZERO));
}

#[test]
fn what_all_say_is_agreement() {
    let body = format!("{COLLAPSE} At least 12 people were killed.");
    let coverage = compared(&[
        piece("Courier", 0, "Bridge collapse", &body).names("Marn County"),
        piece("Ledger", 1, "Bridge collapse", &body).names("Marn County"),
    ]);
    assert_eq!(coverage.agreement.score(), Some(Score::ONE));
    assert_eq!(coverage.agreement.shared_entities, ["Marn County"]);
    assert_eq!(coverage.agreement.shared_figures, ["12 people"]);
    assert!(coverage.differences.is_empty(), "{coverage:?}");
    assert!(
        coverage
            .outlets
            .iter()
            .all(|outlet| outlet.only_sentences.is_empty() && outlet.only_figures.is_empty())
    );
}

#[test]
fn stories_are_not_held_against_each_other() {
    let coverage = compared(&[
        piece(
            "Courier",
            0,
            "Bridge collapse",
            "At least 12 people were killed.",
        )
        .story(1),
        piece(
            "Ledger",
            1,
            "Ferry sinks",
            "At least 40 people were killed.",
        )
        .story(2),
    ]);
    assert_eq!(coverage.agreement.score(), None);
    assert!(coverage.differences.is_empty());
    assert!(
        coverage
            .outlets
            .iter()
            .all(|outlet| outlet.only_figures.is_empty())
    );
}

#[test]
fn a_copy_says_nothing_of_its_own() {
    let body = format!("{COLLAPSE} Inspectors had warned of rusted bearings two years ago.");
    let coverage = compared(&[
        piece("Courier", 0, "Bridge collapse", &body),
        piece(
            "Mirror",
            1,
            "Bridge collapse",
            &format!("{body} Subscribe to our morning letter for nine free recipes."),
        )
        .copied(),
    ]);
    let mirror = outlet(&coverage, "Mirror");
    assert!(mirror.is_syndicated && mirror.only_sentences.is_empty());
}

#[test]
fn a_name_that_most_give_is_missed() {
    let body = "The bridge over the river fell on Monday.";
    let mut pieces: Vec<Piece> = ["Courier", "Ledger", "Tribune"]
        .into_iter()
        .map(|outlet| piece(outlet, 0, "Bridge falls", body))
        .collect();
    pieces[0] = piece("Courier", 0, "Bridge falls", body).names("Marn County");
    pieces[1] = piece("Ledger", 0, "Bridge falls", body).names("Marn County");
    let coverage = compared(&pieces);
    assert_eq!(
        coverage.differences[0].statement,
        "2 of 3 outlets name Marn County; Tribune does not."
    );
    pieces[2].article.body = String::new();
    assert!(
        compared(&pieces).differences.is_empty(),
        "a bare headline leaves out everything"
    );
}

#[test]
fn nothing_is_compared_to_nothing() {
    assert_eq!(compared(&[]), Coverage::default());
}

proptest! {
    #[test]
    fn every_article_belongs_to_one_outlet(
        texts in proptest::collection::vec(("[A-D]", "[a-f0-9 .]{0,80}", 0_i64..3), 0..12),
    ) {
        let pieces: Vec<Piece> = texts
            .iter()
            .enumerate()
            .map(|(hour, (outlet, body, story))| piece(outlet, hour as i64, "A title", body).story(*story))
            .collect();
        let coverage = compared(&pieces);
        let mut seen: Vec<usize> = coverage.outlets.iter().flat_map(|outlet| outlet.reports.clone()).collect();
        seen.sort_unstable();
        prop_assert_eq!(seen, (0..pieces.len()).collect::<Vec<_>>());
        prop_assert!(coverage.agreement.figures_agreeing <= coverage.agreement.figures_compared);
    }
}
