//! The text that the pages of a document draw: streams, fonts and forms, and the budget for all of them.
//!
//! The position of each string is worked out in [`crate::pdf::drawing`].

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use lopdf::content::{Content, Operation};
use lopdf::{DecompressError, Dictionary, Document, Error, Object, ObjectId, Stream};

use crate::pdf::drawing::{Drawing, State, matrix_of};
use crate::pdf::font::Font;
use crate::pdf::lines::Lines;
use crate::pdf::{Excess, PdfText, UNPACKED_STREAM, Unreadable};

/// Nesting of forms; real ones have two or three levels.
const DEEPEST_FORM: usize = 8;
/// Levels of the page tree.
const DEEPEST_TREE: usize = 64;
/// Minimum cost of drawing a form, because many one-byte forms can draw each other.
const COST_OF_FORM: usize = 1024;

/// Reads the pages of a document, with the fonts that they share.
pub(super) struct Interpreter<'a> {
    document: &'a Document,
    fonts: HashMap<*const Dictionary, Option<Rc<Font>>>,
    /// Forms that add no text, such as the points in a chart, are drawn once.
    textless: HashSet<*const Stream>,
    /// How many bytes may still be unpacked.
    budget: usize,
}

impl<'a> Interpreter<'a> {
    pub(super) fn new(document: &'a Document, budget: usize) -> Self {
        Self {
            document,
            fonts: HashMap::new(),
            textless: HashSet::new(),
            budget,
        }
    }

    /// The text of a page.
    pub(super) fn page(&mut self, page: ObjectId) -> Result<String, Unreadable> {
        let content = self.document.get_page_content_with_limit(page, self.most());
        let content = self.spend(content)?;
        let mut lines = Lines::default();
        let drawing = Drawing::new(self.resources(page), State::default());
        self.draw(&content, drawing, 0, &mut lines)?;
        Ok(lines.finish())
    }

    fn draw(
        &mut self,
        content: &[u8],
        mut drawing: Drawing<'a>,
        depth: usize,
        lines: &mut Lines,
    ) -> Result<(), Unreadable> {
        // Other readers do not draw anything after an unreadable operation either.
        for operation in Content::decode_iter(content).map_while(Result::ok) {
            match operation.operator.as_str() {
                "Tf" => self.choose_font(&operation, &mut drawing)?,
                "Do" => self.draw_form(&operation, &drawing, depth, lines)?,
                _ => drawing.follow(&operation, lines),
            }
            if lines.len() > PdfText::MOST_TEXT_BYTES {
                return Err(Unreadable::TooLarge(Excess::Text));
            }
        }
        Ok(())
    }

    fn choose_font(
        &mut self,
        operation: &Operation,
        drawing: &mut Drawing<'a>,
    ) -> Result<(), Unreadable> {
        let [name, size] = operation.operands.as_slice() else {
            return Ok(());
        };
        drawing.state.size = size.as_float().unwrap_or(1.0);
        drawing.state.font = match self.resource(drawing.resources, b"Font", name) {
            Some(Object::Dictionary(font)) => self.font(font)?,
            _ => None,
        };
        Ok(())
    }

    fn font(&mut self, font: &'a Dictionary) -> Result<Option<Rc<Font>>, Unreadable> {
        let key = std::ptr::from_ref(font);
        if let Some(known) = self.fonts.get(&key) {
            return Ok(known.clone());
        }
        let loaded = match Font::load(font, self.document) {
            Ok(loaded) => loaded.map(Rc::new),
            Err(Error::Decompress(DecompressError::MemoryLimitExceeded { .. })) => {
                return Err(Unreadable::TooLarge(Excess::Unpacked));
            }
            Err(_) => None,
        };
        self.fonts.insert(key, loaded.clone());
        Ok(loaded)
    }

    /// Draws a form, a part of pages that has a stream of its own.
    fn draw_form(
        &mut self,
        operation: &Operation,
        drawing: &Drawing<'a>,
        depth: usize,
        lines: &mut Lines,
    ) -> Result<(), Unreadable> {
        let name = operation.operands.first();
        let found = name.and_then(|name| self.resource(drawing.resources, b"XObject", name));
        let Some(Object::Stream(form)) = found else {
            return Ok(());
        };
        let is_form = matches!(
            form.dict.get(b"Subtype").and_then(Object::as_name),
            Ok(b"Form")
        );
        let key = std::ptr::from_ref(form);
        if !is_form || depth >= DEEPEST_FORM || self.textless.contains(&key) {
            return Ok(());
        }
        let content = self.spend(form.get_plain_content_with_limit(self.most()))?;
        let mut state = drawing.state.clone();
        if let Ok(matrix) = form
            .dict
            .get_deref(b"Matrix", self.document)
            .and_then(Object::as_array)
            && let Some(matrix) = matrix_of(matrix)
        {
            state.place = matrix.then(state.place);
        }
        let resources = match form.dict.get_deref(b"Resources", self.document) {
            Ok(Object::Dictionary(own)) => Some(own),
            _ => drawing.resources,
        };
        let before = lines.len();
        self.draw(&content, Drawing::new(resources, state), depth + 1, lines)?;
        if lines.len() == before {
            self.textless.insert(key);
        }
        Ok(())
    }

    /// What the names on a page stand for: a list of its own, or that of the part of the document it belongs to.
    fn resources(&self, page: ObjectId) -> Option<&'a Dictionary> {
        let mut node = self.document.get_dictionary(page).ok()?;
        for _ in 0..DEEPEST_TREE {
            if let Ok(Object::Dictionary(own)) = node.get_deref(b"Resources", self.document) {
                return Some(own);
            }
            node = node
                .get_deref(b"Parent", self.document)
                .ok()?
                .as_dict()
                .ok()?;
        }
        None
    }

    /// What a name stands for.
    fn resource(
        &self,
        resources: Option<&'a Dictionary>,
        kind: &[u8],
        name: &Object,
    ) -> Option<&'a Object> {
        let of_kind = resources?
            .get_deref(kind, self.document)
            .ok()?
            .as_dict()
            .ok()?;
        of_kind.get_deref(name.as_name().ok()?, self.document).ok()
    }

    /// How large the next stream may be when unpacked.
    fn most(&self) -> usize {
        self.budget.min(UNPACKED_STREAM)
    }

    /// Charges an unpacked stream to the budget. One that cannot be unpacked draws nothing.
    fn spend(&mut self, unpacked: Result<Vec<u8>, Error>) -> Result<Vec<u8>, Unreadable> {
        let excess = Unreadable::TooLarge(Excess::Unpacked);
        let content = match unpacked {
            Ok(content) => content,
            Err(Error::Decompress(DecompressError::MemoryLimitExceeded { .. })) => {
                return Err(excess);
            }
            Err(_) => Vec::new(),
        };
        let cost = content.len().max(COST_OF_FORM);
        self.budget = self.budget.checked_sub(cost).ok_or(excess)?;
        Ok(content)
    }
}
