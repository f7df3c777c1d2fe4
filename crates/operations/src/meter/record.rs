//! One settled charge as it stands in a segment of the journal.
//!
//! Length and CRC-32 of the body, both as four bytes, then the body; numbers are little-endian. Reading stops at the
//! first record that is cut off or damaged, because nothing says where the next one begins.

use std::fmt::Write as _;

use model::{AccountId, KeyId, MicroUsd, Timestamp};
use store::{AccountKey, LedgerEntry, LedgerKind};
use uuid::Uuid;

use super::batch::Line;
use crate::caller::Payer;

const HEAD: usize = 8;
/// Longer than any record: a longer length is damage.
const LONGEST: usize = 4_096;

const IS_ACCOUNT: u8 = 1;
const HAS_KEY: u8 = 2;
const IS_REFUND: u8 = 4;

/// Appends the record of a line to a buffer.
pub(super) fn encode(buffer: &mut Vec<u8>, payer: Payer, line: &Line) {
    let start = buffer.len();
    buffer.extend([0; HEAD]);
    let mut flags = 0;
    if matches!(payer, Payer::Account(_)) {
        flags |= IS_ACCOUNT;
    }
    if line.key.is_some() {
        flags |= HAS_KEY;
    }
    if line.kind == LedgerKind::Refund {
        flags |= IS_REFUND;
    }
    buffer.push(flags);
    match payer {
        Payer::Account(account) => buffer.extend(account.0.as_bytes()),
        Payer::Client(client) => {
            let length_at = buffer.len();
            buffer.push(0);
            // Writing to memory does not fail, and an address is far shorter than 255 bytes.
            let _ = write!(Text(buffer), "{client}");
            buffer[length_at] = (buffer.len() - length_at - 1) as u8;
        }
    }
    if let Some(key) = line.key {
        buffer.extend(key.0.as_bytes());
    }
    buffer.extend(line.calls.to_le_bytes());
    buffer.extend(line.credits.to_le_bytes());
    buffer.extend(line.overage.0.to_le_bytes());
    buffer.extend(line.at.ms().to_le_bytes());
    buffer.extend(line.endpoint.as_bytes());
    let body = &buffer[start + HEAD..];
    let (length, sum) = (body.len() as u32, checksum(body));
    buffer[start..start + 4].copy_from_slice(&length.to_le_bytes());
    buffer[start + 4..start + HEAD].copy_from_slice(&sum.to_le_bytes());
}

/// The records at the beginning of `bytes`, and how many bytes after them cannot be read.
pub(super) fn decode(mut bytes: &[u8]) -> (Vec<LedgerEntry>, usize) {
    let mut entries = Vec::new();
    while let Some((entry, rest)) = decode_one(bytes) {
        entries.push(entry);
        bytes = rest;
    }
    (entries, bytes.len())
}

fn decode_one(bytes: &[u8]) -> Option<(LedgerEntry, &[u8])> {
    let mut rest = bytes;
    let length = u32::from_le_bytes(take(&mut rest)?) as usize;
    let sum = u32::from_le_bytes(take(&mut rest)?);
    if length > LONGEST {
        return None;
    }
    let (body, rest) = rest.split_at_checked(length)?;
    if checksum(body) != sum {
        return None;
    }
    Some((decode_body(body)?, rest))
}

fn decode_body(mut body: &[u8]) -> Option<LedgerEntry> {
    let [flags] = take(&mut body)?;
    let account = if flags & IS_ACCOUNT == 0 {
        let [length] = take(&mut body)?;
        let (client, rest) = body.split_at_checked(usize::from(length))?;
        body = rest;
        AccountKey::Demo(String::from_utf8(client.to_vec()).ok()?)
    } else {
        AccountKey::Account(AccountId(Uuid::from_bytes(take(&mut body)?)))
    };
    let key = if flags & HAS_KEY == 0 {
        None
    } else {
        Some(KeyId(Uuid::from_bytes(take(&mut body)?)))
    };
    Some(LedgerEntry {
        account,
        key,
        calls: u64::from_le_bytes(take(&mut body)?),
        credits: u64::from_le_bytes(take(&mut body)?),
        overage: MicroUsd(i64::from_le_bytes(take(&mut body)?)),
        at: Timestamp::from_ms(i64::from_le_bytes(take(&mut body)?)),
        endpoint: String::from_utf8(body.to_vec()).ok()?,
        kind: if flags & IS_REFUND == 0 {
            LedgerKind::Charge
        } else {
            LedgerKind::Refund
        },
    })
}

/// The next `N` bytes.
pub(super) fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (head, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*head)
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = flate2::Crc::new();
    sum.update(bytes);
    sum.sum()
}

/// Text into bytes, without a string in between.
struct Text<'a>(&'a mut Vec<u8>);

impl std::fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.extend(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::ClientAddress;

    fn line(kind: LedgerKind, key: Option<KeyId>) -> Line {
        Line {
            key,
            operation: 3,
            endpoint: "GET /api/v1/feed".into(),
            calls: 1,
            credits: 9,
            overage: MicroUsd(72_000),
            at: Timestamp::from_ms(1_772_366_400_123),
            kind,
        }
    }

    /// Two records, as written, and what they say.
    fn samples() -> (Vec<u8>, Vec<LedgerEntry>) {
        let account = AccountId(Uuid::from_u128(7));
        let client = ClientAddress::new("2001:db8::1".parse().unwrap());
        let cases = [
            (
                Payer::Account(account),
                line(LedgerKind::Charge, Some(KeyId(Uuid::from_u128(8)))),
            ),
            (Payer::Client(client), line(LedgerKind::Refund, None)),
        ];
        let mut bytes = Vec::new();
        let mut entries = Vec::new();
        for (payer, line) in &cases {
            encode(&mut bytes, *payer, line);
            entries.push(line.entry(*payer));
        }
        (bytes, entries)
    }

    #[test]
    fn a_charge_reads_as_it_was_written() {
        let (bytes, entries) = samples();
        assert_eq!(decode(&bytes), (entries, 0));
    }

    #[test]
    fn what_is_cut_off_is_left_out() {
        let (bytes, entries) = samples();
        for cut in 0..bytes.len() {
            let (read, unread) = decode(&bytes[..cut]);
            assert_eq!(read, entries[..read.len()], "cut at {cut}");
            assert!(unread > 0 || cut == 0 || read.len() == 1, "cut at {cut}");
        }
    }

    #[test]
    fn a_damaged_bit_is_noticed() {
        let (bytes, entries) = samples();
        for position in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[position] ^= 1 << (position % 8);
            let (read, unread) = decode(&damaged);
            assert!(read.len() < 2 && unread > 0, "at {position}");
            assert_eq!(read, entries[..read.len()], "at {position}");
        }
    }
}
