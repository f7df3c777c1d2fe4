//! Who calls.
//!
//! Over HTTP the server of the interface reads the credential, by the same rules as for every other request, and
//! attaches the caller to the request. Over standard input there is one caller for the whole conversation.

use std::fmt;
use std::net::Ipv4Addr;

use operations::{Caller, ClientAddress, Error, Result, Services};
use rmcp::model::Extensions;

/// Where the caller of a request is found.
#[derive(Clone)]
pub enum CallerSource {
    /// In the request, where the HTTP server put it.
    Request,
    /// The holder of this API key or token. It is looked up at every call, so that a revoked key opens nothing.
    Credential(Box<str>),
    /// Nobody in particular on this machine, with the rights of the demo key.
    Anonymous,
}

impl fmt::Debug for CallerSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Request => "Request",
            Self::Credential(_) => "Credential(…)",
            Self::Anonymous => "Anonymous",
        })
    }
}

impl CallerSource {
    /// Who makes this request.
    pub(crate) async fn find(
        &self,
        services: &Services,
        extensions: &Extensions,
    ) -> Result<Caller> {
        let here = ClientAddress::new(Ipv4Addr::LOCALHOST.into());
        match self {
            Self::Request => extensions
                .get::<http::request::Parts>()
                .and_then(|parts| parts.extensions.get::<Caller>())
                .cloned()
                .ok_or_else(|| Error::internal("a request over HTTP came without its caller")),
            Self::Credential(text) => {
                let now = services.clock.now();
                let member = services.access.find_member(text, here, now).await?;
                Ok(Caller {
                    member: Some(member),
                    client: here,
                })
            }
            Self::Anonymous => Ok(Caller {
                member: None,
                client: here,
            }),
        }
    }
}
