//! Reads expressions.

use serde_json::Value;

use super::{Expression, Function, Operator, Path, Segment};

/// Longest expression in bytes.
const LONGEST: usize = 1_000;
/// Deepest nesting.
const DEEPEST: u32 = 24;
/// Words that no path starts with.
const RESERVED: [&str; 7] = ["and", "or", "not", "contains", "true", "false", "null"];

/// Reads an expression.
pub(crate) fn parse(text: &str) -> Result<Expression, String> {
    if text.len() > LONGEST {
        return Err(format!("an expression has at most {LONGEST} bytes"));
    }
    let tokens = tokens(text)?;
    let mut reader = Reader {
        tokens: &tokens,
        place: 0,
        depth: 0,
    };
    let expression = reader.either()?;
    match reader.tokens.get(reader.place) {
        None => Ok(expression),
        Some(token) => Err(format!("{} is not expected there", token.shown())),
    }
}

/// Splits `price | number 2 | or "none"` at its bars; bars inside quotes do not count.
pub(crate) fn split_formats(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut quote) = (0, None);
    for (place, character) in text.char_indices() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => quote = Some(character),
            (None, '|') => {
                parts.push(text[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Text(String),
    Number(f64),
    Mark(&'static str),
}

impl Token {
    fn shown(&self) -> String {
        match self {
            Self::Word(word) => format!("`{word}`"),
            Self::Text(text) => format!("'{text}'"),
            Self::Number(number) => number.to_string(),
            Self::Mark(mark) => format!("`{mark}`"),
        }
    }
}

const MARKS: [&str; 17] = [
    "==", "!=", "<=", ">=", "<", ">", "(", ")", "[", "]", ",", ".", "+", "-", "*", "/", "=",
];

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let taken = if first.is_ascii_alphabetic() || first == '_' {
            let end = rest
                .find(|one: char| !one.is_ascii_alphanumeric() && one != '_')
                .unwrap_or(rest.len());
            tokens.push(Token::Word(rest[..end].to_owned()));
            end
        } else if first.is_ascii_digit() {
            let follows_dot = matches!(tokens.last(), Some(Token::Mark(".")));
            let end = rest
                .char_indices()
                .find(|(_, one)| {
                    !(one.is_ascii_digit() || *one == '_' || *one == '.' && !follows_dot)
                })
                .map_or(rest.len(), |(place, _)| place);
            let written = rest[..end].replace('_', "");
            let number = written.parse::<f64>().ok().filter(|one| one.is_finite());
            tokens.push(Token::Number(
                number.ok_or_else(|| format!("{written} is not a number"))?,
            ));
            end
        } else if matches!(first, '\'' | '"') {
            let Some(end) = rest[1..].find(first) else {
                return Err(format!("{first} is not closed"));
            };
            tokens.push(Token::Text(rest[1..=end].to_owned()));
            end + 2
        } else {
            let mark = MARKS.iter().find(|mark| rest.starts_with(**mark));
            let mark = mark.ok_or_else(|| format!("{first:?} means nothing in an expression"))?;
            tokens.push(Token::Mark(mark));
            mark.len()
        };
        rest = rest[taken..].trim_start();
    }
    if tokens.is_empty() {
        return Err("the expression is empty".to_owned());
    }
    Ok(tokens)
}

struct Reader<'t> {
    tokens: &'t [Token],
    place: usize,
    depth: u32,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.place)
    }

    fn takes_mark(&mut self, mark: &str) -> bool {
        let is_it = matches!(self.peek(), Some(Token::Mark(found)) if *found == mark);
        self.place += usize::from(is_it);
        is_it
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is_it = matches!(self.peek(), Some(Token::Word(found)) if found == word);
        self.place += usize::from(is_it);
        is_it
    }

    fn expect(&mut self, mark: &str) -> Result<(), String> {
        if self.takes_mark(mark) {
            return Ok(());
        }
        Err(match self.peek() {
            Some(token) => format!("{} stands where `{mark}` is expected", token.shown()),
            None => format!("`{mark}` is missing at the end"),
        })
    }

    fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, String>,
    ) -> Result<T, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("an expression is nested at most {DEEPEST} deep"));
        }
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn either(&mut self) -> Result<Expression, String> {
        self.deeper(|reader| {
            let mut left = reader.both()?;
            while reader.takes_word("or") {
                left = binary(Operator::Or, left, reader.both()?);
            }
            Ok(left)
        })
    }

    fn both(&mut self) -> Result<Expression, String> {
        let mut left = self.negation()?;
        while self.takes_word("and") {
            left = binary(Operator::And, left, self.negation()?);
        }
        Ok(left)
    }

    fn negation(&mut self) -> Result<Expression, String> {
        if self.takes_word("not") {
            return self.deeper(|reader| Ok(Expression::Not(Box::new(reader.negation()?))));
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Result<Expression, String> {
        let left = self.sum()?;
        let operator = match self.peek() {
            Some(Token::Mark("==")) => Operator::Equal,
            Some(Token::Mark("!=")) => Operator::Unequal,
            Some(Token::Mark("<")) => Operator::Less,
            Some(Token::Mark("<=")) => Operator::LessOrEqual,
            Some(Token::Mark(">")) => Operator::Greater,
            Some(Token::Mark(">=")) => Operator::GreaterOrEqual,
            Some(Token::Mark("=")) => return Err("equality is written ==".to_owned()),
            Some(Token::Word(word)) if word == "contains" => Operator::Contains,
            _ => return Ok(left),
        };
        self.place += 1;
        Ok(binary(operator, left, self.sum()?))
    }

    fn sum(&mut self) -> Result<Expression, String> {
        let mut left = self.product()?;
        loop {
            let operator = if self.takes_mark("+") {
                Operator::Plus
            } else if self.takes_mark("-") {
                Operator::Minus
            } else {
                return Ok(left);
            };
            left = binary(operator, left, self.product()?);
        }
    }

    fn product(&mut self) -> Result<Expression, String> {
        let mut left = self.signed()?;
        loop {
            let operator = if self.takes_mark("*") {
                Operator::Times
            } else if self.takes_mark("/") {
                Operator::Divided
            } else {
                return Ok(left);
            };
            left = binary(operator, left, self.signed()?);
        }
    }

    fn signed(&mut self) -> Result<Expression, String> {
        if self.takes_mark("-") {
            return self.deeper(|reader| Ok(Expression::Negative(Box::new(reader.signed()?))));
        }
        self.operand()
    }

    fn operand(&mut self) -> Result<Expression, String> {
        if self.takes_mark("(") {
            let inner = self.either()?;
            self.expect(")")?;
            return self.part(inner);
        }
        let token = self.peek().cloned();
        self.place += 1;
        match token {
            Some(Token::Text(text)) => Ok(Expression::Literal(text.into())),
            Some(Token::Number(number)) => Ok(Expression::Literal(
                super::number(number).map_or(Value::Null, std::borrow::Cow::into_owned),
            )),
            Some(Token::Word(word)) => match word.as_str() {
                "true" => Ok(Expression::Literal(true.into())),
                "false" => Ok(Expression::Literal(false.into())),
                "null" => Ok(Expression::Literal(Value::Null)),
                reserved if RESERVED.contains(&reserved) => {
                    Err(format!("`{reserved}` is not expected there"))
                }
                _ if self.takes_mark("(") => {
                    let call = self.call(&word)?;
                    self.part(call)
                }
                _ => {
                    let segments = self.segments()?;
                    Ok(Expression::Path(Path {
                        root: word,
                        segments,
                    }))
                }
            },
            Some(token) => Err(format!("{} is not expected there", token.shown())),
            None => Err("the expression breaks off".to_owned()),
        }
    }

    fn call(&mut self, name: &str) -> Result<Expression, String> {
        let function = Function::parse(name).ok_or_else(|| {
            format!(
                "there is no function `{name}`; there are {}",
                Function::names()
            )
        })?;
        let mut arguments = Vec::new();
        if !self.takes_mark(")") {
            loop {
                arguments.push(self.either()?);
                if self.takes_mark(")") {
                    break;
                }
                self.expect(",")?;
            }
        }
        function.check(&arguments)?;
        Ok(Expression::Call(function, arguments))
    }

    /// A part of a computed value.
    fn part(&mut self, whole: Expression) -> Result<Expression, String> {
        let segments = self.segments()?;
        if segments.is_empty() {
            return Ok(whole);
        }
        Ok(Expression::Part(Box::new(whole), segments))
    }

    fn segments(&mut self) -> Result<Vec<Segment>, String> {
        let mut segments = Vec::new();
        loop {
            if self.takes_mark(".") {
                let token = self.peek().cloned();
                self.place += 1;
                segments.push(match token {
                    Some(Token::Word(name)) => Segment::Field(name),
                    Some(Token::Number(place)) if place.fract() == 0.0 => {
                        Segment::Index(place as i64)
                    }
                    _ => return Err("a name must follow the dot".to_owned()),
                });
            } else if self.takes_mark("[") {
                let is_negative = self.takes_mark("-");
                let token = self.peek().cloned();
                self.place += 1;
                segments.push(match token {
                    Some(Token::Number(place)) if place.fract() == 0.0 && place < 1e9 => {
                        let place = place as i64;
                        Segment::Index(if is_negative { -place } else { place })
                    }
                    Some(Token::Text(name)) if !is_negative => Segment::Field(name),
                    _ => return Err("a whole number or a quoted name stands in [ ]".to_owned()),
                });
                self.expect("]")?;
            } else {
                return Ok(segments);
            }
        }
    }
}

fn binary(operator: Operator, left: Expression, right: Expression) -> Expression {
    Expression::Binary(operator, Box::new(left), Box::new(right))
}
