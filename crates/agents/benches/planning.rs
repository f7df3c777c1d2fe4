//! How long it takes to read and plan a question, with 6,000 names to find.
//!
//! `cargo bench -p agents`. A hundred questions in turn, one thread.

#![expect(
    clippy::unwrap_used,
    reason = "a measurement ends where it cannot go on"
)]

use std::hint::black_box;

use agents::plan::plan;
use criterion::{Criterion, criterion_group, criterion_main};
use model::{Day, Symbol};
use query::{Kind, Listed, Names};

/// Questions as somebody expects them to be read, one on a line.
const QUESTIONS: &str = include_str!("../../evals/labels/questions.tsv");
/// Symbols and names of what is listed.
const LISTED: &str = include_str!("../../text/data/entities/listed.tsv");

fn names() -> Names {
    let listed = LISTED
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let mut cells = line.split('\t');
            let name = cells.next()?;
            let symbol = Symbol::parse(cells.next()?)?;
            Some(Listed {
                symbol,
                name: name.to_owned(),
                kind: Kind::Share,
                currency: "USD".to_owned(),
                size: 1e6,
            })
        });
    Names::new(listed)
}

fn planning(criterion: &mut Criterion) {
    let names = names();
    let today = Day::parse("2026-11-23").unwrap();
    let questions: Vec<&str> = QUESTIONS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split('\t').next())
        .collect();
    let mut turn = questions.iter().cycle();
    criterion.bench_function("read and plan a question", |bencher| {
        bencher.iter(|| {
            let question = turn.next().unwrap();
            let reading = query::read(black_box(question), today, &names);
            plan(&reading, today)
        });
    });
}

criterion_group!(benches, planning);
criterion_main!(benches);
