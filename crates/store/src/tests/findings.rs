//! Events and contradictions: since when, until when, and for whom.

use model::{
    Amount, Category, Contradiction, Disagreement, Event, EventKind, Score, Severity, SourceClaim,
    Timestamp,
};

use super::on_each_database;
use super::samples::{News, hour, publish, update};
use crate::{ContradictionQuery, EventQuery, FindingWindow, Store};

fn event(kind: EventKind, subject: &str, object: Option<&str>, confidence: f64) -> Event {
    Event {
        kind,
        subject: subject.to_owned(),
        object: object.map(str::to_owned),
        value: Some(Amount {
            printed: "$4.2 billion".to_owned(),
            value: 4.2e9,
            currency: Some("USD".to_owned()),
        }),
        date: hour(0),
        confidence: Score::clamped(confidence),
        sentence: "It happened.".to_owned(),
    }
}

fn contradiction(severity: Severity) -> Contradiction {
    let claim = |source, claim: &str| SourceClaim {
        source,
        claim: claim.to_owned(),
    };
    Contradiction {
        kind: Disagreement::Number,
        severity,
        claims: vec![
            claim(0, "Twelve halls burnt."),
            claim(1, "Two halls burnt."),
        ],
        assessment: "The number of halls differs; nothing favours either side.".to_owned(),
    }
}

async fn subjects(store: &Store, query: EventQuery) -> (u64, Vec<(String, Timestamp, u32)>) {
    let (total, found) = store.findings().events(&query).await.unwrap();
    let found = found
        .into_iter()
        .map(|finding| {
            (
                finding.stated.subject,
                finding.since,
                finding.brief.brief.revision,
            )
        })
        .collect();
    (total, found)
}

fn all() -> EventQuery {
    EventQuery {
        window: FindingWindow {
            limit: 10,
            ..FindingWindow::default()
        },
        ..EventQuery::default()
    }
}

#[tokio::test]
async fn events_keep_the_time_at_which_they_were_first_stated() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let deal = event(
            EventKind::Acquisition,
            "Quill Foundry",
            Some("Ink Works"),
            0.6,
        );
        let mut news = News::new(1, hour(0));
        news.events = vec![deal.clone()];
        let (_, story) = publish(&store, &news).await;

        // Unchanged, then more certain and in another category, then gone.
        let mut second = News::new(2, hour(1));
        second.events = vec![deal.clone()];
        update(&store, story, &second).await;
        let quill = |revision| vec![("Quill Foundry".to_owned(), hour(0), revision)];
        assert_eq!(subjects(&store, all()).await, (1, quill(2)));
        let mut third = News::new(3, hour(2));
        third.category = Category::Business;
        third.events = vec![
            event(
                EventKind::Acquisition,
                "quill foundry",
                Some("Ink Works"),
                0.9,
            ),
            event(EventKind::Lawsuit, "50%_Union", None, 0.8),
        ];
        update(&store, story, &third).await;
        let (total, found) = subjects(&store, all()).await;
        assert_eq!(total, 2);
        assert_eq!(found[0], ("50%_Union".to_owned(), hour(2), 3));
        assert_eq!(found[1], ("quill foundry".to_owned(), hour(0), 3));
        let only = |kind, subject: Option<&str>| EventQuery {
            kind,
            subject: subject.map(str::to_owned),
            ..all()
        };
        assert_eq!(
            subjects(&store, only(Some(EventKind::Lawsuit), None))
                .await
                .0,
            1
        );
        assert_eq!(subjects(&store, only(None, Some("FOUNDRY"))).await.0, 1);
        assert_eq!(subjects(&store, only(None, Some("0%_u"))).await.0, 1);
        assert_eq!(subjects(&store, only(None, Some("q%y"))).await.0, 0);

        update(&store, story, &News::new(4, hour(3))).await;
        assert_eq!(subjects(&store, all()).await, (0, vec![]));
        assert_eq!(store.findings().newest_event(&all()).await.unwrap(), None);

        // What was known at each hour.
        let at = |hours| {
            let mut query = all();
            query.window.as_of = Some(hour(hours));
            query
        };
        assert_eq!(subjects(&store, at(-1)).await.0, 0);
        assert_eq!(subjects(&store, at(0)).await, (1, quill(1)));
        assert_eq!(subjects(&store, at(1)).await, (1, quill(2)));
        assert_eq!(subjects(&store, at(2)).await.0, 2);
        assert_eq!(subjects(&store, at(3)).await.0, 0);
        let mut recent = at(2);
        recent.window.since = Some(hour(1));
        assert_eq!(subjects(&store, recent).await.0, 1, "first stated at two");
        let mut tech = at(2);
        tech.window.categories = vec![Category::Tech];
        assert_eq!(subjects(&store, tech).await.0, 0);
    })
    .await;
}

#[tokio::test]
async fn contradictions_are_found_by_severity() {
    on_each_database(|place| async move {
        let store = place.open().await;
        for (number, severity) in Severity::ALL.into_iter().enumerate() {
            let mut news = News::new(number as u64, hour(number as i64));
            news.contradictions = vec![contradiction(severity)];
            publish(&store, &news).await;
        }
        let mut query = ContradictionQuery {
            window: FindingWindow {
                limit: 2,
                ..FindingWindow::default()
            },
            ..ContradictionQuery::default()
        };
        let (total, page) = store.findings().contradictions(&query).await.unwrap();
        assert_eq!((total, page.len()), (3, 2));
        assert_eq!(page[0].stated, contradiction(Severity::Major));
        query.severity = Some(Severity::Minor);
        let (total, page) = store.findings().contradictions(&query).await.unwrap();
        assert_eq!((total, page[0].since), (1, hour(0)));
    })
    .await;
}
