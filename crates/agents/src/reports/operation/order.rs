//! `POST /reports/generate`: orders a report, which a worker then writes.

use operations::{
    About, Address, Checked, Context, Effect, Error, Faults, Keeping, Operation, Posted, Result,
    optional_word,
};
use serde::{Deserialize, Serialize};
use store::{ReportOrigin, ReportRow, ReportScope, ReportStatus, StoredAnswer};
use utoipa::ToSchema;
use utoipa::openapi::Object;

use super::{MOST_OPEN, MOST_ORDERED, too_many};
use crate::reports::tier::Tier;

/// A report to be written.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct NewReport {
    /// Symbol of a share, fund or coin.
    #[schema(min_length = 1, max_length = 40, pattern = r"\S", example = "AAPL")]
    ticker: String,
    /// How detailed the report is.
    #[serde(default)]
    #[schema(schema_with = tiers)]
    tier: Option<String>,
}

fn tiers() -> Object {
    let meaning = "Level of detail: `quick` for an executive summary (10 credits), `full` for five analysts (250), or `deep` with debate, scenarios and a bias audit (1000).";
    let words = Tier::ALL.map(Tier::as_str);
    optional_word(meaning, words.into_iter(), Some(Tier::Quick.as_str()))
}

impl Checked for NewReport {
    fn check(&self, faults: &mut Faults) {
        faults.length("ticker", self.ticker.trim(), 1..=40);
        if self.tier().is_none() {
            faults.note("tier must be one of quick, full, deep");
        }
    }
}

impl NewReport {
    fn tier(&self) -> Option<Tier> {
        self.tier.as_deref().map_or(Some(Tier::Quick), Tier::parse)
    }
}

/// A report that was ordered.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReportOrdered {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Id of the report.
    report_id: String,
    /// `quick`, `full` or `deep`.
    tier: &'static str,
    /// Credits charged. They are refunded if the report fails.
    credits_charged: u64,
    /// How many seconds it takes if nothing else is waiting.
    estimated_time_seconds: u64,
    /// Path of the report. Poll it until its status is `complete` or `failed`.
    poll_url: String,
}

/// `POST /reports/generate`.
pub(crate) struct Generate;

impl Operation for Generate {
    type Input = Posted<(), NewReport>;
    type Output = ReportOrdered;

    const ABOUT: About = About {
        name: "generate_report",
        address: Address::post("/api/v1/reports/generate"),
        subject: "reports",
        summary: "Orders a report on a ticker, which can be read when it is complete.",
        description: "The report reads data on behalf of the key that orders it, within the scope of that key. If its worker stops midway, another one continues it; the report is charged once, and refunded if it fails. Reports are private until they are published with PATCH.",
        answer: "The address where the report will be available",
        missing: Some("Unknown symbol, with suggestions"),
        example: r#"{"ticker": "AAPL", "tier": "quick"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<ReportOrdered> {
        let account = context.owner()?.account;
        let body = asked.body;
        let tier = body
            .tier()
            .ok_or_else(|| Error::invalid("tier must be one of quick, full, deep"))?;
        let listing = context
            .services
            .instruments
            .resolve(body.ticker.trim())
            .await?
            .map_err(Error::UnknownSymbol)?;
        context
            .charge
            .raise(&context.services, &context.caller, tier.credits())?;
        let id = format!("RPT-{}", uuid::Uuid::new_v4().simple());
        let now = context.attempt.now;
        let row = ReportRow {
            id: id.clone(),
            account: Some(account),
            origin: ReportOrigin::Ordered,
            ticker: listing.ticker().to_owned(),
            entity_name: listing.instrument.entity_name().to_owned(),
            tier: tier.as_str().to_owned(),
            status: ReportStatus::Queued,
            is_public: false,
            scope: ReportScope {
                key: context.caller.key(),
                scope: context.caller.scope().cloned().unwrap_or_default(),
            },
            credits: tier.credits(),
            created_at: now,
            changed_at: now,
            processing_ms: 0,
            markdown: String::new(),
            document: None,
            receipt: None,
            reason: None,
        };
        let answer = ReportOrdered {
            status: "ok",
            poll_url: format!("/api/v1/reports/{id}"),
            report_id: id,
            tier: tier.as_str(),
            credits_charged: tier.credits(),
            estimated_time_seconds: tier.seconds(),
        };
        let stored = StoredAnswer::json(serde_json::to_vec(&answer).map_err(Error::internal)?);
        let (store, attempt) = (context.services.store.clone(), context.attempt.clone());
        let bounds = (MOST_OPEN, MOST_ORDERED);
        if context.charge.is_open() {
            let write = |charge| async move {
                let completion = attempt.completion(&stored);
                store
                    .reports()
                    .order(&row, Some(charge), bounds, completion)
                    .await
                    .map_err(too_many)
            };
            context.charge.commit(tier.credits(), write).await?;
        } else {
            // On behalf of another operation, which pays.
            let completion = attempt.completion(&stored);
            store
                .reports()
                .order(&row, None, bounds, completion)
                .await
                .map_err(too_many)?;
        }
        Ok(answer)
    }
}
