//! API keys: to make, to list, to revoke.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use model::{Category, KeyId, KeyScope, Timestamp};
use serde::{Deserialize, Serialize};
use store::ApiKey;
use utoipa::ToSchema;

use crate::access::{digest, fresh_key, visible_prefix};
use crate::caller::Owner;
use crate::error::{Error, ErrorCode, Result};
use crate::extract::{Checked, Faults};
use crate::idempotency::{Answer, Idempotent, Record, Scope};
use crate::meter::Charge;
use crate::operations::{About, Address, Context, Keeping, Operation};
use crate::routes::auth::Done;
use crate::state::AppState;

const MOST_ENDPOINTS: usize = 64;

/// What a new key is to be.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewKey {
    /// Name for its owner.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// Whole path segments after `/api/v1/`, optionally after a method: `ticker`, `GET alerts`. Empty allows all.
    #[serde(default)]
    #[schema(max_items = 64)]
    allowed_endpoints: Option<Vec<String>>,
    /// Category slugs; the key sees only briefs of these. Empty allows all.
    #[serde(default)]
    #[schema(max_items = 15)]
    allowed_categories: Option<Vec<String>>,
}

impl Checked for NewKey {
    fn check(&self, faults: &mut Faults) {
        faults.length("name", self.name.trim(), 1..=100);
        let endpoints = self.allowed_endpoints.as_deref().unwrap_or_default();
        faults.at_most("allowed_endpoints", endpoints, MOST_ENDPOINTS);
        if let Some(wrong) = endpoints.iter().find(|entry| !is_endpoint(entry)) {
            let wrong: String = wrong.chars().take(40).collect();
            faults.note(format!(
                "allowed_endpoints: {wrong:?} is not a path such as \"ticker\" or \"GET alerts\""
            ));
        }
        for slug in self.allowed_categories.as_deref().unwrap_or_default() {
            if let Err(error) = slug.parse::<Category>() {
                let slugs = Category::ALL.map(Category::as_str).join(", ");
                faults.note(format!("allowed_categories: {error}; one of {slugs}"));
                break;
            }
        }
    }
}

impl NewKey {
    fn scope(&self) -> KeyScope {
        let mut scope = KeyScope::default();
        for entry in self.allowed_endpoints.iter().flatten() {
            scope.allowed_endpoints.push(entry.trim().to_owned());
        }
        for category in self
            .allowed_categories
            .iter()
            .flatten()
            .filter_map(|slug| slug.parse().ok())
        {
            if !scope.allowed_categories.contains(&category) {
                scope.allowed_categories.push(category);
            }
        }
        scope
    }
}

/// Segments, optionally after a method.
fn is_endpoint(entry: &str) -> bool {
    const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
    let entry = entry.trim();
    let path = match entry.split_once(char::is_whitespace) {
        Some((method, path))
            if METHODS
                .iter()
                .any(|known| known.eq_ignore_ascii_case(method)) =>
        {
            path.trim()
        }
        Some(_) => return false,
        None => entry,
    };
    let path = path
        .strip_prefix("/api/v1/")
        .unwrap_or(path)
        .trim_matches('/');
    let is_segment = |segment: &str| {
        !segment.is_empty()
            && segment
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '%' | '~'))
    };
    path.len() <= 200 && path.split('/').all(is_segment)
}

/// A key that was made just now.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreatedKey {
    status: &'static str,
    /// The raw key: shown this once, and absent where a repeated request gets its first answer again.
    #[schema(required = false)]
    key: String,
    /// Its visible beginning.
    prefix: String,
    name: String,
    plan: &'static str,
    /// Credits that the plan includes each month; `null` is no limit.
    monthly_limit: Option<u64>,
    #[schema(value_type = String, format = "uuid")]
    id: KeyId,
    allowed_endpoints: Vec<String>,
    #[schema(value_type = Vec<String>)]
    allowed_categories: Vec<Category>,
}

/// The keys of an account.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeyList {
    status: &'static str,
    keys: Vec<ListedKey>,
}

/// A key, without its secret.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ListedKey {
    #[schema(value_type = String, format = "uuid")]
    id: KeyId,
    key_prefix: String,
    name: String,
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    #[schema(value_type = Option<String>, format = "date-time")]
    last_used_at: Option<Timestamp>,
    calls_today: u64,
    calls_month: u64,
    allowed_endpoints: Vec<String>,
    #[schema(value_type = Vec<String>)]
    allowed_categories: Vec<Category>,
}

/// Makes a key. The raw key is in this answer and nowhere else.
#[utoipa::path(post, path = "/api/v1/keys/create", tag = "account", request_body = NewKey,
    params(("Idempotency-Key" = Option<String>, Header, description = "Repeats of the request get the first answer, without the key")),
    responses((status = 200, description = "The key is made", body = CreatedKey),
              (status = 409, description = "`too_many_keys`: the account has 100 keys")))]
pub(crate) async fn create(
    State(state): State<AppState>,
    owner: Owner,
    charge: Charge,
    request: Idempotent<NewKey>,
) -> Result<Response> {
    let account = owner.account;
    request
        .once(
            &state,
            &Scope::of_member(&owner),
            "POST /api/v1/keys/create",
            async |body, attempt| {
                let raw = fresh_key();
                let key = ApiKey {
                    id: KeyId(uuid::Uuid::new_v4()),
                    account,
                    name: body.name.trim().to_owned(),
                    prefix: visible_prefix(&raw),
                    hash: digest(&raw),
                    scope: body.scope(),
                    created_at: attempt.now,
                    last_used_at: None,
                    revoked_at: None,
                };
                let created = CreatedKey {
                    status: "ok",
                    key: raw,
                    prefix: key.prefix.clone(),
                    name: key.name.clone(),
                    plan: owner.plan.as_str(),
                    monthly_limit: state.settings.plans.terms(owner.plan).credits,
                    id: key.id,
                    allowed_endpoints: key.scope.allowed_endpoints.clone(),
                    allowed_categories: key.scope.allowed_categories.clone(),
                };
                let answer = Answer::json(&created, &["key"])?;
                let (store, record) = (state.store.clone(), attempt.record(&answer));
                let write = |entry| async move {
                    let completion = record.as_ref().map(Record::completion);
                    let keys = store.keys();
                    let written = keys.insert_with(&key, completion, Some(entry)).await;
                    written.map_err(|error| match error {
                        store::Error::Full { .. } => Error::refused(
                            ErrorCode::TooManyKeys,
                            format!("{error}; revoke one first"),
                        ),
                        other => other.into(),
                    })
                };
                charge.commit(0, write).await?;
                state.access.forget();
                Ok(answer)
            },
        )
        .await
}

/// `GET /keys`.
pub(crate) struct List;

impl Operation for List {
    type Input = ();
    type Output = KeyList;

    const ABOUT: About = About {
        name: "list_api_keys",
        address: Address::get("/api/v1/keys"),
        subject: "account",
        summary: "Lists the keys of the account, newest first, never with the raw key.",
        description: "",
        answer: "The keys",
        missing: None,
        example: r"{}",
        takes_as_of: false,
        keeping: Keeping::Never,
    };

    async fn run(context: Context, (): ()) -> Result<KeyList> {
        let owner = context.owner()?;
        context.meter.flush().await?;
        let keys = context.store.keys().list(owner.account).await?;
        let usage = context
            .store
            .ledger()
            .key_usage(owner.account, context.clock.now())
            .await?;
        let calls = |id: KeyId| {
            usage
                .iter()
                .find(|(other, _, _)| *other == id)
                .map_or((0, 0), |(_, today, month)| (*today, *month))
        };
        let listed = keys.into_iter().map(|key| {
            let (calls_today, calls_month) = calls(key.id);
            ListedKey {
                id: key.id,
                key_prefix: key.prefix,
                name: key.name,
                created_at: key.created_at,
                last_used_at: key.last_used_at,
                calls_today,
                calls_month,
                allowed_endpoints: key.scope.allowed_endpoints,
                allowed_categories: key.scope.allowed_categories,
            }
        });
        Ok(KeyList {
            status: "ok",
            keys: listed.collect(),
        })
    }
}

/// Revokes a key.
#[utoipa::path(delete, path = "/api/v1/keys/{id}", tag = "account",
    params(("id" = String, Path, description = "Id of the key, from the listing")),
    responses((status = 200, description = "The key is revoked", body = Done),
              (status = 404, description = "`not_found`: no such key, or not yours")))]
pub(crate) async fn revoke(
    State(state): State<AppState>,
    owner: Owner,
    Path(id): Path<String>,
) -> Result<Json<Done>> {
    let missing = || Error::not_found("this account has no such key");
    let id = KeyId(id.parse::<uuid::Uuid>().map_err(|_| missing())?);
    if !state
        .store
        .keys()
        .revoke(owner.account, id, state.clock.now())
        .await?
    {
        return Err(missing());
    }
    state.access.forget();
    Ok(Json(Done::new("the key is revoked")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_are_paths_with_or_without_a_method() {
        for good in [
            "ticker",
            "GET alerts",
            "get  verify/output",
            "/api/v1/feed",
            "ticker/BRK.B",
        ] {
            assert!(is_endpoint(good), "{good}");
        }
        for bad in [
            "",
            " ",
            "FETCH alerts",
            "a b c",
            "ticker//x",
            "/",
            "ticker?x=1",
            "*",
        ] {
            assert!(!is_endpoint(bad), "{bad:?}");
        }
    }
}
