//! `assay listen`: prints what happens as it happens, and what a webhook would be sent.
//!
//! Events come from `/subscribe`. A connection that breaks is opened again from the last event on, so that nothing is missed or
//! printed twice. With `--webhook` a receiver on this machine takes messages and checks their signatures; a webhook of the
//! server leads to it for as long as the command runs.

mod message;
mod receiver;
mod webhook;

use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::command::Common;
use crate::error::{Error, Result};
use crate::events::Event;
use crate::number;
use crate::page::text;
use crate::plain;
use crate::service::{Events, Query, Service};
use crate::terminal::{BAD, BOLD, GOOD, Terminal};
use message::Message;
use receiver::Receiver;
use webhook::Webhook;

/// Pauses between attempts to connect again; they double.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// Messages that wait to be printed.
const MOST_WAITING: usize = 64;

/// `assay listen`
#[derive(Debug, Args)]
pub struct Listen {
    /// Symbols separated by commas, at most 100, or * for all
    #[arg(long, value_name = "SYMBOLS", default_value = "*")]
    tickers: String,
    /// Kinds of event separated by commas: brief, sentiment, price, alert [default: all]
    #[arg(long, value_name = "KINDS")]
    events: Option<String>,
    /// Receive messages as well: a webhook is created for the time of the command
    #[arg(long)]
    webhook: bool,
    /// Port of the receiver on this machine [default: any that is free]
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    port: u16,
    /// Secret of an address that is known to the server already; no webhook is created then
    #[arg(
        long,
        value_name = "SECRET",
        env = "ASSAY_WEBHOOK_SECRET",
        hide_env_values = true
    )]
    secret: Option<String>,
    /// Stop after so many events and messages
    #[arg(long, value_name = "N")]
    count: Option<u64>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What is printed next.
enum Heard {
    Event(Event),
    Message(Message),
    /// A remark about the connection.
    Remark(String),
}

impl Listen {
    pub(crate) fn check(&self) -> Result<()> {
        if self.tickers.trim().is_empty() {
            return Err(Error::Usage("the tickers are empty".to_owned()));
        }
        if !self.common.query().is_empty() {
            return Err(Error::Usage(
                "listen shows what happens, so --as-of does not apply".to_owned(),
            ));
        }
        // A secret may stand in the environment for other commands.
        if !self.webhook && self.port != 0 {
            return Err(Error::Usage("--port belongs to --webhook".to_owned()));
        }
        self.common.refuse_csv("a stream of events")
    }

    /// An empty variable of the environment counts as none.
    fn given_secret(&self) -> Option<&str> {
        let secret = self.secret.as_deref().map(str::trim);
        secret.filter(|secret| !secret.is_empty())
    }

    pub(crate) async fn run(&self, service: &Service, terminal: &mut Terminal) -> Result<()> {
        let (heard, mut hears) = mpsc::channel(MOST_WAITING);
        let mut webhook = None;
        let mut receiving = None;
        if self.webhook {
            let receiver = Receiver::bind(self.port).await?;
            let address = receiver.address();
            let secret = if let Some(secret) = self.given_secret() {
                secret.to_owned()
            } else {
                let created = webhook.insert(Webhook::create(service, &address).await?);
                created.secret().to_owned()
            };
            terminal.remark(&format!("messages are received at {address}"));
            receiving = Some(receiver.receive(&secret, heard.clone())?);
        }
        let mut query = vec![("tickers", self.tickers.clone())];
        query.extend(self.events.clone().map(|events| ("events", events)));
        let outcome = tokio::select! {
            outcome = follow(service, &query, &heard) => outcome,
            outcome = self.print(&mut hears, terminal) => outcome,
            outcome = until_ended(receiving) => outcome,
            pressed = tokio::signal::ctrl_c() => pressed.map_err(Error::Output),
        };
        if let Some(webhook) = webhook
            && let Err(error) = webhook.remove(service).await
        {
            let id = webhook.id();
            terminal.remark(&format!("the webhook {id} is still there: {error}"));
        }
        outcome
    }

    /// Prints what is heard until there was enough of it.
    async fn print(
        &self,
        hears: &mut mpsc::Receiver<Heard>,
        terminal: &mut Terminal,
    ) -> Result<()> {
        let mut left = self.count.unwrap_or(u64::MAX);
        while left > 0
            && let Some(heard) = hears.recv().await
        {
            match heard {
                Heard::Remark(remark) => {
                    terminal.remark(&remark);
                    continue;
                }
                Heard::Event(event) if matches!(&*event.name, "gap" | "end") => {
                    terminal.remark(&remark_of(&event));
                    continue;
                }
                Heard::Event(event) if self.common.wants_json() => {
                    let data: Value = serde_json::from_str(&event.data).unwrap_or_default();
                    let line = json!({"event": event.name, "id": event.id, "data": data});
                    terminal.say(&line.to_string())?;
                }
                Heard::Event(event) => {
                    let line = line_of(terminal, &event);
                    terminal.say(&line)?;
                }
                Heard::Message(message) if self.common.wants_json() => {
                    terminal.say(&message.json().to_string())?;
                }
                Heard::Message(message) => {
                    let verdict = if message.is_genuine() {
                        terminal.painted(GOOD, "signature verified")
                    } else {
                        terminal.painted(BAD, "NOT VERIFIED")
                    };
                    terminal.say(&format!("{}  {verdict}", message.line()))?;
                }
            }
            left -= 1;
        }
        Ok(())
    }
}

/// What happens at the receiver; nothing where there is none.
async fn until_ended(receiving: Option<impl Future<Output = Result<()>>>) -> Result<()> {
    match receiving {
        Some(receiving) => receiving.await,
        None => std::future::pending().await,
    }
}

/// Hands on the events of the stream, and opens it again where it breaks.
async fn follow(service: &Service, query: &Query, heard: &mpsc::Sender<Heard>) -> Result<()> {
    let mut last: Option<String> = None;
    let mut pause = FIRST_PAUSE;
    let mut was_open = false;
    loop {
        let opened = service.events_after(&["subscribe"], query, last.as_deref());
        let wait = match opened.await {
            Ok(mut events) => {
                was_open = true;
                let began = Instant::now();
                if pump(&mut events, &mut last, heard).await.is_none() {
                    return Ok(());
                }
                // One that held for a while broke by chance; one that breaks at once is not asked at once.
                if began.elapsed() >= LONGEST_PAUSE {
                    pause = FIRST_PAUSE;
                }
                pause
            }
            // The very first time nobody wants to wait for a server that is not there.
            Err(error) if !was_open || !may_pass(&error) => return Err(error),
            Err(Error::Refused {
                retry_after: Some(seconds),
                ..
            }) => Duration::from_secs(seconds).max(pause),
            Err(_) => pause,
        };
        let seconds = wait.as_secs();
        let remark = Heard::Remark(format!(
            "the stream broke; it is opened again in {seconds} s"
        ));
        if heard.send(remark).await.is_err() {
            return Ok(());
        }
        tokio::time::sleep(wait).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Hands on what a stream says until it ends; `None` where nobody listens any more.
async fn pump(
    events: &mut Events,
    last: &mut Option<String>,
    heard: &mpsc::Sender<Heard>,
) -> Option<()> {
    while let Ok(Some(event)) = events.next().await {
        if let Some(id) = &event.id {
            *last = Some(id.clone());
        }
        heard.send(Heard::Event(event)).await.ok()?;
    }
    Some(())
}

/// Whether the same request may succeed later.
const fn may_pass(error: &Error) -> bool {
    match error {
        Error::Refused { status, .. } => matches!(status, 429 | 500..),
        Error::Unreachable { .. } | Error::TimedOut(_) | Error::BrokenOff(_) => true,
        _ => false,
    }
}

/// What is said about a stream rather than by it.
fn remark_of(event: &Event) -> String {
    let data: Value = serde_json::from_str(&event.data).unwrap_or_default();
    if event.name == "gap" {
        let kinds: Vec<&str> = data["events"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        return plain::line(&format!(
            "some events were missed and are not sent again: {}",
            kinds.join(", ")
        ));
    }
    plain::line(&format!(
        "the server ends the stream: {}",
        text(&data, "reason")
    ))
}

/// An event on one line.
fn line_of(terminal: &Terminal, event: &Event) -> String {
    let data: Value = serde_json::from_str(&event.data).unwrap_or_default();
    let number_of = |name: &str| data.get(name).and_then(Value::as_f64);
    let price_of = |name: &str| number_of(name).map_or_else(|| "–".to_owned(), number::price);
    let what = match &*event.name {
        "brief" => format!(
            "{} {}: {}",
            text(&data, "brief_id"),
            text(&data, "event"),
            text(&data, "headline")
        ),
        "sentiment" => match number_of("previous") {
            Some(previous) => format!(
                "{} after {}",
                score(number_of("score")),
                score(Some(previous))
            ),
            None => score(number_of("score")),
        },
        "price" => match number_of("change_pct") {
            Some(change) => format!("{} {}", price_of("price"), number::change(change)),
            None => price_of("price"),
        },
        "alert" => format!(
            "{} {} at {} ({})",
            text(&data, "type"),
            price_of("threshold"),
            price_of("current"),
            text(&data, "alert_id")
        ),
        _ => event.data.clone(),
    };
    let name = terminal.painted(BOLD, &plain::line(&format!("{:<9}", event.name)));
    let ticker = plain::line(text(&data, "ticker"));
    let time = clock_of(text(&data, "timestamp"));
    format!("{time}  {name:<9}  {ticker:<8}  {}", plain::line(&what))
}

fn score(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"))
}

/// Hours, minutes and seconds of a time such as `2026-03-10T12:00:00Z`.
fn clock_of(time: &str) -> String {
    let clock = time.split_once('T').map_or("", |(_, clock)| clock);
    let clock: String = clock.chars().take(8).collect();
    format!("{:<8}", plain::line(&clock))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str, data: &Value) -> String {
        let out = Box::new(std::io::sink());
        let terminal = Terminal::plain(out, Box::new(std::io::sink()), 100);
        let event = Event {
            name: name.to_owned(),
            id: None,
            data: data.to_string(),
        };
        line_of(&terminal, &event)
    }

    #[test]
    fn each_kind_of_event_has_its_line() {
        let at = "2026-03-10T12:00:01Z";
        for (name, data, expected) in [
            (
                "price",
                json!({"ticker": "AAPL", "price": 210.5, "change_pct": -1.25, "timestamp": at}),
                "12:00:01  price      AAPL      210.50 −1.25%",
            ),
            (
                "sentiment",
                json!({"ticker": "AAPL", "score": 0.614, "previous": 0.5, "timestamp": at}),
                "12:00:01  sentiment  AAPL      0.61 after 0.50",
            ),
            (
                "brief",
                json!({"ticker": "AAPL", "brief_id": "PR-1", "event": "published", "headline": "A\u{1b}[2Jplant", "timestamp": at}),
                "12:00:01  brief      AAPL      PR-1 published: A\u{fffd}[2Jplant",
            ),
            (
                "alert",
                json!({"ticker": "BTC", "type": "price_above", "threshold": 200, "current": 210, "alert_id": "al_1", "timestamp": at}),
                "12:00:01  alert      BTC       price_above 200.00 at 210.00 (al_1)",
            ),
        ] {
            let line = line(name, &data).replace('-', "−").replace("PR−1", "PR-1");
            assert_eq!(line, expected);
        }
    }

    #[test]
    fn what_may_pass_is_tried_again_and_what_may_not_is_not() {
        let refused = |status| Error::Refused {
            status,
            message: String::new(),
            retry_after: None,
            suggestions: Vec::new(),
        };
        for status in [429, 500, 503] {
            assert!(may_pass(&refused(status)), "{status}");
        }
        for status in [400, 401, 403, 404] {
            assert!(!may_pass(&refused(status)), "{status}");
        }
    }
}
