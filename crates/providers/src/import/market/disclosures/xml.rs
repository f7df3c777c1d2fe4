//! A small tree of an XML document: names without prefixes, text, children.
//!
//! Entities are not expanded, except for the five in XML and character references, so a document cannot grow; depth
//! and number of elements are limited.

use quick_xml::Reader;
use quick_xml::events::Event;
use text::references;

/// Deeper documents are refused: SEC forms nest less than ten levels.
const DEEPEST: usize = 40;

/// Documents with more elements are refused: the largest information tables have about a million.
const MOST_ELEMENTS: usize = 4_000_000;

/// One element.
#[derive(Debug, Default)]
pub(super) struct Element {
    name: Box<str>,
    text: String,
    children: Vec<Element>,
}

impl Element {
    /// The root element of a document; `None` if it is not valid XML or too large.
    pub(super) fn parse(document: &str) -> Option<Self> {
        let mut reader = Reader::from_str(document.trim_start());
        let mut open: Vec<Self> = vec![Self::default()];
        let mut count = 0;
        loop {
            match reader.read_event().ok()? {
                Event::Start(start) => {
                    count += 1;
                    if open.len() > DEEPEST || count > MOST_ELEMENTS {
                        return None;
                    }
                    open.push(Self::named(start.local_name().as_ref()));
                }
                Event::Empty(start) => {
                    count += 1;
                    if count > MOST_ELEMENTS {
                        return None;
                    }
                    let element = Self::named(start.local_name().as_ref());
                    open.last_mut()?.children.push(element);
                }
                Event::End(_) => {
                    let element = open.pop()?;
                    open.last_mut()?.children.push(element);
                }
                Event::Text(text) => open.last_mut()?.text.push_str(text.as_ref()),
                Event::CData(text) => open.last_mut()?.text.push_str(text.as_ref()),
                Event::GeneralRef(reference) => {
                    let written = format!("&{};", &*reference);
                    if let Some((meaning, _)) = references::leading(&written) {
                        open.last_mut()?.text.push_str(&meaning);
                    }
                }
                Event::Eof => break,
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
        let document = (open.len() == 1).then(|| open.pop())??;
        document.children.into_iter().next()
    }

    fn named(name: &str) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// Its name without the prefix.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Its children with that name.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> + 'a {
        self.children
            .iter()
            .filter(move |child| &*child.name == name)
    }

    /// The element at the end of a path of names, taking the first of each.
    pub(super) fn find(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |element, name| {
            element.children.iter().find(|child| &*child.name == *name)
        })
    }

    /// The trimmed text at the end of a path; `None` if there is none.
    pub(super) fn text(&self, path: &[&str]) -> Option<&str> {
        let text = self.find(path)?.text.trim();
        (!text.is_empty()).then_some(text)
    }

    /// The number at the end of a path.
    pub(super) fn number(&self, path: &[&str]) -> Option<f64> {
        let text = self.text(path)?;
        let number: f64 = match text.parse() {
            Ok(number) => number,
            Err(_) => text.replace([',', '$'], "").parse().ok()?,
        };
        number.is_finite().then_some(number)
    }
}

// The tree is no deeper than `DEEPEST`, so dropping it needs no care.

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_names_without_prefix_and_text_with_references() {
        let root = Element::parse(
            "<?xml version='1.0'?><n:a xmlns:n='x'><n:b> AT&amp;T &#233;</n:b><c/><b>2</b></n:a>",
        )
        .unwrap();
        assert_eq!(root.name(), "a");
        assert_eq!(root.text(&["b"]), Some("AT&T é"));
        assert_eq!(root.text(&["c"]), None);
        assert_eq!(root.all("b").count(), 2);
    }

    #[test]
    fn own_entities_stay_unexpanded_and_depth_is_bounded() {
        let bomb = "<!DOCTYPE a [<!ENTITY x 'long'>]><a><b>&x;&x;</b></a>";
        assert_eq!(Element::parse(bomb).unwrap().text(&["b"]), None);
        let deep = format!("{}{}", "<a>".repeat(100), "</a>".repeat(100));
        assert!(Element::parse(&deep).is_none());
        for broken in ["", "<a>", "<a></b>", "plain"] {
            assert!(Element::parse(broken).is_none(), "{broken}");
        }
    }
}
