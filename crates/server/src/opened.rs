//! A data directory opened as a server opens it, for one user on this machine: nothing listens and nothing is ingested.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use model::{DataMode, Plan};
use notify::Hub;
use operations::Services;
use providers::callbacks::{Callbacks, Reach};
use providers::pages::Pages;
use tokio_util::sync::CancellationToken;

use crate::clock::SystemClock;
use crate::data::DataDirectory;
use crate::lock::ServerLock;
use crate::serve::{open_index, outlet_table, settings, start_reports, start_tasks, transport};
use crate::supervisor::{BackOff, Supervisor};
use crate::{chat, demo, web_search};

/// How long the tasks may take to stop: charges have to be written.
const STOP: Duration = Duration::from_secs(5);

/// For whom the data directory is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenedFor {
    /// The holder of a credential, on the terms of the account.
    Member,
    /// Whoever started the process. Anyone who can open the data directory owns it, so the limits meant for strangers
    /// would only be in the way: the demo key has the terms of the largest plan. Anything that belongs to an account
    /// still needs a key.
    Owner,
}

/// An open data directory and the tasks that keep it going.
pub(crate) struct Opened {
    state: api::AppState,
    supervisor: Supervisor,
    cancel: CancellationToken,
    drained: CancellationToken,
    _lock: ServerLock,
}

impl Opened {
    pub(crate) async fn open(data: DataDirectory, whom: OpenedFor) -> anyhow::Result<Self> {
        let lock = ServerLock::take(&data.path)?;
        let store = data.open_any().await?;
        let index = open_index(&data, &store).await?;
        let transport = Arc::new(transport(&data.config, None)?);
        let nowhere = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0);
        let mut settings = settings(&data, store.mode(), nowhere, None)?;
        if whom == OpenedFor::Owner {
            let plans = &mut settings.service.plans;
            plans.set_demo(plans.terms(Plan::Unlimited).clone());
            settings.service.anonymous = true;
        }
        let state = api::AppState::open(api::Wiring {
            store: store.clone(),
            index,
            hub: Hub::default(),
            web: Arc::new(Pages::new(Arc::new(transport.separate()))),
            extraction: crate::page_worker::extraction(&data.config)?,
            callbacks: Arc::new(Callbacks::new(transport.settings(), Reach::Public)?),
            web_search: web_search::searches(&data.config, store.mode(), &transport)?,
            chat: chat::model(&data.config, &transport)?,
            outlets: match store.mode() {
                DataMode::Demo => demo::outlet_table(&data.config.outlets),
                DataMode::Real => outlet_table(&data.config),
            },
            clock: Arc::new(SystemClock),
            settings,
            keys: crate::receipt_keys::load_or_create(&data.path)?,
        })
        .await?;
        let (cancel, drained) = (CancellationToken::new(), CancellationToken::new());
        let mut supervisor = Supervisor::new(state.tasks.clone(), BackOff::STANDARD);
        start_tasks(&mut supervisor, &state, &cancel, &drained);
        start_reports(&mut supervisor, &state, &cancel);
        Ok(Self {
            state,
            supervisor,
            cancel,
            drained,
            _lock: lock,
        })
    }

    /// The state the API is served from.
    pub(crate) const fn state(&self) -> &api::AppState {
        &self.state
    }

    /// The services that operations work on.
    pub(crate) fn services(&self) -> &Services {
        &self.state.services
    }

    /// Stops the tasks; what was charged is then in the ledger.
    pub(crate) async fn close(mut self) {
        self.state.begin_stopping();
        self.state.hub.close();
        self.cancel.cancel();
        self.drained.cancel();
        if tokio::time::timeout(STOP, self.supervisor.ended())
            .await
            .is_err()
        {
            tracing::warn!("background work did not end in time");
        }
    }
}
