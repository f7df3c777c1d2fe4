//! The text of PDFs, and what becomes of those that are not worth reading. All of them are built here.

#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

#[path = "pdf/build.rs"]
mod build;
#[path = "pdf/hostile.rs"]
mod hostile;
#[path = "pdf/text.rs"]
mod text;

use extraction::{Error, Extraction, Limits, Origin, PdfText, Unreadable};

/// What becomes of a PDF in this process, where a panic would show.
async fn read(bytes: impl Into<Vec<u8>>) -> Result<PdfText, Unreadable> {
    let extraction = Extraction::in_process(Limits::default());
    match extraction.read_pdf(bytes.into(), Origin::Caller, ()).await {
        Ok(text) => Ok(text),
        Err(Error::Unreadable(reason)) => Err(reason),
        Err(error) => panic!("{error}"),
    }
}
