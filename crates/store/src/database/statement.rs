//! Runs one statement on one connection; also holds the few words in which the two databases differ.

use sqlx::SqlStr;
use sqlx::{PgConnection, SqliteConnection};

use super::{Row, Value};
use crate::Result;

/// Which database it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    /// Replaces the placeholders of a statement. There are five:
    ///
    /// | placeholder | SQLite | PostgreSQL |
    /// |---|---|---|
    /// | `{{blob}}` | `BLOB` | `BYTEA` |
    /// | `{{serial}}` | `INTEGER PRIMARY KEY AUTOINCREMENT` | `BIGSERIAL PRIMARY KEY` |
    /// | `{{key}}` | `INTEGER PRIMARY KEY` | `BIGINT PRIMARY KEY` |
    /// | `{{by_key}}` | `WITHOUT ROWID` | nothing |
    /// | `{{skip_locked}}` | nothing | `FOR UPDATE SKIP LOCKED` |
    pub(crate) fn speak(self, sql: &str) -> String {
        let words = match self {
            Self::Sqlite => [
                "BLOB",
                "INTEGER PRIMARY KEY AUTOINCREMENT",
                "INTEGER PRIMARY KEY",
                "WITHOUT ROWID",
                "",
            ],
            Self::Postgres => [
                "BYTEA",
                "BIGSERIAL PRIMARY KEY",
                "BIGINT PRIMARY KEY",
                "",
                "FOR UPDATE SKIP LOCKED",
            ],
        };
        [
            "{{blob}}",
            "{{serial}}",
            "{{key}}",
            "{{by_key}}",
            "{{skip_locked}}",
        ]
        .iter()
        .zip(words)
        .fold(sql.to_owned(), |sql, (placeholder, word)| {
            sql.replace(placeholder, word)
        })
    }
}

/// Binds the parameters of a statement in order.
macro_rules! bound {
    ($sql:expr, $values:expr) => {{
        let mut query = sqlx::query($sql);
        for value in $values {
            query = match value {
                Value::Text(text) => query.bind(text),
                Value::Int(number) => query.bind(number),
                Value::Real(number) => query.bind(number),
                Value::Blob(bytes) => query.bind(bytes),
            };
        }
        query
    }};
}
#[cfg(test)]
pub(super) use bound;

pub(super) async fn sqlite_rows(
    connection: &mut SqliteConnection,
    sql: SqlStr,
    values: Vec<Value>,
) -> Result<Vec<Row>> {
    let rows = bound!(sql, values).fetch_all(connection).await?;
    Ok(rows.into_iter().map(Row::Sqlite).collect())
}

pub(super) async fn sqlite_execute(
    connection: &mut SqliteConnection,
    sql: SqlStr,
    values: Vec<Value>,
) -> Result<u64> {
    Ok(bound!(sql, values)
        .execute(connection)
        .await?
        .rows_affected())
}

pub(super) async fn postgres_rows(
    connection: &mut PgConnection,
    sql: SqlStr,
    values: Vec<Value>,
) -> Result<Vec<Row>> {
    let rows = bound!(sql, values).fetch_all(connection).await?;
    Ok(rows.into_iter().map(Row::Postgres).collect())
}

pub(super) async fn postgres_execute(
    connection: &mut PgConnection,
    sql: SqlStr,
    values: Vec<Value>,
) -> Result<u64> {
    Ok(bound!(sql, values)
        .execute(connection)
        .await?
        .rows_affected())
}

/// `($1, $2), ($3, $4)`: the parameters for `rows` rows of `columns` columns.
pub(crate) fn tuples(rows: usize, columns: usize) -> String {
    let mut text = String::with_capacity(rows * columns * 5);
    for row in 0..rows {
        text.push_str(if row == 0 { "(" } else { ", (" });
        for column in 0..columns {
            if column > 0 {
                text.push(',');
            }
            text.push('$');
            text.push_str(&(row * columns + column + 1).to_string());
        }
        text.push(')');
    }
    text
}

/// `(?,?), (?,?)`: the same without numbers, which only SQLite supports.
pub(super) fn unnamed_tuples(rows: usize, columns: usize) -> String {
    let tuple = format!("({})", vec!["?"; columns].join(","));
    vec![tuple; rows].join(", ")
}

/// `$3, $4, $5`: `count` parameters starting at number `first`.
pub(crate) fn parameters(first: usize, count: usize) -> String {
    (first..first + count)
        .map(|number| format!("${number}"))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_numbered_through() {
        assert_eq!(tuples(2, 2), "($1,$2), ($3,$4)");
        assert_eq!(unnamed_tuples(2, 2), "(?,?), (?,?)");
        assert_eq!(parameters(3, 2), "$3, $4");
        assert_eq!(parameters(1, 0), "");
    }

    #[test]
    fn placeholders_leave_nothing_behind() {
        let sql = "{{blob}} {{serial}} {{key}} {{by_key}} {{skip_locked}}";
        assert!(!Dialect::Sqlite.speak(sql).contains("{{"));
        assert_eq!(
            Dialect::Postgres.speak(sql).trim(),
            "BYTEA BIGSERIAL PRIMARY KEY BIGINT PRIMARY KEY  FOR UPDATE SKIP LOCKED"
        );
    }
}
