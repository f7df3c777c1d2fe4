//! What the reader typed, as conditions on terms.
//!
//! Words mean all of them together or, if no brief has all, any of them ([`Query::relaxed`]). `"a phrase"` must occur
//! exactly as written, `-word` or `NOT word` excludes from what is next to it, `OR` offers alternatives and binds less
//! tightly than `AND`, which is implied between words but, if written out, is never relaxed. Everything else
//! (`headline:`, `*`, `~2`, `[a TO b]`, `/regex/`) is punctuation. No query is malformed: an operator without an
//! operand, or an unmatched bracket or quote, is skipped.

mod compile;
mod exclusion;
mod lexer;
mod parser;

use std::collections::BTreeSet;

use crate::analysis;

pub(crate) use compile::Compiled;

/// A condition on a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// These terms follow one another; most often there is only one.
    Terms {
        /// At least one.
        terms: Vec<String>,
        /// The reader put them in quotes and means exactly these.
        quoted: bool,
    },
    /// Each operand holds.
    All(Vec<Operand>),
    /// At least one holds.
    Any(Vec<Condition>),
    /// It does not hold.
    Not(Box<Condition>),
}

/// Part of a conjunction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Operand {
    condition: Condition,
    /// Joined by a written `AND`: stays when the rest is relaxed.
    required: bool,
}

/// A parsed query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Query {
    root: Option<Condition>,
    spoken: String,
    is_plain: bool,
}

/// What a highlighter marks and related queries leave out: runs of terms that count as a match.
pub(crate) type Wanted = BTreeSet<Vec<String>>;

impl Query {
    /// Parses any text.
    pub(crate) fn parse(text: &str) -> Self {
        let mut analyzer = analysis::analyzer();
        let root = parser::parse(&lexer::lexemes(text, &mut analyzer));
        let (spoken, is_plain) = lexer::spoken(text);
        Self {
            root,
            spoken,
            is_plain,
        }
    }

    /// The condition as typed; none if nothing positive is asked for.
    pub(crate) fn strict(&self) -> Option<Condition> {
        let root = self.root.clone()?;
        root.is_positive().then_some(root)
    }

    /// The condition with any of the plain words instead of all of them; none if there is no conjunction of words.
    pub(crate) fn relaxed(&self) -> Option<Condition> {
        let root = self.strict()?;
        root.has_optional_words().then(|| root.relax())
    }

    /// What is asked for in the reader's own words, without operators and what they exclude.
    pub(crate) fn spoken(&self) -> &str {
        &self.spoken
    }

    /// Whether it consists only of words: no quotes and no operators.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Every run of terms that counts as a match.
    pub(crate) fn wanted(&self) -> Wanted {
        let mut wanted = Wanted::new();
        if let Some(root) = &self.root {
            root.collect_wanted(&mut wanted);
        }
        wanted
    }
}

impl Condition {
    /// Whether it asks for something rather than only excluding.
    fn is_positive(&self) -> bool {
        match self {
            Self::Terms { .. } => true,
            Self::All(operands) => operands
                .iter()
                .any(|operand| operand.condition.is_positive()),
            Self::Any(conditions) => conditions.iter().any(Self::is_positive),
            Self::Not(_) => false,
        }
    }

    fn has_optional_words(&self) -> bool {
        match self {
            Self::Terms { .. } | Self::Not(_) => false,
            Self::Any(conditions) => conditions.iter().any(Self::has_optional_words),
            Self::All(operands) => {
                let optional = operands
                    .iter()
                    .filter(|operand| operand.is_optional())
                    .count();
                let positive = operands
                    .iter()
                    .filter(|operand| operand.condition.is_positive())
                    .count();
                (optional > 0 && positive > 1)
                    || operands
                        .iter()
                        .any(|operand| operand.condition.has_optional_words())
            }
        }
    }

    fn relax(self) -> Self {
        match self {
            Self::All(operands) => {
                let operands = operands.into_iter().map(|operand| Operand {
                    condition: operand.condition.relax(),
                    ..operand
                });
                let (optional, mut kept): (Vec<_>, Vec<_>) =
                    operands.partition(Operand::is_optional);
                // Next to something that must hold, the plain words count only in the score.
                if !kept.iter().any(|operand| operand.condition.is_positive()) {
                    let any = Self::Any(
                        optional
                            .into_iter()
                            .map(|operand| operand.condition)
                            .collect(),
                    );
                    kept.push(Operand {
                        condition: any,
                        required: false,
                    });
                }
                Self::All(kept)
            }
            Self::Any(conditions) => Self::Any(conditions.into_iter().map(Self::relax).collect()),
            other => other,
        }
    }

    fn collect_wanted(&self, wanted: &mut Wanted) {
        match self {
            Self::Terms { terms, .. } => {
                wanted.insert(terms.clone());
            }
            Self::All(operands) => operands
                .iter()
                .for_each(|operand| operand.condition.collect_wanted(wanted)),
            Self::Any(conditions) => conditions
                .iter()
                .for_each(|condition| condition.collect_wanted(wanted)),
            Self::Not(_) => {}
        }
    }
}

impl Operand {
    fn is_optional(&self) -> bool {
        !self.required && matches!(self.condition, Condition::Terms { quoted: false, .. })
    }
}

#[cfg(test)]
mod tests;
