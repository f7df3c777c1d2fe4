//! Whether the server is up.

use axum::Json;
use axum::extract::State;
use model::{DataMode, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::state::AppState;

/// The state of the server.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    /// `ok`.
    status: &'static str,
    /// Version of the program.
    version: String,
    /// `demo` or `real`.
    data_mode: &'static str,
    /// Whether the data is simulated.
    simulated: bool,
    /// The current time of the server.
    #[schema(value_type = String, format = "date-time")]
    time: Timestamp,
    /// The as-of time at which ingested data is served; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<String>, format = "date-time")]
    as_of: Option<Timestamp>,
    /// Seconds since the start.
    uptime_seconds: u64,
    /// Revision of the data from which responses are computed.
    revision: i64,
}

/// Reports that the server is up and which data it holds.
#[utoipa::path(get, path = "/health", tag = "operations",
    responses((status = 200, description = "The server is up", body = Health)))]
pub(crate) async fn health(State(state): State<AppState>) -> Json<Health> {
    let mode = state.store.mode();
    Json(Health {
        status: "ok",
        version: state.http.version.clone(),
        data_mode: mode.as_str(),
        simulated: mode == DataMode::Demo,
        time: state.clock.now(),
        as_of: state.settings.as_of,
        uptime_seconds: state.started.elapsed().as_secs(),
        revision: state.revision(),
    })
}
