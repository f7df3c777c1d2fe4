//! Heavy work: a few concurrent computations, a short queue in front of them, and a share of both for each caller.
//!
//! A caller that hangs up cancels nothing: the computation it started runs to the end (or until it checks
//! [`Permit::is_abandoned`]), and its permit is held until then. So there are never more computations running than
//! there are permits, whoever hangs up.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{Error, Result};

/// How long a caller waits for a permit.
const PATIENCE: Duration = Duration::from_secs(10);

/// How much work of one kind is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkLimits {
    /// Concurrent computations.
    pub at_once: usize,
    /// Callers waiting for a turn.
    pub waiting: usize,
    /// Turns that one caller may hold and wait for in total.
    pub per_key: usize,
}

/// Why no permit is available now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Crowded {
    /// Too many callers are waiting already, or the wait was too long.
    #[error("too much work is waiting")]
    Everybody,
    /// The caller has reached its own limit of running and waiting work.
    #[error("the caller has reached its limit of running and waiting work")]
    Own,
}

/// Work that is waiting or computing; boxed, so that it is compiled only once.
type Work<T> = Pin<Box<dyn Future<Output = Result<T>> + Send>>;

/// The permits for one kind of work. `K` identifies callers.
pub struct HeavyWork<K> {
    limits: WorkLimits,
    permits: Arc<Semaphore>,
    /// The turns of each caller, including those that are waiting; the limits bound their sum.
    shares: Arc<Mutex<HashMap<K, usize>>>,
}

impl<K> fmt::Debug for HeavyWork<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeavyWork")
            .field("limits", &self.limits)
            .field("free", &self.permits.available_permits())
            .finish_non_exhaustive()
    }
}

/// The right to compute, returned when it is dropped.
pub struct Permit {
    _permit: OwnedSemaphorePermit,
    _share: Box<dyn Send>,
    abandoned: Arc<AtomicBool>,
}

struct Share<K: Hash + Eq> {
    shares: Arc<Mutex<HashMap<K, usize>>>,
    key: K,
}

impl<K: Hash + Eq + Copy + Send + 'static> HeavyWork<K> {
    /// Creates work within these limits.
    pub fn new(limits: WorkLimits) -> Self {
        Self {
            limits,
            permits: Arc::new(Semaphore::new(limits.at_once)),
            shares: Arc::default(),
        }
    }

    /// Waits for a permit.
    pub async fn permit(&self, key: K) -> Result<Permit, Crowded> {
        let share = self.share(key)?;
        let permit = tokio::time::timeout(PATIENCE, Arc::clone(&self.permits).acquire_owned());
        match permit.await {
            Ok(Ok(permit)) => Ok(Permit {
                _permit: permit,
                _share: Box::new(share),
                abandoned: Arc::default(),
            }),
            _ => Err(Crowded::Everybody),
        }
    }

    fn share(&self, key: K) -> Result<Share<K>, Crowded> {
        let mut shares = self.shares.lock();
        let own = shares.get(&key).copied().unwrap_or_default();
        if own >= self.limits.per_key {
            return Err(Crowded::Own);
        }
        let all: usize = shares.values().sum();
        if all >= self.limits.at_once + self.limits.waiting {
            return Err(Crowded::Everybody);
        }
        shares.insert(key, own + 1);
        Ok(Share {
            shares: Arc::clone(&self.shares),
            key,
        })
    }
}

impl<K: Hash + Eq> Drop for Share<K> {
    fn drop(&mut self) {
        let mut shares = self.shares.lock();
        if let Some(own) = shares.get_mut(&self.key) {
            *own -= 1;
            if *own == 0 {
                shares.remove(&self.key);
            }
        }
    }
}

impl Permit {
    /// Computes on a thread that may block. The permit is returned when the computation ends, not when the caller
    /// does.
    pub async fn compute<T: Send + 'static>(
        self,
        computation: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> Result<T> {
        let result = Arc::new(Mutex::new(None));
        let filled = Arc::clone(&result);
        let run = self.run(Box::new(move |permit| {
            *filled.lock() = Some(computation(permit));
        }));
        run.await?;
        let computed = result.lock().take();
        computed.ok_or(Error::Interrupted)
    }

    /// The same without a separate type for each computation, so that the thread's side of it is compiled only once.
    fn run(self, computation: Box<dyn FnOnce(&Self) + Send>) -> Work<()> {
        Box::pin(async move {
            let hanging_up = HangUp(Arc::clone(&self.abandoned));
            let computed = tokio::task::spawn_blocking(move || {
                // If nobody wants the result any more by the time a thread is free, nothing is computed.
                if !self.is_abandoned() {
                    computation(&self);
                }
            })
            .await;
            drop(hanging_up);
            computed.map_err(|_| Error::Interrupted)
        })
    }

    /// Whether nobody is waiting for the result any more; a long computation checks this between its parts.
    pub fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Relaxed)
    }
}

/// Signals that the caller is gone.
struct HangUp(Arc<AtomicBool>);

impl Drop for HangUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs a computation of a few milliseconds on a thread that may block, at most a few concurrently in the whole
/// process: however many callers ask and hang up, the number waiting for a thread is bounded.
pub async fn light<T: Send + 'static>(
    computation: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let permit = light_permit().await?;
    permit.compute(move |_| computation()).await
}

fn light_permit() -> Work<Permit> {
    static LIGHT: LazyLock<HeavyWork<()>> = LazyLock::new(|| {
        let cores = std::thread::available_parallelism().map_or(4, usize::from);
        HeavyWork::new(WorkLimits {
            at_once: 4 * cores,
            waiting: 2_048,
            per_key: usize::MAX,
        })
    });
    Box::pin(async { Ok(LIGHT.permit(()).await?) })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::task::{Context, Waker};

    use super::*;

    fn work(at_once: usize, waiting: usize, per_key: usize) -> HeavyWork<u8> {
        HeavyWork::new(WorkLimits {
            at_once,
            waiting,
            per_key,
        })
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn hanging_up_frees_nothing_early() {
        let heavy = Arc::new(work(2, 100, 100));
        let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (open, gate) = std::sync::mpsc::channel::<()>();
        let gate = Arc::new(std::sync::Mutex::new(gate));
        let (begin, mut begun) = tokio::sync::mpsc::unbounded_channel();
        for number in 0..20 {
            let (heavy, running, most, gate, begin) = (
                heavy.clone(),
                running.clone(),
                most.clone(),
                gate.clone(),
                begin.clone(),
            );
            let mut asked = Box::pin(async move {
                let permit = heavy.permit(1).await.unwrap();
                let computation = move |_: &Permit| {
                    let now = running.fetch_add(1, Ordering::SeqCst) + 1;
                    most.fetch_max(now, Ordering::SeqCst);
                    begin.send(()).unwrap();
                    let _ = gate.lock().unwrap().recv();
                    running.fetch_sub(1, Ordering::SeqCst);
                };
                permit.compute(computation).await
            });
            // The first two hang up once their computations have begun, the others while they wait for a turn.
            if number < 2 {
                tokio::select! {
                    _ = &mut asked => panic!("nobody opened the gate"),
                    begun = begun.recv() => begun.unwrap(),
                }
            } else {
                let mut context = Context::from_waker(Waker::noop());
                assert!(asked.as_mut().poll(&mut context).is_pending());
            }
        }
        assert_eq!(most.load(Ordering::SeqCst), 2);
        assert_eq!(heavy.permits.available_permits(), 0, "still computing");
        drop(open);
        assert!(heavy.permit(1).await.is_ok(), "handed back at the end");
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn one_caller_never_holds_all() {
        let heavy = work(4, 4, 2);
        let held = [
            heavy.permit(1).await.unwrap(),
            heavy.permit(1).await.unwrap(),
        ];
        assert_eq!(heavy.permit(1).await.err(), Some(Crowded::Own));
        let other = heavy.permit(2).await;
        assert!(other.is_ok());
        drop(held);
        assert!(heavy.permit(1).await.is_ok());
        drop(other);
        assert!(heavy.shares.lock().is_empty(), "nothing is remembered");
    }

    #[tokio::test]
    async fn the_queue_has_an_end() {
        let heavy = work(1, 1, 9);
        let _held = heavy.permit(1).await.unwrap();
        let mut waits = std::pin::pin!(heavy.permit(2));
        assert!(
            futures_now(waits.as_mut()).await,
            "the second one waits for its turn"
        );
        assert_eq!(heavy.permit(3).await.err(), Some(Crowded::Everybody));
    }

    /// Whether it is still pending after one poll.
    async fn futures_now<F: Future>(mut future: std::pin::Pin<&mut F>) -> bool {
        std::future::poll_fn(|context| {
            std::task::Poll::Ready(future.as_mut().poll(context).is_pending())
        })
        .await
    }
}
