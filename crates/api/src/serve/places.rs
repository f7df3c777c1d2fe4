//! How many connections are open, overall and from each address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use ipnet::IpNet;
use parking_lot::Mutex;

use operations::ClientAddress;

/// The available places.
pub(super) struct Places {
    most: usize,
    most_per_address: usize,
    trusted: Vec<IpNet>,
    taken: Arc<Mutex<Taken>>,
}

#[derive(Default)]
struct Taken {
    all: usize,
    /// Only addresses with an open connection, so never more than `all`.
    addresses: HashMap<ClientAddress, usize>,
}

/// The place of one connection; it is freed when dropped.
pub(super) struct Place {
    taken: Arc<Mutex<Taken>>,
    /// `None` for a proxy, whose connections are not counted by address.
    address: Option<ClientAddress>,
}

/// Why there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Full,
    Address,
}

impl Refusal {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Full => "the limit of all connections",
            Self::Address => "the limit of an address",
        }
    }
}

impl Places {
    pub(super) fn new(most: usize, most_per_address: usize, trusted: Vec<IpNet>) -> Self {
        Self {
            most,
            most_per_address,
            trusted,
            taken: Arc::default(),
        }
    }

    pub(super) fn take(&self, peer: IpAddr) -> Result<Place, Refusal> {
        let peer = peer.to_canonical();
        let is_proxy = self.trusted.iter().any(|network| network.contains(&peer));
        let address = (!is_proxy).then(|| ClientAddress::new(peer));
        let mut taken = self.taken.lock();
        if taken.all >= self.most {
            return Err(Refusal::Full);
        }
        if let Some(address) = address {
            let own = taken.addresses.get(&address).copied().unwrap_or_default();
            if own >= self.most_per_address {
                return Err(Refusal::Address);
            }
            taken.addresses.insert(address, own + 1);
        }
        taken.all += 1;
        Ok(Place {
            taken: Arc::clone(&self.taken),
            address,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.taken.lock();
        taken.all -= 1;
        if let Some(address) = self.address
            && let Some(own) = taken.addresses.get_mut(&address)
        {
            *own -= 1;
            if *own == 0 {
                taken.addresses.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_by_address_and_overall() {
        let places = Places::new(4, 2, vec!["10.0.0.0/8".parse().unwrap()]);
        let take = |address: &str| places.take(address.parse().unwrap());
        let first = take("192.0.2.1").unwrap();
        let _second = take("::ffff:192.0.2.1").unwrap();
        assert_eq!(take("192.0.2.1").err(), Some(Refusal::Address));
        let _network = take("2001:db8::1").unwrap();
        let last = take("2001:db8::2").unwrap();
        assert_eq!(take("192.0.2.9").err(), Some(Refusal::Full));
        drop((first, last));
        assert!(take("192.0.2.1").is_ok());
        let _proxies = [take("10.0.0.1").unwrap(), take("10.0.0.1").unwrap()];
        assert_eq!(
            take("10.0.0.1").err(),
            Some(Refusal::Full),
            "a proxy is limited by the whole only"
        );
    }

    #[test]
    fn a_million_addresses_leave_nothing_behind() {
        let places = Places::new(8, 2, Vec::new());
        for address in 0..1_000_000_u32 {
            drop(places.take(IpAddr::from(address.to_be_bytes())).unwrap());
        }
        assert!(places.taken.lock().addresses.capacity() < 64);
    }
}
