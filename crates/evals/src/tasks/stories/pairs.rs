//! Pairs of the real streams that were labelled by hand: whether one story holds both.

use std::collections::HashMap;

use text::stories::Tuning;

use crate::articles::{self, Stream};
use crate::data::Data;
use crate::placement;
use crate::score::{Hits, interval};
use crate::table::{Table, figure};

/// Drawn from all bands of likeness.
const DRAWN: &str = include_str!("../../../labels/story_pairs.tsv");
/// Drawn from the best matches near a threshold that is no more.
const NEAR: &str = include_str!("../../../data/story_pairs.tsv");
/// The stream that nothing was fitted on; its figures were seen while thresholds were chosen.
const HELD_OUT: &str = "2022";

/// Two items and what a reader says of them.
struct Pair {
    /// The year of the stream; empty where it is not said.
    stream: &'static str,
    left: &'static str,
    right: &'static str,
    relation: &'static str,
    /// How it was drawn.
    band: &'static str,
    second_reader: &'static str,
}

impl Pair {
    fn is_same(&self) -> bool {
        self.relation == "same"
    }
}

/// The pairs that were drawn from all bands of likeness alike.
fn drawn() -> Vec<Pair> {
    let rows = DRAWN.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|line| {
        let columns: [&str; 9] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
        let [
            stream,
            left,
            right,
            relation,
            _,
            _,
            band,
            second_reader,
            draw,
        ] = columns;
        (draw == "all").then_some(Pair {
            stream,
            left,
            right,
            relation,
            band,
            second_reader,
        })
    })
    .collect()
}

fn near() -> Vec<Pair> {
    let rows = NEAR.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|line| {
        let [left, right, relation] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
        Some(Pair {
            stream: "",
            left,
            right,
            relation,
            band: "",
            second_reader: "-",
        })
    })
    .collect()
}

/// How many pairs of each label stand in one story; nothing where a stream is absent.
pub(super) fn table(data: &Data) -> anyhow::Result<Option<Table>> {
    let streams = articles::streams(data, "stories")?;
    let stories = stories(&streams, &Tuning::default());
    let mut table = Table::new(
        "Pairs of the real streams, labelled by hand",
        &[
            "pairs",
            "fitted on",
            "count",
            "same event, joined",
            "neighbouring event, joined",
            "unrelated, joined",
            "precision (95 %)",
            "recall (95 %)",
            "F1",
        ],
    );
    let (drawn, near) = (drawn(), near());
    for stream in ["2020", "2022", "2026"] {
        for (name, band) in [
            ("two outlets", "two"),
            ("one outlet", "one"),
            ("two languages", "cross"),
            ("all", ""),
        ] {
            let of_row = drawn
                .iter()
                .filter(|pair| pair.stream == stream && pair.band.starts_with(band));
            let fitted = if stream == HELD_OUT { "no" } else { "yes" };
            row(
                &mut table,
                &format!("{stream}, {name}"),
                fitted,
                of_row,
                &stories,
            );
        }
    }
    row(
        &mut table,
        "near the threshold of an earlier rule",
        "no",
        near.iter(),
        &stories,
    );
    if table.is_empty() {
        data.note_absent("any of our labelled pairs of reports");
        return Ok(None);
    }
    let twice: Vec<&Pair> = drawn
        .iter()
        .filter(|pair| pair.second_reader != "-")
        .collect();
    let agreed = twice
        .iter()
        .filter(|pair| pair.second_reader == pair.relation);
    table.note(format!(
        "As many pairs from each band of likeness, so there are many more hard ones among them than in a stream. Of {} pairs \
         a second reader gives {} the same label.",
        twice.len(),
        agreed.count(),
    ));
    Ok(Some(table))
}

/// In which story of which stream each article is.
fn stories<'a>(streams: &'a [Stream], tuning: &Tuning) -> HashMap<&'a str, (usize, usize)> {
    let mut stories = HashMap::new();
    for (number, stream) in streams.iter().enumerate() {
        let placed = placement::place_stream(stream, tuning);
        for (streamed, placed) in stream.articles.iter().zip(placed) {
            stories.insert(streamed.hash.as_str(), (number, placed.story));
        }
    }
    stories
}

fn row<'a>(
    table: &mut Table,
    name: &str,
    fitted: &str,
    pairs: impl Iterator<Item = &'a Pair>,
    stories: &HashMap<&str, (usize, usize)>,
) {
    let mut joined: HashMap<&str, (usize, usize)> = HashMap::new();
    let mut hits = Hits::default();
    let mut count = 0;
    for pair in pairs {
        let (Some(left), Some(right)) = (stories.get(pair.left), stories.get(pair.right)) else {
            continue;
        };
        count += 1;
        let together = left == right;
        let of_label = joined.entry(pair.relation).or_default();
        of_label.0 += usize::from(together);
        of_label.1 += 1;
        match (together, pair.is_same()) {
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
        fitted.to_owned(),
        count.to_string(),
        share("same"),
        share("neighbour"),
        share("unrelated"),
        with_interval(hits.precision(), hits.right + hits.wrong),
        with_interval(hits.recall(), hits.right + hits.missed),
        figure(hits.f1()),
    ]);
}
