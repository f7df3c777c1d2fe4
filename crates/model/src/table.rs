//! Tables that come with the program: data files that are compiled in, with one row per line and tab-separated cells.
//!
//! Empty lines and lines that begin with `#` are for people reading the file. A table is part of the program, so a
//! broken one is a programming error: a row of the wrong shape ends the program when its table is first used, and a
//! test next to each table calls [`fault`].

/// The rows of a table with this many cells.
#[expect(clippy::expect_used, reason = "constant table, asked by a test")]
pub fn rows<const N: usize>(file: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    lines(file).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        cells.try_into().expect("constant table")
    })
}

/// The lines of a list.
pub fn lines(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// What is wrong with a table, for the test next to it: a row has a different number of cells, a cell is empty or not
/// trimmed, or the first `key` cells appear in two rows.
pub fn fault(file: &'static str, cells: usize, key: usize) -> Option<String> {
    let mut seen = std::collections::BTreeSet::new();
    lines(file).find_map(|line| {
        let row: Vec<&str> = line.split('\t').collect();
        if row.len() != cells {
            return Some(format!("{line:?} does not have {cells} cells"));
        }
        if row
            .iter()
            .any(|cell| cell.is_empty() || cell.trim() != *cell)
        {
            return Some(format!("{line:?} has an empty or untidy cell"));
        }
        (!seen.insert(row[..key].to_vec())).then(|| format!("{line:?} repeats its key"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "# name\tvalue\none\t1\n\ntwo\t2\n";

    #[test]
    fn rows_are_read_without_what_is_for_readers() {
        let found: Vec<[&str; 2]> = rows(TABLE).collect();
        assert_eq!(found, [["one", "1"], ["two", "2"]]);
        assert_eq!(lines("b \n#c\n\na").collect::<Vec<_>>(), ["b", "a"]);
    }

    #[test]
    #[should_panic(expected = "constant table")]
    fn a_row_of_another_shape_is_loud() {
        rows::<3>(TABLE).for_each(drop);
    }

    #[test]
    fn faults_are_found() {
        assert_eq!(fault(TABLE, 2, 1), None);
        for (file, cells, key) in [
            (TABLE, 3, 1),
            ("a\t\n", 2, 1),
            ("a\t b\n", 2, 1),
            ("a\tb\na\tc\n", 2, 1),
        ] {
            assert!(fault(file, cells, key).is_some(), "{file:?}");
        }
        assert_eq!(fault("a\tb\na\tc\n", 2, 2), None);
    }
}
