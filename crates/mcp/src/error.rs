//! Why the interface cannot be opened, or ended before its time.

/// Why the interface cannot be opened, or ended before its time.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address of the other Assay is to be corrected.
    #[error("{0:?} is no address of an Assay: it must begin with http:// or https://")]
    Address(String),
    /// The way to the other Assay cannot be prepared.
    #[error("no connections can be made")]
    Client(#[source] reqwest::Error),
    /// The client began with something else than the protocol.
    #[error("the client did not open the conversation as the protocol says")]
    Opening(#[source] Box<rmcp::service::ServerInitializeError>),
    /// The conversation broke off through a fault of ours.
    #[error("the conversation ended through a fault")]
    Ended(#[source] tokio::task::JoinError),
}

/// The result of opening or holding a conversation.
pub type Result<T, E = Error> = std::result::Result<T, E>;
