//! Why the interface cannot be opened, or why it ended early.

/// Why the interface cannot be opened, or why it ended early.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address of the other Assay needs to be corrected.
    #[error("{0:?} is no address of an Assay: it must begin with http:// or https://")]
    Address(String),
    /// The connection to the other Assay cannot be set up.
    #[error("no connections can be made")]
    Client(#[source] reqwest::Error),
    /// The client did not begin with the protocol.
    #[error("the client did not open the conversation as the protocol says")]
    Opening(#[source] Box<rmcp::service::ServerInitializeError>),
    /// The conversation broke off because of a fault on our side.
    #[error("the conversation ended through a fault")]
    Ended(#[source] tokio::task::JoinError),
}

/// The result of opening or holding a conversation.
pub type Result<T, E = Error> = std::result::Result<T, E>;
