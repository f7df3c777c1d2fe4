//! The protocol over standard input and output, for a client that itself starts this program.

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio_util::sync::CancellationToken;

use crate::error::{Error, Result};
use crate::lines::Lines;
use crate::server::Server;

/// Answers until the client closes its end, or until cancelled. Nothing else may be written to standard output.
pub async fn stdio(server: Server, cancel: CancellationToken) -> Result<()> {
    let (read, write) = rmcp::transport::stdio();
    match server.serve_with_ct(Lines::new(read, write), cancel).await {
        Ok(conversation) => {
            conversation.waiting().await.map_err(Error::Ended)?;
            Ok(())
        }
        // It left before it said anything.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
            Ok(())
        }
        Err(other) => Err(Error::Opening(Box::new(other))),
    }
}
