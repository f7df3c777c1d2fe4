//! Words, lines and pages come out as a reader sees them.

use lopdf::{Document, EncryptionState, EncryptionVersion, Permissions};

use crate::build::{document, drawn, pages, stream};
use crate::read;
use extraction::Unreadable;

#[tokio::test]
async fn pages_come_in_order_apart_by_a_blank_line() {
    let pdf = drawn(&[
        "BT /F 10 Tf 50 700 Td (The ferry sails) Tj 0 -12 Td (on Monday.) Tj ET",
        "BT /F 10 Tf 50 700 Td (Tickets stay) Tj 0 -12 Td (valid.) Tj ET",
    ]);
    let read = read(pdf).await.unwrap();
    assert_eq!(
        read.text,
        "The ferry sails\non Monday.\n\nTickets stay\nvalid."
    );
    assert_eq!(read.pages, 2);
}

#[tokio::test]
async fn lines_and_words_are_found_by_where_they_stand() {
    for (content, expected) in [
        // Every way to begin a line.
        ("(a) Tj T* (b) Tj", "a\nb"),
        ("(a) Tj (b) '", "a\nb"),
        ("(a) Tj 0 0 (b) \"", "a\nb"),
        ("(a) Tj 0 -12 TD (b) Tj T* (c) Tj", "a\nb\nc"),
        ("1 0 0 1 9 90 Tm (a) Tj 1 0 0 1 9 70 Tm (b) Tj", "a\nb"),
        ("(a) Tj ET 1 0 0 1 0 -20 cm BT 9 90 Td (b) Tj", "a\nb"),
        // A gap is a space, kerning is none; Courier has no widths here, half an em is taken.
        ("[(fer) -80 (ry) -300 (sails)] TJ", "ferry sails"),
        ("(one) Tj 30 0 Td (two) Tj", "one two"),
        ("(one) Tj 15 0 Td (two) Tj", "onetwo"),
        ("(x) Tj 5 3 Td (2) Tj", "x2"),
        (
            "0 1 -1 0 9 9 Tm (up) Tj 0 1 -1 0 29 9 Tm (wards) Tj",
            "up\nwards",
        ),
        // Words that are parted at the end of a line, and those that only look so.
        ("(the govern-) Tj T* (ment of) Tj", "the government of"),
        ("(the govern\\255) Tj T* (ment of) Tj", "the government of"),
        ("(Anglo-) Tj T* (American) Tj", "Anglo-\nAmerican"),
        ("(pages 3 -) Tj T* (see) Tj", "pages 3 -\nsee"),
        (
            "(  many   spaces ) Tj T* ( ) Tj T* (here) Tj",
            "many spaces\nhere",
        ),
    ] {
        let content = format!("BT /F 10 Tf 12 TL 9 90 Td {content} ET");
        let read = read(drawn(&[&content])).await.unwrap();
        assert_eq!(read.text, expected, "{content}");
    }
}

/// A font of two-byte codes with widths, whose map to Unicode names three.
fn composite(content: &str) -> Vec<u8> {
    let map = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n\
        1 begincodespacerange <0000> <FFFF> endcodespacerange\n\
        3 beginbfchar <0001> <00E9> <0002> <FB01> <0003> <0416> endbfchar\n\
        endcmap end end";
    pages(
        &[stream("", content.as_bytes())],
        "",
        &[
            b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [7 0 R] /ToUnicode 8 0 R >>"
                .to_vec(),
            b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /DW 300 /W [1 [1000 500] 3 3 200] >>".to_vec(),
            stream("", map.as_bytes()),
        ],
    )
}

#[tokio::test]
async fn composite_fonts_have_their_map_and_their_widths() {
    let pdf = composite("BT /G 10 Tf <000100020003> Tj 17 0 Td <0001> Tj 13 0 Td <0001> Tj ET");
    assert_eq!(read(pdf).await.unwrap().text, "éfiЖé é");
}

#[tokio::test]
async fn a_map_to_unicode_goes_before_an_encoding_which_fills_its_holes() {
    let map = "begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <03A9> endbfchar endcmap";
    let pdf = pages(
        &[stream("", b"BT /G 10 Tf (AB) Tj ET")],
        "",
        &[
            b"<< /Type /Font /Subtype /Type1 /BaseFont /X /Encoding /WinAnsiEncoding /ToUnicode 7 0 R >>".to_vec(),
            stream("", map.as_bytes()),
        ],
    );
    assert_eq!(read(pdf).await.unwrap().text, "ΩB");
}

#[tokio::test]
async fn forms_are_part_of_the_page() {
    let pdf = pages(
        &[stream(
            "",
            b"BT /F 10 Tf 9 90 Td (before) Tj ET /X Do BT 9 50 Td (after) Tj ET",
        )],
        "/XObject << /X 6 0 R >>",
        &[stream(
            "/Type /XObject /Subtype /Form /Matrix [1 0 0 1 0 -20]",
            b"BT /F 10 Tf 9 90 Td (within) Tj ET",
        )],
    );
    assert_eq!(read(pdf).await.unwrap().text, "before\nwithin\nafter");
}

#[tokio::test]
async fn pictures_and_empty_pages_have_no_text() {
    for content in [
        "",
        "0 0 m 9 9 l S",
        "BT /F 10 Tf ( ) Tj ET",
        "BT /Missing 10 Tf (x) Tj ET",
    ] {
        assert_eq!(
            read(drawn(&[content])).await,
            Err(Unreadable::NoText),
            "{content}"
        );
    }
    let read = read(drawn(&["", "BT /F 10 Tf (x) Tj ET", ""]))
        .await
        .unwrap();
    assert_eq!((read.text.as_str(), read.pages), ("x", 3));
}

fn encrypted(user_password: &str) -> Vec<u8> {
    let plain = drawn(&["BT /F 10 Tf (secret) Tj ET"]);
    let mut document = Document::load_mem(&plain).unwrap();
    let id = lopdf::Object::string_literal("0123456789abcdef");
    document.trailer.set("ID", vec![id.clone(), id]);
    let version = EncryptionVersion::V2 {
        document: &document,
        owner_password: "owner",
        user_password,
        key_length: 128,
        permissions: Permissions::default(),
    };
    let state = EncryptionState::try_from(version).unwrap();
    document.encrypt(&state).unwrap();
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    bytes
}

#[tokio::test]
async fn a_password_is_asked_for_only_where_one_is_needed() {
    assert_eq!(read(encrypted("user")).await, Err(Unreadable::Encrypted));
    // Most encrypted PDFs only forbid to print or to change them.
    assert_eq!(read(encrypted("")).await.unwrap().text, "secret");
    let unknown = document(&[b"<< /Type /Catalog >>".to_vec()]);
    let unknown = String::from_utf8(unknown).unwrap();
    let unknown = unknown.replace("/Root", "/Encrypt << /Filter /Mine >> /Root");
    assert_eq!(read(unknown).await, Err(Unreadable::Encrypted));
}
