//! `assay user` and `assay key`: the operator's way to accounts.

use std::io::Read;

use anyhow::{Context, bail};
use clap::Subcommand;
use model::{Category, KeyScope, Plan};
use serde::Serialize;
use store::{Account, Store};

use super::Place;
use crate::clock::now;
use crate::credentials::{hash_password, new_account, new_key};
use crate::output::{remark, say, show};

#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Create an account
    Add {
        /// E-mail address, the login name
        #[arg(long)]
        email: String,
        /// Read the password from standard input
        #[arg(long)]
        password_stdin: bool,
        /// free, builder, startup, growth, scale, payg or unlimited
        #[arg(long, default_value = "unlimited")]
        plan: Plan,
        /// Name of the owner
        #[arg(long, default_value = "")]
        name: String,
    },
    /// List the accounts
    List,
    /// Change the password of an account and end its sessions
    Password {
        /// E-mail address of the account
        #[arg(long)]
        email: String,
        /// Read the new password from standard input
        #[arg(long)]
        password_stdin: bool,
    },
    /// Refuse the keys and log-ins of an account and end its sessions
    Disable {
        /// E-mail address of the account
        #[arg(long)]
        email: String,
    },
    /// Accept the keys and log-ins of an account again
    Enable {
        /// E-mail address of the account
        #[arg(long)]
        email: String,
    },
    /// End every session of an account; its keys stay valid
    Logout {
        /// E-mail address of the account
        #[arg(long)]
        email: String,
    },
    /// Change the plan of an account
    Plan {
        /// E-mail address of the account
        #[arg(long)]
        email: String,
        /// The new plan
        #[arg(long)]
        plan: Plan,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Create a key and print it, alone, on standard output
    Create {
        /// E-mail address of the account
        #[arg(long)]
        email: String,
        /// What the key is for
        #[arg(long)]
        name: String,
        /// Restrict to these path segments after /api/v1/, such as `ticker` or `GET alerts`
        #[arg(long = "endpoint")]
        endpoints: Vec<String>,
        /// Restrict to briefs of these categories
        #[arg(long = "category")]
        categories: Vec<Category>,
    },
    /// List the keys of an account
    List {
        /// E-mail address of the account
        #[arg(long)]
        email: String,
    },
    /// Revoke a key by its id or prefix
    Revoke {
        /// E-mail address of the account
        #[arg(long)]
        email: String,
        /// Id or prefix of the key
        key: String,
    },
}

#[derive(Serialize)]
struct UserLine {
    id: String,
    email: String,
    name: String,
    plan: Plan,
    created_at: String,
    disabled_at: Option<String>,
}

#[derive(Serialize)]
struct KeyLine {
    id: String,
    key_prefix: String,
    name: String,
    created_at: String,
    last_used_at: Option<String>,
}

pub(crate) async fn user(place: &Place, command: UserCommand) -> anyhow::Result<()> {
    let store = place.either()?.open_any().await?;
    match command {
        UserCommand::Add {
            email,
            password_stdin,
            plan,
            name,
        } => {
            let password = read_password(password_stdin)?;
            let account = new_account(&email, &password, &name, plan)?;
            match store.accounts().insert(&account).await {
                Err(store::Error::Conflict) => bail!("an account for {email} already exists"),
                other => other?,
            }
            remark(&format!("account {} created on plan {plan}", account.email));
            Ok(())
        }
        UserCommand::List => {
            let lines: Vec<UserLine> = store
                .accounts()
                .list()
                .await?
                .into_iter()
                .map(|account| UserLine {
                    id: account.id.0.to_string(),
                    email: account.email,
                    name: account.name,
                    plan: account.plan,
                    created_at: account.created_at.to_string(),
                    disabled_at: account.standing.disabled_at.map(|at| at.to_string()),
                })
                .collect();
            show(place.json(), &lines, |lines| {
                lines
                    .iter()
                    .map(|line| {
                        let note = if line.disabled_at.is_some() {
                            "\tdisabled"
                        } else {
                            ""
                        };
                        format!("{}\t{}\t{}{note}", line.email, line.plan, line.created_at)
                    })
                    .collect()
            })
        }
        UserCommand::Password {
            email,
            password_stdin,
        } => {
            let account = account_of(&store, &email).await?;
            let hash = hash_password(&read_password(password_stdin)?)?;
            store.accounts().set_password(account.id, &hash).await?;
            remark(&format!(
                "the password of {} was changed and its sessions were ended",
                account.email
            ));
            Ok(())
        }
        UserCommand::Disable { email } => {
            let account = account_of(&store, &email).await?;
            store.accounts().disable(account.id, now()).await?;
            remark(&format!("account {} was disabled", account.email));
            Ok(())
        }
        UserCommand::Enable { email } => {
            let account = account_of(&store, &email).await?;
            store.accounts().enable(account.id).await?;
            remark(&format!("account {} was enabled", account.email));
            Ok(())
        }
        UserCommand::Logout { email } => {
            let account = account_of(&store, &email).await?;
            store.accounts().end_sessions(account.id).await?;
            remark(&format!("the sessions of {} were ended", account.email));
            Ok(())
        }
        UserCommand::Plan { email, plan } => {
            let account = account_of(&store, &email).await?;
            store.accounts().set_plan(account.id, plan).await?;
            remark(&format!("account {} is now on plan {plan}", account.email));
            Ok(())
        }
    }
}

pub(crate) async fn key(place: &Place, command: KeyCommand) -> anyhow::Result<()> {
    let store = place.either()?.open_any().await?;
    match command {
        KeyCommand::Create {
            email,
            name,
            endpoints,
            categories,
        } => {
            let account = account_of(&store, &email).await?;
            let scope = KeyScope {
                allowed_endpoints: endpoints,
                allowed_categories: categories,
            };
            let (raw, key) = new_key(account.id, &name, scope);
            store.keys().insert(&key).await?;
            say(&raw);
            Ok(())
        }
        KeyCommand::List { email } => {
            let account = account_of(&store, &email).await?;
            let lines: Vec<KeyLine> = store
                .keys()
                .list(account.id)
                .await?
                .into_iter()
                .map(|key| KeyLine {
                    id: key.id.0.to_string(),
                    key_prefix: key.prefix,
                    name: key.name,
                    created_at: key.created_at.to_string(),
                    last_used_at: key.last_used_at.map(|at| at.to_string()),
                })
                .collect();
            show(place.json(), &lines, |lines| {
                lines
                    .iter()
                    .map(|line| format!("{}\t{}\t{}", line.id, line.key_prefix, line.name))
                    .collect()
            })
        }
        KeyCommand::Revoke { email, key } => {
            let account = account_of(&store, &email).await?;
            let keys = store.keys().list(account.id).await?;
            let found: Vec<_> = keys
                .iter()
                .filter(|one| one.id.0.to_string() == key || one.prefix == key)
                .collect();
            let [one] = found.as_slice() else {
                bail!(
                    "{} keys of {email} have the id or prefix {key}",
                    found.len()
                );
            };
            store.keys().revoke(account.id, one.id, now()).await?;
            remark(&format!("key {} revoked", one.prefix));
            Ok(())
        }
    }
}

fn read_password(from_standard_input: bool) -> anyhow::Result<String> {
    if !from_standard_input {
        bail!("give the password on standard input and say so with --password-stdin");
    }
    let mut password = String::new();
    // Longer than any password may be, and not what an endless input would fill the memory with.
    std::io::stdin()
        .take(4_096)
        .read_to_string(&mut password)
        .context("password cannot be read")?;
    Ok(password.trim_end_matches(['\r', '\n']).to_owned())
}

async fn account_of(store: &Store, email: &str) -> anyhow::Result<Account> {
    store
        .accounts()
        .find_by_email(email)
        .await?
        .with_context(|| format!("there is no account for {email}"))
}
