//! Rows of a Markdown table, set in columns.

use unicode_width::UnicodeWidthStr;

/// The lines with their columns aligned; as they stand where that is wider than the terminal.
pub(super) fn aligned(lines: &[String], width: usize) -> Vec<String> {
    let mut to_the_right = Vec::new();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for line in lines {
        let cells: Vec<String> = line
            .trim()
            .trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().replace("**", "").replace('`', ""))
            .collect();
        let is_rule = cells
            .iter()
            .all(|cell| cell.contains('-') && cell.bytes().all(|byte| matches!(byte, b'-' | b':')));
        if is_rule {
            to_the_right = cells
                .iter()
                .map(|cell| cell.ends_with(':') && !cell.starts_with(':'))
                .collect();
        } else {
            rows.push(cells);
        }
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.width()).max().unwrap_or_default()
        })
        .collect();
    if widths.iter().sum::<usize>() + 2 * columns.saturating_sub(1) > width {
        return lines
            .iter()
            .map(|line| line.trim_end().to_owned())
            .collect();
    }
    rows.iter()
        .map(|row| {
            let mut out = String::new();
            for (column, cell) in row.iter().enumerate() {
                let blanks = " ".repeat(widths[column].saturating_sub(cell.width()));
                if column > 0 {
                    out.push_str("  ");
                }
                if to_the_right.get(column) == Some(&true) {
                    out.push_str(&blanks);
                    out.push_str(cell);
                } else {
                    out.push_str(cell);
                    out.push_str(&blanks);
                }
            }
            out.trim_end().to_owned()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_where_there_is_room() {
        let lines: Vec<String> = [
            "| AAPL | Value |",
            "|---|---:|",
            "| **RSI** | 43.0 |",
            "| ATR(14) |",
        ]
        .map(str::to_owned)
        .into();
        let expected = ["AAPL     Value", "RSI       43.0", "ATR(14)"];
        assert_eq!(aligned(&lines, 40), expected);
        assert_eq!(aligned(&lines, 10), lines);
    }
}
