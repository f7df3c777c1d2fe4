//! `assay ask`: a question in plain English, answered while it is worked on.
//!
//! The summary is printed word by word where a language model writes it. Where none does, or where the stream breaks before
//! its first word, the summary made from a template is printed instead: it comes first on the wire and is kept for that.

use clap::Args;
use serde_json::{Map, Value};

use crate::cell::Kind;
use crate::command::{Common, add};
use crate::error::{Error, Result};
use crate::events::Event;
use crate::markdown::Markdown;
use crate::page::{Page, rows, text};
use crate::service::{Query, Service};
use crate::terminal::{BAD, BOLD, GOOD, Terminal};
use crate::view::print_json;

/// `assay ask`
#[derive(Debug, Args)]
pub struct Ask {
    /// The question, such as: is Apple oversold?
    #[arg(required = true, value_name = "QUESTION")]
    words: Vec<String>,
    /// Most credits that the answer may cost
    #[arg(long, value_name = "CREDITS")]
    budget: Option<u32>,
    /// The session of an answer before, which this question may lean on; the last line of that answer names it
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    #[command(flatten)]
    pub(crate) common: Common,
}

impl Ask {
    pub(crate) fn check(&self) -> Result<()> {
        if self.question().is_empty() {
            return Err(Error::Usage("the question is empty".to_owned()));
        }
        self.common.refuse_csv("an answer in words")
    }

    fn question(&self) -> String {
        self.words.join(" ").trim().to_owned()
    }

    pub(crate) async fn run(
        &self,
        service: &Service,
        terminal: &mut Terminal,
        query: &Query,
    ) -> Result<()> {
        if self.common.wants_json() {
            let mut body = Map::new();
            body.insert("question".to_owned(), self.question().into());
            if let Some(budget) = self.budget {
                body.insert("budget".to_owned(), budget.into());
            }
            if let Some(session) = &self.session {
                body.insert("session_id".to_owned(), session.as_str().into());
            }
            let answer = service.post(&["ask"], query, &Value::Object(body)).await?;
            return print_json(terminal, &answer.text);
        }
        let mut query = query.to_vec();
        query.push(("question", self.question()));
        add(&mut query, "budget", self.budget.as_ref());
        add(&mut query, "session_id", self.session.as_ref());
        let mut events = service.events(&["ask", "stream"], &query).await?;
        let mut printed = Printed::new(terminal);
        loop {
            match events.next().await {
                Ok(Some(event)) => {
                    if printed.take(&event)? {
                        return Ok(());
                    }
                }
                Ok(None) => return Err(printed.broken_off(Error::BrokenOff(None))),
                Err(error) => return Err(printed.broken_off(error)),
            }
        }
    }
}

/// The answer as far as it is printed.
struct Printed<'a> {
    terminal: &'a mut Terminal,
    markdown: Markdown,
    /// What is printed where no words come.
    template: String,
    has_words: bool,
}

impl<'a> Printed<'a> {
    fn new(terminal: &'a mut Terminal) -> Self {
        Self {
            markdown: Markdown::new(terminal.width(), terminal.has_colours()),
            terminal,
            template: String::new(),
            has_words: false,
        }
    }

    /// Prints what an event adds; true where it is the last.
    fn take(&mut self, event: &Event) -> Result<bool> {
        let data: Value = serde_json::from_str(&event.data).unwrap_or_default();
        match event.name.as_str() {
            "thinking" => self.thinking(&data),
            "data" => {
                let key = text(&data, "key");
                if !key.is_empty() {
                    let read = Kind::Word.shown(&key.into());
                    let subject = text(&data, "subject");
                    self.remark(format!("read {read} {subject}").trim_end());
                }
            }
            "summary_template" => text(&data, "text").clone_into(&mut self.template),
            "summary_token" => {
                let token = data.get("token").and_then(Value::as_str);
                let Some(token) = token else {
                    return Err(self.broken_off(Error::BrokenOff(None)));
                };
                self.has_words = true;
                let shown = self.markdown.push(token);
                self.terminal.write(&shown)?;
            }
            "done" => {
                self.finish_summary()?;
                self.conclude(&data)?;
                return Ok(true);
            }
            "error" => {
                let message = Kind::Text.shown(data.get("message").unwrap_or(&Value::Null));
                let status = data.get("code").and_then(Value::as_u64);
                return Err(self.broken_off(Error::Refused {
                    status: status
                        .and_then(|code| u16::try_from(code).ok())
                        .unwrap_or(500),
                    message,
                    retry_after: data.get("retry_after").and_then(Value::as_u64),
                    suggestions: Vec::new(),
                }));
            }
            "end" | "gap" => return Err(self.broken_off(Error::BrokenOff(None))),
            // Events of a later version.
            _ => {}
        }
        Ok(false)
    }

    fn remark(&mut self, text: &str) {
        Page::new(self.terminal).remark(text);
    }

    fn thinking(&mut self, data: &Value) {
        let parts: Vec<String> = ["intents", "tickers", "sectors"]
            .iter()
            .filter(|key| !rows(data, key).is_empty())
            .map(|key| {
                let kind = if *key == "intents" {
                    Kind::Word
                } else {
                    Kind::Name
                };
                format!("{key} {}", kind.shown(&data[*key]))
            })
            .collect();
        let shown = parts.join(" · ");
        self.remark(format!("thinking: {shown}").trim_end_matches(": "));
    }

    /// Prints the rest of the summary.
    fn finish_summary(&mut self) -> Result<()> {
        if !self.has_words {
            let template = std::mem::take(&mut self.template);
            let shown = self.markdown.push(&template);
            self.terminal.write(&shown)?;
        }
        let shown = self.markdown.finish();
        Ok(self.terminal.write(&shown)?)
    }

    /// Prints what there is of an answer that broke off; the error back.
    fn broken_off(&mut self, error: Error) -> Error {
        match self.finish_summary() {
            Ok(()) => error,
            Err(worse) => worse,
        }
    }

    /// What follows the summary.
    fn conclude(&mut self, data: &Value) -> Result<()> {
        if let Some(signal) = data.get("trade_signal").filter(|signal| signal.is_object()) {
            self.terminal.say("")?;
            self.signal(signal, data)?;
        }
        let follow_ups = rows(data, "follow_ups");
        if !follow_ups.is_empty() {
            self.terminal.say("")?;
            self.terminal.title("Ask next")?;
            for question in follow_ups {
                let line = format!("• {}", Kind::Text.shown(question));
                self.terminal.say(&line)?;
            }
        }
        let credits = data.get("credits").or_else(|| data.get("credits_used"));
        let mut costs: Vec<String> = credits
            .map(|credits| format!("credits {}", Kind::Count.shown(credits)))
            .into_iter()
            .collect();
        if let Some(time) = data.get("response_time_ms") {
            costs.push(format!("{} ms", Kind::Count.shown(time)));
        }
        let session = text(data, "session_id");
        if !session.is_empty() {
            let session = Kind::Text.shown(&session.into());
            costs.push(format!("go on with --session {session}"));
        }
        if !costs.is_empty() {
            self.remark(&costs.join(" · "));
        }
        Page::new(self.terminal).issues(data);
        Ok(())
    }

    /// `Signal  lean buy, 62 of 100 · confidence high`.
    fn signal(&mut self, signal: &Value, data: &Value) -> Result<()> {
        let action = text(signal, "action");
        let style = if action.ends_with("buy") {
            GOOD
        } else if action.ends_with("sell") {
            BAD
        } else {
            BOLD
        };
        let label = self.terminal.painted(BOLD, "Signal");
        let shown = Kind::Word.shown(&action.into());
        let mut line = format!("{label}  {}", self.terminal.painted(style, &shown));
        if let Some(score) = signal.get("score").filter(|score| score.is_number()) {
            line = format!("{line}, {} of 100", Kind::Count.shown(score));
        }
        let confidence = data.get("confidence").unwrap_or(&Value::Null);
        let level = confidence.get("level").unwrap_or(confidence);
        if level.is_string() {
            line = format!("{line} · confidence {}", Kind::Word.shown(level));
        }
        self.terminal.say(&line)?;
        for factor in rows(signal, "factors") {
            let factor = format!("        {}", Kind::Text.shown(factor));
            self.terminal.say(&factor)?;
        }
        Ok(())
    }
}
