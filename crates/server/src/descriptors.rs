//! How many files and sockets the process may have open.

/// Reserved for the store, the index, feeds and pages.
const RESERVE: usize = 512;

/// Raises the limit as far as the system allows, and returns the resulting limit.
pub(crate) fn raise() -> usize {
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(limit) => usize::try_from(limit).unwrap_or(usize::MAX),
        Err(error) => {
            tracing::warn!("the limit of open files could not be raised: {error}");
            rlimit::Resource::NOFILE
                .get_soft()
                .ok()
                .and_then(|limit| usize::try_from(limit).ok())
                .unwrap_or(RESERVE)
        }
    }
}

/// How many of these descriptors connections may take; at most half of a small number.
pub(crate) fn for_connections(descriptors: usize) -> usize {
    descriptors.saturating_sub(RESERVE).max(descriptors / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_never_take_every_descriptor() {
        assert_eq!(for_connections(20_000), 19_488);
        assert_eq!(for_connections(1_024), 512);
        assert_eq!(for_connections(256), 128);
        assert!(for_connections(raise()) < raise());
    }
}
