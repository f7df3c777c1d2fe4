//! Pairs of the real streams that were labelled by hand: whether one story holds both.

use std::collections::HashMap;

use model::Features;
use text::stories::{Compared, Tuning};

use crate::articles::{self, Stream};
use crate::data::Data;
use crate::labels::STREAM_HELD_OUT as HELD_OUT;
use crate::placement;
use crate::random::Random;
use crate::score::{Hits, interval};
use crate::table::{Table, figure};

/// Drawn from all bands of likeness.
const DRAWN: &str = include_str!("../../../labels/story_pairs.tsv");
/// Drawn from the best matches near a threshold that is no more.
const NEAR: &str = include_str!("../../../data/story_pairs.tsv");
const STREAMS: [&str; 3] = ["2020", HELD_OUT, "2026"];

/// Two items and what a reader says of them.
struct Pair {
    /// The year of the stream; empty where it is not said.
    stream: &'static str,
    left: &'static str,
    right: &'static str,
    relation: &'static str,
    /// The kind of each item.
    kinds: [&'static str; 2],
    /// How it was drawn.
    band: &'static str,
    second_reader: &'static str,
}

/// The draw from all bands of likeness alike,
const ALL_BANDS: &str = "all";
/// and a later one, with more from the bands where events and their neighbours meet.
const LATER: &str = "third";

impl Pair {
    fn is_same(&self) -> bool {
        self.relation == "same"
    }
}

/// The pairs of one draw.
fn drawn(of: &str) -> Vec<Pair> {
    let rows = DRAWN.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|line| {
        let columns: [&str; 9] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
        let [
            stream,
            left,
            right,
            relation,
            one_kind,
            other_kind,
            band,
            second_reader,
            draw,
        ] = columns;
        (draw == of).then_some(Pair {
            stream,
            left,
            right,
            relation,
            kinds: [one_kind, other_kind],
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
            kinds: [""; 2],
            band: "",
            second_reader: "-",
        })
    })
    .collect()
}

/// In which story of which stream each article is.
type Stories<'a> = HashMap<&'a str, (usize, usize)>;

/// How many pairs of each label stand in one story: by stream, by kind of item, and with a part left out. Nothing where the
/// streams are absent.
pub(super) fn tables(data: &Data) -> anyhow::Result<Vec<Table>> {
    let streams = articles::streams(data, "stories")?;
    let found = stories(&streams, &Tuning::default(), |_| {});
    let (drawn, later, near) = (drawn(ALL_BANDS), drawn(LATER), near());
    let mut by_stream = table("Pairs of the real streams, labelled by hand", "pairs");
    for stream in STREAMS {
        for (name, band) in [
            ("two outlets", "two"),
            ("one outlet", "one"),
            ("two languages", "cross"),
            ("all", ""),
        ] {
            let of_row = drawn
                .iter()
                .filter(|pair| pair.stream == stream && pair.band.starts_with(band));
            row(
                &mut by_stream,
                &format!("{stream}, {name}"),
                stream,
                of_row,
                &found,
            );
        }
    }
    for stream in STREAMS {
        let of_row = later.iter().filter(|pair| pair.stream == stream);
        row(
            &mut by_stream,
            &format!("{stream}, drawn later where it is hard"),
            stream,
            of_row,
            &found,
        );
    }
    let name = "near the threshold of an earlier rule";
    row(&mut by_stream, name, HELD_OUT, near.iter(), &found);
    if by_stream.is_empty() {
        data.note_absent("any of our labelled pairs of reports");
        return Ok(Vec::new());
    }
    let twice: Vec<&Pair> = drawn
        .iter()
        .filter(|pair| pair.second_reader != "-")
        .collect();
    let agreed = twice
        .iter()
        .filter(|pair| pair.second_reader == pair.relation);
    by_stream.note(format!(
        "As many pairs from each band of likeness, so there are many more hard ones among them than in a stream. Of {} pairs \
         a second reader gives {} the same label.",
        twice.len(),
        agreed.count(),
    ));

    let mut by_kind = table(
        "The same by the kind of the items",
        "pairs with one of a kind",
    );
    for kind in ["report", "series", "roundup", "live", "opinion", "other"] {
        for held_out in [false, true] {
            let of_row = drawn.iter().filter(|pair| {
                let is_of_kind = if kind == "report" {
                    pair.kinds == ["report"; 2]
                } else {
                    pair.kinds.contains(&kind)
                };
                is_of_kind && (pair.stream == HELD_OUT) == held_out
            });
            let (name, stream) = if held_out {
                (format!("{kind}, {HELD_OUT}"), HELD_OUT)
            } else {
                (format!("{kind}, the others"), "")
            };
            row(&mut by_kind, &name, stream, of_row, &found);
        }
    }
    by_kind.note("`report` has the pairs of two reports, each other row those with at least one item of its kind.");
    Ok(vec![by_stream, by_kind, ablations(&streams, &drawn)])
}

fn table(title: &str, first: &str) -> Table {
    Table::new(
        title,
        &[
            first,
            "fitted on",
            "count",
            "same event, joined",
            "neighbouring event, joined",
            "unrelated, joined",
            "precision (95 %)",
            "recall (95 %)",
            "F1 (95 %)",
        ],
    )
}

/// What the figures are where a part of what decides is left out.
fn ablations(streams: &[Stream], drawn: &[Pair]) -> Table {
    type Setting = (&'static str, fn(&mut Tuning), fn(&mut Features));
    const SETTINGS: [Setting; 8] = [
        ("everything", |_| {}, |_| {}),
        (
            "no learning of what an outlet says every time",
            |tuning| tuning.boilerplate = false,
            |_| {},
        ),
        ("no series", |_| {}, |features| features.pattern = 0),
        ("no vectors", |_| {}, |features| features.meaning.clear()),
        ("no forms", |tuning| tuning.forms = false, |_| {}),
        ("no division", |tuning| tuning.divides = false, |_| {}),
        (
            "no stories that become one",
            |tuning| (tuning.merged, tuning.one_outlet_merged) = (2.0, 2.0),
            |_| {},
        ),
        (
            "likeness alone, without the fitted model",
            |_| {},
            |features| {
                features.headline.clear();
                features.meaning.clear();
            },
        ),
    ];
    let mut table = table("With a part left out", "left out");
    for (name, tune, change) in SETTINGS {
        let mut tuning = Tuning::default();
        tune(&mut tuning);
        let found = stories(streams, &tuning, change);
        for stream in STREAMS {
            let of_row = drawn.iter().filter(|pair| pair.stream == stream);
            row(
                &mut table,
                &format!("{name}, {stream}"),
                stream,
                of_row,
                &found,
            );
        }
    }
    table
}

/// The stories of all streams, with features that are changed before.
fn stories<'a>(streams: &'a [Stream], tuning: &Tuning, change: fn(&mut Features)) -> Stories<'a> {
    let mut stories = HashMap::new();
    for (number, stream) in streams.iter().enumerate() {
        let changed: Vec<Features> = stream
            .articles
            .iter()
            .map(|streamed| {
                let mut features = streamed.annotations.features.clone();
                change(&mut features);
                features
            })
            .collect();
        let compared = stream.articles.iter().zip(&changed);
        let compared = compared.map(|(streamed, features)| Compared {
            features,
            ..streamed.compared()
        });
        let placed = placement::place(compared, tuning);
        for (streamed, placed) in stream.articles.iter().zip(placed) {
            stories.insert(streamed.hash.as_str(), (number, placed.story));
        }
    }
    stories
}

fn row<'a>(
    table: &mut Table,
    name: &str,
    stream: &str,
    pairs: impl Iterator<Item = &'a Pair>,
    stories: &Stories<'_>,
) {
    let mut joined: HashMap<&str, (usize, usize)> = HashMap::new();
    let mut decided: Vec<(bool, bool)> = Vec::new();
    for pair in pairs {
        let (Some(left), Some(right)) = (stories.get(pair.left), stories.get(pair.right)) else {
            continue;
        };
        let together = left == right;
        let of_label = joined.entry(pair.relation).or_default();
        of_label.0 += usize::from(together);
        of_label.1 += 1;
        decided.push((together, pair.is_same()));
    }
    if decided.is_empty() {
        return;
    }
    let hits = hits(&decided);
    let share = |label: &str| {
        let (part, whole) = joined.get(label).copied().unwrap_or_default();
        format!("{part} of {whole}")
    };
    let with_interval = |value: f64, whole: f64| {
        let (low, high) = interval(hits.right, whole);
        format!("{} ({low:.2}–{high:.2})", figure(value))
    };
    let (low, high) = drawn_again(&decided);
    table.row([
        name.to_owned(),
        if stream == HELD_OUT { "no" } else { "yes" }.to_owned(),
        decided.len().to_string(),
        share("same"),
        share("neighbour"),
        share("unrelated"),
        with_interval(hits.precision(), hits.right + hits.wrong),
        with_interval(hits.recall(), hits.right + hits.missed),
        format!("{} ({low:.2}–{high:.2})", figure(hits.f1())),
    ]);
}

/// Of pairs: whether one story has both, and whether they report one event.
fn hits(decided: &[(bool, bool)]) -> Hits {
    let mut hits = Hits::default();
    for pair in decided {
        match pair {
            (true, true) => hits.right += 1.0,
            (true, false) => hits.wrong += 1.0,
            (false, true) => hits.missed += 1.0,
            (false, false) => {}
        }
    }
    hits
}

/// The 95 % interval of F1, from drawing as many pairs again 500 times.
fn drawn_again(decided: &[(bool, bool)]) -> (f64, f64) {
    let mut random = Random::seeded(1);
    let mut drawn: Vec<f64> = (0..500)
        .map(|_| {
            let again: Vec<(bool, bool)> = (0..decided.len())
                .map(|_| decided[random.below(decided.len())])
                .collect();
            hits(&again).f1()
        })
        .collect();
    drawn.sort_by(f64::total_cmp);
    (drawn[12], drawn[487])
}
