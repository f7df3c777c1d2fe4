//! Small PDFs, written by hand so that nothing in them is well meant by a library.

use std::io::Write;

use flate2::{Compress, Compression, FlushCompress};

/// The font that pages have under the name `F`.
pub(crate) const FONT: &str =
    "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>";

/// A stream with these entries in its dictionary.
pub(crate) fn stream(entries: &str, content: &[u8]) -> Vec<u8> {
    let head = format!("<< {entries} /Length {} >>\nstream\n", content.len());
    [head.as_bytes(), content, b"\nendstream"].concat()
}

/// Objects numbered from 1, the first of which is the catalog.
pub(crate) fn document(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        places.push(bytes.len());
        writeln!(bytes, "{} 0 obj", index + 1).unwrap();
        bytes.extend_from_slice(object);
        bytes.extend_from_slice(b"\nendobj\n");
    }
    let start = bytes.len();
    let size = objects.len() + 1;
    write!(bytes, "xref\n0 {size}\n0000000000 65535 f \n").unwrap();
    for place in places {
        writeln!(bytes, "{place:010} 00000 n ").unwrap();
    }
    write!(
        bytes,
        "trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    )
    .unwrap();
    bytes
}

/// Pages with these streams. `G` is the font that the first of the objects given besides may be. Objects 1 to 3 are the catalog, the tree of pages and the font; then page and content alternate,
/// then come the objects that are given besides.
pub(crate) fn pages(contents: &[Vec<u8>], resources: &str, more: &[Vec<u8>]) -> Vec<u8> {
    let kids: Vec<String> = (0..contents.len())
        .map(|number| format!("{} 0 R", 4 + 2 * number))
        .collect();
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!(
            "<< /Type /Pages /Kids [{}] /Count {} >>",
            kids.join(" "),
            kids.len()
        )
        .into_bytes(),
        FONT.as_bytes().to_vec(),
    ];
    for (number, content) in contents.iter().enumerate() {
        let page = format!(
            "<< /Type /Page /Parent 2 0 R /Contents {} 0 R /Resources << /Font << /F 3 0 R /G 6 0 R >> {resources} >> >>",
            5 + 2 * number
        );
        objects.push(page.into_bytes());
        objects.push(content.clone());
    }
    objects.extend_from_slice(more);
    document(&objects)
}

/// Pages that draw something with the usual font.
pub(crate) fn drawn(contents: &[&str]) -> Vec<u8> {
    let contents: Vec<Vec<u8>> = contents
        .iter()
        .map(|content| stream("", content.as_bytes()))
        .collect();
    pages(&contents, "", &[])
}

/// What unpacks to this many MiB of spaces.
pub(crate) fn bomb(mebibytes: usize) -> Vec<u8> {
    let mut block = Vec::with_capacity(1 << 16);
    let mut compress = Compress::new(Compression::best(), false);
    // Blocks that do not refer to what is before them can be repeated.
    compress
        .compress_vec(&vec![b' '; 1 << 20], &mut block, FlushCompress::Full)
        .unwrap();
    [&[0x78, 0x9c], block.repeat(mebibytes).as_slice()].concat()
}
