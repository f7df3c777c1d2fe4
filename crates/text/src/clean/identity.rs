//! The identity of an article: the same address, known at the same time, is the same article on every machine.

use model::{ArticleId, Timestamp};
use uuid::Uuid;

/// A UUID in the shape of version 7: 48 bits of time, the rest from the address.
pub(super) fn of(url: &str, known_at: Timestamp) -> ArticleId {
    const TIME_MASK: u128 = 0xffff_ffff_ffff;
    let time = u128::from(u64::try_from(known_at.ms()).unwrap_or(0)) & TIME_MASK;
    let hash = fnv1a(url.as_bytes());
    let version = 0x7_u128 << 76;
    let variant = 0b10_u128 << 62;
    let random_a = ((hash >> 100) & 0xfff) << 64;
    let random_b = hash & 0x3fff_ffff_ffff_ffff;
    ArticleId(Uuid::from_u128(
        (time << 80) | version | random_a | variant | random_b,
    ))
}

/// FNV-1a with 128 bits. It is written out because its result is stored and must not change with a library.
fn fnv1a(bytes: &[u8]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(OFFSET, |hash, byte| {
        (hash ^ u128::from(*byte)).wrapping_mul(PRIME)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_are_version_seven_and_stable() {
        let time = Timestamp::from_ms(1_772_366_400_000);
        let id = of("https://example.com/a", time).0;
        assert_eq!(id.get_version_num(), 7);
        assert_eq!(id.get_variant(), uuid::Variant::RFC4122);
        assert_eq!(id, of("https://example.com/a", time).0);
        assert_ne!(id, of("https://example.com/b", time).0);
        assert!(id < of("https://example.com/a", time.plus_ms(1)).0);
        assert_eq!(fnv1a(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }
}
