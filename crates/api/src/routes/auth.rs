//! Accounts: to register, to log in, to log out.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use model::{AccountId, Plan, Timestamp};
use serde::{Deserialize, Serialize};
use store::{Account, Standing};
use utoipa::ToSchema;

use crate::access::account_disabled;
use crate::caller::{Client, Credential, Owner};
use crate::error::{Error, ErrorCode, Result};
use crate::extract::{Checked, Faults, ValidJson};
use crate::idempotency::{Answer, Idempotent, Scope};
use crate::state::AppState;

/// Who wants an account.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Registration {
    /// E-mail address; unique without regard to case.
    #[schema(format = "email", max_length = 254)]
    email: String,
    /// Password.
    #[schema(min_length = 8, max_length = 200)]
    password: String,
    /// Name for display.
    #[serde(default)]
    #[schema(max_length = 100)]
    name: Option<String>,
}

impl Checked for Registration {
    fn check(&self, faults: &mut Faults) {
        if !is_address(self.email.trim()) {
            faults.note("email must be an e-mail address such as name@example.org");
        }
        faults.length("password", &self.password, 8..=200);
        faults.length("name", self.name.as_deref().unwrap_or_default(), 0..=100);
    }
}

/// Whether a text has the shape of an e-mail address; whether anybody reads it is not asked.
pub fn is_address(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    text.len() <= 254
        && (1..=64).contains(&local.len())
        && !local.contains(|c: char| {
            c.is_whitespace() || c.is_control() || matches!(c, '@' | '<' | '>' | ',' | ';')
        })
        && domain.contains('.')
        && domain.split('.').all(is_label)
}

/// An e-mail address and its password.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Login {
    /// E-mail address.
    #[schema(min_length = 1, max_length = 254)]
    email: String,
    /// Password.
    #[schema(min_length = 1, max_length = 200)]
    password: String,
}

impl Checked for Login {
    fn check(&self, faults: &mut Faults) {
        faults.length("email", &self.email, 1..=254);
        faults.length("password", &self.password, 1..=200);
    }
}

/// A token and whose it is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Session {
    status: &'static str,
    /// Send as `Authorization: Bearer <token>`. Absent where a repeated request gets its first answer again.
    #[schema(required = false)]
    token: String,
    /// Always `Bearer`.
    token_type: &'static str,
    /// Seven days from now.
    #[schema(value_type = String, format = "date-time")]
    expires_at: Timestamp,
    user: User,
}

/// An account, as its owner sees it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct User {
    #[schema(value_type = String, format = "uuid")]
    id: AccountId,
    email: String,
    name: String,
    plan: &'static str,
}

/// Done.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Done {
    status: &'static str,
    /// What was done.
    message: &'static str,
}

impl Done {
    pub(crate) fn new(message: &'static str) -> Self {
        Self {
            status: "ok",
            message,
        }
    }
}

/// Opens an account on the free plan and logs in.
#[utoipa::path(post, path = "/auth/register", tag = "account", request_body = Registration,
    params(("Idempotency-Key" = Option<String>, Header, description = "Repeats of the request get the first answer, without the token")),
    responses((status = 200, description = "The account is open", body = Session),
              (status = 403, description = "`registration_closed`: this server does not let accounts register themselves"),
              (status = 409, description = "`email_taken`: there is an account with this address")))]
pub(crate) async fn register(
    State(state): State<AppState>,
    Client(client): Client,
    request: Idempotent<Registration>,
) -> Result<Response> {
    if !state.settings.registration {
        return Err(Error::refused(
            ErrorCode::RegistrationClosed,
            "this server does not let accounts register themselves; ask its operator",
        ));
    }
    state
        .logins
        .count_registration(client, state.settings.logins_per_minute, state.clock.now())?;
    request
        .once(
            &state,
            &Scope::of_client(client),
            "POST /auth/register",
            async |body, attempt| {
                let account = Account {
                    id: AccountId(uuid::Uuid::new_v4()),
                    email: body.email.trim().to_owned(),
                    name: body.name.unwrap_or_default().trim().to_owned(),
                    password_hash: state.passwords.hash(body.password).await?,
                    plan: Plan::Free,
                    spending_cap: None,
                    created_at: attempt.now,
                    standing: Standing::default(),
                };
                let answer = Answer::json(&session(&state, &account)?, &["token"])?;
                match state
                    .store
                    .accounts()
                    .insert_with(&account, attempt.completion(answer.stored()))
                    .await
                {
                    Ok(()) => Ok(answer),
                    Err(store::Error::Conflict) => Err(Error::refused(
                        ErrorCode::EmailTaken,
                        "an account with this e-mail address exists; log in instead",
                    )),
                    Err(error) => Err(error.into()),
                }
            },
        )
        .await
}

/// Gives a token for an e-mail address and its password.
#[utoipa::path(post, path = "/auth/login", tag = "account", request_body = Login,
    responses((status = 200, description = "Logged in", body = Session),
              (status = 401, description = "`wrong_password`: no account has this address and password"),
              (status = 403, description = "`account_disabled`: the operator has disabled the account")))]
pub(crate) async fn login(
    State(state): State<AppState>,
    Client(client): Client,
    ValidJson(body): ValidJson<Login>,
) -> Result<Json<Session>> {
    let attempt = state.logins.begin(
        &body.email,
        client,
        state.settings.logins_per_minute,
        state.clock.now(),
    )?;
    let accounts = state.store.accounts();
    let account = match accounts.find_by_email(body.email.trim()).await {
        Ok(account) => account,
        Err(error) => {
            attempt.withdraw();
            return Err(error.into());
        }
    };
    let stored = account
        .as_ref()
        .map(|account| account.password_hash.clone());
    let fits = state
        .passwords
        .verify(body.password, stored, attempt)
        .await?;
    let Some(account) = account.filter(|_| fits) else {
        return Err(Error::refused(
            ErrorCode::WrongPassword,
            "no account has this e-mail address and password",
        ));
    };
    if account.standing.is_disabled() {
        return Err(account_disabled());
    }
    Ok(Json(session(&state, &account)?))
}

/// Revokes the token of this request.
#[utoipa::path(post, path = "/auth/logout", tag = "account",
    responses((status = 200, description = "The token is revoked", body = Done)))]
pub(crate) async fn logout(State(state): State<AppState>, owner: Owner) -> Result<Json<Done>> {
    if let Credential::Token { id, expires } = &owner.credential {
        state.store.tokens().revoke(id, *expires).await?;
        state.access.forget();
    }
    Ok(Json(Done::new("the token is revoked")))
}

fn session(state: &AppState, account: &Account) -> Result<Session> {
    let (token, expires_at) =
        state
            .access
            .tokens
            .issue(account.id, account.standing.token_epoch, state.clock.now())?;
    let user = User {
        id: account.id,
        email: account.email.clone(),
        name: account.name.clone(),
        plan: account.plan.as_str(),
    };
    Ok(Session {
        status: "ok",
        token,
        token_type: "Bearer",
        expires_at,
        user,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_shape() {
        for good in [
            "a@example.org",
            "first.last+tag@sub.example.co",
            "ü@exämple.org",
        ] {
            assert!(is_address(good), "{good}");
        }
        for bad in [
            "",
            "a",
            "a@",
            "@b.c",
            "a@b",
            "a b@c.d",
            "a@b..c",
            "a@.c",
            "a@@b.c",
            "a@b.c,d@e.f",
            "a@b.c\n",
        ] {
            assert!(!is_address(bad), "{bad:?}");
        }
    }
}
