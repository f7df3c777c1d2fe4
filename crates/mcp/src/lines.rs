//! Messages as lines of JSON, over standard input and output.
//!
//! The library's transport skips lines that are not JSON, and leaves the id out of its errors. Here every line that is
//! not a message is answered as JSON-RPC requires, even one that is too long to be read.

use std::io;
use std::sync::Arc;

use bytes::BytesMut;
use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;

use crate::malformed;

/// Longest line in bytes.
const LONGEST: usize = 16 << 20;
/// A mark that some programs write before their first line.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A conversation line by line.
pub struct Lines<R, W> {
    read: BufReader<R>,
    /// What has been read of the incoming line.
    line: Vec<u8>,
    is_too_long: bool,
    /// The answer to a line that was not a message, until it can be written.
    unsent: Option<Value>,
    outgoing: Arc<Mutex<Outgoing<W>>>,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Lines<R, W> {
    /// Reads from one end and writes to the other.
    pub fn new(read: R, write: W) -> Self {
        let pending = BytesMut::new();
        Self {
            read: BufReader::new(read),
            line: Vec::new(),
            is_too_long: false,
            unsent: None,
            outgoing: Arc::new(Mutex::new(Outgoing { write, pending })),
        }
    }

    /// Reads to the end of a line; `None` at the end of the input. If it is dropped while waiting, it continues where
    /// it was.
    async fn read_line(&mut self) -> Option<()> {
        loop {
            let available = self.read.fill_buf().await.ok()?;
            if available.is_empty() {
                return None;
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(available.len(), |end| end + 1);
            self.is_too_long |= self.line.len() + taken > LONGEST;
            if self.is_too_long {
                self.line.clear();
            } else {
                self.line.extend_from_slice(&available[..taken]);
            }
            self.read.consume(taken);
            if end.is_some() {
                return Some(());
            }
        }
    }

    /// The message in the line that was read. The answer to a line without one is left in `unsent`.
    fn take_message(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.is_too_long) {
            self.unsent = Some(malformed::too_long(LONGEST));
            return None;
        }
        let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line);
        let line = line.trim_ascii();
        let message = serde_json::from_slice(line).ok();
        if message.is_none() && !line.is_empty() && !malformed::wants_no_answer(line) {
            self.unsent = Some(malformed::error(line, "line"));
        }
        message
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let outgoing = self.outgoing.clone();
        async move {
            let line = serde_json::to_vec(&message)?;
            let mut outgoing = outgoing.lock().await;
            outgoing.push(&line);
            outgoing.flush().await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if self.unsent.is_some() {
                let mut outgoing = self.outgoing.lock().await;
                // There is no pause between the two, so that an interruption neither loses nor repeats it.
                if let Some(answer) = self.unsent.take() {
                    outgoing.push(answer.to_string().as_bytes());
                }
                outgoing.flush().await.ok()?;
            }
            self.read_line().await?;
            if let Some(message) = self.take_message() {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        let mut outgoing = self.outgoing.lock().await;
        outgoing.flush().await?;
        outgoing.write.shutdown().await
    }
}

/// Outgoing lines. They leave complete and in order, even if writing is interrupted.
struct Outgoing<W> {
    write: W,
    pending: BytesMut,
}

impl<W: AsyncWrite + Unpin> Outgoing<W> {
    fn push(&mut self, line: &[u8]) {
        self.pending.extend_from_slice(line);
        self.pending.extend_from_slice(b"\n");
    }

    async fn flush(&mut self) -> io::Result<()> {
        while !self.pending.is_empty() {
            if self.write.write_buf(&mut self.pending).await? == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
        }
        self.write.flush().await
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use serde_json::json;

    use super::*;

    /// The answers to a text, and how many messages are read from it.
    async fn read(text: impl Into<Vec<u8>>) -> (Vec<Value>, usize) {
        let mut written = Vec::new();
        let mut messages = 0;
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let mut lines = Lines::new(Cursor::new(text.into()), theirs);
        while lines.receive().await.is_some() {
            messages += 1;
        }
        lines.close().await.unwrap();
        let mut ours = BufReader::new(ours).lines();
        while let Some(line) = ours.next_line().await.unwrap() {
            written.push(serde_json::from_str(&line).unwrap());
        }
        (written, messages)
    }

    #[tokio::test]
    async fn lines_that_are_no_message_are_answered_and_others_go_on() {
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let text = format!(
            "\u{feff}{ping}\n{{bad json\n\r\n[]\n[{ping}]\n{{\"method\":\"x/y\"}}\n{ping}\r\nrest"
        );
        let (answers, messages) = read(text).await;
        assert_eq!(messages, 2);
        let codes: Vec<&Value> = answers.iter().map(|one| &one["error"]["code"]).collect();
        assert_eq!(codes, [&json!(-32700), &json!(-32600), &json!(-32600)]);
        assert!(
            answers
                .iter()
                .all(|one| one.get("id") == Some(&Value::Null))
        );
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_discarded_and_answered() {
        let mut text = vec![b'x'; LONGEST + 10];
        text.extend_from_slice(b"\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
        let (answers, messages) = read(text).await;
        assert_eq!((answers.len(), messages), (1, 1));
        assert_eq!(answers[0]["error"]["code"], -32600);
    }
}
