//! PDFs that exhaust whoever reads them, against the real binary: each fails alone, and the worker's limits hold.

#![cfg(unix)]
use std::time::Duration;

use extraction::{Error, Extraction, Limits, Origin, PdfText, Unreadable, WebPage, WorkerCommand};

fn workers(limits: Limits) -> Extraction {
    let command = WorkerCommand {
        program: env!("CARGO_BIN_EXE_assay").into(),
        arguments: [
            "page-worker".into(),
            "--page-ms".into(),
            limits.page_time.as_millis().to_string().into(),
            "--memory-bytes".into(),
            limits.memory_bytes.to_string().into(),
        ]
        .into(),
        environment: vec![("MIMALLOC_ARENA_RESERVE".into(), "0".into())],
    };
    Extraction::in_workers(command, limits)
}

/// Debug builds on busy machines are slow; what is measured is that an end comes at all.
fn patient() -> Limits {
    Limits {
        workers: 2,
        page_time: Duration::from_mins(1),
        wait: Duration::from_mins(2),
        ..Limits::default()
    }
}

/// A PDF of one page. It has no table of its objects, which readers make up for.
fn pdf(content: &str) -> Vec<u8> {
    let length = content.len();
    format!(
        "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n\
         2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n\
         3 0 obj\n<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>\nendobj\n\
         4 0 obj\n<< /Length {length} >>\nstream\n{content}\nendstream\nendobj\n\
         5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>\nendobj\n\
         trailer\n<< /Root 1 0 R /Size 6 >>\n"
    )
    .into_bytes()
}

fn good() -> Vec<u8> {
    pdf("BT /F 10 Tf (The ferry sails) Tj ET")
}

/// Millions of numbers for one operation, each of which takes fifty times its two bytes.
fn heavy() -> Vec<u8> {
    pdf(&"0 ".repeat(4_000_000))
}

async fn read(extraction: &Extraction, bytes: Vec<u8>) -> Result<PdfText, Error> {
    extraction.read_pdf(bytes, Origin::Caller, ()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_reads_pdfs_and_pages_by_turns() {
    let extraction = workers(patient());
    for _ in 0..2 {
        let text = read(&extraction, good()).await.unwrap();
        assert_eq!((text.text.as_str(), text.pages), ("The ferry sails", 1));
        let page = WebPage {
            url: String::new(),
            html: "<p>x".into(),
        };
        let article = extraction.extract(page, Origin::Caller, ()).await;
        assert_eq!(article.unwrap(), None);
        let empty = read(&extraction, pdf("")).await;
        assert!(
            matches!(empty, Err(Error::Unreadable(Unreadable::NoText))),
            "{empty:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pdf_has_its_memory_and_its_neighbours_are_read() {
    let small = Limits {
        memory_bytes: 128 << 20,
        ..patient()
    };
    let extraction = workers(small);
    for _ in 0..2 {
        let exhausted = read(&extraction, heavy()).await;
        assert!(matches!(exhausted, Err(Error::Crashed)), "{exhausted:?}");
        read(&extraction, good()).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pdf_has_its_time() {
    let short = Limits {
        page_time: Duration::from_millis(1),
        ..patient()
    };
    let late = read(&workers(short), heavy()).await;
    assert!(matches!(late, Err(Error::TooSlow(_))), "{late:?}");
}
