//! From pieces to a condition.

use super::lexer::Lexeme;
use super::{Condition, Operand};

/// Parses all pieces; none if there is nothing to look for.
pub(super) fn parse(lexemes: &[Lexeme]) -> Option<Condition> {
    let mut parser = Parser { lexemes, at: 0 };
    parser.alternatives()
}

struct Parser<'a> {
    lexemes: &'a [Lexeme],
    at: usize,
}

impl Parser<'_> {
    /// `a OR b OR …`, up to the end or the closing bracket, which is not consumed.
    fn alternatives(&mut self) -> Option<Condition> {
        let mut conditions = Vec::new();
        loop {
            conditions.extend(self.conjunction());
            match self.lexemes.get(self.at) {
                Some(Lexeme::Or) => self.at += 1,
                _ => break,
            }
        }
        match conditions.len() {
            0 | 1 => conditions.pop(),
            _ => Some(Condition::Any(conditions)),
        }
    }

    /// `a b AND c …`, up to an `OR`, the end or the closing bracket.
    fn conjunction(&mut self) -> Option<Condition> {
        let mut operands: Vec<Operand> = Vec::new();
        let mut written_and = false;
        let mut negated = false;
        while let Some(lexeme) = self.lexemes.get(self.at) {
            let condition = match lexeme {
                Lexeme::Or | Lexeme::Close => break,
                Lexeme::And => {
                    self.at += 1;
                    written_and = !operands.is_empty();
                    continue;
                }
                Lexeme::Not => {
                    self.at += 1;
                    negated = !negated;
                    continue;
                }
                Lexeme::Terms { terms, quoted } => {
                    self.at += 1;
                    Some(Condition::Terms {
                        terms: terms.clone(),
                        quoted: *quoted,
                    })
                }
                Lexeme::Open => {
                    self.at += 1;
                    let inner = self.alternatives();
                    if matches!(self.lexemes.get(self.at), Some(Lexeme::Close)) {
                        self.at += 1;
                    }
                    inner
                }
            };
            if let Some(condition) = condition {
                if written_and && let Some(before) = operands.last_mut() {
                    before.required = true;
                }
                let condition = if negated {
                    Condition::Not(Box::new(condition))
                } else {
                    condition
                };
                operands.push(Operand {
                    condition,
                    required: written_and,
                });
            }
            written_and = false;
            negated = false;
        }
        if operands.len() == 1 {
            return operands.pop().map(|operand| operand.condition);
        }
        (!operands.is_empty()).then_some(Condition::All(operands))
    }
}
