//! PDFs that are no PDFs, that are damaged, or that are made to exhaust who reads them.

use std::time::Instant;

use extraction::{Excess, PdfText, Unreadable};

use crate::build::{bomb, document, drawn, pages, stream};
use crate::read;

const UNPACKED: Unreadable = Unreadable::TooLarge(Excess::Unpacked);

fn good() -> Vec<u8> {
    drawn(&["BT /F 10 Tf (first) Tj ET", "BT /F 10 Tf (second) Tj ET"])
}

/// Bytes without a plan, the same every time.
fn random(length: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    })
    .take(length)
    .collect()
}

#[tokio::test]
async fn what_is_no_pdf_is_called_so() {
    for bytes in [
        Vec::new(),
        b"<html>".to_vec(),
        random(100_000),
        b"%PDF".to_vec(),
    ] {
        assert_eq!(read(bytes).await, Err(Unreadable::NotPdf));
    }
    let with_header = [b"%PDF-1.4\n".as_slice(), &random(100_000)].concat();
    assert_eq!(read(with_header).await, Err(Unreadable::Broken));
    // Software of all kinds writes in front of the header.
    let late = [b"Content-Type: application/pdf\r\n\r\n".as_slice(), &good()].concat();
    assert_eq!(read(late).await.unwrap().text, "first\n\nsecond");
}

#[tokio::test]
async fn a_truncated_pdf_gives_what_is_left_or_is_broken() {
    let whole = good();
    for end in (9..whole.len()).step_by(7) {
        match read(&whole[..end]).await {
            Ok(text) => assert!(text.text.starts_with("first"), "{end}: {text:?}"),
            Err(reason) => assert_eq!(reason, Unreadable::Broken, "{end}"),
        }
    }
}

#[tokio::test]
async fn any_byte_may_be_wrong() {
    let whole = good();
    for (place, byte) in random(whole.len()).into_iter().enumerate() {
        let mut damaged = whole.clone();
        damaged[place] = byte;
        // Whatever becomes of it, it is an answer.
        let _ = read(damaged).await;
    }
}

#[tokio::test]
async fn a_gibibyte_of_spaces_is_not_unpacked() {
    let bomb = bomb(1024);
    assert!(bomb.len() < PdfText::MOST_BYTES);
    let packed = stream("/Filter /FlateDecode", &bomb);
    let show = stream("", b"/X Do BT /G 10 Tf (x) Tj ET");
    let font = b"<< /Type /Font /Subtype /Type1 /ToUnicode 7 0 R >>".to_vec();
    let form = stream("/Subtype /Form /Filter /FlateDecode", &bomb);
    let objects = stream("/Type /ObjStm /N 1 /First 10 /Filter /FlateDecode", &bomb);
    for (place, pdf) in [
        ("page", pages(std::slice::from_ref(&packed), "", &[])),
        (
            "objects",
            pages(std::slice::from_ref(&show), "", &[objects]),
        ),
        (
            "font",
            pages(std::slice::from_ref(&show), "", &[font, packed]),
        ),
        ("form", pages(&[show], "/XObject << /X 6 0 R >>", &[form])),
    ] {
        let started = Instant::now();
        assert_eq!(read(pdf).await, Err(UNPACKED), "{place}");
        assert!(started.elapsed().as_secs() < 60, "{place}");
    }
}

#[tokio::test]
async fn streams_that_are_harmless_alone_have_a_bound_together() {
    // Three pages of 50 MiB each.
    let page = stream("/Filter /FlateDecode", &bomb(50));
    assert_eq!(read(pages(&vec![page; 3], "", &[])).await, Err(UNPACKED));
    // Each form draws the next one ten times, and the last one says something.
    let mut forms: Vec<Vec<u8>> = (7..13)
        .map(|next| {
            let entries = format!("/Subtype /Form /Resources << /XObject << /X {next} 0 R >> >>");
            stream(&entries, "/X Do ".repeat(10).as_bytes())
        })
        .collect();
    let form = |content: &[u8]| {
        stream(
            "/Subtype /Form /Resources << /Font << /F 3 0 R >> >>",
            content,
        )
    };
    forms.push(form(b"BT /F 10 Tf (x) Tj ET"));
    let pdf = |forms: &[Vec<u8>]| pages(&[stream("", b"/X Do")], "/XObject << /X 6 0 R >>", forms);
    assert_eq!(read(pdf(&forms)).await, Err(UNPACKED));
    // Where it says nothing, once is enough.
    forms.pop();
    forms.push(form(b"0 0 m"));
    assert_eq!(read(pdf(&forms)).await, Err(Unreadable::NoText));
}

#[tokio::test]
async fn what_leads_in_circles_comes_to_an_end() {
    let text = stream("", b"/X Do BT /F 10 Tf (x) Tj ET");
    let itself = pages(&[b"5 0 R".to_vec()], "", &[]);
    assert_eq!(read(itself).await, Err(Unreadable::NoText));
    let form = stream("/Subtype /Form", b"/X Do");
    let form = pages(&[text], "/XObject << /X 6 0 R >>", &[form]);
    assert_eq!(read(form).await.unwrap().text, "x");
    let tree = document(&[
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R 2 0 R 3 0 R] /Parent 2 0 R /Count 3 >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>"
            .to_vec(),
        stream("", b"BT /F 10 Tf (once) Tj ET"),
        crate::build::FONT.as_bytes().to_vec(),
    ]);
    let tree = read(tree).await.unwrap();
    assert_eq!((tree.text.as_str(), tree.pages), ("once", 1));
    let previous = String::from_utf8(good()).unwrap();
    let start = previous.find("xref").unwrap();
    let previous = previous.replace("/Root", &format!("/Prev {start} /Root"));
    assert_eq!(read(previous).await.unwrap().pages, 2);
}

#[tokio::test]
async fn nesting_has_a_bound() {
    let deep = format!(
        "BT /F 10 Tf {}(x){} TJ ET",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(read(drawn(&[&deep])).await, Err(Unreadable::NoText));
    let dictionaries = [b"<< /A ".repeat(100_000), b">>".repeat(100_000)].concat();
    let object = pages(&[stream("", b"BT /F 10 Tf (x) Tj ET")], "", &[dictionaries]);
    assert_eq!(read(object).await.unwrap().text, "x");
    let states = format!("{} BT /F 10 Tf (x) Tj ET", "q ".repeat(500_000));
    assert_eq!(read(drawn(&[&states])).await.unwrap().text, "x");
}

#[tokio::test]
async fn pages_bytes_and_text_have_a_bound() {
    let page = "BT /F 10 Tf (x) Tj ET";
    assert_eq!(read(drawn(&[page; 500])).await.unwrap().pages, 500);
    for number in [501, 10_000] {
        let excess = Unreadable::TooLarge(Excess::Pages);
        assert_eq!(read(drawn(&vec![page; number])).await, Err(excess));
    }
    let claimed = String::from_utf8(good()).unwrap();
    let claimed = claimed.replace("/Count 2", "/Count 9223372036854775807");
    assert_eq!(read(claimed).await.unwrap().pages, 2);
    let mut long = good();
    long.resize(PdfText::MOST_BYTES + 1, b' ');
    assert_eq!(read(long).await, Err(Unreadable::TooLarge(Excess::Bytes)));
    let much = format!("BT /F 10 Tf ({}) Tj ET", "word ".repeat(1_000_000));
    assert_eq!(
        read(drawn(&[&much])).await,
        Err(Unreadable::TooLarge(Excess::Text))
    );
}

#[tokio::test]
async fn a_false_place_of_the_table_is_repaired() {
    let whole = String::from_utf8(good()).unwrap();
    let start = whole.find("startxref\n").unwrap() + "startxref\n".len();
    for place in [
        "99999999999999999999",
        "18446744073709551615",
        "4294967296",
        "-1",
        "0",
        "8",
    ] {
        let moved = format!("{}{place}\n%%EOF\n", &whole[..start]);
        assert_eq!(
            read(moved).await.unwrap().text,
            "first\n\nsecond",
            "{place}"
        );
    }
    // Numbers of objects for which nobody has room.
    let size = whole.replace("/Size 8", "/Size 4294967295");
    assert_eq!(read(size).await.unwrap().pages, 2);
}
