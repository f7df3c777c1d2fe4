//! What is kept between questions.

use std::sync::Arc;

use operations::Services;

use crate::names::ListedNames;
use crate::popular::Popular;
use crate::sessions::Sessions;

/// One of it belongs to one set of services.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) names: ListedNames,
    pub(crate) sessions: Sessions,
    pub(crate) popular: Popular,
}

impl State {
    pub(crate) fn of(services: &Services) -> Arc<Self> {
        services.extensions.get()
    }
}
