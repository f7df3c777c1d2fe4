//! Counters for operators, in the Prometheus text format.
//!
//! There is one recorder for the process, so what other crates count with `metrics` appears on the same page. Handles
//! are looked up once for each route, not for each request.

use std::sync::OnceLock;
use std::time::Duration;

use http::StatusCode;
use metrics::{Counter, Histogram, counter, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

const DURATION: &str = "assay_http_request_duration_seconds";
const BUCKETS: [f64; 12] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0,
];

/// The recorder of the process, installed at the first call.
pub fn exposition() -> &'static PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        let builder = PrometheusBuilder::new();
        // The buckets are constant and not empty, so they are never refused.
        let builder = builder
            .set_buckets_for_metric(Matcher::Full(DURATION.to_owned()), &BUCKETS)
            .unwrap_or_else(|_| PrometheusBuilder::new());
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("another metrics recorder is installed; /metrics stays empty");
        }
        metrics::describe_histogram!(
            DURATION,
            metrics::Unit::Seconds,
            "Time from request to response head, by route"
        );
        metrics::describe_counter!(
            "assay_http_requests_total",
            "Requests answered, by route and status class"
        );
        metrics::describe_counter!(
            "assay_task_restarts_total",
            "Background tasks started again after a failure, by task"
        );
        metrics::describe_counter!(
            "assay_http_connections_refused_total",
            "Connections closed at once because of a limit, by reason"
        );
        metrics::describe_counter!(
            "assay_http_connections_stalled_total",
            "Connections cut off because their peer did not read"
        );
        handle
    })
}

/// What is counted for one route.
#[derive(Clone)]
pub(crate) struct RouteMetrics {
    duration: Histogram,
    statuses: [Counter; 5],
}

impl RouteMetrics {
    pub(crate) fn new(method: &str, route: &str) -> Self {
        let labels = [("method", method.to_owned()), ("route", route.to_owned())];
        Self {
            duration: histogram!(DURATION, &labels),
            statuses: ["1xx", "2xx", "3xx", "4xx", "5xx"].map(|class| {
                let labels = [
                    labels[0].clone(),
                    labels[1].clone(),
                    ("status", class.to_owned()),
                ];
                counter!("assay_http_requests_total", &labels)
            }),
        }
    }

    pub(crate) fn record(&self, status: StatusCode, elapsed: Duration) {
        self.duration.record(elapsed.as_secs_f64());
        let class = usize::from(status.as_u16() / 100).clamp(1, 5) - 1;
        self.statuses[class].increment(1);
    }
}
