//! The account's own reports: listing, publishing and deleting them.

use operations::{
    About, Address, Arguments, Checked, Context, Done, Effect, Error, ErrorCode, Faults, Keeping,
    Operation, Parameters, Posted, Result,
};
use serde::{Deserialize, Serialize};
use store::{ReportStatus, ReportSummary};
use utoipa::ToSchema;

use super::{ById, unknown};

/// How many reports to list.
pub(crate) struct ListParameters {
    limit: u64,
}

impl Parameters for ListParameters {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            limit: arguments.integer(
                "limit",
                1..=50,
                20,
                "Maximum number of reports, newest first",
            ),
        }
    }
}

/// The reports of an account.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReportsAnswer {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The reports, newest first.
    reports: Vec<ReportLine>,
    /// Number of reports that the account has.
    total: u64,
}

/// A report without its text.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReportLine {
    /// Id.
    id: String,
    /// Symbol.
    ticker: String,
    /// `quick`, `full`, `deep`, or the label of an upload.
    tier: String,
    /// `queued`, `running`, `complete` or `failed`.
    status: &'static str,
    /// Credits charged for the report; 0 if they were refunded.
    credits_charged: u64,
    /// How long it took to write, in milliseconds; 0 until it is complete.
    processing_time_ms: u64,
    /// When it was ordered or uploaded.
    created_at: String,
}

impl From<ReportSummary> for ReportLine {
    fn from(report: ReportSummary) -> Self {
        Self {
            status: report.status.as_str(),
            credits_charged: report.credits,
            processing_time_ms: report.processing_ms,
            created_at: report.created_at.to_string(),
            id: report.id,
            ticker: report.ticker,
            tier: report.tier,
        }
    }
}

/// `GET /reports`.
pub(crate) struct List;

impl Operation for List {
    type Input = ListParameters;
    type Output = ReportsAnswer;

    const ABOUT: About = About {
        name: "list_reports",
        address: Address::get("/api/v1/reports"),
        subject: "reports",
        summary: "Lists the reports of the account, newest first.",
        answer: "The reports",
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, asked: ListParameters) -> Result<ReportsAnswer> {
        let owner = context.owner()?.account;
        let (found, total) = context
            .services
            .store
            .reports()
            .list(owner, asked.limit)
            .await?;
        Ok(ReportsAnswer {
            status: "ok",
            reports: found.into_iter().map(ReportLine::from).collect(),
            total,
        })
    }
}

/// Who may read a report from now on.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub(crate) struct Publication {
    /// Whether anyone who knows its id may read it.
    is_public: bool,
}

impl Checked for Publication {
    fn check(&self, _: &mut Faults) {}
}

/// `PATCH /reports/{id}`.
pub(crate) struct Publish;

impl Operation for Publish {
    type Input = Posted<ById, Publication>;
    type Output = Done;

    const ABOUT: About = About {
        name: "publish_report",
        address: Address::patch("/api/v1/reports/{id}"),
        subject: "reports",
        summary: "Makes a report public or private.",
        answer: "The report is now public or private",
        missing: Some("The account has no such report"),
        example: r#"{"id": "RPT-00000000000000000000000000000000", "is_public": true}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<Done> {
        let Posted {
            parameters: ById { id },
            body,
        } = asked;
        let owner = context.owner()?.account;
        let reports = context.services.store.reports();
        if !reports
            .publish(owner, id.trim(), body.is_public, context.attempt.now)
            .await?
        {
            return Err(unknown());
        }
        Ok(Done::new(if body.is_public {
            "the report is public"
        } else {
            "the report is private"
        }))
    }
}

/// `DELETE /reports/{id}`.
pub(crate) struct Delete;

impl Operation for Delete {
    type Input = ById;
    type Output = Done;

    const ABOUT: About = About {
        name: "delete_report",
        address: Address::delete("/api/v1/reports/{id}"),
        subject: "reports",
        summary: "Deletes a report of the account together with its page.",
        description: "A report that is being written cannot be deleted; its receipt stays in the log.",
        answer: "The report is deleted",
        missing: Some("The account has no such report"),
        example: r#"{"id": "RPT-00000000000000000000000000000000"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, ById { id }: ById) -> Result<Done> {
        let owner = context.owner()?.account;
        let reports = context.services.store.reports();
        if reports.delete(owner, id.trim()).await? {
            return Ok(Done::new("the report is deleted"));
        }
        let row = reports
            .find(id.trim())
            .await?
            .filter(|row| row.account == Some(owner));
        match row.map(|row| row.status) {
            Some(ReportStatus::Queued | ReportStatus::Running) => Err(Error::refused(
                ErrorCode::InvalidRequest,
                "this report is being written; delete it when it is complete",
            )),
            _ => Err(unknown()),
        }
    }
}
