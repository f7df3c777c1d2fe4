//! What a server does besides answering, each as a task of its own: none brings down another.

use std::sync::Arc;

use notify::DeliveryWorker;
use store::Store;
use tokio_util::sync::CancellationToken;

use crate::clock::now;
use crate::supervisor::{Promise, Supervisor};

/// Starts what every process needs: memory in step with the store, the ledger, live streams.
pub(crate) fn start_tasks(
    supervisor: &mut Supervisor,
    state: &api::AppState,
    cancel: &CancellationToken,
    drained: &CancellationToken,
) {
    let essential = |seconds| Promise::ESSENTIAL.beating_within(seconds);
    let of_state = || state.clone();
    supervisor.start("ledger", essential(60), drained, {
        let state = of_state();
        move |drained| {
            let state = state.clone();
            async move {
                state.flush_ledger(drained).await;
                Ok(())
            }
        }
    });
    supervisor.start("access", essential(60), cancel, {
        let state = of_state();
        move |cancel| {
            let state = state.clone();
            async move {
                state.watch_access(cancel).await;
                Ok(())
            }
        }
    });
    supervisor.start("sweep", Promise::OPTIONAL.beating_within(300), cancel, {
        let state = of_state();
        move |cancel| {
            let state = state.clone();
            async move {
                state.sweep(cancel).await;
                Ok(())
            }
        }
    });
    supervisor.start("market", essential(120), cancel, {
        let state = of_state();
        move |cancel| {
            let state = state.clone();
            async move { Ok(state.follow_market(cancel).await?) }
        }
    });
    let optional = Promise::OPTIONAL.beating_within(300);
    supervisor.start("screens", optional, cancel, {
        let state = of_state();
        move |cancel| {
            let state = state.clone();
            async move { Ok(state.prepare_screens(cancel).await?) }
        }
    });
    supervisor.start("brief_sentiments", Promise::OPTIONAL, cancel, {
        let state = of_state();
        move |cancel| {
            let state = state.clone();
            async move {
                tokio::select! {
                    () = cancel.cancelled() => {}
                    written = complete_brief_sentiments(&state.store, &cancel) => written?,
                }
                Ok(())
            }
        }
    });
    supervisor.start("index", essential(120), cancel, {
        let state = of_state();
        move |cancel| {
            let (state, moved) = (state.clone(), state.clone());
            async move {
                let moved = move |position| moved.set_revision(position);
                let (store, index) = (state.store.clone(), state.index.clone());
                Ok(ingest::follow::follow(store, index, cancel, moved).await?)
            }
        }
    });
    supervisor.start("index_lag", essential(60), cancel, {
        let state = of_state();
        move |cancel| {
            let state = state.clone();
            async move { Ok(state.watch_index(cancel).await?) }
        }
    });
    supervisor.start("streams", essential(60), cancel, {
        let state = of_state();
        move |cancel| {
            let state = state.clone();
            async move { Ok(state.hub.run(state.store.clone(), cancel).await?) }
        }
    });
    supervisor.start("live", essential(60), cancel, {
        let state = of_state();
        move |cancel| {
            let state = state.clone();
            async move { Ok(state.follow_live(state.hub.live(), cancel).await?) }
        }
    });
}

/// Starts what writes the ordered reports.
pub(crate) fn start_reports(
    supervisor: &mut Supervisor,
    state: &api::AppState,
    cancel: &CancellationToken,
) {
    supervisor.start("reports", Promise::OPTIONAL.beating_within(300), cancel, {
        let state = state.clone();
        move |cancel| {
            let state = state.clone();
            async move { Ok(agents::reports::worker::run(&state.services, cancel).await?) }
        }
    });
}

/// Starts the work that several processes can share: reports, agent monitors, alerts, webhooks, schedules, and the
/// delivery of their messages.
pub(super) fn start_work(
    supervisor: &mut Supervisor,
    state: &api::AppState,
    cancel: &CancellationToken,
) {
    start_reports(supervisor, state, cancel);
    let cached = Promise::OPTIONAL.beating_within(300);
    supervisor.start("cached_reports", cached, cancel, {
        let state = state.clone();
        move |cancel| {
            let state = state.clone();
            async move { Ok(agents::reports::refresh_cached(&state.services, cancel).await?) }
        }
    });
    // A check may take five minutes.
    let checks = Promise::OPTIONAL.beating_within(600);
    supervisor.start("monitors", checks, cancel, {
        let state = state.clone();
        move |cancel| {
            let state = state.clone();
            async move { Ok(state.check_monitors(cancel).await?) }
        }
    });
    let delivery = DeliveryWorker {
        store: state.store.clone(),
        callbacks: Arc::clone(&state.callbacks),
        now: Arc::new(now),
    };
    supervisor.start("alerts", Promise::OPTIONAL.beating_within(60), cancel, {
        let state = state.clone();
        move |cancel| {
            let state = state.clone();
            async move { Ok(state.evaluate_alerts(cancel).await?) }
        }
    });
    // A run may take five minutes.
    let runs = Promise::OPTIONAL.beating_within(600);
    supervisor.start("agent_schedules", runs, cancel, {
        let state = state.clone();
        move |cancel| {
            let state = state.clone();
            async move { Ok(agents::marketplace::schedule::run(&state.services, cancel).await?) }
        }
    });
    supervisor.start("webhooks", Promise::OPTIONAL.beating_within(60), cancel, {
        let state = state.clone();
        move |cancel| {
            let state = state.clone();
            async move { Ok(state.tell_webhooks(cancel).await?) }
        }
    });
    let deliveries = Promise::OPTIONAL.beating_within(60);
    supervisor.start("deliveries", deliveries, cancel, move |cancel| {
        let delivery = delivery.clone();
        async move { Ok(delivery.run(cancel).await?) }
    });
}

/// Writes the brief sentiments missing from a store of an earlier version, then waits for the end.
async fn complete_brief_sentiments(
    store: &Store,
    cancel: &CancellationToken,
) -> anyhow::Result<()> {
    let written = store.brief_sentiments().complete().await?;
    if written > 0 {
        tracing::info!("sentiments of earlier briefs written: {written}");
    }
    cancel.cancelled().await;
    Ok(())
}
