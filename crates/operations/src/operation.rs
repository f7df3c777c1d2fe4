//! What can be asked, whichever interface asks.
//!
//! An operation is a value: its name, what it means, its typed input and output, and how it runs. Its input is read by
//! the lines that describe it, so that the document states the bounds that are checked. Interfaces only translate: they
//! find the operation, hand over arguments and a caller, and write the answer down. Price and gate stand once, on the
//! operation's line of the route table.

use serde::Serialize;
use utoipa::ToSchema;

use crate::context::Context;
use crate::error::Result;
use crate::input::Input;

/// Something that can be asked.
pub trait Operation: Send + Sync + 'static {
    /// What it takes.
    type Input: Input;
    /// What it answers.
    type Output: Serialize + ToSchema + Send + Sync + 'static;

    /// What it is.
    const ABOUT: About;

    /// Whether it only reads.
    const EFFECT: Effect = Effect::Reads;

    /// Which list of the answer is its table, where it holds several; lists of the same records are named with commas between
    /// them and make one table. Behind `|` stands the record that is its only row where the list is absent.
    const ROWS: Option<&'static str> = None;

    /// Answers. Dropping the future ends the work.
    fn run(
        context: Context,
        input: Self::Input,
    ) -> impl Future<Output = Result<Self::Output>> + Send;

    /// What the answer also depends on, beside data, arguments and categories. Only for operations whose answers are
    /// kept.
    fn variant(
        _context: &Context,
        _input: &Self::Input,
    ) -> impl Future<Output = Result<Option<String>>> + Send {
        std::future::ready(Ok(None))
    }
}

/// What an operation does to what is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: it may be asked by whoever only wants to know.
    Reads,
    /// It changes what its caller owns.
    Acts,
}

/// What an operation is.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Its name, a verb and what it is about, such as `list_currency_pairs`. It stays when the address changes.
    pub name: &'static str,
    /// Where HTTP finds it. Key scopes are about this address, whichever interface is used.
    pub address: Address,
    /// The part of the document in which it stands.
    pub subject: &'static str,
    /// One line.
    pub summary: &'static str,
    /// What else a caller should know; may be empty.
    pub description: &'static str,
    /// What a successful answer holds.
    pub answer: &'static str,
    /// When there is no answer but 404; `None` where that cannot be.
    pub missing: Option<&'static str>,
    /// Arguments, and fields of the body, as one JSON object.
    pub example: &'static str,
    /// Whether it answers from what was known at the past.
    pub takes_as_of: bool,
    /// How long an answer stays the answer to the same question.
    pub keeping: Keeping,
}

impl About {
    /// What most operations that read have in common; name, address, subject, summary and answer are each one's own.
    pub const READS: Self = Self {
        name: "",
        address: Address::get(""),
        subject: "",
        summary: "",
        description: "",
        answer: "",
        missing: None,
        example: "{}",
        takes_as_of: true,
        keeping: Keeping::WhileDataStand,
    };
}

/// How long an answer may be given again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// While the data stand still, at most a second.
    WhileDataStand,
    /// Never: it is the caller's own, or says how long it took.
    Never,
}

/// Method and path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// What HTTP does with it.
    pub verb: Verb,
    /// With variables in braces.
    pub path: &'static str,
}

impl Address {
    /// Reads.
    pub const fn get(path: &'static str) -> Self {
        Self {
            verb: Verb::Get,
            path,
        }
    }

    /// Computes from a body.
    pub const fn post(path: &'static str) -> Self {
        Self {
            verb: Verb::Post,
            path,
        }
    }

    /// Replaces by a body.
    pub const fn put(path: &'static str) -> Self {
        Self {
            verb: Verb::Put,
            path,
        }
    }

    /// Changes by a body what it names.
    pub const fn patch(path: &'static str) -> Self {
        Self {
            verb: Verb::Patch,
            path,
        }
    }

    /// Removes.
    pub const fn delete(path: &'static str) -> Self {
        Self {
            verb: Verb::Delete,
            path,
        }
    }
}

/// A method of HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// GET, and HEAD.
    Get,
    /// POST.
    Post,
    /// PUT.
    Put,
    /// PATCH.
    Patch,
    /// DELETE.
    Delete,
}

impl Verb {
    /// The word.
    pub const fn method(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}
