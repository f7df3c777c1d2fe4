//! Password hashes: Argon2id, off the async threads and few at a time.
//!
//! One hash costs some 20 MiB and tens of milliseconds, so a crowd at the log-in waits in line instead of taking the
//! machine. Who logged in from the same address before waits in a line of its own, which strangers cannot fill.

use std::sync::Arc;
use std::time::Duration;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{Error, ErrorCode, Result};

/// Hashes at once.
const AT_ONCE: usize = 2;
/// Which line a log-in waits in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Queue {
    /// Of those who logged in to the account from this address before.
    Familiar,
    /// Of everybody else.
    Strangers,
}

/// How long one waits in line.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) struct Passwords {
    turns: Arc<Semaphore>,
    /// One turn more, for those who are known.
    familiar: Arc<Semaphore>,
    /// The hash of nobody's password: unknown e-mail addresses are checked against it, which takes the same time.
    nobody: Arc<str>,
}

impl Passwords {
    pub(crate) fn new() -> Result<Self> {
        let random: [u8; 16] = rand::random();
        let nobody = hash(hex::encode(random).as_bytes())?;
        Ok(Self {
            turns: Arc::new(Semaphore::new(AT_ONCE)),
            familiar: Arc::new(Semaphore::new(1)),
            nobody: nobody.into(),
        })
    }

    /// The PHC string of a password.
    pub(crate) async fn hash(&self, password: String) -> Result<String> {
        let turn = self.turn(Queue::Strangers).await?;
        tokio::task::spawn_blocking(move || {
            let _turn = turn;
            hash(password.as_bytes())
        })
        .await
        .map_err(Error::internal)?
    }

    /// Whether the password fits; without a hash it takes as long and does not.
    pub(crate) async fn verify(
        &self,
        password: String,
        stored: Option<String>,
        queue: Queue,
    ) -> Result<bool> {
        let turn = self.turn(queue).await?;
        let nobody = self.nobody.clone();
        tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let parsed =
                PasswordHash::new(stored.as_deref().unwrap_or(&nobody)).map_err(Error::internal)?;
            let fits = Argon2::default()
                .verify_password(password.as_bytes(), &parsed)
                .is_ok();
            Ok(fits && stored.is_some())
        })
        .await
        .map_err(Error::internal)?
    }

    async fn turn(&self, queue: Queue) -> Result<OwnedSemaphorePermit> {
        let turns = match queue {
            Queue::Familiar => self.familiar.clone(),
            Queue::Strangers => self.turns.clone(),
        };
        match tokio::time::timeout(PATIENCE, turns.acquire_owned()).await {
            Ok(Ok(turn)) => Ok(turn),
            _ => Err(Error::retry_later(
                ErrorCode::Busy,
                10,
                "too many log-ins at once, please try again",
            )),
        }
    }
}

/// The PHC string of a password, for the command line as well.
pub fn hash(password: &[u8]) -> Result<String> {
    Argon2::default()
        .hash_password(password)
        .map(|hash| hash.to_string())
        .map_err(Error::internal)
}
