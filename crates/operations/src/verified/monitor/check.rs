//! The check of a monitor: the claims that its agent remembers are verified again.
//!
//! A monitor is leased for a while and checked. The result, the new assessment of each memory and all alerts are then
//! written in one transaction. A process that stops in between has written nothing, and whichever process leases the
//! monitor next checks it again. Receipts of changed verdicts are written to the log beforehand; one that no memory
//! refers to does no harm.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use analysis::verification::{ClaimQuery, Finding};
use futures::{StreamExt, TryStreamExt, stream};
use model::Timestamp;
use store::{CheckResult, CheckedMemory, LEASE_MS, Memory, Monitor, MonitorClaim};
use tokio_util::sync::CancellationToken;
use verify::claim::Claim;
use verify::verdict::Verdict;

use super::PLAN;
use super::message::Check;
use crate::error::{Error, Result};
use crate::price::reaches;
use crate::services::Services;
use crate::verified::claim::assess;
use crate::verified::issue::{self, Occasion, OnBehalf};
use crate::verified::output::{FRESH_MS, trust};

/// Maximum number of claims verified in one check: the newest.
const MOST_CLAIMS: u64 = 50;
/// Permitted length of a claim in characters, as in `/verify`.
const CLAIM_LENGTH: (u64, u64) = (10, 1_000);
/// Number of claims that are verified concurrently. Unlike callers, a check can take its time.
const AT_ONCE: usize = 2;
/// How long a check may take.
const LONGEST_CHECK: Duration = Duration::from_mins(5);
/// Maximum delay before a failed check is repeated.
const LONGEST_PAUSE_MS: i64 = Timestamp::HOUR_MS;
/// How often the store is queried for monitors that are due.
const PAUSE: Duration = Duration::from_secs(5);
/// Confidence from which a memory without a verdict counts as believed. It also counts as believed if it has no
/// confidence.
const BELIEVED: f64 = 0.5;

/// Checks whatever is due until cancelled.
pub(crate) async fn run(services: &Services, cancel: CancellationToken) -> Result<()> {
    loop {
        check_due(services, &cancel).await?;
        tokio::select! {
            () = cancel.cancelled() => return Ok(()),
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}

/// Checks the monitors that are due, one after the other, unless cancelled. Returns how many were checked.
pub(crate) async fn check_due(services: &Services, cancel: &CancellationToken) -> Result<usize> {
    let monitors = services.store.monitors();
    let mut checked = 0;
    while !cancel.is_cancelled() {
        let claimed = monitors.claim(services.clock.now(), LEASE_MS).await?;
        let Some(mut claimed) = claimed else { break };
        let work = tokio::time::timeout(LONGEST_CHECK, check(services, &mut claimed));
        let outcome = tokio::select! {
            // The claim runs out by itself.
            () = cancel.cancelled() => break,
            outcome = work => outcome.unwrap_or_else(|_| Err(Error::internal("a check took too long"))),
        };
        match outcome {
            Ok(true) => checked += 1,
            Ok(false) => {}
            Err(error) => {
                let id = &*claimed.monitor.id;
                // Others are checked first the next time.
                let later = claimed.monitor.interval_ms.min(LONGEST_PAUSE_MS);
                let then = services.clock.now().plus_ms(later);
                if let Err(error) = monitors.postpone(&claimed, then).await {
                    tracing::warn!("the monitor {id} could not be postponed: {error}");
                }
                tracing::error!(
                    monitor.id = id,
                    error = &error as &dyn std::error::Error,
                    "the monitor {id} could not be checked and is checked again later"
                );
            }
        }
    }
    Ok(checked)
}

/// Checks a leased monitor. Returns `false` if this had no effect because it is suspended or was changed in the
/// meantime.
async fn check(services: &Services, claimed: &mut MonitorClaim) -> Result<bool> {
    let now = services.clock.now();
    let next_check_at = now.plus_ms(claimed.monitor.interval_ms);
    let monitors = services.store.monitors();
    if !is_entitled(services, &claimed.monitor).await? {
        monitors.postpone(claimed, next_check_at).await?;
        return Ok(false);
    }
    let claims = claims(services, &claimed.monitor, now).await?;
    let looking: Vec<_> = claims
        .iter()
        .map(|(_, claim)| look_again(services, claim.clone(), now))
        .collect();
    let findings = stream::iter(looking).buffered(AT_ONCE).try_collect();
    let until = AtomicI64::new(claimed.lease_until.ms());
    let renew = || async {
        let held = Timestamp::from_ms(until.load(Ordering::Relaxed));
        let now = services.clock.now();
        let renewed = monitors.renew(&claimed.monitor.id, held, now, LEASE_MS);
        let renewed = renewed.await?;
        if let Some(next) = renewed {
            until.store(next.ms(), Ordering::Relaxed);
        }
        Ok(renewed.is_some())
    };
    let Some(findings) = store::hold(findings, renew).await else {
        return Ok(false);
    };
    let findings: Vec<Finding> = findings?;
    claimed.lease_until = Timestamp::from_ms(until.into_inner());
    let claimed: &MonitorClaim = claimed;
    let monitor = &claimed.monitor;
    let check = Check {
        monitor,
        at: now,
        trust: trust(&findings),
        mode: services.store.mode(),
    };
    let memories = claims.iter().map(|(memory, _)| memory).zip(&findings);
    let receipts = receipts(services, monitor, memories.clone(), now).await?;
    let memories: Vec<CheckedMemory> = memories
        .zip(receipts)
        .map(|((memory, finding), receipt)| checked(&check, memory, finding, receipt))
        .collect::<Result<_>>()?;
    let contradicted = memories
        .iter()
        .filter(|memory| memory.verdict == Verdict::Contradicted.as_str())
        .count();
    let mut alerts = Vec::new();
    if monitor.escalates && check.has_fallen() {
        alerts.push(check.low_trust(memories.len(), contradicted)?);
    }
    let result = CheckResult {
        checked_at: now,
        // Where nothing can be decided any more, what was decided last still tells whether trust fell.
        trust: check.trust.or(monitor.last_trust),
        next_check_at,
        memories,
        alerts,
    };
    let is_recorded = monitors.record(claimed, &result).await?;
    if is_recorded {
        metrics::counter!("assay_monitor_checks_total").increment(1);
        tracing::debug!(
            monitor.id = monitor.id,
            "the monitor {} was checked: {} claims, {contradicted} of them contradicted",
            monitor.id,
            result.memories.len()
        );
    }
    Ok(is_recorded)
}

/// Whether the account may still have monitors. It may have been disabled or moved to a smaller plan in the meantime.
async fn is_entitled(services: &Services, monitor: &Monitor) -> Result<bool> {
    let account = services.store.accounts().find(monitor.account).await?;
    Ok(account
        .is_some_and(|account| !account.standing.is_disabled() && reaches(account.plan, PLAN)))
}

/// The claims that the agent remembers and that can be checked.
async fn claims(
    services: &Services,
    monitor: &Monitor,
    now: Timestamp,
) -> Result<Vec<(Memory, Claim)>> {
    let (owner, agent) = (monitor.account, &*monitor.agent);
    let memories = services.store.memories();
    let found = memories
        .claims(owner, agent, CLAIM_LENGTH, MOST_CLAIMS, now)
        .await?;
    let read = analysis::light(move || {
        let pairs = found.into_iter().map(|memory| {
            let claim = Claim::parse(&memory.content.value);
            (memory, claim)
        });
        pairs
            .filter(|(_, claim)| claim.is_checkable() || claim.is_plan())
            .collect()
    });
    Ok(read.await?)
}

async fn look_again(services: &Services, claim: Claim, now: Timestamp) -> Result<Finding> {
    let query = ClaimQuery {
        claim,
        categories: Vec::new(),
        as_of: None,
        now,
    };
    assess(services, query).await
}

/// Receipts for the verdicts that differ from those that the agent remembers. An unchanged verdict keeps its existing
/// receipt, so the log does not grow with every check.
async fn receipts<'a>(
    services: &Services,
    monitor: &Monitor,
    memories: impl Iterator<Item = (&'a Memory, &'a Finding)>,
    now: Timestamp,
) -> Result<Vec<Option<String>>> {
    let occasion = Occasion {
        account: Some(monitor.account),
        as_of: None,
        now,
    };
    let behalf = OnBehalf {
        source: None,
        agent: Some(monitor.agent.clone()),
    };
    let (mut ids, mut drafts) = (Vec::new(), Vec::new());
    for (memory, finding) in memories {
        let verdict = finding.assessment.verdict.as_str();
        if memory.content.verdict.as_deref() == Some(verdict) {
            ids.push(None);
            continue;
        }
        let (id, draft) = issue::on_occasion(occasion, finding, &behalf)?;
        ids.push(Some(id.to_string()));
        drafts.push(draft);
    }
    if !drafts.is_empty() {
        services.receipts.issue(drafts).await?;
    }
    Ok(ids)
}

/// The new assessment of a memory, and the alert that it triggers, if any.
fn checked(
    check: &Check<'_>,
    memory: &Memory,
    finding: &Finding,
    receipt: Option<String>,
) -> Result<CheckedMemory> {
    let verdict = finding.assessment.verdict;
    let is_news = verdict == Verdict::Contradicted && was_believed(memory);
    let alert = is_news
        .then(|| check.contradicted(memory, finding, receipt.as_deref()))
        .transpose()?;
    Ok(CheckedMemory {
        id: memory.content.id.clone(),
        seen_at: memory.updated_at,
        confidence: finding.assessment.confidence,
        verdict: verdict.as_str(),
        stale_at: check.at.plus_ms(FRESH_MS),
        receipt,
        alert,
    })
}

/// Whether the owner should be told that the claim is contradicted: it was verified and not contradicted, or it was
/// believed without verification.
fn was_believed(memory: &Memory) -> bool {
    match memory.content.verdict.as_deref() {
        Some(verdict) => verdict != Verdict::Contradicted.as_str(),
        None => memory
            .content
            .confidence
            .is_none_or(|confidence| confidence >= BELIEVED),
    }
}
