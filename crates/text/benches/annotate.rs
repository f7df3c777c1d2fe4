//! How long reading one article takes.

use criterion::{Criterion, criterion_group, criterion_main};
use model::{Article, ArticleId, Timestamp};
use std::hint::black_box;

const TITLE: &str = "Nordbank shares fall as Federal Reserve keeps interest rates at two-year high";
const TEASER: &str = "The lender said on Tuesday that its quarterly profit fell to $1.3 billion from $1.9 billion a year earlier.";
const PARAGRAPH: &str = "Shares of Apple Inc. and Microsoft slipped in New York on Tuesday after Federal Reserve Chair Jerome Powell \
    said that the central bank would keep interest rates high for longer. \"We are not confident yet that inflation is moving down \
    to our target,\" Powell told reporters in Washington. Analysts at Goldman Sachs cut their price target for the iPhone maker, \
    citing weaker demand in China. Elena Marchetti, chief economist at Nordbank Research Institute, said that the decision had been \
    expected by most investors, but critics called it reckless. Oil prices rose 2.4% to $83.10 a barrel as tensions between Iran \
    and Israel grew. ";

fn article(paragraphs: usize) -> Article {
    Article {
        id: ArticleId(uuid::Uuid::nil()),
        url: "https://example.org/a".into(),
        domain: "example.org".into(),
        outlet: "Example".into(),
        title: TITLE.into(),
        description: TEASER.into(),
        body: vec![PARAGRAPH; paragraphs].join("\n\n"),
        author: None,
        published_at: Timestamp::from_ms(0),
        known_at: Timestamp::from_ms(0),
        simulated: false,
        via: None,
    }
}

fn annotate(criterion: &mut Criterion) {
    let hints = ["business".to_owned()];
    let (short, long) = (article(0), article(8));
    text::annotate::annotate(&long, &hints);
    criterion.bench_function("headline and teaser", |bencher| {
        bencher.iter(|| text::annotate::annotate(black_box(&short), &hints));
    });
    criterion.bench_function("800 words", |bencher| {
        bencher.iter(|| text::annotate::annotate(black_box(&long), &hints));
    });
    criterion.bench_function("800 words, entities", |bencher| {
        bencher.iter(|| text::entities::find(black_box(TITLE), black_box(&long.body)));
    });
    criterion.bench_function("800 words, sentiment", |bencher| {
        bencher.iter(|| text::sentiment::document(black_box(TITLE), black_box(&long.body)));
    });
    criterion.bench_function("800 words, category", |bencher| {
        bencher.iter(|| text::category::classify(black_box(TITLE), black_box(&long.body), &hints));
    });
    criterion.bench_function("800 words, bias", |bencher| {
        bencher.iter(|| text::bias::assess(black_box(TITLE), black_box(&long.body)));
    });
    criterion.bench_function("800 words, language", |bencher| {
        bencher.iter(|| text::language::detect(black_box(&long.body)));
    });
}

criterion_group!(benches, annotate);
criterion_main!(benches);
