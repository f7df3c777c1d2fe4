//! Accounts and keys that the operator creates.

use anyhow::ensure;
use model::{AccountId, KeyId, KeyScope, Plan};
use store::{Account, ApiKey};
use uuid::Uuid;

use crate::clock::now;

/// A new account, not yet stored.
pub(crate) fn new_account(
    email: &str,
    password: &str,
    name: &str,
    plan: Plan,
) -> anyhow::Result<Account> {
    let email = email.trim();
    ensure!(
        operations::is_email_address(email),
        "{email:?} is not an e-mail address"
    );
    ensure!(
        name.chars().count() <= 100,
        "a name has at most 100 characters"
    );
    Ok(Account {
        id: AccountId(Uuid::new_v4()),
        email: email.to_owned(),
        name: name.trim().to_owned(),
        password_hash: hash_password(password)?,
        plan,
        spending_cap: None,
        created_at: now(),
        standing: store::Standing::default(),
    })
}

/// The hash of a password, provided that it is long enough.
pub(crate) fn hash_password(password: &str) -> anyhow::Result<String> {
    ensure!(
        (8..=200).contains(&password.chars().count()),
        "a password has from 8 to 200 characters"
    );
    Ok(operations::hash_password(password.as_bytes())?)
}

/// A new key, not yet stored, and the raw key, which exists nowhere else.
pub(crate) fn new_key(account: AccountId, name: &str, scope: KeyScope) -> (String, ApiKey) {
    let raw = operations::fresh_key();
    let key = ApiKey {
        id: KeyId(Uuid::new_v4()),
        account,
        name: name.trim().to_owned(),
        prefix: operations::visible_prefix(&raw),
        hash: operations::digest(&raw),
        scope,
        created_at: now(),
        last_used_at: None,
        revoked_at: None,
    };
    (raw, key)
}
