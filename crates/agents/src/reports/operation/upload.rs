//! `POST /reports/upload`: publishes a page for a report that was written elsewhere.

use operations::{
    About, Address, Checked, Context, Effect, Error, Faults, Keeping, Operation, Posted, Result,
};
use serde::{Deserialize, Serialize};
use store::{ReportOrigin, ReportRow, ReportScope, ReportStatus, StoredAnswer};
use utoipa::ToSchema;

use super::{MOST_UPLOADED, too_many};
use crate::reports::words::foreign;

/// Maximum size of an uploaded report, in bytes.
const MOST_BYTES: usize = 500 * 1_000;

/// A report to upload.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct UploadedReport {
    /// Symbol of a share, fund or coin.
    #[schema(min_length = 1, max_length = 40, pattern = r"\S", example = "AAPL")]
    ticker: String,
    /// The report in Markdown, at most 500,000 bytes of UTF-8. Raw HTML in it is shown as text.
    #[schema(min_length = 1, max_length = 500_000, pattern = r"\S")]
    markdown: String,
    /// A label; `cli` by default.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 40, pattern = r"\S")]
    tier: Option<String>,
}

impl Checked for UploadedReport {
    fn check(&self, faults: &mut Faults) {
        faults.length("ticker", self.ticker.trim(), 1..=40);
        if self.markdown.trim().is_empty() {
            faults.note("markdown must not be empty");
        }
        if self.markdown.len() > MOST_BYTES {
            faults.note(format!(
                "markdown must have at most {MOST_BYTES} bytes; this has {}",
                self.markdown.len()
            ));
        }
        if let Some(tier) = &self.tier {
            faults.length("tier", tier.trim(), 1..=40);
            if tier.chars().any(char::is_control) {
                faults.note("tier must be a label on one line");
            }
        }
    }
}

/// A report that was uploaded.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReportUploaded {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Id of the report.
    report_id: String,
    /// Address of its page, which anyone may read.
    url: String,
}

/// `POST /reports/upload`.
pub(crate) struct Upload;

impl Operation for Upload {
    type Input = Posted<(), UploadedReport>;
    type Output = ReportUploaded;

    const ABOUT: About = About {
        name: "upload_report",
        address: Address::post("/api/v1/reports/upload"),
        subject: "reports",
        summary: "Creates a public page for a report that was written elsewhere.",
        description: "Uploads are free and public; PATCH makes an upload private. An account can have at most 200.",
        answer: "The address of the report",
        missing: Some("Unknown symbol, with suggestions"),
        example: r##"{"ticker": "AAPL", "markdown": "# My view\n\nIt depends."}"##,
        takes_as_of: false,
        keeping: Keeping::Never,
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<ReportUploaded> {
        let body = asked.body;
        let account = context.owner()?.account;
        let listing = context
            .services
            .instruments
            .resolve(body.ticker.trim())
            .await?
            .map_err(Error::UnknownSymbol)?;
        let id = format!("RPT-{}", uuid::Uuid::new_v4().simple());
        let now = context.attempt.now;
        let row = ReportRow {
            id: id.clone(),
            account: Some(account),
            origin: ReportOrigin::Uploaded,
            ticker: listing.ticker().to_owned(),
            entity_name: foreign(listing.instrument.entity_name(), 200),
            tier: body.tier.unwrap_or_else(|| "cli".to_owned()),
            status: ReportStatus::Complete,
            is_public: true,
            scope: ReportScope::default(),
            credits: 0,
            created_at: now,
            changed_at: now,
            processing_ms: 0,
            markdown: body.markdown,
            document: None,
            receipt: None,
            reason: None,
        };
        let answer = ReportUploaded {
            status: "ok",
            url: context
                .services
                .settings
                .address_of(&format!("/reports/{id}")),
            report_id: id,
        };
        let stored = StoredAnswer::json(serde_json::to_vec(&answer).map_err(Error::internal)?);
        let completion = context.attempt.completion(&stored);
        context
            .services
            .store
            .reports()
            .upload(&row, MOST_UPLOADED, completion)
            .await
            .map_err(too_many)?;
        Ok(answer)
    }
}
