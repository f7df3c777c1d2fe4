//! From a listening socket to the router.
//!
//! `axum::serve` has no limits of its own; here a connection that sends its headers too slowly is closed, their number
//! is bounded, and so is the number of connections. Sizes are left to the frame, which answers in our shape.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tower::Service;

/// How long headers may take; also how long an idle connection is kept.
const HEADERS_WITHIN: Duration = Duration::from_secs(30);
const MOST_HEADERS: usize = 100;
const MOST_CONNECTIONS: usize = 8_192;
/// How long requests in flight may go on after the end is announced.
const DRAIN: Duration = Duration::from_secs(10);

/// Serves until cancelled, then lets the requests in flight finish, for a while.
pub async fn serve(listener: TcpListener, router: Router, cancel: CancellationToken) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS_WITHIN)
        .max_headers(MOST_HEADERS);
    loop {
        let place = tokio::select! {
            () = cancel.cancelled() => break,
            place = places.clone().acquire_owned() => place,
        };
        let Some((stream, peer)) = accept(&listener, &cancel).await else {
            break;
        };
        let router = router.clone();
        let service = hyper::service::service_fn(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            router.clone().call(request.map(Body::new))
        });
        let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A peer that hangs up or talks nonsense is everyday life.
            if let Err(error) = connection.await {
                tracing::debug!(
                    error = &error as &dyn std::error::Error,
                    "connection ended: {error}"
                );
            }
            drop(place);
        });
    }
    drop(listener);
    if tokio::time::timeout(DRAIN, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!(
            "requests still in flight after {} s are cut off",
            DRAIN.as_secs()
        );
    }
}

/// The next connection; `None` when cancelled.
async fn accept(
    listener: &TcpListener,
    cancel: &CancellationToken,
) -> Option<(TcpStream, SocketAddr)> {
    loop {
        let accepted = tokio::select! {
            () = cancel.cancelled() => return None,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                // Answers are written in one go; waiting for more to send only delays them.
                let _ = stream.set_nodelay(true);
                return Some((stream, peer));
            }
            Err(error) => {
                // Out of file descriptors, most likely: others close theirs meanwhile.
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "connection cannot be accepted: {error}"
                );
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}
