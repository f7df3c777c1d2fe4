//! From a listening socket to the router.
//!
//! `axum::serve` has no limits of its own. Here a connection that sends its headers too slowly is closed, one whose
//! peer does not read what it asked for is cut off, and the number of connections is bounded, overall and for each
//! address. Sizes are left to the frame, which answers in our shape.

mod places;
mod progress;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use ipnet::IpNet;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;
use tower::Service;

use places::{Place, Places};
use progress::Progress;

const MOST_HEADERS: usize = 100;
/// How much is read from a connection before it is looked at: twice what headers may take, so that the frame rejects
/// larger ones in our shape.
const READ_AHEAD: usize = 64 << 10;
/// Refusals are logged at most this often.
const REFUSALS_LOGGED_EVERY: Duration = Duration::from_secs(10);

/// The limits on connections.
#[derive(Clone, Debug)]
pub struct Connections {
    /// Open at the same time.
    pub most: usize,
    /// Open at the same time from one client address.
    pub most_per_address: usize,
    /// Networks whose connections stand for many clients, so that only `most` limits them.
    pub trusted_proxies: Vec<IpNet>,
    /// How long headers may take, and how long an idle connection is kept.
    pub headers_within: Duration,
    /// How long the peer may leave bytes unread that it asked for.
    pub reads_within: Duration,
    /// How long requests in flight may continue after the shutdown is announced.
    pub drain: Duration,
}

impl Default for Connections {
    fn default() -> Self {
        Self {
            most: 8_192,
            most_per_address: 1_024,
            trusted_proxies: Vec::new(),
            headers_within: Duration::from_secs(30),
            reads_within: Duration::from_secs(30),
            drain: Duration::from_secs(10),
        }
    }
}

/// Held by anything that continues with a connection after its last answer, such as a WebSocket: it counts for that
/// long, and the shutdown of the service waits for it.
#[derive(Clone)]
pub(crate) struct Hold {
    _place: Arc<Place>,
    _going_on: TaskTrackerToken,
}

/// Serves until cancelled, then gives the requests in flight some time to finish.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Connections,
    cancel: CancellationToken,
) {
    let places = Places::new(limits.most, limits.most_per_address, limits.trusted_proxies);
    let open = TaskTracker::new();
    // Connections end with the answer in progress.
    let ending = CancellationToken::new();
    // Whatever is still open when the time to drain is over is closed, not abandoned.
    let cut_off = CancellationToken::new();
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.headers_within)
        .max_headers(MOST_HEADERS)
        .max_buf_size(READ_AHEAD);
    let mut refusals = Refusals::default();
    while let Some((stream, peer)) = accept(&listener, &cancel).await {
        let place = match places.take(peer.ip()) {
            Ok(place) => place,
            Err(reason) => {
                // Closed at once: an answer would need a place of its own.
                drop(stream);
                refusals.note(reason.as_str());
                continue;
            }
        };
        let hold = Hold {
            _place: Arc::new(place),
            _going_on: open.token(),
        };
        let (router, held) = (router.clone(), hold.clone());
        let service = hyper::service::service_fn(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            request.extensions_mut().insert(held.clone());
            router.clone().call(request.map(Body::new))
        });
        let stream = TokioIo::new(Progress::new(stream, limits.reads_within));
        let connection = builder.serve_connection(stream, service).with_upgrades();
        let (ending, cut_off) = (ending.clone(), cut_off.clone());
        tokio::spawn(async move {
            let mut connection = std::pin::pin!(connection);
            let outcome = tokio::select! {
                outcome = connection.as_mut() => outcome,
                () = cut_off.cancelled() => Ok(()),
                () = ending.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    tokio::select! {
                        outcome = connection => outcome,
                        () = cut_off.cancelled() => Ok(()),
                    }
                }
            };
            // A peer that hangs up or sends nonsense is an everyday event.
            if let Err(error) = outcome {
                tracing::debug!(
                    error = &error as &dyn std::error::Error,
                    "connection ended: {error}"
                );
            }
            drop(hold);
        });
    }
    drop(listener);
    ending.cancel();
    open.close();
    if tokio::time::timeout(limits.drain, open.wait())
        .await
        .is_err()
    {
        tracing::warn!(
            "requests still in flight after {} s are cut off",
            limits.drain.as_secs_f32()
        );
    }
    cut_off.cancel();
}

/// The next connection; `None` when cancelled.
async fn accept(
    listener: &TcpListener,
    cancel: &CancellationToken,
) -> Option<(TcpStream, SocketAddr)> {
    loop {
        let accepted = tokio::select! {
            biased;
            () = cancel.cancelled() => return None,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                // Answers are written in one go; waiting for more output only delays them.
                let _ = stream.set_nodelay(true);
                return Some((stream, peer));
            }
            Err(error) => {
                // Most likely out of file descriptors: others close theirs in the meantime.
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "connection cannot be accepted: {error}"
                );
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// Counts refused connections and logs them now and then: a flood of them must not become a flood of log lines.
#[derive(Default)]
struct Refusals {
    logged: Option<std::time::Instant>,
    since: u64,
}

impl Refusals {
    fn note(&mut self, reason: &'static str) {
        metrics::counter!("assay_http_connections_refused_total", "reason" => reason).increment(1);
        self.since += 1;
        if self
            .logged
            .is_none_or(|logged| logged.elapsed() >= REFUSALS_LOGGED_EVERY)
        {
            tracing::warn!(
                connections.refused = self.since,
                "{} connections refused, the last because of {reason}",
                self.since
            );
            self.logged = Some(std::time::Instant::now());
            self.since = 0;
        }
    }
}
