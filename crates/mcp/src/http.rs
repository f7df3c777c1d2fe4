//! The protocol over HTTP, at `/mcp`.
//!
//! Each request stands alone and is answered with one JSON document, or with a stream of events if the client asked for
//! progress. Nothing is kept between requests except the calls in flight. What every request over HTTP has in common,
//! such as the caller, host names, origins, the size of a body and how long it may take, is decided before a request
//! arrives here.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use http_body_util::Full;
use operations::Caller;
use rmcp::model::RequestId;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde::Deserialize;

use crate::in_flight::{SESSION_HEADER, SessionId};
use crate::malformed;
use crate::server::{ReplyHead, Server};

/// Its path.
pub const PATH: &str = "/mcp";
const CREDITS_CHARGED: HeaderName = HeaderName::from_static("x-credits-charged");
const CANCELLED: &str = "notifications/cancelled";
/// Bytes of a cancel notification; a longer body is not one.
const LONGEST_NOTIFICATION: usize = 4 << 10;

#[derive(Clone)]
struct Interface {
    server: Server,
    service: StreamableHttpService<Server, NeverSessionManager>,
    body_limit: usize,
}

/// The interface over HTTP. Each request must carry its [`Caller`] as an extension.
pub fn http(server: Server, body_limit: usize) -> Router {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(body_limit)
        // Host names and origins are compared with the operator's lists before a request arrives here.
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let factory = server.clone();
    let service = StreamableHttpService::new(
        move || Ok(factory.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    let interface = Interface {
        server,
        service,
        body_limit,
    };
    Router::new().route(PATH, any(answer)).with_state(interface)
}

async fn answer(State(interface): State<Interface>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let Ok(body) = axum::body::to_bytes(body, interface.body_limit).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let head = ReplyHead::default();
    parts.extensions.insert(head.clone());
    if let Some(session) = SessionId::of(&parts.headers) {
        if let (Some(id), Some(caller)) = (cancelled(&body), parts.extensions.get::<Caller>()) {
            let in_flight = interface.server.in_flight();
            in_flight.cancel(caller.payer(), session.clone(), id);
        }
        parts.extensions.insert(session);
    }
    let is_json = is_of(&parts.headers, b"application/json");
    let request = Request::from_parts(parts, Full::new(body.clone()));
    let mut response = interface.service.handle(request).await.map(Body::new);
    if response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE && is_json {
        response = unreadable(&body);
    }
    if let Some(id) = head.session()
        && let Ok(id) = HeaderValue::from_str(id.as_str())
    {
        response
            .headers_mut()
            .insert(HeaderName::from_static(SESSION_HEADER), id);
    }
    // The head of a stream is sent before it is known; in that case `_meta` of the result reports it.
    if !is_of(response.headers(), b"text/event-stream") {
        let credits = HeaderValue::from(head.credits());
        response.headers_mut().insert(CREDITS_CHARGED, credits);
    }
    response
}

fn is_of(headers: &HeaderMap, kind: &[u8]) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.as_bytes().get(..kind.len()))
        .is_some_and(|start| start.eq_ignore_ascii_case(kind))
}

/// The call that a cancel notification refers to.
fn cancelled(body: &[u8]) -> Option<RequestId> {
    #[derive(Deserialize)]
    struct Notification {
        method: String,
        params: Parameters,
    }
    #[derive(Deserialize)]
    struct Parameters {
        #[serde(rename = "requestId")]
        request_id: RequestId,
    }
    let mut windows = body.windows(CANCELLED.len());
    if body.len() > LONGEST_NOTIFICATION || !windows.any(|window| window == CANCELLED.as_bytes()) {
        return None;
    }
    let notification: Notification = serde_json::from_slice(body).ok()?;
    (notification.method == CANCELLED).then_some(notification.params.request_id)
}

/// The answer to a body that is not a message of the protocol. The library answers 415 in its own words.
fn unreadable(body: &Bytes) -> Response {
    let error = malformed::error(body, "body");
    let headers = [(header::CONTENT_TYPE, "application/json")];
    (StatusCode::BAD_REQUEST, headers, error.to_string()).into_response()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn only_a_notification_that_cancels_does() {
        let id = |value: Value| cancelled(value.to_string().as_bytes());
        let params = json!({"requestId": 7, "reason": "enough"});
        assert_eq!(
            id(json!({"jsonrpc": "2.0", "method": CANCELLED, "params": params})),
            Some(RequestId::Number(7))
        );
        assert_eq!(id(json!({"method": CANCELLED})), None);
        assert_eq!(
            id(json!({"method": "tools/call", "params": {"requestId": 7, "x": CANCELLED}})),
            None
        );
        assert_eq!(cancelled(b"{"), None);
        assert_eq!(cancelled(&[b' '; LONGEST_NOTIFICATION + 1]), None);
    }
}
