//! `/ticker/{symbol}/actions`: splits, dividends, symbol changes, and the end of a listing.

use analysis::market::DataIssue;
use model::{ActionKind, CorporateAction, Day};
use serde::Serialize;
use store::StoredRecord;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker::{self, SYMBOL};
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Which actions to list.
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
            limit: arguments.integer("limit", 1..=500, 100, "Maximum number of entries"),
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
    /// The actions, including announced ones, by ex-date, newest first.
    actions: Vec<ActionBody>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A corporate action.
#[derive(Serialize, ToSchema)]
#[schema(as = CorporateAction)]
pub(crate) struct ActionBody {
    /// Symbol of the listing, or the symbol that the company had at the time.
    symbol: String,
    /// `split`, `dividend`, `symbol_change`, `merger` or `delisting`.
    r#type: &'static str,
    /// First session on which the action is in effect, or the last session of the symbol for a delisting or merger;
    /// YYYY-MM-DD. For an inferred split, the first day on which it may have taken effect.
    ex_date: String,
    /// For an inferred split, the last day on which it may have taken effect, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    no_later_than: Option<String>,
    /// New shares for each old share; splits only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ratio: Option<f64>,
    /// Cash per share, not adjusted for later splits, in `currency`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    amount: Option<f64>,
    /// ISO 4217 code of `amount`; absent if the source does not give it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    currency: Option<String>,
    /// Symbol after a change, or the symbol of the acquirer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    new_symbol: Option<String>,
    /// Announcement date, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    announced: Option<String>,
    /// Whether the action is not reported by any record but inferred from the prices of two files.
    inferred: bool,
    /// Source that reports the action.
    source: String,
    /// Time at which the action became known.
    known_at: String,
    /// Time at which this server recorded the action.
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
        description: "Prices and reported figures are adjusted by these actions. With `as_of`, the list has those known at that time.",
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
