//! Pairs of the real streams that were labelled by hand: whether one story holds both.

use std::collections::HashMap;

use text::stories::Tuning;

use crate::articles::{self, Stream};
use crate::data::Data;
use crate::placement;
use crate::score::{Hits, interval};
use crate::seen;
use crate::table::{Table, figure};

static PAIRS: &str = include_str!("../../../data/story_pairs.tsv");

/// How many pairs of each label stand in one story; nothing where a stream is absent.
pub(super) fn table(data: &Data) -> anyhow::Result<Option<Table>> {
    let streams = articles::streams(data, "stories")?;
    if streams.is_empty() {
        return Ok(None);
    }
    let mut table = Table::new(
        "Pairs of the real streams, labelled by hand, near the threshold",
        &[
            "setting",
            "seen",
            "pairs",
            "same event, joined",
            "neighbouring event, joined",
            "unrelated, joined",
            "precision (95 %)",
            "recall (95 %)",
        ],
    );
    let likeness_alone = Tuning {
        rivalry: 0.0,
        ..Tuning::default()
    };
    for (name, tuning) in [
        ("as shipped", Tuning::default()),
        ("without rivals", likeness_alone),
    ] {
        row(&mut table, name, &streams, &tuning);
    }
    if table.is_empty() {
        data.note_absent("any of our labelled pairs of reports");
        return Ok(None);
    }
    table.note(
        "The pairs helped to choose the strength of the rivals, so the first row flatters itself. They were \
         drawn where the decision is hardest; most pairs that are joined lie above.",
    );
    Ok(Some(table))
}

fn row(table: &mut Table, name: &str, streams: &[Stream], tuning: &Tuning) {
    let mut stories: HashMap<&str, (usize, usize)> = HashMap::new();
    for (number, stream) in streams.iter().enumerate() {
        let articles = stream.articles.iter().map(|streamed| {
            (
                &streamed.annotations.features,
                Some(streamed.article.published_at),
            )
        });
        for (streamed, placed) in stream
            .articles
            .iter()
            .zip(placement::place(articles, tuning))
        {
            stories.insert(&streamed.hash, (number, placed.story));
        }
    }
    let mut joined: HashMap<&str, (f64, f64)> = HashMap::new();
    let mut hits = Hits::default();
    let mut count = 0;
    for line in PAIRS.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let (Some(left), Some(right), Some(label)) = (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        let (Some(left), Some(right)) = (stories.get(left), stories.get(right)) else {
            continue;
        };
        count += 1;
        let together = left == right;
        let of_label = joined.entry(label).or_default();
        of_label.0 += f64::from(u8::from(together));
        of_label.1 += 1.0;
        match (together, label == "same") {
            (true, true) => hits.right += 1.0,
            (true, false) => hits.wrong += 1.0,
            (false, true) => hits.missed += 1.0,
            (false, false) => {}
        }
    }
    if count == 0 {
        return;
    }
    let share = |label: &str| {
        let (part, whole) = joined.get(label).copied().unwrap_or_default();
        format!("{part} of {whole}")
    };
    let with_interval = |value: f64, whole: f64| {
        let (low, high) = interval(hits.right, whole);
        format!("{} ({low:.2}–{high:.2})", figure(value))
    };
    table.row([
        name.to_owned(),
        // The pairs helped to choose the strength of the rivals.
        seen::YES.to_owned(),
        count.to_string(),
        share("same"),
        share("neighbour"),
        share("unrelated"),
        with_interval(hits.precision(), hits.right + hits.wrong),
        with_interval(hits.recall(), hits.right + hits.missed),
    ]);
}
