//! The free set: quick reports on popular symbols, rewritten every four hours.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use model::Timestamp;
use operations::{Error, Result, Services};
use parking_lot::Mutex;
use store::{ReportOrigin, ReportRow, ReportScope, ReportStatus};
use tokio_util::sync::CancellationToken;

use super::tier::Tier;
use super::worker::{context, kind};
use super::write::{Order, write};
use crate::runs::Keeping;

/// How long a report of the set is fresh.
const FRESH_MS: i64 = 4 * Timestamp::HOUR_MS;
/// How often the set is checked.
const PAUSE: Duration = Duration::from_mins(1);

/// The first request for the same report writes it; the others wait.
#[derive(Default)]
struct Turns(Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>);

/// The id of a symbol's report: its page keeps its address.
fn id_of(ticker: &str) -> String {
    let plain: String = ticker
        .chars()
        .map(|one| {
            if one.is_ascii_alphanumeric() {
                one
            } else {
                '-'
            }
        })
        .collect();
    format!("RPT-CACHED-{plain}")
}

/// The report on a symbol in the set; written now if there is none.
pub(super) async fn find_or_write(services: &Services, asked: &str) -> Result<ReportRow> {
    let set = &services.settings.cached_reports;
    let asked = asked.trim();
    let Some(symbol) = set.iter().find(|symbol| symbol.eq_ignore_ascii_case(asked)) else {
        let shown: String = asked.chars().take(40).collect();
        return Err(Error::not_found(format!(
            "{shown:?} is not in the set of free reports: {}",
            set.join(", ")
        )));
    };
    let id = id_of(symbol);
    if let Some(row) = services.store.reports().find(&id).await? {
        return Ok(row);
    }
    rewrite(services, symbol, |_| false).await?;
    services
        .store
        .reports()
        .find(&id)
        .await?
        .ok_or_else(|| Error::not_found(format!("there is nothing to write from on {symbol}")))
}

/// Writes the report on a symbol, unless somebody else has done so in the meantime and it is good enough.
async fn rewrite(
    services: &Services,
    symbol: &str,
    is_stale: impl Fn(Timestamp) -> bool,
) -> Result<bool> {
    let turns = services.extensions.get::<Turns>();
    let turn = turns.0.lock().entry(symbol.to_owned()).or_default().clone();
    let _turn = turn.lock().await;
    let id = id_of(symbol);
    let written = services
        .store
        .reports()
        .version(&id)
        .await?
        .map(|(at, ..)| at);
    if written.is_some_and(|at| !is_stale(at)) {
        return Ok(false);
    }
    let Ok(listing) = services.instruments.resolve(symbol).await? else {
        return Err(Error::not_found(format!(
            "{symbol} is in the set of free reports, but the store holds nothing on it"
        )));
    };
    let order = Order {
        run: format!("run_{}", uuid::Uuid::new_v4().simple()),
        ticker: listing.ticker().to_owned(),
        kind: kind(listing.asset_type()),
        tier: Tier::Quick,
        keeping: Keeping::AtTheEnd,
    };
    let done = write(&context(services, None), &order).await?;
    let now = services.clock.now();
    let row = ReportRow {
        id,
        account: None,
        origin: ReportOrigin::Cached,
        ticker: listing.ticker().to_owned(),
        entity_name: done.document.entity_name.clone(),
        tier: Tier::Quick.as_str().to_owned(),
        status: ReportStatus::Complete,
        is_public: true,
        scope: ReportScope::default(),
        credits: 0,
        created_at: now,
        changed_at: now,
        processing_ms: done.processing_ms,
        document: Some(serde_json::to_string(&done.document).map_err(Error::internal)?),
        receipt: done.document.receipt,
        markdown: done.markdown,
        reason: None,
    };
    services.store.reports().put_cached(&row).await?;
    Ok(true)
}

/// Rewrites reports that are older than four hours; returns how many.
pub async fn refresh_due(services: &Services, cancel: &CancellationToken) -> Result<usize> {
    let mut written = 0;
    for symbol in services.settings.cached_reports.clone() {
        if cancel.is_cancelled() {
            break;
        }
        let now = services.clock.now();
        match rewrite(services, &symbol, |at| now.since_ms(at) >= FRESH_MS).await {
            Ok(is_new) => written += usize::from(is_new),
            Err(error) if error.code() == operations::ErrorCode::NotFound => {}
            Err(error) => tracing::warn!(
                error = &error as &dyn std::error::Error,
                report.ticker = symbol,
                "the free report on {symbol} could not be written: {error}"
            ),
        }
    }
    Ok(written)
}

/// Keeps the set fresh. Ends when cancelled.
pub async fn refresh(services: &Services, cancel: CancellationToken) -> Result<()> {
    loop {
        tokio::select! {
            () = cancel.cancelled() => return Ok(()),
            outcome = refresh_due(services, &cancel) => drop(outcome?),
        }
        tokio::select! {
            () = cancel.cancelled() => return Ok(()),
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}
