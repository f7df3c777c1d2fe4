//! Answers of one request each: which facts and which table they are printed as.

use serde_json::Value;

use crate::command::Common;
use crate::error::{Error, Result};
use crate::page::{Page, rows, text};
use crate::service::{Query, Service};
use crate::table::{self, Column};
use crate::terminal::Terminal;

/// How an answer is printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    /// Shown line by line.
    pub(crate) facts: &'static [Column],
    /// Shown as a table.
    pub(crate) rows: Option<Rows>,
}

/// A table of an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    /// The array of the answer.
    pub(crate) key: &'static str,
    pub(crate) columns: &'static [Column],
    /// Said where there are none.
    pub(crate) empty: &'static str,
}

impl View {
    /// An error where CSV is wanted and there is no table.
    pub(crate) fn check(&self, common: &Common, name: &str) -> Result<()> {
        if common.wants_csv() && self.rows.is_none() {
            return Err(Error::Usage(format!(
                "{name} is no table, so --csv does not apply; use --json"
            )));
        }
        Ok(())
    }

    /// Asks with `GET` and prints the answer as it is wanted.
    pub(crate) async fn run(
        &self,
        (service, terminal): (&Service, &mut Terminal),
        common: &Common,
        path: &[&str],
        query: &Query,
    ) -> Result<()> {
        let answer = service.get(path, query).await?;
        if common.wants_json() {
            return print_json(terminal, &answer.text);
        }
        match self.rows {
            Some(table) if common.wants_csv() => {
                let csv = table::csv(table.columns, rows(&answer.value, table.key))?;
                Ok(terminal.write(&csv)?)
            }
            _ => self.print(&mut Page::new(terminal), &answer.value),
        }
    }

    /// Prints an answer for people.
    pub(crate) fn print(&self, page: &mut Page<'_>, answer: &Value) -> Result<()> {
        let named = ["ticker", "entity_name"].map(|key| text(answer, key));
        if let [ticker, name] = named
            && !ticker.is_empty()
        {
            page.title(format!("{ticker} {name}").trim_end())?;
        }
        page.facts(answer, self.facts)?;
        if let Some(table) = self.rows {
            page.table(table.columns, rows(answer, table.key), table.empty)?;
        }
        page.issues(answer);
        Ok(())
    }
}

/// Prints the body of an answer, indented.
pub(crate) fn print_json(terminal: &mut Terminal, text: &str) -> Result<()> {
    Ok(terminal.say(&crate::json::pretty(text))?)
}
