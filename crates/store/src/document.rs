//! Documents as stored: JSON, packed with a dictionary that knows its keys and its usual sentences.
//!
//! A brief with one headline is four kilobytes of JSON, most of it field names. Packed, it is a sixth of that. A
//! dictionary is never changed, because anything packed with it can only be read with it: a new dictionary gets a new
//! number. Documents that were stored before packing was introduced are text and stay so until they are removed.

use std::io;
use std::sync::LazyLock;

use parking_lot::Mutex;
use zstd::bulk::{Compressor, Decompressor};
use zstd::dict::{DecoderDictionary, EncoderDictionary};

use crate::Result;
use crate::database::Row;

/// The number of [`DICTIONARY`], which is the first byte of anything packed with it.
const FORM: u8 = 1;
/// Trained on documents from the simulated world: `data/README.md`.
static DICTIONARY: &[u8] = include_bytes!("../data/documents.dictionary");
/// Higher levels take twice the time for a few percent.
const LEVEL: i32 = 6;
/// The largest size a document may unpack to; articles are far below it.
const LARGEST: usize = 64 << 20;
/// How many workers of each kind are kept for the next document: some 200 KiB each.
const MOST_IDLE: usize = 8;

static PACKING: LazyLock<EncoderDictionary<'static>> =
    LazyLock::new(|| EncoderDictionary::copy(DICTIONARY, LEVEL));
static UNPACKING: LazyLock<DecoderDictionary<'static>> =
    LazyLock::new(|| DecoderDictionary::copy(DICTIONARY));
static PACKERS: Mutex<Vec<Compressor<'static>>> = Mutex::new(Vec::new());
static UNPACKERS: Mutex<Vec<Decompressor<'static>>> = Mutex::new(Vec::new());

/// The bytes of a document.
pub(crate) fn pack(document: &str) -> io::Result<Vec<u8>> {
    let idle = PACKERS.lock().pop();
    let mut packer = idle.map_or_else(|| Compressor::with_prepared_dictionary(&PACKING), Ok)?;
    let packed = packer.compress(document.as_bytes())?;
    keep(&PACKERS, packer);
    let mut bytes = Vec::with_capacity(1 + packed.len());
    bytes.push(FORM);
    bytes.extend(packed);
    Ok(bytes)
}

/// The document from bytes made by [`pack`]; `None` if they are not such bytes.
pub(crate) fn unpack(bytes: &[u8]) -> Option<String> {
    // To zstd, no bytes at all are a valid document.
    let (&FORM, packed @ [_, ..]) = bytes.split_first()? else {
        return None;
    };
    let idle = UNPACKERS.lock().pop();
    let unpacker = idle.map_or_else(|| Decompressor::with_prepared_dictionary(&UNPACKING), Ok);
    let mut unpacker = unpacker.ok()?;
    let document = unpacker.decompress(packed, LARGEST).ok()?;
    keep(&UNPACKERS, unpacker);
    String::from_utf8(document).ok()
}

/// The document of a row: packed in one column, or as text in another if it was stored before packing. `None` if the
/// bytes cannot be read.
pub(crate) fn decode(row: &Row, text: usize, packed: usize) -> Result<Option<String>> {
    match row.blob_option(packed)? {
        Some(bytes) => Ok(unpack(&bytes)),
        None => Ok(Some(row.text(text)?)),
    }
}

fn keep<T>(idle: &Mutex<Vec<T>>, worker: T) {
    let mut idle = idle.lock();
    if idle.len() < MOST_IDLE {
        idle.push(worker);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_packed_unpacks(document in any::<String>()) {
            prop_assert_eq!(unpack(&pack(&document).unwrap()), Some(document));
        }

        #[test]
        fn nonsense_is_refused_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let _ = unpack(&bytes);
        }
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        let bytes = pack(r#"{"id":"018f","headline":"Rates rise","sources":[]}"#).unwrap();
        for end in 0..bytes.len() {
            assert_eq!(unpack(&bytes[..end]), None);
        }
    }

    #[test]
    fn a_small_frame_cannot_claim_much_memory() {
        let bomb = zstd::bulk::compress(&vec![b'x'; LARGEST + 1], 1).unwrap();
        let bytes = [&[FORM], bomb.as_slice()].concat();
        assert!(bytes.len() < 64 << 10);
        assert_eq!(unpack(&bytes), None);
    }

    #[test]
    fn workers_that_nobody_needs_are_few() {
        std::thread::scope(|scope| {
            for _ in 0..4 * MOST_IDLE {
                scope.spawn(|| unpack(&pack("{}").unwrap()).unwrap());
            }
        });
        assert!(PACKERS.lock().len() <= MOST_IDLE && UNPACKERS.lock().len() <= MOST_IDLE);
    }
}
