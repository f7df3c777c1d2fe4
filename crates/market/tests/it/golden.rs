//! Every indicator that TA-Lib has, beside the values of Python's TA-Lib on generated series: an ordinary walk, a flat
//! price, a halt, gaps, tiny and huge prices, a steady trend and a series without volume.
//!
//! The files are written by `scripts/golden_indicators.py`.

use std::fs::File;

use market::{Candle, CandleColumns, Day};

use crate::oracle::{Worst, outputs};

const SERIES: [&str; 8] = [
    "walk",
    "flat",
    "halted",
    "gapped",
    "tiny",
    "huge",
    "trend",
    "wave_without_volume",
];

#[test]
fn indicators_equal_talib_on_generated_series() {
    for series in SERIES {
        let path = format!(
            "{}/tests/golden/{series}.csv.gz",
            env!("CARGO_MANIFEST_DIR")
        );
        let file = flate2::read::GzDecoder::new(File::open(path).unwrap());
        let mut reader = csv::Reader::from_reader(file);
        let names: Vec<String> = reader
            .headers()
            .unwrap()
            .iter()
            .map(str::to_owned)
            .collect();
        let mut columns = vec![Vec::new(); names.len()];
        for record in reader.records() {
            for (column, cell) in columns.iter_mut().zip(&record.unwrap()) {
                column.push(cell.parse::<f64>().unwrap_or(f64::NAN));
            }
        }
        let rows = (0..columns[0].len()).map(|row| Candle {
            day: Day::new(row as i32).unwrap(),
            open: columns[0][row],
            high: columns[1][row],
            low: columns[2][row],
            close: columns[3][row],
            volume: columns[4][row],
        });
        let (candles, refusals) = CandleColumns::sift(rows);
        assert_eq!(refusals, []);
        let mut worst = Worst::default();
        for ((name, line), position) in outputs(candles.view()).into_iter().zip(5..) {
            assert_eq!(name, names[position]);
            worst.compare(
                &format!("{series} {name}"),
                &line,
                &columns[position],
                candles.view().close(),
            );
        }
        println!("{series}: largest relative difference {worst}");
    }
}
