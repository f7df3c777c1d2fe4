//! An address on loopback to which messages are posted, and what arrived there.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::random::Random;

/// A message that the receiver read to its end, whatever it answered.
#[derive(Clone)]
pub(crate) struct Arrival {
    /// Where to, such as `/in`.
    pub(crate) path: String,
    /// `webhook-id`.
    pub(crate) id: String,
    pub(crate) message: Value,
    pub(crate) at: Instant,
}

/// How a receiver answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// Not at all: it hangs up before it has noted anything.
    HangsUp,
    /// It has the message, and says that it has not.
    Fails,
    Accepts,
}

/// The receiver. It ends with the runtime of the test.
pub(crate) struct Receiver {
    base: String,
    arrived: Arc<Mutex<Vec<Arrival>>>,
    /// As many answers may be given as there are permits.
    answers: Arc<Semaphore>,
}

impl Receiver {
    /// One that fails once in three times, in one way or the other.
    pub(crate) async fn failing(mut random: Random) -> Self {
        let next = move || match random.below(6) {
            0 => Answer::HangsUp,
            1 => Answer::Fails,
            _ => Answer::Accepts,
        };
        Self::start(Semaphore::MAX_PERMITS, next).await
    }

    /// One that accepts everything, but only once it is [released](Self::release).
    pub(crate) async fn holding() -> Self {
        Self::start(0, || Answer::Accepts).await
    }

    async fn start(answers: usize, mut next: impl FnMut() -> Answer + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let receiver = Self {
            base: format!("http://{}", listener.local_addr().unwrap()),
            arrived: Arc::default(),
            answers: Arc::new(Semaphore::new(answers)),
        };
        let (arrived, answers) = (receiver.arrived.clone(), receiver.answers.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let answer = serve(stream, next(), arrived.clone(), answers.clone());
                tokio::spawn(answer);
            }
        });
        receiver
    }

    /// An address of it.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}/{path}", self.base)
    }

    /// Answers everything from now on.
    pub(crate) fn release(&self) {
        self.answers.add_permits(Semaphore::MAX_PERMITS / 2);
    }

    /// Everything that arrived, repetitions included, in its order.
    pub(crate) fn arrivals(&self) -> Vec<Arrival> {
        self.arrived.lock().clone()
    }

    /// The ids under which each subject arrived.
    pub(crate) fn ids(
        &self,
        subject: impl Fn(&Arrival) -> Option<String>,
    ) -> HashMap<String, HashSet<String>> {
        let mut ids: HashMap<String, HashSet<String>> = HashMap::new();
        for arrival in self.arrived.lock().iter() {
            let subject = subject(arrival).unwrap();
            ids.entry(subject).or_default().insert(arrival.id.clone());
        }
        ids
    }
}

async fn serve(
    mut stream: TcpStream,
    answer: Answer,
    arrived: Arc<Mutex<Vec<Arrival>>>,
    answers: Arc<Semaphore>,
) -> Option<()> {
    let mut read = Vec::new();
    let (head, body) = loop {
        let mut some = [0; 4096];
        let count = stream
            .read(&mut some)
            .await
            .ok()
            .filter(|count| *count > 0)?;
        read.extend_from_slice(&some[..count]);
        let Some(end) = read.windows(4).position(|end| end == b"\r\n\r\n") else {
            continue;
        };
        let head = String::from_utf8_lossy(&read[..end]).into_owned();
        let length = field(&head, "content-length")?.parse::<usize>().ok()?;
        if read.len() >= end + 4 + length {
            break (head, read.split_off(end + 4));
        }
    };
    if answer == Answer::HangsUp {
        return None;
    }
    // It has the message; whether the server hears of that is another matter.
    arrived.lock().push(Arrival {
        path: head.split(' ').nth(1)?.to_owned(),
        id: field(&head, "webhook-id")?,
        message: serde_json::from_slice(&body).ok()?,
        at: Instant::now(),
    });
    let _permit = answers.acquire().await.ok()?;
    let status = if answer == Answer::Fails {
        "500 Oops"
    } else {
        "204 No Content"
    };
    let reply = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    stream.write_all(reply.as_bytes()).await.ok()
}

fn field(head: &str, name: &str) -> Option<String> {
    let mut lines = head.lines().filter_map(|line| line.split_once(':'));
    let found = lines.find(|(field, _)| field.eq_ignore_ascii_case(name))?;
    Some(found.1.trim().to_owned())
}
