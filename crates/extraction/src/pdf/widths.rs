//! How wide the characters of a font are, as fractions of their height.

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Object};

/// The width of a character about which the font says nothing, as a fraction of the height.
const USUAL_WIDTH: f32 = 0.5;
/// Maximum entries in a table of widths: one for each two-byte code.
const MOST_WIDTHS: usize = 1 << 16;

/// The widths of all 256 codes of a simple font.
pub(super) fn simple_widths(font: &Dictionary, document: &Document) -> Vec<f32> {
    // Fonts that are drawn by the document itself have their own scale.
    let matrix = font
        .get_deref(b"FontMatrix", document)
        .and_then(Object::as_array);
    let scale = matrix
        .ok()
        .and_then(|numbers| numbers.first()?.as_float().ok())
        .unwrap_or(0.001);
    let mut all = vec![USUAL_WIDTH; 256];
    let first = font
        .get_deref(b"FirstChar", document)
        .and_then(Object::as_i64);
    let widths = font
        .get_deref(b"Widths", document)
        .and_then(Object::as_array);
    if let (Ok(first), Ok(widths)) = (first, widths) {
        let places = all.iter_mut().skip(usize::try_from(first).unwrap_or(0));
        for (place, width) in places.zip(widths) {
            if let Some(width) = number(width, document) {
                *place = width * scale;
            }
        }
    }
    all
}

/// The widths of a composite font by code, and the width of all other codes. Two forms may alternate freely:
/// `code [width width …]` and `first last width`.
pub(super) fn composite_widths(font: &Dictionary, document: &Document) -> (HashMap<u16, f32>, f32) {
    let mut all = HashMap::new();
    let descendant = font
        .get_deref(b"DescendantFonts", document)
        .and_then(Object::as_array)
        .ok()
        .and_then(|fonts| document.dereference(fonts.first()?).ok()?.1.as_dict().ok());
    let Some(descendant) = descendant else {
        return (all, USUAL_WIDTH);
    };
    let usual = descendant
        .get(b"DW")
        .ok()
        .and_then(|width| number(width, document));
    let widths = descendant
        .get_deref(b"W", document)
        .and_then(Object::as_array);
    let mut rest = widths.map_or(&[][..], Vec::as_slice);
    while let [first, second, ..] = rest {
        let Some(first) = number(first, document) else {
            break;
        };
        let first = first as u16;
        if let Ok((_, Object::Array(list))) = document.dereference(second) {
            let list = list.iter().filter_map(|width| number(width, document));
            all.extend((first..=u16::MAX).zip(list.map(|width| width / 1000.0)));
            rest = &rest[2..];
        } else if let (Some(last), [_, _, width, ..]) = (number(second, document), rest) {
            let width = number(width, document).unwrap_or(0.0) / 1000.0;
            let room = MOST_WIDTHS.saturating_sub(all.len());
            all.extend((first..=last as u16).take(room).map(|code| (code, width)));
            rest = &rest[3..];
        } else {
            break;
        }
    }
    (all, usual.unwrap_or(1000.0) / 1000.0)
}

fn number(object: &Object, document: &Document) -> Option<f32> {
    document.dereference(object).ok()?.1.as_float().ok()
}
