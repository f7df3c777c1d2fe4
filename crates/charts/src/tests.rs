use quick_xml::Reader;
use quick_xml::events::Event;

use model::Day;

use super::*;
use crate::axis::{labels, tick};

fn days(count: i32) -> Vec<Day> {
    let first = Day::parse("2025-11-03").unwrap();
    (0..count).map(|number| first.plus(number)).collect()
}

fn bars(count: i32) -> Vec<Bar> {
    let bar = |(place, day): (usize, Day)| {
        let close = 100.0 + (place as f64 / 7.0).sin() * 20.0;
        Bar {
            day,
            open: close - 1.0,
            high: close + 2.0,
            low: close - 2.5,
            close,
            volume: 1e6 + place as f64,
        }
    };
    days(count).into_iter().enumerate().map(bar).collect()
}

/// Reads a picture as XML; returns the names of its elements and its texts.
fn read(svg: &str) -> (Vec<String>, Vec<String>) {
    let mut reader = Reader::from_str(svg);
    let (mut names, mut texts) = (Vec::new(), Vec::new());
    loop {
        match reader.read_event().expect("well-formed XML") {
            Event::Start(start) | Event::Empty(start) => {
                names.push(start.name().as_ref().to_owned());
                for attribute in start.attributes() {
                    let attribute = attribute.expect("a whole attribute");
                    let name = attribute.key.as_ref().to_lowercase();
                    assert!(!name.starts_with("on") && !name.contains("href"), "{name}");
                }
            }
            Event::Text(text) => texts.push(text.as_ref().trim().to_owned()),
            Event::Eof => return (names, texts),
            _ => {}
        }
    }
}

#[test]
fn bars_are_drawn_with_their_volume_and_averages() {
    let bars = bars(60);
    let average = Average {
        name: "20-day average".to_owned(),
        values: bars
            .iter()
            .enumerate()
            .map(|(place, bar)| if place < 19 { f64::NAN } else { bar.close })
            .collect(),
    };
    let chart = BarChart {
        title: "ACME, daily".to_owned(),
        bars,
        averages: vec![average],
        oscillator: None,
    };
    let svg = chart.svg().unwrap();
    let (names, texts) = read(&svg);
    let rectangles = names.iter().filter(|name| *name == "rect").count();
    assert!(rectangles >= 120, "a body and a volume each: {rectangles}");
    for text in ["ACME, daily", "20-day average"] {
        assert!(texts.iter().any(|one| one == text), "{texts:?}");
    }
    assert!(svg.contains("currentColor") && !svg.contains("#010203") && !svg.contains("#030201"));
    assert!(!svg.contains("NaN"));
    assert_eq!(svg, chart.svg().unwrap(), "the same every time");
}

#[test]
fn lines_that_are_compared_begin_at_a_hundred_on_a_common_day() {
    let line = |name: &str, from: usize, base: f64| Line {
        name: name.to_owned(),
        points: days(100)
            .into_iter()
            .skip(from)
            .enumerate()
            .map(|(place, day)| (day, base * (1.0 + place as f64 / 100.0)))
            .collect(),
    };
    let chart = LineChart {
        title: "ACME and BOLT".to_owned(),
        lines: vec![line("ACME", 0, 10.0), line("BOLT", 30, 5_000.0)],
        is_indexed: true,
    };
    let prepared = chart.prepared();
    for line in &prepared {
        assert_eq!(line.points[0].1, 100.0);
        assert_eq!(line.points.len(), 70);
    }
    assert_eq!(prepared[0].points[0].0, prepared[1].points[0].0);
    let (_, texts) = read(&chart.svg().unwrap());
    assert!(texts.contains(&"BOLT".to_owned()), "{texts:?}");
}

#[test]
fn texts_of_strangers_stay_texts() {
    let chart = LineChart {
        title: "<script>alert(1)</script> & \u{1}".to_owned(),
        lines: vec![Line {
            name: "\"><script>".to_owned(),
            points: days(3).into_iter().map(|day| (day, 1.0)).collect(),
        }],
        is_indexed: false,
    };
    let (names, texts) = read(&chart.svg().unwrap());
    assert!(!names.iter().any(|name| name == "script"));
    assert!(texts.iter().any(|text| text.contains("script")));
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let bare = |bars| BarChart {
        title: String::new(),
        bars,
        averages: Vec::new(),
        oscillator: None,
    };
    assert_eq!(bare(bars(1)).svg(), Err(NoChart::TooFew));
    let mut broken = bars(3);
    broken[1].high = f64::NAN;
    assert_eq!(bare(broken).svg(), Err(NoChart::TooFew));
    let empty = LineChart {
        title: String::new(),
        lines: Vec::new(),
        is_indexed: true,
    };
    assert_eq!(empty.svg(), Err(NoChart::TooFew));
}

#[test]
fn long_and_flat_series_are_drawn_in_bounded_space() {
    let long = BarChart {
        title: "ACME".to_owned(),
        bars: bars(20_000),
        averages: Vec::new(),
        oscillator: None,
    };
    assert!(long.svg().unwrap().len() < 600_000);
    let flat = LineChart {
        title: "flat".to_owned(),
        lines: vec![Line {
            name: "zero".to_owned(),
            points: days(10).into_iter().map(|day| (day, 0.0)).collect(),
        }],
        is_indexed: true,
    };
    read(&flat.svg().unwrap());
}

#[test]
fn axes_are_lettered_for_people() {
    for (value, text) in [
        (0.0, "0"),
        (0.0004812, "0.000481"),
        (1.5, "1.5"),
        (217.0, "217"),
        (12_345.0, "12345"),
        (1_500_000.0, "1.5M"),
        (5_231e9, "5.23T"),
    ] {
        assert_eq!(tick(value), text);
    }
    let marks = labels(&days(20));
    assert_eq!(marks[0], (0, "3 Nov".to_owned()));
    let marks = labels(&days(200));
    assert_eq!(marks[0].1, "Dec 2025");
    assert!(marks.iter().any(|(_, text)| text == "Jan 2026"));
    assert!(marks.len() <= 8);
}

#[test]
fn ranked_values_are_bars_with_their_names() {
    let rank = |name: &str, value: f64| Rank {
        name: name.to_owned(),
        value,
        shown: format!("{value:.1}"),
        stands_out: name == "ACME",
    };
    let chart = RankChart {
        title: "Price over earnings".to_owned(),
        ranks: vec![
            rank("ACME", 30.0),
            rank("<b>", 12.5),
            rank("ZERO", f64::NAN),
        ],
    };
    let (names, texts) = read(&chart.svg().unwrap());
    assert_eq!(names.iter().filter(|name| *name == "rect").count(), 2);
    assert!(
        texts.iter().any(|text| text == "ACME") && texts.iter().any(|text| text == "12.5"),
        "{texts:?}"
    );
    let alone = RankChart {
        ranks: vec![rank("ACME", 1.0)],
        ..chart
    };
    assert_eq!(alone.svg(), Err(NoChart::TooFew));
}

#[test]
fn an_oscillator_has_a_strip_of_its_own() {
    let bars = bars(60);
    let bare = BarChart {
        title: "ACME, daily".to_owned(),
        averages: Vec::new(),
        oscillator: None,
        bars,
    };
    let values: Vec<f64> = (0..60)
        .map(|place| if place < 14 { f64::NAN } else { 55.0 })
        .collect();
    let with = |values: Vec<f64>| BarChart {
        oscillator: Some(Oscillator {
            name: "RSI, 14 days".to_owned(),
            values,
            marks: vec![30.0, 70.0],
        }),
        ..bare.clone()
    };
    let (plain, svg) = (bare.svg().unwrap(), with(values).svg().unwrap());
    let (names, texts) = read(&svg);
    assert!(texts.iter().any(|text| text == "RSI, 14 days"), "{texts:?}");
    let height = |svg: &str| svg.split("viewBox=\"0 0 860 ").nth(1).unwrap()[..3].to_owned();
    assert_eq!(
        (height(&plain), height(&svg)),
        ("400".to_owned(), "496".to_owned())
    );
    let lines = |names: &[String]| names.iter().filter(|name| *name == "polyline").count();
    assert!(
        lines(&names) >= lines(&read(&plain).0) + 3,
        "two marks and a line"
    );
    assert!(!svg.contains("NaN"));
    // Anything that does not fit the bars is not drawn, and neither is anything for which no value is known.
    assert_eq!(with(vec![50.0; 59]).svg().unwrap(), plain);
    assert_eq!(with(vec![f64::NAN; 60]).svg().unwrap(), plain);
}

#[test]
fn columns_stand_on_zero_below_each_other() {
    let panel = |name: &str, values: &[f64]| Panel {
        name: name.to_owned(),
        values: values.to_vec(),
    };
    let chart = ColumnChart {
        title: "ACME by quarter".to_owned(),
        periods: ["Dec 2025", "Mar 2026", "Jun 2026"]
            .map(str::to_owned)
            .to_vec(),
        panels: vec![
            panel("Revenue", &[3e9, f64::NAN, 4e9]),
            panel("Earnings a share", &[-0.4, 0.2, 0.3]),
            panel("too few", &[1.0, f64::NAN, f64::NAN]),
            panel("too short", &[1.0, 2.0]),
        ],
    };
    let svg = chart.svg().unwrap();
    let (names, texts) = read(&svg);
    assert_eq!(names.iter().filter(|name| *name == "rect").count(), 5);
    for text in ["Revenue", "Earnings a share", "Jun 2026"] {
        assert!(texts.iter().any(|one| one == text), "{text}: {texts:?}");
    }
    assert!(!texts.iter().any(|text| text.starts_with("too")));
    let empty = ColumnChart {
        panels: Vec::new(),
        ..chart
    };
    assert_eq!(empty.svg(), Err(NoChart::TooFew));
}
