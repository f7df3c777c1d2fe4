//! `GET /reports/{id}` and the free set.

use operations::{
    About, Address, Arguments, Caller, Context, Error, ErrorCode, Keeping, Operation, Parameters,
    Result,
};
use serde::Serialize;
use store::ReportRow;
use utoipa::ToSchema;

use super::body::ReportBody;
use super::{ById, unknown};
use crate::reports::cached;

/// A report.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReportAnswer {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The report.
    report: ReportBody,
}

/// Whether a caller may read a report. Anyone may if it is public; otherwise only its owner, with a key that may call
/// this operation and see every category that the report draws on.
pub fn readable(row: &ReportRow, caller: &Caller) -> Result<bool> {
    if row.is_public {
        return Ok(true);
    }
    let Some(member) = caller
        .member
        .as_ref()
        .filter(|member| Some(member.account) == row.account)
    else {
        return Ok(false);
    };
    let _ = member;
    let Some(scope) = caller.scope() else {
        return Ok(true);
    };
    let path = format!("/api/v1/reports/{}", row.id);
    if !scope.allows("GET", &path) {
        return Err(Error::refused(
            ErrorCode::EndpointNotAllowed,
            format!("this key is not allowed to call GET {path}"),
        ));
    }
    let written_for = &row.scope.scope.allowed_categories;
    let sees = &scope.allowed_categories;
    if sees.is_empty()
        || !written_for.is_empty() && written_for.iter().all(|one| sees.contains(one))
    {
        return Ok(true);
    }
    Err(Error::refused(
        ErrorCode::CategoryNotAllowed,
        "this report draws on categories that this key is not allowed to read",
    ))
}

/// `GET /reports/{id}`.
pub(crate) struct Show;

impl Operation for Show {
    type Input = ById;
    type Output = ReportAnswer;

    const ABOUT: About = About {
        name: "show_report",
        address: Address::get("/api/v1/reports/{id}"),
        subject: "reports",
        summary: "Shows a report, or its progress while it is being written.",
        description: "Public reports need no credential; a private report can only be read by its owner. Poll until `status` is `complete` or `failed`.",
        answer: "The report",
        missing: Some("There is no such report, or it is not yours"),
        example: r#"{"id": "RPT-00000000000000000000000000000000"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
    };

    async fn run(context: Context, asked: ById) -> Result<ReportAnswer> {
        let row = context
            .services
            .store
            .reports()
            .find(asked.id.trim())
            .await?;
        let row = row.ok_or_else(unknown)?;
        if !readable(&row, &context.caller)? {
            return Err(unknown());
        }
        Ok(ReportAnswer {
            status: "ok",
            report: ReportBody::of(&context, row).await?,
        })
    }
}

/// A symbol in the free set.
pub(crate) struct ByTicker {
    ticker: String,
}

impl Parameters for ByTicker {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            ticker: arguments.path("ticker", "Symbol from the free set"),
        }
    }
}

/// `GET /reports/cached/{ticker}`.
pub(crate) struct ShowCached;

impl Operation for ShowCached {
    type Input = ByTicker;
    type Output = ReportAnswer;

    const ABOUT: About = About {
        name: "show_cached_report",
        address: Address::get("/api/v1/reports/cached/{ticker}"),
        subject: "reports",
        summary: "Shows the free quick report on one of twenty popular symbols.",
        description: "The report is rewritten every four hours. The operator may choose other symbols.",
        answer: "The report",
        missing: Some("The symbol is not in the free set, which the message lists"),
        example: r#"{"ticker": "AAPL"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
    };

    async fn run(context: Context, asked: ByTicker) -> Result<ReportAnswer> {
        if !context.caller.categories().is_empty() {
            return Err(Error::refused(
                ErrorCode::CategoryNotAllowed,
                "cached reports draw on every category; this key is restricted to some",
            ));
        }
        let row = cached::find_or_write(&context.services, &asked.ticker).await?;
        Ok(ReportAnswer {
            status: "ok",
            report: ReportBody::of(&context, row).await?,
        })
    }
}
