//! `/ticker/{symbol}/actions`: splits, dividends, new names, and the end of a listing.

use analysis::market::DataIssue;
use model::{ActionKind, CorporateAction, Day};
use serde::Serialize;
use store::StoredRecord;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker::{self, SYMBOL};
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Which actions.
pub(crate) struct ActionsQuery {
    symbol: String,
    kind: Option<ActionKind>,
    limit: u64,
}

impl Parameters for ActionsQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let kinds = ActionKind::ALL.map(|kind| (kind.as_str(), kind));
        Self {
            symbol: arguments.path("symbol", SYMBOL),
            kind: arguments.word("type", &kinds, "Only actions of this type"),
            limit: arguments.integer("limit", 1..=500, 100, "Entries in the answer"),
        }
    }
}

/// The corporate actions of a symbol.
#[derive(Serialize, ToSchema)]
pub(crate) struct ActionsBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbol.
    ticker: String,
    /// The actions, the newest ex-date first, also those that are announced.
    actions: Vec<ActionBody>,
    /// Why figures are missing, stale or from another source; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A corporate action.
#[derive(Serialize, ToSchema)]
#[schema(as = CorporateAction)]
pub(crate) struct ActionBody {
    /// Whose: that of the listing, or the one that its company had at the time.
    symbol: String,
    /// `split`, `dividend`, `symbol_change`, `merger` or `delisting`.
    r#type: &'static str,
    /// The first session under it, of a delisting or merger the last session of the symbol; YYYY-MM-DD. Of an inferred
    /// split the first day on which it may have taken effect.
    ex_date: String,
    /// Of an inferred split the last day on which it may have taken effect, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    no_later_than: Option<String>,
    /// New shares for one old share; only of splits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ratio: Option<f64>,
    /// Cash for one share as it was then, in `currency`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    amount: Option<f64>,
    /// ISO 4217 code of `amount`; absent where the source does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    currency: Option<String>,
    /// The symbol after a change, or that of the acquirer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    new_symbol: Option<String>,
    /// When it was announced, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    announced: Option<String>,
    /// Whether no record reports it, but prices of two files show it.
    inferred: bool,
    /// Who reports it.
    source: String,
    /// Since when it was known.
    known_at: String,
    /// When this server recorded it.
    recorded_at: String,
}

impl From<StoredRecord<CorporateAction>> for ActionBody {
    fn from(stored: StoredRecord<CorporateAction>) -> Self {
        let action = stored.record;
        Self {
            symbol: action.symbol.to_string(),
            r#type: action.kind.as_str(),
            ex_date: action.ex_date.to_string(),
            inferred: action.is_inferred(),
            no_later_than: action.no_later_than.map(|day| day.to_string()),
            ratio: action.ratio,
            amount: action.amount,
            currency: action.currency,
            new_symbol: action.new_symbol.map(|symbol| symbol.to_string()),
            announced: action.announced.map(|day| day.to_string()),
            source: action.source,
            known_at: stored.known_at.to_string(),
            recorded_at: stored.recorded_at.to_string(),
        }
    }
}

/// `GET /ticker/{symbol}/actions`.
pub(crate) struct ListActions;

impl Operation for ListActions {
    type Input = ActionsQuery;
    type Output = ActionsBody;

    const ABOUT: About = About {
        name: "list_corporate_actions",
        address: Address::get("/api/v1/ticker/{symbol}/actions"),
        summary: "Lists splits, dividends, symbol changes, mergers and delistings.",
        description: "The actions by which prices and reported figures are adjusted. With `as_of`, those known then.",
        answer: "The actions, newest first",
        ..ticker::OF_SYMBOL
    };

    async fn run(context: Context, asked: ActionsQuery) -> Result<ActionsBody> {
        let when = context.when();
        let listing = context.listing(&asked.symbol).await?;
        let found = context.actions.of(&listing, asked.kind, asked.limit, when);
        let actions: Vec<ActionBody> = found.await?.into_iter().map(ActionBody::from).collect();
        let inferred = listing.inferred_scale("actions", when);
        let reason = if !inferred.is_empty() {
            "no such action of this symbol was known then; that it was split follows from prices alone, and from no report"
                .to_owned()
        } else if listing.disclosing_symbol().is_some() && !listing.is_index() {
            "no corporate action of this symbol is available; import them with `assay import actions`"
                .to_owned()
        } else {
            let reason = listing.only_companies("corporate actions");
            reason.unwrap_or_default()
        };
        let mut issues = DataIssue::absent_if(actions.is_empty(), "actions", &reason);
        if when.as_of.is_none() {
            issues.extend(listing.inferred_splits("actions", Day::MIN));
        }
        Ok(ActionsBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            actions,
            data_status: written(issues),
        })
    }
}
