//! How fast stories are published and lists are read.
//!
//! `cargo run --release -p store --example throughput -- [stories] [directory | postgres URL]`

#![expect(clippy::print_stdout, reason = "a report is what this program is for")]
#![expect(clippy::unwrap_used, reason = "it may end with a panic")]

use std::time::{Duration, Instant};

use model::{
    Annotations, Article, ArticleId, BiasDirection, BiasReading, Brief, BriefBias, BriefConfidence,
    BriefId, BriefSource, Category, DataMode, EntityKind, EntityMention, EntityRole, Features,
    MicroUsd, OutboxKind, PublicBriefId, Score, Section, SourcedSentence, Timestamp, TrustLevel,
};
use store::{
    AccountKey, BriefQuery, BriefSort, EntityQuery, LedgerEntry, LedgerKind, Location, NewArticle,
    NewRevision, Result, Store, TrendQuery,
};
use uuid::Uuid;

const PER_TRANSACTION: u64 = 50;

fn time_of(number: u64) -> Timestamp {
    Timestamp::from_ms(1_770_000_000_000 + i64::try_from(number).unwrap() * 20_000)
}

fn mentions(number: u64) -> Vec<EntityMention> {
    (0..5)
        .map(|place| EntityMention {
            // A few that everybody writes about, and a long tail.
            name: format!(
                "Entity {}",
                if place == 0 {
                    number % 7
                } else {
                    number * place % 20_011
                }
            ),
            kind: EntityKind::Organization,
            ticker: None,
            role: if place == 0 {
                EntityRole::Subject
            } else {
                EntityRole::Mentioned
            },
            mentions: 2,
            sentiment: Score::NEUTRAL,
        })
        .collect()
}

fn article(number: u64) -> (Article, Annotations) {
    let at = time_of(number);
    let domain = if number.is_multiple_of(997) {
        "rare.example".into()
    } else {
        format!("outlet{}.example", number % 40)
    };
    let article = Article {
        id: ArticleId(Uuid::now_v7()),
        url: format!("https://{domain}/{number}"),
        domain,
        outlet: "Outlet".into(),
        title: format!("What happened in case number {number}"),
        description:
            "A description of medium length that says a little more than the headline does.".into(),
        body: "A sentence of the body that is neither long nor short. ".repeat(30),
        author: None,
        published_at: at,
        known_at: at,
        simulated: true,
        via: None,
    };
    let annotations = Annotations {
        language: "en".into(),
        category: Category::ALL[(number % 15) as usize],
        sentiment: Score::NEUTRAL,
        entities: mentions(number),
        tags: (0..5)
            .map(|place| format!("tag {}", number * (place + 1) % 300))
            .collect(),
        bias: BiasReading::default(),
        events: Vec::new(),
        data_points: Vec::new(),
        features: Features {
            terms: (0..80).map(|term| (term, 0.1)).collect(),
            sketch: (0..64).collect(),
            headline: (0..10).collect(),
            pattern: 1,
            names: (0..20).collect(),
            meaning: vec![1; 128],
            report: 200,
        },
    };
    (article, annotations)
}

fn brief(
    id: BriefId,
    public_id: PublicBriefId,
    article: &Article,
    annotations: &Annotations,
    number: u64,
) -> Brief {
    let half = Score::NEUTRAL;
    let sentence = |section| SourcedSentence {
        section,
        text: "A sentence of the brief.".into(),
        sources: vec![0],
    };
    Brief {
        id,
        public_id,
        revision: 1,
        headline: article.title.clone(),
        summary: article.description.clone(),
        body: article.body.clone(),
        sentences: (0..12).map(|_| sentence(Section::Body)).collect(),
        category: annotations.category,
        published_at: article.published_at,
        updated_at: article.known_at,
        confidence: BriefConfidence {
            score: Score::clamped((number % 100) as f64 / 100.0),
            corroboration: half,
            source_trust: half,
            agreement: half,
            freshness: half,
        },
        bias: BriefBias {
            score: half,
            direction: BiasDirection::None,
            framing_notes: "Nothing stands out.".into(),
            loaded_wording: half,
            framing: half,
            one_sidedness: half,
        },
        counter_argument: "It rests on one source.".into(),
        sources: vec![BriefSource {
            article_id: article.id,
            name: article.outlet.clone(),
            url: article.url.clone(),
            domain: article.domain.clone(),
            trust_level: TrustLevel::Medium,
            title: article.title.clone(),
            published_at: article.published_at,
            known_at: article.known_at,
            copy_of: None,
            via: None,
        }],
        source_count: 1,
        update_count: 0,
        sentiment: half,
        tags: annotations.tags.clone(),
        entities: annotations.entities.clone(),
        events: Vec::new(),
        data_points: Vec::new(),
        contradictions: Vec::new(),
        language: "en".into(),
        simulated: true,
        split: model::Split::default(),
        merged: model::Merged::default(),
    }
}

async fn publish(store: &Store, numbers: std::ops::Range<u64>) -> Result<()> {
    let mut transaction = store.news_transaction().await?;
    for number in numbers {
        let (article, annotations) = article(number);
        let id = BriefId(Uuid::now_v7());
        let public = PublicBriefId::new(
            article.known_at,
            transaction.next_public_number(&article.known_at).await?,
        );
        let brief = brief(id, public, &article, &annotations, number);
        let recorded_at = article.known_at;
        let new = NewArticle {
            article: &article,
            annotations: &annotations,
            brief: id,
            story: None,
            copy_of: None,
            joined: None,
            recorded_at,
        };
        let story = transaction.insert_article(new).await?;
        transaction
            .insert_revision(NewRevision {
                brief: &brief,
                previous: None,
                story,
                known_from: article.known_at,
                recorded_at,
                kind: OutboxKind::BriefPublished,
            })
            .await?;
    }
    transaction.commit().await
}

async fn time<Work, Outcome>(name: &str, rounds: u32, mut work: Work)
where
    Work: FnMut(u32) -> Outcome,
    Outcome: Future<Output = u64>,
{
    let mut times = Vec::new();
    let mut last = 0;
    for round in 0..rounds {
        let start = Instant::now();
        last = work(round).await;
        times.push(start.elapsed());
    }
    let first = times[0];
    times.sort_unstable();
    let milliseconds = |duration: Duration| duration.as_secs_f64() * 1e3;
    println!(
        "{name:<44} first {:>8.2} ms  median {:>8.2} ms  worst {:>8.2} ms  ({last})",
        milliseconds(first),
        milliseconds(times[times.len() / 2]),
        milliseconds(times[times.len() - 1]),
    );
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let stories: u64 = arguments
        .next()
        .map_or(100_000, |text| text.parse().unwrap());
    let scratch = tempfile::tempdir().unwrap();
    let location = match arguments.next() {
        Some(url) if url.starts_with("postgres") => Location::Postgres(url),
        Some(directory) => Location::Directory(directory.into()),
        None => Location::Directory(scratch.path().to_owned()),
    };
    let store = Store::open(&location, DataMode::Demo).await.unwrap();

    let start = Instant::now();
    let mut longest = Duration::ZERO;
    for first in (0..stories).step_by(PER_TRANSACTION as usize) {
        let begin = Instant::now();
        publish(&store, first..(first + PER_TRANSACTION).min(stories))
            .await
            .unwrap();
        longest = longest.max(begin.elapsed());
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "published {stories} stories in {seconds:.1} s: {:.0}/s, {:.3} ms each, longest transaction {:.0} ms",
        stories as f64 / seconds,
        seconds * 1e3 / stories as f64,
        longest.as_secs_f64() * 1e3
    );
    let start = Instant::now();
    let sequenced = store.outbox().sequence().await.unwrap();
    println!(
        "sequenced {sequenced} events in {:.2} s",
        start.elapsed().as_secs_f64()
    );

    let base = BriefQuery {
        limit: 20,
        ..BriefQuery::default()
    };
    let list = |query: BriefQuery| {
        let store = &store;
        move |_| {
            let query = query.clone();
            async move { store.briefs().list(&query).await.unwrap().total }
        }
    };
    let past = Some(time_of(stories / 2));
    time("list", 50, list(base.clone())).await;
    time(
        "list, page 2,500",
        20,
        list(BriefQuery {
            offset: 49_980,
            ..base.clone()
        }),
    )
    .await;
    time(
        "list, updated",
        50,
        list(BriefQuery {
            sort: BriefSort::Updated,
            ..base.clone()
        }),
    )
    .await;
    time(
        "list, one category",
        50,
        list(BriefQuery {
            categories: vec![Category::Energy],
            ..base.clone()
        }),
    )
    .await;
    time("list, three categories", 50, {
        list(BriefQuery {
            categories: vec![Category::Energy, Category::Tech, Category::World],
            ..base.clone()
        })
    })
    .await;
    time(
        "list, confidence",
        50,
        list(BriefQuery {
            min_confidence: Some(0.9),
            ..base.clone()
        }),
    )
    .await;
    time(
        "list, tag",
        50,
        list(BriefQuery {
            tags: vec!["tag 7".into()],
            ..base.clone()
        }),
    )
    .await;
    time("list, common source", 50, {
        list(BriefQuery {
            include_sources: vec!["outlet3.example".into()],
            ..base.clone()
        })
    })
    .await;
    time(
        "list, rare source",
        50,
        list(BriefQuery {
            include_sources: vec!["rare.example".into()],
            ..base.clone()
        }),
    )
    .await;
    time("list, without a source", 50, {
        list(BriefQuery {
            exclude_sources: vec!["outlet3.example".into()],
            ..base.clone()
        })
    })
    .await;
    time(
        "list, as of the middle",
        20,
        list(BriefQuery {
            as_of: past,
            ..base.clone()
        }),
    )
    .await;
    time("entities", 50, async |_| {
        store
            .entities()
            .list(&EntityQuery {
                limit: 20,
                ..EntityQuery::default()
            })
            .await
            .unwrap()
            .len() as u64
    })
    .await;
    time("entities by text", 50, async |_| {
        let query = EntityQuery {
            limit: 20,
            text: Some("y 19999".into()),
            ..EntityQuery::default()
        };
        store.entities().list(&query).await.unwrap().len() as u64
    })
    .await;
    time("entities of a category", 5, async |_| {
        let query = EntityQuery {
            limit: 20,
            categories: vec![Category::Energy],
            ..EntityQuery::default()
        };
        store.entities().list(&query).await.unwrap().len() as u64
    })
    .await;
    time("briefs of a common entity", 20, async |_| {
        store
            .entities()
            .briefs("Entity 3", None, &[], 20, None)
            .await
            .unwrap()
            .0
    })
    .await;
    time("briefs of a rare entity", 20, async |_| {
        store
            .entities()
            .briefs("Entity 19999", None, &[], 20, None)
            .await
            .unwrap()
            .0
    })
    .await;
    time("timeline of 14 days", 20, async |_| {
        store
            .entities()
            .timeline("Entity 3", 14, time_of(stories), &[])
            .await
            .unwrap()
            .len() as u64
    })
    .await;
    for (name, days) in [
        ("entities rising, a day", 1),
        ("entities rising, a week", 7),
    ] {
        let until = time_of(stories);
        let since = until.plus_ms(-days * Timestamp::DAY_MS);
        let query = TrendQuery {
            before: since.plus_ms(-days * Timestamp::DAY_MS),
            since,
            until,
            kind: None,
            categories: Vec::new(),
            limit: 20,
        };
        let rising = async |_| store.entities().trending(&query).await.unwrap().len() as u64;
        time(name, 20, rising).await;
    }
    time("names for suggestions", 3, async |_| {
        store.entities().names(50_000).await.unwrap().len() as u64
    })
    .await;
    time("tags for suggestions", 3, async |_| {
        store.entities().tags(20_000).await.unwrap().len() as u64
    })
    .await;
    let newest = store.briefs().list(&base).await.unwrap().briefs[0]
        .brief
        .public_id
        .clone();
    time("one brief", 50, async |_| {
        u64::from(
            store
                .briefs()
                .find(newest.as_str(), None)
                .await
                .unwrap()
                .is_some(),
        )
    })
    .await;
    let day = time_of(stories).day();
    time("features of three days", 5, async |_| {
        store.articles().of_days(day - 2, day).await.unwrap().len() as u64
    })
    .await;

    let entry = |round: u32| LedgerEntry {
        account: AccountKey::Demo("192.0.2.1".into()),
        key: None,
        endpoint: "GET /api/v1/feed".into(),
        calls: 1,
        credits: 1,
        overage: MicroUsd(0),
        at: time_of(u64::from(round)),
        kind: LedgerKind::Charge,
    };
    time("ledger append", 200, async |round| {
        store.ledger().append(&[entry(round)]).await.unwrap();
        1
    })
    .await;
    time("ledger append, durable", 50, async |round| {
        store
            .ledger()
            .append_durable(&[entry(round)])
            .await
            .unwrap();
        1
    })
    .await;
    println!("{:?}", store.counts().await.unwrap());
    store.close().await;
}
