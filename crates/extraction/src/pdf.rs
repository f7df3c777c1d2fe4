//! The text of a PDF, within limits that a small hostile file soon reaches.
//!
//! Whatever makes a PDF cheap to write and expensive to read (streams that unpack to gigabytes, forms that draw each
//! other, endless pages) is counted here, so that the sender is told what is wrong. Whatever is not counted is bounded
//! by the time and the memory of the worker that calls [`read`]. Images are not looked at: a scan has no text.

mod drawing;
mod font;
mod interpreter;
mod lines;
mod matrix;
mod unicode_map;
mod widths;

use std::collections::HashSet;

use lopdf::{DecompressError, Document, LoadOptions, ObjectId, ParseError};
use serde::{Deserialize, Serialize};

use crate::pdf::interpreter::Interpreter;

/// The header is within this many bytes of the start; some software writes other things before it.
const HEADER_WITHIN: usize = 1024;
/// Unpacked size of one stream: the content of a page, or a packed part of the document's objects.
const UNPACKED_STREAM: usize = 64 << 20;
/// Unpacked size of everything that is drawn, a form as often as it is drawn. Dense pages have some 100 KiB each.
const UNPACKED_CONTENT: usize = 128 << 20;

/// The text of a PDF.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PdfText {
    /// One line for each line of the PDF, a blank line between pages, and words that were hyphenated at the end of a
    /// line in one piece.
    pub text: String,
    /// How many pages there are, including those without text.
    pub pages: u32,
}

impl PdfText {
    /// The largest PDF that is read.
    pub const MOST_BYTES: usize = 8 << 20;
    /// The most pages that are read.
    pub const MOST_PAGES: u32 = 500;
    /// The longest text that is taken from a PDF, in bytes.
    pub const MOST_TEXT_BYTES: usize = 4 << 20;
}

/// What is wrong with a PDF. A retry would fail in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Unreadable {
    /// The bytes are something else.
    #[error("it is not a PDF")]
    NotPdf,
    /// It opens only with a password.
    #[error("the PDF is encrypted and opens only with a password")]
    Encrypted,
    /// Its parts do not make up a document.
    #[error("the PDF is broken")]
    Broken,
    /// It exceeds a limit.
    #[error("the PDF is too large: {0}")]
    TooLarge(Excess),
    /// It has pages, but no text on them.
    #[error("the PDF has no text, as if its pages were scanned")]
    NoText,
}

/// The limit that a PDF exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Excess {
    /// [`PdfText::MOST_BYTES`].
    #[error("more than {} MiB", PdfText::MOST_BYTES >> 20)]
    Bytes,
    /// [`PdfText::MOST_PAGES`].
    #[error("more than {} pages", PdfText::MOST_PAGES)]
    Pages,
    /// [`PdfText::MOST_TEXT_BYTES`].
    #[error("more than {} MiB of text", PdfText::MOST_TEXT_BYTES >> 20)]
    Text,
    /// Its compressed content.
    #[error("its compressed parts unpack to too much")]
    Unpacked,
}

/// What can be said about a PDF without reading it.
pub(crate) fn check(bytes: &[u8]) -> Result<(), Unreadable> {
    if bytes.len() > PdfText::MOST_BYTES {
        return Err(Unreadable::TooLarge(Excess::Bytes));
    }
    let start = &bytes[..bytes.len().min(HEADER_WITHIN)];
    if start.windows(5).any(|five| five == b"%PDF-") {
        Ok(())
    } else {
        Err(Unreadable::NotPdf)
    }
}

/// The text of a PDF. Only for a process that may be killed by it.
pub(crate) fn read(bytes: &[u8]) -> Result<PdfText, Unreadable> {
    check(bytes)?;
    let options = LoadOptions::with_max_decompressed_size(UNPACKED_STREAM);
    let document = Document::load_mem_with_options(bytes, options).map_err(reason)?;
    // Still there only if the empty password, with which most encrypted PDFs open, does not fit.
    if document.trailer.has(b"Encrypt") {
        return Err(Unreadable::Encrypted);
    }
    let pages = pages(&document)?;
    let mut interpreter = Interpreter::new(&document, UNPACKED_CONTENT);
    let mut text = String::new();
    for page in &pages {
        let page = interpreter.page(*page)?;
        if !text.is_empty() && !page.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(&page);
        if text.len() > PdfText::MOST_TEXT_BYTES {
            return Err(Unreadable::TooLarge(Excess::Text));
        }
    }
    if text.is_empty() {
        return Err(if is_whole(bytes, &document, &pages) {
            Unreadable::NoText
        } else {
            Unreadable::Broken
        });
    }
    Ok(PdfText {
        text,
        pages: pages.len() as u32,
    })
}

/// Whether a PDF says at its end where its objects are, and has the pages that it lists. A file that is cut off is read
/// as far as it goes. If nothing is read from it, that is not because its pages were scanned.
fn is_whole(bytes: &[u8], document: &Document, pages: &[ObjectId]) -> bool {
    let has = |word: &[u8]| bytes.windows(word.len()).any(|part| part == word);
    (has(b"startxref") || has(b"trailer"))
        && pages
            .iter()
            .all(|page| document.get_dictionary(*page).is_ok())
}

/// The pages in order. A tree that leads back to a page adds nothing.
fn pages(document: &Document) -> Result<Vec<ObjectId>, Unreadable> {
    let mut pages = Vec::new();
    let mut known = HashSet::new();
    // Not collected: the length that the iterator reports comes from the file.
    for page in document.page_iter() {
        if known.insert(page) {
            pages.push(page);
        }
        if pages.len() > PdfText::MOST_PAGES as usize {
            return Err(Unreadable::TooLarge(Excess::Pages));
        }
    }
    if pages.is_empty() {
        Err(Unreadable::Broken)
    } else {
        Ok(pages)
    }
}

/// What the library's error means for the sender of the PDF.
fn reason(error: lopdf::Error) -> Unreadable {
    use lopdf::Error as Cause;
    match error {
        Cause::Decompress(DecompressError::MemoryLimitExceeded { .. }) => {
            Unreadable::TooLarge(Excess::Unpacked)
        }
        Cause::Parse(ParseError::InvalidFileHeader) => Unreadable::NotPdf,
        Cause::Decryption(_) | Cause::InvalidPassword | Cause::UnsupportedSecurityHandler(_) => {
            Unreadable::Encrypted
        }
        _ => Unreadable::Broken,
    }
}
