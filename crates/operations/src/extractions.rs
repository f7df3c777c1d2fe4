//! External pages that callers request: how many may be in progress, per account and in total.
//!
//! A page takes a place before it is fetched, because it is held in memory from then on, and a turn before it is read.
//! Both are released when the reading has ended, not when the caller disconnects.

use std::sync::{Arc, Weak};
use std::time::Duration;

use extraction::{Error, Extraction, Origin, PdfText, WebPage};
use model::AccountId;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use text::page::Page;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Maximum number of pages in progress. At eight MiB each, this bounds their memory use.
const PLACES: usize = 64;
/// Maximum number of pages in progress per account: two requests of five.
const PLACES_PER_ACCOUNT: usize = 10;
/// Number of accounts at which those with nothing in progress are removed.
const SWEPT_AT: usize = 1_024;

/// The pages in progress.
pub(crate) struct Extractions {
    extraction: Extraction,
    places: Arc<Semaphore>,
    places_of: PerAccount,
    turns_of: PerAccount,
}

/// The place of a page in progress. Dropping it releases the place.
pub(crate) struct Place {
    _of_account: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl Extractions {
    pub(crate) fn new(extraction: Extraction, turns_per_account: usize) -> Self {
        Self {
            extraction,
            places: Arc::new(Semaphore::new(PLACES)),
            places_of: PerAccount::new(PLACES_PER_ACCOUNT),
            turns_of: PerAccount::new(turns_per_account),
        }
    }

    /// A place for a page of an account. Returns busy if none becomes free in time.
    pub(crate) async fn place(&self, account: AccountId) -> Result<Place, Error> {
        let wait = self.extraction.limits().wait;
        let of_account = take(self.places_of.of(account), wait).await?;
        let of_all = take(Arc::clone(&self.places), wait).await?;
        Ok(Place {
            _of_account: of_account,
            _of_all: of_all,
        })
    }

    /// The article from a fetched page, read when its turn comes.
    pub(crate) async fn read(
        &self,
        account: AccountId,
        place: Place,
        page: WebPage,
    ) -> Result<Option<Page>, Error> {
        let wait = self.extraction.limits().wait;
        let turn = take(self.turns_of.of(account), wait).await?;
        self.extraction
            .extract(page, Origin::Caller, (place, turn))
            .await
    }
}

impl Extractions {
    /// The text of a PDF from an account, read when its turn comes.
    pub(crate) async fn read_pdf(
        &self,
        account: AccountId,
        bytes: Vec<u8>,
    ) -> Result<PdfText, Error> {
        let place = self.place(account).await?;
        let wait = self.extraction.limits().wait;
        let turn = take(self.turns_of.of(account), wait).await?;
        self.extraction
            .read_pdf(bytes, Origin::Caller, (place, turn))
            .await
    }
}

async fn take(semaphore: Arc<Semaphore>, wait: Duration) -> Result<OwnedSemaphorePermit, Error> {
    let permit = timeout(wait, semaphore.acquire_owned()).await;
    permit.ok().and_then(Result::ok).ok_or(Error::Busy)
}

/// A number of permits for each account. Accounts that neither hold nor await any do not occupy memory for long.
struct PerAccount {
    each: usize,
    accounts: Mutex<Accounts>,
}

#[derive(Default)]
struct Accounts {
    semaphores: FxHashMap<AccountId, Weak<Semaphore>>,
    swept_at: usize,
}

impl PerAccount {
    fn new(each: usize) -> Self {
        Self {
            each: each.max(1),
            accounts: Mutex::default(),
        }
    }

    fn of(&self, account: AccountId) -> Arc<Semaphore> {
        let mut accounts = self.accounts.lock();
        if let Some(known) = accounts.semaphores.get(&account).and_then(Weak::upgrade) {
            return known;
        }
        if accounts.semaphores.len() >= accounts.swept_at.max(SWEPT_AT) {
            accounts.semaphores.retain(|_, one| one.strong_count() > 0);
            // Twice what is in use, so that sweeping costs little for each account.
            accounts.swept_at = accounts.semaphores.len() * 2;
        }
        let fresh = Arc::new(Semaphore::new(self.each));
        accounts.semaphores.insert(account, Arc::downgrade(&fresh));
        fresh
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(number: u128) -> AccountId {
        AccountId(uuid::Uuid::from_u128(number))
    }

    #[tokio::test(start_paused = true)]
    async fn each_account_has_its_own_turns() {
        let turns = PerAccount::new(2);
        let wait = Duration::from_millis(1);
        let first = take(turns.of(account(1)), wait).await.unwrap();
        let _second = take(turns.of(account(1)), wait).await.unwrap();
        assert!(take(turns.of(account(1)), wait).await.is_err());
        assert!(take(turns.of(account(2)), wait).await.is_ok());
        drop(first);
        assert!(take(turns.of(account(1)), wait).await.is_ok());
    }

    #[test]
    fn a_million_accounts_take_no_memory() {
        let turns = PerAccount::new(1);
        let held = turns.of(account(0));
        for number in 1..1_000_000 {
            turns.of(account(number));
        }
        assert!(turns.accounts.lock().semaphores.len() <= SWEPT_AT);
        assert!(Arc::ptr_eq(&held, &turns.of(account(0))));
    }
}
