//! How long placing an article among 100,000 others takes, and composing a brief.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use model::{Annotations, Article, ArticleId, BiasReading, Category, Score, Timestamp, TrustLevel};
use text::compose::{Member, compose};
use text::features::features;
use text::stories::{Compared, StoryIndex};

/// As many as are compared in full with a new article.
const COMPARED: u64 = 200;

/// A made-up vocabulary with the usual few common and many rare words.
fn word(seed: &mut u64) -> String {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    let uniform = (*seed >> 11) as f64 / (1_u64 << 53) as f64;
    let rank = (30_000.0_f64.powf(uniform)) as u64;
    let mut letters = String::new();
    let mut rest = rank * 7919 + 17;
    while rest > 0 {
        letters.push(char::from(b'a' + (rest % 26) as u8));
        rest /= 26;
    }
    letters
}

fn sentence(seed: &mut u64, words: usize) -> String {
    let mut text = (0..words).map(|_| word(seed)).collect::<Vec<_>>().join(" ");
    text[..1].make_ascii_uppercase();
    text + "."
}

fn article(number: u32, full: bool) -> Article {
    let mut seed = 0x9e37_79b9_7f4a_7c15 ^ (u64::from(number) << 17) ^ u64::from(number);
    let time = Timestamp::from_ms(1_700_000_000_000 + i64::from(number % 5000) * 100_000);
    let body = if full {
        (0..35)
            .map(|_| sentence(&mut seed, 22))
            .collect::<Vec<_>>()
            .join(" ")
    } else {
        String::new()
    };
    Article {
        id: ArticleId(uuid::Uuid::from_u128(u128::from(number))),
        url: format!("https://outlet{number}.example/{number}"),
        domain: format!("outlet{number}.example"),
        outlet: format!("Outlet {number}"),
        title: sentence(&mut seed, 10),
        description: sentence(&mut seed, 25),
        body,
        author: None,
        published_at: time,
        known_at: time,
        simulated: false,
        via: None,
    }
}

fn annotations(article: &Article) -> Annotations {
    Annotations {
        language: "en".to_owned(),
        category: Category::World,
        sentiment: Score::NEUTRAL,
        entities: Vec::new(),
        tags: Vec::new(),
        bias: BiasReading::default(),
        events: Vec::new(),
        data_points: Vec::new(),
        features: features(&article.title, &article.description, &article.body, &[]),
    }
}

fn measure(criterion: &mut Criterion) {
    let mut index = StoryIndex::new();
    for number in 0..100_000 {
        let article = article(number, number % 4 == 0);
        let found = features(&article.title, &article.description, &article.body, &[]);
        index.insert(
            u64::from(number),
            u64::from(number / 3),
            Compared {
                features: &found,
                domain: &article.domain,
                time: Some(article.published_at),
            },
        );
    }
    let new = article(100_001, true);
    criterion.bench_function("features of a full article", |bench| {
        bench.iter(|| features(&new.title, &new.description, &new.body, &[]));
    });
    let found = features(&new.title, &new.description, &new.body, &[]);
    criterion.bench_function("place among 100,000", |bench| {
        bench.iter(|| {
            index.place(Compared {
                features: &found,
                domain: &new.domain,
                time: Some(new.published_at),
            })
        });
    });
    let mut near = StoryIndex::new();
    for number in 0..COMPARED {
        near.insert(
            number,
            number,
            Compared {
                features: &found,
                domain: "",
                time: Some(new.published_at.plus_ms(-(number as i64))),
            },
        );
    }
    let mut group = criterion.benchmark_group("a pair");
    group.throughput(Throughput::Elements(COMPARED));
    group.bench_function("one article with 200", |bench| {
        bench.iter(|| {
            near.place(Compared {
                features: &found,
                domain: "",
                time: Some(new.published_at),
            })
        });
    });
    group.finish();
    for (name, count, full) in [
        ("compose 2 headlines", 2, false),
        ("compose 8 full articles", 8, true),
    ] {
        let articles: Vec<Article> = (0..count).map(|number| article(number, full)).collect();
        let read: Vec<Annotations> = articles.iter().map(annotations).collect();
        let members: Vec<Member<'_>> = articles
            .iter()
            .zip(&read)
            .map(|(article, annotations)| Member {
                article,
                annotations,
                outlet: &article.outlet,
                trust: TrustLevel::Medium,
                copy_of: None,
            })
            .collect();
        criterion.bench_function(name, |bench| bench.iter(|| compose(&members, None)));
    }
}

criterion_group!(benches, measure);
criterion_main!(benches);
