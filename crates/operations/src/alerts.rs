//! `/alerts`: conditions on a ticker that a caller wants to be notified of. Only the owner of an alert sees it.

mod body;
mod context;
pub(crate) mod evaluation;
mod preview;
mod request;

use model::Timestamp;
use notify::signature::SigningSecret;
use providers::callbacks::CallbackFault;
use store::{AlertStatus, AlertTerms, Callback};

pub(crate) use body::{AlertAnswer, AlertsAnswer, TriggeredAnswer};
pub(crate) use request::NewAlertRequest;

use crate::account::done::Done;
use crate::attempt::stored_answer;
use crate::error::{Error, ErrorCode, Result};
use crate::{About, Address, Arguments, Context, Effect, Keeping, Operation, Parameters, Posted};

/// Maximum number of active alerts per account.
const MOST_ALERTS: u64 = 10_000;

fn refused_address(fault: CallbackFault) -> Error {
    Error::invalid(format!("callback_url {fault}"))
}

/// The error if the maximum number is exceeded.
pub(crate) fn too_many(error: store::Error) -> Error {
    match error {
        store::Error::Full { .. } => Error::refused(
            ErrorCode::TooManyEntries,
            format!("{error}; delete some first"),
        ),
        other => other.into(),
    }
}

/// Id of the receiver at an address. It is the same for every alert of the account with that address.
fn receiver_id(terms: &AlertTerms, address: &str) -> String {
    use sha2::{Digest, Sha256};
    let digest = Sha256::new()
        .chain_update(terms.account.0.as_bytes())
        .chain_update(address.as_bytes())
        .finalize();
    format!("cb_{}", hex::encode(&digest[..16]))
}

/// Whether the alert is only tested against the past.
pub(crate) struct CreateParameters {
    preview: bool,
}

impl Parameters for CreateParameters {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            preview: arguments.flag(
                "preview",
                false,
                "Only report what the alert would have done in the last 90 days; nothing is stored",
            ),
        }
    }
}

/// `POST /alerts`.
pub(crate) struct Create;

impl Operation for Create {
    type Input = Posted<CreateParameters, NewAlertRequest>;
    type Output = AlertAnswer;

    const ABOUT: About = About {
        name: "create_alert",
        address: Address::post("/api/v1/alerts"),
        subject: "alerts",
        summary: "Creates an alert on a ticker, or tests it on past data.",
        description: "An alert fires once; if its condition already holds, it fires at the next evaluation. Messages to a callback URL are signed according to Standard Webhooks; the secret of a URL is shown when the account first uses it.",
        answer: "The alert; with `preview`, what it would have done",
        missing: Some("Unknown symbol, with suggestions"),
        example: r#"{"ticker": "AAPL", "alert_type": "price_above", "threshold": 250}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<AlertAnswer> {
        let Posted { parameters, body } = asked;
        let account = context.owner()?.account;
        let kind = body.kind()?;
        let categories = context.caller.categories().to_vec();
        if kind.is_about_sentiment() && !categories.is_empty() {
            return Err(Error::refused(
                ErrorCode::CategoryNotAllowed,
                "sentiment draws on every category; this key is restricted to some",
            ));
        }
        let listing = context.listing(body.ticker()).await?;
        if let Some(address) = body.callback() {
            let checked = context.callbacks.check(address).await;
            checked.map_err(refused_address)?;
        }
        let mut terms = AlertTerms {
            id: format!("alt_{}", uuid::Uuid::new_v4().simple()),
            account,
            ticker: context.instruments.spelling(&listing).await?.to_string(),
            series: listing.instrument.key().to_string(),
            kind,
            threshold: body.threshold(),
            receiver: None,
            categories,
            created_at: context.attempt.now,
        };
        if parameters.preview {
            return preview::preview(&context, &listing, &terms).await;
        }
        let address = body.callback();
        terms.receiver = address.map(|address| receiver_id(&terms, address));
        let secret = SigningSecret::from_random(rand::random());
        let mut answer = AlertAnswer::created(&terms, address);
        let stored = stored_answer(&answer, &[])?;
        let completion = context.attempt.completion(&stored);
        let callback = address.zip(terms.receiver.as_deref());
        let written = secret.expose().into();
        let callback = callback.map(|(url, id)| Callback {
            id,
            url,
            secret: &written,
        });
        let alerts = context.store.alerts();
        let inserted = alerts.insert(&terms, callback, MOST_ALERTS, completion);
        if inserted.await.map_err(too_many)? {
            answer.secret = Some(secret.expose());
        }
        Ok(answer)
    }
}

/// Which alerts to list.
pub(crate) struct ListParameters {
    status: Option<AlertStatus>,
    limit: u64,
}

impl Parameters for ListParameters {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let words = [AlertStatus::Active, AlertStatus::Triggered];
        let words = words.map(|status| (status.as_str(), status));
        Self {
            status: arguments.word(
                "status",
                &words,
                "Only alerts with this status; all by default",
            ),
            limit: arguments.integer(
                "limit",
                1..=10_000,
                10_000,
                "Maximum number of alerts, newest first",
            ),
        }
    }
}

/// `GET /alerts`.
pub(crate) struct List;

impl Operation for List {
    type Input = ListParameters;
    type Output = AlertsAnswer;

    const ABOUT: About = About {
        name: "list_alerts",
        address: Address::get("/api/v1/alerts"),
        subject: "alerts",
        summary: "Lists the alerts of the account, newest first.",
        answer: "The alerts",
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, asked: ListParameters) -> Result<AlertsAnswer> {
        let owner = context.owner()?.account;
        let alerts = context.store.alerts();
        let found = alerts.list(owner, asked.status, asked.limit).await?;
        let total = alerts.count(owner, asked.status).await?;
        Ok(AlertsAnswer::new(&found, total))
    }
}

/// The start time, and how many to list.
pub(crate) struct TriggeredParameters {
    since: Option<Timestamp>,
    limit: u64,
}

impl Parameters for TriggeredParameters {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            since: arguments.parsed(
                "since",
                "Only alerts that fired at or after this time (ISO 8601); the last 24 hours by default",
            ),
            limit: arguments.integer("limit", 1..=50, 20, "Maximum number of alerts, newest first"),
        }
    }
}

/// `GET /alerts/triggered`.
pub(crate) struct Triggered;

impl Operation for Triggered {
    type Input = TriggeredParameters;
    type Output = TriggeredAnswer;

    const ABOUT: About = About {
        name: "list_triggered_alerts",
        address: Address::get("/api/v1/alerts/triggered"),
        subject: "alerts",
        summary: "Lists the alerts that fired, newest first, with what triggered each.",
        description: "They are kept for 90 days, at most 10,000 for each account.",
        answer: "The alerts that fired",
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, asked: TriggeredParameters) -> Result<TriggeredAnswer> {
        let owner = context.owner()?.account;
        let day_ago = context.clock.now().plus_ms(-Timestamp::DAY_MS);
        let since = asked.since.unwrap_or(day_ago);
        let alerts = context.store.alerts();
        let (found, total) = alerts.triggered(owner, since, asked.limit).await?;
        TriggeredAnswer::new(&found, total, &context.caller)
    }
}

/// The alert, by its id.
pub(crate) struct ById {
    id: String,
}

impl Parameters for ById {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            id: arguments.path("id", "Id of the alert"),
        }
    }
}

/// `DELETE /alerts/{id}`.
pub(crate) struct Remove;

impl Operation for Remove {
    type Input = ById;
    type Output = Done;

    const ABOUT: About = About {
        name: "delete_alert",
        address: Address::delete("/api/v1/alerts/{id}"),
        subject: "alerts",
        summary: "Deletes an alert; a message that has not been delivered yet is no longer sent.",
        answer: "The alert is deleted",
        missing: Some("The account has no such alert"),
        example: r#"{"id": "alt_0"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, ById { id }: ById) -> Result<Done> {
        let owner = context.owner()?.account;
        if context.store.alerts().delete(owner, &id).await? {
            Ok(Done::new("the alert is deleted"))
        } else {
            Err(Error::not_found("this account has no such alert"))
        }
    }
}
