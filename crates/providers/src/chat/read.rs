//! Reads a reply: server-sent events, or one document from a server that does not stream.

use std::collections::VecDeque;

use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout_at};

use super::wire::{CallPart, Chunk, Delta};
use super::{ChatError, MOST_CALLS, Piece, ToolCall};

/// Most bytes of one reply in total, for a server that sends much and says nothing.
const LONGEST_BODY: usize = 4 << 20;
/// Most bytes of one line.
const LONGEST_LINE: usize = 1 << 20;
/// Most bytes in the arguments of one call.
const LONGEST_ARGUMENTS: usize = 16 << 10;

/// What was read.
#[derive(Debug, PartialEq)]
pub(super) enum Read {
    Piece(Piece),
    Usage {
        input: u64,
        output: u64,
    },
    /// The server cut the text off at its limit.
    Cut,
}

/// How far a reply has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Going,
    /// The server said that nothing more is coming.
    Finished,
    /// There is nothing more to read.
    Over,
}

/// The body of a reply.
#[derive(Debug)]
pub(super) struct Body {
    response: Response,
    is_stream: bool,
    rest: Vec<u8>,
    size: usize,
    progress: Progress,
    ready: VecDeque<Read>,
    calls: Vec<(String, String)>,
    said_usage: bool,
}

impl Body {
    pub(super) fn new(response: Response) -> Self {
        let kind = response.headers().get(CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let is_stream = !kind.to_ascii_lowercase().contains("json");
        Self {
            response,
            is_stream,
            rest: Vec::new(),
            size: 0,
            progress: Progress::Going,
            ready: VecDeque::new(),
            calls: Vec::new(),
            said_usage: false,
        }
    }

    pub(super) const fn said_usage(&self) -> bool {
        self.said_usage
    }

    /// The next piece that is known; `None` at the end. Cancelling it loses nothing.
    pub(super) async fn next(&mut self) -> Result<Option<Read>, ChatError> {
        loop {
            if let Some(read) = self.ready.pop_front() {
                return Ok(Some(read));
            }
            if self.progress == Progress::Over {
                return Ok(None);
            }
            let part = self.response.chunk().await;
            match part.map_err(|_| ChatError::Unreachable)? {
                Some(bytes) => {
                    self.size += bytes.len();
                    self.rest.extend_from_slice(&bytes);
                    if self.size > LONGEST_BODY {
                        return Err(ChatError::Unreadable);
                    }
                    if self.is_stream {
                        self.lines()?;
                    }
                }
                None => self.end()?,
            }
        }
    }

    fn lines(&mut self) -> Result<(), ChatError> {
        let mut from = 0;
        while let Some(length) = memchr::memchr(b'\n', &self.rest[from..]) {
            let line = self.rest[from..from + length].to_vec();
            from += length + 1;
            self.line(&line)?;
            if self.progress == Progress::Over {
                break;
            }
        }
        self.rest.drain(..from);
        if self.rest.len() > LONGEST_LINE {
            return Err(ChatError::Unreadable);
        }
        Ok(())
    }

    fn line(&mut self, line: &[u8]) -> Result<(), ChatError> {
        // Other fields, comments and the blank lines between events carry no meaning here.
        let Some(data) = line.trim_ascii().strip_prefix(b"data:") else {
            return Ok(());
        };
        let data = data.trim_ascii();
        if data == b"[DONE]" {
            self.progress = Progress::Finished;
            return self.end();
        }
        let chunk = serde_json::from_slice(data).map_err(|_| ChatError::Unreadable)?;
        self.chunk(chunk)
    }

    fn chunk(&mut self, chunk: Chunk) -> Result<(), ChatError> {
        if chunk.error.is_some_and(|error| !error.is_null()) {
            return Err(ChatError::Unreadable);
        }
        // A single answer was requested.
        if let Some(choice) = chunk.choices.into_iter().next() {
            if let Some(delta) = choice.delta.or(choice.message) {
                self.delta(delta)?;
            }
            if let Some(reason) = choice.finish_reason {
                self.progress = Progress::Finished;
                if reason == "length" {
                    self.ready.push_back(Read::Cut);
                }
            }
        }
        if let Some(usage) = chunk.usage {
            self.said_usage = true;
            self.ready.push_back(Read::Usage {
                input: usage.prompt_tokens,
                output: usage.completion_tokens,
            });
        }
        Ok(())
    }

    fn delta(&mut self, delta: Delta) -> Result<(), ChatError> {
        if let Some(text) = delta.content.filter(|text| !text.is_empty()) {
            self.ready.push_back(Read::Piece(Piece::Text(text)));
        }
        for CallPart { index, function } in delta.tool_calls.unwrap_or_default() {
            // A server that does not number its calls sends them whole.
            let index = index.unwrap_or(self.calls.len());
            if index >= MOST_CALLS {
                continue;
            }
            while self.calls.len() <= index {
                self.calls.push((String::new(), String::new()));
            }
            let (name, arguments) = &mut self.calls[index];
            name.push_str(&function.name.unwrap_or_default());
            arguments.push_str(&function.arguments.unwrap_or_default());
            if name.len() + arguments.len() > LONGEST_ARGUMENTS {
                return Err(ChatError::Unreadable);
            }
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), ChatError> {
        if !self.is_stream {
            let whole = serde_json::from_slice(&self.rest).map_err(|_| ChatError::Unreadable)?;
            self.chunk(whole)?;
            self.progress = Progress::Finished;
        }
        let before = std::mem::replace(&mut self.progress, Progress::Over);
        // A connection that broke in the middle of a sentence.
        if before == Progress::Going {
            return Err(ChatError::Unreachable);
        }
        for (name, arguments) in std::mem::take(&mut self.calls) {
            let arguments = match arguments.trim() {
                "" => Map::new(),
                text => match serde_json::from_str(text) {
                    Ok(Value::Object(arguments)) => arguments,
                    _ => return Err(ChatError::Unreadable),
                },
            };
            let call = ToolCall { name, arguments };
            self.ready.push_back(Read::Piece(Piece::Call(call)));
        }
        Ok(())
    }
}

/// The beginning of a body, for inspection.
pub(super) async fn beginning(mut response: Response, most: usize, until: Instant) -> String {
    let mut bytes = Vec::new();
    while bytes.len() < most {
        match timeout_at(until, response.chunk()).await {
            Ok(Ok(Some(part))) => bytes.extend_from_slice(&part),
            _ => break,
        }
    }
    bytes.truncate(most);
    String::from_utf8_lossy(&bytes).into_owned()
}
