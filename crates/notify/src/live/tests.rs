use super::*;

fn event(kind: LiveKind, topic: &str, position: i64) -> LiveEvent {
    LiveEvent {
        place: Place { position, index: 0 },
        kind,
        topic: topic.to_owned(),
        account: None,
        category: Some(Category::Tech),
        data: "{}".to_owned(),
    }
}

fn interest(topics: &[&str]) -> Interest {
    Interest {
        topics: (!topics.is_empty())
            .then(|| topics.iter().map(|topic| (*topic).to_owned()).collect()),
        kinds: LiveKind::ALL.to_vec(),
        account: None,
        categories: Vec::new(),
    }
}

fn heard(subscription: &mut Subscription) -> Vec<i64> {
    let mut positions = Vec::new();
    while let Ok(event) = subscription.receiver.try_recv() {
        positions.push(event.place.position);
    }
    positions
}

#[test]
fn a_cursor_is_read_as_it_was_written() {
    let cursor = Cursor {
        outbox: Place::after(1_523),
        alerts: Place {
            position: 7,
            index: 0,
        },
        prices: Place {
            position: 88,
            index: 14,
        },
    };
    assert_eq!(cursor.to_string(), "1523-7.0-88.14");
    assert_eq!(cursor.to_string().parse(), Ok(cursor));
    for wrong in [
        "",
        "1",
        "1-2",
        "1-2-3-4",
        "a-2-3",
        "1-2-3.x",
        "-1-2-3",
        "1.5.6-2-3",
    ] {
        assert_eq!(wrong.parse::<Cursor>(), Err(NoCursor), "{wrong}");
    }
}

#[test]
fn a_cursor_goes_forward_only() {
    let mut cursor: Cursor = "5-0-0".parse().unwrap();
    assert!(!cursor.advance(&event(LiveKind::Brief, "A", 5)));
    assert!(cursor.advance(&event(LiveKind::Sentiment, "A", 6)));
    assert!(
        !cursor.advance(&event(LiveKind::Brief, "A", 6)),
        "the same place"
    );
    assert!(cursor.advance(&event(LiveKind::Price, "stock:A", 1)));
    assert_eq!(cursor.to_string(), "6.0-0-1.0");
}

#[test]
fn listeners_hear_of_their_topics_kinds_categories_and_alerts() {
    let live = Live::default();
    let mut all = live.listen(interest(&[]));
    let mut apple = live.listen(interest(&["AAPL", "stock:AAPL"]));
    let mut prices = live.listen(Interest {
        kinds: vec![LiveKind::Price],
        ..interest(&[])
    });
    let mut science = live.listen(Interest {
        categories: vec![Category::Science],
        ..interest(&[])
    });
    let me = AccountId(uuid::Uuid::from_u128(1));
    let mut mine = live.listen(Interest {
        account: Some(me),
        kinds: vec![LiveKind::Alert],
        ..interest(&[])
    });
    live.publish(event(LiveKind::Brief, "AAPL", 1));
    live.publish(event(LiveKind::Brief, "MSFT", 2));
    live.publish(event(LiveKind::Price, "stock:AAPL", 3));
    live.publish(LiveEvent {
        account: Some(me),
        ..event(LiveKind::Alert, "stock:AAPL", 4)
    });
    live.publish(LiveEvent {
        category: None,
        ..event(LiveKind::Sentiment, "AAPL", 5)
    });
    assert_eq!(heard(&mut all), [1, 2, 3, 5]);
    assert_eq!(heard(&mut apple), [1, 3, 5]);
    assert_eq!(heard(&mut prices), [3]);
    assert_eq!(heard(&mut science), [3]);
    assert_eq!(heard(&mut mine), [4]);
    assert_eq!(live.listeners(), 5);
    drop((all, apple, prices, science, mine));
    assert_eq!(live.listeners(), 0);
    assert!(
        live.table.lock().by_topic.is_empty(),
        "nothing stays behind"
    );
}

#[tokio::test]
async fn a_slow_listener_is_cut_off_and_holds_up_nobody() {
    let live = Live::default();
    let mut slow = live.listen(interest(&["A"]));
    let mut quick = live.listen(interest(&["A"]));
    for position in 0..10_000 {
        live.publish(event(LiveKind::Brief, "A", position));
        assert_eq!(heard(&mut quick), [position]);
    }
    assert_eq!(slow.receiver.len(), LAG, "no more is kept for it");
    assert_eq!(live.listeners(), 1);
    assert!(slow.next().await.is_none());
}

#[test]
fn a_million_prices_stay_within_the_ring() {
    let live = Live::default();
    live.begin_prices(Place::after(0));
    let all = interest(&[]);
    for position in 1..=1_000_000 {
        live.publish(event(LiveKind::Price, "stock:A", position));
    }
    assert_eq!(live.ring.lock().events.len(), RING);
    assert!(live.prices_after(Place::after(0), &all).is_none());
    let kept = live.prices_after(Place::after(999_990), &all).unwrap();
    assert_eq!(kept.len(), 10);
    let others = interest(&["stock:B"]);
    assert!(
        live.prices_after(Place::after(999_990), &others)
            .unwrap()
            .is_empty()
    );
    assert_eq!(live.newest_price().unwrap().position, 1_000_000);
}
