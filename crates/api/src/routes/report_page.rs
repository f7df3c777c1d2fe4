//! `/reports/{id}`: the page of a report and, with `.md` or `.json` after the id, its other forms. `.pdf` answers how
//! to print it.
//!
//! A page runs nothing and loads nothing: its policy allows only its style. Rendered pages are kept in memory by the
//! time of the last change, so that a page that many people read is rendered once. A private report is found only by
//! its owner, who shows a key in a header or as `api_key`.

use std::sync::{Arc, LazyLock};

use agents::reports::{operation, page};
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderName, HeaderValue, header};
use model::DataMode;
use operations::{Caller, Error, Result};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};
use store::{ReportRow, ReportStatus};

use crate::error::Failure;
use crate::presented::Presented;
use crate::request_context::RequestContext;
use crate::state::AppState;

/// Bytes of rendered pages to keep.
const KEPT_BYTES: u64 = 32 << 20;

/// What a page may do.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let digest = STANDARD.encode(Sha256::digest(page::STYLE.as_bytes()));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{digest}'; img-src 'none'; script-src 'none'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
});

/// A form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    Page,
    Markdown,
    Json,
}

/// Rendered pages by id, form and time of the last change.
struct Rendered(Cache<(String, Form, i64), Arc<str>, Bytes>);

impl Default for Rendered {
    fn default() -> Self {
        Self(Cache::with_weighter(500, KEPT_BYTES, Bytes))
    }
}

#[derive(Clone)]
struct Bytes;

impl Weighter<(String, Form, i64), Arc<str>> for Bytes {
    fn weight(&self, _: &(String, Form, i64), page: &Arc<str>) -> u64 {
        page.len() as u64 + 128
    }
}

/// `GET /reports/{file}`.
pub(crate) async fn show(
    State(state): State<AppState>,
    Path(file): Path<String>,
    request: Request,
) -> Result<Response, Failure> {
    let context = RequestContext::of(request.extensions())?.clone();
    drop(request);
    let (id, form) = match file.rsplit_once('.') {
        Some((id, "md")) => (id, Form::Markdown),
        Some((id, "json")) => (id, Form::Json),
        Some((_, "pdf")) => {
            return Err(Error::not_found(
                "reports are not served as PDF: open the page without `.pdf` and print it to a file, \
                 for which it has a style of its own",
            )
            .into());
        }
        _ => (&*file, Form::Page),
    };
    let reports = state.store.reports();
    let unknown = || Error::not_found("there is no such report");
    let (changed_at, is_public, _) = reports.version(id).await?.ok_or_else(unknown)?;
    let mut row = None;
    if !is_public {
        let found = reports.find(id).await?.ok_or_else(unknown)?;
        if !operation::readable(&found, &caller(&state, &context).await)? {
            return Err(unknown().into());
        }
        row = Some(found);
    }
    let rendered = state.extensions.get::<Rendered>();
    let key = (id.to_owned(), form, changed_at.ms());
    let text = if let Some(text) = rendered.0.get(&key) {
        text
    } else {
        let row = match row {
            Some(row) => row,
            None => reports.find(id).await?.ok_or_else(unknown)?,
        };
        let is_demo = state.store.mode() == DataMode::Demo;
        let is_done = row.status == ReportStatus::Complete;
        let work = tokio::task::spawn_blocking(move || render(&row, form, is_demo));
        let text: Arc<str> = work.await.map_err(Error::internal)??.into();
        if is_done {
            rendered.0.insert(key, text.clone());
        }
        text
    };
    let kind = match form {
        Form::Page => "text/html; charset=utf-8",
        Form::Markdown => "text/markdown; charset=utf-8",
        Form::Json => "application/json",
    };
    let keeping = if is_public { "no-cache" } else { "no-store" };
    let headers: [(HeaderName, HeaderValue); 5] = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CONTENT_SECURITY_POLICY, POLICY.clone()),
        (
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        ),
        // The address may contain a key.
        (
            header::REFERRER_POLICY,
            HeaderValue::from_static("no-referrer"),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static(keeping)),
    ];
    Ok((headers, text.to_string()).into_response())
}

fn render(row: &ReportRow, form: Form, is_demo: bool) -> Result<String> {
    if form == Form::Markdown {
        return Ok(row.markdown.clone());
    }
    if form == Form::Json {
        if let Some(document) = &row.document {
            return Ok(document.clone());
        }
        let shown = serde_json::json!({
            "id": row.id, "ticker": row.ticker, "entity_name": row.entity_name, "tier": row.tier, "status": row.status.as_str(),
            "markdown": row.markdown, "created_at": row.created_at.to_string(),
        });
        return Ok(shown.to_string());
    }
    if row.status != ReportStatus::Complete {
        return Ok(page::waiting(row));
    }
    page::html(row, is_demo)
        .ok_or_else(|| Error::internal(format!("stored report {} cannot be read", row.id)))
}

/// Who asks for a private report.
async fn caller(state: &AppState, context: &RequestContext) -> Caller {
    let client = context.client;
    let member = match &context.presented {
        Ok(Presented::Text(text)) => {
            let found = state.access.find_member(text, client, state.clock.now());
            found.await.ok()
        }
        _ => None,
    };
    Caller { member, client }
}
