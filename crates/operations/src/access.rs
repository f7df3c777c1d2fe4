//! From a credential to an account.
//!
//! What the store says is remembered under the SHA-256 of the credential, so that a request of a known caller touches
//! no database. A change of any account, key or revocation, in any process, raises the store's access version; it is
//! polled twice a second, and whatever was remembered under an older version is asked again. Raw keys are kept nowhere.
//!
//! What nobody was ever known by is a guess until the store says otherwise. Guesses are counted by client address before
//! the store is read, and few of them are read at once, so that whoever invents keys neither reads the database dry nor
//! keeps those away whose credentials are known. A token with our signature is no guess, whether or not it still counts:
//! nobody invents one. What the store has to be asked about those is counted by account and address, because an account
//! may collect many of them.

pub(crate) mod logins;
pub(crate) mod password;
pub(crate) mod token;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use model::{AccountId, Timestamp};
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};
use store::{Account, Store};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::access::token::{Claims, Tokens};
use crate::caller::{Credential, Member, Payer};
use crate::client::ClientAddress;
use crate::error::{Error, ErrorCode, Result};
use crate::limiter::{Limiter, Subject};

/// How raw API keys begin.
pub(crate) const KEY_PREFIX: &str = "as_live_";
/// The word that stands for the demo key.
pub const DEMO_KEY: &str = "demo";

const POLL: Duration = Duration::from_millis(500);
/// Callers that are remembered; whoever was seen least is asked for again.
const KNOWN_KEPT: usize = 20_000;
/// Credentials that are remembered to be unknown, apart from those that are known: nonsense pushes no caller out.
const UNKNOWN_KEPT: usize = 10_000;
/// How long an unknown credential stays unknown. Short, because only a change of the access version ends it sooner.
const UNKNOWN_FOR: Duration = Duration::from_secs(2);
/// Credentials of unknown callers that are looked up in the store at once.
const GUESSES_AT_ONCE: usize = 8;
/// Tokens of one account that are looked up in the store in a minute from one address, valid or revoked.
const TOKENS_LOOKED_UP: u32 = 600;
/// Bytes of a longer text are not accepted: our tokens have some 300.
const LONGEST_TOKEN: usize = 1_024;

fn token_expired() -> Error {
    Error::refused(
        ErrorCode::TokenExpired,
        "this token has expired; log in again",
    )
}

fn expiry(claims: &Claims) -> Timestamp {
    Timestamp::from_ms(claims.exp.saturating_mul(1_000))
}

/// What a credential says of itself, before the store is asked about it.
enum Claimed {
    /// It has the form of a key.
    Key,
    /// It is a token of that account with our signature, and has not expired.
    Token(AccountId, Claims),
}

/// Knows callers by their credentials.
pub struct Access {
    store: Store,
    pub(crate) tokens: Tokens,
    known: Cache<[u8; 32], Known>,
    unknown: Cache<[u8; 32], Unknown>,
    /// Unknown credentials of each client address in this minute, and the tokens that were looked up.
    failures: Limiter,
    failures_per_minute: u32,
    guesses: Semaphore,
    /// Rises when anything that was remembered may be wrong.
    generation: AtomicU64,
}

#[derive(Clone)]
struct Known {
    generation: u64,
    member: Arc<Member>,
    is_disabled: bool,
}

impl Known {
    /// The member, unless the account is disabled or the token has expired.
    fn admit(self, now: Timestamp) -> Result<Arc<Member>> {
        if self.is_disabled {
            return Err(account_disabled());
        }
        match self.member.credential {
            Credential::Token { expires, .. } if expires <= now => Err(token_expired()),
            _ => Ok(self.member),
        }
    }
}

#[derive(Clone, Copy)]
struct Unknown {
    generation: u64,
    until: Instant,
}

impl Access {
    pub(crate) async fn open(store: Store, failures_per_minute: u32) -> Result<Self> {
        let fresh: [u8; 32] = rand::random();
        let secret = store.secret("jwt", &fresh).await?;
        Ok(Self {
            tokens: Tokens::new(&secret),
            store,
            known: Cache::new(KNOWN_KEPT),
            unknown: Cache::new(UNKNOWN_KEPT),
            failures: Limiter::default(),
            failures_per_minute,
            guesses: Semaphore::new(GUESSES_AT_ONCE),
            generation: AtomicU64::new(0),
        })
    }

    /// Whose credential this is. An unknown, revoked or expired one is an error. After too many unknown ones from an
    /// address, another one that was never known is refused unread.
    pub async fn find_member(
        &self,
        text: &str,
        client: ClientAddress,
        now: Timestamp,
    ) -> Result<Arc<Member>> {
        let digest = digest(text);
        // Read before the store is asked: an answer that a concurrent change makes stale is then not believed later.
        let mut generation = self.generation.load(Ordering::Acquire);
        let mut was_known = false;
        if let Some(known) = self.known.get(&digest) {
            if known.generation == generation {
                return known.admit(now);
            }
            was_known = true;
        }
        if self.is_unknown(&digest, generation) {
            return Err(Error::unknown_credential());
        }
        let claimed = self.read(text, client, now)?;
        // Whoever was known may be asked about at once: the store has to be read again after every change.
        let turn = if was_known {
            None
        } else {
            let turn = self.guesses.acquire().await.map_err(Error::internal)?;
            // Others may have asked for the same meanwhile.
            generation = self.generation.load(Ordering::Acquire);
            if let Some(known) = self.known.get(&digest)
                && known.generation == generation
            {
                return known.admit(now);
            }
            if self.is_unknown(&digest, generation) {
                return Err(Error::unknown_credential());
            }
            match &claimed {
                Claimed::Key => self.check_failures(client, now)?,
                Claimed::Token(account, _) => self.count_token(*account, client, now)?,
            }
            Some(turn)
        };
        let is_guess = matches!(claimed, Claimed::Key);
        let found = match claimed {
            Claimed::Key => self.load_key(&digest).await?,
            Claimed::Token(account, claims) => self.load_token(account, claims).await?,
        };
        let Some((member, is_disabled)) = found else {
            self.known.remove(&digest);
            self.unknown.insert(
                digest,
                Unknown {
                    generation,
                    until: Instant::now() + UNKNOWN_FOR,
                },
            );
            if is_guess {
                self.count_failure(client, now);
            }
            return Err(Error::unknown_credential());
        };
        let known = Known {
            generation,
            member: Arc::new(member),
            is_disabled,
        };
        self.known.insert(digest, known.clone());
        drop(turn);
        known.admit(now)
    }

    /// Whose credential this is, if that is remembered. Never reads the store and counts nothing.
    pub fn recall(&self, text: &str, now: Timestamp) -> Option<Arc<Member>> {
        let generation = self.generation.load(Ordering::Acquire);
        self.known
            .get(&digest(text))
            .filter(|known| known.generation == generation)?
            .admit(now)
            .ok()
    }

    /// What a credential says of itself. What cannot be in the store is refused here, and counted unless it was a token
    /// of ours.
    fn read(&self, text: &str, client: ClientAddress, now: Timestamp) -> Result<Claimed> {
        if text.starts_with(KEY_PREFIX) {
            return Ok(Claimed::Key);
        }
        let claims = (text.len() <= LONGEST_TOKEN)
            .then(|| self.tokens.read(text))
            .flatten();
        let account = claims.as_ref().and_then(|claims| claims.sub.parse().ok());
        let (Some(claims), Some(account)) = (claims, account) else {
            self.check_failures(client, now)?;
            self.count_failure(client, now);
            return Err(Error::unknown_credential());
        };
        if expiry(&claims) <= now {
            return Err(token_expired());
        }
        Ok(Claimed::Token(AccountId(account), claims))
    }

    fn is_unknown(&self, digest: &[u8; 32], generation: u64) -> bool {
        self.unknown
            .get(digest)
            .is_some_and(|entry| entry.generation == generation && Instant::now() < entry.until)
    }

    fn check_failures(&self, client: ClientAddress, now: Timestamp) -> Result<()> {
        let subject = Subject::Payer(Payer::Client(client));
        let allowance = self.failures.peek(subject, self.failures_per_minute, now);
        if allowance.remaining > 0 {
            return Ok(());
        }
        Err(Error::retry_later(
            ErrorCode::CredentialsLimited,
            u64::from(allowance.reset_seconds),
            "too many unknown API keys or tokens in a minute from this address",
        ))
    }

    /// Counts a token that is looked up.
    fn count_token(&self, account: AccountId, client: ClientAddress, now: Timestamp) -> Result<()> {
        let subject = Subject::Token(account, client);
        match self.failures.take(subject, TOKENS_LOOKED_UP, now) {
            Ok(_) => Ok(()),
            Err(full) => Err(Error::retry_later(
                ErrorCode::CredentialsLimited,
                u64::from(full.reset_seconds),
                "too many tokens of this account in a minute from this address",
            )),
        }
    }

    fn count_failure(&self, client: ClientAddress, now: Timestamp) {
        let subject = Subject::Payer(Payer::Client(client));
        let _ = self.failures.take(subject, self.failures_per_minute, now);
    }

    /// Drops counts that are over.
    pub(crate) fn sweep(&self, now: Timestamp) {
        self.failures.sweep(now);
    }

    /// Forgets what is remembered; called by whoever changes an account, a key or a token in this process.
    pub fn forget(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
    }

    pub(crate) async fn watch(&self, cancel: CancellationToken) {
        let mut seen = None;
        let mut ticks = tokio::time::interval(POLL);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = cancel.cancelled() => return,
                _ = ticks.tick() => {}
            }
            match self.store.access_version().await {
                Ok(version) => {
                    if seen != Some(version) {
                        seen = Some(version);
                        self.forget();
                    }
                }
                Err(error) => {
                    // A revocation may be missed, so nothing that is remembered counts until the store answers.
                    self.forget();
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "access version cannot be read: {error}"
                    );
                }
            }
        }
    }

    /// The holder of a key and whether the account is disabled.
    async fn load_key(&self, digest: &[u8; 32]) -> Result<Option<(Member, bool)>> {
        let found = self.store.keys().find_by_hash(digest).await?;
        Ok(found.map(|(key, account)| {
            let credential = Credential::Key {
                id: key.id,
                scope: key.scope,
            };
            member(account, credential)
        }))
    }

    /// The holder of a token and whether the account is disabled. A token of an earlier epoch of its account is none.
    async fn load_token(
        &self,
        account: AccountId,
        claims: Claims,
    ) -> Result<Option<(Member, bool)>> {
        if self.store.tokens().is_revoked(&claims.jti).await? {
            return Ok(None);
        }
        let account = self.store.accounts().find(account).await?;
        let Some(account) = account.filter(|account| {
            account.standing.token_epoch == claims.epoch || account.standing.is_disabled()
        }) else {
            return Ok(None);
        };
        let credential = Credential::Token {
            expires: expiry(&claims),
            id: claims.jti,
        };
        Ok(Some(member(account, credential)))
    }
}

fn member(account: Account, credential: Credential) -> (Member, bool) {
    let is_disabled = account.standing.is_disabled();
    let member = Member {
        account: account.id,
        email: account.email,
        name: account.name,
        plan: account.plan,
        spending_cap: account.spending_cap,
        credential,
    };
    (member, is_disabled)
}

/// Why a disabled account gets no answer.
pub(crate) fn account_disabled() -> Error {
    Error::refused(
        ErrorCode::AccountDisabled,
        "this account is disabled; ask the operator of this server",
    )
}

/// SHA-256 of a credential: what the store and the cache know it by.
pub fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// A fresh raw API key: `as_live_` and 32 characters of base62, some 190 bits.
pub fn fresh_key() -> String {
    const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut key = String::from(KEY_PREFIX);
    while key.len() < KEY_PREFIX.len() + 32 {
        // Bytes from 248 on would favour the first characters.
        let byte: u8 = rand::random();
        if byte < 248 {
            key.push(char::from(BASE62[usize::from(byte % 62)]));
        }
    }
    key
}

/// The part of a raw key that may be shown again.
pub fn visible_prefix(key: &str) -> String {
    key.chars().take(KEY_PREFIX.len() + 4).collect()
}
