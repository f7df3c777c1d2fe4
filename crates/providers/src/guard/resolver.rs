//! Name resolution that knows which addresses may be dialled.

use std::net::{IpAddr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::is_public;

/// A name stands for private addresses only. Travels through the client as the source of its error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{host} resolves to {address}, which is not public")]
pub struct Blocked {
    /// The name.
    pub host: String,
    /// The first address that it stands for.
    pub address: IpAddr,
}

/// Resolves names and drops every address that is not public.
#[derive(Clone, Copy, Debug, Default)]
pub struct PublicResolver;

/// Resolves names of which every address is public, and refuses all others.
#[derive(Clone, Copy, Debug, Default)]
pub struct StrictResolver;

/// Resolves names as they are; used only for hosts and ports that the operator opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenResolver;

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let host = name.as_str().to_owned();
            let found = look_up(&host).await?;
            let public = keep_public(&host, found)?;
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

impl Resolve for StrictResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let host = name.as_str().to_owned();
            let found = look_up(&host).await?;
            let public = only_public(&host, found)?;
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

impl Resolve for OpenResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move { Ok(Box::new(look_up(name.as_str()).await?.into_iter()) as Addrs) })
    }
}

/// Port 0 is replaced by the client with the one of the address.
pub(crate) async fn look_up(host: &str) -> Result<Vec<SocketAddr>, std::io::Error> {
    Ok(tokio::net::lookup_host((host, 0)).await?.collect())
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
