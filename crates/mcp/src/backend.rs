//! Where calls are answered: in this process, or by another Assay.

use std::sync::Arc;

use operations::{Entry, Limits, Registry, Services};
use rmcp::model::Extensions;
use serde_json::{Map, Value};

use crate::caller::CallerSource;
use crate::refusal::Refusal;
use crate::remote::Remote;

/// Where calls are answered.
pub enum Backend {
    /// In this process.
    Embedded(Embedded),
    /// By another Assay, over HTTP.
    Remote(Remote),
}

/// The operations of this process and their caller.
pub struct Embedded {
    /// What operations work on.
    pub services: Services,
    /// The operations.
    pub registry: Arc<Registry>,
    /// Who calls.
    pub caller: CallerSource,
}

/// The answer of an operation.
pub(crate) struct Answer {
    /// As JSON.
    pub(crate) body: Vec<u8>,
    /// What it cost.
    pub(crate) credits: u64,
}

impl Backend {
    /// Calls an operation.
    pub(crate) async fn call(
        &self,
        entry: &Entry,
        arguments: Map<String, Value>,
        limits: &Limits,
        extensions: &Extensions,
    ) -> Result<Answer, Refusal> {
        match self {
            Self::Embedded(embedded) => {
                let caller = embedded.caller.find(&embedded.services, extensions).await?;
                let answered = embedded.registry.call(
                    &embedded.services,
                    &caller,
                    entry.about.name,
                    arguments,
                    limits,
                );
                let answered = answered.await?;
                Ok(Answer {
                    body: answered.body,
                    credits: answered.credits,
                })
            }
            Self::Remote(remote) => remote.call(entry, arguments, &limits.cancel).await,
        }
    }
}
