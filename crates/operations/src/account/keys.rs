//! API keys: creating, listing and revoking them.

use model::{Category, KeyId, KeyScope, Timestamp};
use serde::{Deserialize, Serialize};
use store::ApiKey;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, SchemaType, Type};

use crate::access::{digest, fresh_key, visible_prefix};
use crate::account::done::Done;
use crate::attempt::stored_answer;
use crate::checked::{Checked, Faults};
use crate::error::{Error, ErrorCode, Result};
use crate::field;
use crate::{About, Address, Arguments, Context, Effect, Keeping, Operation, Parameters, Posted};

const MOST_ENDPOINTS: usize = 64;

/// The key to create.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewKey {
    /// Name that helps the owner recognize the key.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// Whole path segments after `/api/v1/`, optionally preceded by a method: `ticker`, `GET alerts`. Empty allows all.
    #[serde(default)]
    #[schema(max_items = 64)]
    allowed_endpoints: Option<Vec<String>>,
    /// Slugs of the categories whose briefs the key may see. Empty allows all.
    #[serde(default)]
    #[schema(schema_with = category_list)]
    allowed_categories: Option<Vec<String>>,
}

fn category_list() -> Array {
    let slugs = Category::ALL.into_iter().map(Category::as_str);
    let meaning =
        "Category slugs; the key sees only briefs in these categories. An empty list allows all.";
    ArrayBuilder::new()
        .schema_type(SchemaType::from_iter([Type::Array, Type::Null]))
        .description(Some(meaning))
        .items(field::word(slugs, None))
        .max_items(Some(Category::ALL.len()))
        .build()
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
            faults.category("allowed_categories", Some(slug));
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

/// Path segments, optionally preceded by a method.
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

/// A newly created key.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreatedKey {
    /// `ok`.
    status: &'static str,
    /// The raw key. It is shown only this once, and is absent if a repeated request receives its first response again.
    #[schema(required = false)]
    key: String,
    /// The visible beginning of the key.
    prefix: String,
    /// Name that the owner gave it.
    name: String,
    /// Name of the plan.
    plan: &'static str,
    /// Credits that the plan includes each month; `null` means no limit.
    #[schema(required)]
    monthly_limit: Option<u64>,
    /// Id.
    #[schema(value_type = String, format = "uuid")]
    id: KeyId,
    /// Endpoints that the key may use. Empty means all.
    allowed_endpoints: Vec<String>,
    /// Categories that the key may read. Empty means all.
    #[schema(value_type = Vec<String>)]
    allowed_categories: Vec<Category>,
}

/// The keys of an account.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeyList {
    /// `ok`.
    status: &'static str,
    /// The keys.
    keys: Vec<ListedKey>,
}

/// A key, without its secret.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ListedKey {
    /// Id.
    #[schema(value_type = String, format = "uuid")]
    id: KeyId,
    /// The first characters of the key.
    key_prefix: String,
    /// Name that the owner gave it.
    name: String,
    /// When it was created.
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    /// When it was last used.
    #[schema(required, value_type = Option<String>, format = "date-time")]
    last_used_at: Option<Timestamp>,
    /// Calls today (UTC).
    calls_today: u64,
    /// Calls this month (UTC).
    calls_month: u64,
    /// Endpoints that the key may use. Empty means all.
    allowed_endpoints: Vec<String>,
    /// Categories that the key may read. Empty means all.
    #[schema(value_type = Vec<String>)]
    allowed_categories: Vec<Category>,
}

/// `POST /keys/create`.
pub(crate) struct Create;

impl Operation for Create {
    type Input = Posted<(), NewKey>;
    type Output = CreatedKey;

    const ABOUT: About = About {
        name: "create_api_key",
        address: Address::post("/api/v1/keys/create"),
        subject: "account",
        summary: "Creates an API key.",
        description: "The raw key is returned only here: a repeated request gets the first response without it. An account can have at most 100 keys; beyond that, the response is 409 `too_many_keys`.",
        answer: "The key is created",
        example: r#"{"name": "research desk", "allowed_endpoints": ["ticker"]}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<CreatedKey> {
        let Posted { body, .. } = asked;
        let owner = context.owner()?;
        let raw = fresh_key();
        let key = ApiKey {
            id: KeyId(uuid::Uuid::new_v4()),
            account: owner.account,
            name: body.name.trim().to_owned(),
            prefix: visible_prefix(&raw),
            hash: digest(&raw),
            scope: body.scope(),
            created_at: context.attempt.now,
            last_used_at: None,
            revoked_at: None,
        };
        let created = CreatedKey {
            status: "ok",
            key: raw,
            prefix: key.prefix.clone(),
            name: key.name.clone(),
            plan: owner.plan.as_str(),
            monthly_limit: context.settings.plans.terms(owner.plan).credits,
            id: key.id,
            allowed_endpoints: key.scope.allowed_endpoints.clone(),
            allowed_categories: key.scope.allowed_categories.clone(),
        };
        let stored = stored_answer(&created, &["key"])?;
        let completion = context.attempt.completion(&stored);
        let written = context
            .store
            .keys()
            .insert_with(&key, completion, None)
            .await;
        written.map_err(|error| match error {
            store::Error::Full { .. } => {
                Error::refused(ErrorCode::TooManyKeys, format!("{error}; revoke one first"))
            }
            other => other.into(),
        })?;
        context.access.forget();
        Ok(created)
    }
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
        summary: "Lists the API keys of the account, newest first, never with the raw key.",
        answer: "The keys",
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
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

/// `DELETE /keys/{id}`.
pub(crate) struct Revoke;

/// The key, by its id.
pub(crate) struct ById {
    id: String,
}

impl Parameters for ById {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            id: arguments.path("id", "Id of the key, from the list of keys"),
        }
    }
}

impl Operation for Revoke {
    type Input = ById;
    type Output = Done;

    const ABOUT: About = About {
        name: "revoke_api_key",
        address: Address::delete("/api/v1/keys/{id}"),
        subject: "account",
        summary: "Revokes an API key.",
        answer: "The key is revoked",
        missing: Some("`not_found`: the key does not exist or is not yours"),
        example: r#"{"id": "0195f3a2-c4d8-7b1e-9a6f-2c3d4e5f6071"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, ById { id }: ById) -> Result<Done> {
        let missing = || Error::not_found("this account has no such key");
        let account = context.owner()?.account;
        let id = KeyId(id.parse::<uuid::Uuid>().map_err(|_| missing())?);
        let now = context.clock.now();
        if !context.store.keys().revoke(account, id, now).await? {
            return Err(missing());
        }
        context.access.forget();
        Ok(Done::new("the key is revoked"))
    }
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
