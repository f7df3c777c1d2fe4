//! Writes the reports that were ordered: jobs are claimed one after the other, a few at once.
//!
//! A job is leased for as long as somebody is working on it. A process that ends halfway leaves its completed steps
//! behind, and the process that claims the job after the lease has expired continues with them. A report that fails
//! permanently is refunded. Operations for a report are called with the rights of the key that ordered it.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use model::{AssetType, Timestamp};
use operations::{
    AsOf, Attempt, Caller, Charge, ClientAddress, Context, Credential, Error, ErrorCode, Limits,
    Member, Naming, Payer, Price, Result, Services,
};
use store::{Job, LEASE_MS, REPORT_JOB, ReportRow, ReportStatus, WrittenReport};
use tokio_util::sync::CancellationToken;

use super::facts::Kind;
use super::tier::Tier;
use super::write::{Order, write};
use crate::runs::Keeping;

/// How long a report may take.
const LONGEST: Duration = Duration::from_secs(50);
/// How many attempts are made at a report.
const MOST_ATTEMPTS: u32 = 4;
/// How long a failed attempt waits.
const RETRY_MS: i64 = 5_000;
/// How often the queue is checked.
const PAUSE: Duration = Duration::from_millis(250);
/// Reports that one process writes at the same time.
const AT_ONCE: usize = 2;

/// The run of a report.
pub(super) fn run_of(id: &str) -> String {
    format!("run_{}", id.trim_start_matches("RPT-").to_lowercase())
}

/// Writes ordered reports until cancelled.
pub async fn run(services: &Services, cancel: CancellationToken) -> Result<()> {
    loop {
        let workers = (0..AT_ONCE).map(|_| write_due(services, &cancel));
        for outcome in futures::future::join_all(workers).await {
            outcome?;
        }
        tokio::select! {
            () = cancel.cancelled() => return Ok(()),
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}

/// Writes the reports that are currently waiting, one after the other; returns how many came to an end.
pub async fn write_due(services: &Services, cancel: &CancellationToken) -> Result<usize> {
    let mut done = 0;
    while !cancel.is_cancelled() {
        let now = services.clock.now();
        let Some(job) = services
            .store
            .jobs()
            .claim(&[REPORT_JOB], now, LEASE_MS)
            .await?
        else {
            break;
        };
        tokio::select! {
            // The lease expires, and the next process continues.
            () = cancel.cancelled() => break,
            outcome = held(services, &job) => done += usize::from(outcome?),
        }
    }
    Ok(done)
}

/// One attempt, under a lease that is renewed; `true` if the report came to an end here.
async fn held(services: &Services, job: &Job) -> Result<bool> {
    let jobs = services.store.jobs();
    let renew = || jobs.renew(job, services.clock.now(), LEASE_MS);
    let outcome = Box::pin(store::hold(attempt(services, job), renew)).await;
    // Otherwise another process continues with it.
    outcome.unwrap_or(Ok(false))
}

/// One attempt; `true` if the report came to an end.
async fn attempt(services: &Services, job: &Job) -> Result<bool> {
    let id = &*job.payload;
    let store = &services.store;
    let row = store.reports().find(id).await?;
    let Some(row) =
        row.filter(|row| matches!(row.status, ReportStatus::Queued | ReportStatus::Running))
    else {
        store.jobs().complete(job.id).await?;
        return Ok(false);
    };
    if job.attempts > MOST_ATTEMPTS {
        give_up(
            services,
            job,
            &row,
            "it was tried several times without coming to an end",
        )
        .await?;
        return Ok(true);
    }
    store.reports().start(id, services.clock.now()).await?;
    let work = tokio::time::timeout(LONGEST, written(services, &row));
    let outcome = work
        .await
        .unwrap_or_else(|_| Err(Error::internal("a report took too long")));
    match outcome {
        Ok(done) => {
            let document = serde_json::to_string(&done.document).map_err(Error::internal)?;
            let report = WrittenReport {
                markdown: &done.markdown,
                document: &document,
                receipt: done.document.receipt.as_deref(),
                processing_ms: done.processing_ms,
            };
            store
                .reports()
                .complete(id, job.id, report, services.clock.now())
                .await?;
            Ok(true)
        }
        Err(error) => {
            let is_final = !matches!(error.code(), ErrorCode::Internal | ErrorCode::Timeout)
                || job.attempts >= MOST_ATTEMPTS;
            if is_final {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    report.id = id,
                    "report {id} failed: {error}"
                );
                let reason = match error.code() {
                    ErrorCode::Internal => "something went wrong here".to_owned(),
                    _ => error.to_string(),
                };
                give_up(services, job, &row, &reason).await?;
                return Ok(true);
            }
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                report.id = id,
                "report {id} is tried again: {error}"
            );
            let later = services.clock.now().plus_ms(RETRY_MS);
            store
                .jobs()
                .fail(job.id, "tried again", Some(later))
                .await?;
            Ok(false)
        }
    }
}

async fn give_up(services: &Services, job: &Job, row: &ReportRow, reason: &str) -> Result<()> {
    let refund = services
        .store
        .reports()
        .fail(&row.id, job.id, reason, services.clock.now())
        .await?;
    if let (Some(refund), Some(account)) = (refund, row.account) {
        services.meter.refunded(Payer::Account(account), &refund);
    }
    Ok(())
}

async fn written(services: &Services, row: &ReportRow) -> Result<super::write::Written> {
    let tier = Tier::parse(&row.tier).ok_or_else(|| Error::invalid("the tier is unknown"))?;
    let listing = services
        .instruments
        .resolve(&row.ticker)
        .await?
        .map_err(Error::UnknownSymbol)?;
    let context = context(services, Some(owner(services, row).await?));
    let order = Order {
        run: run_of(&row.id),
        ticker: listing.ticker().to_owned(),
        kind: kind(listing.asset_type()),
        tier,
        keeping: Keeping::EachStep,
    };
    write(&context, &order).await
}

/// What kind of report it is.
pub(super) fn kind(asset: AssetType) -> Kind {
    match asset {
        AssetType::Equity => Kind::Share,
        AssetType::Etf => Kind::Fund,
        AssetType::Crypto => Kind::Coin,
    }
}

/// The account that ordered it, with the rights of the key that did.
async fn owner(services: &Services, row: &ReportRow) -> Result<Arc<Member>> {
    let account = match row.account {
        Some(account) => services.store.accounts().find(account).await?,
        None => None,
    };
    let account = account.filter(|account| !account.standing.is_disabled());
    let account = account.ok_or_else(|| {
        Error::refused(
            ErrorCode::AccountDisabled,
            "the account that ordered it is disabled",
        )
    })?;
    let credential = match row.scope.key {
        Some(id) => Credential::Key {
            id,
            scope: row.scope.scope.clone(),
        },
        None => Credential::Token {
            id: row.id.clone(),
            expires: Timestamp::from_ms(i64::MAX),
        },
    };
    Ok(Arc::new(Member {
        account: account.id,
        email: account.email,
        name: account.name,
        plan: account.plan,
        spending_cap: account.spending_cap,
        credential,
    }))
}

/// The context of work that nobody waits for.
pub(super) fn context(services: &Services, member: Option<Arc<Member>>) -> Context {
    Context {
        services: services.clone(),
        caller: Caller {
            member,
            client: ClientAddress::new(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        },
        as_of: AsOf(services.settings.as_of),
        price: Price::FREE,
        charge: Charge::default(),
        attempt: Arc::new(Attempt::new(None, services.clock.now())),
        limits: Limits::default(),
        naming: Naming::default(),
    }
}
