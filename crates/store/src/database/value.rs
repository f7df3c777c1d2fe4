//! What goes into a statement, and what comes out of it.

use model::Timestamp;
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use crate::Result;

/// A bound parameter. Absent values have a type because PostgreSQL needs one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Text(Option<String>),
    Int(Option<i64>),
    Real(Option<f64>),
    Blob(Option<Vec<u8>>),
}

/// Builds the parameters of a statement.
macro_rules! values {
    ($($value:expr),* $(,)?) => { vec![$($crate::database::Value::from($value)),*] };
}
pub(crate) use values;

/// PostgreSQL does not allow the zero character in text, so neither database is given one.
fn without_zero(text: String) -> String {
    if text.contains('\0') {
        text.replace('\0', "")
    } else {
        text
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(Some(without_zero(text)))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<Uuid> for Value {
    fn from(id: Uuid) -> Self {
        Self::Text(Some(id.hyphenated().to_string()))
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(Some(number))
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Int(Some(number.into()))
    }
}

impl From<u64> for Value {
    /// Saturates: nothing that is counted comes near the limit.
    fn from(number: u64) -> Self {
        Self::Int(Some(i64::try_from(number).unwrap_or(i64::MAX)))
    }
}

impl From<Timestamp> for Value {
    fn from(time: Timestamp) -> Self {
        time.ms().into()
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Real(Some(number))
    }
}

impl From<Option<f64>> for Value {
    fn from(number: Option<f64>) -> Self {
        Self::Real(number)
    }
}

impl From<&[u8]> for Value {
    fn from(bytes: &[u8]) -> Self {
        Self::Blob(Some(bytes.to_vec()))
    }
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Blob(Some(bytes))
    }
}

impl From<Option<&[u8]>> for Value {
    fn from(bytes: Option<&[u8]>) -> Self {
        Self::Blob(bytes.map(<[u8]>::to_vec))
    }
}

impl From<Option<&str>> for Value {
    fn from(text: Option<&str>) -> Self {
        text.map_or(Self::Text(None), Self::from)
    }
}

impl From<Option<Uuid>> for Value {
    fn from(id: Option<Uuid>) -> Self {
        id.map_or(Self::Text(None), Self::from)
    }
}

impl From<Option<i64>> for Value {
    fn from(number: Option<i64>) -> Self {
        Self::Int(number)
    }
}

impl From<Option<Timestamp>> for Value {
    fn from(time: Option<Timestamp>) -> Self {
        Self::Int(time.map(Timestamp::ms))
    }
}

/// One row of a result; columns are counted from zero.
#[derive(Debug)]
pub(crate) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

/// SQLite values have no declared type in expressions, so only PostgreSQL's are checked.
macro_rules! get {
    ($row:expr, $column:expr) => {
        match $row {
            Row::Sqlite(row) => row.try_get_unchecked($column)?,
            Row::Postgres(row) => row.try_get($column)?,
        }
    };
}

impl Row {
    pub(crate) fn text(&self, column: usize) -> Result<String> {
        Ok(get!(self, column))
    }

    pub(crate) fn text_option(&self, column: usize) -> Result<Option<String>> {
        Ok(get!(self, column))
    }

    pub(crate) fn int(&self, column: usize) -> Result<i64> {
        Ok(get!(self, column))
    }

    pub(crate) fn int_option(&self, column: usize) -> Result<Option<i64>> {
        Ok(get!(self, column))
    }

    pub(crate) fn real(&self, column: usize) -> Result<f64> {
        Ok(get!(self, column))
    }

    pub(crate) fn real_option(&self, column: usize) -> Result<Option<f64>> {
        Ok(get!(self, column))
    }

    /// A count or sum that is never negative.
    pub(crate) fn count(&self, column: usize) -> Result<u64> {
        Ok(u64::try_from(self.int(column)?).unwrap_or(0))
    }

    pub(crate) fn time(&self, column: usize) -> Result<Timestamp> {
        Ok(Timestamp::from_ms(self.int(column)?))
    }

    pub(crate) fn time_option(&self, column: usize) -> Result<Option<Timestamp>> {
        Ok(self.int_option(column)?.map(Timestamp::from_ms))
    }

    pub(crate) fn blob(&self, column: usize) -> Result<Vec<u8>> {
        Ok(get!(self, column))
    }

    pub(crate) fn blob_option(&self, column: usize) -> Result<Option<Vec<u8>>> {
        Ok(get!(self, column))
    }

    /// An identity; text that is not one means that the row of `table` is corrupt.
    pub(crate) fn id(&self, column: usize, table: &'static str) -> Result<Uuid> {
        let text = self.text(column)?;
        Uuid::try_parse(&text).map_err(|_| crate::Error::corrupt(table, text))
    }

    /// As [`id`](Self::id), if it may be absent.
    pub(crate) fn id_option(&self, column: usize, table: &'static str) -> Result<Option<Uuid>> {
        match self.text_option(column)? {
            Some(_) => self.id(column, table).map(Some),
            None => Ok(None),
        }
    }
}
