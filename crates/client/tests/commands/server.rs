//! A server that gives one recorded answer to every request, and remembers what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;

use parking_lot::Mutex;
use serde_json::Value;

/// What it was asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// Method and path with its parameters.
    pub(crate) line: String,
    pub(crate) headers: Vec<String>,
    pub(crate) body: String,
}

impl Asked {
    /// The next request of a connection.
    pub(crate) fn read(stream: &mut TcpStream) -> Self {
        let mut reader = BufReader::new(stream);
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap() == 0 || line == "\r\n" {
                break;
            }
            lines.push(line.trim_end().to_owned());
        }
        let mut found = Self {
            line: lines.remove(0),
            headers: lines,
            body: String::new(),
        };
        let length = found.header("content-length").map(str::parse::<usize>);
        let mut body = vec![0; length.transpose().unwrap().unwrap_or_default()];
        reader.read_exact(&mut body).unwrap();
        found.body = String::from_utf8(body).unwrap();
        found
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find_map(|header| {
            let (found, value) = header.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// A server for one request.
pub(crate) struct Server {
    pub(crate) address: String,
    asked: Arc<Mutex<Asked>>,
    thread: JoinHandle<()>,
}

impl Server {
    /// Answers with these bytes, then hangs up.
    pub(crate) fn raw(answer: impl Into<Vec<u8>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Asked::default()));
        let answer = answer.into();
        let thread = std::thread::spawn({
            let asked = Arc::clone(&asked);
            move || {
                let (mut stream, _) = listener.accept().unwrap();
                let found = Asked::read(&mut stream);
                *asked.lock() = found;
                // A client that has read enough hangs up first.
                let _ = stream.write_all(&answer);
            }
        });
        Self {
            address,
            asked,
            thread,
        }
    }

    /// Answers with a status, headers and a body.
    pub(crate) fn answering(status: &str, headers: &str, body: &str) -> Self {
        Self::raw(format!(
            "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n{body}",
            body.len()
        ))
    }

    /// Answers with JSON.
    pub(crate) fn json(body: &str) -> Self {
        Self::answering("200 OK", "content-type: application/json\r\n", body)
    }

    /// Answers with events, then hangs up.
    pub(crate) fn events(body: &str) -> Self {
        Self::raw(format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\nconnection: close\r\n\r\n{body}"
        ))
    }

    /// What it was asked.
    pub(crate) fn asked(self) -> Asked {
        self.thread.join().unwrap();
        let asked = self.asked.lock();
        asked.clone()
    }
}
