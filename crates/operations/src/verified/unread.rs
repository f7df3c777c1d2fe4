//! Files that cannot become documents: archives, pictures, programs and office formats. A caller who sends one as
//! base64 text gets an error, instead of discovering later that none of it can be found.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// The error message for these files.
pub(super) const REFUSAL: &str =
    "only Markdown, plain text, HTML and PDF are read, the last one in base64";

/// Base64 with at least this many characters is judged by its content, shorter base64 only by how it begins.
const LEAST: usize = 200;

/// Line lengths at which base64 is wrapped: in PEM and in MIME.
const WRAPPED: [usize; 2] = [64, 76];

/// Number of characters by which a text is judged.
const LOOKED_AT: usize = 4_096;

/// Byte sequences with which files of common formats begin: archives and office documents, pictures, programs, sound.
const BEGINNINGS: &[&[u8]] = &[
    b"PK\x03\x04",
    b"\xd0\xcf\x11\xe0",
    b"\x1f\x8b\x08",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a",
    b"\x89PNG\r\n",
    b"\xff\xd8\xff",
    b"GIF8",
    b"MZ\x90",
    b"\x7fELF",
    b"ID3\x03",
];

/// Extensions of these files.
const ENDINGS: &[&str] = &[
    "7z", "apk", "avi", "bmp", "bz2", "dll", "dmg", "doc", "docm", "docx", "dot", "dotx", "epub",
    "exe", "gif", "gz", "heic", "ico", "iso", "jar", "jpeg", "jpg", "mkv", "mov", "mp3", "mp4",
    "msg", "msi", "numbers", "odp", "ods", "odt", "ogg", "otf", "pages", "parquet", "png", "ppt",
    "pptx", "rar", "rtf", "sqlite", "tar", "tgz", "tif", "tiff", "ttf", "wasm", "wav", "webm",
    "webp", "xls", "xlsb", "xlsm", "xlsx", "xz", "zip", "zst",
];

/// Whether a file name has the extension of a format that is not read.
pub(super) fn is_named_as_one(filename: &str) -> bool {
    filename.trim().rsplit_once('.').is_some_and(|(_, ending)| {
        ENDINGS
            .binary_search(&ending.to_ascii_lowercase().as_str())
            .is_ok()
    })
}

/// Whether a text that is not sent as a PDF is a file in base64: one that begins like these files, or that contains a
/// byte never found in text.
pub(super) fn is_one(content: &str) -> bool {
    let Some(packed) = packed(content) else {
        return false;
    };
    let config = GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let Ok(bytes) = GeneralPurpose::new(&STANDARD, config).decode(&packed) else {
        return false;
    };
    let begins = BEGINNINGS.iter().any(|start| bytes.starts_with(start));
    begins || packed.len() >= LEAST && bytes.contains(&0)
}

/// The beginning of a text without line breaks, if all of it looks like base64: a single run of its characters, or
/// lines of the length at which programs wrap them. Lists of symbols, years and identifiers also have lines of equal
/// length, hashes are hex digits only, and sequences of bases are capital letters only.
fn packed(content: &str) -> Option<String> {
    let content = content.trim();
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let is_break = |byte: u8| matches!(byte, b'\r' | b'\n');
    if !content.bytes().all(|byte| is_sign(byte) || is_break(byte)) {
        return None;
    }
    let start = content.get(..LOOKED_AT).unwrap_or(content);
    let lines: Vec<&str> = start.lines().collect();
    let (last, others) = lines.split_last()?;
    let is_wrapped = others.first().is_none_or(|first| {
        let length = first.len();
        WRAPPED.contains(&length)
            && others.iter().all(|line| line.len() == length)
            && last.len() <= length
    });
    let mut packed = lines.concat();
    let is_hex = packed.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_mixed = packed.contains(|sign: char| sign.is_ascii_lowercase())
        && packed.contains(|sign: char| sign.is_ascii_uppercase());
    if !is_wrapped || is_hex || !is_mixed {
        return None;
    }
    if start.len() < content.len() {
        packed.truncate(packed.len() / 4 * 4);
    }
    Some(packed)
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::STANDARD;

    use super::*;

    #[test]
    fn endings_are_in_order() {
        assert!(ENDINGS.is_sorted());
        assert!(is_named_as_one("Report.DOCX") && is_named_as_one("a.tar.gz"));
        for name in [
            "report.md",
            "report.txt",
            "docx",
            "report.pdf",
            "a.docx.html",
        ] {
            assert!(!is_named_as_one(name), "{name}");
        }
    }

    #[test]
    fn base64_of_what_is_no_text_is_recognised() {
        let random: Vec<u8> = (0..200_u8)
            .map(|byte| byte.wrapping_mul(37) ^ 0x9c)
            .collect();
        let with = |start: &[u8]| STANDARD.encode([start, &random].concat());
        for start in [
            b"PK\x03\x04".as_slice(),
            b"\x89PNG\r\n",
            b"MZ\x90",
            b"what else",
        ] {
            let content = with(start);
            assert!(is_one(&content), "{content}");
            let lines: Vec<&[u8]> = content.as_bytes().chunks(76).collect();
            let wrapped = lines.join(&b'\n');
            assert!(is_one(std::str::from_utf8(&wrapped).unwrap()));
        }
        let large = STANDARD.encode(random.repeat(9_000));
        assert!(is_one(&large));
        // A small one by how it begins.
        assert!(is_one(&STANDARD.encode(b"PK\x03\x04\x14\x00\x06\x00")));
    }

    #[test]
    fn words_are_no_files() {
        let words = STANDARD
            .encode("What a text in base64 says is a text too, whoever may wish to read it so.");
        let token = "0123456789abcdef".repeat(8);
        for content in [
            "Overview",
            "alpha\nbeta\ngamma",
            "Only Markdown plain text HTML and PDF are read in base64 and nothing else",
            "营收增长",
            "====",
            &words,
            &format!("The key is {token}."),
            &token,
            "US0378331005\nUS5949181045\nUS67066G1040\nUS0231351067\nUS02079K3059\nUS30303M1027",
            &"AAPL\nMSFT\nNVDA\nAMZN\n".repeat(16),
            &"2001\n2002\n2003\n2004\n".repeat(16),
            &"00AA9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f0\n".repeat(4),
            &"GATTACAAAAAA".repeat(40),
        ] {
            assert!(!is_one(content), "{content}");
        }
    }
}
