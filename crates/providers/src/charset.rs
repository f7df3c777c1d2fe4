//! From bytes to text, whatever the labels say.

use std::borrow::Cow;
use std::io::Read;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use flate2::read::MultiGzDecoder;

use crate::error::ParseError;

/// How far into a document its own encoding label is searched for.
const LABEL_BYTES: usize = 2048;

/// Unpacks bodies that are themselves gzip files: some servers send `.gz` without saying so.
pub(crate) fn inflate(bytes: &[u8], limit: usize) -> Result<Cow<'_, [u8]>, ParseError> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut unpacked = Vec::new();
    let mut reader = MultiGzDecoder::new(bytes).take(limit as u64 + 1);
    match reader.read_to_end(&mut unpacked) {
        Ok(_) if unpacked.len() > limit => Err(ParseError::TooLarge(limit)),
        Ok(_) => Ok(Cow::Owned(unpacked)),
        // The part before the damage is readable, and part of a feed is still useful.
        Err(_) if !unpacked.is_empty() => Ok(Cow::Owned(unpacked)),
        Err(error) => Err(ParseError::Damaged(error)),
    }
}

/// Decodes a document by byte order mark, `Content-Type`, its own label and what its bytes allow, in that order of
/// trust. The exception: valid UTF-8 text is treated as UTF-8 whatever its label says, because wrong labels are
/// common and accidental UTF-8 is not.
pub(crate) fn decode(bytes: &[u8], content_type: Option<&str>) -> String {
    if let Some((encoding, skipped)) = Encoding::for_bom(bytes) {
        if encoding == UTF_8
            && let Ok(text) = std::str::from_utf8(&bytes[skipped..])
        {
            return encoded_once(text);
        }
        return encoding
            .decode_without_bom_handling(&bytes[skipped..])
            .0
            .into_owned();
    }
    if let Some(encoding) = utf_16_without_mark(bytes) {
        return encoding.decode_without_bom_handling(bytes).0.into_owned();
    }
    let label = label(bytes, content_type);
    // Seven-bit encodings look like ASCII, so their label must be believed.
    let seven_bit = label.is_some_and(|encoding| !encoding.is_ascii_compatible());
    if !seven_bit && let Ok(text) = std::str::from_utf8(bytes) {
        return encoded_once(text);
    }
    match label {
        // A UTF-16 label on a document without UTF-16 bytes, as determined above, is wrong.
        Some(encoding) if encoding != UTF_8 && encoding != UTF_16BE && encoding != UTF_16LE => {
            encoding.decode_without_bom_handling(bytes).0.into_owned()
        }
        _ => decode_mixed(bytes),
    }
}

/// Undoes a second encoding: UTF-8 that was mistaken for Windows-1252 and encoded again (`Ã¼` for `ü`). It is done
/// only if it fits the whole document, which never happens by accident: one `é` followed by a plain letter rules it
/// out.
fn encoded_once(text: &str) -> String {
    if !text.contains(['Ã', 'Â', 'â', 'Ð', 'Ñ']) {
        return text.to_owned();
    }
    let (bytes, _, unmappable) = WINDOWS_1252.encode(text);
    match std::str::from_utf8(&bytes) {
        Ok(once) if !unmappable => once.to_owned(),
        _ => text.to_owned(),
    }
}

/// The encoding that the header or the document names. A header that says plain Latin-1 is a server's default rather
/// than knowledge, and gives way to the document.
fn label(bytes: &[u8], content_type: Option<&str>) -> Option<&'static Encoding> {
    let named = content_type
        .and_then(charset_parameter)
        .and_then(|label| Encoding::for_label(label.as_bytes()));
    let own = own_label(bytes);
    match (named, own) {
        (Some(named), Some(own)) if named == WINDOWS_1252 => Some(own),
        (named, own) => named.or(own),
    }
}

fn charset_parameter(content_type: &str) -> Option<&str> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then(|| value.trim().trim_matches(['"', '\'']))
    })
}

/// The label of an XML declaration or an HTML `meta` element.
fn own_label(bytes: &[u8]) -> Option<&'static Encoding> {
    let head: String = bytes[..bytes.len().min(LABEL_BYTES)]
        .iter()
        .map(|byte| char::from(byte.to_ascii_lowercase()))
        .collect();
    let declared = head
        .find("<?xml")
        .and_then(|start| head[start..].split_once("?>"))
        .and_then(|(declaration, _)| value_after(declaration, "encoding"));
    let declared = declared.or_else(|| {
        head.split("<meta")
            .skip(1)
            .find_map(|element| value_after(element.split('>').next()?, "charset"))
    });
    Encoding::for_label(declared?.as_bytes())
}

/// The value of `name = "value"`, quoted or not.
fn value_after<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let after = text
        .split_once(name)?
        .1
        .trim_start()
        .strip_prefix('=')?
        .trim_start();
    let after = after.trim_start_matches(['"', '\'']);
    let end = after
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.')))
        .unwrap_or(after.len());
    Some(&after[..end])
}

/// Markup begins with ASCII, so a zero in every other byte gives UTF-16 away.
fn utf_16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let (big, little) = match bytes.get(..4)? {
        [0, a, 0, b] => (*a != 0 && *b != 0, false),
        [a, 0, b, 0] => (false, *a != 0 && *b != 0),
        _ => (false, false),
    };
    if big {
        Some(UTF_16BE)
    } else {
        little.then_some(UTF_16LE)
    }
}

/// UTF-8 mixed with foreign bytes, which are read as Windows-1252: text pasted from another encoding.
fn decode_mixed(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.push_str(&WINDOWS_1252.decode_without_bom_handling(chunk.invalid()).0);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn labels_are_believed_where_the_bytes_allow_it() {
        let cyrillic =
            b"<?xml version='1.0' encoding='windows-1251'?><a>\xcf\xf0\xe8\xe2\xe5\xf2</a>";
        for (bytes, content_type, expected) in [
            (&cyrillic[..], None, "Привет"),
            (cyrillic, Some("text/xml; charset=ISO-8859-1"), "Привет"),
            (
                b"<a>caf\xe9</a>",
                Some("text/xml; charset=\"iso-8859-1\""),
                "café",
            ),
            (b"<a>caf\xe9</a>", None, "café"),
            (
                "<?xml encoding='iso-8859-1'?><a>café</a>".as_bytes(),
                None,
                "café",
            ),
            (
                "<a>caf\u{e9} ".as_bytes(),
                Some("text/xml; charset=latin1"),
                "café",
            ),
            (
                b"<html><head><META http-equiv=x content='text/html; charset=koi8-r'>\xf0\xd2",
                None,
                "Пр",
            ),
            (
                b"\xef\xbb\xbf<a>\xc3\xa9</a>",
                Some("text/xml; charset=latin1"),
                "é",
            ),
            (b"\xff\xfe<\0a\0\xe9\0", None, "aé"),
            (b"\0<\0a\0>\0\xe9", None, "é"),
            (b"<a>\xe2\x80\x99 and \x92</a>", None, "’ and ’"),
            (
                b"<?xml version='1.0' encoding='no-such-thing'?>\xe9",
                None,
                "é",
            ),
            (
                b"<?xml version='1.0' encoding='utf-16'?><a>ok\xe9",
                None,
                "oké",
            ),
        ] {
            let text = decode(bytes, content_type);
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn text_that_was_encoded_twice_is_mended() {
        let twice = |text: &str| {
            WINDOWS_1252
                .decode_without_bom_handling(text.as_bytes())
                .0
                .into_owned()
        };
        for text in [
            "Förderung für Köln",
            "l’été à Paris",
            "naïve",
            "“quoted”",
            "Привет",
        ] {
            assert_eq!(decode(twice(text).as_bytes(), None), text);
            assert_eq!(decode(text.as_bytes(), None), text);
        }
        let mixed = format!("{} and müde", twice("Förderung"));
        assert_eq!(decode(mixed.as_bytes(), None), mixed);
    }

    #[test]
    fn gzip_without_a_header_is_unpacked_up_to_the_limit() {
        let packed = gzip(&vec![b'x'; 100_000]);
        assert_eq!(inflate(&packed, 100_000).unwrap().len(), 100_000);
        assert!(matches!(
            inflate(&packed, 99_999),
            Err(ParseError::TooLarge(99_999))
        ));
        assert_eq!(inflate(b"plain", 3).unwrap().as_ref(), b"plain");
        assert!(matches!(
            inflate(&[0x1f, 0x8b, 9, 9], 100),
            Err(ParseError::Damaged(_))
        ));
        assert!(
            !inflate(&packed[..packed.len() - 8], 1 << 20)
                .unwrap()
                .is_empty(),
            "a cut file is read in part"
        );
    }
}
