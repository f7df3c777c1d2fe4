//! Accounts and their session tokens. Interfaces with their own credentials need none of this, so these are functions
//! rather than operations.

use model::{AccountId, Plan, Timestamp};
use serde::{Deserialize, Serialize};
use store::{Account, Standing, StoredAnswer};
use utoipa::ToSchema;

use crate::access::account_disabled;
use crate::attempt::{Attempt, stored_answer};
use crate::caller::{Credential, Owner};
use crate::checked::{Checked, Faults};
use crate::client::ClientAddress;
use crate::error::{Error, ErrorCode, Result};
use crate::services::Services;

/// Registration of a new account.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Registration {
    /// E-mail address. Must be unique, regardless of case.
    #[schema(format = "email", max_length = 254)]
    email: String,
    /// Password.
    #[schema(min_length = 8, max_length = 200)]
    password: String,
    /// Display name.
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

/// Whether a text has the form of an e-mail address. Whether anybody receives mail there is not checked.
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
pub struct Login {
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

/// A token and its account.
#[derive(Debug, Serialize, ToSchema)]
pub struct Session {
    /// `ok`.
    status: &'static str,
    /// Send as `Authorization: Bearer <token>`. Absent if a repeated request receives its first response again.
    #[schema(required = false)]
    token: String,
    /// Always `Bearer`.
    token_type: &'static str,
    /// Seven days from now.
    #[schema(value_type = String, format = "date-time")]
    expires_at: Timestamp,
    /// The account.
    user: User,
}

/// An account as its owner sees it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct User {
    /// Id.
    #[schema(value_type = String, format = "uuid")]
    id: AccountId,
    /// E-mail address.
    email: String,
    /// Display name.
    name: String,
    /// Name of the plan.
    plan: &'static str,
}

/// Opens an account on the free plan and logs in. Returns the session together with the response for repeated requests,
/// which is stored with the account.
pub async fn open_account(
    services: &Services,
    asked: Registration,
    attempt: &Attempt,
) -> Result<(Session, StoredAnswer)> {
    let account = Account {
        id: AccountId(uuid::Uuid::new_v4()),
        email: asked.email.trim().to_owned(),
        name: asked.name.unwrap_or_default().trim().to_owned(),
        password_hash: services.passwords.hash(asked.password).await?,
        plan: Plan::Free,
        spending_cap: None,
        created_at: attempt.now,
        standing: Standing::default(),
    };
    let session = session(services, &account)?;
    let stored = stored_answer(&session, &["token"])?;
    let completion = attempt.completion(&stored);
    let written = services
        .store
        .accounts()
        .insert_with(&account, completion)
        .await;
    written.map_err(|error| match error {
        store::Error::Conflict => Error::refused(
            ErrorCode::EmailTaken,
            "an account with this e-mail address exists; log in instead",
        ),
        other => other.into(),
    })?;
    Ok((session, stored))
}

/// Refuses to open accounts if the operator does not want any, or if one client opens too many.
pub fn admit_registration(services: &Services, client: ClientAddress) -> Result<()> {
    if !services.settings.registration {
        return Err(Error::refused(
            ErrorCode::RegistrationClosed,
            "this server does not let accounts register themselves; ask its operator",
        ));
    }
    let limit = services.settings.logins_per_minute;
    let now = services.clock.now();
    services.logins.count_registration(client, limit, now)
}

/// Issues a token for an e-mail address and its password.
pub async fn log_in(services: &Services, client: ClientAddress, asked: Login) -> Result<Session> {
    let attempt = services.logins.begin(
        &asked.email,
        client,
        services.settings.logins_per_minute,
        services.clock.now(),
    )?;
    let accounts = services.store.accounts();
    let account = match accounts.find_by_email(asked.email.trim()).await {
        Ok(account) => account,
        Err(error) => {
            attempt.withdraw();
            return Err(error.into());
        }
    };
    let stored = account
        .as_ref()
        .map(|account| account.password_hash.clone());
    let fits = services
        .passwords
        .verify(asked.password, stored, attempt)
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
    session(services, &account)
}

/// Revokes the token that the owner used for this call.
pub async fn log_out(services: &Services, owner: &Owner) -> Result<()> {
    if let Credential::Token { id, expires } = &owner.credential {
        services.store.tokens().revoke(id, *expires).await?;
        services.access.forget();
    }
    Ok(())
}

fn session(services: &Services, account: &Account) -> Result<Session> {
    let (token, expires_at) = services.access.tokens.issue(
        account.id,
        account.standing.token_epoch,
        services.clock.now(),
    )?;
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
