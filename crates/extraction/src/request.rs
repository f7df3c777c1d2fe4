//! What a worker is asked to read, and how it answers.
//!
//! A request is two frames: a letter for the kind of document, followed by the address if it is a page, then the
//! document itself. An answer is one frame of JSON.

use std::io::{self, Read};

use serde::{Deserialize, Serialize};
use text::page::Page;
use tokio::io::AsyncWrite;

use crate::frame;
use crate::pdf::{self, PdfText, Unreadable};

const PAGE: u8 = b'w';
const PDF: u8 = b'p';

/// A page as it was fetched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebPage {
    /// The address that answered.
    pub url: String,
    /// The page, decoded, with all its markup.
    pub html: String,
}

impl WebPage {
    fn article(&self) -> Option<Page> {
        let url = Some(self.url.as_str()).filter(|url| !url.is_empty());
        text::page::extract(&self.html, url)
    }
}

/// A document that a worker reads.
#[derive(Debug)]
pub(crate) enum Request {
    Page(WebPage),
    Pdf(Vec<u8>),
}

/// What a worker answers.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// The page was read; there may be no article in it.
    Read(Option<Page>),
    /// The PDF was read, or the reason why it could not be.
    Pdf(Result<PdfText, Unreadable>),
    /// The reader panicked.
    Panicked,
}

impl Request {
    /// Sends the request to a worker.
    pub(crate) async fn send(&self, pipe: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        let (head, document) = match self {
            Self::Page(page) => (
                [&[PAGE], page.url.as_bytes()].concat(),
                text::page::shortened(&page.html).as_bytes(),
            ),
            Self::Pdf(bytes) => (vec![PDF], bytes.as_slice()),
        };
        frame::send(pipe, &head).await?;
        frame::send(pipe, document).await
    }

    /// Reads the document, which may kill this process.
    pub(crate) fn answer(self) -> Answer {
        match self {
            Self::Page(page) => Answer::Read(page.article()),
            Self::Pdf(bytes) => Answer::Pdf(pdf::read(&bytes)),
        }
    }

    /// Reads a request; `None` if the server has closed the pipe.
    pub(crate) fn read(pipe: &mut impl Read) -> io::Result<Option<Self>> {
        let (Some(head), Some(document)) = (frame::read(pipe)?, frame::read(pipe)?) else {
            return Ok(None);
        };
        match head.split_first() {
            Some((&PAGE, url)) => Ok(Some(Self::Page(WebPage {
                url: String::from_utf8_lossy(url).into_owned(),
                html: String::from_utf8(document)
                    .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
            }))),
            Some((&PDF, [])) => Ok(Some(Self::Pdf(document))),
            _ => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "a request for an unknown kind of document",
            )),
        }
    }
}
