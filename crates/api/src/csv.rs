//! Tables as CSV, for those who ask with `Accept: text/csv`.
//!
//! An answer is a table if it holds one list of records, or if its operation says which of several lists to use;
//! `text/csv; table=trades` asks for another. Lists of the same records come as one table with a column that names the
//! list. Its columns come from the schema, so they are the same for every answer, even an empty one. Fields of a nested
//! record are named `outer.inner`. Text that a spreadsheet would take for a formula is prefixed with an apostrophe.

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::to_bytes;
use axum::response::{IntoResponse, Response};
use csv::{Terminator, WriterBuilder};
use http::{HeaderMap, StatusCode, header};
use operations::{Entry, Error, Result};
use serde_json::Value;

/// The media type of an answer as CSV.
pub(crate) const MEDIA: &str = "text/csv; charset=utf-8";
/// The list that accompanies the records of most answers.
const STATUS: &str = "data_status";
/// How deeply nested records still become columns.
const DEEPEST: usize = 3;

/// The column that says which list a row comes from, when a table holds several.
const LIST: &str = "list";

/// The tables of an operation's answer.
#[derive(Clone)]
pub(crate) struct Tables {
    usual: Option<Arc<Table>>,
    named: Vec<Arc<Table>>,
}

impl Tables {
    /// The tables of one operation.
    pub(crate) fn of(entry: &Entry) -> Self {
        let written = |schema| serde_json::to_value(schema).ok();
        let parts: HashMap<&str, Value> = entry
            .output
            .parts
            .iter()
            .filter_map(|(name, schema)| Some((name.as_str(), written(schema)?)))
            .collect();
        let Some(whole) = written(&entry.output.schema) else {
            return Self {
                usual: None,
                named: Vec::new(),
            };
        };
        let named: Vec<Arc<Table>> = properties(&whole, &parts)
            .into_iter()
            .filter(|(name, _)| *name != STATUS)
            .filter_map(|(name, schema)| {
                let record = resolved(schema, &parts).get("items")?;
                let mut columns = Vec::new();
                add_columns("", record, &parts, DEEPEST, &mut columns);
                let lists = vec![name.to_owned()];
                (!columns.is_empty()).then(|| Arc::new(Table::new(lists, columns)))
            })
            .collect();
        let usual = match (entry.rows.map(|chosen| chosen.split_once('|')), &named[..]) {
            (None, [one]) => Some(Arc::clone(one)),
            (None, _) => None,
            (Some(None), _) => joined(entry.rows.unwrap_or_default(), &named),
            (Some(Some((list, record))), _) => {
                let record = properties(&whole, &parts)
                    .into_iter()
                    .find(|(name, _)| *name == record);
                joined(list, &named)
                    .zip(record)
                    .map(|(table, (name, one))| {
                        let mut columns = table.columns.clone();
                        add_columns("", resolved(one, &parts), &parts, DEEPEST, &mut columns);
                        let instead = Some(name.to_owned());
                        let lists = table.lists.clone();
                        Arc::new(Table {
                            lists,
                            columns,
                            instead,
                        })
                    })
            }
        };
        Self { usual, named }
    }

    /// The table that a request asks for: the usual one, or the one for the list it names.
    pub(crate) fn find(&self, name: Option<&str>) -> Option<Arc<Table>> {
        match name {
            None => self.usual.clone(),
            Some(name) => self.named.iter().find(|one| one.lists == [name]).cloned(),
        }
    }
}

/// One table of several lists, whose names are separated by commas.
fn joined(names: &str, tables: &[Arc<Table>]) -> Option<Arc<Table>> {
    let parts: Option<Vec<&Arc<Table>>> = names
        .split(',')
        .map(|name| tables.iter().find(|one| one.lists == [name]))
        .collect();
    match &parts?[..] {
        [] => None,
        [one] => Some(Arc::clone(one)),
        several => Some(Arc::new(Table::new(
            several.iter().flat_map(|one| one.lists.clone()).collect(),
            several[0].columns.clone(),
        ))),
    }
}

/// A table of an operation's answer.
pub(crate) struct Table {
    lists: Vec<String>,
    columns: Vec<String>,
    /// The record that becomes the only row when the answer has no such list.
    instead: Option<String>,
}

impl Table {
    fn new(lists: Vec<String>, columns: Vec<String>) -> Self {
        Self {
            lists,
            columns,
            instead: None,
        }
    }

    /// What distinguishes it from the other tables of the same answer.
    pub(crate) fn name(&self) -> String {
        self.lists.join(",")
    }

    /// Converts a JSON answer to CSV.
    pub(crate) fn written(&self, json: &[u8]) -> Result<Vec<u8>> {
        let answer: Value = serde_json::from_slice(json).map_err(Error::internal)?;
        let mut writer = WriterBuilder::new()
            .terminator(Terminator::CRLF)
            .from_writer(Vec::new());
        let is_joined = self.lists.len() > 1;
        let first = is_joined.then_some(LIST);
        let names = self.columns.iter().map(String::as_str);
        writer
            .write_record(first.into_iter().chain(names))
            .map_err(Error::internal)?;
        for list in &self.lists {
            let rows = answer.get(list).and_then(Value::as_array);
            for row in rows.into_iter().flatten() {
                let first = is_joined.then(|| list.clone());
                let cells = self.columns.iter();
                let cells = cells.map(|column| found(row, column).map_or_else(String::new, cell));
                writer
                    .write_record(first.into_iter().chain(cells))
                    .map_err(Error::internal)?;
            }
        }
        let is_absent = self.lists.iter().all(|list| answer.get(list).is_none());
        let instead = self.instead.as_ref().filter(|_| is_absent);
        let record = instead.and_then(|name| answer.get(name));
        if let Some(record) = record.filter(|record| record.is_object()) {
            // A value that all rows of a list would share, such as the day, is next to a single record.
            let cells = self.columns.iter().map(|column| {
                let value = found(record, column).or_else(|| answer.get(column));
                value.map_or_else(String::new, cell)
            });
            writer.write_record(cells).map_err(Error::internal)?;
        }
        writer
            .into_inner()
            .map_err(|error| Error::internal(error.into_error()))
    }

    /// Turns a JSON success into CSV; anything else stays as it is.
    pub(crate) async fn rewritten(&self, response: Response) -> Result<Response> {
        if response.status() != StatusCode::OK {
            return Ok(response);
        }
        let (mut parts, body) = response.into_parts();
        // This response was made here.
        let body = to_bytes(body, usize::MAX).await.map_err(Error::internal)?;
        let written = self.written(&body)?;
        parts.headers.remove(header::CONTENT_LENGTH);
        let mut response = (parts.status, written).into_response();
        parts.headers.insert(
            header::CONTENT_TYPE,
            header::HeaderValue::from_static(MEDIA),
        );
        *response.headers_mut() = parts.headers;
        *response.extensions_mut() = parts.extensions;
        Ok(response)
    }
}

/// A request for CSV, and for which list.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Asked {
    pub(crate) list: Option<String>,
}

/// The request for CSV, if CSV is preferred to JSON: it has to be named, and JSON must not have a higher weight.
pub(crate) fn asked(headers: &HeaderMap) -> Option<Asked> {
    let (mut csv, mut json) = (0.0_f32, 0.0_f32);
    let mut asked = Asked::default();
    let values = headers.get_all(header::ACCEPT).into_iter();
    for range in values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
    {
        let parts: Vec<&str> = range.split(';').map(str::trim).collect();
        let name = parts[0];
        let parameter = |name: &str| parts[1..].iter().find_map(|part| part.strip_prefix(name));
        let weight = parameter("q=").map_or(1.0, |weight| weight.parse().unwrap_or(0.0));
        if name.eq_ignore_ascii_case("text/csv") {
            csv = weight;
            asked.list = parameter("table=").map(|list| list.trim_matches('"').to_owned());
        } else if name.eq_ignore_ascii_case("application/json") {
            json = weight;
        }
    }
    (csv > 0.0 && csv >= json).then_some(asked)
}

/// The schema itself, if it is referred to by name or may be null.
fn resolved<'a>(schema: &'a Value, parts: &'a HashMap<&str, Value>) -> &'a Value {
    let mut schema = schema;
    // At most as many steps as there are names.
    for _ in 0..=parts.len() {
        let named = schema.get("$ref").and_then(Value::as_str);
        let part = named.and_then(|name| parts.get(name.rsplit('/').next()?));
        let choices = schema.get("oneOf").and_then(Value::as_array);
        let choice = choices
            .into_iter()
            .flatten()
            .find(|one| one.get("type").and_then(Value::as_str) != Some("null"));
        match part.or(choice) {
            Some(next) => schema = next,
            None => break,
        }
    }
    schema
}

/// The fields of a record in order, including those of flattened records.
fn properties<'a>(schema: &'a Value, parts: &'a HashMap<&str, Value>) -> Vec<(&'a str, &'a Value)> {
    let schema = resolved(schema, parts);
    let joined = schema.get("allOf").and_then(Value::as_array);
    let mut found: Vec<_> = joined
        .into_iter()
        .flatten()
        .flat_map(|part| properties(part, parts))
        .collect();
    let own = schema.get("properties").and_then(Value::as_object);
    found.extend(
        own.into_iter()
            .flatten()
            .map(|(name, one)| (name.as_str(), one)),
    );
    found
}

fn add_columns(
    prefix: &str,
    record: &Value,
    parts: &HashMap<&str, Value>,
    deeper: usize,
    columns: &mut Vec<String>,
) {
    for (name, schema) in properties(record, parts) {
        let name = format!("{prefix}{name}");
        let schema = resolved(schema, parts);
        if deeper > 0 && !properties(schema, parts).is_empty() {
            add_columns(&format!("{name}."), schema, parts, deeper - 1, columns);
        } else if !columns.contains(&name) {
            columns.push(name);
        }
    }
}

/// The value of a column in a record. Names may contain dots of their own, such as `r_0.5`.
fn found<'a>(record: &'a Value, column: &str) -> Option<&'a Value> {
    let inner = |at: usize| found(record.get(&column[..at])?, &column[at + 1..]);
    record
        .get(column)
        .or_else(|| column.match_indices('.').find_map(|(at, _)| inner(at)))
}

/// A value as a cell.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => harmless(text),
        Value::Array(values)
            if values
                .iter()
                .all(|value| !value.is_array() && !value.is_object()) =>
        {
            let texts: Vec<String> = values
                .iter()
                .map(|value| {
                    value
                        .as_str()
                        .map_or_else(|| value.to_string(), str::to_owned)
                })
                .collect();
            harmless(&texts.join("; "))
        }
        other => other.to_string(),
    }
}

/// Text that no spreadsheet takes for a formula.
fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_has_to_be_preferred() {
        let asked = |accept: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, accept.parse().unwrap());
            super::asked(&headers).is_some()
        };
        assert!(asked("text/csv"));
        assert!(asked("Text/CSV, */*;q=0.1"));
        assert!(asked("application/json;q=0.5, text/csv"));
        assert!(!asked("*/*"));
        assert!(!asked("application/json, text/csv;q=0.9"));
        assert!(!asked("text/csv;q=0"));
        assert!(!asked("text/csv;q=much"));
        assert_eq!(super::asked(&HeaderMap::new()), None);
        for accept in ["text/csv;table=trades", r#"text/csv; q=1; table="trades""#] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, accept.parse().unwrap());
            let list = super::asked(&headers).unwrap().list;
            assert_eq!(list.as_deref(), Some("trades"), "{accept}");
        }
    }

    #[test]
    fn cells_are_no_formulas_and_records_become_columns() {
        let columns = ["name", "price", "at.day", "tags", "more"];
        let table = Table::new(vec!["rows".to_owned()], columns.map(str::to_owned).to_vec());
        let json = br#"{"rows": [{"name": "=1+1", "price": -2.5, "at": {"day": "2026-03-10"}, "tags": ["a", "b"]},
            {"name": "said \"so\", twice", "more": [{"x": 1}]}], "data_status": []}"#;
        let written = String::from_utf8(table.written(json).unwrap()).unwrap();
        assert_eq!(
            written,
            "name,price,at.day,tags,more\r\n'=1+1,-2.5,2026-03-10,a; b,\r\n\"said \"\"so\"\", twice\",,,,\"[{\"\"x\"\":1}]\"\r\n"
        );
        let none = table.written(br#"{"rows": []}"#).unwrap();
        assert_eq!(none, b"name,price,at.day,tags,more\r\n");
    }

    #[test]
    fn a_record_stands_for_a_list_that_is_absent() {
        let table = Table {
            instead: Some("latest".to_owned()),
            ..Table::new(
                vec!["series".to_owned()],
                ["date", "rsi", "macd.line", "levels.r_0.5"]
                    .map(str::to_owned)
                    .to_vec(),
            )
        };
        let written = |json: &str| String::from_utf8(table.written(json.as_bytes()).unwrap());
        let latest = r#""date": "2026-03-10", "latest": {"rsi": 50, "macd": {"line": 1}, "levels": {"r_0.5": 7}}"#;
        let alone = written(&format!("{{{latest}}}")).unwrap();
        let head = "date,rsi,macd.line,levels.r_0.5\r\n";
        assert_eq!(alone, format!("{head}2026-03-10,50,1,7\r\n"));
        let listed = written(&format!("{{{latest}, \"series\": []}}")).unwrap();
        assert_eq!(listed, head);
        let none = written(r#"{"latest": null}"#).unwrap();
        assert_eq!(none, head);
    }
}
