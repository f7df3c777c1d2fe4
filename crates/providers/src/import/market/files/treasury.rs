//! The par yield curve of the US Treasury: its table of maturities and its XML feed.
//!
//! Yields get the identifiers that FRED gives them (`DGS2`, `DGS3MO`); the maturities that FRED leaves out are named
//! in the same way (`DGS2MO`, `DGS1_5MO`). A yield of zero is valid: short bills have had it.

use model::SeriesId;
use quick_xml::Reader;
use quick_xml::events::Event;

use super::FileOptions;
use super::dates::Days;
use super::number::{self, Cell};
use super::points::Points;
use super::unknown;
use crate::import::market::{ReadError, Reading};

/// The identifier for a column such as `2 Yr`, `1.5 Month` or `10 Year`.
pub(super) fn maturity(column: &str) -> Option<String> {
    let column = column.trim().to_ascii_lowercase();
    let end = column.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = column.split_at(end);
    let number = number.replace('.', "_");
    if number.is_empty() || number.len() > 3 {
        return None;
    }
    match unit.trim().trim_end_matches(['s', '.']) {
        "mo" | "month" => Some(format!("DGS{number}MO")),
        "yr" | "year" => Some(format!("DGS{number}")),
        _ => None,
    }
}

/// The identifier for an element such as `BC_1_5MONTH`.
fn element(name: &str) -> Option<String> {
    let name = name.strip_prefix("BC_")?;
    let unit = name.find(|c: char| c.is_ascii_alphabetic())?;
    maturity(&format!(
        "{} {}",
        name[..unit].replace('_', "."),
        &name[unit..]
    ))
}

/// Reads the feed: one entry per day.
pub(super) fn parse_feed(bytes: &[u8], options: &FileOptions<'_>) -> Result<Reading, ReadError> {
    let mut reading = Reading::default();
    let report = &mut reading.report;
    let mut points = Points::default();
    let days = Days {
        taught: super::dates::Taught::default(),
        today: options.today,
    };
    let mut reader = Reader::from_reader(bytes);
    let (mut name, mut date) = (String::new(), String::new());
    let mut yields: Vec<(SeriesId, Cell)> = Vec::new();
    let mut found = false;
    loop {
        match reader.read_event() {
            Err(_) => return unknown("the XML of the feed is broken"),
            Ok(Event::Eof) => break,
            Ok(Event::Start(start)) => {
                start.local_name().as_ref().clone_into(&mut name);
                if name == "entry" {
                    report.rows += 1;
                    date.clear();
                    yields.clear();
                }
            }
            Ok(Event::Text(text)) => {
                let text = text.trim().to_owned();
                if text.is_empty() {
                } else if name == "NEW_DATE" {
                    date = text;
                } else if let Some(id) = element(&name) {
                    yields.push((SeriesId::new("macro", &id), number::parse(&text)));
                }
            }
            Ok(Event::End(end)) => {
                name.clear();
                if end.local_name().as_ref() == "entry" {
                    found |= !yields.is_empty();
                    let line = report.rows;
                    match days.parse(&date) {
                        Err(reason) => report.refuse(line, reason),
                        Ok(_) if yields.iter().any(|(_, cell)| *cell == Cell::Bad) => {
                            report.refuse(line, super::indicators::NO_NUMBER);
                        }
                        Ok(day) => {
                            for (id, cell) in &yields {
                                if let Some(value) = cell.number() {
                                    points.push(id, line, day, value);
                                }
                            }
                        }
                    }
                }
            }
            Ok(_) => {}
        }
    }
    if !found {
        return unknown("expected the feed of Treasury yields");
    }
    reading.batch.series = points.finish("US Treasury", &mut reading.report);
    Ok(reading)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maturities_are_named_as_fred_names_them() {
        for (column, expected) in [
            ("2 Yr", Some("DGS2")),
            ("10 Yr", Some("DGS10")),
            ("1 Mo", Some("DGS1MO")),
            ("1.5 Month", Some("DGS1_5MO")),
            ("Date", None),
            ("2 cats", None),
        ] {
            assert_eq!(maturity(column).as_deref(), expected, "{column}");
        }
        assert_eq!(element("BC_1_5MONTH").as_deref(), Some("DGS1_5MO"));
        assert_eq!(element("BC_30YEAR").as_deref(), Some("DGS30"));
        assert_eq!(element("BC_30YEARDISPLAY"), None);
    }
}
