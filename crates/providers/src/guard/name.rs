//! Names that have no meaning on the public internet.

/// Name endings that are reserved for private networks or for nothing (RFC 6761, 6762 and 8375, ICANN's reservation
/// of `internal`), and those that private networks use without any reservation: no public name ends in one. `example`
/// and the names below `example.com` are left to the resolver: documents are full of them.
const ENDINGS: [&str; 12] = [
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "home.arpa",
    "lan",
    "invalid",
    "test",
];

/// Whether a name may belong to a public host: it has several parts, none of them empty, and no ending used by
/// private networks. What it resolves to is a separate question.
pub(super) fn may_be_public(host: &str) -> bool {
    let host = host.trim_end_matches('.');
    let lower = host.to_ascii_lowercase();
    let has_ending = |ending: &str| {
        let before = lower.strip_suffix(ending);
        before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
    };
    host.contains('.')
        && !host.split('.').any(str::is_empty)
        && !ENDINGS.into_iter().any(has_ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_private_networks_are_never_public() {
        for host in [
            "localhost",
            "localhost.",
            "localhost..",
            "app.localhost...",
            "hooks..example.com",
            ".example.com",
            "LOCALHOST",
            "app.localhost",
            "app.localhost.",
            "printer.local",
            "metadata.google.internal",
            "localhost.localdomain",
            "router.lan",
            "nas.home.arpa",
            "home.arpa",
            "wiki.corp",
            "no-such-name.invalid",
            "hooks.test",
            "intranet",
            "com",
            "",
            ".",
        ] {
            assert!(!may_be_public(host), "{host:?}");
        }
    }

    #[test]
    fn other_names_are_left_to_the_resolver() {
        for host in [
            "example.com",
            "hooks.example.com.",
            "hooks.example",
            "latest.com",
            "mylocal.net",
            "a.notlocal",
            "internal.example.org",
            "localhost.example.com",
            "xn--bcher-kva.example",
        ] {
            assert!(may_be_public(host), "{host}");
        }
    }
}
