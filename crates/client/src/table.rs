//! Rows of an answer as a table that fits the terminal, or as CSV.
//!
//! Figures, names and times are never wrapped. Where a line would be too long, columns that can be spared go first and
//! long text is wrapped after that.

use anstyle::Style;
use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, Width, presets,
};
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::cell::{self, Kind};
use crate::error::Result;
use crate::terminal::{BAD, GOOD};

/// Blanks between two columns.
const SPACE: usize = 2;
/// Text is not wrapped to less than this.
const LEAST_TEXT: usize = 18;

/// Where a column is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Everywhere,
    WhereThereIsRoom,
    Csv,
}

/// A field of each row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    key: &'static str,
    pub(crate) title: &'static str,
    pub(crate) kind: Kind,
    place: Place,
}

/// A column that is always shown. The key is that of the API, with `/` between levels.
pub(crate) const fn column(key: &'static str, title: &'static str, kind: Kind) -> Column {
    Column {
        key,
        title,
        kind,
        place: Place::Everywhere,
    }
}

impl Column {
    /// Left out where the line would be too long.
    pub(crate) const fn if_room(mut self) -> Self {
        self.place = Place::WhereThereIsRoom;
        self
    }

    /// For files only.
    pub(crate) const fn in_csv(mut self) -> Self {
        self.place = Place::Csv;
        self
    }

    /// The value in a row or an answer; null where there is none.
    pub(crate) fn of<'a>(&self, row: &'a Value) -> &'a Value {
        self.key
            .split('/')
            .fold(row, |value, level| value.get(level).unwrap_or(&Value::Null))
    }

    /// As people read it.
    pub(crate) fn shown(&self, row: &Value) -> String {
        self.kind.shown(self.of(row))
    }

    /// Gains and losses have colours.
    pub(crate) fn style(&self, row: &Value) -> Option<Style> {
        let change = self.of(row).as_f64()?;
        match self.kind {
            Kind::Change if change > 0.0 => Some(GOOD),
            Kind::Change if change < 0.0 => Some(BAD),
            _ => None,
        }
    }
}

/// A table as it is printed.
pub(crate) struct Printed {
    pub(crate) lines: Vec<String>,
    /// Columns for which there was no room.
    pub(crate) left_out: Vec<&'static str>,
}

/// The rows for people.
pub(crate) fn printed(columns: &[Column], rows: &[Value], width: usize, colours: bool) -> Printed {
    let (chosen, left_out) = chosen(columns, rows, width);
    let mut table = comfy_table::Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width).unwrap_or(u16::MAX));
    if colours {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    let aligned = |text: String, column: &Column| {
        let side = if column.kind.is_number() {
            CellAlignment::Right
        } else {
            CellAlignment::Left
        };
        Cell::new(text).set_alignment(side)
    };
    table.set_header(chosen.iter().map(|column| {
        let cell = aligned(column.title.to_owned(), column);
        if colours {
            cell.add_attribute(Attribute::Bold)
        } else {
            cell
        }
    }));
    for row in rows {
        table.add_row(chosen.iter().map(|column| {
            let cell = aligned(column.shown(row), column);
            match column.style(row) {
                Some(style) if colours && style == GOOD => cell.fg(Color::Green),
                Some(_) if colours => cell.fg(Color::Red),
                _ => cell,
            }
        }));
    }
    for (position, column) in chosen.iter().enumerate() {
        let last = position + 1 == chosen.len();
        let Some(laid_out) = table.column_mut(position) else {
            continue;
        };
        laid_out.set_padding((0, if last { 0 } else { SPACE as u16 }));
        if column.kind == Kind::Text {
            let least = least_width(column, rows) + if last { 0 } else { SPACE };
            laid_out.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(
                u16::try_from(least).unwrap_or(u16::MAX),
            )));
        } else {
            laid_out.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    Printed {
        lines: table
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect(),
        left_out,
    }
}

/// The columns that fit, and the titles of the others.
fn chosen<'a>(
    columns: &'a [Column],
    rows: &[Value],
    width: usize,
) -> (Vec<&'a Column>, Vec<&'static str>) {
    let mut chosen: Vec<&Column> = columns
        .iter()
        .filter(|column| column.place != Place::Csv)
        .collect();
    let mut left_out = Vec::new();
    let needed = |columns: &[&Column]| -> usize {
        columns
            .iter()
            .map(|column| least_width(column, rows) + SPACE)
            .sum::<usize>()
            .saturating_sub(SPACE)
    };
    while needed(&chosen) > width {
        let spared = |column: &&Column| column.place == Place::WhereThereIsRoom;
        let Some(position) = chosen.iter().rposition(spared) else {
            break;
        };
        left_out.insert(0, chosen.remove(position).title);
    }
    (chosen, left_out)
}

/// What a column needs at least.
fn least_width(column: &Column, rows: &[Value]) -> usize {
    let longest = rows
        .iter()
        .map(|row| column.shown(row).width())
        .chain([column.title.width()])
        .max()
        .unwrap_or_default();
    if column.kind == Kind::Text {
        longest.min(LEAST_TEXT)
    } else {
        longest
    }
}

/// The rows as CSV, with the names of the API as header.
pub(crate) fn csv(columns: &[Column], rows: &[Value]) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = |error: csv::Error| std::io::Error::from(error);
    writer
        .write_record(columns.iter().map(|column| column.key.replace('/', "_")))
        .map_err(written)?;
    for row in rows {
        writer
            .write_record(columns.iter().map(|column| cell::in_csv(column.of(row))))
            .map_err(written)?;
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const COLUMNS: [Column; 4] = [
        column("ticker", "TICKER", Kind::Name),
        column("price/current", "PRICE", Kind::Price),
        column("sector", "SECTOR", Kind::Name).if_room(),
        column("headline", "HEADLINE", Kind::Text),
    ];

    fn rows() -> Vec<Value> {
        vec![
            json!({"ticker": "AAPL", "price": {"current": 1234.5}, "sector": "Technology",
                   "headline": "A long headline that does not fit on one line of a narrow terminal"}),
            json!({"ticker": "BRK.B", "price": {"current": 0.5}, "sector": null, "headline": "=1+1"}),
        ]
    }

    #[test]
    fn a_wide_table_has_every_column() {
        let printed = printed(&COLUMNS, &rows(), 120, false);
        assert_eq!(
            printed.lines,
            [
                "TICKER     PRICE  SECTOR      HEADLINE",
                "AAPL    1,234.50  Technology  A long headline that does not fit on one line of a narrow terminal",
                "BRK.B     0.5000  –           =1+1",
            ]
        );
        assert!(printed.left_out.is_empty());
    }

    #[test]
    fn a_narrow_table_spares_columns_then_wraps_text() {
        let printed = printed(&COLUMNS, &rows(), 44, false);
        assert_eq!(printed.left_out, ["SECTOR"]);
        assert!(printed.lines.iter().all(|line| line.width() <= 44));
        assert_eq!(
            printed.lines[1],
            "AAPL    1,234.50  A long headline that does"
        );
    }

    #[test]
    fn csv_has_full_figures_and_no_formulas() {
        let text = csv(&COLUMNS, &rows()).unwrap();
        assert_eq!(
            text,
            "ticker,price_current,sector,headline\n\
             AAPL,1234.5,Technology,A long headline that does not fit on one line of a narrow terminal\n\
             BRK.B,0.5,,'=1+1\n"
        );
    }
}
