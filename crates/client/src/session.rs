//! The session that prices are of: once above a table where all rows share it, in a column where they differ.

use serde_json::Value;

use crate::cell::Kind;
use crate::table::{Column, column};

const SESSION: Column = column("date", "SESSION", Kind::Name);

/// The sessions of the rows of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Sessions {
    /// No row names one.
    Unknown,
    /// Every row names this one.
    One(String),
    /// They differ, or some rows name none.
    Several,
}

impl Sessions {
    /// Those of the fields `date`.
    pub(crate) fn of<'a>(rows: impl IntoIterator<Item = &'a Value>) -> Self {
        let mut dates = rows.into_iter().map(|row| SESSION.of(row).as_str());
        let Some(first) = dates.next() else {
            return Self::Unknown;
        };
        match (first, dates.all(|date| date == first)) {
            (None, true) => Self::Unknown,
            (Some(date), true) => Self::One(date.to_owned()),
            (_, false) => Self::Several,
        }
    }

    /// The line above the table.
    pub(crate) fn line(&self) -> Option<String> {
        match self {
            Self::One(date) => Some(format!("session of {date}")),
            Self::Unknown | Self::Several => None,
        }
    }

    /// The columns, with one of the session where it is needed.
    pub(crate) fn columns(&self, columns: &[Column]) -> Vec<Column> {
        let session = (*self == Self::Several).then_some(SESSION);
        columns.iter().copied().chain(session).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rows_share_a_session_or_have_a_column() {
        let (a, b) = ("2026-02-27", "2026-02-26");
        for (dates, expected) in [
            (json!([]), Sessions::Unknown),
            (json!([null, null]), Sessions::Unknown),
            (json!([a, a]), Sessions::One(a.to_owned())),
            (json!([a, b]), Sessions::Several),
            (json!([a, null]), Sessions::Several),
        ] {
            let rows: Vec<Value> = dates
                .as_array()
                .unwrap()
                .iter()
                .map(|date| json!({"date": date}))
                .collect();
            let sessions = Sessions::of(&rows);
            assert_eq!(sessions, expected);
            assert_eq!(
                sessions.columns(&[SESSION]).len() == 2,
                expected == Sessions::Several
            );
            assert_eq!(
                sessions.line().is_some(),
                matches!(expected, Sessions::One(_))
            );
        }
    }
}
