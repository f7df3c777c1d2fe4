//! Who calls.
//!
//! What takes an [`Owner`] cannot forget that an account is needed; what takes a [`Caller`] answers the demo key as well.

use std::sync::Arc;

use model::{AccountId, Category, KeyId, KeyScope, MicroUsd, Plan, Timestamp};
use store::AccountKey;

use crate::client::ClientAddress;
use crate::error::{Error, ErrorCode};
use crate::settings::{PlanTerms, Settings};

/// The holder of a personal credential.
#[derive(Clone, Debug)]
pub struct Member {
    /// Which account.
    pub account: AccountId,
    /// Its address.
    pub email: String,
    /// Its name.
    pub name: String,
    /// What it pays for.
    pub plan: Plan,
    /// Its own spending cap.
    pub spending_cap: Option<MicroUsd>,
    /// With what it identified itself.
    pub credential: Credential,
}

/// A personal credential.
#[derive(Clone, Debug)]
pub enum Credential {
    /// An API key.
    Key {
        /// Which.
        id: KeyId,
        /// What it may.
        scope: KeyScope,
    },
    /// A token of a log-in.
    Token {
        /// Its serial number.
        id: String,
        /// Its end.
        expires: Timestamp,
    },
}

/// Who calls: a member or, under the demo key, anybody from an address.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The account, where it is known.
    pub member: Option<Arc<Member>>,
    /// From where.
    pub client: ClientAddress,
}

/// Who is charged and limited: an account with all its keys, or a client address under the demo key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Payer {
    /// An account.
    Account(AccountId),
    /// The demo key at an address.
    Client(ClientAddress),
}

impl Payer {
    /// How the ledger names it.
    pub fn ledger_account(self) -> AccountKey {
        match self {
            Self::Account(account) => AccountKey::Account(account),
            Self::Client(client) => AccountKey::Demo(client.to_string()),
        }
    }
}

impl Caller {
    /// Who is charged.
    pub fn payer(&self) -> Payer {
        match &self.member {
            Some(member) => Payer::Account(member.account),
            None => Payer::Client(self.client),
        }
    }

    /// Whose calls a repeat key distinguishes, apart from those of the requests of HTTP. An API key has a scope of its
    /// own, because another key of the same account may not be allowed to see what it was answered.
    pub(crate) fn repeat_scope(&self) -> String {
        match (&self.member, self.key()) {
            (Some(member), Some(key)) => format!("call:{}:key:{}", member.account.0, key.0),
            (Some(member), None) => format!("call:{}", member.account.0),
            (None, _) => format!("call:client:{}", self.client),
        }
    }

    /// The account's plan; the demo key counts as free.
    pub fn plan(&self) -> Plan {
        self.member
            .as_ref()
            .map_or(Plan::Free, |member| member.plan)
    }

    /// Whether this is the demo key.
    pub fn is_demo(&self) -> bool {
        self.member.is_none()
    }

    /// The terms it works under.
    pub fn terms<'a>(&self, settings: &'a Settings) -> &'a PlanTerms {
        match &self.member {
            Some(member) => settings.plans.terms(member.plan),
            None => settings.plans.demo(),
        }
    }

    /// How much this month may cost beyond the plan's price.
    pub fn cap(&self, terms: &PlanTerms) -> MicroUsd {
        self.member
            .as_ref()
            .and_then(|member| member.spending_cap)
            .unwrap_or(terms.default_cap)
    }

    /// The API key, if it is one.
    pub fn key(&self) -> Option<KeyId> {
        match &self.member.as_ref()?.credential {
            Credential::Key { id, .. } => Some(*id),
            Credential::Token { .. } => None,
        }
    }

    /// What the API key is restricted to, if it is one.
    pub fn scope(&self) -> Option<&KeyScope> {
        match &self.member.as_ref()?.credential {
            Credential::Key { scope, .. } => Some(scope),
            Credential::Token { .. } => None,
        }
    }

    /// The only categories it sees; empty means all.
    pub fn categories(&self) -> &[Category] {
        self.scope().map_or(&[], |scope| &scope.allowed_categories)
    }

    /// Whether it sees briefs of that category.
    pub fn sees(&self, category: Category) -> bool {
        let allowed = self.categories();
        allowed.is_empty() || allowed.contains(&category)
    }

    /// Which categories an answer draws on: the asked one, or all that the key sees. Asking for one outside the key's
    /// scope is an error. An empty list means every category.
    pub fn narrow(&self, asked: Option<Category>) -> Result<Vec<Category>, Error> {
        match asked {
            Some(category) if self.sees(category) => Ok(vec![category]),
            Some(category) => Err(Error::refused(
                ErrorCode::CategoryNotAllowed,
                format!("this key is not allowed to read category {category}"),
            )),
            None => Ok(self.categories().to_vec()),
        }
    }
}

/// The account that calls. Refuses the demo key.
#[derive(Clone, Debug)]
pub struct Owner(pub Arc<Member>);

impl std::ops::Deref for Owner {
    type Target = Member;

    fn deref(&self) -> &Member {
        &self.0
    }
}

impl Owner {
    /// The account of a caller, where it has one.
    pub fn of(caller: &Caller) -> Result<Self, Error> {
        caller.member.clone().map(Self).ok_or_else(|| {
            Error::refused(
                ErrorCode::DemoKeyRefused,
                "the demo key has no account; use a personal API key",
            )
        })
    }
}
