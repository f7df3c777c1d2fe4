//! A receiver of messages on this machine, for trying things out.
//!
//! It says 204 to a message that is genuine and 401 to any other. It listens on the loopback address only.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Empty, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;

use super::Heard;
use super::message::{Headers, Message, Secret};
use crate::error::Result;

/// Longest message.
const MOST_BYTES: usize = 4 << 20;
/// Connections at the same time.
const MOST_CONNECTIONS: usize = 32;
/// Time for a whole message.
const WITHIN: Duration = Duration::from_secs(15);
/// Characters of a header that are kept.
const LONGEST_HEADER: usize = 1_024;

/// A receiver that is bound.
pub(super) struct Receiver {
    listener: TcpListener,
    address: SocketAddr,
}

impl Receiver {
    pub(super) async fn bind(port: u16) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    pub(super) fn address(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Hands on every message, until it is dropped.
    pub(super) fn receive(
        self,
        secret: &str,
        heard: mpsc::Sender<Heard>,
    ) -> Result<impl Future<Output = Result<()>> + use<>> {
        let secret = Arc::new(Secret::parse(secret)?);
        let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        Ok(async move {
            // Dropped with this future, so that no connection outlives the command.
            let mut connections = JoinSet::new();
            loop {
                let Ok(place) = Arc::clone(&places).acquire_owned().await else {
                    return Ok(());
                };
                let (stream, _) = self.listener.accept().await?;
                while connections.try_join_next().is_some() {}
                let (secret, heard) = (Arc::clone(&secret), heard.clone());
                connections.spawn(async move {
                    let service = service_fn(move |request| {
                        answer(request, Arc::clone(&secret), heard.clone())
                    });
                    let mut builder = http1::Builder::new();
                    builder
                        .timer(TokioTimer::new())
                        .header_read_timeout(WITHIN)
                        .keep_alive(false);
                    // A sender that breaks off tries again.
                    let _ = builder
                        .serve_connection(TokioIo::new(stream), service)
                        .await;
                    drop(place);
                });
            }
        })
    }
}

async fn answer(
    request: Request<Incoming>,
    secret: Arc<Secret>,
    heard: mpsc::Sender<Heard>,
) -> Result<Response<Empty<Bytes>>, hyper::Error> {
    let status = take(request, &secret, &heard).await;
    let mut response = Response::new(Empty::new());
    *response.status_mut() = status;
    Ok(response)
}

async fn take(
    request: Request<Incoming>,
    secret: &Secret,
    heard: &mpsc::Sender<Heard>,
) -> StatusCode {
    if request.method() != Method::POST {
        return StatusCode::METHOD_NOT_ALLOWED;
    }
    let header = |name: &str| {
        let value = request
            .headers()
            .get(name)
            .and_then(|value| value.to_str().ok());
        value
            .unwrap_or_default()
            .chars()
            .take(LONGEST_HEADER)
            .collect()
    };
    let headers = Headers {
        id: header("webhook-id"),
        timestamp: header("webhook-timestamp"),
        signature: header("webhook-signature"),
    };
    let body = Limited::new(request.into_body(), MOST_BYTES).collect();
    let Ok(Ok(body)) = tokio::time::timeout(WITHIN, body).await else {
        return StatusCode::PAYLOAD_TOO_LARGE;
    };
    let message = Message::read(secret, headers, &body.to_bytes());
    let status = if message.is_genuine() {
        StatusCode::NO_CONTENT
    } else {
        StatusCode::UNAUTHORIZED
    };
    // Nobody prints any more: the message is not taken.
    match heard.send(Heard::Message(message)).await {
        Ok(()) => status,
        Err(_) => StatusCode::SERVICE_UNAVAILABLE,
    }
}
