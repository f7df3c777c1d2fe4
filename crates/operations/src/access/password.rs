//! Password hashes: Argon2id, off the async threads and few at a time.
//!
//! One hash costs some 20 MiB and tens of milliseconds, so a crowd at the log-in waits in line instead of taking the
//! machine. Who logged in from the same address before waits in a line of its own, which strangers cannot fill. Work that
//! has begun goes on to its end, and holds its turn and its log-in until then, whether or not anybody waits for it.

use std::sync::Arc;
use std::time::Duration;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::access::logins::{LoginAttempt, Queue};
use crate::error::{Error, ErrorCode, Result};

/// Hashes at once.
const AT_ONCE: usize = 2;
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

    /// Whether the password fits; without a hash it takes as long and does not. The verdict ends the attempt.
    pub(crate) async fn verify(
        &self,
        password: String,
        stored: Option<String>,
        attempt: LoginAttempt,
    ) -> Result<bool> {
        let turn = match self.turn(attempt.queue()).await {
            Ok(turn) => turn,
            Err(crowded) => {
                attempt.withdraw();
                return Err(crowded);
            }
        };
        let nobody = self.nobody.clone();
        tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let parsed =
                PasswordHash::new(stored.as_deref().unwrap_or(&nobody)).map_err(Error::internal)?;
            let is_same = Argon2::default()
                .verify_password(password.as_bytes(), &parsed)
                .is_ok();
            let fits = is_same && stored.is_some();
            attempt.judge(fits);
            Ok(fits)
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

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::mpsc;

    use futures::poll;
    use model::Timestamp;
    use tokio::runtime::{Builder, Runtime};

    use super::*;
    use crate::access::logins::Logins;
    use crate::client::ClientAddress;

    /// A runtime whose only thread for long work waits for a word, so that what begins after it stays begun.
    fn held_up() -> (Runtime, mpsc::Sender<()>) {
        let runtime = Builder::new_current_thread()
            .enable_time()
            .max_blocking_threads(1)
            .build()
            .unwrap();
        let (release, word) = mpsc::channel();
        runtime.spawn_blocking(move || word.recv());
        (runtime, release)
    }

    fn begin(logins: &Logins) -> Result<LoginAttempt> {
        let client = ClientAddress::new(Ipv4Addr::LOCALHOST.into());
        logins.begin("a@b.c", client, 2, Timestamp::from_ms(0))
    }

    /// One failure is allowed. A client that hangs up while its password is verified has the turn and the attempt until
    /// the verdict, and afterwards what the verdict leaves.
    fn hang_up(password: &str) -> Result<LoginAttempt> {
        let (runtime, release) = held_up();
        runtime.block_on(async {
            let (logins, passwords) = (Logins::default(), Passwords::new().unwrap());
            let stored = hash(b"correct horse").unwrap();
            let attempt = begin(&logins).unwrap();
            let mut verifying =
                Box::pin(passwords.verify(password.to_owned(), Some(stored), attempt));
            assert!(poll!(&mut verifying).is_pending());
            drop(verifying);
            assert_eq!(passwords.turns.available_permits(), AT_ONCE - 1);
            assert!(begin(&logins).is_err(), "counted before the verdict");
            release.send(()).unwrap();
            let _all = passwords.turns.acquire_many(AT_ONCE as u32).await.unwrap();
            begin(&logins)
        })
    }

    #[test]
    fn a_wrong_password_counts_although_nobody_waits_for_the_verdict() {
        assert!(hang_up("wrong horse").is_err());
    }

    #[test]
    fn a_right_password_costs_nothing_although_nobody_waits_for_the_verdict() {
        let next = hang_up("correct horse").unwrap();
        assert_eq!(next.queue(), Queue::Familiar);
    }

    #[tokio::test]
    async fn who_gets_no_turn_has_not_failed() {
        let (logins, passwords) = (Logins::default(), Passwords::new().unwrap());
        // As after waiting in vain.
        passwords.turns.close();
        for _ in 0..3 {
            let attempt = begin(&logins).unwrap();
            let refused = passwords.verify("wrong horse".to_owned(), None, attempt);
            assert_eq!(refused.await.unwrap_err().code(), ErrorCode::Busy);
        }
    }
}
