//! Accounts: the customers who pay.

use model::{AccountId, MicroUsd, Plan, Timestamp};

use uuid::Uuid;

use crate::database::{Database, Durability, Row, Tx, Value, values};
use crate::{Completion, Error, Result, idempotency};

/// The columns that [`account`] reads, from a table called `a`.
macro_rules! account_columns {
    () => {
        "a.id, a.email, a.name, a.password_hash, a.plan, a.spending_cap, a.created_at, a.token_epoch, a.disabled_at"
    };
}
pub(crate) use account_columns;

/// Somebody who has registered. Contains a secret, hence no serde.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Identity.
    pub id: AccountId,
    /// E-mail address; unique, ignoring case.
    pub email: String,
    /// Name as given.
    pub name: String,
    /// Argon2id hash in PHC form.
    pub password_hash: String,
    /// What it pays for.
    pub plan: Plan,
    /// Its own overage cap; `None` means the plan's default.
    pub spending_cap: Option<MicroUsd>,
    /// When it registered.
    pub created_at: Timestamp,
    /// Whether it may be used, and with which tokens.
    pub standing: Standing,
}

/// Whether an account may be used, and with which tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Tokens of an earlier epoch are refused.
    pub token_epoch: i64,
    /// When it was disabled.
    pub disabled_at: Option<Timestamp>,
}

impl Standing {
    /// Whether both its keys and its tokens are rejected.
    pub const fn is_disabled(&self) -> bool {
        self.disabled_at.is_some()
    }
}

/// The accounts.
#[derive(Clone, Copy, Debug)]
pub struct Accounts<'a> {
    pub(crate) database: &'a Database,
}

impl Accounts<'_> {
    /// Adds an account; [`Error::Conflict`](crate::Error::Conflict) if the e-mail address is taken.
    pub async fn insert(&self, account: &Account) -> Result<()> {
        self.insert_with(account, None).await
    }

    /// Adds an account and completes its idempotency record in one transaction.
    pub async fn insert_with(
        &self,
        account: &Account,
        completion: Option<Completion<'_>>,
    ) -> Result<()> {
        let mut tx = self.database.begin(Durability::Power).await?;
        tx.execute(
            "INSERT INTO account (id, email, email_key, name, password_hash, plan, spending_cap, created_at, \
             token_epoch, disabled_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            values![
                account.id.0,
                &account.email,
                email_key(&account.email),
                &account.name,
                &account.password_hash,
                account.plan.as_str(),
                account.spending_cap.map(|cap| cap.0),
                account.created_at,
                account.standing.token_epoch,
                account.standing.disabled_at,
            ],
        )
        .await?;
        if let Some(completion) = completion {
            idempotency::complete(&mut tx, completion).await?;
        }
        note_change(&mut tx).await?;
        tx.commit().await
    }

    /// The account with that ID.
    pub async fn find(&self, id: AccountId) -> Result<Option<Account>> {
        let sql = concat!(
            "SELECT ",
            account_columns!(),
            " FROM account a WHERE a.id = $1"
        );
        self.database
            .row(sql, values![id.0])
            .await?
            .map(|row| account(&row, 0))
            .transpose()
    }

    /// The account with that e-mail address, ignoring case.
    pub async fn find_by_email(&self, email: &str) -> Result<Option<Account>> {
        let sql = concat!(
            "SELECT ",
            account_columns!(),
            " FROM account a WHERE a.email_key = $1"
        );
        self.database
            .row(sql, values![email_key(email)])
            .await?
            .map(|row| account(&row, 0))
            .transpose()
    }

    /// Every account, oldest first.
    pub async fn list(&self) -> Result<Vec<Account>> {
        let sql = concat!(
            "SELECT ",
            account_columns!(),
            " FROM account a ORDER BY a.created_at, a.id"
        );
        self.database
            .rows(sql, Vec::new())
            .await?
            .iter()
            .map(|row| account(row, 0))
            .collect()
    }

    /// Changes the plan; `false` if there is no such account.
    pub async fn set_plan(&self, id: AccountId, plan: Plan) -> Result<bool> {
        let values = values![plan.as_str(), id.0];
        self.change("UPDATE account SET plan = $1 WHERE id = $2", values)
            .await
    }

    /// Changes the spending cap; `false` if there is no such account.
    pub async fn set_spending_cap(&self, id: AccountId, cap: Option<MicroUsd>) -> Result<bool> {
        let values = values![cap.map(|cap| cap.0), id.0];
        self.change("UPDATE account SET spending_cap = $1 WHERE id = $2", values)
            .await
    }

    /// Changes the password and ends every session; `false` if there is no such account.
    pub async fn set_password(&self, id: AccountId, password_hash: &str) -> Result<bool> {
        let sql =
            "UPDATE account SET password_hash = $1, token_epoch = token_epoch + 1 WHERE id = $2";
        self.change(sql, values![password_hash, id.0]).await
    }

    /// Ends every session: tokens issued so far are refused. `false` if there is no such account.
    pub async fn end_sessions(&self, id: AccountId) -> Result<bool> {
        let sql = "UPDATE account SET token_epoch = token_epoch + 1 WHERE id = $1";
        self.change(sql, values![id.0]).await
    }

    /// Refuses the account's keys and ends every session; `false` if there is no such account.
    pub async fn disable(&self, id: AccountId, at: Timestamp) -> Result<bool> {
        let sql = "UPDATE account SET disabled_at = COALESCE(disabled_at, $1), token_epoch = token_epoch + 1 WHERE id = $2";
        self.change(sql, values![at, id.0]).await
    }

    /// Accepts the account's keys again; sessions stay ended. `false` if there is no such account.
    pub async fn enable(&self, id: AccountId) -> Result<bool> {
        let sql = "UPDATE account SET disabled_at = NULL WHERE id = $1";
        self.change(sql, values![id.0]).await
    }

    async fn change(&self, sql: &'static str, values: Vec<Value>) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Power).await?;
        let found = tx.execute(sql, values).await? > 0;
        if found {
            note_change(&mut tx).await?;
        }
        tx.commit().await?;
        Ok(found)
    }
}

/// Reads an account from the columns starting at `first`.
pub(crate) fn account(row: &Row, first: usize) -> Result<Account> {
    let id: Uuid = row.id(first, "account")?;
    let plan = row.text(first + 4)?;
    Ok(Account {
        id: AccountId(id),
        email: row.text(first + 1)?,
        name: row.text(first + 2)?,
        password_hash: row.text(first + 3)?,
        plan: plan
            .parse()
            .map_err(|_| Error::corrupt("account", id.to_string()))?,
        spending_cap: row.int_option(first + 5)?.map(MicroUsd),
        created_at: row.time(first + 6)?,
        standing: Standing {
            token_epoch: row.int(first + 7)?,
            disabled_at: row.time_option(first + 8)?,
        },
    })
}

/// Tells every process that polls [`Store::access_version`](crate::Store::access_version) that something has changed.
pub(crate) async fn note_change(tx: &mut Tx) -> Result<()> {
    let sql = "INSERT INTO counter (name, value) VALUES ('access', 1) \
               ON CONFLICT (name) DO UPDATE SET value = counter.value + 1";
    tx.execute(sql, Vec::new()).await.map(drop)
}

fn email_key(email: &str) -> String {
    email.trim().to_lowercase()
}
