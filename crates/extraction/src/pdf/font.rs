//! What the bytes of a drawn string mean in its font, and how wide they are.

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Encoding, Error, Object};

use crate::pdf::unicode_map::UnicodeMap;
use crate::pdf::widths::{composite_widths, simple_widths};

/// Unpacked size of a map to Unicode. One for all of Chinese has some 500 KiB.
const UNPACKED_MAP: usize = 4 << 20;

/// A font of a document.
pub(super) enum Font {
    /// Each byte is one character; all 256 with their widths.
    Simple(Vec<(String, f32)>),
    /// Codes of several bytes, mostly two.
    Composite {
        codes: Codes,
        widths: HashMap<u16, f32>,
        usual_width: f32,
    },
}

/// What the codes of a composite font mean.
pub(super) enum Codes {
    Mapped(UnicodeMap),
    /// They are characters themselves, in UTF-16.
    Utf16,
}

/// How far a string extends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Reach {
    /// Total width of the characters, as a fraction of the height.
    pub(super) width: f32,
    pub(super) characters: usize,
    /// How many of them are a single byte 32, which word spacing widens.
    pub(super) spaces: usize,
}

impl Font {
    /// A font with its tables; `None` if nothing says which characters its codes stand for.
    pub(super) fn load(font: &Dictionary, document: &Document) -> Result<Option<Self>, Error> {
        let map = match font.get_deref(b"ToUnicode", document) {
            Ok(Object::Stream(map)) => Some(UnicodeMap::parse(
                &map.get_plain_content_with_limit(UNPACKED_MAP)?,
            )),
            _ => None,
        };
        if matches!(font.get(b"Subtype").and_then(Object::as_name), Ok(b"Type0")) {
            let encoding = font
                .get_deref(b"Encoding", document)
                .and_then(Object::as_name);
            let codes = match (map, encoding) {
                (Some(map), _) => Codes::Mapped(map),
                (None, Ok(name)) if is_utf16(name) => Codes::Utf16,
                _ => return Ok(None),
            };
            let (widths, usual_width) = composite_widths(font, document);
            return Ok(Some(Self::Composite {
                codes,
                widths,
                usual_width,
            }));
        }
        // The map takes precedence over the encoding, which fills its holes.
        let encoding = font.get_font_encoding_with_limit(document, UNPACKED_MAP)?;
        let characters = (0..=u8::MAX).map(|code| {
            let mapped = map.as_ref().and_then(|map| map.get(u32::from(code)));
            let mapped = mapped.map(str::to_owned);
            mapped
                .or_else(|| encoded(&encoding, code))
                .unwrap_or_default()
        });
        let widths = simple_widths(font, document);
        Ok(Some(Self::Simple(characters.zip(widths).collect())))
    }

    /// Appends the characters of a string to a text.
    pub(super) fn decode(&self, bytes: &[u8], text: &mut String) -> Reach {
        let mut reach = Reach::default();
        match self {
            Self::Simple(characters) => {
                for code in bytes {
                    if let Some((character, width)) = characters.get(usize::from(*code)) {
                        text.push_str(character);
                        reach.width += width;
                    }
                }
                reach.characters = bytes.len();
                reach.spaces = memchr::memchr_iter(b' ', bytes).count();
            }
            Self::Composite {
                codes,
                widths,
                usual_width,
            } => {
                let code_bytes = match codes {
                    Codes::Mapped(map) => map.code_bytes.unwrap_or(2),
                    Codes::Utf16 => 2,
                };
                let numbers = bytes.chunks(code_bytes).map(|code| {
                    let number = |number, byte: &u8| number << 8 | u32::from(*byte);
                    code.iter().fold(0, number)
                });
                for number in numbers.clone() {
                    // A code without a meaning still takes up its width.
                    if let Codes::Mapped(map) = codes {
                        text.push_str(map.get(number).unwrap_or_default());
                    }
                    reach.width += widths.get(&(number as u16)).unwrap_or(usual_width);
                    reach.characters += 1;
                }
                if let Codes::Utf16 = codes {
                    let units = numbers.map(|number| number as u16);
                    text.extend(char::decode_utf16(units).flatten());
                }
            }
        }
        reach
    }
}

/// Whether codes in an encoding are UTF-16, as in `UniJIS-UTF16-H` and `UniGB-UCS2-H`.
fn is_utf16(encoding: &[u8]) -> bool {
    encoding.starts_with(b"Uni")
        && encoding
            .windows(4)
            .any(|four| matches!(four, b"UTF1" | b"UCS2"))
}

/// The character of a one-byte code, if the encoding has one.
fn encoded(encoding: &Encoding, code: u8) -> Option<String> {
    let character = encoding.bytes_to_string(&[code]).ok()?;
    Some(character).filter(|text| !text.contains('\u{fffd}'))
}
