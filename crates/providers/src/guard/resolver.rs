//! Name resolution that knows which addresses may be dialled.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::is_public;

/// A name resolves to private addresses only. It travels through the client as the source of its error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{host} resolves to {address}, which is not public")]
pub struct Blocked {
    /// The name.
    pub host: String,
    /// The first address to which it resolves.
    pub address: IpAddr,
}

/// The addresses to which a name resolves at the moment.
type Answers = dyn Fn(&str) -> Vec<IpAddr> + Send + Sync;

/// Who resolves names: the system, unless another resolver is given.
#[derive(Clone, Default)]
pub struct Names(Option<Arc<Answers>>);

impl Names {
    /// Names from another source: for tests, and for networks with a table of their own. A name without an address is
    /// unknown.
    pub fn answered_by(answers: impl Fn(&str) -> Vec<IpAddr> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(answers)))
    }

    /// The client replaces port 0 with the port of the address.
    pub(crate) async fn look_up(&self, host: &str) -> Result<Vec<SocketAddr>, std::io::Error> {
        let Some(answers) = &self.0 else {
            return Ok(tokio::net::lookup_host((host, 0)).await?.collect());
        };
        let found: Vec<SocketAddr> = answers(host)
            .into_iter()
            .map(|address| SocketAddr::new(address, 0))
            .collect();
        if found.is_empty() {
            return Err(std::io::ErrorKind::NotFound.into());
        }
        Ok(found)
    }
}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            None => "Names(system)",
            Some(_) => "Names(own)",
        })
    }
}

/// Resolves names and drops every address that is not public.
#[derive(Clone, Debug, Default)]
pub struct PublicResolver(pub Names);

/// Resolves names whose addresses are all public, and refuses all others.
#[derive(Clone, Debug, Default)]
pub struct StrictResolver(pub Names);

/// Resolves names as they are; used only for hosts and ports that the operator allowed.
#[derive(Clone, Debug, Default)]
pub struct OpenResolver(pub Names);

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let names = self.0.clone();
        Box::pin(async move {
            let host = name.as_str().to_owned();
            let found = names.look_up(&host).await?;
            let public = keep_public(&host, found)?;
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

impl Resolve for StrictResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let names = self.0.clone();
        Box::pin(async move {
            let host = name.as_str().to_owned();
            let found = names.look_up(&host).await?;
            let public = only_public(&host, found)?;
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

impl Resolve for OpenResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let names = self.0.clone();
        Box::pin(async move {
            let found = names.look_up(name.as_str()).await?;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// A name with public and private addresses keeps the public ones.
pub(super) fn keep_public(host: &str, found: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, Blocked> {
    let first = found.first().map(SocketAddr::ip);
    let public: Vec<_> = found
        .into_iter()
        .filter(|address| is_public(address.ip()))
        .collect();
    match first {
        Some(address) if public.is_empty() => Err(Blocked {
            host: host.to_owned(),
            address,
        }),
        _ => Ok(public),
    }
}

/// A name with one private address among others is refused as a whole.
pub(crate) fn only_public(host: &str, found: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, Blocked> {
    match found.iter().find(|address| !is_public(address.ip())) {
        Some(private) => Err(Blocked {
            host: host.to_owned(),
            address: private.ip(),
        }),
        None => Ok(found),
    }
}
