//! Agents that run automatically: at intervals, or at a time of day.
//!
//! A schedule that is due becomes a job in the same transaction that sets its next time, so that each time becomes
//! exactly one job, however many processes look for it. The process that claims the job runs the agent under an id
//! derived from the schedule and the time: a job that is resumed after a crash finds the run on record and is not
//! charged twice. A run happens under the scopes of the key that created the schedule. It is skipped with a note if
//! that key may no longer run it or its account can no longer pay for it.

mod operation;
mod when;

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use model::{KeyId, Timestamp};
use operations::{
    AsOf, Attempt, Caller, Charge, ClientAddress, Context, Credential, Error, Limits, Member,
    Naming, Price, Reserving, Result, Services, Tariff,
};
use serde_json::json;
use sha2::{Digest, Sha256};
use store::{AgentSchedule, Job, LEASE_MS};
use tokio_util::sync::CancellationToken;

use super::read::CALLABLE;
use super::run::{AgentRun, RUN_AGENT, RunRequest};

pub(crate) use operation::{Create, List, Remove};

/// The kind of their jobs.
const JOB: &str = "agent.schedule";
/// How often the store is queried.
const PAUSE: Duration = Duration::from_secs(5);
/// How long a run may take.
const LONGEST_RUN: Duration = Duration::from_mins(5);
/// Attempts at a run whose server failed.
const MOST_ATTEMPTS: u32 = 3;

/// Runs what is due until cancelled.
pub async fn run(services: &Services, cancel: CancellationToken) -> Result<()> {
    loop {
        run_due(services, &cancel).await?;
        tokio::select! {
            () = cancel.cancelled() => return Ok(()),
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}

/// Runs what is due now; returns how many.
pub async fn run_due(services: &Services, cancel: &CancellationToken) -> Result<usize> {
    let schedules = services.store.agent_schedules();
    let now = services.clock.now();
    for due in schedules.due(now).await? {
        let Some(due_at) = due.next_at else { continue };
        let Some(next_at) = when::next(&due, now) else {
            schedules
                .note(&due.id, None, Some("its time zone is not known here"), true)
                .await?;
            continue;
        };
        let payload = json!({"schedule": due.id, "due_at": due_at.ms()}).to_string();
        let unique = format!("{JOB}:{}:{}", due.id, due_at.ms());
        schedules
            .take(&due, next_at, (JOB, &payload, &unique), now)
            .await?;
    }
    let mut done = 0;
    while !cancel.is_cancelled() {
        let job = services
            .store
            .jobs()
            .claim(&[JOB], services.clock.now(), LEASE_MS)
            .await?;
        let Some(job) = job else { break };
        let jobs = services.store.jobs();
        let renew = || jobs.renew(&job, services.clock.now(), LEASE_MS);
        // A job that is no longer held is done by another process.
        let outcome = Box::pin(store::hold(work(services, &job), renew)).await;
        if outcome.unwrap_or(Ok(false))? {
            done += 1;
        }
    }
    Ok(done)
}

/// Performs one job; `false` if there was nothing to do.
async fn work(services: &Services, job: &Job) -> Result<bool> {
    let (jobs, schedules) = (services.store.jobs(), services.store.agent_schedules());
    let payload: serde_json::Value = serde_json::from_str(&job.payload).map_err(Error::internal)?;
    let schedule = match payload["schedule"].as_str() {
        Some(id) => schedules.find(id).await?,
        None => None,
    };
    let Some(schedule) = schedule else {
        jobs.complete(job.id).await?;
        return Ok(false);
    };
    let id = run_id(&schedule, payload["due_at"].as_i64().unwrap_or_default());
    let outcome = tokio::time::timeout(LONGEST_RUN, run_one(services, &schedule, &id)).await;
    let outcome = outcome.unwrap_or_else(|_| Err(Error::internal("a scheduled run took too long")));
    match outcome {
        Ok(()) => {
            schedules.note(&schedule.id, Some(&id), None, false).await?;
            jobs.complete(job.id).await?;
            Ok(true)
        }
        Err(error) if error.code().status() >= 500 && job.attempts < MOST_ATTEMPTS => {
            let later = services
                .clock
                .now()
                .plus_ms(Timestamp::MINUTE_MS * i64::from(job.attempts));
            jobs.fail(job.id, &error.to_string(), Some(later)).await?;
            Ok(false)
        }
        Err(error) => {
            // If it is not possible now, it will not be possible next time either; a caller who cannot pay now may pay
            // later.
            let is_over = matches!(error.code().status(), 401 | 403 | 404);
            let note = format!("skipped at {}: {error}", services.clock.now());
            schedules
                .note(&schedule.id, None, Some(&note), is_over)
                .await?;
            jobs.complete(job.id).await?;
            tracing::info!(
                schedule.id = schedule.id,
                "schedule {} was skipped: {error}",
                schedule.id
            );
            Ok(false)
        }
    }
}

/// The id of the run for a schedule and a time.
fn run_id(schedule: &AgentSchedule, due_at: i64) -> String {
    let digest = Sha256::digest(format!("{} {due_at}", schedule.id));
    let hex: Vec<String> = digest
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("run_{}", hex.concat())
}

async fn run_one(services: &Services, schedule: &AgentSchedule, id: &str) -> Result<()> {
    if services
        .store
        .runs()
        .find(schedule.account, id)
        .await?
        .is_some()
    {
        return Ok(());
    }
    let caller = caller(services, schedule).await?;
    let inputs = serde_json::from_str(&schedule.inputs).map_err(Error::internal)?;
    let request = RunRequest::scheduled(inputs, schedule.target.clone(), schedule.budget);
    let charge = Charge::default();
    let mut context = Context {
        services: services.clone(),
        caller,
        as_of: AsOf::new(None, services)?,
        price: super::PRICE,
        charge: charge.clone(),
        attempt: Arc::new(Attempt::new(None, services.clock.now())),
        limits: Limits::default(),
        naming: Naming::default(),
    };
    let run = AgentRun::prepare(&mut context, &schedule.agent, request).await?;
    let known = &CALLABLE.find(RUN_AGENT)?.tariff;
    let (method, path) = ("POST", "/api/v1/agents/run/{slug}");
    let price = Price::fixed(run.cost());
    let tariff = Tariff::new(known.index, price, known.gate, method, path);
    let address = format!("/api/v1/agents/run/{}", schedule.agent);
    let admission = operations::admit(
        services,
        &context.caller,
        &tariff,
        (method, &address),
        &charge,
        Reserving::Now,
    );
    admission.await.outcome?;
    run.run_as(&context, &charge, None, Some(id)).await?;
    Ok(())
}

/// The creator of the schedule, with what they may do now.
async fn caller(services: &Services, schedule: &AgentSchedule) -> Result<Caller> {
    let refused =
        |message: &'static str| Error::refused(operations::ErrorCode::InvalidCredential, message);
    let account = services.store.accounts().find(schedule.account).await?;
    let account = account.ok_or_else(|| refused("its account is gone"))?;
    if account.standing.is_disabled() {
        return Err(refused("its account is disabled"));
    }
    let credential = match schedule.key {
        Some(key) => {
            let keys = services.store.keys().list(account.id).await?;
            let key = keys.into_iter().find(|one| one.id == KeyId(key));
            let key = key.ok_or_else(|| refused("the key that made it is revoked"))?;
            Credential::Key {
                id: key.id,
                scope: key.scope,
            }
        }
        None => Credential::Token {
            id: schedule.id.clone(),
            expires: services.clock.now().plus_ms(Timestamp::HOUR_MS),
        },
    };
    Ok(Caller {
        member: Some(Arc::new(Member {
            account: account.id,
            email: account.email,
            name: account.name,
            plan: account.plan,
            spending_cap: account.spending_cap,
            credential,
        })),
        client: ClientAddress::new(IpAddr::V4(Ipv4Addr::LOCALHOST)),
    })
}
