//! Where on the page each string in a stream is drawn.

use std::rc::Rc;

use lopdf::content::Operation;
use lopdf::{Dictionary, Object};

use crate::pdf::font::Font;
use crate::pdf::lines::{Lines, Piece};
use crate::pdf::matrix::Matrix;

/// States that a page may save; PDF readers need not keep more than 28.
const MOST_STATES: usize = 256;

/// What `q` saves and `Q` restores.
#[derive(Clone)]
pub(super) struct State {
    pub(super) place: Matrix,
    pub(super) font: Option<Rc<Font>>,
    pub(super) size: f32,
    character_spacing: f32,
    word_spacing: f32,
    stretch: f32,
    leading: f32,
}

/// One stream of operations: a page's or a form's.
pub(super) struct Drawing<'a> {
    pub(super) resources: Option<&'a Dictionary>,
    pub(super) state: State,
    aside: Vec<State>,
    /// Where the next string is drawn, and where its line began.
    text: Matrix,
    line: Matrix,
}

impl Default for State {
    fn default() -> Self {
        Self {
            place: Matrix::IDENTITY,
            font: None,
            size: 1.0,
            character_spacing: 0.0,
            word_spacing: 0.0,
            stretch: 1.0,
            leading: 0.0,
        }
    }
}

impl<'a> Drawing<'a> {
    pub(super) fn new(resources: Option<&'a Dictionary>, state: State) -> Self {
        Self {
            resources,
            state,
            aside: Vec::new(),
            text: Matrix::IDENTITY,
            line: Matrix::IDENTITY,
        }
    }

    /// Carries out an operation that needs no other object of the document.
    pub(super) fn follow(&mut self, operation: &Operation, lines: &mut Lines) {
        let operands = operation.operands.as_slice();
        let number = |place: usize| {
            operands
                .get(place)
                .and_then(|object| object.as_float().ok())
                .unwrap_or(0.0)
        };
        match operation.operator.as_str() {
            "q" if self.aside.len() < MOST_STATES => self.aside.push(self.state.clone()),
            "Q" => {
                if let Some(state) = self.aside.pop() {
                    self.state = state;
                }
            }
            "cm" => {
                if let Some(matrix) = matrix_of(operands) {
                    self.state.place = matrix.then(self.state.place);
                }
            }
            "BT" => self.begin_line(Matrix::IDENTITY),
            "Tc" => self.state.character_spacing = number(0),
            "Tw" => self.state.word_spacing = number(0),
            "Tz" => self.state.stretch = number(0) / 100.0,
            "TL" => self.state.leading = number(0),
            "Td" => self.move_line(number(0), number(1)),
            "TD" => {
                self.state.leading = -number(1);
                self.move_line(number(0), number(1));
            }
            "Tm" => {
                if let Some(matrix) = matrix_of(operands) {
                    self.begin_line(matrix);
                }
            }
            "T*" => self.next_line(),
            "Tj" | "TJ" => self.show(operands, lines),
            "'" => {
                self.next_line();
                self.show(operands, lines);
            }
            "\"" => {
                self.state.word_spacing = number(0);
                self.state.character_spacing = number(1);
                self.next_line();
                self.show(operands.get(2..).unwrap_or_default(), lines);
            }
            _ => {}
        }
    }

    fn begin_line(&mut self, matrix: Matrix) {
        self.line = matrix;
        self.text = matrix;
    }

    fn move_line(&mut self, x: f32, y: f32) {
        self.begin_line(Matrix::moved(x, y).then(self.line));
    }

    fn next_line(&mut self) {
        self.move_line(0.0, -self.state.leading);
    }

    /// Draws strings, and moves by the numbers between them.
    fn show(&mut self, operands: &[Object], lines: &mut Lines) {
        for operand in operands {
            match operand {
                Object::Array(parts) => {
                    for part in parts {
                        self.show_part(part, lines);
                    }
                }
                part => self.show_part(part, lines),
            }
        }
    }

    fn show_part(&mut self, part: &Object, lines: &mut Lines) {
        let state = &self.state;
        if let Ok(thousandths) = part.as_float() {
            let back = thousandths / 1000.0 * state.size * state.stretch;
            self.text = Matrix::moved(-back, 0.0).then(self.text);
            return;
        }
        let (Object::String(bytes, _), Some(font)) = (part, &state.font) else {
            return;
        };
        let mut text = String::new();
        let reach = font.decode(bytes, &mut text);
        let width = reach.width * state.size
            + reach.characters as f32 * state.character_spacing
            + reach.spaces as f32 * state.word_spacing;
        let start = self.text.then(state.place);
        self.text = Matrix::moved(width * state.stretch, 0.0).then(self.text);
        lines.push(Piece {
            text: &text,
            start: start.origin(),
            end: self.text.then(state.place).origin(),
            height: start.scale() * state.size.abs(),
            along: start.right(),
        });
    }
}

/// Six numbers.
pub(super) fn matrix_of(operands: &[Object]) -> Option<Matrix> {
    let numbers: Vec<f32> = operands
        .iter()
        .filter_map(|object| object.as_float().ok())
        .collect();
    numbers.try_into().ok().map(Matrix::of)
}
