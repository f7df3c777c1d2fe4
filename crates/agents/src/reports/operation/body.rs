//! A report as it is returned.

use operations::Context;
use serde::Serialize;
use store::{ReportOrigin, ReportRow, ReportStatus};
use utoipa::ToSchema;

use crate::reports::tier::Tier;
use crate::runs::StepRecord;

/// A report.
#[derive(Serialize, ToSchema)]
#[schema(as = Report)]
pub struct ReportBody {
    /// Id of the report, `RPT-…`.
    id: String,
    /// Symbol.
    ticker: String,
    /// Name of the company, fund or coin.
    entity_name: String,
    /// `quick`, `full`, `deep`, or the label of an upload.
    tier: String,
    /// `queued`, `running`, `complete` or `failed`.
    status: &'static str,
    /// The report in Markdown. Empty until it is complete.
    markdown: String,
    /// Credits charged for the report; 0 if they were refunded.
    credits_charged: u64,
    /// How long it took to write, in milliseconds; 0 until it is complete.
    processing_time_ms: u64,
    /// Whether anyone who knows its id may read it.
    is_public: bool,
    /// Address of its page, or a path if the operator has not configured an address for this server.
    url: String,
    /// Whether it belongs to the free set.
    cached: bool,
    /// When it was ordered or uploaded. For the free set, when it was written.
    created_at: String,
    /// Progress of the writing. Absent for uploads and the free set.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    progress: Option<ReportProgressBody>,
    /// Why it failed. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<String>,
    /// Receipt of the run that wrote it, for `/verify/receipt/{id}`. Absent until it is complete, and for uploads.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    receipt: Option<String>,
    /// Present and true if it is based on the demo world.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    simulated: Option<bool>,
}

/// The progress of a report.
#[derive(Serialize, ToSchema)]
#[schema(as = ReportProgress)]
pub struct ReportProgressBody {
    /// Number of completed steps.
    done: usize,
    /// Total number of steps.
    total: usize,
    /// The steps in order.
    steps: Vec<ReportStepBody>,
}

/// A step of a report.
#[derive(Serialize, ToSchema)]
#[schema(as = ReportStep)]
pub struct ReportStepBody {
    /// Name of the step, such as `fundamental`.
    name: &'static str,
    /// `waiting`, `complete`, or `failed` if the report failed before it.
    status: &'static str,
    /// Result of the step in a sentence. Absent until it is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    summary: Option<String>,
}

impl ReportBody {
    /// A report with its progress.
    pub(super) async fn of(context: &Context, row: ReportRow) -> operations::Result<Self> {
        let progress = match (row.origin, Tier::parse(&row.tier)) {
            (ReportOrigin::Ordered, Some(tier)) => Some(progress(context, &row, tier).await?),
            _ => None,
        };
        let is_simulated = row.origin != ReportOrigin::Uploaded
            && context.services.store.mode() == model::DataMode::Demo;
        Ok(Self {
            url: context
                .services
                .settings
                .address_of(&format!("/reports/{}", row.id)),
            status: row.status.as_str(),
            cached: row.origin == ReportOrigin::Cached,
            created_at: row.created_at.to_string(),
            progress,
            credits_charged: row.credits,
            processing_time_ms: row.processing_ms,
            is_public: row.is_public,
            reason: row.reason,
            receipt: row.receipt,
            simulated: is_simulated.then_some(true),
            id: row.id,
            ticker: row.ticker,
            entity_name: row.entity_name,
            tier: row.tier,
            markdown: row.markdown,
        })
    }
}

async fn progress(
    context: &Context,
    row: &ReportRow,
    tier: Tier,
) -> operations::Result<ReportProgressBody> {
    let names = tier.steps();
    let is_complete = row.status == ReportStatus::Complete;
    let mut known: Vec<StepRecord> = Vec::new();
    for step in context
        .services
        .store
        .runs()
        .steps(&crate::reports::worker::run_of(&row.id))
        .await?
    {
        known.extend(serde_json::from_str::<StepRecord>(&step.body).ok());
    }
    if let Some(listener) = &context.limits.listener {
        for step in &known {
            listener.tell(&step.name, &step.status, &step.summary);
        }
    }
    let steps: Vec<ReportStepBody> = names
        .iter()
        .map(|name| {
            let step = known
                .iter()
                .find(|step| step.name == **name && step.is_complete());
            ReportStepBody {
                name,
                status: match (step, row.status) {
                    (Some(_), _) => "complete",
                    (None, ReportStatus::Failed) => "failed",
                    (None, _) if is_complete => "complete",
                    (None, _) => "waiting",
                },
                summary: step
                    .map(|step| step.summary.clone())
                    .filter(|text| !text.is_empty()),
            }
        })
        .collect();
    Ok(ReportProgressBody {
        done: steps
            .iter()
            .filter(|step| step.status == "complete")
            .count(),
        total: steps.len(),
        steps,
    })
}
